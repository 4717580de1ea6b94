"""An ace dealt to a split ace: split again or stand, and nothing else."""

import pytest

from tests.engine.telling import play, refusal, told, verbs

LINE = "openseat resplit_aces=true; As 9h Ad Tc Ah 9d 5s 6s 7s 8s; 1=100; 1 split"


def test_a_new_pair_of_aces_is_asked_split_or_stand() -> None:
    assert verbs(play(LINE)) == {"split", "stand"}
    for verb in ("hit", "double"):
        assert refusal(f"{LINE}, 1 {verb}") == "split_ace_one_card"
    assert refusal(f"{LINE}, 1 surrender") == "no_surrender"


def test_other_split_aces_stop_by_themselves() -> None:
    assert told(play(f"{LINE}, 1 split")) == "As 5s lose 0, Ah 6s lose 0, Ad 9d win 200"


def test_standing_on_two_aces_keeps_twelve() -> None:
    assert told(play(f"{LINE}, 1 stand")) == "As Ah lose 0, Ad 9d win 200"


def test_the_right_hand_is_asked_too() -> None:
    state = play("openseat resplit_aces=true; As 9h Ad Tc 9d Ah; 1=100; 1 split")
    assert ([q.hand for q in state.questions], verbs(state)) == ([1], {"split", "stand"})


@pytest.mark.parametrize("max_hands", [2, 3, 4])
def test_up_to_max_hands(max_hands: int) -> None:
    line = f"openseat resplit_aces=true max_hands={max_hands}; As 9h Ad Tc Ah 9d Ac 9s As 8s; 1=100; "
    state = play(line + ", ".join(["1 split"] * (max_hands - 1)))
    assert len(state.box(1).hands) == max_hands
    assert state.settled


def test_without_chips_for_another_split_the_hand_stops() -> None:
    state = play("openseat resplit_aces=true; As 9h Ad Tc Ah 9d; 1=100; chips 1=299; 1 split")
    assert told(state) == "As Ah lose 0, Ad 9d win 200"


def test_where_aces_are_not_split_again_the_pair_stops() -> None:
    assert play("openseat; As 9h Ad Tc Ah 9d; 1=100; 1 split").settled


def test_the_clock_stands_on_two_aces() -> None:
    for on_timeout in ("stand", "hit_to_12"):
        line = LINE.replace("resplit_aces=true", f"resplit_aces=true on_timeout={on_timeout}")
        assert told(play(f"{line}, expire")) == "As Ah lose 0, Ad 9d win 200"
