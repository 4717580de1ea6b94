"""The only writer. One function a use case, each one transaction; afterwards the new version is announced.

What anybody asks for is checked in one order: the table is open, who you are, what is overdue has happened,
the question (or game, or offer) is still yours and open, the action is legal; then it is applied. A refusal
leaves everything as it was, the deadline too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine import actions
from engine import game as play
from engine.actions import TableAction
from engine.allowed import check_sit
from engine.errors import EngineError
from engine.events import CardDealt, DealerDealt, HoleCardShown, RoundEvent
from engine.game import Game as GameState
from engine.game import GameEvent, Kind, Phase, RoundFinished, ask_id
from engine.rules import PRESETS, OnFailure, Rules, Shuffle
from tables import broadcast, clock, codec, codes, moves, nicknames, records
from tables.errors import Refused
from tables.messages import Request
from tables.models import IN_MATCH, Game, GamePlayer, Guest, Participant, Presence, Table
from tables.people import Person, people_at

logger = logging.getLogger(__name__)

LONG_AWAY = timedelta(minutes=2)
# Whose line is lost for less may have loaded the page again.
BLIP = timedelta(seconds=3)
ABANDONED = timedelta(days=1)
# An open table: its game ends when nobody has sat for so long, or at the first shuffle after a day.
EMPTY = timedelta(minutes=10)
GAME_LASTS = timedelta(days=1)
# However much is due, people at other tables are not to wait for all of it.
AT_ONCE = 100
# What the page needs to show the end of a round, before the time for the next bets begins.
CARD = timedelta(milliseconds=120)
DEALER_CARD = timedelta(milliseconds=350)
RESULTS = timedelta(seconds=1)


class Overtaken(DatabaseError):  # noqa: N818
    """Another writer was first. Under a lock it does not happen; the UPDATE still asks."""


# Tables and people


def open_table(
    guest: str, name: str, rules: Rules, kind: Kind, rounds: int, *, listed: bool, language: str = ""
) -> str:
    """Who plays alone needs no name and finds the first cards dealt."""
    alone = kind is Kind.SOLO
    nickname = _("Guest") if alone and not name.strip() else nicknames.clean(name)
    now = clock.now()
    rules = _as_opened(rules, kind)
    with transaction.atomic():
        # "Guest" is a name for that table alone.
        host = known(guest, nickname if name.strip() else None, language, now)
        player = codec.new_player_id()
        with _Seeds(rules) as seeds:
            game = play.open_table(
                rules, rounds, player, nickname, kind=kind, seed=seeds.seed, spare=seeds.spare
            )
            seeds.use(None, game)
        table = Table.objects.create(
            code=codes.new_table_code(), listed=listed, created=now, touched=now, **codec.columns(game)
        )
        _new_person(table, host, player, nickname, now)
        if alone:
            _apply(table, actions.Bet(player, ask_id(game, game.seats[0].ask), rules.min_bet), now)
    return table.code


def _as_opened(rules: Rules, kind: Kind) -> Rules:
    """A game of ours does not hurry who plays alone."""
    if kind is Kind.SOLO and rules in PRESETS.values():
        return moves.with_clock(rules, on=False)
    return rules


def configure(code: str, guest: str, rules: Rules, rounds: int, listed: bool | None = None) -> None:
    """Other settings for the coming match, by its host in the lobby."""
    now = clock.now()
    with transaction.atomic():
        table = locked(code)
        person = person_of(table, guest)
        if person is None:
            raise Refused("name_needed")
        if listed is not None:
            table.listed = listed
            Table.objects.filter(pk=table.pk).update(listed=listed)
        _apply(table, actions.Configure(person.player, rules, rounds), now, touch=True)


def join(code: str, guest: str, name: str, *, sit: bool, language: str = "") -> Participant:
    """A name at the table, and a seat if one is wanted and free; without one it is watching."""
    nickname = nicknames.clean(name)
    now = clock.now()
    with transaction.atomic():
        table = locked(code)
        person = person_of(table, guest)
        if person is None:
            person = _new_person(
                table, known(guest, nickname, language, now), codec.new_player_id(), nickname, now
            )
            people_changed(table)
        elif person.nickname != nickname and not _plays(table, person):
            _rename(table, person, nickname)
            people_changed(table)
        if sit:
            _advance(table, now)
            _sit_anywhere(table, person, now)
    return person


def move_seat(secret: str, guest: str, language: str = "") -> str:
    """Who holds the link becomes the one who sits there; the browser that sat there before now watches."""
    now = clock.now()
    with transaction.atomic():
        person = Participant.objects.filter(seat_secret=secret).select_related("table").first()
        if person is None:
            raise Refused("no_such_seat")
        table = locked(person.table.code)
        person = Participant.objects.filter(pk=person.pk, seat_secret=secret).first()
        if person is None or not _sits(table, person):
            raise Refused("no_such_seat")
        if person.guest_id != guest:
            already = person_of(table, guest)
            if already is not None:
                if _sits(table, already):
                    raise Refused("already_seated")
                # What they have bet behind others stays, and nobody is there to be asked about it.
                _not_waited_for(table, already.player, now)
                already.delete()
            person.guest = known(guest, person.nickname, language, now)
            GamePlayer.objects.filter(game__table=table, player=person.player).update(guest=person.guest)
            person.away_since = None if _is_here(table, guest) else now
        person.seat_secret = codes.new_seat_secret()
        person.save()
        if person.away_since is None:
            welcome_back(table, person)
        else:
            people_changed(table)
    return table.code


def request(code: str, guest: str | None, asked: Request) -> None:
    """What somebody at the table wants, as it came through the socket."""
    refusal: Refused | EngineError | None = None
    now = clock.now()
    with transaction.atomic():
        table = locked(code)
        person = None if guest is None else people_at(table).by_guest(guest)
        if person is None:
            raise Refused("name_needed")
        # What the clock did on the way stays done when the request is refused.
        _advance(table, now)
        try:
            _apply(table, _action(table, person, asked, now), now, touch=True)
        except (Refused, EngineError) as error:
            refusal = error
    if refusal is not None:
        raise refusal


def _action(table: Table, person: Person, asked: Request, now: datetime) -> TableAction:
    game = codec.game_of(table)
    if asked.action == "stop_waiting":
        _check_away_for_long(table, game, asked.seat, now)
    return moves.action(game, person.player, person.name, asked)


def _check_away_for_long(table: Table, game: GameState, seat: int | None, now: datetime) -> None:
    player = next((one.player for one in game.seats if one.number == seat), None)
    person = people_at(table).by_player(player)
    if person is None or person.away_since is None or now - person.away_since < LONG_AWAY:
        raise Refused("not_away_long")


# Time


def expire(code: str) -> bool:
    """Let happen what is overdue. Whoever comes second finds nothing to do."""
    now = clock.now()
    if not Table.objects.filter(code=code, deadline__lte=now).exists():
        return False
    with transaction.atomic():
        return _advance(locked(code), now)


def _advance(table: Table, now: datetime) -> bool:
    if table.deadline is None or table.deadline > now:
        return False
    _apply(table, actions.Expire(), now)
    return True


def overdue() -> list[str]:
    return list(
        Table.objects.filter(deadline__lte=clock.now())
        .order_by("deadline")
        .values_list("code", flat=True)[:AT_ONCE]
    )


def fresh_clocks(now: datetime) -> None:
    """After a stop: nobody is blamed for time in which nobody could answer."""
    _each(Table.objects.filter(deadline__isnull=False), _fresh_clock, now)


def _fresh_clock(code: str, now: datetime) -> None:
    with transaction.atomic():
        table = locked(code)
        seconds = play.clock_window(codec.game_of(table))[1]
        table.deadline = None if seconds is None else now + timedelta(seconds=seconds)
        _update(table)


def void_failed(now: datetime) -> None:
    """After a failure: rounds whose rules say so never were."""
    _each(Table.objects.filter(phase=Phase.PLAYING.value), _void_failed, now)


def _void_failed(code: str, now: datetime) -> None:
    with transaction.atomic():
        table = locked(code)
        if codec.game_of(table).rules.on_failure is OnFailure.VOID:
            _apply(table, actions.Void(failure=True), now)


def void_round(code: str) -> int:
    """By the staff: every bet of the running round goes back. The number of the round."""
    now = clock.now()
    with transaction.atomic():
        table = locked(code)
        number = codec.game_of(table).round_number
        _apply(table, actions.Void(), now)
    return number


def tidy() -> None:
    """What becomes due without a deadline: hosts who are long away, seats nobody uses, games nobody plays."""
    now = clock.now()
    watched = Table.objects.filter(
        pk__in=Presence.objects.values("table"), seated__gt=1, kind=Kind.MATCH.value
    )
    hosts = {(pk, host): code for pk, host, code in watched.values_list("pk", "host_player", "code")}
    absent = Participant.objects.filter(
        table__in={pk for pk, _host in hosts}, away_since__lte=now - LONG_AWAY
    )
    for host in absent.values_list("table", "player"):
        if host in hosts:
            _pass_host(hosts[host], now)
    idle = Table.objects.filter(running=True, touched__lte=now - ABANDONED).exclude(kind=Kind.OPEN.value)
    _each(idle[:AT_ONCE], _abandon, now)
    for tables in _open_tables_to_tidy(now):
        _each(tables[:AT_ONCE], _tidy_open_table, now)
    gone = Participant.objects.filter(away_since__lte=now - BLIP, away_since__gte=now - 10 * BLIP)
    _each(Table.objects.filter(phase__in=IN_MATCH, participants__in=gone).distinct(), _let_go, now)


def _each(tables: QuerySet[Table], work: Callable[[str, datetime], None], now: datetime) -> None:
    """Table by table: one that is broken must not cost the others."""
    for code in list(tables.values_list("code", flat=True)):
        try:
            work(code, now)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("Table %s was passed over", code)


def _open_tables_to_tidy(now: datetime) -> tuple[QuerySet[Table], ...]:
    tables = Table.objects.filter(kind=Kind.OPEN.value)
    left = tables.filter(running=True, empty_since__lte=now - EMPTY)
    ended = Game.objects.filter(kind=Kind.OPEN.value, finished=None, started__lte=now - GAME_LASTS)
    old = tables.filter(games__in=ended)
    waiting = tables.filter(seated__gt=0, phase=Phase.BETTING.value, deadline=None)
    ghosts = waiting.filter(participants__away_since__lte=now - LONG_AWAY).distinct()
    idle = waiting.filter(touched__lte=now - EMPTY)
    return left, old, ghosts, idle


def _tidy_open_table(code: str, now: datetime) -> None:
    with transaction.atomic():
        table = locked(code)
        game = codec.game_of(table)
        if table.running and table.empty_since and now - table.empty_since >= EMPTY:
            _apply(table, actions.CloseGame(), now)
            return
        started = (
            Game.objects.filter(table=table, number=game.number).values_list("started", flat=True).first()
        )
        if game.begun and not game.ending and started is not None and now - started >= GAME_LASTS:
            _apply(table, actions.EndWithShoe(), now)
        if game.phase is not Phase.BETTING or table.deadline is not None:
            return
        # Nobody bets: a seat that somebody left behind, or that has been idle for long, is free for others.
        long_idle = now - table.touched >= EMPTY
        people = people_at(table)
        for player in {seat.player for seat in game.seats}:
            person = people.by_player(player)
            away_since = person.away_since if person else None
            if long_idle or (away_since is not None and now - away_since >= LONG_AWAY):
                _apply(table, actions.Leave(player), now)


def _pass_host(code: str, now: datetime) -> None:
    with transaction.atomic():
        table = locked(code)
        game = codec.game_of(table)
        here = set(
            Participant.objects.filter(table=table, away_since__isnull=True).values_list("player", flat=True)
        )
        heirs = sorted(
            (seat for seat in game.seats if seat.player in here and not seat.gone), key=lambda one: one.since
        )
        if game.host not in here and heirs:
            _apply(table, actions.PassHost(heirs[0].player), now)


def _let_go(code: str, now: datetime) -> None:
    """Who bets behind is no longer waited for when they are really gone: a page that is loaded again has left
    too, and is to find its question."""
    with transaction.atomic():
        table = locked(code)
        gone = Participant.objects.filter(table=table, away_since__lte=now - BLIP)
        for player in gone.values_list("player", flat=True):
            _not_waited_for(table, player, now)


def _not_waited_for(table: Table, player: str, now: datetime) -> None:
    backer = codec.game_of(table).backer(player)
    if backer is not None and not backer.away:
        _apply(table, actions.GoAway(player), now)


def _abandon(code: str, now: datetime) -> None:
    with transaction.atomic():
        table = locked(code)
        if now - table.touched >= ABANDONED and table.running:
            _apply(table, actions.Abandon(), now)


# Presence, on behalf of `presence`


def welcome_back(table: Table, person: Participant) -> None:
    table.people += 1
    try:
        _apply(table, actions.ComeBack(person.player), clock.now())
    except EngineError:
        _update(table)  # nobody had stopped waiting


def people_changed(table: Table) -> None:
    table.people += 1
    _update(table)


# Reading and writing one table


def locked(code: str) -> Table:
    table = locked_if_any(code)
    if table is None:
        raise Refused("no_such_table")
    return table


def locked_if_any(code: str) -> Table | None:
    return Table.objects.select_for_update().filter(code=code).first()


def exists(code: str) -> bool:
    return Table.objects.filter(code=code).exists()


def belongs(guest: str | None, code: str) -> bool:
    return guest is not None and Participant.objects.filter(table__code=code, guest=guest).exists()


def person_of(table: Table, guest: str | None) -> Participant | None:
    return None if guest is None else Participant.objects.filter(table=table, guest=guest).first()


def known(guest: str, nickname: str | None, language: str, now: datetime) -> Guest:
    """The guest's row; without a nickname the last one stays."""
    seen: dict[str, Any] = {"language": language, "seen": now}
    if nickname is not None:
        seen["nickname"] = nickname
    who, _created = Guest.objects.update_or_create(
        id=guest, defaults=seen, create_defaults={**seen, "created": now}
    )
    return who


