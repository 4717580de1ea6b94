"""What a click costs: `python -m tests.benchmarks.click [clicks]` prints milliseconds, and asserts nothing.

A click is measured from its frame to the committed row, on a database file as in real life; then what it
takes to make the frames of two players and a spectator of the new version.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections import defaultdict
from time import perf_counter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "openseat_site.settings")
DATA = tempfile.TemporaryDirectory(prefix="openseat-click-")
os.environ["DATA_DIR"] = DATA.name

import django  # noqa: E402

django.setup()

# What follows needs the settings.
from django.core.management import call_command  # noqa: E402

from engine.game import Kind  # noqa: E402
from engine.rules import PRESETS  # noqa: E402
from engine.shown import OwnView, SeatView  # noqa: E402
from tables import messages, services, snapshot  # noqa: E402
from tables.fragments import Reader, Showing  # noqa: E402
from tables.moves import with_clock  # noqa: E402

ALICE, BOB = "alice" + "-" * 17, "bob" + "-" * 19
TABLES = (
    ("match, house game", Kind.MATCH, "openseat"),
    ("open table, live table", Kind.OPEN, "casino8"),
    ("open table, shoe game", Kind.OPEN, "classic6"),
    ("alone, house game", Kind.SOLO, "openseat"),
)
Times = dict[str, list[float]]


def opened(kind: Kind, preset: str) -> tuple[str, list[str]]:
    rules = with_clock(PRESETS[preset], on=kind is Kind.OPEN)
    code = services.open_table(ALICE, "Alice", rules, kind, 30, listed=False)
    if kind is Kind.SOLO:
        return code, [ALICE]
    services.join(code, BOB, "Bob", sit=True)
    return code, [ALICE, BOB]


def clicks(code: str, guests: list[str], most: int) -> Times:
    """Everybody bets and draws to twelve, as long as there are clicks."""
    times: Times = defaultdict(list)
    last: Showing | None = None
    for _ in range(most):
        guest, payload = next_click(code, guests)
        begin = perf_counter()
        services.request(code, guest, messages.request(payload))
        times[payload["action"]].append(perf_counter() - begin)
        begin = perf_counter()
        now = seen_at(code)
        showing = Showing(now, last)
        for player in (*map(now.player_of, guests), None):
            showing.frame(Reader("en", player, "http://localhost"), since=last.serial if last else 0)
        last = showing
        times["(frames)"].append(perf_counter() - begin)
    return times


def next_click(code: str, guests: list[str]) -> tuple[str, dict[str, str]]:
    seen = seen_at(code)
    if seen.view.phase in ("lobby", "over"):
        unready = [guest for guest in guests[1:] if not seat_of(seen, guest).ready]
        action = "ready" if unready else "start"
        return (*unready, guests[0])[0], {"action": action, "game": str(seen.view.game)}
    for guest in guests:
        for ask in own_of(seen, guest).asks:
            seat = seen.view.seats[ask.box - 1]
            if ask.kind == "bet":
                if not seat.answered:
                    return guest, {"action": "bet", "ask": ask.ask, "amount": "10"}
            elif ask.kind == "turn":
                hand = next(hand for hand in seat.hands if hand.in_turn)
                return guest, {"action": "hit" if hand.total < 12 else "stand", "ask": ask.ask}
            else:
                return guest, {"action": "decline", "ask": ask.ask}
    raise AssertionError("nobody is asked anything")


def seen_at(code: str) -> snapshot.Snapshot:
    seen = snapshot.take(code)
    assert seen is not None
    return seen


def own_of(seen: snapshot.Snapshot, guest: str) -> OwnView:
    own = seen.own(seen.player_of(guest))
    assert own is not None
    return own


def seat_of(seen: snapshot.Snapshot, guest: str) -> SeatView:
    return seen.view.seats[(own_of(seen, guest).seat or 0) - 1]


def main(most: int) -> None:
    call_command("migrate", interactive=False, verbosity=0)
    for name, kind, preset in TABLES:
        code, guests = opened(kind, preset)
        clicks(code, guests, 30)
        sys.stdout.write(f"{name}\n")
        for action, taken in sorted(clicks(code, guests, most).items()):
            worst = max(taken) if len(taken) < 20 else statistics.quantiles(taken, n=20)[-1]
            middle = statistics.median(taken)
            sys.stdout.write(
                f"  {action:<10} {len(taken):>5} times, median {middle * 1000:7.2f} ms,"
                f" 95 % under {worst * 1000:7.2f} ms\n"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
