"""A finished round step by step, as somebody sees it who was there.

A step is one thing to see: the bets, a card, an answer, a hand that is decided, the end with all that is
paid. Steps and what lies on the table at each of them follow from the replayed round alone (see
`history.replayed`), whichever way one comes to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine import events
from engine.game import Game, Note, NoteKind, Phase, Status
from engine.round import Phase as RoundPhase
from engine.round import Round
from engine.shown import LogLine, PublicView
from engine.unfolding import unfold
from engine.views import log_by_event, public_view

DEALER = 0


@dataclass(frozen=True, slots=True)
class Laid:
    """The bets (chips) that lie on a box when the cards come."""

    box: int
    name: str
    bet: int
    pair: int


@dataclass(frozen=True, slots=True)
class Behind:
    """What those who bet behind a box did or got alike: `amount` is the sum (chips) of them all."""

    kind: str
    box: int
    name: str
    backers: tuple[str, ...]
    amount: int = 0


Line = LogLine | Laid | Behind


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to see. `after` counts the events of the round that have then happened, `notes` what people
    did beside the cards.

    It is about hand `hand` (from 1) of `box`, about the dealer where that is `DEALER`, or about neither.
    """

    kind: str
    after: int
    notes: int
    lines: tuple[Line, ...]
    box: int | None = None
    hand: int = 0


