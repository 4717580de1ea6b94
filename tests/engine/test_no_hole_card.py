"""No hole card: the dealer's second card comes after the players, and a blackjack takes everything."""

import pytest

from tests.engine.telling import backed, dealer, play, side, told

NONE = "openseat hole_card=none"

ROWS = [
    # A double and a split are lost to a dealer's blackjack, whole.
    (f"{NONE}; 6s Kh 5d Td Ac; 1=100; 1 double", "6s 5d Td lose 0", "Kh Ac"),
    (f"{NONE}; 8s Kh 8d 2s 3s Ac; 1=100; 1 split, 1 stand, 1 stand", "8s 2s lose 0, 8d 3s lose 0", "Kh Ac"),
    (
        f"{NONE}; 8s Kh 8d 3s 2s Td 9d Ac; 1=100; 1 split, 1 double, 1 hit, 1 stand",
        "8s 3s Td lose 0, 8d 2s 9d lose 0",
        "Kh Ac",
    ),
    # A blackjack waits under an ace or a ten, for exactly one card.
    (f"{NONE}; As Kh Kd Ac 2c; 1=100", "As Kd push 100", "Kh Ac"),
    (f"{NONE}; As Kh Kd 5c 2c; 1=100", "As Kd blackjack 250", "Kh 5c"),
    (f"{NONE}; As Ah Kd 5c 2c; 1=100; 1 decline", "As Kd blackjack 250", "Ah 5c"),
    # ... and is paid at once under anything else: no card is drawn.
    (f"{NONE}; As 9h Kd 5c; 1=100", "As Kd blackjack 250", "9h"),
    (f"{NONE}; As 2h Kd 5c; 1=100", "As Kd blackjack 250", "2h"),
    # Insurance alone: one card.
    (f"{NONE}; Ts Ah 6d Td Kc 2c; 1=100; 1 insure, 1 hit", "Ts 6d Td bust 0", "Ah Kc"),
    (f"{NONE}; Ts Ah 6d Td 5c 2c; 1=100; 1 insure, 1 hit", "Ts 6d Td bust 0", "Ah 5c"),
    (f"{NONE}; Ts Ah 6d Td 5c 2c; 1=100; 1 decline, 1 hit", "Ts 6d Td bust 0", "Ah"),
    # A hand that is open: the dealer draws to 17.
    (f"{NONE}; Ts 6h 9d 5c 4c 2c; 1=100; 1 stand", "Ts 9d win 200", "6h 5c 4c 2c"),
    # 21 of three cards loses to the blackjack, and pushes with another 21.
    (f"{NONE}; 7s Kh 7d 7c Ac; 1=100; 1 hit", "7s 7d 7c lose 0", "Kh Ac"),
    (f"{NONE}; 7s Kh 7d 7c 5c 6c; 1=100; 1 hit", "7s 7d 7c push 100", "Kh 5c 6c"),
]


@pytest.mark.parametrize(("line", "hands", "dealers"), ROWS)
def test_no_hole_card(line: str, hands: str, dealers: str) -> None:
    state = play(line)
    assert (state.settled, told(state), dealer(state)) == (True, hands, dealers)


def test_a_waiting_blackjack_waits_for_the_others_turns() -> None:
    line = f"{NONE}; As Ts Kh Kd 9d 5c 4c; 1=100 2=100"
    state = play(line)
    assert (told(state, 1), [q.box for q in state.questions]) == ("As Kd open 100", [2])
    # With an open hand beside it the dealer draws on; the blackjack wins all the same.
    state = play(f"{line}; 2 stand")
    assert (told(state, 1), told(state, 2), dealer(state)) == (
        "As Kd blackjack 250",
        "Ts 9d push 100",
        "Kh 5c 4c",
    )


def test_a_bust_hand_beside_a_waiting_blackjack_needs_one_card_alone() -> None:
    state = play(f"{NONE}; As Ts Kh Kd 6d Td 5c 4c; 1=100 2=100; 2 hit")
    assert (dealer(state), told(state, 1), told(state, 2)) == (
        "Kh 5c",
        "As Kd blackjack 250",
        "Ts 6d Td bust 0",
    )


def test_insurance_is_settled_when_the_second_card_comes() -> None:
    state = play(f"{NONE}; Ts Ah 9d Kc; 1=100 carol@1=50; 1 insure, carol@1 insure, 1 stand")
    assert side(state.box(1).insurance) == (50, 150)
    assert side(state.box(1).backers[0].insurance) == (25, 75)
    assert (state.chips["1"], state.chips["carol"], backed(state, "carol")) == (1_000, 1_000, "1 lose 0")


def test_insurance_of_a_backer_alone_draws_one_card() -> None:
    state = play(f"{NONE}; Ts Ah 6d Td Kc; 1=100 carol@1=50; 1 decline, carol@1 insure, 1 hit")
    assert (dealer(state), state.chips["carol"]) == ("Ah Kc", 1_000 - 75 + 75)


def test_the_single_preset_takes_an_even_money_under_a_ten() -> None:
    state = play("single-standard; As Kh Kd; 1=100; 1 even_money")
    assert (state.settled, told(state), dealer(state), state.drawn) == (True, "As Kd even_money 200", "Kh", 3)
