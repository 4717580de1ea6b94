"""The shoe: decks in an order fixed by a seed, whose hash is shown before the bets close."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

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


@lru_cache(maxsize=32)
def _shuffled_decks(decks: int, seed: bytes) -> tuple[Card, ...]:
    # All rounds of a shoe are dealt from the same order, one after another.
    return shuffle(DECK * decks, seed)


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards in the order in which they come, and how many of them are dealt.

    The first `played` cards were used in earlier rounds: they are the discards. Should the shoe run out in
    the middle of a round, the discards are shuffled by the seed `spare` and dealt next, once.
    """

    cards: tuple[Card, ...]
    dealt: int = 0
    played: int = 0
    spare: bytes | None = None
    reshuffled: bool = False

    @classmethod
    def from_seed(cls, seed: bytes, decks: int, *, played: int = 0, spare: bytes | None = None) -> Shoe:
        """A shoe of `decks` decks in the order of `seed` (32 bytes), `played` cards of which are discards."""
        return cls(_shuffled_decks(decks, seed), played, played, spare)

    @property
    def left(self) -> int:
        """Cards that are still in the shoe."""
        return len(self.cards) - self.dealt

    def draw(self) -> tuple[Card, Shoe]:
        """The next card and the shoe without it; raises `ShoeEmpty`."""
        shoe = self
        if not self.left and self.spare is not None:
            shoe = Shoe(shuffle(self.cards[: self.played], self.spare), reshuffled=True)
        if not shoe.left:
            raise ShoeEmpty
        return shoe.cards[shoe.dealt], replace(shoe, dealt=shoe.dealt + 1)


@dataclass(frozen=True, slots=True)
class SealedShoe:
    """A shoe in use at a table, by its causes: `number` counts the shoes of the table, `dealt` is how many
    cards finished rounds have used.

    The seeds fix every card to come: they reach nobody before the shoe is finished. `spare` is the seed for
    the discards of a cut-card shoe.
    """

    number: int
    seed: bytes
    spare: bytes | None = None
    dealt: int = 0

    @property
    def commitment(self) -> str:
        """The hash of the seed, shown before the bets close."""
        return commitment(self.seed)

    @property
    def spare_commitment(self) -> str | None:
        """The hash of the seed for the discards."""
        return None if self.spare is None else commitment(self.spare)


def cut_after(decks: int, share: float) -> int:
    """How many cards of a shoe lie before the cut card.

    >>> cut_after(8, 0.5)
    208
    """
    return round(len(DECK) * decks * share)
