"""The shoe: decks in an order fixed by a seed, whose hash is shown before the bets close."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.cards import DECK, Card
from engine.errors import ShoeEmpty

SEED_BYTES = 32


def commitment(seed: bytes) -> str:
    """The SHA-256 of `seed` in lower-case hex, shown before anyone can know the cards.

    >>> commitment(bytes(range(32)))
    '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'
    """
    return hashlib.sha256(seed).hexdigest()


def _words(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(seed, counter.to_bytes(8, "big"), "sha256")
        yield from struct.unpack(">8I", block)
        counter += 1


def shuffle(cards: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """`cards` in the order that `seed` (32 bytes) fixes: Fisher-Yates over the words of HMAC-SHA256.

    Words that would favour some places are thrown away, so every order is equally likely.

    >>> " ".join(map(str, shuffle(DECK, bytes(range(32)))[:6]))
    '5c Qc 9c Ts 8d 6d'
    """
    shuffled = list(cards)
    words = _words(seed)
    for last in range(len(shuffled) - 1, 0, -1):
        places = last + 1
        limit = 2**32 - 2**32 % places
        word = next(words)
        while word >= limit:
            word = next(words)
        other = word % places
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return tuple(shuffled)


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards in the order in which they come, and how many of them are dealt."""

    cards: tuple[Card, ...]
    dealt: int = 0

    @classmethod
    def from_seed(cls, seed: bytes, decks: int) -> Shoe:
        """A fresh shoe of `decks` decks in the order of `seed` (32 bytes)."""
        return cls(shuffle(DECK * decks, seed))

    def draw(self) -> tuple[Card, Shoe]:
        """The next card and the shoe without it; raises `ShoeEmpty`."""
        if self.dealt >= len(self.cards):
            raise ShoeEmpty
        return self.cards[self.dealt], replace(self, dealt=self.dealt + 1)
