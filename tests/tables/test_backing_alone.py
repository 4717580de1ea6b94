"""Who watches somebody alone and bets behind, as their frames arrive and as both pages tell it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from engine.game import Kind
from engine.verify import verify
from tables import archive, services
from tables.models import Game, GamePlayer, Round
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends
from tests.tables.test_backing import back, backing, done, finish, leave_for_good, refused, seconds_left
from tests.tables.test_behind_page import prompt
from tests.tables.test_export import exported
from tests.tables.test_table_page import buttons, page, text_of

QUIET = "low mid low"
ELEVEN = "5 mid 6 mid"
EIGHTS = "8 mid 8 mid"
ACE_UP = "low A low mid"
WAITS = "The deal waits a moment for bets behind."


@pytest.fixture
def alone(table_of: Play) -> Friends:
    """Alice has played a round alone and her bets are open; Bob, Carol and Mallory watch."""
    return watched(table_of(Kind.SOLO, "openseat", cards=QUIET))


def watched(table: Friends) -> Friends:
    for guest, name in ((BOB, "Bob"), (CAROL, "Carol"), (MALLORY, "Mallory")):
        services.join(table.code, guest, name, sit=False)
    table.here(ALICE, BOB, CAROL, MALLORY)
    finish(table)
    return table


def deal(table: Friends, cards: str) -> None:
    """Carol bets behind Alice and is done, Alice deals."""
    back(table, CAROL, 1)
    table.reseed(cards)
    done(table, CAROL)
    table.bet(ALICE)
    assert table.view.phase in ("turns", "insurance")


# The window


def test_the_deal_waits_five_seconds_for_who_has_bet_behind(alone: Friends) -> None:
    back(alone, CAROL, 1, 50, 10)
    assert seconds_left(alone) is None
    alone.reseed(QUIET)
    alone.bet(ALICE)
    assert (alone.view.phase, seconds_left(alone)) == ("betting", 5)
    alone.clock.advance(4)
    back(alone, MALLORY, 1, 20)
    assert seconds_left(alone) == 1
    alone.run_out()
    assert (alone.view.phase, seconds_left(alone)) == ("turns", None)
    assert [one.bet for one in alone.view.seats[0].behind] == [50, 20]


def test_it_does_not_wait_for_who_only_watches_or_is_done_or_gone(alone: Friends) -> None:
    alone.reseed(QUIET)
    alone.bet(ALICE)
    assert alone.view.phase == "turns"
    finish(alone)
    for guest in (CAROL, MALLORY):
        back(alone, guest, 1)
    done(alone, CAROL)
    alone.reseed(QUIET)
    alone.bet(ALICE)
    assert alone.view.phase == "betting"
    leave_for_good(alone, MALLORY)
    assert (alone.view.phase, alone.view.seats[0].behind_sum) == ("turns", 100)


@pytest.mark.parametrize(
    ("guest", "frame", "code"),
    [
        (CAROL, {"seat": "2"}, "seat_empty"),
        (CAROL, {"amount": "510"}, "bet_too_large"),
        (CAROL, {"ask": "2.999"}, "stale_question"),
        (ALICE, {}, "players_may_not_back"),
        (CAROL, {"action": "done", "seat": None, "amount": None}, "stale_question"),
        (CAROL, {"action": "bet", "seat": None}, "not_seated"),
        (CAROL, {"action": "take_back", "seat": None, "amount": None}, "not_seated"),
        (CAROL, {"action": "sit", "ask": None, "amount": None, "game": "1"}, "alone_here"),
        (CAROL, {"action": "new_game", "ask": None, "seat": None, "amount": None, "game": "1"}, "not_host"),
        (CAROL, {"action": "deal", "ask": None, "seat": None, "amount": None, "game": "1"}, "not_seated"),
    ],
)
def test_a_forged_frame_changes_nothing(alone: Friends, guest: str, frame: dict[str, Any], code: str) -> None:
    sent = {"action": "back", "ask": backing(alone, CAROL).ask, "seat": "1", "amount": "50", **frame}
    alone.clock.advance(3)
    assert refused(alone, guest, {name: value for name, value in sent.items() if value is not None}) == code


def test_nobody_answers_for_who_plays_alone_or_for_another_backer(alone: Friends) -> None:
    deal(alone, EIGHTS)
    own = alone.ask(ALICE).ask
    for action in ("hit", "stand", "split", "follow", "pass"):
        for guest in (CAROL, MALLORY):
            assert refused(alone, guest, {"action": action, "ask": own}) in ("not_seated", "stale_question")
    alone.answer(ALICE, "split")
    asked = alone.ask(CAROL).ask
    for guest in (ALICE, MALLORY):
        assert refused(alone, guest, {"action": "follow", "ask": asked}) == "stale_question"


# The round


@pytest.mark.parametrize(("cards", "move"), [(ELEVEN, "double"), (EIGHTS, "split")])
@pytest.mark.parametrize(("answer", "behind"), [("follow", 100), ("pass", 50), ("", 50)])
def test_a_backer_follows_within_five_seconds_or_does_not(
    alone: Friends, cards: str, move: str, answer: str, behind: int
) -> None:
    deal(alone, cards)
    assert seconds_left(alone) is None
    alone.answer(ALICE, move)
    assert (alone.view.phase, seconds_left(alone), alone.own(ALICE).asks) == ("follow", 5, ())
    if answer:
        alone.answer(CAROL, answer)
    else:
        alone.run_out()
    assert alone.view.seats[0].behind_sum == behind
    finish(alone)
    (kept,) = Round.objects.filter(number=2)
    before, after = kept.record["chips"]["p2"], kept.record["chips_after"]["p2"]
    assert after - before == alone.view.seats[0].behind[0].net


def test_only_who_bets_behind_is_hurried_about_insurance(alone: Friends) -> None:
    deal(alone, ACE_UP)
    assert (alone.view.phase, seconds_left(alone)) == ("insurance", None)
    alone.answer(ALICE, "decline")
    assert seconds_left(alone) == 5
    alone.answer(CAROL, "insure")
    (behind,) = alone.view.seats[0].behind
    assert behind.insurance is not None
    assert (behind.insurance.bet, behind.insurance.paid) == (25, 0)


def test_a_page_that_is_closed_says_no(alone: Friends) -> None:
    deal(alone, EIGHTS)
    leave_for_good(alone, CAROL)
    alone.answer(ALICE, "split")
    assert (alone.view.phase, alone.view.seats[0].behind_sum) == ("turns", 50)


# The pages


def test_both_pages_say_what_lies_and_what_is_waited_for(alone: Friends) -> None:
    assert prompt(alone, CAROL) == "Alice plays alone. Bet behind, if you like."
    assert prompt(alone, ALICE) == "Place your bet: the cards come at once."
    assert 'id="tray" class="tray" data-open="true"' in page(alone, CAROL)
    html = page(alone, CAROL)
    assert {"do-back", "do-done", "pick-pair", "pick-1"} <= buttons(html)
    # The place for the button of one who deals is not kept in the tray of one who bets behind.
    assert "data-alone" not in html
    assert "data-alone" in page(alone, ALICE)
    back(alone, CAROL, 1)
    assert prompt(alone, ALICE) == "Place your bet for round 2."
    assert "behind 1 · 50" in text_of(page(alone, ALICE), "seat-1")
    alone.reseed(EIGHTS)
    alone.bet(ALICE)
    html = page(alone, ALICE)
    assert prompt(alone, ALICE) == WAITS
    assert re.search(r'id="do-bet"[^>]* aria-disabled="true" aria-describedby="why-bet"', html)
    assert text_of(html, "why-bet") == WAITS
    done(alone, CAROL)
    assert text_of(page(alone, MALLORY), "actions") == (
        "Somebody plays alone here. When the bets are open you may bet behind."
    )
    alone.answer(ALICE, "split")
    assert prompt(alone, ALICE) == "Somebody who bets behind is deciding."
    assert prompt(alone, CAROL) == "Alice splits. 50 on the second hand too?"


def test_where_nobody_may_bet_behind_one_is_welcome_to_watch(table_of: Play) -> None:
    table = watched(table_of(Kind.SOLO, "openseat", cards=QUIET, backing=False))
    html = page(table, CAROL)
    assert text_of(html, "actions") == "Somebody plays alone here. You are welcome to watch."
    assert 'id="tray" class="tray" data-open="false"' in html


def test_several_boxes_of_one_player_are_tapped(table_of: Play) -> None:
    table = watched(table_of(Kind.SOLO, "classic6", cards=QUIET))
    table.sit(ALICE, 3)
    assert prompt(table, CAROL) == "Tap a box to bet behind it."
    back(table, CAROL, 3)
    table.bet(ALICE, 10, 1)
    table.bet(ALICE, 10, 3)
    assert (prompt(table, ALICE), seconds_left(table)) == (WAITS, 5)


def test_who_bets_behind_is_listed_where_somebody_has(alone: Friends) -> None:
    hidden = re.compile(r'<section id="backers"[^>]* hidden>')
    assert hidden.search(page(alone, ALICE))
    back(alone, CAROL, 1)
    assert not hidden.search(page(alone, ALICE))
    assert "Carol" in text_of(page(alone, ALICE), "backers")


# The end of a game, and what is kept


def test_a_new_game_with_bets_open_gives_them_back(alone: Friends) -> None:
    deal(alone, QUIET)
    finish(alone)
    back(alone, CAROL, 1, 500)
    stale = {"action": "back", "ask": backing(alone, CAROL).ask, "seat": "1", "amount": "20"}
    alone.bet(ALICE, 10)
    assert alone.view.phase == "betting"
    alone.command(ALICE, "new_game")
    assert (seconds_left(alone), alone.view.seats[0].behind) == (None, ())
    assert (backing(alone, CAROL).chips, backing(alone, CAROL).waited) == (1_000, False)
    assert refused(alone, CAROL, stale) == "stale_question"
    game = Game.objects.get(finished__isnull=False)
    assert (game.reason, game.player_count, game.backer_count) == ("new_game", 1, 1)
    carol = GamePlayer.objects.get(game=game, nickname="Carol")
    (last,) = game.played.filter(number=2)
    assert (carol.seat, carol.backed, carol.chips) == (0, 1, last.record["chips_after"][carol.stack])
    (line,) = archive.newest(archive.public(), 1)
    assert line.players == ("Alice",)


@pytest.mark.parametrize("how", ["new_game", "abandoned"])
def test_a_game_that_ends_while_backers_are_asked_is_kept_with_them(alone: Friends, how: str) -> None:
    deal(alone, EIGHTS)
    alone.answer(ALICE, "split")
    if how == "new_game":
        alone.command(ALICE, "new_game")
    else:
        # Nobody has come for a day, and the process was away too.
        alone.clock.advance(86_400)
        services.tidy()
    game = Game.objects.get(finished__isnull=False)
    assert game.reason == how
    last = game.played.get(number=2)
    assert last.record["broken_off"]
    assert last.record["chips_after"] == last.record["chips"]
    told = exported(game)
    assert [(one["name"], one["backed"]) for one in told["backers"]] == [("Carol", 1)]
    assert verify(json.dumps(told)) == {"rounds": 2, "ok": True}


def test_an_evening_with_a_backer_is_exported_and_accepted(alone: Friends) -> None:
    for number in range(12):
        back(alone, CAROL, 1, 100, 20 * (number % 2))
        done(alone, CAROL)
        alone.bet(ALICE, 50)
        finish(alone)
    alone.command(ALICE, "new_game")
    told = exported(Game.objects.get(finished__isnull=False))
    assert [(one["name"], one["backed"]) for one in told["backers"]] == [("Carol", 12)]
    assert verify(json.dumps(told)) == {"rounds": 13, "ok": True}
