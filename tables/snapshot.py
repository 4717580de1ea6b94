"""What there is to show of a table at one version, read once for everybody who looks at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engine.game import Game as GameState
from engine.game import Kind, Phase
from engine.shown import OwnView, PublicView, SeatView
from engine.views import own_view, public_view
from tables import clock, codec
from tables.models import Game, Table
from tables.people import People, people_at
from tables.services import LONG_AWAY


@dataclass(frozen=True, slots=True)
class Snapshot:
    code: str
    version: int
    game: GameState
    view: PublicView
    deadline: datetime | None
    listed: bool
    people: People
    stored: str
    taken: datetime

    def player_of(self, guest: str | None) -> str | None:
        person = None if guest is None else self.people.by_guest(guest)
        return None if person is None else person.player

    def own(self, player: str | None) -> OwnView | None:
        return None if player is None else own_view(self.game, player)

    def away(self) -> frozenset[int]:
        absent = {person.player for person in self.people.known if person.away_since is not None}
        return frozenset(seat.seat for seat in self.view.seats if seat.player in absent)

    def long_away(self) -> tuple[SeatView, ...]:
        """Those whom the others in a match may stop waiting for. Elsewhere the clock waits for nobody."""
        if self.game.kind is not Kind.MATCH:
            return ()
        since = {person.player: person.away_since for person in self.people.known}
        return tuple(
            seat
            for seat in self.view.seats
            if seat.player is not None
            and (left := since.get(seat.player)) is not None
            and self.taken - left >= LONG_AWAY
        )

    def next_long_away(self) -> datetime | None:
        """When the list of those away for long changes, if nothing else happens."""
        if self.game.kind is not Kind.MATCH:
            return None
        coming = [
            person.away_since + LONG_AWAY
            for person in self.people.known
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
    stored = None
    if game.phase is Phase.OVER:
        finished = Game.objects.filter(table=table, number=game.number, finished__isnull=False)
        stored = finished.values_list("id", flat=True).first()
    return Snapshot(
        code=table.code,
        version=table.version,
        game=game,
        view=public_view(game),
        deadline=table.deadline,
        listed=table.listed,
        people=people_at(table),
        stored=stored or "",
        taken=clock.now(),
    )


def versions(codes: Iterable[str]) -> dict[str, int]:
    return dict(Table.objects.filter(code__in=list(codes)).values_list("code", "version"))
