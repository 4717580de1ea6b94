"""Basic strategy against figures from exact analysis."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import IllegalAction
from engine.hand import Hand
from engine.notation import parse_cards
from engine.rules import PRESETS, Rules
from engine.simulation import simulate
from engine.strategy import UPCARDS, chart_for

# Total-dependent basic strategy, per unit of the initial bet, from exact analysis.
EXPECTED = -0.0040592242


@pytest.fixture(scope="module")
def ours() -> Any:
    return chart_for(PRESETS["openseat"])


@pytest.mark.parametrize("column", UPCARDS)
def test_the_chart_is_the_exact_one_cell_by_cell(ours: Any, chart: Any, column: str) -> None:
    index = UPCARDS.index(column)
    for kind in ("hard", "soft"):
        for total, row in chart[kind].items():
            assert getattr(ours, kind)[int(total)].split()[index] == row[index], (kind, total, column)
    for pair, row in chart["pairs"].items():
        rank = pair[0]
        hand = Hand(parse_cards(f"{rank}s {rank}h"), (), ())
        upcard = parse_cards(f"{column}d")[0].rank
        assert ours.cell(hand, upcard, True) == row[index], (pair, column)


def test_a_pair_that_may_not_be_split_is_played_by_its_total(ours: Any) -> None:
    nine = parse_cards("9d")[0].rank
    for cards, word in (("8s 8h", "H"), ("9s 9h", "S"), ("Ts Th", "S"), ("Ks Jh", "S")):
        assert ours.cell(Hand(parse_cards(cards), (), ()), nine, False) == word


def test_there_is_a_chart_only_for_rules_that_it_was_made_for() -> None:
    same = Rules.from_json({"min_bet": 50, "boxes": 2, "pair_bets": False, "bet_seconds": None})
    assert chart_for(same) is chart_for(Rules())
    for switches in ({"soft_17": "hit"}, {"decks": 1, "boxes": 1}, {"max_hands": 2}, {"surrender": "any"}):
        with pytest.raises(IllegalAction) as refused:
            chart_for(Rules.from_json(switches))
        assert refused.value.code == "no_chart"


def test_fifty_thousand_rounds_come_near_the_exact_value() -> None:
    estimate = simulate(Rules(), 50_000, seed=2_026)
    assert estimate.rounds == 50_000
    assert abs(estimate.mean - EXPECTED) < 3 * estimate.stderr
    # The spread of one round is about 1.15 bets.
    assert estimate.stderr * 50_000**0.5 == pytest.approx(1.15, abs=0.03)


def test_the_seed_alone_decides_not_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.simulation.BATCH", 150)
    one = simulate(Rules(), 500, seed=7, processes=1)
    assert simulate(Rules(), 500, seed=7, processes=2) == one
    assert simulate(Rules(), 400, seed=7, processes=1) != simulate(Rules(), 400, seed=8, processes=1)
