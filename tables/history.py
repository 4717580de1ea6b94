"""Reading what was played. Nothing here writes, and nothing here is asked while a table plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from engine.game import Game as GameState
from engine.game import Kind, NoteKind, Phase, Purse, Seat, Status
from engine.record import Record
from engine.rules import Rules
from engine.shoe import SealedShoe
from engine.shown import DealerView, LogLine, SeatView, StandingView
from engine.views import public_view
from tables import clock, codec, figures
from tables.chart import Chart, chart
from tables.crowds import Crowd, crowds
from tables.models import Game, GamePlayer, Participant, Presence, Round, Shoe, Table
from tables.shuffle_checks import ShuffleCheck, check_of, shoe_key

# A match has as many at most and is read as a whole; an open table goes on for hundreds.
ROUNDS_A_PAGE = 30
# A listed table that nobody has touched for so long is not offered for watching.
STILL_OPEN = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class RoundPage:
    """`seed` and `spare` are empty while the shoe is in use."""

    number: int
    shoe: int
    first_card: int
    seed: str
    commitment: str
    spare: str
    spare_commitment: str
    check: ShuffleCheck
    void: bool
    dealer: DealerView | None
    seats: list[SeatView]
    crowds: dict[int, Crowd]
    log: list[LogLine]

    @property
    def boxes(self) -> list[tuple[SeatView, Crowd | None]]:
        return [(seat, self.crowds.get(seat.seat)) for seat in self.seats]

    @property
    def behind(self) -> list[tuple[SeatView, Crowd]]:
        """The boxes that somebody bet behind, with who did."""
        return [(seat, crowd) for seat, crowd in self.boxes if crowd is not None]


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """A page of the rounds of a game, by the places of its first and last one."""

    number: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class BackerStanding:
    """Somebody who bet behind others: in so many rounds, which brought or cost them `net` chips.

    `plays` says that they also played, from the same stack.
    """

    name: str
    chips: int
    net: int
    rounds: int
    refills: int
    highest: int
    plays: bool


@dataclass(frozen=True, slots=True)
class GamePage:
    """A stored game. `code` is that of its table where the reader may go there; `found` says that lists have
    it, and so the other games of its players."""

    id: str
    code: str
    found: bool
    started: datetime
    ended: datetime | None
    kind: str
    rules: Rules
    rounds: int
    played: int
    reason: str
    winner: str
    standings: list[StandingView]
    backers: list[BackerStanding]
    players: list[figures.Player]
    chart: Chart | None
    rounds_list: list[figures.Line]
    page: int
    pages: list[RoundsPage]


def _seated(players: Iterable[GamePlayer]) -> list[GamePlayer]:
    """Those who played: who only bet behind others had no seat."""
    return [one for one in players if one.seat]


def game_page(game: Game, *, code: str, page: int | None = None) -> GamePage:
    """One page of its rounds: the one asked for, else the newest."""
    players = list(game.players.all())
    rules = Rules.from_json(game.rules)
    rounds = _summed_up(game, rules, players)
    names = {one.stack: one.nickname for one in players}
    summary = figures.summary(rounds, names)
    played = len(rounds)
    pages = [
        RoundsPage(number, first + 1, min(first + ROUNDS_A_PAGE, played))
        for number, first in enumerate(range(0, played, ROUNDS_A_PAGE), 1)
    ]
    page = max(1, min(page or len(pages), len(pages)))
    shown = rounds[(page - 1) * ROUNDS_A_PAGE : page * ROUNDS_A_PAGE]
    return GamePage(
        id=game.id,
        code=code,
        found=game.listed and game.dated is not None,
        started=game.started,
        ended=game.finished,
        kind=game.kind,
        rules=rules,
        rounds=game.rounds,
        played=played,
        reason=game.reason,
        winner=next((one.nickname for one in players if one.won), ""),
        standings=_standings(game, players, rounds[-1].after if rounds else {}),
        backers=_backers(players),
        players=list(summary.players.values()),
        chart=chart(summary, rules),
        rounds_list=[summary.line(one) for one in shown],
        page=page,
        pages=pages,
    )


def _summed_up(game: Game, rules: Rules, players: Iterable[GamePlayer]) -> list[figures.Stored]:
    """The rounds of a game as they are summed up. Those of before there were figures are played again."""
    shoes: list[Shoe] | None = None
    rounds = []
    for number, schema, record in game.played.values_list("number", "schema", "record"):
        sums = record.get("figures")
        if sums is None:
            shoes = list(game.shoes.all()) if shoes is None else shoes
            row = Round(game=game, number=number, schema=schema, record=record)
            sums = figures.of_round(replayed_round(game, rules, players, shoes, row))
        void = record.get("void", False)
        notes = [codec.read_note(note) for note in record["notes"]]
        sat_out = [note.name for note in notes if note.kind is NoteKind.SAT_OUT and note.name]
        rounds.append(figures.Stored(number, void, record["chips"], record["chips_after"], sums, sat_out))
    return rounds


def _standings(game: Game, players: Iterable[GamePlayer], after: Mapping[str, int]) -> list[StandingView]:
    """`after` is what the stacks of the last finished round held."""
    if game.result is not None:
        places = codec.read_result(game.result).places
        return [
            StandingView(p.seat, p.player, p.name, p.chips, p.place, p.status.value, 0, p.refills, p.highest)
            for p in places
        ]
    # The rows of a match of the first schema had its chips only at its end.
    held = after if game.kind == Kind.MATCH.value else {}
    chips = {one: held.get(one.stack, one.chips) for one in _seated(players)}
    ordered = sorted(chips, key=lambda one: (-chips[one], one.seat))
    return [
        StandingView(one.seat, one.player, one.nickname, chips[one], place, "in", 0, one.refills, one.highest)
        for place, one in enumerate(ordered, 1)
    ]


def _backers(players: Iterable[GamePlayer]) -> list[BackerStanding]:
    """Those who bet behind others, the richest first."""
    backing = sorted((one for one in players if one.backed), key=lambda one: (-one.chips, one.nickname))
    return [
        BackerStanding(
            one.nickname, one.chips, one.won_behind, one.backed, one.refills, one.highest, one.seat > 0
        )
        for one in backing
    ]


def replayed_round(
    game: Game, rules: Rules, players: Iterable[GamePlayer], shoes: Iterable[Shoe], row: Round
) -> GameState:
    """The table as it was when a stored round had been settled."""
    record = codec.read_round(row.schema, row.record, sealed_shoes(shoes))
    return replayed(game, rules, players, record, row.record)


def told(rules: Rules, shoes: Iterable[Shoe], state: GameState) -> RoundPage:
    """What there is to tell of the round that `state` shows, which is over."""
    record = state.record
    if record is None:
        raise ValueError("no round is shown")
    view = public_view(state)
    sealed = record.shoe
    # The oldest schema has no rows of shoes: each was finished with its round.
    row = next((shoe for shoe in shoes if shoe.number == sealed.number), None)
    open_to_all = row is None or row.finished is not None
    # What was shown before the bets, whatever the seeds have become since.
    shown = row or sealed
    key = shoe_key(row.game.table_code, row.number) if row else ""
    return RoundPage(
        number=record.number,
        shoe=sealed.number,
        first_card=sealed.dealt + 1,
        seed=sealed.seed.hex() if open_to_all else "",
        commitment=shown.commitment,
        spare=sealed.spare.hex() if open_to_all and sealed.spare else "",
        spare_commitment=shown.spare_commitment or "",
        check=check_of(rules, record, state.round, shown, finished=open_to_all, key=key),
        void=record.void,
        dealer=view.dealer,
        seats=[seat for seat in view.seats if seat.player is not None],
        crowds=crowds(state),
        log=list(view.log),
    )


def sealed_shoes(shoes: Iterable[Shoe]) -> dict[int, SealedShoe]:
    return {
        shoe.number: SealedShoe(
            shoe.number, bytes.fromhex(shoe.seed), bytes.fromhex(shoe.spare) if shoe.spare else None
        )
        for shoe in shoes
    }


def replayed(
    game: Game, rules: Rules, players: Iterable[GamePlayer], record: Record, stored: Mapping[str, Any]
) -> GameState:
    """The table as it was when that round had been settled, played again from its record."""
    resigned = {seat for seat, _ in record.resigned}
    by_stack = {one.stack: one for one in players}
    by_name = {one.nickname: one for one in by_stack.values()}
    notes = tuple(codec.read_note(note) for note in stored["notes"])
    names = {note.seat: note.name for note in notes}
    seats = []
    for number in sorted({*record.bets, *record.sat_out, *resigned}):
        stack = record.stacks.get(number, str(number))
        # Of a seat that sat out a note has the name alone.
        one = by_stack.get(stack) or by_name.get(names.get(number, ""))
        if one is None and number not in names:
            continue
        seats.append(
            Seat(
                number=number,
                player=one.player if one else f"-{number}",
                name=one.nickname if one else names[number],
                since=number,
                stack=one.stack if one else stack,
                status=Status.RESIGNED if number in resigned else Status.IN,
            )
        )
    after = stored["chips_after"]
    return GameState(
        rules=rules,
        rounds=game.rounds,
        host=None,
        kind=Kind(game.kind),
        number=game.number,
        phase=Phase.BETTING,
        seats=tuple(seats),
        purses=tuple(
            Purse(one.stack, one.player, one.nickname, after.get(one.stack, one.chips), one.highest)
            for one in players
        ),
        round_number=record.number,
        published=record.shoe,
        record=record,
        round=record.replay(rules),
        notes=notes,
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
                "kind": table.kind,
                "rules": codec.game_of(table).rules,
                "round": table.round_number if table.running else 0,
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
    return [_my_table(one) for one in mine.order_by("-table__touched")[:most]]


def _my_table(one: Participant) -> dict[str, Any]:
    table, game = one.table, codec.game_of(one.table)
    seat = game.seat_of(one.player)
    over = seat is not None and seat.status in (Status.RESIGNED, Status.OUT)
    host = next((other.name for other in game.seats if other.player == game.host), "")
    return {
        "code": table.code,
        "kind": table.kind,
        "rules": game.rules,
        "host": host,
        "mine": game.host == one.player,
        "seat": seat.number if seat and not over else None,
        "round": table.round_number,
        "rounds": table.rounds,
        "phase": table.phase,
        "running": table.running,
    }
