"""What has happened in a round, in the past tense. Events never hold a card that is not open.

`box` is the number of a box, from 1; `hand` counts its hands from 0, left to right; `stack` names whose chips
they are, those of the box's own seat or of somebody who bets behind it. Bets and what is paid are chips; what
is paid is everything that comes back, the bet included. Totals are points.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.bets import Result
from engine.cards import Card


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card came to a hand; `total` is what the hand then counts."""

    box: int
    hand: int
    card: Card
    total: int
    soft: bool


@dataclass(frozen=True, slots=True)
class DealerDealt:
    """The dealer got a card; `card` is None for the hole card, face down. `total` counts the open cards."""

    card: Card | None
    total: int


@dataclass(frozen=True, slots=True)
class HoleCardShown:
    """The hole card was turned over; `total` is that of both cards of the dealer."""

    card: Card
    total: int


@dataclass(frozen=True, slots=True)
class DealerPeeked:
    """The dealer looked under an ace or a ten; `blackjack` says whether it was one."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class PairSettled:
    """A pair bet was decided; `paid` is 0 without a pair."""

    box: int
    stack: str
    bet: int
    paid: int


@dataclass(frozen=True, slots=True)
class Insured:
    """Insurance was laid: `amount` chips beside the bet."""

    box: int
    stack: str
    amount: int


@dataclass(frozen=True, slots=True)
class Declined:
    """No insurance, even money or, as `surrender` tells, surrender."""

    box: int
    stack: str
    surrender: bool = False


@dataclass(frozen=True, slots=True)
class InsuranceSettled:
    """Insurance was decided; `paid` is 0 where the dealer has no blackjack."""

    box: int
    stack: str
    bet: int
    paid: int


@dataclass(frozen=True, slots=True)
class HandStood:
    """A player, or the clock, stood on a hand. Of one that stops by itself, as at 21, there is no word."""

    box: int
    hand: int
    total: int


@dataclass(frozen=True, slots=True)
class HandDoubled:
    """The player of a hand doubled: `bet` is all that now lies on it, twice the bet before."""

    box: int
    hand: int
    bet: int


@dataclass(frozen=True, slots=True)
class HandSplit:
    """A hand became two, each with the bet of the one; the new one lies to its right."""

    box: int
    hand: int


@dataclass(frozen=True, slots=True)
class BackerFollowed:
    """A bet behind followed a double or a split: `amount` is what was added, as much as lay there before."""

    box: int
    stack: str
    amount: int


@dataclass(frozen=True, slots=True)
class BackerPassed:
    """A bet behind did not follow, and stays as it was."""

    box: int
    stack: str


@dataclass(frozen=True, slots=True)
class StakeSettled:
    """One stake on a hand was decided: `bet` is all of it, what a double added included."""

    box: int
    hand: int
    stack: str
    bet: int
    result: Result
    paid: int


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """The clock answered for the player of a box."""

    box: int


RoundEvent = (
    CardDealt | DealerDealt | HoleCardShown | DealerPeeked | PairSettled | Insured | Declined
    | InsuranceSettled | HandStood | HandDoubled | HandSplit | BackerFollowed | BackerPassed
    | StakeSettled | TimeRanOut
)  # fmt: skip
