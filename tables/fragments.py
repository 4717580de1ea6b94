"""The pieces of a table page: what each is made of, and each rendered once for all who see the same.

`Showing` is one version of a table as HTML. It knows the version before it, so that a frame for somebody
who saw that one holds the difference alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from django.template.loader import get_template
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext as _

from engine.game import MATCH_ROUNDS, Kind
from engine.rules import Rules
from engine.shown import OwnView, PublicView, SeatView
from tables import behind, clock, links, log, places, rule_sets, words
from tables.people import Person
from tables.snapshot import Snapshot

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reader:
    """All that a fragment may depend on besides the table: many sockets are one reader."""

    language: str
    player: str | None
    base: str = ""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A fragment as HTML, with what it was made of."""

    inputs: tuple[object, ...]
    html: str


Pieces = dict[str, Rendered]


class Showing:
    def __init__(self, seen: Snapshot, before: Showing | None = None) -> None:
        self.seen = seen
        self.serial: int = before.serial + 1 if before else 1
        self._before = before
        if before is not None:
            before._before = None
        self._contexts: dict[str, Context] = {}
        self._public: dict[str, Pieces] = {}
        self._personal: dict[Reader, Pieces] = {}
        self._frames: dict[tuple[Reader, bool], str] = {}

    def frame(self, reader: Reader, *, since: int) -> str:
        """All that somebody has to be sent who was last shown the serial number `since`."""
        follows = self._before is not None and since == self._before.serial
        if (reader, follows) not in self._frames:
            with translation.override(reader.language):
                self._frames[reader, follows] = "".join(self._parts(reader, follows))
        return self._frames[reader, follows]

    def _parts(self, reader: Reader, follows: bool) -> Iterator[str]:
        pieces = {**self._public_pieces(reader.language), **self._personal_pieces(reader)}
        shown: Pieces = {}
        if follows and self._before is not None:
            before = self._before
            shown = {**before._public_pieces(reader.language), **before._personal_pieces(reader)}
        yield self._root()
        for name, piece in pieces.items():
            if name not in shown or shown[name].html != piece.html:
                yield piece.html
        yield self._say() if follows else pong()

    def _root(self) -> str:
        view = self.seen.view
        return (
            f'<div id="version" hx-swap-oob="true" hidden data-version="{self.seen.version}"'
            f' data-phase="{escape(view.phase)}" data-game="{view.game}"></div>'
        )

    def _say(self) -> str:
        """What a screen reader says: the new lines of the log, once."""
        before = self._before.seen.view if self._before else None
        view = self.seen.view
        told = before is not None and (before.game, before.shown_round) == (view.game, view.shown_round)
        new = log.told(view)[len(before.log) if before is not None and told else 0 :]
        if not new or (before is not None and before.log == view.log):
            return ""
        said = (words.log_line(line, voice_of(view)) for line in new)
        return render("_say.html", {"say": " ".join(f"{one}." for one in said)})

    def _public_pieces(self, language: str) -> Pieces:
        if language not in self._public:
            known = self._before._public.get(language, {}) if self._before else {}
            pieces = public_pieces(self.seen, self._context(language))
            self._public[language] = rendered(pieces, known, language)
        return self._public[language]

    def _personal_pieces(self, reader: Reader) -> Pieces:
        if reader not in self._personal:
            known = self._before._personal.get(reader, {}) if self._before else {}
            pieces = personal_pieces(self.seen, self._context(reader.language), reader.player, reader.base)
            self._personal[reader] = rendered(pieces, known, reader.language)
        return self._personal[reader]

    def _context(self, language: str) -> Context:
        """What all fragments of one language are made of: once, for however many readers."""
        if language not in self._contexts:
            self._contexts[language] = public_context(self.seen)
        return self._contexts[language]


Piece = tuple[str, str, Context]


