"""Spectators who bet behind seats, as their frames arrive: what is refused, when time is up, what is kept."""

from __future__ import annotations

import json
import random
import re
from itertools import count
from typing import Any

import pytest
from django.test import Client

from engine.errors import EngineError
from engine.game import Kind, Phase, questions_behind
from engine.rules import Rules
from engine.shown import BackingView
from tables import archive, codec, history, people, presence, services
from tables.errors import Refused
from tables.fragments import Reader, Showing
from tables.identity import COOKIE, cookie_of
from tables.models import Game, GamePlayer, Round, Table
from tests.engine.test_properties import net_of
from tests.tables.conftest import Play
from tests.tables.friends import (
    ALICE,
    BOB,
    CAROL,
    MALLORY,
    Friends,
    FrozenClock,
    Seeds,
    deal_from,
    opened,
    record_of,
    round_pages,
)
from tests.tables.test_secrecy import NO_HOLE_CARD, ONE, OTHER, SHOES, SPARE, neutral

QUIET = "low low mid low low"
EIGHTS = "8 low mid 8 low"
ACE_UP = "low low A low low mid"


@pytest.fixture
def backed(playing: Friends) -> Friends:
    """A match whose first bets are open; Carol and Mallory watch."""
    return with_crowd(playing)


def with_crowd(table: Friends) -> Friends:
    services.join(table.code, CAROL, "Carol", sit=False)
    services.join(table.code, MALLORY, "Mallory", sit=False)
    table.here(ALICE, BOB, CAROL, MALLORY)
    return table


@pytest.fixture
def live(table_of: Play) -> Friends:
    return with_crowd(table_of(Kind.OPEN, "casino8", BOB))


def backing(table: Friends, guest: str) -> BackingView:
    view = table.own(guest).backing
    assert view is not None
    return view


def back(table: Friends, guest: str, seat: int, amount: int = 50, pair: int = 0) -> None:
    frame = {"action": "back", "ask": backing(table, guest).ask, "seat": str(seat)}
    table.send(guest, **frame, amount=str(amount), pair=str(pair))


def done(table: Friends, *guests: str) -> None:
    for guest in guests:
        table.send(guest, action="done", ask=backing(table, guest).ask)


def deal(table: Friends, cards: str = QUIET, *backers: str) -> None:
    """Carol (or whoever) bets behind Alice, Alice and Bob bet, and the cards come."""
    backers = backers or (CAROL,)
    for guest in backers:
        back(table, guest, 1)
    table.deal(cards)
    done(table, *backers)
    assert table.view.phase in ("turns", "insurance")


def seconds_left(table: Friends) -> float | None:
    deadline = table.row.deadline
    return None if deadline is None else (deadline - table.clock.now).total_seconds()


def refused(table: Friends, guest: str | None, frame: dict[str, Any]) -> str:
    """The code of the refusal, after which everything is as before."""
    before = table.row
    with pytest.raises((Refused, EngineError)) as refusal:
        table.send(guest, **frame)
    after = table.row
    assert [getattr(after, name) for name in ("version", "state", "deadline", "touched")] == [
        getattr(before, name) for name in ("version", "state", "deadline", "touched")
    ]
    assert isinstance(refusal.value, Refused | EngineError)
    return refusal.value.code


# Frames

