"""Who must have ended where in a game, and who won, by its rounds alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import Differs
from engine.ledger import Ledger
from engine.record import Record
from engine.table import Kind, Reason, Status

REASONS: Mapping[Kind, frozenset[Reason]] = {
    Kind.MATCH: frozenset(
        {Reason.ROUNDS, Reason.LAST_LEFT, Reason.ALL_OUT, Reason.AGREED_DRAW, Reason.ABANDONED}
    ),
    Kind.SOLO: frozenset({Reason.NEW_GAME, Reason.ABANDONED}),
    Kind.OPEN: frozenset({Reason.EMPTY, Reason.DAY_OVER}),
}

# These may come in the middle of a round.
BREAKING_OFF = frozenset({Reason.LAST_LEFT, Reason.AGREED_DRAW, Reason.ABANDONED, Reason.NEW_GAME})


@dataclass(frozen=True, slots=True)
class Course:
    """How far a game was played: why it ended (None while it runs), how many rounds it had and was to have (0
    but in a match), whether the last was broken off, whether its shoe ended with it."""

    kind: Kind
    reason: Reason | None
    rounds: int
    planned: int
    broken_off: bool
    shoe_over: bool

    @property
    def played_out(self) -> bool:
        """Nothing is left of a match."""
        return self.kind is Kind.MATCH and self.rounds == self.planned and not self.broken_off

    def differs(self, **figures: object) -> Differs:
        """That the reason does not follow."""
        return Differs("reason", reason=self.reason.value if self.reason else None, **figures)


class Seats:
    """The seats of a match: in which round each was last, and in which it resigned."""

    def __init__(self) -> None:
        self.last: dict[int, int] = {}
        self.resigned: dict[int, int] = {}
        self.rounds = 0

    def enter(self, record: Record, ledger: Ledger) -> None:
        """Enter a round before its chips are; raises `Differs` where a seat plays that can not."""
        number, playing = record.number, (*record.bets, *record.sat_out)
        if len(playing) < 2:
            raise Differs("seats", seats=list(playing))
        for seat in playing:
            stack = next((stack for stack, one in ledger.seats.items() if one == seat), "")
            if not stack or self.last.get(seat, 0) != number - 1 or seat in self.resigned:
                raise Differs("seats", seat=seat)
            if ledger.holding(stack).chips < ledger.rules.min_bet:
                raise Differs("seats", seat=seat, chips=ledger.holding(stack).chips)
        for seat in playing:
            self.last[seat] = number
        for seat, _ in record.resigned:
            if self.last.get(seat) != number or seat in self.resigned:
                raise Differs("resigned", seat=seat)
            self.resigned[seat] = number
        left = len(playing) - len(record.resigned)
        if left < (1 if record.broken_off else 2):
            raise Differs("resigned", left=left)
        self.rounds = number


def check_runs(course: Course, ledger: Ledger, seats: Seats) -> None:
    """Refuse a game that is to go on where it can not; raises `Differs`."""
    if course.broken_off or course.played_out:
        raise course.differs(rounds=course.rounds, broken_off=course.broken_off)
    if course.kind is not Kind.MATCH:
        return
    # Who has given up since is told nowhere yet.
    left = [
        one
        for one in ledger.holdings.values()
        if one.seat in ledger.seats.values()
        and one.seat not in seats.resigned
        and seats.last.get(one.seat, 0) == course.rounds
        and one.chips >= ledger.rules.min_bet
    ]
    if len(left) < 2:
        raise course.differs(left=len(left))


def check_result(course: Course, result: Mapping[str, Any], ledger: Ledger, seats: Seats) -> None:
    """Refuse a result that does not follow; raises `Differs`."""
    _check_reason(course)
    players = {stack: one for stack, one in ledger.holdings.items() if one.seat}
    places = {place["stack"]: place for place in result["places"]}
    if len(places) != len(result["places"]) or places.keys() != players.keys():
        raise Differs("places", said=sorted(places), follows=sorted(players))
    statuses = {stack: _status(place) for stack, place in places.items()}
    ranks = {}
    for stack, one in players.items():
        if places[stack]["chips"] != one.chips:
            raise Differs("place_chips", stack=stack, said=places[stack]["chips"], follows=one.chips)
        allowed = _statuses(course, seats, one.seat, poor=one.chips < ledger.rules.min_bet)
        if statuses[stack] not in allowed:
            raise Differs("status", stack=stack, said=statuses[stack].value)
        ranks[stack] = _rank(course, seats, one.seat, statuses[stack], one.chips)
    for stack, rank in ranks.items():
        place = 1 + sum(other > rank for other in ranks.values())
        if places[stack]["place"] != place:
            raise Differs("place", stack=stack, said=places[stack]["place"], follows=place)
    _check_left(course, statuses)
    winner = _winner(course, statuses, ranks)
    if result["winner"] != winner:
        raise Differs("winner", said=result["winner"], follows=winner)


def _check_reason(course: Course) -> None:
    """A match that was played out ended so, and for no other reason; some reasons break no round off."""
    fits = (
        course.reason in REASONS[course.kind]
        and (course.reason is Reason.ROUNDS) == course.played_out
        and (not course.broken_off or course.reason in BREAKING_OFF)
        and (course.shoe_over or course.reason is not Reason.DAY_OVER)
    )
    if not fits:
        raise course.differs(
            kind=course.kind.value,
            rounds=course.rounds,
            planned=course.planned or None,
            broken_off=course.broken_off,
        )


def _status(place: Mapping[str, Any]) -> Status:
    try:
        return Status(place["status"])
    except ValueError:
        raise Differs("status", stack=place["stack"], said=place["status"]) from None


def _statuses(course: Course, seats: Seats, seat: int, *, poor: bool) -> set[Status]:
    """What a seat can have been at the end. Whether it gave up after the last round is told nowhere else."""
    if course.kind is not Kind.MATCH:
        return {Status.IN}
    if seat in seats.resigned:
        return {Status.RESIGNED}
    # After the last round of all nobody falls any more.
    opened = not course.broken_off and course.reason is not Reason.ROUNDS
    if poor and (opened or seats.last.get(seat, 0) < course.rounds):
        return {Status.OUT}
    if seats.last.get(seat, 0) < course.rounds:
        return {Status.RESIGNED}
    return {Status.IN, Status.RESIGNED} if opened else {Status.IN}


def _rank(course: Course, seats: Seats, seat: int, status: Status, chips: int) -> tuple[bool, int, bool, int]:
    """Who is still in comes first, then who fell later; who lost everything before who gave up."""
    if course.kind is not Kind.MATCH or status is Status.IN:
        return (True, 0, False, chips)
    return (False, _fell(seats, seat), status is Status.OUT, chips)


def _fell(seats: Seats, seat: int) -> int:
    """The round in which a seat resigned, or before which it was out."""
    return seats.resigned.get(seat, seats.last.get(seat, 0) + 1)


def _check_left(course: Course, statuses: Mapping[str, Status]) -> None:
    left = sum(status is Status.IN for status in statuses.values())
    fits: dict[Reason | None, bool] = {
        Reason.LAST_LEFT: left == 1,
        Reason.ALL_OUT: left == 0,
        Reason.ROUNDS: left > 1,
        Reason.AGREED_DRAW: left > 1,
        Reason.ABANDONED: left > 1,
    }
    if course.kind is Kind.MATCH and not fits.get(course.reason, True):
        raise course.differs(left=left)


def _winner(
    course: Course, statuses: Mapping[str, Status], ranks: Mapping[str, tuple[bool, int, bool, int]]
) -> str | None:
    if course.kind is not Kind.MATCH or course.reason in (Reason.AGREED_DRAW, Reason.ABANDONED):
        return None
    # Where all fell at once these are they; else those who are still in.
    best = max(ranks.values())
    if course.reason is Reason.ALL_OUT and (not best[2] or best[1] <= course.rounds):
        raise course.differs()
    first = [stack for stack, rank in ranks.items() if rank == best]
    return first[0] if len(first) == 1 else None