def rendered(pieces: Iterable[Piece], known: Pieces, language: str) -> Pieces:
    """Each piece as HTML; what is made of the same as before is not made again."""
    with translation.override(language):
        return {name: _rendered(template, context, known.get(name)) for name, template, context in pieces}


def _rendered(template: str, context: Context, known: Rendered | None) -> Rendered:
    inputs = inputs_of(template).of(context)
    if known is not None and known.inputs == inputs:
        return known
    return Rendered(inputs, render(template, context))


@dataclass(frozen=True, slots=True)
class Inputs:
    """The names that a template mentions; of `view`, which changes all the time, its attributes."""

    names: tuple[str, ...]
    of_view: tuple[str, ...]

    def of(self, context: Context) -> tuple[object, ...]:
        view = context["view"]
        return (
            *(context.get(name) for name in self.names),
            *(getattr(view, attribute) for attribute in self.of_view),
        )


@cache
def inputs_of(template: str) -> Inputs:
    """Read from the template itself: a name too many costs time, a name too few would freeze the page."""
    source = re.sub(r'"[^"]*"', "", " ".join(re.findall(r"{[{%].*?[}%]}", source_of(template))))
    names = set(re.findall(r"[A-Za-z_]\w*", source)) & CONTEXT_NAMES
    of_view = set(re.findall(r"\bview\.(\w+)", source))
    if re.search(r"\bview\b(?!\.\w)", source):
        names.add("view")
    return Inputs(tuple(sorted(names)), tuple(sorted(of_view & PublicView.__dataclass_fields__.keys())))


def source_of(template: str) -> str:
    """The text of a template and of all that it includes."""
    source: str = get_template(f"tables/{template}").template.source  # type: ignore[attr-defined]
    included = re.findall(r'{% include "tables/(\w+\.\w+)"', source)
    if source.count("{% include") != len(included):
        raise ValueError(f"{template} includes something that is not named in it")
    return source + "".join(source_of(name) for name in included)


CONTEXT_NAMES = frozenset(
    {
        "seat",
        "box",
        "spare",
        "lines",
        "voice",
        "places",
        "rules",
        "rules_title",
        "you",
        "boxes",
        "backable",
        "stakes",
        "last_pair",
        "purse",
        "asked_behind",
        "as_backer",
        "fresh_stack",
        "free_seat",
        "nobody_sits",
        "arrangement",
        "staked",
        "natural",
        "chip_values",
        "name",
        "version",
        "deadline",
        "now",
        "waiting",
        "away",
        "away_names",
        "spectators",
        "code",
        "game_url",
        "rounds_choices",
        "is_host",
        "ready",
        "clock",
        "listed",
        "seat_url",
        "seat_qr",
        "stoppable",
    }
)


def public_pieces(seen: Snapshot, context: Context) -> Iterator[Piece]:
    yield "status", "_status.html", context
    yield "dealer", "_dealer.html", context
    yield "shoe", "_shoe.html", context
    for place in context["places"]:
        yield f"seat-{place.seat.seat}", "_seat.html", {**context, **place.context}
    yield "log", "_log.html", {**context, "lines": log.told(seen.view)}
    for name in ("standings", "backers", "proofs", "people", "result"):
        yield name, f"_{name}.html", context


def personal_pieces(
    seen: Snapshot, shared: Context, player: str | None, base_url: str = ""
) -> Iterator[Piece]:
    context = {**shared, **personal_context(seen, shared, player, base_url)}
    for name in ("offer", "lobby", "own", "actions", "tray", "menu"):
        yield name, f"_{name}.html", context


