"""The lists of games: what they may be filtered and sorted by, and one page of one.

A page costs the same however many games there are. Its ids are found in an index that holds all that is
filtered by, from the place where the page before ended; only then are its rows read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from django.db.models import BooleanField, Exists, F, Func, OuterRef, Prefetch, Q, QuerySet, Value
from django.db.models.lookups import GreaterThan, LessThan

from tables import cursors, nicknames
from tables.cursors import Place
from tables.models import PUBLIC, Game, GamePlayer

PAGE = 20
# So many players of a game are named in its line.
NAMED = 7
# A name in more games than this is looked for going through the list, any other by its own games.
MANY = 2_000

DATE, SWING, LENGTH = "date", "swing", "length"
# What each order compares, the largest first. Who has the same swing goes by date, as everybody else.
ORDERS: Mapping[str, tuple[str, ...]] = {
    DATE: ("dated", "id"),
    SWING: ("swing", "dated", "id"),
    LENGTH: ("length", "dated", "id"),
}


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is to show; None or "" is anything. `since` and `until` are days in `zone` and included."""

    rule_set: str = ""
    kind: str = ""
    player: str = ""
    table: str = ""
    since: date | None = None
    until: date | None = None
    zone: tzinfo = UTC
    players: int | None = None
    outcome: str = ""
    sort: str = DATE


@dataclass(frozen=True, slots=True)
class Own:
    """How somebody did in a game. `place` is None where nobody is placed, `seated` says that they played."""

    seated: bool
    place: int | None
    chips: int
    refills: int
    backed: int
    won_behind: int


@dataclass(frozen=True, slots=True)
class Line:
    """A game in a list. `others` is how many players are not named in `players`; `own` is told in one's own
    list."""

    id: str
    players: tuple[str, ...]
    others: int
    player_count: int
    backers: int
    outcome: str
    winner: str
    chips: int | None
    kind: str
    rule_set: str
    rounds: int
    swing: int
    dated: datetime | None
    finished: datetime | None
    own: Own | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """`before` and `after` lead to the pages on its two sides; "" where the list ends."""

    lines: list[Line]
    before: str = ""
    after: str = ""


def public() -> QuerySet[Game]:
    """The games of listed tables. Those of others are in the lists of their table and of who took part."""
    return Game.objects.filter(PUBLIC)


def of_table(code: str) -> QuerySet[Game]:
    return Game.objects.filter(table_code=code, dated__isnull=False)


def of_guest(guest: str) -> QuerySet[Game]:
    """The games in which this browser played or bet behind somebody."""
    theirs = GamePlayer.objects.filter(guest=guest).order_by().values("game")
    return Game.objects.filter(dated__isnull=False, pk__in=theirs)


def beside(game: Game, *, listed: bool = False) -> tuple[str, str]:
    """The ids of the games before and after it at its table, of all or of the listed ones; "" where there is
    none."""
    games = of_table(game.table_code)
    if listed:
        games = games.filter(PUBLIC)
    if game.dated is None:
        return _first(_ordered(games, DATE, back=False)), ""
    here = Place(DATE, 0, game.dated, game.id)
    earlier, later = (_ordered(_beyond(games, here, back=back), DATE, back=back) for back in (False, True))
    return _first(earlier), _first(later)


def _first(games: QuerySet[Game]) -> str:
    return games.values_list("id", flat=True)[:1].first() or ""


def newest(games: QuerySet[Game], most: int) -> list[Line]:
    return _lines(list(_ordered(games, DATE, back=False)[:most].values_list("id", flat=True)))


def page(
    games: QuerySet[Game],
    filters: Filters,
    *,
    after: Place | None = None,
    before: Place | None = None,
    size: int = PAGE,
    guest: str | None = None,
) -> Page:
    """The first page, or the one that begins behind `after`, or the one that ends in front of `before`.

    With `guest` its lines say how that browser did.
    """
    back = before is not None
    place = before or after
    rows = _ordered(_beyond(_filtered(games, filters), place, back=back), filters.sort, back=back)
    found: list[Any] = list(rows.values_list("id", "dated", "swing", "length")[: size + 1])
    more, found = len(found) > size, found[:size]
    if back:
        found.reverse()
    if not found:
        return Page([])
    first, last = (_place(filters.sort, *row) for row in (found[0], found[-1]))
    return Page(
        _lines([row[0] for row in found], guest),
        before=cursors.written(first) if (more if back else place is not None) else "",
        after=cursors.written(last) if (more or back) else "",
    )


