"""The only writer. One function a use case, each one transaction; afterwards the new version is announced.

What anybody asks for is checked in one order: the table is open, who you are, what is overdue has happened,
the question (or game, or offer) is still yours and open, the action is legal; then it is applied. A refusal
leaves everything as it was, the deadline too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, IntegrityError, transaction

from engine import actions
from engine import game as play
from engine.actions import TableAction
from engine.errors import EngineError
from engine.events import CardDealt, DealerDealt, HoleCardShown, RoundEvent
from engine.game import Game as GameState
from engine.game import GameEvent, Phase, RoundFinished
from engine.rules import Rules
from tables import broadcast, clock, codec, codes, moves, nicknames, records
from tables.errors import Refused
from tables.messages import Request
from tables.models import IN_MATCH, GamePlayer, Guest, Participant, Presence, Table
from tables.people import Person, people_at

LONG_AWAY = timedelta(minutes=2)
ABANDONED = timedelta(days=1)
# What the page needs to show the end of a round, before the time for the next bets begins.
CARD = timedelta(milliseconds=120)
DEALER_CARD = timedelta(milliseconds=350)
RESULTS = timedelta(seconds=1)


class Overtaken(DatabaseError):  # noqa: N818
    """Another writer was first. Under a lock it does not happen; the UPDATE still asks."""


# Tables and people


def open_table(guest: str, name: str, rules: Rules, rounds: int, *, listed: bool, language: str = "") -> str:
    nickname = nicknames.clean(name)
    now = clock.now()
    # The bets of spectators and on pairs come to the page later.
    rules = replace(rules, pair_bets=False, backing=False)
    with transaction.atomic():
        host = known(guest, nickname, language, now)
        player = codec.new_player_id()
        game = play.open_table(rules, rounds, player, nickname)
        table = Table.objects.create(
            code=codes.new_table_code(),
            kind=game.kind.value,
            listed=listed,
            created=now,
            touched=now,
            **codec.columns(game),
        )
        _new_person(table, host, player, nickname, now)
    return table.code


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
        elif person.nickname != nickname and not _sits(table, person):
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
        .values_list("code", flat=True)[:100]
    )


def fresh_clocks(now: datetime) -> None:
    """After a failure: nobody is blamed for time in which nobody could answer."""
    for code in list(Table.objects.filter(deadline__isnull=False).values_list("code", flat=True)):
        with transaction.atomic():
            table = locked(code)
            seconds = play.clock_window(codec.game_of(table))[1]
            table.deadline = None if seconds is None else now + timedelta(seconds=seconds)
            _update(table)


def tidy() -> None:
    """What becomes due without a deadline: hosts who are long away, matches that nobody touched for a day."""
    now = clock.now()
    watched = Table.objects.filter(pk__in=Presence.objects.values("table"), seated__gt=1)
    hosts = {(pk, host): code for pk, host, code in watched.values_list("pk", "host_player", "code")}
    absent = Participant.objects.filter(table__in={pk for pk, _ in hosts}, away_since__lte=now - LONG_AWAY)
    for host in absent.values_list("table", "player"):
        if host in hosts:
            _pass_host(hosts[host], now)
    idle = Table.objects.filter(phase__in=IN_MATCH, touched__lte=now - ABANDONED)
    for code in idle.values_list("code", flat=True)[:100]:
        _abandon(code, now)


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


def _abandon(code: str, now: datetime) -> None:
    with transaction.atomic():
        table = locked(code)
        if now - table.touched >= ABANDONED and table.phase in IN_MATCH:
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


def known(guest: str, nickname: str, language: str, now: datetime) -> Guest:
    who, _ = Guest.objects.update_or_create(
        id=guest,
        defaults={"nickname": nickname, "language": language, "seen": now},
        create_defaults={"nickname": nickname, "language": language, "seen": now, "created": now},
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


def _sit_anywhere(table: Table, person: Participant, now: datetime) -> None:
    game = codec.game_of(table)
    if game.in_match or _sits(table, person):
        return
    free = next((number for number in range(1, game.seat_limit + 1) if game.seat(number) is None), None)
    if free is not None:
        _apply(table, actions.Sit(person.player, free, person.nickname), now, touch=True)


def _apply(table: Table, action: TableAction, now: datetime, *, touch: bool = False) -> None:
    before = codec.game_of(table)
    seed = clock.fresh_seed()
    used = False
    try:
        after, happened = play.apply(before, action, seed)
        used = after.seed == seed
    finally:
        if not used:
            clock.put_back(seed)
    key, seconds = play.clock_window(after)
    if key != play.clock_window(before)[0]:
        table.deadline = (
            None if seconds is None else now + timedelta(seconds=seconds) + showing(before, after, happened)
        )
    if touch:
        table.touched = now
    records.keep(table, after, happened, now)
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