def _new_person(table: Table, guest: Guest, player: str, nickname: str, now: datetime) -> Participant:
    try:
        with transaction.atomic():
            return Participant.objects.create(
                table=table,
                guest=guest,
                player=player,
                nickname=nickname,
                nickname_key=nicknames.key(nickname),
                seat_secret=codes.new_seat_secret(),
                joined=now,
                away_since=None if _is_here(table, guest.id) else now,
            )
    except IntegrityError:
        raise Refused("nickname_taken") from None


def _rename(table: Table, person: Participant, nickname: str) -> None:
    person.nickname, person.nickname_key = nickname, nicknames.key(nickname)
    try:
        with transaction.atomic():
            person.save(update_fields=["nickname", "nickname_key"])
    except IntegrityError:
        raise Refused("nickname_taken") from None


def _is_here(table: Table, guest: str) -> bool:
    return table.presences.filter(guest=guest).exists()


def _sits(table: Table, person: Participant) -> bool:
    return codec.game_of(table).seat_of(person.player) is not None


def _plays(table: Table, person: Participant) -> bool:
    """Sits, or has bet in this game: the table knows them by that name until it is over."""
    game = codec.game_of(table)
    if game.seat_of(person.player) is not None or game.backer(person.player) is not None:
        return True
    running = game.kind is not Kind.MATCH or game.in_match
    return running and any(
        purse.rounds or purse.backed for purse in game.purses if purse.player == person.player
    )


