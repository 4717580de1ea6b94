"""Rows of games that nobody played, as many as a list needs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from engine.rules import PRESETS
from tables import nicknames
from tables.models import Game, GamePlayer, Guest
from tests.tables.friends import START

RULES = PRESETS["openseat"].to_json()
_numbers = count(1)


def games(
    how_many: int = 1,
    *,
    names: Sequence[str] = ("Alice", "Bob"),
    backers: Sequence[str] = (),
    guests: Sequence[str] = (),
    apart: timedelta = timedelta(minutes=1),
    dated: datetime = START,
    **columns: Any,
) -> list[Game]:
    """Finished matches, each `apart` from the one before; `guests` are the browsers of the first `names`."""
    fields = {"kind": "match", "listed": True, "outcome": "won", "winner": names[0], "winner_chips": 1234}
    rows = []
    for place in range(how_many):
        number, moment = next(_numbers), dated + place * apart
        rows.append(
            Game(
                **{
                    "id": f"g{number:010}",
                    "table_code": "abcdefghjkmn23",
                    "number": number,
                    "rules": RULES,
                    "rule_set": "openseat",
                    "rounds": 10,
                    "length": 10,
                    "swing": 100,
                    "started": moment,
                    "finished": moment,
                    "dated": moment,
                    "reason": "rounds",
                    "player_count": len(names),
                    "backer_count": len(backers),
                    **fields,
                    **columns,
                }
            )
        )
    Game.objects.bulk_create(rows)
    for guest in guests:
        Guest.objects.get_or_create(id=guest, defaults={"created": START, "seen": START})
    GamePlayer.objects.bulk_create(
        GamePlayer(
            game=row,
            stack=str(seat) if name in names else f"p{seat}",
            seat=seat if name in names else 0,
            player=name,
            nickname=name,
            nickname_key=nicknames.key(name),
            guest_id=guests[seat - 1] if seat <= len(guests) else None,
            chips=1000,
            backed=0 if name in names else 3,
        )
        for row in rows
        for seat, name in enumerate((*names, *backers), 1)
    )
    return rows
