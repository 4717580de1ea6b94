"""Insurance: half the bet against an ace, 2:1, everyone at once, each once."""

import pytest

from tests.engine.telling import choices, play, refusal, side, told

# bet, insurance, hand, dealer's hole card -> net
NET = [
    # Insured against a dealer's blackjack: even.
    ("openseat; 9s Ah 9d Kc; 1=100; 1 insure", 0),
    ("openseat; 9s Ah 9d Kc; 1=100; 1 decline", -100),
    # A blackjack insured against a dealer's blackjack wins the bet.
    ("openseat; Ks Ah Ad Kc; 1=100; 1 insure", 100),
    ("openseat; Ks Ah Ad Kc; 1=100; 1 decline", 0),
    # No dealer's blackjack: the insurance is lost, the bet goes on.
    ("openseat; Ks Ah Ad 9c; 1=100; 1 insure", 100),
    ("openseat; Ks Ah Ad 9c; 1=100; 1 decline", 150),
    ("openseat; Ts Ah Td 9c; 1=100; 1 insure, 1 stand", -50),
    ("openseat; Ts Ah 9d 6c; 1=100; 1 insure, 1 stand", 50),
    ("openseat; Ts Ah 8d 8c; 1=100; 1 insure, 1 stand", -150),
    # Half of an odd bet is rounded down and the step does not matter.
    ("openseat bet_step=5; 9s Ah 9d Kc; 1=15; 1 insure", -15 + 2 * 7),
    ("openseat bet_step=1; 9s Ah 9d Kc; 1=11; 1 insure", -11 + 2 * 5),
    # Less than half: the payout follows what was laid, not the bet.
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; 1 insure 20", -100 + 40),
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; 1 insure 1", -100 + 2),
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; 1 insure 50", 0),
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; 1 insure", 0),
    # ... and no more than the stack holds.
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; chips 1=130; 1 insure", -100 + 60),
    # Nobody is asked: the round goes straight to the peek.
    ("openseat insurance=none; 9s Ah 9d Kc; 1=100", -100),
    ("openseat insurance=none; Ks Ah Ad 9c; 1=100", 150),
]


@pytest.mark.parametrize(("line", "net"), NET)
def test_what_insurance_comes_to(line: str, net: int) -> None:
    state = play(line)
    assert state.settled
    before = 130 if "chips" in line else 1_000
    assert state.chips["1"] - before == net


REFUSED = [
    ("openseat; 9s Ah 9d Kc; 1=100; 1 insure 49", "insurance_amount"),
    ("openseat; 9s Ah 9d Kc; 1=100; 1 insure 51", "insurance_amount"),
    ("openseat; 9s Ah 9d Kc; 1=100; 1 insure 0", "insurance_amount"),
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; 1 insure 51", "insurance_amount"),
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; 1 insure 0", "insurance_amount"),
    ("openseat insurance=up_to_half; 9s Ah 9d Kc; 1=100; chips 1=130; 1 insure 31", "insurance_amount"),
    ("openseat; 9s Ah 9d Kc; 1=100; 1 hit", "wrong_answer"),
    ("openseat; 9s Ah 9d Kc; 1=100; 1 stand", "wrong_answer"),
    ("openseat; 9s Ah 9d Kc; 1=100; 1 even_money", "wrong_answer"),
    ("openseat; 9s Ah 9d 5c; 1=100; 1 insure, 1 insure", "wrong_answer"),
    ("openseat; 9s 2s Ah 9d 3s 5c; 1=100 2=100; 1 insure, 1 insure", "not_asked"),
    ("openseat; 9s 2s Ah 9d 3s 5c; 1=100 2=100; 1 decline, 1 insure", "not_asked"),
    ("openseat insurance=none; 9s Ah 9d 5c; 1=100; 1 insure", "wrong_answer"),
    # No insurance under a ten, or anything else.
    ("openseat; 9s Kh 9d 5c; 1=100; 1 insure", "wrong_answer"),
    ("openseat; 9s 9h 9d 5c; 1=100; 1 decline", "wrong_answer"),
]


@pytest.mark.parametrize(("line", "code"), REFUSED)
def test_what_insurance_refuses(line: str, code: str) -> None:
    assert refusal(line) == code


def test_exactly_half_may_be_said() -> None:
    assert side(play("openseat; 9s Ah 9d 5c; 1=100; 1 insure 50").box(1).insurance) == (50, 0)


@pytest.mark.parametrize("first", [1, 2, 3])
def test_questions_put_together_are_answered_in_any_order(first: int) -> None:
    line = "openseat; 9s 2s 3s Ah 9d 3s 4s 5c; 1=100 2=100 3=100"
    rest = [box for box in (3, 2, 1) if box != first]
    state = play(f"{line}; {first} insure, {rest[0]} decline, {rest[1]} insure")
    assert [side(box.insurance) is not None for box in state.boxes] == [b != rest[0] for b in (1, 2, 3)]
    assert state.phase.value == "turns"


def test_one_who_lacks_the_chips_is_not_asked() -> None:
    state = play("openseat; 9s 2s Ah 9d 3s 5c; 1=100 2=100; chips 1=149 2=150")
    assert choices(state) == {"2 insure", "2 decline"}


def test_where_nobody_can_be_asked_the_round_goes_on() -> None:
    assert play("openseat; 9s Ah 9d 5c; 1=100; chips 1=100").phase.value == "turns"
    assert play("openseat insurance=up_to_half; 9s Ah 9d 5c; 1=100; chips 1=100").phase.value == "turns"
    # Half of one chip is none.
    assert play("openseat min_bet=1 bet_step=1; 9s Ah 9d 5c; 1=1").phase.value == "turns"


def test_a_pair_won_at_the_deal_pays_for_insurance() -> None:
    state = play("openseat; 9s Ah 9d 5c; 1=100+10; chips 1=110; 1 insure")
    assert (side(state.box(1).insurance), state.chips["1"]) == ((50, 0), 120 - 50)


def test_two_boxes_of_one_stack_that_can_not_both_be_insured() -> None:
    line = "openseat boxes_per_player=2; 9s 2s Ah 9d 3s 5c; 1=100 2=100; stacks 1=ann 2=ann; chips ann=260"
    assert choices(play(line)) == {"1 insure", "1 decline", "2 insure", "2 decline"}
    # After one answer the other can not be paid any more and is withdrawn for good.
    assert play(f"{line}; 2 insure").phase.value == "turns"
    assert choices(play(f"{line}; 1 decline")) == {"2 insure", "2 decline"}


def test_a_withdrawn_question_does_not_come_back_when_chips_do() -> None:
    # Ann insures box 1; box 3's insurance is withdrawn; box 2 belongs to somebody else who is still asked.
    line = (
        "openseat boxes_per_player=2; 9s 2s 4s Ah 9d 3s 4d 5c; 1=100 2=100 3=100; "
        "stacks 1=ann 3=ann; chips ann=260; 1 insure"
    )
    assert choices(play(line)) == {"2 insure", "2 decline"}
    assert refusal(f"{line}, 3 decline") == "not_asked"


def test_insurance_in_a_game_without_a_hole_card_waits_for_the_dealers_second_card() -> None:
    line = "openseat hole_card=none; Ts Ah 9d Kc; 1=100; 1 insure"
    assert side(play(line).box(1).insurance) == (50, None)
    state = play(f"{line}, 1 stand")
    assert (side(state.box(1).insurance), told(state)) == ((50, 150), "Ts 9d lose 0")
