"""Double: one more equal bet, exactly one card, on the first two cards."""

import pytest

from tests.engine.telling import dealer, play, refusal, told, verbs

PLAYED = [
    ("openseat; 6s 9h 5d Tc Td; 1=100; 1 double", "6s 5d Td win 400", 1_200),
    ("openseat; 6s 9h 5d Tc 8d; 1=100; 1 double", "6s 5d 8d push 200", 1_000),
    ("openseat; 6s 9h 5d Tc 2d; 1=100; 1 double", "6s 5d 2d lose 0", 800),
    # A double may bust; it is lost at once and the dealer draws nothing.
    ("openseat; Ts 9h 6d 2c Td; 1=100; 1 double", "Ts 6d Td bust 0", 800),
    # A soft hand.
    ("openseat; As 6h 6d Tc Td 5c; 1=100; 1 double", "As 6d Td lose 0", 800),
    # A doubled 21 of three cards against a 21 pushes: the exact stake comes back.
    ("openseat; 6s 9h 5d 2c Td Tc; 1=100; 1 double", "6s 5d Td push 200", 1_000),
    # After a split.
    (
        "openseat; 8s 9h 8d Tc 3s 2s Td Ts Th; 1=100; 1 split, 1 double, 1 hit, 1 stand",
        "8s 3s Td win 400, 8d 2s Ts win 200",
        1_300,
    ),
]


@pytest.mark.parametrize(("line", "hands", "chips"), PLAYED)
def test_a_double_lays_the_bet_again_and_takes_one_card(line: str, hands: str, chips: int) -> None:
    state = play(line)
    assert state.settled
    assert (told(state), state.chips["1"]) == (hands, chips)


HANDS = [
    # shoe: first card, up, second card, hole; may it be doubled under each value of double_on
    ("9s 5h 2d 9c", ("any", "no_aces", "9-11", "10-11")),
    ("5s 5h 6d 9c", ("any", "no_aces", "9-11", "10-11")),
    ("5s 5h 5d 9c", ("any", "no_aces", "9-11", "10-11")),
    ("5s 5h 4d 9c", ("any", "no_aces", "9-11")),
    ("4s 5h 4d 9c", ("any", "no_aces")),
    ("Ts 5h 2d 9c", ("any", "no_aces")),
    ("Ts 5h 9d 9c", ("any", "no_aces")),
    ("As 5h 8d 9c", ("any",)),  # soft 19
    ("As 5h 9d 9c", ("any",)),  # soft 20 is no hard 10
    ("As 5h Ad 9c", ("any",)),
]


@pytest.mark.parametrize("double_on", ["any", "9-11", "10-11", "no_aces"])
@pytest.mark.parametrize(("shoe", "allowed"), HANDS)
def test_what_may_be_doubled_is_a_switch(shoe: str, allowed: tuple[str, ...], double_on: str) -> None:
    line = f"openseat double_on={double_on}; {shoe} 2c 3c Tc; 1=100"
    assert ("double" in verbs(play(line))) is (double_on in allowed)
    if double_on not in allowed:
        assert refusal(f"{line}; 1 double") == "double_not_on_this"


REFUSED = [
    # On the first two cards alone.
    ("openseat; 2s 9h 3d Tc 4d; 1=100; 1 hit, 1 double", "double_first_two_cards"),
    # Without the chips: all of it is bet.
    ("openseat; 6s 9h 5d Tc Td; 1=100; chips 1=100; 1 double", "not_enough_chips"),
    ("openseat; 6s 9h 5d Tc Td; 1=100; chips 1=199; 1 double", "not_enough_chips"),
    # The insurance has taken what the double needs.
    ("openseat; 6s Ah 5d 5c Td; 1=100; chips 1=200; 1 insure, 1 double", "not_enough_chips"),
    # Twice.
    ("openseat; 6s 9h 5d Tc 2d 3d; 1=100; 1 double, 1 double", "round_settled"),
    # After a split where that is not allowed.
    (
        "openseat double_after_split=false; 8s 9h 8d Tc 3s 2s; 1=100; 1 split, 1 double",
        "no_double_after_split",
    ),
    # A split hand of one card: backers are asked first.
    ("openseat; 8s 9h 8d Tc 3s 2s; 1=100 carol@1=100; 1 split, 1 double", "not_asked"),
    # After split aces.
    ("openseat; As 9h Ad Tc 3s 2s; 1=100; 1 split, 1 double", "round_settled"),
    ("openseat resplit_aces=true; As 9h Ad Tc Ah 2s; 1=100; 1 split, 1 double", "split_ace_one_card"),
]


@pytest.mark.parametrize(("line", "code"), REFUSED)
def test_when_a_double_is_refused(line: str, code: str) -> None:
    assert refusal(line) == code


@pytest.mark.parametrize(
    ("switches", "card", "allowed"),
    [
        ("", "3s", True),
        ("double_after_split=false", "3s", False),
        ("double_on=9-11", "3s", True),  # 8-3
        ("double_on=9-11", "4s", False),  # 8-4
        ("double_on=10-11", "Ah", False),  # soft 19
        ("double_on=no_aces", "Ah", False),
        ("double_on=no_aces", "4s", True),
    ],
)
def test_doubling_after_a_split(switches: str, card: str, allowed: bool) -> None:
    state = play(f"openseat {switches}; 8s 9h 8d Tc {card} 2s; 1=100; 1 split")
    assert ("double" in verbs(state)) is allowed


def test_a_double_with_the_last_chips_is_allowed() -> None:
    state = play("openseat; 6s 9h 5d Tc Td; 1=100; chips 1=200; 1 double")
    assert state.chips["1"] == 400


def test_a_pair_won_at_the_deal_pays_for_a_double() -> None:
    state = play("openseat; 5s 9h 5d Tc Td; 1=100+10; chips 1=110; 1 double")
    assert state.chips["1"] == 110 - 110 + 120 - 100 + 400


def test_a_doubled_hand_stops_by_itself() -> None:
    state = play("openseat; 2s 3s 9h 2d 4d Tc 3h; 1=100 2=100; 1 double")
    assert [q.box for q in state.questions] == [2]
    assert dealer(state) == "9h"
