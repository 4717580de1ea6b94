"""Reading what was played. Nothing here writes, and nothing here is asked while a table plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, QuerySet

from engine.game import Game as GameState
from engine.game import Phase, Seat, Status
from engine.rules import Rules
from engine.views import DealerView, LogLine, SeatView, StandingView, public_view
from tables import clock, codec
from tables.models import IN_MATCH, Game, GamePlayer, Participant, Presence, Round, Table

PAGE = 20
# A listed table that nobody has touched for so long is not offered for watching.
STILL_OPEN = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class GameLine:
    id: str
    ended: datetime | None
    winner: str
    chips: int | None
    reason: str
    rounds: int
    players: list[str]


@dataclass(frozen=True, slots=True)
class RoundPage:
    number: int
    seed: str
    commitment: str
    dealer: DealerView | None
    seats: list[SeatView]
    log: list[LogLine]
    winners: list[str]


@dataclass(frozen=True, slots=True)
class GamePage:
    id: str
    code: str
    started: datetime
    ended: datetime | None
    rounds: int
    played: int
    reason: str
    winner: str
    standings: list[StandingView]
    rounds_list: list[RoundPage]


def listed_games(page: int = 1) -> tuple[list[GameLine], bool]:
    return _page(Game.objects.filter(listed=True), page)


def games_of(table: Table, page: int = 1) -> tuple[list[GameLine], bool]:
    return _page(Game.objects.filter(table=table), page)


def _page(games: QuerySet[Game], page: int) -> tuple[list[GameLine], bool]:
    """One page, the newest first, and whether there is another."""
    first = (page - 1) * PAGE
    finished = games.filter(finished__isnull=False).order_by("-finished", "id").prefetch_related("players")
    rows = list(finished[first : first + PAGE + 1])
    counts = Round.objects.filter(game__in=rows).values_list("game").annotate(Count("id")).order_by()
    played = dict(counts)
    return [_line(game, played.get(game.pk, 0)) for game in rows[:PAGE]], len(rows) > PAGE


def _line(game: Game, played: int) -> GameLine:
    players = list(game.players.all())
    winner = next((one for one in players if one.won), None)
    return GameLine(
        id=game.id,
        ended=game.finished,
        winner=winner.nickname if winner else "",
        chips=winner.chips if winner else None,
        reason=game.reason,
        rounds=played,
        players=[one.nickname for one in players],
    )


def game_page(game: Game, *, code: str) -> GamePage:
    players = list(game.players.all())
    rows = list(game.played.all())
    rules = Rules.from_json(game.rules)
    winner = next((one.nickname for one in players if one.won), "")
    return GamePage(
        id=game.id,
        code=code,
        started=game.started,
        ended=game.finished,
        rounds=game.rounds,
        played=len(rows),
        reason=game.reason,
        winner=winner,
        standings=_standings(game, players, rows),
        rounds_list=[round_page(game, rules, players, row) for row in rows],
    )


def _standings(game: Game, players: Iterable[GamePlayer], rows: list[Round]) -> list[StandingView]:
    if game.result is not None:
        places = codec.read_result(game.result).places
        return [StandingView(p.seat, p.player, p.name, p.chips, p.place, p.status.value, 0) for p in places]
    held: Mapping[str, int] = rows[-1].record["chips_after"] if rows else {}
    chips = {one: held.get(str(one.seat), one.chips) for one in players}
    ordered = sorted(chips, key=lambda one: (-chips[one], one.seat))
    return [
        StandingView(one.seat, one.player, one.nickname, chips[one], place, "in", 0)
        for place, one in enumerate(ordered, 1)
    ]


def round_page(game: Game, rules: Rules, players: Iterable[GamePlayer], row: Round) -> RoundPage:
    view = public_view(replayed(game, rules, players, row))
    best = max((seat.net for seat in view.seats if seat.net is not None), default=0)
    return RoundPage(
        number=row.number,
        seed=row.record["seed"],
        commitment=row.record["commitment"],
        dealer=view.dealer,
        seats=[seat for seat in view.seats if seat.player is not None],
        log=list(view.log),
        winners=[seat.name for seat in view.seats if seat.net is not None and seat.net == best > 0],
    )


def replayed(game: Game, rules: Rules, players: Iterable[GamePlayer], row: Round) -> GameState:
    """The table as it was when that round had been settled, played again from its record."""
    stored = row.record
    record = codec.read_record(stored)
    resigned = {seat for seat, _ in record.resigned}
    took_part = {*record.bets, *record.sat_out, *resigned}
    seats = tuple(
        Seat(
            number=one.seat,
            player=one.player,
            name=one.nickname,
            since=one.seat,
            status=Status.RESIGNED if one.seat in resigned else Status.IN,
            chips=stored["chips_after"].get(str(one.seat), one.chips),
        )
        for one in players
        if one.seat in took_part
    )
    return GameState(
        rules=rules,
        rounds=game.rounds,
        host=None,
        number=game.number,
        phase=Phase.BETTING,
        seats=seats,
        round_number=record.number,
        published=(record.number, record.seed),
        record=record,
        round=record.replay(rules),
        notes=tuple(codec.read_note(note) for note in stored["notes"]),
    )


# The home page


def open_to_watch(most: int = 10) -> list[dict[str, Any]]:
    """Listed tables where somebody is."""
    recent = Table.objects.filter(listed=True, touched__gte=clock.now() - STILL_OPEN)
    rows = list(recent.filter(presences__isnull=False).distinct().order_by("-touched")[:most])
    people = Participant.objects.filter(table__in=rows).values_list(
        "table_id", "player", "guest_id", "nickname"
    )
    here = set(Presence.objects.filter(table__in=rows).values_list("table_id", "guest"))
    known = {(table, player): (guest, name) for table, player, guest, name in people}
    offered = []
    for table in rows:
        seats = codec.game_of(table).seats
        sitting = {known[table.pk, seat.player][0] for seat in seats if (table.pk, seat.player) in known}
        watching = sum(1 for at, guest in here if at == table.pk and guest not in sitting)
        offered.append(
            {
                "code": table.code,
                "host": known.get((table.pk, table.host_player), ("", ""))[1],
                "players": len(seats),
                "seats": codec.game_of(table).seat_limit,
                "round": table.round_number if table.phase in IN_MATCH else 0,
                "rounds": table.rounds,
                "spectators": watching,
            }
        )
    return offered


def tables_of(guest: str | None, most: int = 5) -> list[dict[str, Any]]:
    if guest is None:
        return []
    mine = Participant.objects.filter(
        guest=guest, table__touched__gte=clock.now() - timedelta(days=2)
    ).select_related("table")
    return [
        {
            "code": one.table.code,
            "seat": seat.number if (seat := codec.game_of(one.table).seat_of(one.player)) else None,
            "round": one.table.round_number,
            "rounds": one.table.rounds,
            "phase": one.table.phase,
        }
        for one in mine.order_by("-table__touched")[:most]
    ]
