"""Where the page of a stored game leads: to the games of its table, and to those before and after it there.

The code of a table is the way to it and to all its games. Where one of these is link-only, or the table has
become it, the code is told to those alone who took part. It is told as well when the table is gone: its games
are still found by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tables import archive
from tables.models import Game, GamePlayer, Participant


@dataclass(frozen=True, slots=True)
class Ways:
    """`games` is the code of a table, `earlier` and `later` are ids of games; "" where none is told."""

    games: str = ""
    earlier: str = ""
    later: str = ""


def ways(game: Game, guest: str | None) -> Ways:
    """What this browser may be told around a game."""
    if _took_part(game, guest):
        return Ways(game.table_code, *archive.beside(game))
    if not game.listed:
        return Ways()
    return Ways(game.table_code if _all_listed(game) else "", *archive.beside(game, listed=True))


def _all_listed(game: Game) -> bool:
    if game.table is not None and not game.table.listed:
        return False
    return not archive.of_table(game.table_code).filter(listed=False).exists()


def _took_part(game: Game, guest: str | None) -> bool:
    if guest is None:
        return False
    if game.table_id and Participant.objects.filter(table=game.table_id, guest=guest).exists():
        return True
    return GamePlayer.objects.filter(guest=guest, game__table_code=game.table_code).exists()