NEVER = {"ask": "1.999"}
FRAMES: list[tuple[str, dict[str, Any], str]] = [
    (CAROL, {"seat": "1", "amount": "5"}, "bet_too_small"),
    (CAROL, {"seat": "1", "amount": "510"}, "bet_too_large"),
    (CAROL, {"seat": "1", "amount": "1000000000"}, "bet_too_large"),
    (CAROL, {"seat": "1", "amount": "1000000001"}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "55"}, "bet_off_step"),
    (CAROL, {"seat": "1", "amount": "-50"}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "5e1"}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "５０"}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": 50.0}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": True}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": ["50"]}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "50", "pair": "5"}, "pair_too_small"),
    (CAROL, {"seat": "1", "amount": "50", "pair": "110"}, "pair_too_large"),
    (CAROL, {"seat": "1", "amount": "50", "pair": "-10"}, "amount_malformed"),
    (CAROL, {"seat": "1", "pair": "15"}, "bet_off_step"),
    (CAROL, {"seat": "1"}, "nothing_to_take_back"),
    (CAROL, {"seat": "1", "amount": "", "pair": ""}, "nothing_to_take_back"),
    (CAROL, {"seat": "3", "amount": "50"}, "seat_empty"),
    (CAROL, {"seat": "0", "amount": "50"}, "seat_empty"),
    (CAROL, {"seat": "99", "amount": "50"}, "seat_empty"),
    (CAROL, {"seat": "-1", "amount": "50"}, "malformed"),
    (CAROL, {"seat": "", "amount": "50"}, "malformed"),
    (CAROL, {"seat": "1.0", "amount": "50"}, "malformed"),
    (CAROL, {"amount": "50"}, "malformed"),
    (CAROL, {"seat": "8", "amount": "50"}, "seat_empty"),
    (CAROL, {"seat": 1.0, "amount": "50"}, "malformed"),
    (CAROL, {"seat": True, "amount": "50"}, "malformed"),
    (CAROL, {"seat": None, "amount": "50"}, "malformed"),
    (CAROL, {"seat": [1], "amount": "50"}, "malformed"),
    (CAROL, {"seat": "１", "amount": "50"}, "malformed"),
    (CAROL, {"seat": "10000000000", "amount": "50"}, "malformed"),
    (CAROL, {"seat": "1", "amount": "9" * 30}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": 10**30}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": float("inf")}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": float("nan")}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": None}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": {}}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "fifty"}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": " 50"}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "50.0"}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "50", "pair": 10.0}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "50", "pair": True}, "amount_malformed"),
    (CAROL, {"seat": "1", "amount": "50", "pair": "1000000000"}, "pair_too_large"),
    (CAROL, {"seat": "1", "amount": "500", "pair": "100", "insure": "1"}, "unknown_field"),
    (CAROL, {"seat": "1", "amount": "50", "name": "Bob"}, "unknown_field"),
    (CAROL, {"seat": "1", "amount": "50", "player": "x"}, "unknown_field"),
    (CAROL, {"seat": "1", "amount": "50", "stack": "1"}, "unknown_field"),
    (CAROL, {"seat": "1", "amount": "50", "backer": "p2"}, "unknown_field"),
    (CAROL, {"seat": "1", "amount": "50", "game": "1"}, "unknown_field"),
    (CAROL, {"seat": "1", "amount": "50", **NEVER}, "stale_question"),
    (CAROL, {"seat": "1", "amount": "50", "ask": ""}, "ask_malformed"),
    (CAROL, {"seat": "1", "amount": "50", "ask": None}, "ask_malformed"),
    (CAROL, {"action": "done"}, "stale_question"),
    (CAROL, {"action": "done", **NEVER}, "stale_question"),
    (CAROL, {"action": "done", "seat": "1"}, "unknown_field"),
    (CAROL, {"action": "follow"}, "stale_question"),
    (CAROL, {"action": "pass"}, "stale_question"),
    (CAROL, {"action": "insure"}, "stale_question"),
    (CAROL, {"action": "bet", "amount": "50"}, "not_seated"),
    (CAROL, {"action": "sit_out"}, "not_seated"),
    (ALICE, {"seat": "2", "amount": "50"}, "players_may_not_back"),
    (ALICE, {"seat": "1", "amount": "50"}, "players_may_not_back"),
    (BOB, {"seat": "1", "pair": "10"}, "players_may_not_back"),
]


@pytest.mark.parametrize(("guest", "frame", "code"), FRAMES)
def test_a_frame_that_is_refused_changes_nothing(
    backed: Friends, guest: str, frame: dict[str, Any], code: str
) -> None:
    asked = backing(backed, CAROL).ask
    backed.clock.advance(3)
    assert refused(backed, guest, {"action": "back", "ask": asked, **frame}) == code


def test_who_has_no_name_at_the_table_bets_on_nothing(playing: Friends) -> None:
    frame = {"action": "back", "ask": backing(playing, CAROL).ask, "seat": "1", "amount": "50"}
    for stranger in (MALLORY, None):
        assert refused(playing, stranger, frame) == "name_needed"


@pytest.mark.parametrize("bet", [(50, 0), (0, 10), (500, 100)])
def test_a_bet_behind_lies_on_the_felt_and_may_be_taken_back(backed: Friends, bet: tuple[int, int]) -> None:
    back(backed, CAROL, 2, *bet)
    (behind,) = backed.view.seats[1].behind
    assert (behind.name, behind.bet, behind.pair.bet if behind.pair else 0) == ("Carol", *bet)
    assert backing(backed, CAROL).chips == 1_000 - sum(bet)
    backed.send(CAROL, action="back", ask=backing(backed, CAROL).ask, seat="2")
    assert backed.view.seats[1].behind == ()
    assert backing(backed, CAROL).chips == 1_000


def test_more_than_the_stack_over_several_seats_is_refused(backed: Friends) -> None:
    back(backed, CAROL, 1, 500, 100)
    frame = {"action": "back", "ask": backing(backed, CAROL).ask, "seat": "2", "amount": "410"}
    assert refused(backed, CAROL, frame) == "not_enough_chips"


def test_a_box_with_one_limit_for_all_keeps_room_for_its_seat(table_of: Play) -> None:
    table = with_crowd(table_of(Kind.OPEN, "classic6", BOB))
    back(table, CAROL, 1, 400, 50)
    frame = {"action": "back", "ask": backing(table, MALLORY).ask, "seat": "1", "amount": "50"}
    assert refused(table, MALLORY, frame) == "box_over_limit"
    bet = {"action": "bet", "ask": table.ask(ALICE).ask, "amount": "60"}
    assert refused(table, ALICE, bet) == "box_over_limit"
    table.bet(ALICE, 50)


def test_nobody_bets_behind_the_own_seat(table_of: Play) -> None:
    table = with_crowd(table_of(Kind.OPEN, "classic6", BOB))
    frame = {"action": "back", "ask": backing(table, ALICE).ask, "amount": "50"}
    assert refused(table, ALICE, {**frame, "seat": "1"}) == "own_box"
    table.send(ALICE, **frame, seat="2")
    assert table.view.seats[1].behind_sum == 50


