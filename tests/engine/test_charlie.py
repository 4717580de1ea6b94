"""Charlie: so many cards with 21 or less win 1:1 at once."""

import pytest

from tests.engine.telling import backed, dealer, play, told

HITS = "2s 9h 2d 9c 2h 3s 3d 2c 4h"


@pytest.mark.parametrize(
    ("charlie", "hits", "hand"),
    [
        ("5", 3, "2s 2d 2h 3s 3d charlie 200"),
        ("6", 4, "2s 2d 2h 3s 3d 2c charlie 200"),
        ("7", 5, "2s 2d 2h 3s 3d 2c 4h charlie 200"),
        ("6", 3, "2s 2d 2h 3s 3d open 100"),
        ("7", 4, "2s 2d 2h 3s 3d 2c open 100"),
        ("null", 5, "2s 2d 2h 3s 3d 2c 4h open 100"),
    ],
)
def test_a_hand_of_so_many_cards_wins_at_once(charlie: str, hits: int, hand: str) -> None:
    line = f"openseat charlie={charlie}; {HITS} 2s 2h; 1=100; " + ", ".join(["1 hit"] * hits)
    assert told(play(line)) == hand


def test_it_wins_with_21_too_and_fewer_cards_with_21_just_stop() -> None:
    five = play("openseat charlie=5; 2s 9h 2d Tc 2h 5s Td; 1=100; 1 hit, 1 hit, 1 hit")
    assert told(five) == "2s 2d 2h 5s Td charlie 200"
    four = play("openseat charlie=5; 2s 9h 4d 2c 5h Ts Tc; 1=100; 1 hit, 1 hit")
    assert told(four) == "2s 4d 5h Ts push 100"


def test_over_21_is_bust_with_any_number_of_cards() -> None:
    state = play("openseat charlie=5; 2s 9h 4d Tc 5h 6s Td; 1=100; 1 hit, 1 hit, 1 hit")
    assert told(state) == "2s 4d 5h 6s Td bust 0"


def test_a_later_blackjack_of_the_dealer_does_not_take_it() -> None:
    state = play(
        "openseat charlie=5 hole_card=none; 2s 9s Kh 2d 9d 2h 3s 3d Ac; "
        "1=100 2=100; 1 hit, 1 hit, 1 hit, 2 stand"
    )
    assert (told(state, 1), told(state, 2), dealer(state)) == (
        "2s 2d 2h 3s 3d charlie 200",
        "9s 9d lose 0",
        "Kh Ac",
    )


def test_the_pair_card_of_a_split_hand_counts() -> None:
    state = play(
        "openseat charlie=5; 2s 9h 2d Tc 2h 3s 2c 3d 4h; 1=100; 1 split, 1 hit, 1 hit, 1 hit, 1 stand"
    )
    assert told(state) == "2s 2h 2c 3d 4h charlie 200, 2d 3s lose 0"


def test_backers_win_likewise() -> None:
    state = play("openseat charlie=5; 2s 9h 2d 9c 2h 3s 3d; 1=100 carol@1=50; 1 hit, 1 hit, 1 hit")
    assert (state.settled, backed(state, "carol"), dealer(state)) == (True, "1 charlie 100", "9h 9c")


def test_the_clock_can_make_one() -> None:
    state = play("openseat charlie=5 on_timeout=hit_to_12; 2s 9h 2d 9c 2h 2c 3d; 1=100; expire")
    assert told(state) == "2s 2d 2h 2c 3d charlie 200"
