"""Splits: two hands from a pair, each with the same bet and its second card at once."""

import pytest

from tests.engine.telling import play, refusal, told, verbs

PLAYED = [
    ("openseat; 8s 9h 8d Tc Ts Td; 1=100; 1 split, 1 stand, 1 stand", "8s Ts lose 0, 8d Td lose 0"),
    ("openseat; 8s 9h 8d 7c Ts Td 5h; 1=100; 1 split, 1 stand, 1 stand", "8s Ts lose 0, 8d Td lose 0"),
    # One hand busts, the other pushes: one stake comes back, not two.
    ("openseat; 9s 9h 9d Tc 6s Ts Td; 1=100; 1 split, 1 hit, 1 stand", "9s 6s Td bust 0, 9d Ts push 100"),
    # K-J splits by value.
    ("openseat; Ks 9h Jd Tc 9s Ah; 1=100; 1 split, 1 stand", "Ks 9s push 100, Jd Ah win 200"),
    # A 21 on a split hand stops by itself and is paid 1:1.
    ("openseat; Ks 9h Jd Tc As Ah; 1=100; 1 split", "Ks As win 200, Jd Ah win 200"),
    # It pushes against another 21.
    ("openseat; Ks 9h Jd 2c As 9d Th; 1=100; 1 split, 1 stand", "Ks As push 100, Jd 9d lose 0"),
    # To four hands and no further: the fifth eight stays.
    (
        "openseat; 8s 9h 8h Tc 8d Ts 8c 8s 8h Th Td; 1=100; "
        "1 split, 1 split, 1 split, 1 stand, 1 stand, 1 stand, 1 stand",
        "8s 8h lose 0, 8c Th lose 0, 8d 8s lose 0, 8h Ts lose 0",
    ),
    # Split aces get one card each and stop, a low one too.
    ("openseat; As 9h Ad Tc 2s 9d; 1=100; 1 split", "As 2s lose 0, Ad 9d win 200"),
    # 21 on the first split ace: the second hand gets its card all the same.
    ("openseat; As 9h Ad Tc Ts 5d; 1=100; 1 split", "As Ts win 200, Ad 5d lose 0"),
    # Another ace on a split ace stops too where aces are split once.
    ("openseat; As 9h Ad Tc Ah 9d; 1=100; 1 split", "As Ah lose 0, Ad 9d win 200"),
]


@pytest.mark.parametrize(("line", "hands"), PLAYED)
def test_splits(line: str, hands: str) -> None:
    state = play(line)
    assert state.settled
    assert told(state) == hands


REFUSED = [
    ("openseat; 8s 9h 9d Tc; 1=100; 1 split", "not_a_pair"),
    # After a hit there is nothing to split: 4-4-K, 6-6-A.
    ("openseat; 4s 9h 4d Tc Ks; 1=100; 1 hit, 1 split", "not_a_pair"),
    ("openseat; 6s 9h 6d Tc As; 1=100; 1 hit, 1 split", "not_a_pair"),
    ("openseat; 8s 9h 8d Tc 3s 2s; 1=100; chips 1=199; 1 split", "not_enough_chips"),
    ("openseat max_hands=1; 8s 9h 8d Tc 3s 2s; 1=100; 1 split", "too_many_hands"),
    ("openseat max_hands=2; 8s 9h 8d Tc 8h 2s; 1=100; 1 split, 1 split", "too_many_hands"),
    ("openseat max_hands=3; 8s 9h 8d Tc 8h 2s 8c 3s; 1=100; 1 split, 1 split, 1 split", "too_many_hands"),
    ("openseat split_by=rank; Ks 9h Jd Tc 3s 2s; 1=100; 1 split", "not_a_pair"),
    ("openseat split_aces=false; As 9h Ad Tc 3s 2s; 1=100; 1 split", "no_splitting_aces"),
    # Chips for one split are no chips for two.
    ("openseat; 8s 9h 8d Tc 8h 2s; 1=100; chips 1=299; 1 split, 1 split", "not_enough_chips"),
]


@pytest.mark.parametrize(("line", "code"), REFUSED)
def test_when_a_split_is_refused(line: str, code: str) -> None:
    assert refusal(line) == code


@pytest.mark.parametrize(
    ("switches", "cards", "offered"),
    [
        ("", "Ks Jd", True),
        ("", "Ts Td", True),
        ("", "9s Td", False),
        ("split_by=rank", "Ks Jd", False),
        ("split_by=rank", "Ks Kd", True),
        ("split_by=rank", "As Ad", True),
        ("split_aces=false", "As Ad", False),
        ("split_aces=false", "8s 8d", True),
        ("split_aces=true", "As Ad", True),
        ("max_hands=1", "8s 8d", False),
        ("max_hands=2", "8s 8d", True),
    ],
)
def test_when_a_split_is_offered(switches: str, cards: str, offered: bool) -> None:
    first, second = cards.split()
    state = play(f"openseat {switches}; {first} 9h {second} Tc 2s 3s; 1=100")
    assert ("split" in verbs(state)) is offered


@pytest.mark.parametrize(("max_hands", "splits"), [(2, 1), (3, 2), (4, 3)])
def test_a_box_has_at_most_max_hands_hands(max_hands: int, splits: int) -> None:
    line = f"openseat max_hands={max_hands}; 8s 9h 8h Tc 8d Ts 8c Th 8s Td; 1=100; "
    state = play(line + ", ".join(["1 split"] * splits))
    assert len(state.box(1).hands) == max_hands
    assert "split" not in verbs(state)


def test_split_hands_are_played_from_left_to_right() -> None:
    line = "openseat; 8s 9h 8d Tc 2s 3s 4d 5d; 1=100; 1 split"
    assert [q.hand for q in play(line).questions] == [0]
    assert [q.hand for q in play(f"{line}, 1 hit").questions] == [0]
    assert [q.hand for q in play(f"{line}, 1 hit, 1 stand").questions] == [1]
    assert told(play(f"{line}, 1 hit, 1 stand, 1 hit")) == "8s 2s 4d open 100, 8d 3s 5d open 100"


def test_a_21_on_the_left_hand_passes_the_turn_to_the_right_one() -> None:
    state = play("openseat; Ks 9h Jd Tc As 3s; 1=100; 1 split")
    assert [q.hand for q in state.questions] == [1]


def test_each_split_lays_one_more_bet() -> None:
    line = "openseat; 8s 9h 8h Tc 8d Ts 8c Th; 1=100"
    assert [play(line + moves).chips["1"] for moves in ("", "; 1 split", "; 1 split, 1 split")] == [
        900,
        800,
        700,
    ]


def test_every_hand_of_four_may_be_doubled() -> None:
    state = play(
        "openseat; 8s 9h 8h Tc 8d 8c 3s 3h Ts Th 3d 3c Td Tc; 1=100; "
        "1 split, 1 split, 1 double, 1 double, 1 split, 1 double, 1 double"
    )
    assert told(state) == "8s 3s Ts win 400, 8d 3h Th win 400, 8h 3d Td win 400, 8c 3c Tc win 400"
    assert state.chips["1"] == 1_000 + 800