class Replay:
    """A finished round: `game` is the table as it was when the round had been settled."""

    def __init__(self, game: Game) -> None:
        if game.record is None:
            raise ValueError("no round is shown")
        self.game = game
        self.record = game.record
        self.states = unfold(game.record, game.rules)
        self.names = {purse.stack: purse.name for purse in game.purses}
        told = list(log_by_event(game))
        self.lines = {index: line for index, line in told if index is not None}
        notes = zip(game.notes, (line for index, line in told if index is None), strict=True)
        self.notes = sorted(((_after(note), note, line) for note, line in notes), key=lambda one: one[0])
        self.steps: tuple[Step, ...] = tuple(self._steps())

    def view(self, number: int) -> PublicView:
        """The table as everybody saw it after step `number`, from 0."""
        step, game = self.steps[number], self.game
        if step.kind == "over":
            return public_view(game)
        told = self.notes[: step.notes]
        gone = {note.seat for _, note, _ in told if note.kind is NoteKind.RESIGNED}
        record = replace(
            self.record,
            void=False,
            broken_off=False,
            resigned=tuple(one for one in self.record.resigned if one[0] in gone),
        )
        seats = tuple(
            replace(seat, status=Status.IN)
            if seat.status is Status.RESIGNED and seat.number not in gone
            else seat
            for seat in game.seats
        )
        # Its log is told by the steps.
        state = replace(self.states[step.after], phase=RoundPhase.TURNS, events=())
        return public_view(
            replace(game, phase=Phase.PLAYING, seats=seats, record=record, round=state, notes=())
        )

    def views(self) -> Iterator[PublicView]:
        """The table after each step."""
        return (self.view(number) for number in range(len(self.steps)))

    # The steps

    @cached_property
    def _events(self) -> Sequence[events.RoundEvent]:
        return self.states[-1].events if self.states else ()

    def _steps(self) -> Iterator[Step]:
        notes = [after for after, _, _ in self.notes]
        lines = [line for _, _, line in self.notes]
        if not self.states:
            yield Step("over", 0, len(notes), tuple(lines))
            return
        told = sum(after == 0 for after in notes)
        yield Step("bets", 0, told, (*self._laid(self.states[0]), *lines[:told]))
        end = self._end()
        # What people did when all was decided belongs to the end.
        last_note = end if end < len(self._events) else end - 1
        at = 0
        while True:
            while told < len(notes) and notes[told] <= min(at, last_note):
                line = lines[told]
                told += 1
                yield Step("note", at, told, (line,), line.seat or None)
            if at >= end:
                break
            until = at + 1
            while until < end and self._together(at, until) and until not in notes:
                until += 1
            yield self._played(at, until, told)
            at = until
        rest = (*self._lines(end, len(self._events)), *lines[told:])
        yield Step("over", len(self._events), len(notes), rest)

    def _end(self) -> int:
        """How many events come before those that decide the last bets, which are seen as one."""
        end = len(self._events)
        if self.states[-1].settled:
            while end and isinstance(self._events[end - 1], SETTLED):
                end -= 1
        return end

    def _together(self, first: int, other: int) -> bool:
        """Whether two events, with all between them, are one thing to see."""
        one, two = self._events[first], self._events[other]
        if self._answered_behind(one):
            return self._answered_behind(two)
        if isinstance(one, DECIDED) and type(one) is type(two):
            return (one.box, getattr(one, "hand", 0)) == (two.box, getattr(two, "hand", 0))
        return False

    def _answered_behind(self, event: events.RoundEvent) -> bool:
        return isinstance(event, ANSWERS) and self._is_behind(event)

    def _is_behind(self, event: events.RoundEvent) -> bool:
        stack = getattr(event, "stack", None)
        return stack is not None and stack != self.states[0].box(event.box).stack  # type: ignore[union-attr]

    def _played(self, first: int, until: int, notes: int) -> Step:
        event = self._events[first]
        box: int | None = getattr(event, "box", None)
        hand: int | None = getattr(event, "hand", None)
        if isinstance(event, events.DealerDealt | events.HoleCardShown | events.DealerPeeked):
            box = DEALER
        kind = type(event).__name__
        lines = tuple(self._lines(first, until))
        return Step(kind, until, notes, lines, box, 0 if hand is None else hand + 1)

    # Their lines

    def _name(self, state: Round, box: int) -> str:
        return self.names.get(state.box(box).stack, "")

    def _laid(self, state: Round) -> Iterator[Line]:
        for box in state.boxes:
            bet, pair = box.hands[0].bet, box.pair.bet if box.pair else 0
            yield Laid(box.number, self._name(state, box.number), bet, pair)
        for box in state.boxes:
            sides = [one.pair.bet if one.pair else 0 for one in box.backers]
            names = tuple(self.names.get(one.stack, "") for one in box.backers)
            amount = sum(one.bet for one in box.backers) + sum(sides)
            if names:
                yield Behind("laid", box.number, self._name(state, box.number), names, amount)

    def _lines(self, first: int, until: int) -> Iterator[Line]:
        """What happened in some events, what is alike behind a box as one line."""
        behind: dict[tuple[str, int], Counter[str]] = {}
        for index in range(first, until):
            event = self._events[index]
            if index in self.lines:
                yield self.lines[index]
            elif isinstance(event, BEHIND):
                kind, amount = _said(event)
                behind.setdefault((kind, event.box), Counter())[event.stack] += amount
        for (kind, box), told in behind.items():
            names = tuple(self.names.get(stack, "") for stack in told)
            yield Behind(kind, box, self._name(self.states[0], box), names, told.total())


BEHIND = (
    events.Insured | events.Declined | events.BackerFollowed | events.BackerPassed | events.PairSettled
    | events.InsuranceSettled | events.StakeSettled
)  # fmt: skip


def _after(note: Note) -> int:
    """How many events come before a note. Who sits out is noted after the deal, but was known before."""
    return 0 if note.kind is NoteKind.SAT_OUT else note.after


SETTLED = (events.StakeSettled, events.InsuranceSettled)
DECIDED = (events.PairSettled, events.StakeSettled, events.InsuranceSettled)
ANSWERS = (events.Insured, events.Declined, events.BackerFollowed, events.BackerPassed)


def _said(event: events.RoundEvent) -> tuple[str, int]:
    """What an event behind a box was, and its chips: what it cost, or what it brought."""
    match event:
        case events.Insured(amount=amount):
            return "insured", amount
        case events.BackerFollowed(amount=amount):
            return "followed", amount
        case events.BackerPassed():
            return "passed", 0
        case events.PairSettled(bet=bet, paid=paid):
            return "pair", paid - bet
        case events.InsuranceSettled(bet=bet, paid=paid):
            return "insurance", paid - bet
        case events.StakeSettled(bet=bet, paid=paid):
            return "settled", paid - bet
    return "declined", 0
