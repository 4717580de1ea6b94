"""The Atom feed of a table: its finished games, readable by machines that trust nobody."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from engine.game import Kind
from tables import services
from tables.models import Game
from tests.tables.friends import ALICE, START, Friends
from tests.tables.stored_games import games
from tests.tables.test_pages import browser, finish

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def feed(code: str, client: Client | None = None, **headers: Any) -> ET.Element:
    answer = (client or browser()).get(f"/t/{code}/games.atom", **headers)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    return ET.fromstring(answer.content)  # noqa: S314


def texts(root: ET.Element, path: str) -> list[str | None]:
    return [one.text for one in root.findall(path, ATOM)]


def test_a_finished_game_is_an_entry(open_friends: Callable[..., Friends]) -> None:
    table = open_friends(listed=False)
    game = finish(table)
    root = feed(table.code)
    assert texts(root, "a:entry/a:title") == ["Bob won with 1,000 · House game"]
    assert texts(root, "a:entry/a:updated") == [table.clock.now.isoformat()]
    (link,) = root.findall("a:entry/a:link", ATOM)
    assert link.get("href") == f"http://testserver/games/{game}/"
    assert root.find("a:link[@rel='self']", ATOM).get("href") == (  # type: ignore[union-attr]
        f"http://testserver/t/{table.code}/games.atom"
    )
    assert texts(root, "a:author/a:name") == ["openseat"]


def test_ids_stay_whatever_the_address(open_friends: Callable[..., Friends]) -> None:
    table = open_friends()
    finish(table)
    one = feed(table.code)
    other = feed(table.code, HTTP_HOST="127.0.0.1:8000")
    for path in ("a:id", "a:entry/a:id"):
        assert texts(one, path) == texts(other, path)
        assert all(str(text).startswith("urn:uuid:") for text in texts(one, path))
    assert len(set(texts(one, "a:id") + texts(one, "a:entry/a:id"))) == 2


def test_names_are_text(db: None) -> None:
    name = "<svg/onload=alert()>"
    games(names=(name, "a&b"), winner=name)
    raw = browser().get("/t/abcdefghjkmn23/games.atom").content.decode()
    assert name not in raw
    root = ET.fromstring(raw)  # noqa: S314
    assert texts(root, "a:entry/a:title") == [f"{name} won with 1,234 · House game"]
    (summary,) = root.findall("a:entry/a:summary", ATOM)
    assert summary.get("type") == "html"
    assert summary.text == "&lt;svg/onload=alert()&gt;, a&amp;b · 10 rounds"


def test_the_newest_come_first_and_thirty_are_enough(db: None) -> None:
    rows = games(40)
    root = feed("abcdefghjkmn23")
    assert texts(root, "a:entry/a:link") == [None] * 30
    links = [one.get("href") for one in root.findall("a:entry/a:link", ATOM)]
    assert links == [f"http://testserver/games/{row.id}/" for row in rows[:9:-1]]


def test_a_running_game_is_not_told(table_of: Callable[..., Friends]) -> None:
    table = table_of(Kind.OPEN, "casino8")
    table.round(ALICE)
    assert feed(table.code).findall("a:entry", ATOM) == []
    table.command(ALICE, "leave")
    table.clock.advance(601)
    services.tidy()
    assert texts(feed(table.code), "a:entry/a:title") == ["A game is over · Live table"]


def test_games_of_other_tables_are_not_told(open_friends: Callable[..., Friends]) -> None:
    one, other = open_friends(), open_friends()
    finish(one)
    assert feed(other.code).findall("a:entry", ATOM) == []


def test_who_asks_again_is_told_that_nothing_is_new(db: None) -> None:
    games(dated=START)
    client, path = browser(), "/t/abcdefghjkmn23/games.atom"
    first = client.get(path)
    assert first["Last-Modified"] == "Fri, 01 May 2026 12:00:00 GMT"
    asked = {"HTTP_IF_MODIFIED_SINCE": first["Last-Modified"]}
    assert client.get(path, **asked).status_code == 304  # type: ignore[arg-type]
    games(dated=START + timedelta(hours=1))
    assert client.get(path, **asked).status_code == 200  # type: ignore[arg-type]


def test_an_empty_feed_does_not_change_with_the_time(friends: Friends) -> None:
    path = f"/t/{friends.code}/games.atom"
    one, other = browser().get(path), browser().get(path)
    assert (one.content, one["Last-Modified"]) == (other.content, other["Last-Modified"])


def test_the_page_of_the_games_leads_to_it(friends: Friends) -> None:
    html = browser().get(f"/t/{friends.code}/games/").content.decode()
    (link,) = re.findall(r'<link rel="alternate"[^>]*>', html)
    assert f'href="/t/{friends.code}/games.atom"' in link
    assert 'type="application/atom+xml"' in link
    assert "alternate" not in browser().get("/games/").content.decode()


@pytest.mark.parametrize("code", ["2" * 14, "nonesuch"])
def test_there_is_no_feed_of_no_table(db: None, code: str) -> None:
    assert browser().get(f"/t/{code}/games.atom").status_code == 404
    assert not Game.objects.exists()