def test_the_same_frame_five_times_is_one_bet(backed: Friends) -> None:
    frame = {"action": "back", "ask": backing(backed, CAROL).ask, "seat": "1", "amount": "50"}
    backed.send(CAROL, **frame)
    for _ in range(4):
        assert refused(backed, CAROL, frame) == "stale_question"
    assert backed.view.seats[0].behind_sum == 50


def test_done_five_times_is_done_once(backed: Friends) -> None:
    back(backed, CAROL, 1)
    frame = {"action": "done", "ask": backing(backed, CAROL).ask}
    backed.send(CAROL, **frame)
    for _ in range(4):
        assert refused(backed, CAROL, frame) == "done_betting"
    again = {"action": "back", "ask": backing(backed, CAROL).ask, "seat": "2", "amount": "50"}
    assert refused(backed, CAROL, again) == "done_betting"


def test_a_question_of_another_backer_is_refused(backed: Friends) -> None:
    for guest in (CAROL, MALLORY):
        back(backed, guest, 1)
    theirs = backing(backed, MALLORY).ask
    frame = {"action": "back", "ask": theirs, "seat": "2", "amount": "50"}
    assert refused(backed, CAROL, frame) == "stale_question"
    assert refused(backed, CAROL, {"action": "done", "ask": theirs}) == "stale_question"
    assert refused(backed, ALICE, {"action": "done", "ask": theirs}) == "stale_question"


def test_after_the_window_no_bet_is_taken(backed: Friends) -> None:
    frame = {"action": "back", "ask": backing(backed, MALLORY).ask, "seat": "1", "amount": "50"}
    deal(backed)
    backed.clock.advance(1)
    assert refused(backed, MALLORY, frame) == "stale_question"
    late = {**frame, "ask": backing(backed, MALLORY).ask}
    assert refused(backed, MALLORY, late) == "stale_question"
    assert not backing(backed, MALLORY).open


def test_a_bet_that_comes_after_the_deadline_finds_the_cards_dealt(backed: Friends) -> None:
    back(backed, CAROL, 1)
    backed.deal(QUIET)
    frame = {"action": "back", "ask": backing(backed, CAROL).ask, "seat": "1", "amount": "500"}
    backed.clock.advance(5)
    with pytest.raises(EngineError):
        backed.send(CAROL, **frame)
    assert backed.view.phase == "turns"
    assert backed.view.seats[0].behind_sum == 50


ANSWERS = ("follow", "pass", "insure", "even_money", "decline")


def test_a_question_to_follow_takes_follow_or_pass_of_its_backer_alone(backed: Friends) -> None:
    deal(backed, QUIET, CAROL, MALLORY)
    backed.answer(ALICE, "double")
    backed.clock.advance(2)
    asked = backed.ask(CAROL).ask
    for guest in (ALICE, BOB, MALLORY):
        for answer in ANSWERS:
            assert refused(backed, guest, {"action": answer, "ask": asked}) == "stale_question"
    for answer in ("hit", "stand", "double", "split", "surrender"):
        assert refused(backed, CAROL, {"action": answer, "ask": asked}) == "wrong_answer"
    for answer in ("insure", "even_money", "decline"):
        assert refused(backed, CAROL, {"action": answer, "ask": asked}) == "wrong_answer"
    extra = {"action": "follow", "ask": asked, "amount": "100"}
    assert refused(backed, CAROL, extra) == "unknown_field"
    frame = {"action": "follow", "ask": asked}
    backed.send(CAROL, **frame)
    for _ in range(4):
        assert refused(backed, CAROL, frame) == "stale_question"
    assert backed.view.phase == "follow"


@pytest.mark.parametrize("answer", ["follow", "pass"])
def test_an_answer_that_comes_after_the_five_seconds_finds_the_card_dealt(
    backed: Friends, answer: str
) -> None:
    deal(backed, QUIET)
    backed.answer(ALICE, "double")
    frame = {"action": answer, "ask": backed.ask(CAROL).ask}
    backed.clock.advance(5)
    with pytest.raises(Refused) as refusal:
        backed.send(CAROL, **frame)
    assert refusal.value.code == "stale_question"
    assert backed.view.phase == "turns"
    assert backed.view.seats[0].behind_sum == 50
    assert refused(backed, CAROL, frame) == "stale_question"


def test_a_question_of_the_window_does_not_follow_and_one_to_follow_bets_nothing(backed: Friends) -> None:
    window = backing(backed, MALLORY).ask
    deal(backed, QUIET)
    backed.answer(ALICE, "double")
    for action in ANSWERS:
        assert refused(backed, CAROL, {"action": action, "ask": window}) == "stale_question"
    asked = backed.ask(CAROL).ask
    assert refused(backed, CAROL, {"action": "back", "ask": asked, "seat": "1"}) == "stale_question"
    assert refused(backed, CAROL, {"action": "done", "ask": asked}) == "stale_question"