def public_context(seen: Snapshot) -> dict[str, Any]:
    view, away, voice = seen.view, seen.away(), voice_of(seen.view)
    named = [seat for seat in view.seats if seat.seat in view.waiting_for]
    seated = {seat.player for seat in view.seats}
    spectators = [
        person.name for person in seen.people.known if person.present and person.player not in seated
    ]
    return {
        "view": view,
        "rules": seen.game.rules,
        "rules_title": rule_sets.title(rules_name(seen.game.rules)),
        "voice": voice,
        "places": tuple(places.of(view)),
        "version": seen.version,
        "deadline": None if seen.deadline is None else milliseconds(seen.deadline),
        "now": milliseconds(seen.taken),
        # Who is asked on three boxes is one person to wait for.
        "waiting": list(dict.fromkeys(seat.name for seat in named)),
        "away": away,
        "away_names": list(dict.fromkeys(seat.name for seat in named if seat.seat in away)),
        "spectators": spectators + [_("Guest")] * seen.people.strangers,
        "free_seat": next((seat.seat for seat in view.seats if not seat.player), None),
        "nobody_sits": view.kind == Kind.OPEN.value and not any(seat.player for seat in view.seats),
        "rounds_choices": MATCH_ROUNDS,
        "code": seen.code,
        "game_url": reverse("game", args=[seen.stored]) if seen.stored else "",
    }


def voice_of(view: PublicView) -> words.Voice:
    return words.Voice(places.several(view), view.kind == Kind.SOLO.value)


rules_name = lru_cache(64)(rule_sets.name_of)


def personal_context(
    seen: Snapshot, shared: Context, player: str | None, base_url: str = ""
) -> dict[str, Any]:
    you: OwnView | None = seen.own(player)
    person: Person | None = seen.people.by_player(player) if player is not None else None
    seat_url = links.seat_url(person.seat_secret, base_url) if person and you and you.seat else ""
    rules = seen.game.rules
    several = shared["voice"].several
    return {
        "you": you,
        "boxes": places.boxes(seen.game, you),
        "backable": behind.boxes(seen.game, you, several),
        "stakes": behind.stakes(you, several),
        "purse": behind.purse(you),
        "last_pair": behind.last_pair(seen.game, you),
        "arrangement": places.arrangement(seen.view, you),
        "staked": places.staked(seen.view, you),
        "natural": places.even_money(seen.view, you, rules),
        "chip_values": chip_values(rules),
        "name": person.name if person else "",
        "is_host": you is not None and you.host,
        "fresh_stack": behind.fresh_stack(seen.game, you),
        "as_backer": behind.as_backer(you),
        "asked_behind": behind.asked(seen.view, you, several),
        "ready": you is not None and any(seat.ready for seat in seen.view.seats if seat.seat == you.seat),
        "clock": rules.bet_seconds is not None,
        "listed": seen.listed,
        "seat_url": seat_url,
        "seat_qr": links.qr(seat_url) if seat_url else "",
        "stoppable": stoppable(seen, player),
    }


def stoppable(seen: Snapshot, player: str | None) -> list[SeatView]:
    """Whom the others of a match may stop waiting for; elsewhere the clock does."""
    if seen.game.kind is not Kind.MATCH:
        return []
    return [seat for seat in seen.long_away() if not seat.auto and seat.player != player]


MOST_CHIPS = 4


@lru_cache(64)
def chip_values(rules: Rules) -> tuple[int, ...]:
    """The chips of the tray: the least bet, and round sums that can be bet."""

    def round_sums(digits: tuple[int, ...]) -> list[int]:
        sums = (digit * 10**power for power in range(10) for digit in digits)
        return [one for one in sums if rules.min_bet < one <= rules.max_bet and one % rules.bet_step == 0]

    few, more = round_sums((1, 5)), round_sums((1, 2, 5))
    return (rules.min_bet, *(few if len(few) >= MOST_CHIPS - 1 else more)[: MOST_CHIPS - 1])


def render(template: str, context: Context) -> str:
    return get_template(f"tables/{template}").render({**context, "oob": True})


def milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def toast(code: str, params: Mapping[str, Any], language: str) -> str:
    with translation.override(language):
        return render("_toast.html", {"text": words.refusal(code, params)})


def pong() -> str:
    return render("_pong.html", {"now": milliseconds(clock.now())})
