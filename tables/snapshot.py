"""What there is to show of a table at one version, read once for everybody who looks at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engine.game import Game as GameState
from engine.views import OwnView, PublicView, SeatView, own_view, public_view
from tables import clock, codec
from tables.models import Game, Participant, Presence, Table
from tables.services import LONG_AWAY


@dataclass(frozen=True, slots=True)
class Person:
    guest: str
    player: str
    name: str
    seat_secret: str
    away_since: datetime | None
    present: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    code: str
    version: int
    game: GameState
    view: PublicView
    deadline: datetime | None
    listed: bool
    people: tuple[Person, ...]
    strangers: int
    stored: str
    taken: datetime

    def player_of(self, guest: str | None) -> str | None:
        return next((person.player for person in self.people if person.guest == guest), None)

    def person(self, player: str | None) -> Person | None:
        return next((person for person in self.people if person.player == player), None)

    def own(self, player: str | None) -> OwnView | None:
        return None if player is None else own_view(self.game, player)

    def away(self) -> frozenset[int]:
        absent = {person.player for person in self.people if person.away_since is not None}
        return frozenset(seat.seat for seat in self.view.seats if seat.player in absent)

    def long_away(self) -> tuple[SeatView, ...]:
        since = {person.player: person.away_since for person in self.people}
        return tuple(
            seat
            for seat in self.view.seats
            if seat.player is not None
            and (left := since.get(seat.player)) is not None
            and self.taken - left >= LONG_AWAY
        )

    def next_long_away(self) -> datetime | None:
        """When the list of those away for long changes, if nothing else happens."""
        coming = [
            person.away_since + LONG_AWAY
            for person in self.people
            if person.away_since is not None and person.away_since + LONG_AWAY > self.taken
        ]
        return min(coming, default=None)


def take(code: str) -> Snapshot | None:
    """Without a transaction, which would wait for writers: what comes in between makes another version."""
    table = Table.objects.filter(code=code).first()
    return None if table is None else of(table)


def of(table: Table) -> Snapshot:
    game = codec.game_of(table)
    codec.remember(table.code, table.version, game)
    present = set(Presence.objects.filter(table=table).values_list("guest", flat=True))
    people = tuple(
        Person(
            one.guest_id, one.player, one.nickname, one.seat_secret, one.away_since, one.guest_id in present
        )
        for one in Participant.objects.filter(table=table).order_by("joined", "id")
    )
    stored = Game.objects.filter(table=table, number=game.number, finished__isnull=False).values_list(
        "id", flat=True
    )
    return Snapshot(
        code=table.code,
        version=table.version,
        game=game,
        view=public_view(game),
        deadline=table.deadline,
        listed=table.listed,
        people=people,
        strangers=len(present - {person.guest for person in people}),
        stored=stored.first() or "",
        taken=clock.now(),
    )


def versions(codes: Iterable[str]) -> dict[str, int]:
    return dict(Table.objects.filter(code__in=list(codes)).values_list("code", "version"))
