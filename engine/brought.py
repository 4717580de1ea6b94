"""What the shown round of a table brought to whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from engine import events
from engine.bets import SideBet, Stake
from engine.record import Record
from engine.round import Backer, Round
from engine.rules import Rules
from engine.table import match_stack

# A bet of a round and where it lay: the hand of a stake from 0, None for a side bet.
Key = tuple[type[events.RoundEvent], int, int | None]


class BroughtBehind(NamedTuple):
    """What a stack has behind a box: the stakes with the places of their hands, the sum of these (chips), the
    side bets with what came back for them, and what all of it has brought, None while some of it is open."""

    box: int
    backer: Backer
    stakes: Sequence[tuple[int, Stake]]
    staked: int
    insurance: SideBet | None
    pair: SideBet | None
    net: int | None

    @property
    def stack(self) -> str:
        return self.backer.stack


class Brought:
    """What came back for each bet of a round, as far as it is decided. `state` is the round of `record`.

    A void round gives everything back, and one that its game broke off what was still open. Who resigns in a
    match has lost what lay open then, on the own box and behind others.
    """

    def __init__(self, rules: Rules, record: Record | None, state: Round | None) -> None:
        self.state = state
        self.void = record is not None and record.void
        self.stopped = record is not None and (record.broken_off or record.void)
        self.over = self.stopped or (state is not None and state.settled)
        self.decided: dict[str, set[Key]] = {}
        # By stacks, after how many moves.
        self.resigned = {match_stack(rules, seat): moves for seat, moves in record.resigned} if record else {}
        if state is None or self.void or not self.over:
            return
        for stack, moves in self.resigned.items():
            self.decided[stack] = set(_decided(state, stack, state.events_after[moves]))

    def had_resigned(self, stack: str, event: int) -> bool:
        """Whether the owner of a stack had resigned when that event of the round (from 0) happened."""
        if self.state is None or stack not in self.resigned:
            return False
        return self.state.events_after[self.resigned[stack]] <= event

    def given_up(self, box: int, place: int, stake: Stake) -> bool:
        """The stake lay open on that hand when its owner resigned."""
        return self._lost(stake.stack, (events.StakeSettled, box, place))

    def stake(self, box: int, place: int, stake: Stake) -> int | None:
        """Chips that came back for a stake on a hand of `box`, None while it is open."""
        if self.void or (self.stopped and stake.paid is None and stake.stack not in self.decided):
            return stake.bet
        return 0 if self.given_up(box, place, stake) else stake.paid

    def insurance(self, box: int, stack: str, bet: SideBet | None) -> SideBet | None:
        """The insurance of a stack on `box` with the chips that came back for it."""
        return bet if bet is None else self._side((events.InsuranceSettled, box, None), stack, bet)

    def pair(self, box: int, stack: str, bet: SideBet | None) -> SideBet | None:
        """The pair bet of a stack on `box` likewise."""
        return bet if bet is None else self._side((events.PairSettled, box, None), stack, bet)

    @cached_property
    def behind(self) -> Sequence[BroughtBehind]:
        """What lies behind the boxes, box by box."""
        return tuple(self._behind())

    def won_behind(self) -> Mapping[str, int]:
        """What the bets behind others brought to each stack, or cost it; nothing while the round runs."""
        return _sums(self.behind if self.over else ())

    def behind_by(self, stack: str) -> Sequence[BroughtBehind]:
        """What one stack has behind the boxes, box by box."""
        return tuple(self._behind(stack))

    def _behind(self, stack: str | None = None) -> Iterator[BroughtBehind]:
        for box in self.state.boxes if self.state else ():
            backers = [one for one in box.backers if stack is None or one.stack == stack]
            stakes: defaultdict[str, list[tuple[int, Stake]]] = defaultdict(list)
            for place, hand in enumerate(box.hands if backers else ()):
                for stake in hand.stakes[1:]:
                    if stack is None or stake.stack == stack:
                        stakes[stake.stack].append((place, stake))
            for backer in backers:
                own = stakes[backer.stack]
                insurance = self.insurance(box.number, backer.stack, backer.insurance)
                pair = self.pair(box.number, backer.stack, backer.pair)
                net = self.net(box.number, own, insurance, pair)
                staked = sum([stake.bet for _, stake in own])
                yield BroughtBehind(box.number, backer, own, staked, insurance, pair, net)

    def net(
        self,
        box: int,
        stakes: Sequence[tuple[int, Stake]],
        insurance: SideBet | None,
        pair: SideBet | None,
    ) -> int | None:
        """What stakes (with the places of their hands) and side bets on a box have brought, None while one of
        them is open. The side bets are as `insurance` and `pair` tell them."""
        if not self.over and self._is_open(stakes, insurance, pair):
            return None
        net = 0
        for place, stake in stakes:
            net += (self.stake(box, place, stake) or 0) - stake.bet
        for side in (insurance, pair):
            # Insurance that nothing decided is no loss: the game ended before.
            if side is not None and side.paid is not None:
                net += side.paid - side.bet
        return net

    def _is_open(
        self, stakes: Iterable[tuple[int, Stake]], insurance: SideBet | None, pair: SideBet | None
    ) -> bool:
        # What somebody who resigned will have is said when the round is over.
        if any(stake.paid is None or stake.stack in self.resigned for _, stake in stakes):
            return True
        return any(side is not None and side.paid is None for side in (insurance, pair))

    def _side(self, key: Key, stack: str, bet: SideBet) -> SideBet:
        if self.void:
            return SideBet(bet.bet, bet.bet)
        return SideBet(bet.bet, 0) if self._lost(stack, key) else bet

    def _lost(self, stack: str, key: Key) -> bool:
        return stack in self.decided and key not in self.decided[stack]


def _sums(bets: Iterable[BroughtBehind]) -> Mapping[str, int]:
    won: Counter[str] = Counter()
    for bet in bets:
        won[bet.stack] += bet.net or 0
    return won


def _decided(state: Round, stack: str, after: int) -> Iterator[Key]:
    """The bets of a stack that were decided in the first events of a round."""
    for event in state.events[:after]:
        match event:
            case events.StakeSettled(box, hand, owner) if owner == stack:
                yield events.StakeSettled, box, hand
            case events.PairSettled(box, owner) | events.InsuranceSettled(box, owner) if owner == stack:
                yield type(event), box, None
