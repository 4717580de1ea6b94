"""Even money: 1:1 for a blackjack now, whatever the dealer has."""

import pytest

from tests.engine.telling import backed, choices, dealer, play, refusal, side, told

ACE = "openseat even_money=ace"
TEN = "openseat even_money=ace_or_ten"

PAID = [
    # The blackjack under an ace: the dealer has it, or has not; taken, or waited for.
    (f"{ACE}; As Ah Kd Kc; 1=100; 1 even_money", "As Kd even_money 200"),
    (f"{ACE}; As Ah Kd Kc; 1=100; 1 decline", "As Kd push 100"),
    (f"{ACE}; As Ah Kd 9c; 1=100; 1 even_money", "As Kd even_money 200"),
    (f"{ACE}; As Ah Kd 9c; 1=100; 1 decline", "As Kd blackjack 250"),
    (f"{ACE}; As Ah Kd 9c; 1=100; expire", "As Kd blackjack 250"),
    # Under a ten where the rules say so, before the peek.
    (f"{TEN}; As Kh Kd Ac; 1=100; 1 even_money", "As Kd even_money 200"),
    (f"{TEN}; As Kh Kd Ac; 1=100; 1 decline", "As Kd push 100"),
    (f"{TEN}; As Th Kd 9c; 1=100; 1 decline", "As Kd blackjack 250"),
    (f"{TEN}; As Ah Kd Kc; 1=100; 1 even_money", "As Kd even_money 200"),
    # Under a ten where they do not: the peek comes at once.
    (f"{ACE}; As Kh Kd Ac; 1=100", "As Kd push 100"),
    ("openseat; As Kh Kd Ac; 1=100", "As Kd push 100"),
    # Under anything else nobody is asked.
    (f"{TEN}; As 9h Kd Ac; 1=100", "As Kd blackjack 250"),
    # Without a hole card.
    (f"{ACE} hole_card=none; As Ah Kd Kc; 1=100; 1 even_money", "As Kd even_money 200"),
    (f"{ACE} hole_card=none; As Ah Kd Kc; 1=100; 1 decline", "As Kd push 100"),
    (f"{ACE} hole_card=none; As Ah Kd 9c; 1=100; 1 decline", "As Kd blackjack 250"),
    (f"{TEN} hole_card=none; As Kh Kd Ac; 1=100; 1 even_money", "As Kd even_money 200"),
    (f"{TEN} hole_card=none; As Kh Kd Ac; 1=100; 1 decline", "As Kd push 100"),
    # It needs no chips, and it pays 1:1 whatever a blackjack pays.
    (f"{ACE}; As Ah Kd Kc; 1=100; chips 1=100; 1 even_money", "As Kd even_money 200"),
    (f"{ACE} blackjack_pays=6:5; As Ah Kd Kc; 1=100; 1 even_money", "As Kd even_money 200"),
    # It is offered whatever insurance is.
    (f"{ACE} insurance=none; As Ah Kd Kc; 1=100; 1 even_money", "As Kd even_money 200"),
    (f"{ACE} insurance=up_to_half; As Ah Kd Kc; 1=100; 1 even_money", "As Kd even_money 200"),
    # Where it is insurance by another name the blackjack is insured like any bet.
    ("openseat; As Ah Kd Kc; 1=100; 1 insure", "As Kd push 100"),
]


@pytest.mark.parametrize(("line", "hands"), PAID)
def test_even_money(line: str, hands: str) -> None:
    state = play(line)
    assert (state.settled, told(state)) == (True, hands)


REFUSED = [
    ("openseat; As Ah Kd Kc; 1=100; 1 even_money", "wrong_answer"),
    (f"{ACE}; As Ah Kd Kc; 1=100; 1 insure", "wrong_answer"),  # it replaces insurance
    (f"{ACE}; 9s Ah Kd Kc; 1=100; 1 even_money", "wrong_answer"),
    (f"{ACE}; As 9s Ah Kd 9d 4c; 1=100 2=100; 1 even_money, 1 decline", "not_asked"),
    (f"{TEN}; 9s Kh Kd 4c; 1=100; 1 even_money", "wrong_answer"),
]


@pytest.mark.parametrize(("line", "code"), REFUSED)
def test_when_it_is_refused(line: str, code: str) -> None:
    assert refusal(line) == code


def test_insurance_as_even_money_comes_to_the_same_chips() -> None:
    for hole in ("Kc", "9c"):
        assert play(f"openseat; As Ah Kd {hole}; 1=100; 1 insure").chips["1"] == 1_100


def test_others_are_asked_for_insurance_in_the_same_window() -> None:
    line = f"{ACE}; As 9s Ah Kd 9d 4c; 1=100 2=100"
    assert choices(play(line)) == {"1 even_money", "1 decline", "2 insure", "2 decline"}
    assert choices(play(line.replace(ACE, TEN).replace("Ah", "Kh"))) == {"1 even_money", "1 decline"}


def test_a_backer_is_asked_on_the_own_stake_and_the_seats_answer_changes_nothing_for_them() -> None:
    line = f"{ACE}; As Ah Kd Kc; 1=100 carol@1=50"
    assert choices(play(line)) == {"1 even_money", "1 decline", "carol@1 even_money", "carol@1 decline"}
    state = play(f"{line}; 1 even_money, carol@1 decline")
    assert (told(state), backed(state, "carol")) == ("As Kd even_money 200", "1 push 50")
    state = play(f"{line}; carol@1 even_money, 1 decline")
    assert (told(state), backed(state, "carol")) == ("As Kd push 100", "1 even_money 100")


def test_even_money_is_in_the_stack_at_once() -> None:
    state = play(f"{ACE}; As 9s Ah Kd 9d 4c; 1=100 2=100; 1 even_money")
    assert (state.chips["1"], side(state.box(1).insurance), dealer(state)) == (1_100, None, "Ah")
