"""Where a page of a list begins: a place between two games, as a text for an address.

A cursor says what is on one side of it by the values the list is sorted by, so it stays where it is while new
games arrive. It is signed: whatever nobody was given here is refused before the database hears of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core import signing

LONGEST = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_signer = signing.Signer(salt="tables.cursors")


@dataclass(frozen=True, slots=True)
class Place:
    """A game in a list sorted by `sort`: by `value` where that is a number, then by date, then by id."""

    sort: str
    value: int
    dated: datetime
    game: str


def written(place: Place) -> str:
    moment = (place.dated - _EPOCH) // timedelta(microseconds=1)
    return _signer.sign_object([place.sort, place.value, moment, place.game])


def read(text: str, sort: str) -> Place:
    """Raises `ValueError` for whatever is no cursor of a list sorted so."""
    try:
        made_for, value, moment, game = _signer.unsign_object(text[: LONGEST + 1])
    except signing.BadSignature as error:
        raise ValueError("not a cursor") from error
    if made_for != sort:
        raise ValueError("a cursor of another order")
    return Place(sort, value, _EPOCH + timedelta(microseconds=moment), game)
