"""Basic strategy played on the engine against figures from exact analysis."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAction
from engine.rules import PRESETS, Rules
from engine.simulation import simulate
from engine.strategy import expected_value

# Rounds, and the spread of one round in bets.
SPREAD = {
    "openseat": (10_000, 1.15),
    "casino8": (5_000, 1.13),
    "classic6": (5_000, 1.14),
    "single-standard": (5_000, 1.07),
    "single-vip": (1_000, 1.07),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_some_thousand_rounds_come_near_the_exact_value(preset: str) -> None:
    rounds, spread = SPREAD[preset]
    estimate = simulate(PRESETS[preset], rounds, seed=2_026, processes=1)
    exact = expected_value(PRESETS[preset])
    assert exact is not None
    assert estimate.rounds == rounds
    assert abs(estimate.mean - exact) < 4 * estimate.stderr
    assert estimate.stderr * rounds**0.5 == pytest.approx(spread, abs=0.08)


def test_the_seed_alone_decides_not_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.simulation.BATCH", 150)
    one = simulate(Rules(), 500, seed=7, processes=1)
    assert simulate(Rules(), 500, seed=7, processes=2) == one
    assert simulate(Rules(), 400, seed=7, processes=1) != simulate(Rules(), 400, seed=8, processes=1)


def test_no_limit_of_the_table_and_no_rounding_enters_the_result() -> None:
    """7 chips would pay 10 for a blackjack and 3 for a surrender."""
    odd = {"min_bet": 7, "max_bet": 7, "bet_step": 7, "starting_chips": 7, "boxes": 7}
    for preset in ("openseat", "classic6"):
        rules = Rules.from_json({"preset": preset, **odd})
        assert simulate(rules, 300, seed=3) == simulate(PRESETS[preset], 300, seed=3)


def test_rules_without_a_chart_are_not_simulated() -> None:
    with pytest.raises(IllegalAction) as refused:
        simulate(Rules.from_json({"charlie": 5}), 10, seed=1)
    assert refused.value.code == "no_chart"
