"""Rounds of many kinds of tables, played at random: for whatever must hold for every finished round."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.game import Game, RoundFinished
from tests.engine.test_crowds import Crowd, any_crowd
from tests.engine.test_properties import Watched, any_table, go_on


@dataclass
class Evening:
    """What was played at one table: each finished round with the table before its last step."""

    rounds: list[tuple[Game, RoundFinished]] = field(default_factory=list)

    def watch(self, table: Watched) -> None:
        enter = table.enter

        def noted(before: Game, finished: RoundFinished) -> None:
            enter(before, finished)
            self.rounds.append((before, finished))

        table.enter = noted  # type: ignore[method-assign]


def evening(number: int, steps: int = 150) -> Evening:
    """What happens in so many steps at a table that follows from a number; every third has no crowd."""
    table, choose = any_table(number) if number % 3 == 0 else any_crowd(number)
    told = Evening()
    told.watch(table)
    for _ in range(steps):
        _step(table, choose)
    return told


def evenings(number: int, steps: int = 150) -> Iterator[Evening]:
    """So many of them."""
    return (evening(one, steps) for one in range(number))


def _step(table: Watched, choose: random.Random) -> None:
    if isinstance(table, Crowd):
        table.something_happens(choose)
    else:
        go_on(table, choose, 0.1)
