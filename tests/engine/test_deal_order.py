"""Cards come one by one to the boxes in order, then to the dealer, twice; only then may anyone act."""

import pytest

from engine import events
from engine.notation import format_cards, parse_round
from tests.engine.telling import dealer, play, refusal, told


def places(line: str) -> dict[str, tuple[int, ...]]:
    """Which cards of the shoe each hand and the dealer have."""
    state = play(line)
    found = {
        f"{box.number}.{place}": hand.places
        for box in state.boxes
        for place, hand in enumerate(box.hands, start=1)
    }
    return {**found, "dealer": state.dealer_places}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("openseat; 2s 3s 4s 5s; 1=10", {"1.1": (0, 2), "dealer": (1, 3)}),
        ("openseat; 2s 3s 4s 5s 6s 7s; 1=10 3=10", {"1.1": (0, 3), "3.1": (1, 4), "dealer": (2, 5)}),
        ("openseat; 2s 3s 4s 5s 6s 7s; 4=10 2=10", {"2.1": (0, 3), "4.1": (1, 4), "dealer": (2, 5)}),
        (
            "openseat; 2s 3s 4s 5s 6s 7s 8s 9s; 3=10 1=10 2=10",
            {"1.1": (0, 4), "2.1": (1, 5), "3.1": (2, 6), "dealer": (3, 7)},
        ),
        ("openseat hole_card=none; 2s 3s 4s; 1=10", {"1.1": (0, 2), "dealer": (1,)}),
        (
            "openseat hole_card=none; 2s 3s 4s 5s 6s; 1=10 2=10",
            {"1.1": (0, 3), "2.1": (1, 4), "dealer": (2,)},
        ),
    ],
)
def test_cards_are_dealt_box_by_box_in_order(line: str, expected: dict[str, tuple[int, ...]]) -> None:
    assert places(line) == expected


def test_the_hole_card_is_dealt_last_and_face_down() -> None:
    state = play("openseat; 2s 3s 4s 5s; 1=10")
    assert dealer(state) == "3s"
    assert isinstance(state.events[-1], events.DealerDealt)
    assert state.events[-1].card is None


def test_boxes_act_in_order_whatever_order_their_bets_were_laid_in() -> None:
    line = "openseat; 2s 3s 4s 5s 6s 7s 8s 9s; 3=10 1=10 2=10"
    assert [q.box for q in play(line).questions] == [1]
    assert [q.box for q in play(f"{line}; 1 stand").questions] == [2]
    assert [q.box for q in play(f"{line}; 1 stand, 2 stand").questions] == [3]
    assert refusal(f"{line}; 2 stand") == "not_asked"
    assert refusal(f"{line}; 1 stand, 1 hit") == "not_asked"


def test_cards_drawn_in_the_turns_come_from_where_the_deal_ended() -> None:
    state = play("openseat; 2s 3s 4s 5s 6s 7s 8s 9s Ts Jd; 1=10 2=10; 1 hit, 1 stand, 2 stand")
    assert told(state, 1).startswith("2s 5s 8s")
    assert dealer(state) == "4s 7s 9s"
    assert format_cards(state.shoe.cards[state.shoe.dealt :]) == "Ts Jd"


def test_both_hands_of_a_split_get_their_second_card_at_once_the_left_one_first() -> None:
    line = "openseat; 8s 3s 8h 5s 2s 3h 9d Td; 1=10"
    assert places(f"{line}; 1 split") == {"1.1": (0, 4), "1.2": (2, 5), "dealer": (1, 3)}
    # The next card goes to the left hand, which is played first.
    assert places(f"{line}; 1 split, 1 hit")["1.1"] == (0, 4, 6)


def test_the_new_hand_of_a_later_split_lies_to_the_right_of_its_own_half() -> None:
    # 8s 8h; left gets 8d, right 2s; the left pair is split again: 8s Ts | 8d 9s | 8h 2s.
    state = play("openseat; 8s 3s 8h 5s 8d 2s Ts 9s; 1=10; 1 split, 1 split")
    assert told(state) == "8s Ts open 10, 8d 9s open 10, 8h 2s open 10"


@pytest.mark.parametrize("cards", range(8))
def test_a_shoe_too_short_for_the_deal_is_an_error(cards: int) -> None:
    shoe = " ".join(["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"][:cards])
    assert refusal(f"openseat; {shoe}; 1=10 2=10 3=10") == "shoe_empty"


def test_a_shoe_too_short_for_a_hit_leaves_the_round_as_it_was() -> None:
    line = "openseat; 2s 3s 4s 5s; 1=10"
    assert refusal(f"{line}; 1 hit") == "shoe_empty"
    assert parse_round(line).play() == parse_round(line).play()


def test_seven_boxes_that_split_until_the_shoe_is_one_card_short_end_with_an_error() -> None:
    bets = " ".join(f"{box}=10" for box in range(1, 8))
    cards = ["8s"] * 7 + ["6h"] + ["8d"] * 7 + ["3c", "3d"] * 7
    moves = ["1 split", "1 stand", "1 stand"]
    for box in range(2, 8):
        moves += [move.replace("1", str(box), 1) for move in moves[:3]]
    rules = "openseat boxes=7 hole_card=none"
    line = f"{rules}; {' '.join(cards)}; {bets}; {', '.join(moves[:-1])}"
    assert not play(line).settled
    assert refusal(f"{line}, 7 stand") == "shoe_empty"
    assert refusal(line.replace(" 3d; ", "; ").replace(", 7 stand", "")) == "shoe_empty"
