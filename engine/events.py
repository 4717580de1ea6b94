"""What has happened in a round, in the past tense. Events never hold a card that is not open."""

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
    """The dealer got a card; `card` is None for the hole card, face down."""

    card: Card | None
    total: int


@dataclass(frozen=True, slots=True)
class HoleCardShown:
    card: Card
    total: int


@dataclass(frozen=True, slots=True)
class DealerPeeked:
    """The dealer looked under an ace or a ten."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class PairSettled:
    box: int
    stack: str
    bet: int
    paid: int


@dataclass(frozen=True, slots=True)
class Insured:
    box: int
    stack: str
    amount: int


@dataclass(frozen=True, slots=True)
class Declined:
    """No insurance, even money or surrender."""

    box: int
    stack: str


@dataclass(frozen=True, slots=True)
class InsuranceSettled:
    box: int
    stack: str
    bet: int
    paid: int


@dataclass(frozen=True, slots=True)
class HandStood:
    box: int
    hand: int
    total: int


@dataclass(frozen=True, slots=True)
class HandDoubled:
    box: int
    hand: int
    bet: int


@dataclass(frozen=True, slots=True)
class HandSplit:
    """A hand became two; the new one lies to its right."""

    box: int
    hand: int


@dataclass(frozen=True, slots=True)
class BackerFollowed:
    box: int
    stack: str
    amount: int


@dataclass(frozen=True, slots=True)
class BackerPassed:
    box: int
    stack: str


@dataclass(frozen=True, slots=True)
class StakeSettled:
    """One stake on a hand was decided; `paid` is everything that comes back."""

    box: int
    hand: int
    stack: str
    bet: int
    result: Result
    paid: int


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """The clock answered for a box."""

    box: int


RoundEvent = (
    CardDealt | DealerDealt | HoleCardShown | DealerPeeked | PairSettled | Insured | Declined
    | InsuranceSettled | HandStood | HandDoubled | HandSplit | BackerFollowed | BackerPassed
    | StakeSettled | TimeRanOut
)  # fmt: skip
