"""Games played by nobody, for measuring: tables are opened, bets laid and hands played as by people."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings

from engine.errors import EngineError
from engine.game import Kind
from engine.rules import PRESETS
from engine.shown import AskView, OwnView
from tables import codes, messages, rule_sets, services, snapshot
from tables.errors import Refused
from tables.moves import with_clock

GIVEN = (
    "Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Оля", "Тарас", "Zoë",
)  # fmt: skip
# A match ends by itself; what is open-ended goes on for so many rounds.
ROUNDS = (1, 30)
# Whatever goes wrong, a game is given up after so many answers.
PATIENCE = 5_000
# Nobody lets the clock run out.
ANSWER = timedelta(seconds=2)
MOVES = ("hit", "stand", "stand", "stand", "double", "split")


@dataclass
class Calendar:
    """The clock of a rehearsal."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Rehearsal:
    """A crowd of which some come often and most hardly ever, so that nicknames are as rare as in life."""

    dice: random.Random
    calendar: Calendar
    browsers: dict[str, str] = field(default_factory=dict)

    def play(self) -> str:
        """One game of some table, from its beginning to its end; the table's code is returned."""
        preset = self.dice.choice(list(PRESETS))
        kind = self.dice.choice(rule_sets.KINDS[preset])
        names = self._people(1 if kind is Kind.SOLO else self.dice.randrange(2, 6))
        seats = min(len(names), self.dice.choice((2, 2, 2, 3, 4)))
        rules = with_clock(PRESETS[preset], on=kind is Kind.OPEN)
        host = self._browser(names[0])
        code = services.open_table(host, names[0], rules, kind, 10, listed=self.dice.random() < 0.9)
        for place, name in enumerate(names[1:], 1):
            services.join(code, self._browser(name), name, sit=place < seats)
        table = _Table(code, [self._browser(name) for name in names], self.dice, self.calendar)
        if kind is Kind.MATCH:
            table.start()
        table.play(self.dice.randint(*ROUNDS))
        self._end(table, kind)
        return code

    def _people(self, how_many: int) -> list[str]:
        names: list[str] = []
        while len(names) < how_many:
            name, rank = self.dice.choice(GIVEN), int(self.dice.paretovariate(0.7))
            name = name if rank == 1 else f"{name} {min(rank, 9999)}"
            if name not in names:
                names.append(name)
        return names

    def _browser(self, name: str) -> str:
        return self.browsers.setdefault(name, codes.new_guest_id())

    def _end(self, table: _Table, kind: Kind) -> None:
        self.calendar.now += timedelta(minutes=self.dice.randrange(5, 50))
        if kind is Kind.SOLO and self.dice.random() < 0.9:
            table.do(table.browsers[0], "new_game")
        elif kind is Kind.OPEN and self.dice.random() < 0.9:
            for browser in table.browsers:
                table.do(browser, "leave")
            # Nobody comes back, and after a while the game is over.
            self.calendar.now += services.EMPTY
            services.tidy()
            self.calendar.now += services.EMPTY
            services.tidy()


class _Table:
    def __init__(self, code: str, browsers: Sequence[str], dice: random.Random, calendar: Calendar) -> None:
        self.code, self.browsers, self.dice, self.calendar = code, browsers, dice, calendar

    def seen(self) -> snapshot.Snapshot:
        seen = snapshot.take(self.code)
        if seen is None:
            raise LookupError(self.code)
        return seen

    def own(self, seen: snapshot.Snapshot, browser: str) -> OwnView | None:
        return seen.own(seen.player_of(browser))

    def send(self, browser: str, action: str, **fields: object) -> bool:
        try:
            services.request(self.code, browser, messages.request({"action": action, **fields}))
        except (Refused, EngineError):
            return False
        return True

    def do(self, browser: str, command: str, **fields: object) -> bool:
        return self.send(browser, command, game=self.seen().view.game, **fields)

    def start(self) -> None:
        for browser in self.browsers[1:]:
            self.do(browser, "ready", ready="1")
        self.do(self.browsers[0], "start")

    def play(self, rounds: int) -> None:
        for _ in range(PATIENCE):
            seen = self.seen()
            if seen.view.phase == "over" or (
                seen.view.phase == "betting" and seen.view.round_number > rounds
            ):
                return
            if seen.view.kind == "match":
                rounds = seen.view.rounds
            self.calendar.now += ANSWER
            answered = any(self.answer(seen, browser) for browser in self.browsers)
            if not answered and not self.do(self.browsers[0], "deal"):
                return
        logging.getLogger(__name__).warning("Table %s was given up", self.code)

    def answer(self, seen: snapshot.Snapshot, browser: str) -> bool:
        """What this person has to do now; False when that is nothing."""
        own = self.own(seen, browser)
        if own is None:
            return False
        for ask in own.asks:
            if ask.kind != "bet" or not own.bet:
                return self.bet(browser, own, ask) if ask.kind == "bet" else self.decide(browser, ask)
        backing = own.backing
        if backing is None or not backing.open or backing.done:
            return False
        boxes = [box.box for box in backing.boxes if box.reason is None]
        if boxes and not backing.laid and self.dice.random() < 0.5:
            seat = self.dice.choice(boxes)
            self.send(browser, "back", ask=backing.ask, seat=seat, amount=own.min_bet, pair=0)
            return True
        return backing.waited and self.send(browser, "done", ask=backing.ask)

    def bet(self, browser: str, own: OwnView, ask: AskView) -> bool:
        most = min(own.chips, own.max_bet)
        amount = min(own.min_bet * self.dice.choice((1, 2, 5, 5, 10, 20)), most)
        amount = max(amount - amount % own.bet_step, own.min_bet)
        return self.send(browser, "bet", ask=ask.ask, amount=amount) or self.send(
            browser, "sit_out", ask=ask.ask
        )

    def decide(self, browser: str, ask: AskView) -> bool:
        able = [option.action for option in ask.options if option.enabled]
        liked = [move for move in MOVES if move in able] or able
        return bool(liked) and self.send(browser, self.dice.choice(liked), ask=ask.ask)


def rehearsed(dice: random.Random, since: datetime) -> Rehearsal:
    """A rehearsal that begins at that time; this process has its clock from now on."""
    calendar = Calendar(since)
    settings.CLOCK = calendar
    return Rehearsal(dice, calendar)