def test_a_seats_question_is_not_answered_as_a_backer(backed: Friends) -> None:
    deal(backed)
    asked = backed.ask(ALICE).ask
    for answer in ("follow", "pass"):
        assert refused(backed, ALICE, {"action": answer, "ask": asked}) == "wrong_answer"
        assert refused(backed, CAROL, {"action": answer, "ask": asked}) == "stale_question"


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        *((amount, "insurance_amount") for amount in ("24", "26", "0", "1000", "50")),
        *((amount, "amount_malformed") for amount in ("-25", "25.0", 25.0, True, None, [25], "1" * 20)),
    ],
)
def test_insurance_is_half_of_the_own_stake(backed: Friends, amount: object, code: str) -> None:
    deal(backed, ACE_UP)
    asked = backed.ask(CAROL).ask
    frame = {"action": "insure", "ask": asked, "amount": amount}
    assert refused(backed, CAROL, frame) == code
    backed.send(CAROL, **{**frame, "amount": "25"})
    assert refused(backed, CAROL, {**frame, "amount": "25"}) == "stale_question"


# Time


@pytest.mark.parametrize("on", [True, False])
def test_backers_have_five_seconds_after_the_last_bet_clock_or_not(open_friends: Play, on: bool) -> None:
    table = open_friends(on=on)
    table.start()
    with_crowd(table)
    table.clock.advance(3)
    back(table, CAROL, 1)
    table.bet(ALICE)
    assert seconds_left(table) == (17 if on else None)
    table.bet(BOB)
    assert (table.view.phase, table.view.backers_decide, seconds_left(table)) == ("betting", True, 5)
    table.clock.advance(2)
    back(table, CAROL, 1, 60)
    back(table, MALLORY, 2, 30)
    assert seconds_left(table) == 3
    assert refused(table, CAROL, {"action": "back", "ask": "1.1", "seat": "1", "amount": "50"})
    table.clock.advance(2)
    assert not services.expire(table.code)
    table.run_out()
    assert table.view.phase != "betting"
    assert [seat.behind_sum for seat in table.view.seats[:2]] == [60, 30]


def test_done_by_everybody_deals_at_once(backed: Friends) -> None:
    back(backed, CAROL, 1)
    back(backed, MALLORY, 1)
    backed.deal(QUIET)
    done(backed, CAROL)
    assert backed.view.phase == "betting"
    done(backed, MALLORY)
    assert (backed.view.phase, backed.view.seats[0].behind_sum) == ("turns", 100)


def test_without_a_clock_taking_a_bet_back_stops_the_five_seconds(open_friends: Play) -> None:
    table = open_friends(on=False)
    table.start()
    with_crowd(table)
    back(table, CAROL, 1)
    table.bet(ALICE)
    table.bet(BOB)
    table.clock.advance(4)
    table.answer(BOB, "take_back")
    assert seconds_left(table) is None
    table.clock.advance(600)
    table.bet(BOB, 20)
    assert seconds_left(table) == 5


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize(("cards", "move"), [(QUIET, "double"), (EIGHTS, "split")])
def test_backers_have_five_seconds_to_follow_clock_or_not(
    open_friends: Play, on: bool, cards: str, move: str
) -> None:
    table = open_friends(on=on)
    table.start()
    with_crowd(table)
    deal(table, cards, CAROL, MALLORY)
    table.clock.advance(7)
    table.answer(ALICE, move)
    assert (table.view.phase, seconds_left(table)) == ("follow", 5)
    assert [ask.kind for ask in table.own(CAROL).asks] == [f"follow_{move}"]
    table.clock.advance(3)
    table.answer(CAROL, "follow")
    assert (table.view.phase, seconds_left(table)) == ("follow", 2)
    table.run_out()
    assert [one.bet for one in table.view.seats[0].behind] == [100, 50]
    if table.view.phase == "turns":
        assert seconds_left(table) == (20 if on else None)


@pytest.mark.parametrize("on", [True, False])
def test_backers_alone_have_five_seconds_for_insurance(open_friends: Play, on: bool) -> None:
    table = open_friends(on=on)
    table.start()
    with_crowd(table)
    deal(table, ACE_UP)
    assert (table.view.phase, seconds_left(table)) == ("insurance", 20 if on else None)
    table.clock.advance(4)
    table.answer(ALICE, "decline")
    assert seconds_left(table) == (16 if on else None)
    table.answer(BOB, "decline")
    assert seconds_left(table) == 5
    table.run_out()
    assert table.view.phase == "turns"
    assert table.view.seats[0].behind[0].insurance is None


def test_who_only_watches_keeps_nobody_waiting(backed: Friends) -> None:
    backed.deal(QUIET)
    assert backed.view.phase == "turns"


def test_a_restart_gives_backers_their_five_seconds_anew(backed: Friends) -> None:
    deal(backed, QUIET)
    backed.answer(ALICE, "double")
    backed.forget()
    backed.clock.advance(100)
    services.fresh_clocks(backed.clock.now)
    assert (backed.view.phase, seconds_left(backed)) == ("follow", 5)
    backed.answer(CAROL, "follow")
    assert backed.view.seats[0].behind_sum == 100


# Coming and going


def leave_for_good(table: Friends, guest: str) -> None:
    presence.depart(table.code, guest)
    table.clock.advance(3)
    services.tidy()


def test_who_loads_the_page_again_finds_the_question(backed: Friends) -> None:
    deal(backed)
    backed.answer(ALICE, "double")
    presence.depart(backed.code, CAROL)
    backed.clock.advance(2)
    services.tidy()
    assert backed.view.phase == "follow"
    presence.arrive(backed.code, CAROL)
    backed.clock.advance(2)
    services.tidy()
    backed.answer(CAROL, "follow")
    assert backed.view.seats[0].behind_sum == 100


