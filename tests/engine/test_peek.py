"""Peek: under an ace or a ten the dealer looks at the hole card before anyone acts."""

import pytest

from engine import events
from engine.events import DealerPeeked
from tests.engine.telling import dealer, play, told


@pytest.mark.parametrize("up", ["Th", "Jh", "Qh", "Kh"])
def test_an_ace_under_a_ten_ends_the_round_at_once(up: str) -> None:
    state = play(f"openseat; 9s {up} 2d Ac 5s; 1=100")
    assert state.settled
    assert (told(state), dealer(state), state.drawn) == ("9s 2d lose 0", f"{up} Ac", 4)


@pytest.mark.parametrize("hole", ["Tc", "Jc", "Qc", "Kc"])
def test_a_ten_under_an_ace_ends_the_round_after_the_insurance(hole: str) -> None:
    line = f"openseat; 9s Ah 2d {hole} 5s; 1=100"
    assert dealer(play(line)) == "Ah"
    state = play(f"{line}; 1 decline")
    assert (told(state), dealer(state), state.drawn) == ("9s 2d lose 0", f"Ah {hole}", 4)


@pytest.mark.parametrize(
    "line",
    [
        "openseat; 9s Kh 2d 9c; 1=100",
        "openseat; 9s Ah 2d 9c; 1=100; 1 decline",
        "openseat; 9s 9h 2d Ac; 1=100",
        "openseat; 9s 2h 2d Kc; 1=100",
    ],
)
def test_without_a_blackjack_the_hole_card_stays_down(line: str) -> None:
    state = play(line)
    assert state.phase.value == "turns"
    assert len(state.dealer_open) == 1
    assert not any(isinstance(event, events.HoleCardShown) for event in state.events)


@pytest.mark.parametrize(
    ("up", "looks"), [("Ah", True), ("Kh", True), ("Th", True), ("9h", False), ("2h", False)]
)
def test_the_dealer_looks_under_an_ace_or_a_ten_alone(up: str, looks: bool) -> None:
    state = play(f"openseat insurance=none; 9s {up} 2d 5c; 1=100")
    assert any(isinstance(event, DealerPeeked) for event in state.events) is looks


def test_all_lose_the_original_bet_and_a_blackjack_pushes() -> None:
    state = play("openseat; 9s As Kh 9d Kd Ac; 1=100 2=100")
    assert (told(state, 1), told(state, 2)) == ("9s 9d lose 0", "As Kd push 100")


def test_nobody_can_double_into_a_dealers_blackjack() -> None:
    state = play("openseat; 6s Kh 5d Ac 9s; 1=100")
    assert (state.settled, state.chips["1"]) == (True, 900)
