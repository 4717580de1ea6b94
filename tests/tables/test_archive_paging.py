"""Pages of a list: every game once, whatever comes in between, at the same cost however many there are."""

from __future__ import annotations

import base64
import random
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tables import archive, cursors
from tables.archive import Filters
from tables.models import Game
from tests.tables.friends import ALICE, START
from tests.tables.stored_games import games
from tests.tables.test_pages import browser

SORTS = tuple(archive.ORDERS)


def walk(query: str = "", path: str = "/games/", **headers: Any) -> list[list[str]]:
    """The ids of all pages, following the links that a reader follows."""
    client, pages, address = browser(ALICE), [], query
    while True:
        page = client.get(path + address)
        assert page.status_code == 200
        pages.append([game.id for game in page.context["games"]])
        address = page.context["after"]
        if not address:
            return pages


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("how_many", [0, 1, 20, 21, 40, 47])
def test_every_game_is_on_one_page(db: None, sort: str, how_many: int) -> None:
    dice = random.Random(how_many)
    for _ in range(how_many):
        games(
            dated=START + timedelta(minutes=dice.randrange(9)),
            swing=dice.randrange(3),
            length=dice.randrange(3),
        )
    pages = walk(f"?sort={sort}")
    key = {"swing": "swing", "length": "length"}.get(sort)
    rows = [Game.objects.get(pk=one) for page in pages for one in page]
    assert len({row.id for row in rows}) == len(rows) == how_many
    assert [len(page) for page in pages[:-1]] == [20] * (len(pages) - 1)
    places = [(getattr(row, key) if key else 0, row.dated, row.id) for row in rows]
    assert places == sorted(places, reverse=True)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(), sort=st.sampled_from(SORTS), forwards=st.booleans())
def test_new_games_make_no_gap_and_no_repeat(
    transactional: None, seed: int, sort: str, forwards: bool
) -> None:
    """Whatever arrives between two pages, a reader sees each game that was there exactly once, in order."""
    dice = random.Random(seed)
    Game.objects.all().delete()

    def arrive(most: int) -> None:
        for _ in range(dice.randrange(most)):
            moment = START + timedelta(seconds=dice.randrange(200))
            games(dated=moment, swing=dice.randrange(4), length=dice.randrange(4))

    arrive(60)
    there = set(Game.objects.values_list("id", flat=True))
    wanted = Filters(sort=sort)
    page = archive.page(archive.public(), wanted, size=7)
    if not forwards:
        while page.after:
            page = archive.page(archive.public(), wanted, after=cursors.read(page.after, sort), size=7)
    seen: list[str] = []
    while True:
        lines = page.lines if forwards else page.lines[::-1]
        seen += [line.id for line in lines]
        onward = page.after if forwards else page.before
        if not onward:
            break
        arrive(12)
        place = cursors.read(onward, sort)
        after, before = (place, None) if forwards else (None, place)
        page = archive.page(archive.public(), wanted, size=7, after=after, before=before)
    assert len(seen) == len(set(seen))
    assert there <= set(seen)
    assert [one for one in archived(sort) if one in seen] == (seen if forwards else seen[::-1])


@pytest.fixture
def transactional(db: None) -> None:
    """One database for all examples."""


def archived(sort: str) -> list[str]:
    fields = archive.ORDERS[sort]
    return list(archive.public().order_by(*(f"-{one}" for one in fields)).values_list("id", flat=True))


@pytest.mark.parametrize("sort", SORTS)
def test_back_and_forth_are_the_same_pages(db: None, sort: str) -> None:
    games(65, swing=7)
    client, there, address = browser(), [], f"?sort={sort}"
    while address:
        page = client.get(f"/games/{address}")
        there.append([game.id for game in page.context["games"]])
        address = page.context["after"]
    back, address = [], page.context["before"]
    while address:
        page = client.get(f"/games/{address}")
        back.append([game.id for game in page.context["games"]])
        address = page.context["before"]
    assert back == there[-2::-1]


def test_a_link_keeps_the_filters_and_works_for_others(db: None) -> None:
    games(45, kind="open")
    games(30)
    page = browser().get("/games/?kind=open&sort=swing&player=Alice&rules=")
    address = page.context["after"]
    assert address.startswith("?kind=open&player=Alice&sort=swing&after=")
    assert 'rel="next"' in page.content.decode()
    shared = browser("somebody" + "-" * 14).get(f"/games/{address}")
    assert len(shared.context["games"]) == 20
    assert {game.kind for game in shared.context["games"]} == {"open"}
    assert shared.context["first"] == "?kind=open&player=Alice&sort=swing"
    assert 'rel="prev"' in shared.content.decode()


def test_there_is_no_link_where_the_list_ends(db: None) -> None:
    games(20)
    page = browser().get("/games/")
    assert (page.context["before"], page.context["after"]) == ("", "")
    assert 'class="pages"' not in page.content.decode()


def test_a_page_whose_games_are_gone_is_the_end(db: None) -> None:
    games(45)
    address = browser().get("/games/").context["after"]
    Game.objects.all().delete()
    page = browser().get(f"/games/{address}")
    assert page.status_code == 200
    assert "The list ends here." in page.content.decode()


def test_behind_the_last_game_that_fits_the_list_ends_and_is_not_said_to_have_none(db: None) -> None:
    games(25, names=("Alice", "Bob"))
    address = browser().get("/games/?player=Alice").context["after"]
    gone = browser().get(f"/games/{address}").context["games"]
    Game.objects.filter(pk__in=[line.id for line in gone]).delete()
    page = browser().get(f"/games/{address}").content.decode()
    assert "The list ends here." in page
    assert "No game fits" not in page
    assert 'href="?player=Alice"' in page
    assert "No game fits" in browser().get("/games/?player=Carol").content.decode()


