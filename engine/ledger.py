"""What every stack of a game holds, from one round to the next, by nothing but its finished rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.brought import Brought
from engine.record import Record
from engine.round import Round, apply, open_stakes
from engine.rules import Rules
from engine.table import MATCH_SEATS, Kind, match_stack


@dataclass(slots=True)
class Holding:
    """One stack: its chips, the most it held after a round, how often it was refilled.

    `seat` is the lowest box it played when it first played one, 0 while it has only bet behind others;
    `backed` counts the rounds in which it did that, `won_behind` is what they brought (chips, below 0 what
    they cost).
    """

    chips: int
    highest: int
    refills: int = 0
    seat: int = 0
    backed: int = 0
    won_behind: int = 0


class Ledger:
    """The stacks of a game by their names. One that is new holds the starting chips of the rules."""

    def __init__(self, rules: Rules, kind: Kind) -> None:
        self.rules = rules
        self.kind = kind
        self.holdings: dict[str, Holding] = {}
        self.seats: Mapping[str, int] = {}
        if kind is Kind.MATCH:
            self.seats = {match_stack(rules, number): number for number in range(1, MATCH_SEATS + 1)}
        self._bets_open = True

    def holding(self, stack: str) -> Holding:
        """The stack of that name."""
        if stack not in self.holdings:
            chips = self.rules.starting_chips
            self.holdings[stack] = Holding(chips, chips, seat=self.seats.get(stack, 0))
        return self.holdings[stack]

    def open_bets(self) -> None:
        """Refill who can not lay the least bet. The seats of a match play with what they have."""
        if self._bets_open:
            return
        self._bets_open = True
        for stack, one in self.holdings.items():
            if one.chips < self.rules.min_bet and stack not in self.seats:
                one.chips = self.rules.starting_chips
                one.refills += 1

    def enter(self, record: Record, states: Sequence[Round], after: Mapping[str, int]) -> None:
        """Enter a finished round: `states` as of `replayed`, `after` what its stacks then held."""
        # No bets open after a round that its game broke off.
        self._bets_open = record.broken_off
        if not states:
            return
        boxes = {record.stacks.get(box, str(box)): box for box in sorted(record.bets, reverse=True)}
        for stack, lowest in boxes.items():
            self.holding(stack).seat = self.holding(stack).seat or lowest
        for stack in {one.backer for one in record.behind}:
            self.holding(stack).backed += 1
        for stack, net in Brought(self.rules, record, states[-1]).won_behind().items():
            self.holding(stack).won_behind += net
        for stack, chips in after.items():
            one = self.holding(stack)
            one.chips = chips
            if not record.void:
                one.highest = max(one.highest, chips)


def replayed(state: Round | None, record: Record) -> tuple[Round, ...]:
    """A round after none, one, … all of the moves of its record; nothing where nobody bet."""
    states = [] if state is None else [state]
    for move in record.moves if states else ():
        states.append(apply(states[-1], move))
    return tuple(states)


def chips_after(rules: Rules, record: Record, states: Sequence[Round]) -> dict[str, int]:
    """What each stack of a finished round holds after it; `states` as of `replayed`.

    A void round gives back everything, one that was broken off what lay open. Who resigned keeps what the
    stack held at that moment.
    """
    if record.void or not states:
        return dict(record.chips)
    last = states[-1]
    chips = dict(last.chips)
    if record.broken_off:
        for stack, lying in open_stakes(last).items():
            chips[stack] += lying
    for seat, moves in record.resigned:
        stack = match_stack(rules, seat)
        if stack in chips:
            chips[stack] = states[moves].chips[stack]
    return chips
