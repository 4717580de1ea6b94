"""The pieces of a table page: what each is made of, and each rendered once for all who see the same.

`Showing` is one version of a table as HTML. It knows the version before it, so that a frame for somebody
who saw that one holds the difference alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import get_template
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext as _

from engine.game import MATCH_ROUNDS
from engine.views import OwnView
from tables import clock, links, words
from tables.snapshot import Person, Snapshot

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reader:
    """All that a fragment may depend on besides the table: many sockets are one reader."""

    language: str
    player: str | None
    base: str = ""


class Showing:
    def __init__(self, seen: Snapshot, before: Showing | None = None) -> None:
        self.seen = seen
        self.serial: int = before.serial + 1 if before else 1
        self._before = before
        if before is not None:
            before._before = None
        self._public: dict[str, dict[str, str]] = {}
        self._personal: dict[Reader, dict[str, str]] = {}
        self._frames: dict[tuple[Reader, bool], str] = {}

    def frame(self, reader: Reader, *, since: int) -> str:
        """All that somebody has to be sent who was last shown the serial number `since`."""
        follows = self._before is not None and since == self._before.serial
        if (reader, follows) not in self._frames:
            with translation.override(reader.language):
                self._frames[reader, follows] = "".join(self._pieces(reader, follows))
        return self._frames[reader, follows]

    def _pieces(self, reader: Reader, follows: bool) -> Iterator[str]:
        pieces = {**self.public(reader.language), **self.personal(reader)}
        shown: Mapping[str, str] = {}
        if follows and self._before is not None:
            shown = {**self._before.public(reader.language), **self._before.personal(reader)}
        yield self.root()
        yield from (html for name, html in pieces.items() if shown.get(name) != html)
        yield self.say() if follows else pong()

    def say(self) -> str:
        """What a screen reader says: the new lines of the log, once."""
        before = self._before.seen.view if self._before else None
        view = self.seen.view
        told = before is not None and (before.game, before.shown_round) == (view.game, view.shown_round)
        new = view.log[len(before.log) :] if before is not None and told else view.log
        if not new or (before is not None and before.log == view.log):
            return ""
        return render("_say.html", {"say": " ".join(f"{words.log_line(line)}." for line in new)})

    def root(self) -> str:
        view = self.seen.view
        return (
            f'<div id="version" hx-swap-oob="true" hidden data-version="{self.seen.version}"'
            f' data-phase="{escape(view.phase)}" data-game="{view.game}"></div>'
        )

    def public(self, language: str) -> dict[str, str]:
        if language not in self._public:
            with translation.override(language):
                self._public[language] = {
                    name: render(template, context) for name, template, context in public_pieces(self.seen)
                }
        return self._public[language]

    def personal(self, reader: Reader) -> dict[str, str]:
        if reader not in self._personal:
            with translation.override(reader.language):
                self._personal[reader] = {
                    name: render(template, context)
                    for name, template, context in personal_pieces(self.seen, reader.player, reader.base)
                }
        return self._personal[reader]


Piece = tuple[str, str, Context]


def public_pieces(seen: Snapshot) -> Iterator[Piece]:
    context = public_context(seen)
    yield "status", "_status.html", context
    yield "dealer", "_dealer.html", context
    for seat in seen.view.seats:
        yield f"seat-{seat.seat}", "_seat.html", {**context, "seat": seat}
    for name in ("log", "standings", "people", "result"):
        yield name, f"_{name}.html", context


def personal_pieces(seen: Snapshot, player: str | None, base_url: str = "") -> Iterator[Piece]:
    context = {**public_context(seen), **personal_context(seen, player, base_url)}
    for name in ("offer", "lobby", "own", "actions", "tray", "menu"):
        yield name, f"_{name}.html", context


def public_context(seen: Snapshot) -> dict[str, Any]:
    view, away = seen.view, seen.away()
    named = [seat for seat in view.seats if seat.seat in view.waiting_for]
    seated = {seat.player for seat in view.seats}
    spectators = [person.name for person in seen.people if person.present and person.player not in seated]
    return {
        "view": view,
        "version": seen.version,
        "deadline": None if seen.deadline is None else milliseconds(seen.deadline),
        # In the status as it was rendered first: a later reading would make it differ for no reason.
        "now": milliseconds(seen.taken),
        "waiting": [seat.name for seat in named],
        "away": away,
        "away_names": [seat.name for seat in named if seat.seat in away],
        "spectators": spectators + [_("Guest")] * seen.strangers,
        "rounds_choices": MATCH_ROUNDS,
        "code": seen.code,
        "game_url": reverse("game", args=[seen.stored]) if seen.stored else "",
    }


def personal_context(seen: Snapshot, player: str | None, base_url: str = "") -> dict[str, Any]:
    you: OwnView | None = seen.own(player)
    person: Person | None = seen.person(player) if player is not None else None
    return {
        "you": you,
        "name": person.name if person else "",
        "is_host": player is not None
        and any(seat.player == player and seat.host for seat in seen.view.seats),
        "clock": seen.game.rules.bet_seconds is not None,
        "listed": seen.listed,
        "seat_url": links.seat_url(person.seat_secret, base_url) if person and you and you.seat else "",
        "seat_qr": links.qr(links.seat_url(person.seat_secret, base_url))
        if person and you and you.seat
        else "",
        "stoppable": [seat for seat in seen.long_away() if not seat.auto and seat.player != player],
    }


def render(template: str, context: Context) -> str:
    return get_template(f"tables/{template}").render({**context, "oob": True})


def milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def toast(code: str, params: Mapping[str, Any], language: str) -> str:
    with translation.override(language):
        return render("_toast.html", {"text": words.refusal(code, params)})


def pong() -> str:
    return render("_pong.html", {"now": milliseconds(clock.now())})
