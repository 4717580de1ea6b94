"""What a hand is worth: total, soft, natural, pair, bust. One evaluator for players and dealer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.bets import Stake
from engine.cards import Card, Rank
from engine.rules import Rules, SplitBy


class Value(NamedTuple):
    """Points of some cards; `soft` while an ace counts 11."""

    total: int
    soft: bool


def evaluate(cards: Iterable[Card]) -> Value:
    """The best total of `cards`: one ace counts 11 while that keeps the total at most 21.

    >>> evaluate([Card.parse("As"), Card.parse("Ah")])
    Value(total=12, soft=True)
    """
    total = 0
    aces = 0
    for card in cards:
        points = card.rank.points
        if points == 11:
            aces += 1
        total += points
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return Value(total, aces > 0)


def is_pair(cards: tuple[Card, ...]) -> bool:
    """Two cards of equal rank, which is what a pair bet pays on (K-K, not K-Q)."""
    return len(cards) == 2 and cards[0].rank is cards[1].rank


def is_natural(cards: tuple[Card, ...]) -> bool:
    """An ace and a ten-valued card as the only two cards."""
    return len(cards) == 2 and cards[0].rank.points + cards[1].rank.points == 21


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of a box: its cards, the stakes on it (the seat's own first) and how it was played.

    `places` tells for each card which card of the round it was, from 0.
    """

    cards: tuple[Card, ...]
    places: tuple[int, ...]
    stakes: tuple[Stake, ...]
    from_split: bool = False
    doubled: bool = False
    stopped: bool = False

    @property
    def value(self) -> Value:
        """Its best total, and whether that is soft."""
        return evaluate(self.cards)

    @property
    def natural(self) -> bool:
        """A blackjack: never on a split hand."""
        return not self.from_split and is_natural(self.cards)

    @property
    def bet(self) -> int:
        """The seat's own stake, in chips."""
        return self.stakes[0].bet

    def stake_of(self, stack: str) -> Stake:
        """What lies on it of that stack; raises `KeyError` where nothing does."""
        for stake in self.stakes:
            if stake.stack == stack:
                return stake
        raise KeyError(stack)

    @property
    def split_ace(self) -> bool:
        """A hand that began with one of two split aces."""
        return self.from_split and self.cards[0].rank is Rank.ACE

    def splittable(self, rules: Rules) -> bool:
        """Two cards that `rules` call equal: by value (K-J) or by rank (K-K)."""
        if len(self.cards) != 2:
            return False
        first, second = self.cards
        if rules.split_by is SplitBy.RANK:
            return first.rank is second.rank
        return first.rank.points == second.rank.points