def test_whoever_stays_away_has_said_no_within_the_seconds(backed: Friends) -> None:
    deal(backed)
    backed.answer(ALICE, "double")
    backed.clock.advance(4)
    presence.depart(backed.code, CAROL)
    backed.run_out()
    assert backed.view.phase != "follow"
    assert backed.view.seats[0].behind_sum == 50


def test_the_bets_of_who_is_gone_stay_and_the_deal_does_not_wait(backed: Friends) -> None:
    back(backed, CAROL, 1)
    backed.deal(QUIET)
    assert backed.view.phase == "betting"
    leave_for_good(backed, CAROL)
    assert (backed.view.phase, backed.view.seats[0].behind_sum) == ("turns", 50)
    backed.answer(ALICE, "double")
    assert backed.view.phase != "follow"
    assert backed.view.seats[0].behind_sum == 50


def test_who_goes_while_asked_says_no(backed: Friends) -> None:
    deal(backed, ACE_UP, CAROL, MALLORY)
    leave_for_good(backed, CAROL)
    assert (backed.own(CAROL).asks, len(backed.own(MALLORY).asks)) == ((), 1)
    for guest in (MALLORY, ALICE, BOB):
        backed.answer(guest, "decline")
    assert backed.view.phase == "turns"
    backed.answer(ALICE, "double")
    leave_for_good(backed, MALLORY)
    assert backed.view.phase != "follow"
    assert [one.bet for one in backed.view.seats[0].behind] == [50, 50]


def test_who_is_back_is_asked_again(backed: Friends) -> None:
    deal(backed, EIGHTS)
    leave_for_good(backed, CAROL)
    presence.arrive(backed.code, CAROL)
    backed.answer(ALICE, "split")
    assert [ask.kind for ask in backed.own(CAROL).asks] == ["follow_split"]


def test_another_tab_keeps_a_backer_here(backed: Friends) -> None:
    deal(backed)
    presence.arrive(backed.code, CAROL)
    leave_for_good(backed, MALLORY)
    backed.answer(ALICE, "double")
    assert backed.view.phase == "follow"


def test_a_backer_who_takes_over_a_seat_by_its_link_leaves_the_bets_behind(backed: Friends) -> None:
    back(backed, CAROL, 2)
    old = backed.person(CAROL).player
    services.move_seat(backed.person(ALICE).seat_secret, CAROL)
    assert backed.own(CAROL).seat == 1
    backed.reseed(QUIET)
    backed.bet(CAROL)
    backed.bet(BOB)
    assert backed.view.phase == "turns"
    assert [one.player for one in backed.view.seats[1].behind] == [old]
    backed.answer(CAROL, "stand")
    backed.answer(BOB, "double")
    assert backed.view.phase != "follow"


def test_a_seat_that_moves_to_another_device_keeps_its_backers(backed: Friends) -> None:
    phone = "phone" + "-" * 17
    back(backed, CAROL, 1)
    services.move_seat(backed.person(ALICE).seat_secret, phone)
    assert backed.view.seats[0].behind_sum == 50
    frame = {"action": "back", "ask": backing(backed, CAROL).ask, "seat": "1", "amount": "60"}
    backed.send(CAROL, **frame)


def test_who_has_bet_behind_keeps_the_name_until_the_game_is_over(backed: Friends) -> None:
    services.join(backed.code, CAROL, "Caro", sit=False)
    back(backed, CAROL, 1)
    services.join(backed.code, CAROL, "Somebody", sit=False)
    assert backed.person(CAROL).nickname == "Caro"
    assert [one.name for one in backed.view.seats[0].behind] == ["Caro"]


def test_who_takes_a_seat_at_an_open_table_has_the_bets_behind_back(live: Friends) -> None:
    back(live, CAROL, 1, 500)
    live.sit(CAROL, 5)
    assert (live.view.seats[0].behind, live.own(CAROL).chips) == ((), 1_000)
    for guest in (ALICE, BOB, CAROL):
        live.bet(guest, 10)
    assert live.seen().game.phase is Phase.PLAYING or live.view.round_number == 2


def test_a_bet_behind_starts_no_countdown_at_an_open_table(live: Friends) -> None:
    back(live, CAROL, 1)
    assert (live.row.running, seconds_left(live)) == (True, None)
    live.bet(ALICE)
    assert seconds_left(live) == 15
    live.answer(BOB, "sit_out")
    assert seconds_left(live) == 5
    live.answer(ALICE, "take_back")
    assert seconds_left(live) is None


# What is kept


def finish(table: Friends) -> None:
    """Everybody declines, passes and stands."""
    while table.seen().game.phase is Phase.PLAYING:
        for guest in (ALICE, BOB, CAROL, MALLORY):
            for ask in table.own(guest).asks[:1]:
                verb = {"turn": "stand", "follow_double": "pass", "follow_split": "pass"}
                table.send(guest, action=verb.get(ask.kind, "decline"), ask=ask.ask)


