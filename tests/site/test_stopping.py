"""A site that is killed in the middle of a round, and one that is stopped: what the next start finds."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.running_site import RunningSite
from tests.site.visitor import Line, open_table

AFTERWARDS = 300
SOON = 15


@dataclass
class Played:
    """A table of a running site and the guest who sits there alone."""

    site: RunningSite
    path: str
    cookies: str

    @property
    def code(self) -> str:
        return self.path.split("/")[-2]

    @property
    def row(self) -> dict[str, Any]:
        (row,) = rows(self.site, "SELECT * FROM tables_table WHERE code = ?", self.code)
        return row

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.row["state"])
        return state

    def seconds_left(self) -> float:
        """By the site's clock, which is `AFTERWARDS` ahead."""
        deadline = datetime.fromisoformat(self.row["deadline"]).replace(tzinfo=UTC)
        return (deadline - datetime.now(UTC) - timedelta(seconds=AFTERWARDS)).total_seconds()

    def look(self) -> str:
        url = self.site.url + self.path.removeprefix("/ws")
        request = urllib.request.Request(url, headers={"Cookie": self.cookies})  # noqa: S310
        with urllib.request.urlopen(request) as page:  # noqa: S310
            text: str = page.read().decode()
        return text

    def play(self) -> None:
        """Bet until a round is in play: a blackjack ends one before anything is asked."""
        line = Line(self.site, self.path, self.cookies)
        end = time.monotonic() + SOON
        answered = ""
        while (state := self.state)["phase"] != "playing":
            ask = f"{state['round_number']}.{state['seats'][0]['ask']}"
            if ask != answered:
                line.say(action="bet", ask=ask, amount="100")
                answered = ask
            line.listen()
            assert time.monotonic() < end, state
        line.socket.close()


def rows(site: RunningSite, query: str, *values: object) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(site.data_dir / "openseat.sqlite3")) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(query, values)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    site = RunningSite(tmp_path_factory.mktemp("stopping"))
    yield site
    if site.process is not None:
        site.stop()
    site.check_log()


@pytest.fixture
def tables(site: RunningSite) -> list[Played]:
    """A round in play at a table whose rules void it when the machine fails, and at one where it goes on."""
    site.move_clock(0)
    if site.process is None:
        site.start()
    tables = [
        Played(site, *open_table(site, rules=rules, kind="open", clock="on"))
        for rules in ("casino8", "classic6")
    ]
    for table in tables:
        table.play()
    return tables


def start_later(site: RunningSite, tables: list[Played]) -> None:
    """By then every clock that ran has run out; each table is looked at."""
    site.move_clock(AFTERWARDS)
    site.start()
    for table in tables:
        table.look()


def test_after_a_kill_rounds_are_void_where_the_rules_say_so(site: RunningSite, tables: list[Played]) -> None:
    void, resumed = tables
    before = resumed.state
    site.kill()
    assert rows(site, "SELECT * FROM tables_process")
    start_later(site, tables)
    assert void.row["phase"] == "betting"
    assert void.state["record"]["void"]
    assert void.state["notes"][-1][2] == "void_failure"
    assert void.state["purses"][0]["chips"] == void.state["record"]["chips"]["p1"]
    assert void.row["deadline"] is None
    assert resumed.state == before
    assert 10 < resumed.seconds_left() <= 20
    (kept,) = rows(
        site,
        "SELECT r.record FROM tables_round r JOIN tables_game g ON r.game_id = g.id WHERE g.table_id = ?"
        " ORDER BY r.number DESC LIMIT 1",
        void.row["id"],
    )
    assert json.loads(kept["record"])["void"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_after_a_clean_stop_every_round_goes_on(
    site: RunningSite, tables: list[Played], number: signal.Signals
) -> None:
    before = [table.state for table in tables]
    assert site.stop(number) == 0
    assert site.log.endswith("Stopped.\n")
    assert rows(site, "SELECT * FROM tables_process") == []
    assert rows(site, "SELECT * FROM tables_presence") == []
    start_later(site, tables)
    assert [table.state for table in tables] == before
    for table, seconds in zip(tables, (15, 20), strict=True):
        assert seconds - 10 < table.seconds_left() <= seconds


def test_a_stop_with_nobody_there_yet_hides_no_failure(site: RunningSite, tables: list[Played]) -> None:
    void = tables[0]
    site.kill()
    # Asked for nothing but its health, which is no page.
    site.start(wait=False)
    site.wait_until_said("Ctrl-C stops it.")
    assert site.stop() == 0
    start_later(site, tables)
    assert void.state["record"]["void"]
