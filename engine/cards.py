"""Ranks, suits and cards, and their two-letter text: ``"As"``, ``"Th"``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.errors import NotationError


class Rank(Enum):
    """A rank. `points` is its value in points, an ace counting 11."""

    ACE = ("A", 11)
    TWO = ("2", 2)
    THREE = ("3", 3)
    FOUR = ("4", 4)
    FIVE = ("5", 5)
    SIX = ("6", 6)
    SEVEN = ("7", 7)
    EIGHT = ("8", 8)
    NINE = ("9", 9)
    TEN = ("T", 10)
    JACK = ("J", 10)
    QUEEN = ("Q", 10)
    KING = ("K", 10)

    def __init__(self, symbol: str, points: int) -> None:
        self.symbol = symbol
        self.points = points


class Suit(Enum):
    """A suit. Suits never matter to the rules."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"


@dataclass(frozen=True, slots=True)
class Card:
    """One card.

    >>> Card.parse("Th")
    Card.parse('Th')
    >>> str(Card(Rank.ACE, Suit.SPADES))
    'As'
    """

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that `text` names, such as ``"As"``; raises `NotationError` for anything else."""
        try:
            return CARDS[text]
        except KeyError:
            raise NotationError("unknown_card", card=text) from None

    def __str__(self) -> str:
        return self.rank.symbol + self.suit.value

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


# One deck in the order in which an unshuffled shoe holds it: by suit s h d c, in each A 2 3 … Q K.
DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
CARDS: dict[str, Card] = {str(card): card for card in DECK}
