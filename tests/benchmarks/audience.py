"""What a crowd's pages cost: `python -m tests.benchmarks.audience [backers]` prints milliseconds, and asserts
nothing.

Seven people sit at an open table and each of the backers bets behind three of them. A bet behind is measured
from its frame to the committed row; then what it takes to make the frames of everybody who looks on, and how
many bytes they have.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections import defaultdict
from time import perf_counter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "openseat_site.settings")
DATA = tempfile.TemporaryDirectory(prefix="openseat-audience-")
os.environ["DATA_DIR"] = DATA.name

import django  # noqa: E402

django.setup()

# What follows needs the settings.
from django.core.management import call_command  # noqa: E402

from engine.game import Kind  # noqa: E402
from engine.rules import PRESETS  # noqa: E402
from tables import messages, presence, services, snapshot  # noqa: E402
from tables.fragments import Reader, Showing  # noqa: E402
from tables.moves import with_clock  # noqa: E402

SEATS = 7
Times = dict[str, list[float]]


def guest(kind: str, number: int) -> str:
    return f"{kind}{number}".ljust(22, "-")


def seen_at(code: str) -> snapshot.Snapshot:
    seen = snapshot.take(code)
    assert seen is not None
    return seen


class Evening:
    def __init__(self, backers: int) -> None:
        self.seated = [guest("player", number) for number in range(1, SEATS + 1)]
        self.crowd = [guest("backer", number) for number in range(1, backers + 1)]
        rules = with_clock(PRESETS["casino8"], on=True)
        self.code = services.open_table(self.seated[0], "Player 1", rules, Kind.OPEN, 10, listed=False)
        for number, one in enumerate(self.seated[1:], 2):
            services.join(self.code, one, f"Player {number}", sit=True)
        for number, one in enumerate(self.crowd, 1):
            services.join(self.code, one, f"Backer {number}", sit=False)
        for one in (*self.seated, *self.crowd):
            presence.arrive(self.code, one)
        self.times: Times = defaultdict(list)
        self.sizes: Times = defaultdict(list)
        self.showing: Showing | None = None
        self.show("(first page)")

    def send(self, name: str, who: str, **payload: str) -> None:
        begin = perf_counter()
        services.request(self.code, who, messages.request({"action": name, **payload}))
        self.times[name].append(perf_counter() - begin)

    def show(self, name: str) -> None:
        """The frames of everybody, as the hub makes them."""
        begin = perf_counter()
        seen = seen_at(self.code)
        before, self.showing = self.showing, Showing(seen, self.showing)
        since = before.serial if before else 0
        size = 0
        for one in (*self.seated, *self.crowd):
            reader = Reader("en", seen.player_of(one), "http://localhost")
            size += len(self.showing.frame(reader, since=since))
        self.times[name].append(perf_counter() - begin)
        self.sizes[name].append(size / (len(self.seated) + len(self.crowd)))

    def ask(self, who: str) -> str:
        seen = seen_at(self.code)
        own = seen.own(seen.player_of(who))
        assert own is not None
        assert own.backing is not None or own.asks
        return own.backing.ask if own.backing is not None else own.asks[0].ask

    def play(self) -> None:
        for number, one in enumerate(self.crowd):
            for box in range(3):
                seat = str((number + box) % SEATS + 1)
                self.send("back", one, ask=self.ask(one), seat=seat, amount="10", pair="10")
                if number % 20 == 0:
                    self.show("(after a bet behind)")
        for one in self.crowd:
            self.send("done", one, ask=self.ask(one))
        self.show("(after Done)")
        for one in self.seated:
            self.send("bet", one, ask=self.ask(one), amount="50")
            self.show("(after a bet)")


def main(backers: int) -> None:
    call_command("migrate", interactive=False, verbosity=0)
    evening = Evening(backers)
    evening.play()
    sys.stdout.write(f"{backers} backers, milliseconds (median and worst), bytes a reader\n")
    for name, times in evening.times.items():
        size = f"{statistics.median(evening.sizes[name]):8,.0f} B" if name in evening.sizes else ""
        sys.stdout.write(f"{name:24}{1000 * statistics.median(times):9.1f}{1000 * max(times):9.1f} {size}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