def test_a_cursor_is_good_for_its_order_alone_and_only_as_it_was_given(db: None) -> None:
    games(30)
    address = browser().get("/games/?sort=swing").context["after"]
    token = address.split("after=")[1]
    client = browser()
    assert client.get(f"/games/?sort=swing&after={token}").status_code == 200
    for wrong in (
        f"?after={token}",
        f"?sort=length&after={token}",
        f"?sort=swing&after={token}&before={token}",
        f"?sort=swing&after={token[:-1]}",
        f"?sort=swing&after=x{token}",
        f"?sort=swing&after={token}x",
        f"?sort=swing&after={base64.urlsafe_b64encode(b'[1,2,3,4]').decode()}",
    ):
        assert client.get(f"/games/{wrong}").status_code == 400


def test_changing_any_letter_of_a_cursor_is_noticed(db: None) -> None:
    games(21)
    token = browser().get("/games/").context["after"].split("after=")[1].replace("%3A", ":")
    for place, letter in enumerate(token):
        other = token[:place] + ("A" if letter != "A" else "B") + token[place + 1 :]
        with pytest.raises(ValueError, match="cursor"):
            cursors.read(other, archive.DATE)


# What a page costs

QUERIES = [
    "",
    *(f"?sort={sort}" for sort in SORTS[1:]),
    *(f"?rules=openseat&sort={sort}" for sort in SORTS),
    *(f"?kind=match&sort={sort}" for sort in SORTS),
    *(f"?result=won&sort={sort}" for sort in SORTS),
    *(f"?players=2&sort={sort}" for sort in SORTS),
    *(f"?player=alice&sort={sort}" for sort in SORTS),
    *(f"?table=abcdefghjkmn23&sort={sort}" for sort in SORTS),
    *(f"?since=2026-01-01&until=2026-12-31&sort={sort}" for sort in SORTS),
]
LISTS = ("/games/", "/t/abcdefghjkmn23/games/", "/me/games/")


def costs(*, pages: bool = False) -> dict[str, int]:
    client, counted = browser(ALICE), {}
    for path in LISTS:
        for query in QUERIES:
            with CaptureQueriesContext(
                connection,
            ) as asked:
                page = client.get(path + query)
            assert page.context["games"]
            counted[path + query] = len(asked)
            if pages:
                with CaptureQueriesContext(connection) as asked:
                    client.get(path + page.context["after"])
                assert len(asked) == counted[path + query]
    for path in ("/t/abcdefghjkmn23/games.atom", "/"):
        with CaptureQueriesContext(connection) as asked:
            client.get(path)
        counted[path] = len(asked)
    return counted


def test_a_list_asks_as_much_at_five_thousand_games_as_at_one(db: None) -> None:
    games(1, guests=(ALICE,), backers=("Carol",))
    at_one = costs()
    games(4_999, guests=(ALICE,), backers=("Carol",), apart=timedelta(seconds=1))
    assert costs(pages=True) == at_one
    assert max(at_one["/games/"], at_one["/games/?sort=swing"]) <= 3


def plan(sort: str, wanted: Filters = Filters(), *, deep: bool = False) -> str:  # noqa: B008
    place = cursors.Place(sort, 5, START, "x") if deep else None
    rows = archive._beyond(archive._filtered(archive.public(), wanted), place, back=False)
    return str(archive._ordered(rows, sort, back=False).values_list("id")[:21].explain())


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(
    ("sort", "index"), [("date", "game_newest"), ("swing", "game_swing"), ("length", "game_longest")]
)
def test_the_public_list_is_read_from_its_index_in_order(db: None, sort: str, index: str, deep: bool) -> None:
    games(50)
    told = plan(sort, deep=deep)
    assert f"INDEX {index}" in told
    assert "B-TREE" not in told
    if deep:
        assert "<(?,?" in told  # it begins at the place, not at the top


@pytest.mark.parametrize("name", ["rule_set", "kind", "outcome"])
@pytest.mark.parametrize("sort", SORTS)
def test_a_filter_needs_no_sorting(db: None, sort: str, name: str) -> None:
    games(50)
    assert "B-TREE" not in plan(sort, Filters(sort=sort, **{name: "match"}))  # type: ignore[arg-type]


def test_the_list_of_a_table_and_of_a_name_are_read_from_theirs(db: None) -> None:
    games(50)
    assert "INDEX game_of_table" in archive._ordered(archive.of_table("x"), "date", back=False)[:21].explain()
    over = Game.objects.filter(table_code="x", finished__isnull=False).order_by("-finished", "-id")
    assert over[:30].explain().count("INDEX game_over_at_table") == 1
    assert "B-TREE" not in over[:30].explain()
    assert "INDEX player_by_name" in plan("date", Filters(player="alice"))
    assert "INDEX player_by_guest" in archive.of_guest(ALICE)[:21].explain()


def test_a_name_in_very_many_games_is_found_both_ways(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    games(30, names=("Alice", "Bob"))
    games(30, names=("Bob",))
    queries = ("?player=alice", "?player=alice&sort=swing", "?player=alice&kind=match&until=2026-05-01")
    few = [walk(query) for query in queries]
    monkeypatch.setattr(archive, "MANY", 5)
    assert [walk(query) for query in queries] == few
    for pages in few:
        assert [len(page) for page in pages] == [20, 10]
        flat = [one for page in pages for one in page]
        assert all(newer > older for newer, older in pairwise(flat))