def test_a_round_is_kept_with_its_bets_behind(backed: Friends) -> None:
    back(backed, CAROL, 2, 0, 20)
    deal(backed, QUIET, CAROL)
    backed.answer(ALICE, "double")
    backed.answer(CAROL, "follow")
    finish(backed)
    row = Round.objects.get()
    assert row.record["behind"] == [["p1", 1, 50, 0], ["p1", 2, 0, 20]]
    assert row.record["chips"] == {"1": 1000, "2": 1000, "p1": 1000}
    assert row.record["moves"][:2] == ["1 double", "p1@1 follow"]
    state = record_of(row).replay(Rules.from_json(row.game.rules))
    assert state is not None
    assert row.record["chips_after"]["p1"] == 1_000 + net_of(state, "p1")


def test_a_backer_has_a_row_of_the_game_without_a_seat(backed: Friends) -> None:
    deal(backed)
    finish(backed)
    rows = GamePlayer.objects.values_list("stack", "seat", "nickname", "guest_id")
    assert set(rows) == {("1", 1, "Alice", ALICE), ("2", 2, "Bob", BOB), ("p1", 0, "Carol", CAROL)}


def test_a_backer_who_sits_down_later_is_a_player_from_then_on(live: Friends) -> None:
    back(live, CAROL, 1)
    for guest in (ALICE, BOB):
        live.bet(guest, 10)
    done(live, CAROL)
    finish(live)
    assert GamePlayer.objects.get(nickname="Carol").seat == 0
    live.sit(CAROL, 6)
    for guest in (ALICE, BOB, CAROL):
        live.bet(guest, 10)
    finish(live)
    assert GamePlayer.objects.get(nickname="Carol").seat == 6
    page = history.game_page(Game.objects.get(), code="")
    assert {line.name for line in page.standings} == {"Alice", "Bob", "Carol"}


def test_lists_and_standings_of_a_match_name_who_played_and_not_who_bet_behind(backed: Friends) -> None:
    deal(backed)
    finish(backed)
    page = history.game_page(Game.objects.get(), code="")
    assert {line.name for line in page.standings} == {"Alice", "Bob"}
    backed.command(ALICE, "resign")
    page = history.game_page(Game.objects.get(), code="")
    assert [line.name for line in page.standings] == ["Bob", "Alice"]
    (line,) = archive.newest(archive.public(), 1)
    assert (line.players, line.winner) == (("Alice", "Bob"), "Bob")
    assert GamePlayer.objects.get(stack="p1").place is None


def test_lists_and_standings_of_an_open_table_likewise(live: Friends) -> None:
    back(live, CAROL, 1)
    for guest in (ALICE, BOB):
        live.bet(guest, 10)
    done(live, CAROL)
    finish(live)
    page = history.game_page(Game.objects.get(), code="")
    assert {line.name for line in page.standings} == {"Alice", "Bob"}
    for guest in (ALICE, BOB):
        live.command(guest, "leave")
    live.clock.advance(601)
    services.tidy()
    game = Game.objects.get()
    assert game.finished
    page = history.game_page(game, code="")
    assert {line.name for line in page.standings} == {"Alice", "Bob"}
    (line,) = archive.newest(archive.public(), 1)
    assert sorted(line.players) == ["Alice", "Bob"]
    carol = GamePlayer.objects.get(nickname="Carol")
    assert (carol.seat, carol.place) == (0, None)
    assert carol.chips == Round.objects.get().record["chips_after"][carol.stack]


def test_the_page_of_a_game_shows_what_lay_behind_each_seat(backed: Friends) -> None:
    deal(backed)
    backed.answer(ALICE, "double")
    backed.answer(CAROL, "follow")
    finish(backed)
    (shown,) = backed.view.seats[0].behind
    page = history.game_page(Game.objects.get(), code="")
    (kept,) = round_pages(page)[0].seats[0].behind
    assert kept == shown
    assert (kept.name, kept.bet) == ("Carol", 100)


def test_the_staff_void_a_round_with_its_bets_behind(backed: Friends) -> None:
    back(backed, CAROL, 1, 0, 20)
    deal(backed)
    services.void_round(backed.code)
    assert backing(backed, CAROL).chips == 1_000
    assert Round.objects.get().record["chips_after"]["p1"] == 1_000


def test_the_stored_state_is_the_state_in_every_phase(backed: Friends) -> None:
    def check() -> None:
        stored = json.loads(backed.row.state)
        game = codec.read_game(stored)
        assert codec.write_game(game) == stored
        assert game == backed.seen().game
        assert codec.read_game(codec.write_game(game)) == game

    back(backed, CAROL, 1, 50, 10)
    back(backed, MALLORY, 2, 0, 10)
    check()
    backed.deal(ACE_UP)
    check()
    leave_for_good(backed, MALLORY)
    done(backed, CAROL)
    check()
    backed.answer(CAROL, "insure")
    check()
    backed.answer(ALICE, "decline")
    backed.answer(BOB, "decline")
    backed.answer(ALICE, "double")
    assert backed.view.phase == "follow"
    check()
    backed.answer(CAROL, "follow")
    finish(backed)
    check()


# Secrets

# To one box: the first is split, the second insured and split.
ALONE = {
    "a split": ("8h 9s 8d Kd 4c 5c 6h 2h 3h 7h", "8h 9s 8d 7c 4c 5c As Ad Ac Th"),
    "an ace up": ("8h As 8d 9d 4c 5c 6h 2h 3h 7h", "8h As 8d 2c 4c 5c Ks Ad Ac Th"),
}