def _place(sort: str, game: str, dated: datetime, swing: int, length: int) -> Place:
    return Place(sort, {SWING: swing, LENGTH: length}.get(sort, 0), dated, game)


def _ordered(games: QuerySet[Game], sort: str, *, back: bool) -> QuerySet[Game]:
    return games.order_by(*(name if back else f"-{name}" for name in ORDERS[sort]))


class Row(Func):
    """Values that are compared one after the other, as the database's indexes do."""

    template = "(%(expressions)s)"
    output_field = BooleanField()


def _beyond(games: QuerySet[Game], place: Place | None, *, back: bool) -> QuerySet[Game]:
    if place is None:
        return games
    here = {"dated": place.dated, "id": place.game, "swing": place.value, "length": place.value}
    fields = ORDERS[place.sort]
    values = [Value(here[name], output_field=_field(name)) for name in fields]
    compare = GreaterThan if back else LessThan
    return games.filter(compare(Row(*map(F, fields)), Row(*values)))


def _field(name: str) -> Any:
    return Game._meta.get_field(name)


def _filtered(games: QuerySet[Game], wanted: Filters) -> QuerySet[Game]:
    exact = {
        "rule_set": wanted.rule_set,
        "kind": wanted.kind,
        "table_code": wanted.table,
        "player_count": wanted.players,
        "outcome": wanted.outcome,
    }
    games = games.filter(**{name: value for name, value in exact.items() if value})
    if wanted.since:
        games = games.filter(dated__gte=_midnight(wanted.since, wanted.zone))
    if wanted.until and wanted.until < date.max:
        games = games.filter(dated__lt=_midnight(wanted.until + timedelta(days=1), wanted.zone))
    if wanted.player:
        games = _with(games, nicknames.key(wanted.player))
    return games


def _midnight(day: date, zone: tzinfo) -> datetime:
    try:
        return datetime.combine(day, time(), zone).astimezone(UTC)
    except OverflowError:
        # East of Greenwich the first day of all began in UTC before there were days.
        return datetime.min.replace(tzinfo=UTC)


def _with(games: QuerySet[Game], name: str) -> QuerySet[Game]:
    """Those of the games in which somebody of that name took part, whichever way finds them sooner."""
    theirs = GamePlayer.objects.filter(nickname_key=name).order_by()
    if theirs[: MANY + 1].count() > MANY:
        return games.filter(Exists(theirs.filter(game=OuterRef("pk"))))
    return games.filter(Q(pk__in=theirs.values("game")))


def _lines(ids: list[str], guest: str | None = None) -> list[Line]:
    games = with_names(Game.objects.all()).in_bulk(ids)
    own = _own(ids, guest) if guest else {}
    return [_line(games[one], own.get(one)) for one in ids if one in games]


def _own(ids: list[str], guest: str) -> dict[str, Own]:
    """How that browser did in each of the games: from its seat, where it also bet behind others."""
    rows = GamePlayer.objects.filter(guest=guest, game__in=ids).order_by("seat", "pk")
    return {
        one.game_id: Own(one.seat > 0, one.place, one.chips, one.refills, one.backed, one.won_behind)
        for one in rows
    }


def with_names(games: QuerySet[Game]) -> QuerySet[Game]:
    """What a line needs: the first players in `named`; a game of an open table may have had hundreds."""
    named = GamePlayer.objects.filter(seat__gt=0).order_by("seat", "pk")[:NAMED]
    return games.defer("rules", "result").prefetch_related(Prefetch("players", named, to_attr="named"))


def names(game: Game) -> tuple[str, ...]:
    players: list[GamePlayer] = game.named  # type: ignore[attr-defined]
    return tuple(player.nickname for player in players)


def _line(game: Game, own: Own | None) -> Line:
    players = names(game)
    return Line(
        id=game.id,
        players=players,
        player_count=game.player_count,
        others=max(game.player_count - len(players), 0),
        backers=game.backer_count,
        outcome=game.outcome,
        winner=game.winner,
        chips=game.winner_chips,
        kind=game.kind,
        rule_set=game.rule_set,
        rounds=game.length,
        swing=game.swing,
        dated=game.dated,
        finished=game.finished,
        own=own,
    )
