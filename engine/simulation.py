"""Basic strategy played over many rounds, to hold the engine against known expected values."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from engine.cards import DECK
from engine.round import apply, deal
from engine.rules import Rules
from engine.shoe import Shoe
from engine.strategy import basic_strategy, chart_for

BATCH = 10_000
# Chips. 3:2 and 6:5 of it and its half are whole numbers, so that no payout is rounded.
BET = 10


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean result per unit of the initial bet and its standard error, over `rounds` rounds."""

    rounds: int
    mean: float
    stderr: float


def simulate(rules: Rules, count: int, seed: int, processes: int | None = None) -> Estimate:
    """Play `count` rounds of basic strategy from fresh shoes, one box, a full stack each time.

    The result depends on `seed` alone, not on the number of `processes` (else one a core). Raises
    `IllegalAction` for rules without a chart.
    """
    chart_for(rules)
    sizes = [min(BATCH, count - start) for start in range(0, count, BATCH)]
    # Each batch has its own stream, so that batches may be played anywhere in any order.
    seeds = [random.Random(f"{seed}/{index}").getrandbits(64) for index in range(len(sizes))]  # noqa: S311
    workers = min(processes or os.cpu_count() or 1, len(sizes))
    play = partial(_batch, rules)
    if workers < 2:
        sums = list(map(play, seeds, sizes))
    else:
        with ProcessPoolExecutor(workers) as pool:
            sums = list(pool.map(play, seeds, sizes))
    total = sum(one for one, _ in sums)
    squares = sum(square for _, square in sums)
    mean = total / count
    variance = max(squares / count - mean * mean, 0.0)
    return Estimate(count, mean, math.sqrt(variance / count))


def _batch(rules: Rules, seed: int, count: int) -> tuple[float, float]:
    total = squares = 0.0
    for result in _results(rules, random.Random(seed), count):  # noqa: S311
        total += result
        squares += result * result
    return total, squares


def _results(rules: Rules, source: random.Random, count: int) -> Iterator[float]:
    """Net chips per chip of the initial bet, round by round."""
    chart = chart_for(rules)
    rules = _alone(rules)
    shoe = list(DECK * rules.decks)
    # Enough for every split and double.
    chips = {"1": 2 * rules.max_hands * BET}
    # No hand and no dealer can use more cards than this. The first cards of a full shoe, in random order.
    needed = min(len(shoe), 22 * rules.max_hands + 22)
    for _ in range(count):
        cards = tuple(source.sample(shoe, needed))
        state = deal(rules, Shoe(cards), {1: BET}, chips=chips)
        while not state.settled:
            move = basic_strategy(state, state.questions[0], chart)
            assert move is not None, "nobody is behind this box"
            state = apply(state, move)
        yield (state.chips["1"] - chips["1"]) / BET


def _alone(rules: Rules) -> Rules:
    """`rules` at a table of one box where `BET` may be laid, whatever its limits are."""
    return replace(rules, min_bet=BET, max_bet=BET, bet_step=BET, boxes=1, boxes_per_player=1)
