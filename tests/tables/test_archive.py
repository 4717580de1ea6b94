"""Lists of games: what is in them, what they are filtered and sorted by, and what is no filter."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from engine.game import Kind
from tables import services, urls
from tables.identity import COOKIE
from tables.models import Game, Table
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, START, Friends
from tests.tables.stored_games import games
from tests.tables.test_pages import browser, finish
from tests.tables.test_records import play_match, play_round

CODE = "abcdefghjkmn23"
ANYBODY = browser()


def found(path: str, client: Client = ANYBODY, /, **query: str) -> list[str]:
    page = client.get(path, query)
    assert page.status_code == 200
    return [game.id for game in page.context["games"]]


def text_of(path: str, **query: str) -> str:
    """A page without what is new with each request."""
    html = browser().get(path, query).content.decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)


def ids(*rows: Game) -> list[str]:
    return [row.id for row in rows]


# What is in a list


def test_a_line_says_who_played_what_for_how_long_and_who_won(playing: Friends) -> None:
    play_match(playing)
    game = Game.objects.get()
    html = browser().get("/games/").content.decode()
    (row,) = re.findall(r'<a class="row game-row".*?</a>', html, re.DOTALL)
    assert f'href="/games/{game.id}/"' in row
    text = " ".join(re.sub(r"<[^>]*>", "", row).split())
    won = f"{game.winner} won · {game.winner_chips:,}" if game.winner else "Draw"
    assert text == (
        f"Alice, Bob {won} Match · House game · 10 rounds · biggest swing {game.swing:,} 2026-05-01"
        f" {playing.clock.now:%H:%M} UTC"
    )
    assert f'<time class="when" datetime="{playing.clock.now:%Y-%m-%dT%H:%M:%SZ}" data-when>' in row


def test_an_open_table_says_since_when_it_is_played_or_from_when_to_when_it_was(db: None) -> None:
    hours = timedelta(hours=3)
    (running,) = games(kind="open", outcome="running", finished=None)
    (short,) = games(kind="open", outcome="over", finished=START + hours)
    (long,) = games(kind="open", outcome="over", finished=START + 5 * hours)
    html = browser().get("/games/").content.decode()
    rows = re.findall(r'href="/games/([\w-]+)/".*?class="game-when">(.*?)</a>', html, re.DOTALL)
    told = {game: " ".join(re.sub(r"<[^>]*>", "", words).split()) for game, words in rows}
    assert told == {
        running.id: "since 2026-05-01 12:00 UTC",
        short.id: "2026-05-01 12:00 – 15:00 UTC",
        long.id: "2026-05-01 – 2026-05-02 UTC",
    }


def test_numbers_are_shown_in_thousands(db: None) -> None:
    games(length=1234, swing=56_789, backer_count=1200, winner_chips=1_000_000, player_count=1007)
    html = browser().get("/games/").content.decode()
    for told in ("1,234 rounds", "56,789", "1,200 betting behind", "1,000,000", "and 1,005 more"):
        assert told in html


def test_names_are_text(db: None) -> None:
    name = "<svg/onload=alert()>"
    games(names=(name,), backers=(name,))
    for path in ("/games/", "/", f"/games/?player={name}"):
        html = browser().get(path).content.decode()
        assert name not in html
        assert "&lt;svg/onload=alert()&gt;" in html


@pytest.mark.parametrize(
    ("outcome", "told"),
    [("won", "<bdi>Alice</bdi> won"), ("drawn", "Draw"), ("abandoned", "Abandoned"), ("over", "Over"),
     ("running", "Still running")],
)  # fmt: skip
def test_each_result_has_its_words(db: None, outcome: str, told: str) -> None:
    games(outcome=outcome)
    assert told in re.split(r'class="rows', browser().get("/games/").content.decode())[1]


def test_games_of_link_only_tables_are_listed_at_their_table_and_for_who_took_part(
    open_friends: Callable[..., Friends],
) -> None:
    listed, secret = open_friends(listed=True), open_friends(listed=False)
    public, private = finish(listed), finish(secret)
    stranger = browser(MALLORY)
    assert found("/games/", stranger) == [public]
    for query in ({"player": "Alice"}, {"kind": "match"}, {"table": secret.code}, {"result": "won"}):
        assert private not in found("/games/", stranger, **query)
        assert private not in stranger.get("/games/", query).content.decode()
    assert found(f"/t/{secret.code}/games/", stranger) == [private]
    assert found(f"/t/{listed.code}/games/", stranger) == [public]
    assert found("/me/games/", stranger) == []
    for guest in (ALICE, BOB):
        assert set(found("/me/games/", browser(guest))) == {public, private}
    assert secret.code not in stranger.get("/games/").content.decode()
    # The same answer for a code that is one and for a code that is none.
    answers = [text_of("/games/", table=code) for code in (secret.code, "2" * 14)]
    assert answers[0].replace(secret.code, "2" * 14) == answers[1]


def test_who_bet_behind_took_part(db: None) -> None:
    (game,) = games(names=("Alice",), backers=("Carol",), guests=(ALICE, CAROL))
    assert found("/me/games/", browser(CAROL)) == [game.id]
    assert found("/games/", player="carol") == [game.id]


def test_who_only_watched_did_not_take_part(open_friends: Callable[..., Friends]) -> None:
    finish(open_friends())
    assert found("/me/games/", browser(CAROL)) == []


def test_a_game_is_there_once_for_who_played_and_bet_behind(db: None) -> None:
    (game,) = games(names=("Alice", "Bob"), backers=("Alice",), guests=(ALICE, BOB, ALICE))
    game.players.filter(seat=0).update(nickname_key="alice")
    assert found("/me/games/", browser(ALICE)) == [game.id]
    assert found("/games/", player="Alice") == [game.id]


def test_a_seat_that_moved_takes_its_games_along(playing: Friends) -> None:
    services.move_seat(playing.person(ALICE).seat_secret, MALLORY)
    playing.command(BOB, "resign")
    assert len(found("/me/games/", browser(MALLORY))) == 1
    assert found("/me/games/", browser(ALICE)) == []


def test_a_running_match_and_a_running_game_of_ones_own_are_in_no_list(
    playing: Friends, table_of: Callable[..., Friends]
) -> None:
    play_round(playing, 100, 50)
    alone = table_of(Kind.SOLO, "openseat")
    alone.stand()
    for path in ("/games/", f"/t/{playing.code}/games/", f"/t/{alone.code}/games/", "/me/games/"):
        assert found(path, browser(ALICE)) == []


def test_the_games_of_a_table_that_is_gone_are_still_found(playing: Friends) -> None:
    game = finish_running(playing)
    Table.objects.all().delete()
    assert found("/games/") == found(f"/t/{playing.code}/games/") == [game]
    assert found("/me/games/", browser(BOB)) == [game]
    html = browser().get(f"/t/{playing.code}/games/").content.decode()
    assert f'href="/t/{playing.code}/"' not in html
    assert browser().get(f"/games/{game}/").status_code == 200
    assert browser().get(f"/t/{playing.code}/games.atom").status_code == 200


def finish_running(table: Friends) -> str:
    table.command(ALICE, "resign")
    return Game.objects.get().id


def own_words(client: Client, path: str) -> dict[str, str]:
    """What a list says of how the reader did, by games."""
    html = client.get(path).content.decode()
    rows = re.findall(r'href="/games/([\w-]+)/">(.*?)</a>', html, re.DOTALL)
    told = {game: re.findall(r'"game-own">(.*?)</span>', row, re.DOTALL) for game, row in rows}
    return {game: " ".join(words[0].split()) for game, words in told.items() if words}


def test_ones_own_list_says_how_one_did_and_no_other_list_does(db: None) -> None:
    (match,) = games(guests=(ALICE, BOB))
    match.players.filter(guest=BOB).update(place=2, chips=1_750, backed=2, won_behind=-40)
    (alone,) = games(names=("Bob",), guests=(BOB,), kind="solo", outcome="over")
    alone.players.update(place=1, refills=2, chips=805)
    (behind,) = games(names=("Alice",), backers=("Bob",), guests=(ALICE, BOB))
    behind.players.filter(guest=BOB).update(won_behind=120)
    bob = browser(BOB)
    assert own_words(bob, "/me/games/") == {
        match.id: "Your place: 2 · Your chips: 1,750 · Behind others: −40",
        alone.id: "Your chips: 805 · 2 fresh stacks",
        behind.id: "Behind others: +120",
    }
    for path in ("/games/", f"/t/{CODE}/games/", "/"):
        assert own_words(bob, path) == {}


# Filters and orders


@pytest.fixture
def some(db: None) -> dict[str, Game]:
    """Games that each differ in one thing, the newest last."""
    day = timedelta(days=1)
    different = {
        "plain": {},
        "classic6": {"rule_set": "classic6"},
        "own": {"rule_set": "custom"},
        "open": {"kind": "open", "outcome": "running", "finished": None},
        "alone": {"kind": "solo", "outcome": "over", "names": ("Zoë",)},
        "drawn": {"outcome": "drawn", "winner": "", "winner_chips": None},
        "abandoned": {"outcome": "abandoned", "winner": "", "winner_chips": None},
        "three": {"names": ("Alice", "Bob", "Zoë")},
        "elsewhere": {"table_code": "abcdefghjkmn22"},
        "wild": {"swing": 5000},
        "long": {"length": 30},
    }
    return {
        name: games(dated=START + place * day, **how)[0]  # type: ignore[arg-type]
        for place, (name, how) in enumerate(different.items())
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"rules": "classic6"}, ["classic6"]),
        ({"rules": "custom"}, ["own"]),
        ({"kind": "open"}, ["open"]),
        ({"kind": "solo"}, ["alone"]),
        ({"result": "running"}, ["open"]),
        ({"result": "over"}, ["alone"]),
        ({"result": "drawn"}, ["drawn"]),
        ({"result": "abandoned"}, ["abandoned"]),
        ({"players": "3"}, ["three"]),
        ({"players": "1"}, ["alone"]),
        ({"player": "zoe"}, ["three", "alone"]),
        ({"player": "ZOË"}, ["three", "alone"]),
        ({"player": "Zoë", "kind": "match"}, ["three"]),
        ({"player": "Zo"}, []),
        ({"player": "nobody"}, []),
        ({"table": "abcdefghjkmn22"}, ["elsewhere"]),
        ({"table": "http://localhost/t/abcdefghjkmn22/"}, ["elsewhere"]),
        ({"since": "2026-05-10"}, ["long", "wild"]),
        ({"until": "2026-05-02"}, ["classic6", "plain"]),
        ({"since": "2026-05-02", "until": "2026-05-03"}, ["own", "classic6"]),
        ({"since": "2026-05-02", "until": "2026-05-02"}, ["classic6"]),
        ({"since": "0001-01-01", "until": "9999-12-31", "players": "3"}, ["three"]),
        ({"kind": "open", "result": "won"}, []),
        ({"rules": "openseat", "kind": "match", "result": "won", "players": "2", "player": "bob",
          "table": CODE, "since": "2026-05-01", "until": "2026-05-01", "sort": "swing"}, ["plain"]),
    ],
)  # fmt: skip
def test_filters(some: dict[str, Game], query: dict[str, str], expected: list[str]) -> None:
    assert found("/games/", **query) == [some[name].id for name in expected]


def test_newest_first_unless_asked_otherwise(some: dict[str, Game]) -> None:
    newest = ids(*some.values())[::-1]
    assert found("/games/") == found("/games/", sort="date") == found("/games/", sort="") == newest
    wild, long = some["wild"].id, some["long"].id
    assert found("/games/", sort="swing") == [wild, *(one for one in newest if one != wild)]
    assert found("/games/", sort="length") == [long, *(one for one in newest if one != long)]


def test_the_day_is_that_of_utc(db: None) -> None:
    (late,) = games(dated=START.replace(hour=23, minute=59, second=59))
    (early,) = games(dated=START.replace(hour=0, minute=0))
    assert found("/games/", since="2026-05-01", until="2026-05-01") == ids(late, early)
    assert found("/games/", since="2026-05-02") == found("/games/", until="2026-04-30") == []


def test_the_day_is_that_of_the_zone_that_is_named(db: None) -> None:
    (night,) = games(dated=START.replace(month=11, day=30, hour=22, minute=30))
    (noon,) = games(dated=START.replace(month=12, day=1, hour=12))
    (late,) = games(dated=START.replace(month=12, day=1, hour=22))
    kyiv = {"zone": "Europe/Kyiv"}
    assert found("/games/", since="2026-12-01", until="2026-12-01") == ids(late, noon)
    assert found("/games/", since="2026-12-01", until="2026-12-01", **kyiv) == ids(noon, night)
    assert found("/games/", since="2026-12-02", **kyiv) == ids(late)
    assert found("/games/", until="2026-11-30", zone="America/New_York") == ids(night)
    assert found("/games/", since="0001-01-01", until="9999-12-31", **kyiv) == ids(late, noon, night)
    assert found("/games/", until="9999-12-30", zone="Pacific/Honolulu") == ids(late, noon, night)


def test_the_pages_of_a_list_keep_its_zone_and_say_it(db: None) -> None:
    rows = games(45, dated=START.replace(hour=20), apart=timedelta(minutes=10))
    query = {"since": "2026-05-02", "zone": "Europe/Kyiv"}
    expected = ids(*(row for row in rows if row.dated and row.dated >= START.replace(hour=21)))[::-1]
    page = browser().get("/games/", query)
    assert "Time zone: Europe/Kyiv" in page.content.decode()
    assert "A day in the time zone Europe/Kyiv." in page.content.decode()
    assert 'name="zone" value="Europe/Kyiv"' in page.content.decode()
    seen = [game.id for game in page.context["games"]]
    while page.context["after"]:
        assert "zone=Europe%2FKyiv" in page.context["after"]
        page = browser().get("/games/" + page.context["after"])
        seen += [game.id for game in page.context["games"]]
    assert seen == expected
    page = browser().get("/games/" + page.context["before"])
    assert [game.id for game in page.context["games"]] == expected[:20]


def test_without_a_zone_days_are_those_of_utc_and_the_page_says_so(db: None) -> None:
    games(30)
    html = browser().get("/games/", {"since": "2026-05-01"}).content.decode()
    assert "Time zone: UTC" in html
    assert html.count(">A day in UTC.</small>") == 2
    # Where no day is asked for the zone is nobody's business.
    page = browser().get("/games/", {"kind": "match", "zone": "nonsense"})
    assert page.status_code == 200
    assert "zone" not in page.context["after"]
    assert "nonsense" not in page.content.decode().split("filters-form")[1].split("</form>")[0]


@pytest.mark.parametrize(
    "zone",
    [
        "nonsense",
        "Europe",
        "localtime",
        "Factory",
        "../etc/passwd",
        "/etc/passwd",
        "zone.tab",
        "a\x00b",
        "x" * 10_000,
    ],
)
def test_a_zone_that_is_none_is_told_in_words_and_days_of_utc_are_offered(db: None, zone: str) -> None:
    page = browser().get("/games/", {"since": "2026-05-01", "zone": zone})
    html = page.content.decode()
    assert page.status_code == 400
    assert "This time zone is not known here." in html
    assert zone[:8] not in html.split("filters-form")[1].split("</form>")[0]
    assert "data-zone" not in html
    assert 'name="since" value="2026-05-01"' in html
    assert "data-zone" in browser().get("/games/").content.decode()


def test_empty_fields_are_no_filters(some: dict[str, Game]) -> None:
    empty = dict.fromkeys(
        ("rules", "kind", "result", "players", "player", "table", "since", "until", "sort"), ""
    )
    assert len(found("/games/", **empty)) == len(some)


def test_the_form_keeps_what_was_chosen_and_offers_a_way_out(some: dict[str, Game]) -> None:
    html = browser().get("/games/?kind=open&player=Alice&since=2026-05-02").content.decode()
    assert '<option value="open" selected>' in html
    assert 'name="player" value="Alice"' in html
    assert 'name="since" value="2026-05-02"' in html
    assert "Kind of table: Open table" in html
    assert re.search(r'<a href="/games/">Clear</a>', html)


def test_a_table_has_the_same_filters_but_for_the_table(some: dict[str, Game]) -> None:
    path = f"/t/{CODE}/games/"
    assert found(path, players="3") == [some["three"].id]
    assert some["elsewhere"].id not in found(path, table="abcdefghjkmn22")
    assert 'name="table"' not in browser().get(path).content.decode()


def test_my_games_have_the_same_filters(db: None) -> None:
    (mine,) = games(guests=(ALICE,))
    (open_one,) = games(guests=(ALICE,), kind="open", listed=False, table_code="abcdefghjkmn22")
    games()
    client = browser(ALICE)
    assert found("/me/games/", client, sort="length") == ids(open_one, mine)
    assert found("/me/games/", client, kind="open") == [open_one.id]
    assert found("/me/games/", client, table="abcdefghjkmn22") == [open_one.id]


# Nothing to show


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/games/", "No listed table has finished a game yet."),
        ("/me/games/", "With this browser nobody has finished a game"),
        ("/games/?kind=open", "No game fits all of this."),
        ("/me/games/?player=Bob", "No game fits all of this."),
    ],
)
def test_an_empty_list_says_what_to_do(db: None, path: str, told: str) -> None:
    html = browser(ALICE).get(path).content.decode()
    assert told in html
    assert 'class="button button-main"' in html


def test_a_table_without_games_says_so(friends: Friends) -> None:
    html = browser().get(f"/t/{friends.code}/games/").content.decode()
    assert "No game has been finished at this table yet" in html
    assert f'href="/t/{friends.code}/"' in html


def test_looking_at_ones_games_makes_no_guest(db: None) -> None:
    assert COOKIE not in browser().get("/me/games/").cookies


# What can not be read


LONG = "x" * 10_000
WRONG = [
    {"rules": "nonesuch"},
    {"rules": LONG},
    {"kind": "tournament"},
    {"kind": "match\x00"},
    {"result": "lost"},
    {"players": "0"},
    {"players": "-1"},
    {"players": "8"},
    {"players": "٣"},
    {"player": LONG},
    {"player": "x" * 21},
    {"player": "a\u202eb"},
    {"player": "a\x00b"},
    {"table": "hello"},
    {"table": LONG},
    {"since": "yesterday"},
    {"since": "2026-02-30"},
    {"since": "2026-13-01"},
    {"since": "-2026-01-01"},
    {"since": LONG},
    {"until": "20260501T00"},
    {"until": "10000-01-01"},
    {"since": "2026-05-02", "until": "2026-05-01"},
    {"sort": "id"},
    {"sort": "-dated"},
    {"after": "1"},
    {"after": "-1"},
    {"after": LONG},
    {"before": "x:y"},
    {"before": "W10:abc"},
    {"after": "\x00"},
    {"after": "é"},
]


@pytest.mark.parametrize("query", WRONG, ids=lambda query: str(query)[:40])
def test_what_can_not_be_read_is_told_in_words(db: None, query: dict[str, str]) -> None:
    games(3)
    page = browser().get("/games/", query)
    html = page.content.decode()
    assert page.status_code == 400
    assert 'role="alert"' in html
    assert 'href="/games/">Show the whole list' in html
    assert "game-row" not in html
    assert len(html) < 20_000
    assert "Traceback" not in html


def test_what_is_not_understood_is_kept_in_the_form_and_named(db: None) -> None:
    html = browser().get("/games/?kind=open&since=2026-05-02&until=2026-05-01").content.decode()
    assert '<option value="open" selected>' in html
    assert '<details class="panel filters" open>' in html
    assert "This day is before the first one." in html
    assert 'aria-invalid="true"' in html


@pytest.mark.parametrize("name", ["player", "table", "since", "rules", "after", "zone"])
def test_what_can_not_be_printed_is_in_no_page(db: None, name: str) -> None:
    page = browser().get("/games/", {name: "a\x00\x07b", "until": "2026-05-01"})
    assert page.status_code == 400
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", page.content)


def test_what_nobody_asked_for_is_left_alone(db: None) -> None:
    games()
    assert len(found("/games/", page="7", utm_source="mail", nonsense="1")) == 1
    assert browser().get("/games/?kind=open&kind=match").context["games"] != []


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_a_list_is_looked_at_and_not_written_to(db: None, method: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    for path in ("/games/", "/me/games/", f"/t/{CODE}/games/", "/games.jsonl", "/games/x/", "/how-to-check/"):
        answer = getattr(strict, method)(path)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD"), path
        assert "This page is only read" in answer.content.decode()


# A word for each part of an address.
PARTS = {"code": CODE, "seat": 1, "secret": "x", "game_id": "x", "number": 1, "step": 0, "preset": "openseat"}


def test_every_page_that_takes_no_form_says_so_before_it_asks_for_a_token(db: None) -> None:
    """So whatever page comes next: it takes forms, or it is one of `tables.reading`."""
    read = 0
    for pattern in urls.urlpatterns:
        names = pattern.pattern.converters
        path = reverse(pattern.name, kwargs={name: PARTS[name] for name in names})
        refused = Client(enforce_csrf_checks=True).post(path)
        takes_forms = Client().post(path).status_code != 405
        assert refused.status_code == (403 if takes_forms else 405), path
        read += not takes_forms
    assert read > 15


def test_guessing_tables_by_their_games_is_limited(friends: Friends) -> None:
    finish(friends)
    client = browser()
    for number in range(80):
        client.get(f"/t/{number:014}/games.atom")
    for code in (friends.code, "2" * 14):
        assert client.get(f"/t/{code}/games/").status_code == 429
        assert client.get(f"/t/{code}/games.atom").status_code == 429


# The home page


def test_home_has_the_newest_games_and_leads_to_all_and_to_ones_own(db: None) -> None:
    rows = games(8)
    page = browser().get("/")
    assert [game.id for game in page.context["recent"]] == ids(*rows[:2:-1])
    html = page.content.decode()
    assert 'href="/games/"' in html
    assert 'href="/me/games/"' in html


def test_the_list_of_all_games_leads_to_the_file_of_all_and_no_other_list_does(db: None) -> None:
    link = '<a href="/games.jsonl" download>'
    assert link not in browser().get("/games/").content.decode()
    games()
    assert link in browser().get("/games/").content.decode()
    for path in ("/me/games/", f"/t/{CODE}/games/"):
        assert link not in browser().get(path).content.decode()


def test_times_are_written_in_utc_and_shown_by_a_script_of_our_own(db: None) -> None:
    games()
    for path in ("/", "/games/"):
        html = browser().get(path).content.decode()
        assert "2026-05-01 12:00 UTC</time>" in html
        assert f"{settings.STATIC_URL.strip('/')}/tables/times" in html


# While a round is played


def test_a_live_round_is_in_no_list_and_no_feed(table_of: Callable[..., Friends]) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB)
    table.round(ALICE)
    before = pages(table)
    table.bet(ALICE, 490)
    table.bet(BOB, 370)
    if table.view.phase == "betting":
        table.command(ALICE, "deal")
    assert pages(table) == before
    assert found("/games/", player="Bob") == []  # who has only a running round is not there yet
    assert "<bdi>Bob</bdi>" not in before[0]
    table.stand()
    assert "<bdi>Bob</bdi>" in pages(table)[0]


def pages(table: Friends) -> list[str]:
    queries: tuple[dict[str, str], ...] = ({}, {"result": "running"}, {"sort": "swing"}, {"player": "Bob"})
    lists = [text_of("/games/", **query) for query in queries]
    return [*lists, *(text_of(f"/t/{table.code}/{path}") for path in ("games/", "games.atom"))]
