"""What the page of a replayed round is made of: the pieces of its felt, each only as often as it changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe

from engine.game import Game, Kind
from tables import places, replay_words
from tables.replay import DEALER, Replay
from tables.words import Voice

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """How a piece looks from a step on, until the next variant begins."""

    step: int
    html: SafeString


@dataclass(slots=True)
class Piece:
    """A part of the felt: the dealer, or a seat. `hands` is the most hands that it comes to have."""

    name: str
    box: int
    hands: int = 0
    variants: list[Variant] = field(default_factory=list)
    now: Variant | None = None
    lit: int | None = None


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step in words. `box` and `hand` say what lights up, "" for nothing."""

    number: int
    title: str
    lines: list[str]
    box: str
    hand: int


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """The felt after step `number`, and all that is needed to show any other step instead."""

    number: int
    steps: list[StepLine]
    dealer: Piece
    seats: list[Piece]

    @property
    def last(self) -> int:
        return len(self.steps) - 1

    @property
    def step(self) -> StepLine:
        return self.steps[self.number]

    @property
    def previous(self) -> int:
        return max(0, self.number - 1)

    @property
    def next(self) -> int:
        return min(self.last, self.number + 1)

    @property
    def pieces(self) -> list[Piece]:
        return [self.dealer, *self.seats]


def page_of(game: Game, told: places.Told, number: int) -> ReplayPage | None:
    """The page of step `number` of the round that `game` shows (see `Replay`); None where it has no such."""
    replay = Replay(game)
    if not 0 <= number < len(replay.steps):
        return None
    voice = Voice(places.several(told), game.kind is Kind.SOLO)
    steps = [
        StepLine(
            at,
            replay_words.title(step),
            replay_words.lines(step, game, voice),
            "" if step.box is None else str(step.box),
            step.hand,
        )
        for at, step in enumerate(replay.steps)
    ]
    dealer, seats = _pieces(replay)
    here = replay.steps[number]
    for piece in (dealer, *seats):
        piece.now = max((one for one in piece.variants if one.step <= number), key=lambda one: one.step)
        piece.lit = here.hand if here.box == piece.box else None
    return ReplayPage(number, steps, dealer, seats)


def _pieces(replay: Replay) -> tuple[Piece, list[Piece]]:
    dealer = Piece("dealer", DEALER)
    seats: dict[int, Piece] = {}
    before: dict[int, Context] = {}
    for number, view in enumerate(replay.views()):
        _show(dealer, number, "_dealer.html", {"view": {"dealer": view.dealer, "void": view.void}}, before)
        for place in places.of(view):
            if place.seat.player is None:
                continue
            box = place.seat.seat
            piece = seats.setdefault(box, Piece(f"seat-{box}", box))
            piece.hands = max(piece.hands, len(place.seat.hands))
            _show(piece, number, "_replay_seat.html", place.context, before)
    return dealer, list(seats.values())


def _show(piece: Piece, step: int, template: str, context: Context, before: dict[int, Context]) -> None:
    if before.get(piece.box) != context:
        before[piece.box] = context
        html = get_template(f"tables/{template}").render(dict(context))
        # Of the spaces between tags one is as good as many, and there are many.
        piece.variants.append(Variant(step, mark_safe(re.sub(r"\s+", " ", html).strip())))  # noqa: S308
