"""What the table page shows of each kind of table, and to whom."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from engine.game import Kind
from engine.rules import PRESETS, Insurance
from engine.shown import LogLine
from tables import fragments, log, places, services
from tables.identity import COOKIE, cookie_of
from tables.models import Game
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends


def page(table: Friends, guest: str) -> str:
    client = Client()
    client.cookies[COOKIE] = cookie_of(guest)
    return client.get(f"/t/{table.code}/").content.decode()


def text_of(html: str, element: str) -> str:
    found = re.search(rf'<(\w+)[^>]* id="{element}".*?</\1>', html, re.DOTALL)
    assert found, element
    return " ".join(re.sub(r"<[^>]*>", " ", found[0]).split())


def buttons(html: str) -> set[str]:
    return set(re.findall(r'<button[^>]* id="([\w-]+)"', html))


# Buttons


@pytest.mark.parametrize(
    ("preset", "switches", "missing"),
    [
        ("openseat", {}, {"surrender", "even_money"}),
        ("classic6", {}, set()),
        ("openseat", {"max_hands": 1}, {"split", "surrender", "even_money"}),
        ("openseat", {"insurance": Insurance.NONE}, {"insure", "decline", "surrender", "even_money"}),
    ],
)
def test_a_button_that_can_never_be_of_use_is_not_there(
    preset: str, switches: dict[str, Any], missing: set[str], table_of: Play
) -> None:
    table = table_of(Kind.SOLO, preset, cards="low mid low", **switches)
    eight = {"hit", "stand", "double", "split", "surrender", "insure", "even_money", "decline"}
    shown = {name.removeprefix("do-") for name in buttons(page(table, ALICE)) if name.startswith("do-")}
    assert eight - shown == missing


def test_who_has_resigned_has_nothing_to_press(open_friends: Play) -> None:
    table = open_friends()
    services.join(table.code, CAROL, "Carol", sit=True)
    table.start(BOB, CAROL)
    table.command(BOB, "resign")
    html = page(table, BOB)
    assert "You have resigned: watch the others." in text_of(html, "prompt")
    assert not buttons(html) & {"do-hit", "do-stand", "do-bet"}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("openseat", (10, 50, 100, 500)),
        ("single-vip", (100, 500, 1000, 5000)),
    ],
)
def test_the_chips_of_the_tray_fit_the_limits(name: str, values: tuple[int, ...]) -> None:
    assert fragments.chip_values(PRESETS[name]) == values


@pytest.mark.parametrize(
    ("least", "most", "step", "values"),
    [(5, 200, 5, (5, 10, 50, 100)), (25, 1000, 25, (25, 50, 100, 500)), (10, 100, 10, (10, 20, 50, 100))],
)
def test_every_chip_of_the_tray_can_be_bet(least: int, most: int, step: int, values: tuple[int, ...]) -> None:
    rules = replace(PRESETS["openseat"], min_bet=least, max_bet=most, bet_step=step)
    assert fragments.chip_values(rules) == values
    assert fragments.chip_values(replace(rules, max_bet=least)) == (least,)


# Open tables


def test_an_open_table_says_when_its_countdown_starts(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB)
    assert "the countdown starts with the first bet" in text_of(page(table, ALICE), "prompt")
    table.bet(ALICE)
    assert "Place your bet for round 1." in text_of(page(table, BOB), "prompt")


def test_a_seat_can_be_taken_between_rounds_and_else_it_says_why_not(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8")
    services.join(table.code, CAROL, "Carol", sit=False)
    assert 'id="sit-2" data-action="sit">' in page(table, CAROL)
    table.reseed("low mid low")
    table.bet(ALICE)
    html = page(table, CAROL)
    assert re.search(r'id="sit-2"[^>]*aria-disabled="true" data-why="Cards are on the table', html)
    assert re.search(r'id="do-sit"[^>]*aria-disabled="true"', html)


def test_only_a_match_has_its_commands(table_of: Play) -> None:
    for kind, rules in ((Kind.OPEN, "casino8"), (Kind.SOLO, "openseat")):
        html = page(table_of(kind, rules), ALICE)
        assert "resign-dialog" not in html
        assert "offer_draw-dialog" not in html
        assert 'id="ask-resign"' not in html


def test_a_void_round_is_called_so(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", cards="low mid low")
    table.reseed("low mid low")
    table.bet(ALICE)
    services.void_round(table.code)
    assert "The round is void: every bet went back." in page(table, ALICE)


# Several boxes


def three_boxes(table_of: Play) -> Friends:
    table = table_of(Kind.OPEN, "classic6", BOB)
    table.sit(ALICE, 4)
    table.sit(ALICE, 6)
    return table


def test_each_box_has_its_own_question(table_of: Play) -> None:
    table = three_boxes(table_of)
    table.bet(ALICE, 50, 4)
    html = page(table, ALICE)
    asks = {ask.box: ask.ask for ask in table.own(ALICE).asks}
    for box, bet in ((1, 0), (4, 50), (6, 0)):
        assert f'data-box="{box}" data-ask="{asks[box]}" data-bet="{bet}"' in html
    assert "Box 1 · Bet here too, or press Deal" in text_of(html, "prompt")
    assert {"do-bet", "do-deal", "do-sit_out", "pick-1", "pick-4", "pick-6", "back-4"} <= buttons(html)
    assert "back-1" not in buttons(html)


def test_who_has_one_box_is_not_troubled_with_several(table_of: Play) -> None:
    html = page(three_boxes(table_of), BOB)
    assert not buttons(html) & {"do-deal", "ask-leave-2", "do-leave-2"}
    assert "Box" not in text_of(html, "prompt")


def test_a_box_with_a_bet_is_given_up_only_after_a_question(table_of: Play) -> None:
    table = three_boxes(table_of)
    table.bet(ALICE, 50, 4)
    shown = buttons(page(table, ALICE))
    assert {"ask-leave-4", "do-leave-1", "do-leave-6", "ask-leave"} <= shown
    assert "do-leave-4" not in shown


def test_the_first_box_of_a_player_shows_the_chips_of_all(table_of: Play) -> None:
    shown = {place.seat.seat: place.box for place in places.of(three_boxes(table_of).view)}
    assert [shown[seat] for seat in (1, 2, 4, 6)] == ["first", "", "more", "more"]


def test_own_boxes_are_asked_one_after_the_other_by_name(table_of: Play) -> None:
    table = three_boxes(table_of)
    table.reseed("low low low low A low low low low")
    for box in (1, 4, 6):
        table.bet(ALICE, 50, box)
    table.bet(BOB)
    html = page(table, ALICE)
    assert "Box 1 · The dealer shows an ace. Insurance?" in text_of(html, "prompt")
    assert 'data-most="25"' in html
    table.answer(ALICE, "insure", amount="10")
    assert "Box 4 · The dealer shows an ace." in text_of(page(table, ALICE), "prompt")


def test_a_match_keeps_a_place_for_each_seat_that_other_rules_may_have(open_friends: Play) -> None:
    table = open_friends()
    services.configure(table.code, ALICE, replace(PRESETS["openseat"], boxes=2), 10)
    shown = list(places.of(table.view))
    assert [(place.seat.seat, place.spare) for place in shown] == [
        (1, False),
        (2, False),
        (3, True),
        (4, True),
    ]


@pytest.mark.parametrize("own", range(8))
def test_nobody_sits_on_anothers_place(own: int) -> None:
    for others in range(8 - own):
        spots = places.around(others, own)
        assert len(set(spots)) == others
        assert all(spot[-1] in "123" for spot in spots)


def test_the_seats_around_a_viewer_keep_their_order(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB)
    around = places.arrangement(table.view, table.own(BOB))
    assert around == ("left1", "own", "left2", "left3", "right3", "right2", "right1")


# The solo table


def test_alone_the_bet_is_the_deal(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat", cards="low mid low")
    table.stand()
    html = page(table, ALICE)
    assert text_of(html, "do-bet").startswith("Deal")
    assert not buttons(html) & {"do-sit_out", "do-take_back", "ask-leave"}
    assert {"ask-new_game", "do-new_game", "toggle-hints"} <= buttons(html)


def test_the_hint_is_in_the_page_of_who_plays_alone_only(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat", cards="low mid low")
    services.join(table.code, CAROL, "Carol", sit=False)
    assert "Basic strategy:" in text_of(page(table, ALICE), "prompt")
    assert "data-hinted" in page(table, ALICE)
    assert "Basic strategy:" not in text_of(page(table, CAROL), "prompt")


def test_rules_without_a_chart_say_so_at_the_switch(table_of: Play) -> None:
    html = page(table_of(Kind.SOLO, "openseat", decks=2), ALICE)
    assert re.search(r'id="toggle-hints"[^>]*aria-disabled="true" data-why="No hints', html)


# Even money


def test_only_a_blackjack_that_pays_more_is_worth_even_money(table_of: Play) -> None:
    for pays, called in ((Fraction(3, 2), True), (Fraction(1), False)):
        table = table_of(Kind.SOLO, "openseat", cards="A A T", blackjack_pays=pays)
        assert table.ask(ALICE).kind == "insurance"
        html = page(table, ALICE)
        assert ("Even money" in text_of(html, "do-insure")) is called
        assert ("Even money?" in text_of(html, "prompt")) is called


# The log


def test_who_was_not_waited_for_has_not_run_out_of_time(playing: Friends) -> None:
    def view(*kinds: str, auto: bool = False) -> tuple[str, ...]:
        lines = tuple(LogLine(kind, 1, "Alice") for kind in kinds)
        seats = tuple(replace(seat, auto=auto and seat.seat == 1) for seat in playing.view.seats)
        return tuple(line.kind for line in log.told(replace(playing.view, log=lines, seats=seats)))

    assert view("time") == ("time",)
    assert view("time", auto=True) == ("answered_for",)
    assert view("time", "stopped_waiting", "time", auto=True) == ("time", "stopped_waiting", "answered_for")
    assert view("time", "came_back", "time") == ("answered_for", "came_back", "time")


# Games


def test_a_long_game_is_shown_a_page_at_a_time(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat", cards="low mid low")
    for _ in range(32):
        table.stand()
        table.bet(ALICE, 10)
    address = f"/games/{Game.objects.get().pk}/"
    newest = Client().get(address).content.decode()
    assert re.findall(r'data-round="(\d+)"', newest) == ["31", "32"]
    first = Client().get(f"{address}?page=1").content.decode()
    assert re.findall(r'data-round="(\d+)"', first) == [str(number) for number in range(1, 31)]
    assert re.search(r'\?page=1#rounds" aria-current="page">1–30<', first)
    assert "A game played alone, not over yet" in first
    assert Client().get(f"{address}?page=99").status_code == 200


def test_a_shoe_in_use_says_when_its_seed_comes(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "classic6", cards="low mid low")
    table.stand()
    html = Client().get(f"/games/{Game.objects.get().pk}/1/").content.decode()
    assert "its seed comes when it is finished" in html
    assert "Shoe 1, from its card 1 on." in html


def test_who_comes_with_the_link_in_mid_round_reads_when_seats_are_free(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", cards="low mid low")
    later = "take a seat after this round"
    assert later not in text_of(page(table, MALLORY), "prompt")
    table.bet(ALICE)
    assert table.view.phase == "turns"
    assert later in text_of(page(table, MALLORY), "prompt")
    assert later not in text_of(page(table, ALICE), "prompt")


def test_a_refused_nickname_is_there_to_be_mended(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8")
    client = Client()
    client.get(f"/t/{table.code}/")
    html = client.post(f"/t/{table.code}/", {"name": "Bo<b>\u202e", "join": "watch"}).content.decode()
    assert 'value="Bo&lt;b&gt;' in html
    assert "Some of these characters" in html