def _sit_anywhere(table: Table, person: Participant, now: datetime) -> None:
    """A seat if one may be taken now; who comes while cards lie watches until the round is over."""
    game = codec.game_of(table)
    if game.seat_of(person.player) is not None:
        return
    try:
        check_sit(game, person.player)
    except EngineError:
        return
    free = next(number for number in range(1, game.seat_limit + 1) if game.seat(number) is None)
    _apply(table, actions.Sit(person.player, free, person.nickname), now, touch=True)


class _Seeds:
    """Fresh seeds for one step; what opened no shoe goes back."""

    def __init__(self, rules: Rules) -> None:
        self.seed = clock.fresh_seed()
        self.spare = clock.fresh_seed() if rules.shuffle is Shuffle.CUT_CARD else None
        self.used = False

    def __enter__(self) -> _Seeds:
        return self

    def use(self, before: GameState | None, after: GameState) -> None:
        self.used = after.shoes != (before.shoes if before else 0)

    def __exit__(self, *error: object) -> None:
        if self.used:
            return
        if self.spare is not None:
            clock.put_back(self.spare)
        clock.put_back(self.seed)


def _apply(table: Table, action: TableAction, now: datetime, *, touch: bool = False) -> None:
    before = codec.game_of(table)
    with _Seeds(before.rules) as seeds:
        after, happened = play.apply(before, action, seeds.seed, seeds.spare)
        seeds.use(before, after)
    key, seconds = play.clock_window(after)
    if key != play.clock_window(before)[0]:
        table.deadline = (
            None if seconds is None else now + timedelta(seconds=seconds) + showing(before, after, happened)
        )
    if touch:
        table.touched = now
    table.empty_since = None if after.seats else table.empty_since or now
    records.keep(table, before, after, happened, now)
    _update(table, after)


