"""Who is at a table, read once for each change of who is there; the table's row numbers these changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tables.models import Participant, Presence, Table
from tables.recent import Recent


@dataclass(frozen=True, slots=True)
class Person:
    guest: str
    player: str
    name: str
    seat_secret: str
    away_since: datetime | None
    present: bool


@dataclass(frozen=True, slots=True)
class People:
    """Those with a name, the longest here first, and how many are here without one."""

    known: tuple[Person, ...]
    strangers: int

    def by_guest(self, guest: str | None) -> Person | None:
        return next((person for person in self.known if person.guest == guest), None)

    def by_player(self, player: str | None) -> Person | None:
        return next((person for person in self.known if person.player == player), None)


remembered: Recent[tuple[int, People]] = Recent(500)


def people_at(table: Table) -> People:
    known = remembered.get(table.code)
    if known is not None and known[0] == table.people:
        return known[1]
    people = _read(table)
    remembered.put(table.code, (table.people, people))
    return people


def _read(table: Table) -> People:
    present = set(Presence.objects.filter(table=table).values_list("guest", flat=True))
    rows = Participant.objects.filter(table=table).order_by("joined", "id")
    known = tuple(
        Person(
            guest=row.guest_id,
            player=row.player,
            name=row.nickname,
            seat_secret=row.seat_secret,
            away_since=row.away_since,
            present=row.guest_id in present,
        )
        for row in rows
    )
    return People(known, len(present - {person.guest for person in known}))
