"""What lists say of a game, from what is stored of it: `records` keeps it on the game's own row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy

from engine.game import Kind, Reason
from engine.rules import Rules
from tables import rule_sets

RUNNING, WON, DRAWN, ABANDONED, OVER = "running", "won", "drawn", "abandoned", "over"
# How a game may stand. Only a match is won, drawn or abandoned; what is open-ended is over one day.
OUTCOMES = (RUNNING, WON, DRAWN, ABANDONED, OVER)

# In a list the own rules are not the reader's.
TITLES = {**rule_sets.TITLES, rule_sets.CUSTOM: gettext_lazy("Own rules")}


def title(rule_set: str) -> str:
    return str(TITLES.get(rule_set, TITLES[rule_sets.CUSTOM]))


def rule_set(rules: Mapping[str, Any]) -> str:
    """The preset that was played, or "custom"."""
    return rule_sets.name_of(Rules.from_json(rules))


def outcome(kind: str, reason: str, *, won: bool) -> str:
    if not reason:
        return RUNNING
    if kind != Kind.MATCH.value:
        return OVER
    if won:
        return WON
    return ABANDONED if reason == Reason.ABANDONED.value else DRAWN


def swing(before: Mapping[str, int], after: Mapping[str, int]) -> int:
    """The most (chips) that a round brought to anybody's stack or cost it, with all that they had in it."""
    return max((abs(after[stack] - chips) for stack, chips in before.items() if stack in after), default=0)


def columns(game: Any, players: Iterable[Any], rounds: Iterable[tuple[Any, datetime]]) -> dict[str, Any]:
    """All that lists need of a stored game, from its rows and the records of its rounds with their ends.

    For games of before there were such columns: a migration has rows of its own time.
    """
    players = list(players)
    winner = next((one for one in players if one.won), None)
    length, most, first = 0, 0, None
    for record, finished in rounds:
        length, most = length + 1, max(most, swing(record["chips"], record["chips_after"]))
        first = min(first or finished, finished)
    return {
        "rule_set": rule_set(game.rules),
        "dated": first or game.finished if game.kind == Kind.OPEN.value else game.finished,
        "outcome": outcome(game.kind, game.reason, won=winner is not None),
        "player_count": sum(one.seat > 0 for one in players),
        "backer_count": sum(one.backed > 0 for one in players),
        "length": length,
        "swing": most,
        "winner": winner.nickname if winner else "",
        "winner_chips": winner.chips if winner else None,
    }
