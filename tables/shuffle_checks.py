"""What a reader needs to check the shuffle of a finished round for themselves."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from engine.notation import format_cards
from engine.record import Record
from engine.round import Round
from engine.rules import Rules, Shuffle


class Hashes(Protocol):
    @property
    def commitment(self) -> str: ...

    @property
    def spare_commitment(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class ShuffleCheck:
    """The hashes that were shown before the bets, the seeds, and the cards of a round as they were dealt.

    `first` counts the cards of the shoe from 1. `seed`, `spare` and `cards` are empty while the shoe is in
    use; `spare_commitment` and `spare` also where the shoe has no seed for its discards. Without `decks` and
    `cards` it is a check of the hashes alone. `key` is that of the shoe, "" where it has none.
    """

    commitment: str
    seed: str = ""
    spare_commitment: str = ""
    spare: str = ""
    decks: int = 0
    first: int = 1
    cards: str = ""
    cut_card: bool = False
    key: str = ""


def shoe_key(table_code: str, number: int) -> str:
    """What a browser keeps the hashes of a shoe under: it finds them again, and nobody finds the table by it.

    The shoes of a table are counted through all its games.
    """
    return sha256(f"{table_code}/{number}".encode()).hexdigest()[:16]


def check_of(
    rules: Rules, record: Record, state: Round | None, shown: Hashes, *, finished: bool, key: str = ""
) -> ShuffleCheck:
    """`state` is the round after all its moves, None when nobody bet; `shown` is where the hashes are as they
    were told before the bets; `finished` says that of the shoe."""
    shoe = record.shoe
    return ShuffleCheck(
        commitment=shown.commitment,
        seed=shoe.seed.hex() if finished else "",
        spare_commitment=shown.spare_commitment or "",
        spare=shoe.spare.hex() if shoe.spare and finished else "",
        decks=rules.decks,
        first=shoe.dealt + 1,
        cards=_as_dealt(state) if state and finished else "",
        cut_card=rules.shuffle is Shuffle.CUT_CARD,
        key=key,
    )


def _as_dealt(state: Round) -> str:
    """The cards that lie on the table, not those of the shoe: they are what is to be checked."""
    placed = dict(zip(state.dealer_places, state.dealer, strict=True))
    for box in state.boxes:
        for hand in box.hands:
            placed |= zip(hand.places, hand.cards, strict=True)
    return format_cards(card for _, card in sorted(placed.items(), key=lambda one: one[0]))