def everything(table: Friends, last: Showing | None) -> tuple[dict[str, list[str]], Showing]:
    """Page and frames of every role as they are now."""
    now = Showing(table.seen(), last)
    texts: dict[str, list[str]] = {}
    for role, guest in {
        "Alice": ALICE,
        "Bob": BOB,
        "Carol": CAROL,
        "Mallory": MALLORY,
        "a stranger": None,
    }.items():
        client = Client(headers={"user-agent": "Mozilla/5.0"})
        if guest is not None:
            client.cookies[COOKIE] = cookie_of(guest)
        reader = Reader("en", now.seen.player_of(guest), "http://testserver")
        paths = [f"/t/{table.code}/{page}" for page in ("", "backers/", "behind/1/", "behind/2/")]
        paths += [f"/games/{game.pk}/" for game in Game.objects.all()]
        pages = [client.get(path).content.decode() for path in paths]
        pages += [now.frame(reader, since=0), now.frame(reader, since=now.serial - 1)]
        texts[role] = [neutral(text) for text in pages]
    return texts, now


def known_names(monkeypatch: pytest.MonkeyPatch, settings: Any) -> tuple[Seeds, FrozenClock]:
    """A table that has the same codes, links and players each time it is opened."""
    Game.objects.all().delete()
    Table.objects.all().delete()
    codec.remembered.clear()
    people.remembered.clear()
    numbers = count()
    for name in ("new_table_code", "new_seat_secret", "new_game_id"):
        monkeypatch.setattr(f"tables.codes.{name}", lambda: f"{next(numbers):014}")
    monkeypatch.setattr(codec, "new_player_id", lambda: f"p{next(numbers)}")
    seeds, clock = Seeds(), FrozenClock()
    settings.CLOCK, settings.SEED_SOURCE = clock, seeds
    monkeypatch.setattr("tables.clock.put_back", seeds.put_back)
    return seeds, clock


@pytest.mark.parametrize(
    ("preset", "shoes"),
    [
        ("match", SHOES["turns"]),
        ("match", SHOES["a ten up"]),
        ("casino8", SHOES["an ace up"]),
        ("casino8", SHOES["a split"]),
        ("classic6", NO_HOLE_CARD["an ace up"]),
        ("alone", ALONE["a split"]),
        ("alone", ALONE["an ace up"]),
    ],
)
def test_no_backer_can_tell_the_shoes_apart_before_the_reveal(
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    table_of: Play,
    preset: str,
    shoes: tuple[str, str],
) -> None:
    deal_from(monkeypatch, dict(zip((ONE, OTHER), shoes, strict=True)))
    told = []
    for seed in (ONE, OTHER):
        seeds, clock = known_names(monkeypatch, settings)
        if preset == "match":
            table = opened(seeds, clock)
            table.command(BOB, "ready", ready="1")
            seeds.coming = [seed]
            table.command(ALICE, "start")
        elif preset == "alone":
            table = table_of(Kind.SOLO, "openseat", cards="low mid low")
            table.seeds, table.clock = seeds, clock
            seeds.coming = [seed]
            table.stand()
        else:
            seeds.coming = [seed, SPARE]
            table = table_of(Kind.OPEN, preset, BOB)
            table.seeds, table.clock = seeds, clock
        with_crowd(table)
        told.append(a_backed_round(table))
    assert len(told[0]) == len(told[1]) >= 6
    for before, other in zip(*told, strict=True):
        assert before == other


def a_backed_round(table: Friends) -> list[dict[str, list[str]]]:
    """What everybody is sent until the dealer's second card is shown."""
    sent = []
    last: Showing | None = None

    def look() -> None:
        nonlocal last
        texts, last = everything(table, last)
        secrets = (ONE.hex(), OTHER.hex(), SPARE.hex())
        assert not [1 for pages in texts.values() for text in pages for one in secrets if one in text]
        sent.append(texts)

    back(table, CAROL, 1, 50, 10)
    look()
    back(table, MALLORY, 1, 20)
    for asked in table.view.waiting_for:
        table.bet((ALICE, BOB)[asked - 1])
    look()
    done(table, CAROL, MALLORY)
    look()
    while table.view.phase in ("insurance", "surrender"):
        guest = next(one for one in (CAROL, ALICE, MALLORY, BOB) if table.own(one).asks)
        insured = guest == CAROL and table.view.phase == "insurance"
        table.answer(guest, "insure" if insured else "decline")
        look()
    options = {option.action for option in table.own(ALICE).actions if option.enabled}
    table.answer(ALICE, "split" if "split" in options else "double")
    look()
    table.answer(MALLORY, "pass")
    look()
    table.answer(CAROL, "follow")
    look()
    return sent


NATURAL_UNDER_AN_ACE = "A low A T low"