def showing(before: GameState, after: GameState, happened: Iterable[GameEvent]) -> timedelta:
    """How long the page needs for the end of a round; the time for the next bets begins after it."""
    finished = any(isinstance(event, RoundFinished) and event.round is not None for event in happened)
    if after.phase is not Phase.BETTING or after.round is None or not finished:
        return timedelta()
    shown = len(before.round.events) if before.phase is Phase.PLAYING and before.round is not None else 0
    new: tuple[RoundEvent, ...] = after.round.events[shown:]
    cards = sum(isinstance(event, CardDealt) for event in new)
    draws = sum(isinstance(event, DealerDealt | HoleCardShown) for event in new)
    return cards * CARD + draws * DEALER_CARD + RESULTS


def _update(table: Table, after: GameState | None = None) -> None:
    version = table.version
    table.version += 1
    changed: dict[str, Any] = {
        "version": table.version,
        "people": table.people,
        "deadline": table.deadline,
        "touched": table.touched,
        "empty_since": table.empty_since,
    }
    if after is not None:
        changed |= codec.columns(after)
    if not Table.objects.filter(pk=table.pk, version=version).update(**changed):
        codec.remembered.drop(table.code)
        raise Overtaken
    for name, value in changed.items():
        setattr(table, name, value)
    game = after or codec.known(table.code, version)
    if game is not None:
        transaction.on_commit(partial(codec.remember, table.code, table.version, game))
    broadcast.announce_after_commit(table.code, table.version)
