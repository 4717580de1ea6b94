"""Choosing a game on the home page, as a browser without any script sends it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.http import QueryDict

from engine.game import Game, Kind
from engine.rules import PRESETS, Rules
from tables import codec, presence
from tables.models import Participant, Table
from tables.moves import with_clock
from tests.tables.friends import ALICE, CAROL, MALLORY, Friends
from tests.tables.test_pages import browser

GAMES = [*PRESETS, "custom"]
OPEN = {"casino8", "classic6"}


def form(**changed: str) -> dict[str, str]:
    chosen = {"rules": "openseat", "kind": "match", "rounds": "10", "clock": "on", "listed": "off"}
    return {"name": "Alice", **chosen, **changed}


def opened() -> Game:
    return codec.game_of(Table.objects.get())


def like(rules: Rules, preset: str) -> bool:
    """The same game, whatever clock was chosen for it."""
    return with_clock(rules, on=False) == with_clock(PRESETS[preset], on=False)


def chosen_on(html: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="radio" name="(\w+)"[^>]* value="([\w-]+)" checked>', html))


def test_opening_a_table_from_the_home_page(db: None) -> None:
    client = browser()
    answer = client.post("/", form())
    table = Table.objects.get()
    assert answer["Location"] == f"/t/{table.code}/"
    page = client.get(answer["Location"])
    assert page.context["you"].seat == 1


def test_the_home_page_says_that_who_watches_may_bet_behind(db: None) -> None:
    assert "Whoever else opens it may watch and bet behind you." in browser().get("/").content.decode()


def test_a_newcomer_needs_a_nickname_and_one_tap(db: None) -> None:
    """All else is chosen when the page opens."""
    assert {**chosen_on(browser().get("/").content.decode()), "name": "Alice"} == form()


def test_every_game_is_one_card_and_the_single_deck_has_two_halls(db: None) -> None:
    html = browser().get("/").content.decode()
    assert re.findall(r'name="rules" id="rules-([\w-]+)"', html) == GAMES
    assert html.count('class="game-choice"') == 5
    assert "99.59\N{NO-BREAK SPACE}%" in html
    assert "100–5,000" in html


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_is_played_by_every_preset(db: None, preset: str) -> None:
    browser().post("/", form(rules=preset, rounds="30"))
    game = opened()
    assert (game.kind, game.rounds) == (Kind.MATCH, 30)
    assert like(game.rules, preset)
    assert game.rules.bet_seconds == PRESETS[preset].bet_seconds


@pytest.mark.parametrize("preset", PRESETS)
def test_a_clock_that_is_off_is_off(db: None, preset: str) -> None:
    browser().post("/", form(rules=preset, clock="off"))
    assert (opened().rules.bet_seconds, opened().rules.decision_seconds) == (None, None)


@pytest.mark.parametrize("clock", ["on", "off"])
@pytest.mark.parametrize("preset", sorted(OPEN))
def test_an_open_table_always_has_its_clock(db: None, preset: str, clock: str) -> None:
    browser().post("/", form(rules=preset, kind="open", clock=clock))
    game = opened()
    assert game.kind is Kind.OPEN
    assert like(game.rules, preset)
    assert game.rules.bet_seconds == PRESETS[preset].bet_seconds


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - OPEN))
def test_a_game_without_open_tables_says_so_and_keeps_what_was_chosen(db: None, preset: str) -> None:
    sent = form(rules=preset, kind="open", rounds="20", clock="off", listed="on")
    page = browser().post("/", sent)
    assert (page.context["error_at"], Table.objects.count()) == ("game", 0)
    assert {**chosen_on(page.content.decode()), "name": "Alice"} == sent


@pytest.mark.parametrize("preset", PRESETS)
def test_playing_alone_needs_no_name_and_begins_with_cards(db: None, preset: str) -> None:
    client = browser()
    # The button comes after the radio buttons of the same name, as in the page.
    sent = QueryDict(mutable=True)
    sent.update(form(rules=preset, name=""))
    sent.appendlist("kind", "solo")
    answer = client.post("/", sent.urlencode(), content_type="application/x-www-form-urlencoded")
    game = opened()
    assert answer["Location"] == f"/t/{Table.objects.get().code}/"
    assert game.kind is Kind.SOLO
    assert like(replace(game.rules, backing=True), preset)
    assert game.rules.decision_seconds is None  # nobody hurries who plays alone
    assert game.round is not None
    assert client.get(answer["Location"]).status_code == 200


def test_the_button_for_playing_alone_comes_last_and_asks_for_no_name(db: None) -> None:
    html = browser().get("/").content.decode()
    kinds = re.findall(r'<(?:input|button)[^>]* name="kind" value="(\w+)"[^>]*>', html)
    assert kinds == ["match", "open", "solo"]
    assert re.search(r'name="kind" value="solo" id="play-alone" formnovalidate', html)


def test_the_own_rules_are_asked_for_on_the_next_page(db: None) -> None:
    answer = browser().post("/", form(rules="custom", kind="open", rounds="20", listed="on", name="Zoë"))
    assert answer["Location"].startswith("/rules/new/?")
    page = browser().get(answer["Location"])
    assert page.context["chosen"] == {"kind": "open", "rounds": "20", "listed": "on"}
    assert page.context["name"] == "Zoë"
    assert not Table.objects.exists()


def test_a_link_may_choose_the_game(db: None) -> None:
    assert chosen_on(browser().get("/?rules=classic6").content.decode())["rules"] == "classic6"
    assert chosen_on(browser().get("/?rules=nonesuch").content.decode())["rules"] == "openseat"


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 500}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "x" * 10_000}, "game"),
        ({"rounds": "11"}, "game"),
        ({"rounds": ""}, "game"),
        ({"clock": "fast"}, "game"),
        ({"listed": ""}, "game"),
        ({"rules": "nonesuch"}, "game"),
        ({"rules": ""}, "game"),
        ({"kind": "tournament"}, "game"),
    ],
)
def test_a_form_that_is_wrong_opens_nothing_and_says_why(
    db: None, changed: dict[str, str], where: str
) -> None:
    page = browser().post("/", form(**changed))
    assert page.status_code == 200
    assert page.context["error"]
    assert page.context["error_at"] == where
    assert not Table.objects.exists()
    assert not Participant.objects.exists()


def test_what_was_chosen_stays_where_the_name_is_wrong(db: None) -> None:
    sent = form(rules="single-vip", rounds="30", clock="off", listed="on", name="a\u202eb")
    html = browser().post("/", sent).content.decode()
    assert {**chosen_on(html), "name": sent["name"]} == sent


def test_tables_to_watch_say_what_is_played_there(open_friends: object, db: None) -> None:
    listed: Friends = open_friends(listed=True)  # type: ignore[operator]
    browser(CAROL).post("/", form(rules="casino8", kind="open", listed="on", name="Carol"))
    other = Table.objects.exclude(code=listed.code).get()
    presence.arrive(listed.code, ALICE)
    presence.arrive(other.code, CAROL)
    html = browser(MALLORY).get("/").content.decode()
    rows = re.findall(r'<a class="row" href="/t/[^"]+/">(.*?)</a>', html)
    told = sorted(re.sub(r"<[^>]*>", "", row) for row in rows)
    assert told == [
        "Alice · House game match · 2 of 4 seats · in the lobby",
        "Carol · Live table open table · 1 of 7 seats · before the first bet",
    ]