@pytest.mark.parametrize(
    ("preset", "cards", "step", "answers"),
    [
        ("match", QUIET, "double", ("follow", "pass")),
        ("match", EIGHTS, "split", ("follow", "pass")),
        ("match", ACE_UP, "", ("insure", "decline")),
        ("classic6", NATURAL_UNDER_AN_ACE, "", ("even_money", "decline")),
    ],
    ids=["a double", "a split", "insurance", "even money"],
)
def test_nobody_is_sent_what_a_backer_answers_while_others_are_asked(
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    table_of: Play,
    preset: str,
    cards: str,
    step: str,
    answers: tuple[str, str],
) -> None:
    told = []
    for answer in (*answers, None):
        seeds, clock = known_names(monkeypatch, settings)
        if preset == "match":
            table = opened(seeds, clock)
            table.start()
        else:
            table = table_of(Kind.OPEN, preset, BOB)
            table.seeds, table.clock = seeds, clock
        with_crowd(table)
        deal(table, cards, CAROL, MALLORY)
        if step:
            table.answer(ALICE, step)
        _, last = everything(table, None)
        if answer is not None:
            table.answer(CAROL, answer)
        assert questions_behind(table.seen().game, table.person(MALLORY).player)
        texts, _ = everything(table, last)
        del texts["Carol"]
        told.append({role: [nameless(text) for text in pages] for role, pages in texts.items()})
    answered, refused, nothing_yet = told
    assert answered == refused
    # Nor does anything tell that there was an answer.
    assert {role: pages[:-1] for role, pages in refused.items()} == {
        role: pages[:-1] for role, pages in nothing_yet.items()
    }


def nameless(text: str) -> str:
    """Without the numbers of people and versions."""
    text = re.sub("p[0-9]+", "P", text)
    return re.sub(r'(data-version=|"version":)\W*[0-9]+', r"\1N", text)


def test_the_question_of_a_backer_is_in_no_page_but_their_own(backed: Friends) -> None:
    deal(backed, QUIET, CAROL, MALLORY)
    backed.answer(ALICE, "double")
    asks = {guest: backed.ask(guest).ask for guest in (CAROL, MALLORY)}
    texts, _ = everything(backed, None)
    for role, pages in texts.items():
        shown = {guest for guest, ask in asks.items() if any(f'value="{ask}"' in page for page in pages)}
        assert shown == {"Carol": {CAROL}, "Mallory": {MALLORY}}.get(role, set())


# Anything


@pytest.mark.parametrize(
    "name", ["a match", "a live table", "a table with boxes", "alone", "alone with boxes"]
)
def test_a_crowd_that_sends_anything_loses_and_makes_no_chip(
    db: None, seeds: Seeds, clock: FrozenClock, table_of: Play, name: str
) -> None:
    dice = random.Random(name)
    if name == "a match":
        table = opened(seeds, clock)
        table.start()
    elif "alone" in name:
        table = table_of(Kind.SOLO, {"alone": "openseat"}.get(name, "classic6"))
        services.join(table.code, BOB, "Bob", sit=False)
    else:
        table = table_of(Kind.OPEN, {"a live table": "casino8"}.get(name, "classic6"), BOB)
    with_crowd(table)
    for _ in range(200):
        before = table.row
        try:
            something(table, dice)
        except (EngineError, Refused):
            after = table.row
            if before.deadline is None or before.deadline > clock.now:
                assert (after.version, after.state) == (before.version, before.state)
        game = table.seen().game
        assert codec.read_game(codec.write_game(game)) == game
        assert all(purse.chips >= game.laid_by(purse.stack) for purse in game.purses)
    rows = list(Round.objects.all())
    assert any(row.record["behind"] for row in rows)
    for row in rows:
        record = record_of(row)
        state = record.replay(Rules.from_json(row.game.rules))
        for stack, had in record.chips.items():
            assert state is not None
            won = 0 if record.void else net_of(state, stack)
            assert row.record["chips_after"][stack] == had + won


def something(table: Friends, dice: random.Random) -> None:
    chance = dice.random()
    guests = (ALICE, BOB, CAROL, MALLORY)
    if chance < 0.1:
        table.clock.advance(dice.choice([1, 5, 20]))
        services.expire(table.code)
    elif chance < 0.16:
        dice.choice([presence.arrive, presence.arrive, presence.depart])(table.code, dice.choice(guests))
    elif chance < 0.17:
        services.void_round(table.code)
    elif chance < 0.19:
        table.forget()
    elif chance < 0.6 and table.view.phase == "betting":
        who = dice.choice(guests)
        view = table.own(who).backing
        fields = {"seat": dice.choice("11227"), "amount": dice.choice(["10", "10", "50", "500", "0", "7"])}
        if view is not None and dice.random() < 0.8:
            table.send(who, action="back", ask=view.ask, pair=dice.choice(["", "10", "110"]), **fields)
        elif view is not None:
            table.send(who, action="done", ask=view.ask)
        elif table.view.kind != "match" and table.own(who).seat is None:
            table.sit(who, int(fields["seat"]))
    else:
        asked = [one for one in guests if table.own(one).asks]
        if not asked and table.view.kind != "match" and table.own(ALICE).seat is None:
            table.sit(ALICE, 1)
        if not asked:
            return
        who = dice.choice(asked)
        ask = dice.choice(table.own(who).asks)
        options = [one.action for one in ask.options if one.enabled]
        action = "bet" if "bet" in options and dice.random() < 0.8 else dice.choice(options)
        table.send(who, action=action, ask=ask.ask, **({"amount": "10"} if action == "bet" else {}))
