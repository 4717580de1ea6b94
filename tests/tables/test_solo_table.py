"""Alone at a table: round after round, fresh stacks that are counted, a new game, the end after a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from engine.errors import EngineError
from engine.game import Kind
from engine.rules import PRESETS
from tables import services
from tables.errors import Refused
from tables.identity import COOKIE, cookie_of
from tables.models import Game, GamePlayer, Round, Shoe
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, Friends

QUIET = "low mid low"


@pytest.fixture
def alone(table_of: Play) -> Friends:
    return table_of(Kind.SOLO, "openseat", cards=QUIET)


def lose_everything(table: Friends, box: int = 1) -> None:
    """Bet as much as may be and draw until it is gone."""
    refills = table.own(ALICE).refills
    while table.own(ALICE).refills == refills:
        asked = table.ask(ALICE)
        if asked.kind == "bet":
            table.bet(ALICE, min(500, table.own(ALICE).chips // 10 * 10), box)
        elif asked.kind == "turn":
            table.answer(ALICE, "hit")
        else:
            table.answer(ALICE, "decline")


def test_the_first_decision_waits_with_its_hint(alone: Friends) -> None:
    own = alone.own(ALICE)
    assert (own.hints, own.hint is not None, own.chips) == (True, True, 990)
    assert own.asks[0].kind == "turn"


def test_the_bets_of_the_next_round_are_open_at_once(alone: Friends) -> None:
    alone.stand()
    assert (alone.view.phase, alone.view.round_number, alone.view.shown_round) == ("betting", 2, 1)
    assert alone.own(ALICE).last_bet == 10
    assert Round.objects.count() == 1


def test_a_bet_of_ones_own_brings_the_cards_without_a_clock(alone: Friends) -> None:
    alone.stand()
    alone.reseed(QUIET)
    alone.bet(ALICE, 50)
    assert alone.view.phase == "turns"
    assert alone.row.deadline is None


def test_an_hour_of_thinking_costs_nothing(alone: Friends) -> None:
    before = alone.row.state
    alone.clock.advance(3600)
    assert not services.expire(alone.code)
    services.tidy()
    assert alone.row.state == before


def test_fresh_stacks_and_the_highest_one_survive_a_restart(alone: Friends) -> None:
    alone.stand()
    lose_everything(alone)
    lose_everything(alone)
    own = alone.own(ALICE)
    assert (own.refills, own.chips) == (2, 1000)
    assert own.highest >= 1000
    alone.forget()
    assert alone.own(ALICE) == own
    player = GamePlayer.objects.get()
    page = Client(headers={"user-agent": "Mozilla/5.0"})
    page.cookies[COOKIE] = cookie_of(ALICE)
    assert page.get(f"/t/{alone.code}/").status_code == 200
    alone.command(ALICE, "new_game")
    player.refresh_from_db()
    assert (player.refills, player.highest, player.place) == (2, own.highest, 1)


def test_a_remainder_under_the_least_bet_is_dropped(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat", cards="T mid 6 T", starting_chips=15, bet_step=5)
    table.answer(ALICE, "hit")  # the ten busts it
    own = table.own(ALICE)
    assert (own.chips, own.refills, own.highest) == (15, 1, 15)


def test_a_new_game_ends_the_old_one_and_begins_with_the_next_bet(alone: Friends) -> None:
    alone.stand()
    chips = alone.own(ALICE).chips
    alone.command(ALICE, "new_game")
    ended = Game.objects.get()
    assert (ended.reason, ended.finished) == ("new_game", alone.clock.now)
    player = GamePlayer.objects.get()
    assert (player.nickname, player.stack, player.chips, player.won) == ("Alice", "p1", chips, False)
    view = alone.view
    assert (view.game, view.phase, view.begun, view.round_number) == (2, "betting", False, 1)
    assert (view.dealer, view.seats[0].chips) == (None, 1000)
    assert not alone.row.running
    alone.bet(ALICE)
    assert [(one.number, one.finished) for one in Game.objects.order_by("number")] == [
        (1, ended.finished),
        (2, None),
    ]
    assert alone.row.running


def test_a_new_game_in_the_middle_of_a_round_gives_the_open_stake_back(alone: Friends) -> None:
    alone.command(ALICE, "new_game")
    kept = Round.objects.get()
    assert kept.record["broken_off"]
    assert kept.record["chips_after"] == {"p1": 1000}
    assert GamePlayer.objects.get().chips == 1000


def test_a_game_in_which_nothing_was_played_is_not_kept(alone: Friends) -> None:
    alone.stand()
    alone.command(ALICE, "new_game")
    with pytest.raises(EngineError, match="game_is_new"):
        alone.command(ALICE, "new_game")
    rules = replace(PRESETS["classic6"], bet_seconds=None, decision_seconds=None)
    code = services.open_table(ALICE, "", rules, Kind.SOLO, 10, listed=False)
    two = Friends(code, alone.seeds, alone.clock)
    two.stand()
    two.command(ALICE, "new_game")
    two.sit(ALICE, 2)
    two.bet(ALICE, 10, 2)
    assert Game.objects.filter(table__code=code).count() == 2
    two.answer(ALICE, "take_back", 2)
    two.command(ALICE, "new_game")
    assert Game.objects.filter(table__code=code).count() == 1


def test_two_clicks_on_new_game_begin_one(alone: Friends) -> None:
    frame = {"action": "new_game", "game": "1"}
    alone.send(ALICE, **frame)
    with pytest.raises(Refused, match="stale_game"):
        alone.send(ALICE, **frame)
    assert alone.view.game == 2


def test_after_a_day_without_a_touch_the_game_ends(alone: Friends) -> None:
    alone.clock.advance(86399)
    services.tidy()
    assert alone.view.begun
    alone.clock.advance(1)
    services.tidy()
    assert Game.objects.get().reason == "abandoned"
    assert (alone.view.begun, alone.row.running) == (False, False)
    before = alone.row.version
    alone.clock.advance(86400)
    services.tidy()
    assert alone.row.version == before
    alone.bet(ALICE)
    assert Game.objects.filter(finished=None).count() == 1


def test_playing_keeps_the_day_from_ending(alone: Friends) -> None:
    for _ in range(3):
        alone.clock.advance(timedelta(hours=20).total_seconds())
        alone.round(ALICE)
        services.tidy()
    assert Game.objects.get().finished is None


def test_others_watch_and_do_not_sit(alone: Friends) -> None:
    services.join(alone.code, BOB, "Bob", sit=True)
    assert alone.own(BOB).seat is None
    alone.stand()
    with pytest.raises(EngineError, match="alone_here"):
        alone.sit(BOB, 1)
    with pytest.raises(EngineError, match="not_host"):
        alone.command(BOB, "new_game")
    assert alone.own(BOB).hint is None


def test_the_only_box_can_not_be_left(alone: Friends) -> None:
    with pytest.raises(EngineError, match="alone_here"):
        alone.command(ALICE, "leave")
    assert alone.seated() == {1: "Alice"}


def test_several_boxes_alone(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "classic6", cards=QUIET)
    table.stand()
    table.sit(ALICE, 2)
    table.sit(ALICE, 7)
    table.bet(ALICE, 100, 1)
    assert table.view.phase == "betting"
    table.bet(ALICE, 50, 7)
    assert table.own(ALICE).chips == table.view.seats[1].chips
    table.command(ALICE, "deal")
    assert table.view.shown_round == 2
    assert [seat.seat for seat in table.view.seats if seat.hands] == [1, 7]
    assert table.view.seats[1].status == "sitting_out"
    table.stand()
    assert Round.objects.get(number=2).record["stacks"] == {"1": "p1", "7": "p1"}


def test_a_shoe_goes_on_over_the_rounds(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "casino8", cards=QUIET)
    table.stand()
    assert table.view.shoe is not None
    first = table.view.shoe
    assert (first.number, table.view.published) == (1, None)
    table.bet(ALICE)
    table.stand()
    assert table.view.shoe.commitment == first.commitment
    assert table.view.shoe.left < first.left
    assert [row.record["shoe"]["number"] for row in Round.objects.all()] == [1, 1]
    assert Round.objects.get(number=2).record["shoe"]["dealt"] == 52 * 8 - first.left
    assert Shoe.objects.get().finished is None
    table.command(ALICE, "new_game")
    assert Shoe.objects.get().finished == table.clock.now
    assert table.view.published is not None
    assert table.view.published.number == 1
