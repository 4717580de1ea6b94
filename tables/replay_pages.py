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

# So many lines of a step have room below the felt, its title one of them, on a phone and on a larger screen.
A_PHONE_SHOWS, A_DESK_SHOWS = 3, 7
# So many letters have room in a line of a phone in any case, and so many as a rule.
SHORT_LINE, LONG_LINE = 20, 42


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

    @property
    def moulds(self) -> list[SafeString]:
        """What keeps room for all that will ever lie here, whatever the width."""
        return list(dict.fromkeys(_mould(variant.html) for variant in self.variants))


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step in words; in `marked` its names can be told from the rest. `box` and `hand` say what lights up,
    "" for nothing."""

    number: int
    title: str
    marked: list[str]
    box: str
    hand: int

    @property
    def lines(self) -> list[str]:
        return list(map(replay_words.plain, self.marked))

    @property
    def parts(self) -> list[list[replay_words.Part]]:
        """Where a line is too long its names get shorter, and no figure does."""
        return list(map(replay_words.parts, self.marked))

    @property
    def all(self) -> tuple[str, ...]:
        return (self.title, *self.lines) if self.title else tuple(self.lines)

    @property
    def more(self) -> str:
        """What a phone has no room for, as a sign: "+2" lines, "…" where only lines are cut, else nothing."""
        if sum(1 + len(line) // LONG_LINE for line in self.all) <= A_PHONE_SHOWS:
            return ""
        return self._beyond(A_PHONE_SHOWS) or "…"

    @property
    def more_wide(self) -> str:
        """The same of a larger screen."""
        return self._beyond(A_DESK_SHOWS)

    def _beyond(self, shown: int) -> str:
        return f"+{len(self.all) - shown}" if len(self.all) > shown else ""


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
    def longest(self) -> list[StepLine]:
        """Steps of which one takes the most room, whatever the width: shorter ones cannot."""
        met = {step.all: step for step in self.steps if len(step.all) > 1 or len(step.all[0]) > SHORT_LINE}
        return list(met.values())

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
    voice = Voice(frozenset(map(replay_words.mark, places.several(told))), game.kind is Kind.SOLO)
    steps = [
        StepLine(
            at,
            replay_words.title(step),
            replay_words.lines(replay_words.marked(step), game, voice),
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


def _mould(html: str) -> SafeString:
    """The same to be laid out and not to be read: no ids, no words to be found, and nothing of what has one
    height whatever it says: the cards, the names and chips, the totals and bets of hands."""
    html = re.sub(r"<li class=\"card.*?</li> ?", "", html)
    html = re.sub(r" (?:id|data-[\w-]+|aria-[\w-]+)=\"[^\"]*\"", "", html)
    html = re.sub(
        r"(<(h2|h3|p) class=\"(?:dealer-title|seat-name|seat-box|seat-chips|hand-info)\">).*?</\2>",
        r"\1</\2>",
        html,
    )
    html = re.sub(r">([^<>]*[^<>\s][^<>]*)<", _told, html)
    return mark_safe(html)  # noqa: S308


def _told(text: re.Match[str]) -> str:
    said = text[1].replace('"', "&quot;")
    return f'><i data-text="{said}"></i><'


def _show(piece: Piece, step: int, template: str, context: Context, before: dict[int, Context]) -> None:
    if before.get(piece.box) != context:
        before[piece.box] = context
        html = get_template(f"tables/{template}").render(dict(context))
        # Of the spaces between tags one is as good as many, and there are many.
        piece.variants.append(Variant(step, mark_safe(re.sub(r"\s+", " ", html).strip())))  # noqa: S308
