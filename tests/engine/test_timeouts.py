"""The clock: it never spends a chip, and it answers only what is asked."""

import pytest

from tests.engine.telling import dealer, play, refusal, side, told

STAND = "openseat"
HIT = "openseat on_timeout=hit_to_12"

ROWS = [
    # stand: the hand stands as it is, however low.
    (STAND, "2s 9h 3d Tc 4s 5s; 1=100; expire", "2s 3d lose 0"),
    (STAND, "Ts 9h 9d Tc; 1=100; expire", "Ts 9d push 100"),
    (STAND, "2s 9h 3d Tc 4s 5s; 1=100; 1 hit, expire", "2s 3d 4s lose 0"),
    # hit_to_12: hits until the total is over 11, then stands.
    (HIT, "2s 9h 3d Tc 4s 5s; 1=100; expire", "2s 3d 4s 5s lose 0"),
    (HIT, "2s 9h 3d Tc Ts 5s; 1=100; expire", "2s 3d Ts lose 0"),
    (HIT, "Ts 9h 2d Tc Ts 5s; 1=100; expire", "Ts 2d lose 0"),
    (HIT, "2s 9h 9d Tc Ts 5s; 1=100; expire", "2s 9d Ts win 200"),
    # Aces count 11 here, so it never busts.
    (HIT, "As 9h 2d Tc Ts 5s; 1=100; expire", "As 2d lose 0"),
    (HIT, "2s 9h 3d Tc As 5s; 1=100; expire", "2s 3d As lose 0"),
    (HIT, "2s 9h 3d Tc 4s 5s; 1=100; 1 hit, expire", "2s 3d 4s 5s lose 0"),
]


@pytest.mark.parametrize(("rules", "case", "hands"), ROWS)
def test_what_the_clock_plays(rules: str, case: str, hands: str) -> None:
    state = play(f"{rules}; {case}")
    assert (state.settled, told(state)) == (True, hands)


@pytest.mark.parametrize("rules", [STAND, HIT])
def test_only_the_hand_whose_turn_it_is(rules: str) -> None:
    line = f"{rules}; 8s Ts 9h 8d 9d Tc 4s 5s; 1=100 2=100; 1 split, expire"
    state = play(line)
    assert [(q.box, q.hand) for q in state.questions] == [(1, 1)]
    assert [(q.box, q.hand) for q in play(f"{line}, expire").questions] == [(2, 0)]
    assert play(f"{line}, expire, expire").settled


@pytest.mark.parametrize("rules", [STAND, HIT])
def test_everyone_still_asked_for_insurance_declines(rules: str) -> None:
    state = play(f"{rules}; 9s 8s Ah 9d 8d 5c; 1=100 2=100 carol@2=50; 2 insure, expire")
    assert (side(state.box(1).insurance), side(state.box(2).insurance)) == (None, (50, 0))
    assert state.box(2).backers[0].insurance is None
    assert state.phase.value == "turns"


def test_everyone_still_asked_for_surrender_plays_on() -> None:
    line = "openseat surrender=any surrender_until=first_draw; Ts 9s 9h 6d 8d 5c; 1=100 2=100; expire"
    assert play(line).phase.value == "turns"


def test_everyone_still_asked_to_follow_passes() -> None:
    state = play("openseat; 6s 9h 5d Tc Td; 1=100 carol@1=50; 1 double, expire")
    assert (state.settled, state.chips["carol"]) == (True, 1_050)


def test_the_clock_takes_no_even_money() -> None:
    assert told(play("openseat even_money=ace; As Ah Kd 9c; 1=100; expire")) == "As Kd blackjack 250"


@pytest.mark.parametrize("rules", [STAND, HIT])
def test_the_clock_spends_no_chip(rules: str) -> None:
    for case in ("5s 9h 6d Tc Ts", "8s 9h 8d Tc", "As 9h Ad Tc", "9s Ah 9d 5c"):
        line = f"{rules}; {case}; 1=100"
        assert play(f"{line}; expire").chips["1"] >= 900


def test_it_is_accepted_whatever_the_clocks_of_the_rules() -> None:
    rules = "openseat bet_seconds=null decision_seconds=null"
    assert play(f"{rules}; Ts 9h 9d Tc; 1=100; expire").settled


@pytest.mark.parametrize("line", ["Ts 9h 9d Tc; 1=100; expire, expire", "As 9h Kd Tc; 1=100; expire"])
def test_it_is_refused_once_the_round_is_settled(line: str) -> None:
    assert refusal(f"openseat; {line}") == "round_settled"


def test_the_dealer_plays_after_it_as_after_any_move() -> None:
    assert dealer(play("openseat; Ts 6h 9d 5c 4c 2c; 1=100; expire")) == "6h 5c 4c 2c"
