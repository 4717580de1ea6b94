"""Limits of a bet, and of all bets on one box together."""

import pytest

from tests.engine.telling import play, refusal

SHOE = "8s 9h 7d 8c"
SHARED = "openseat box_limit=shared"

ALLOWED = [
    ("openseat", "1=10"),
    ("openseat", "1=500"),
    ("openseat", "1=500+100 carol@1=500+100 dave@1=500"),  # each on its own
    (SHARED, "1=500"),
    (SHARED, "1=250+50 carol@1=150+50"),
    (SHARED, "1=400 carol@1=0+100"),
    (SHARED, "1=10+10 carol@1=10+10 dave@1=460"),
]


@pytest.mark.parametrize(("rules", "bets"), ALLOWED)
def test_bets_that_may_lie_on_one_box(rules: str, bets: str) -> None:
    assert play(f"{rules}; {SHOE}; {bets}").boxes


REFUSED = [
    ("openseat", "1=0", "bet_too_small"),
    ("openseat", "1=5", "bet_too_small"),
    ("openseat", "1=510", "bet_too_large"),
    ("openseat", "1=15", "bet_off_step"),
    ("openseat", "5=100", "no_such_box"),
    ("openseat", "", "no_bets"),
    ("openseat min_bet=50", "1=40", "bet_too_small"),
    ("openseat max_bet=200", "1=210", "bet_too_large"),
    ("openseat bet_step=5", "1=12", "bet_off_step"),
    ("single-vip", "1=50", "bet_too_small"),
    ("single-vip", "1=150", "bet_off_step"),
    (SHARED, "1=500+10", "box_over_limit"),
    (SHARED, "1=400 carol@1=110", "box_over_limit"),
    (SHARED, "1=250+50 carol@1=150+60", "box_over_limit"),
    (SHARED, "1=490 carol@1=10 dave@1=10", "box_over_limit"),
]


@pytest.mark.parametrize(("rules", "bets", "code"), REFUSED)
def test_bets_that_may_not(rules: str, bets: str, code: str) -> None:
    assert refusal(f"{rules}; {SHOE}; {bets}") == code


def test_each_box_has_its_own_shared_limit() -> None:
    state = play(f"{SHARED}; 8s 8d 9h 7d 7s 8c; 1=400 2=400 carol@1=100 carol@2=100")
    assert len(state.boxes) == 2


@pytest.mark.parametrize(
    "line",
    [
        f"{SHARED}; 6s 9h 5d 8c Ts; 1=500; 1 double",
        f"{SHARED}; 8s 9h 8d 8c 2s 3s; 1=500; 1 split",
        f"{SHARED}; 9s Ah 9d 8c; 1=500; 1 insure",
        f"{SHARED}; 6s 9h 5d 8c Ts; 1=250 carol@1=250; 1 double, carol@1 follow",
    ],
)
def test_doubles_splits_follows_and_insurance_do_not_count(line: str) -> None:
    assert play(line).moves
