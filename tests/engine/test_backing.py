"""Spectators who bet behind seats, at every kind of table: the window, their purses, their questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import actions
from engine.bets import Behind
from engine.game import (
    GameOver,
    NoteKind,
    Phase,
    Reason,
    Status,
    clock_window,
    questions_behind,
)
from engine.notation import parse_move
from engine.round import Asked
from engine.rules import BoxLimit, Rules
from engine.views import view_for
from tests.engine.backing import (
    MUTUAL,
    PRESET_EVEN_MONEY,
    TIMED,
    UNTIMED,
    Backed,
    backed_hand,
    eights,
    eleven,
    key,
    live,
    match,
    natural_under_ace,
    opened,
    pair_that_loses,
    seconds,
    twelve_of_three,
    twelve_of_two,
)
from tests.engine.tables import ace_up, dealer_blackjack, stiff, stiff_three

# Who may bet behind whom


def test_any_spectator_bets_behind_any_occupied_seat_and_several_in_one_round() -> None:
    table = opened(3, wanted=stiff_three)
    table.behind("carol", 1, 50)
    table.behind("carol", 3, 30, 10)
    table.behind("erin_too", 3, 20)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.done("carol", "erin_too")
    carol, erin = table.backer("carol").stack, table.backer("erin_too").stack
    assert table.dealt() == (Behind(carol, 1, 50), Behind(carol, 3, 30, 10), Behind(erin, 3, 20))


def test_a_seat_may_be_backed_before_and_after_it_has_bet() -> None:
    table = match()
    table.behind("carol", 1)
    table.bet("alice")
    table.behind("carol", 1, 60)
    assert table.backer("carol").laid == (Behind("p1", 1, 60),)


@pytest.mark.parametrize(
    ("box", "bet", "pair", "code"),
    [
        (3, 50, 0, "seat_empty"),
        (9, 50, 0, "seat_empty"),
        (0, 50, 0, "seat_empty"),
        (1, 5, 0, "bet_too_small"),
        (1, 510, 0, "bet_too_large"),
        (1, 55, 0, "bet_off_step"),
        (1, 50, 5, "pair_too_small"),
        (1, 50, 110, "pair_too_large"),
        (1, 0, 15, "bet_off_step"),
        (1, 0, 0, "nothing_to_take_back"),
        (2, 0, 0, "nothing_to_take_back"),
    ],
)
def test_bets_behind_that_are_refused(box: int, bet: int, pair: int, code: str) -> None:
    table = match()
    assert table.refused(table.laying("carol", box, bet, pair)) == code


def test_who_has_nothing_behind_a_box_takes_nothing_back_from_it() -> None:
    table = match()
    table.behind("carol", 1)
    assert table.refused(table.laying("carol", 2, 0)) == "nothing_to_take_back"


def test_a_bet_behind_may_be_higher_than_the_seats_and_up_to_the_highest_bet() -> None:
    table = match()
    table.bet("alice", 10)
    table.behind("carol", 1, 500)
    assert table.told(1).behind_sum == 500


def test_where_the_rules_say_no_nobody_bets_behind() -> None:
    table = match(rules=replace(TIMED, backing=False))
    assert table.refused(table.laying("carol", 1)) == "no_backing"
    assert table.own("carol") is None
    assert view_for(table.game, None).public.backing is False


def test_where_there_are_no_pair_bets_a_spectator_lays_none() -> None:
    table = match(rules=replace(TIMED, pair_bets=False))
    assert table.refused(table.laying("carol", 1, 50, 10)) == "no_pair_bets"
    assert table.refused(table.laying("carol", 1, 0, 10)) == "no_pair_bets"
    table.behind("carol", 1, 50)


def test_in_the_lobby_nobody_bets_behind() -> None:
    table = match(start=False)
    assert table.refused(table.laying("carol", 1)) == "stale_question"


@pytest.mark.parametrize("table", [match(), live()], ids=["match", "open"])
def test_a_seated_player_may_not_bet_behind(table: Backed) -> None:
    assert table.refused(table.laying("alice", 2)) == "players_may_not_back"
    assert table.own("alice") is None


def test_a_seated_player_does_not_when_sitting_out_either() -> None:
    table = opened()
    table.sit_out("alice")
    assert table.refused(table.laying("alice", 2)) == "players_may_not_back"


def test_who_is_out_of_the_match_or_has_resigned_watches_and_may_bet_behind() -> None:
    table = match(3)
    table.set_chips(alice=5)
    table.everyone_sits_out()
    assert table.seat("alice").status is Status.OUT
    table.behind("alice", 2, 100)
    assert table.backer("alice").stack == "p1"
    assert table.refused(table.laying("alice", 1)) == "seat_empty"


def test_nobody_bets_behind_a_seat_that_is_out() -> None:
    table = match(3)
    table.set_chips(alice=5)
    table.everyone_sits_out()
    assert table.refused(table.laying("carol", 1)) == "seat_empty"


# The own stack


def test_a_spectators_stack_is_the_starting_stack_and_pays_for_all_boxes() -> None:
    table = match()
    backing = table.own("carol")
    assert backing is not None
    assert (backing.chips, backing.laid, backing.open) == (1_000, 0, True)
    table.behind("carol", 1, 500)
    table.behind("carol", 2, 450)
    assert table.refused(table.laying("carol", 2, 450, 60)) == "not_enough_chips"
    table.behind("carol", 2, 450, 50)
    backing = table.own("carol")
    assert backing is not None
    assert (backing.chips, backing.laid) == (0, 1_000)


def test_a_bet_laid_again_counts_once() -> None:
    table = match()
    table.behind("carol", 1, 500)
    table.behind("carol", 2, 490)
    table.behind("carol", 1, 500, 10)
    assert table.refused(table.laying("carol", 2, 500)) == "not_enough_chips"
    table.behind("carol", 1, 0)
    table.behind("carol", 2, 500)
    assert table.backer("carol").laid == (Behind("p1", 2, 500),)


def test_in_a_match_a_seats_stack_and_a_backers_stack_are_separate() -> None:
    table = match(3)
    table.play_round()
    table.do(actions.Resign("alice"))
    held = table.game.chips_of(table.seat("alice"))
    table.behind("alice", 2, 500)
    assert (table.backer("alice").stack, table.backing_purse("alice").chips) == ("p1", 1_000)
    for who in ("bob", "dave"):
        table.bet(who)
    table.done("alice")
    table.rest()
    assert table.game.chips_of(table.seat("alice")) == held


def test_at_an_open_table_one_stack_is_for_seats_and_backing() -> None:
    table = opened(2, wanted=stiff)
    table.behind("carol", 1, 500)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    table.rest()
    held = table.purse("carol").chips
    assert held in (500, 1_500)
    table.sit("carol", 3)
    assert table.game.chips_of(table.seat("carol")) == held
    table.bet("carol", 10)
    table.take_back("carol")
    table.do(actions.Leave("carol"))
    backing = table.own("carol")
    assert backing is not None
    assert backing.chips == held


def test_who_cannot_lay_the_least_bet_gets_a_fresh_stack_when_bets_open_and_it_is_counted() -> None:
    table = match()
    table.open_shoe(dealer_blackjack)
    table.behind("carol", 1, 500)
    table.behind("carol", 2, 490)
    table.bet("alice", 10)
    table.bet("bob", 10)
    short = tuple(replace(p, chips=995) if p.stack == "p1" else p for p in table.game.purses)
    table.game = replace(table.game, purses=short)
    table.done("carol")
    assert table.game.phase is Phase.BETTING
    purse = table.backing_purse("carol")
    assert (purse.chips, purse.refills, purse.highest) == (1_000, 1, 1_000)
    (line,) = view_for(table.game, None).public.backers
    assert (line.name, line.chips, line.refills, line.net) == ("Carol", 1_000, 1, -990)
    told = [(one.kind, one.seat, one.name) for one in view_for(table.game, None).public.log]
    assert told[-1] == ("refilled", 0, "Carol")


def test_a_stack_is_not_filled_up_while_something_of_it_lies_on_the_table() -> None:
    table = opened()
    table.behind("carol", 1, 500)
    table.behind("carol", 2, 500)
    backing = table.own("carol")
    assert backing is not None
    assert backing.chips == 0
    assert table.purse("carol").refills == 0


def test_the_highest_stack_and_the_rounds_of_a_backer_are_counted() -> None:
    table = match()
    table.open_shoe(eleven)
    table.behind("carol", 1, 100)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    table.answer("alice", "double")
    table.say("carol", "follow")
    table.rest()
    purse = table.backing_purse("carol")
    assert (purse.rounds, purse.backed) == (0, 1)
    assert purse.highest == max(1_000, purse.chips)


@pytest.mark.parametrize("table", [match(), opened()], ids=["match", "open"])
def test_who_lays_and_takes_back_until_nobody_waits_leaves_no_stack(table: Backed) -> None:
    table.behind("eve", 1, 10)
    table.behind("carol", 1)
    table.behind("carol", 1, 0)
    for _ in range(2):
        assert table.backing_purse("carol").chips == 1_000
        table.bet("alice", 10)
        table.bet("bob", 10)
        table.do(actions.Expire())
        table.rest()
    assert table.game.backer("carol") is None
    assert {purse.player for purse in table.game.purses} == {"alice", "bob", "eve"}


# The window


def test_the_deal_does_not_wait_for_who_only_watches() -> None:
    table = match()
    table.bet("alice")
    table.bet("bob")
    assert table.game.phase is Phase.PLAYING


@pytest.mark.parametrize("rules", [TIMED, UNTIMED])
def test_a_betting_spectator_has_five_seconds_after_the_last_answer_clock_or_not(rules: Rules) -> None:
    table = match(rules=rules)
    table.behind("carol", 1)
    table.bet("alice")
    assert (table.game.closing, seconds(table.game)) == (False, rules.bet_seconds)
    bets = key(table.game)
    table.bet("bob")
    assert (table.game.phase, table.game.closing) == (Phase.BETTING, True)
    assert key(table.game) != bets
    assert seconds(table.game) == 5
    assert view_for(table.game, None).public.backers_decide
    table.do(actions.Expire())
    assert (table.game.phase, len(table.dealt())) == (Phase.PLAYING, 1)


def test_done_ends_the_waiting_and_the_last_one_deals() -> None:
    table = match()
    table.behind("carol", 1)
    table.behind("eve", 2)
    table.bet("alice")
    table.done("carol")
    table.bet("bob")
    assert table.game.closing
    assert table.refused(actions.Done("carol", table.window("carol"))) == "done_betting"
    assert table.refused(table.laying("carol", 2)) == "done_betting"
    table.done("eve")
    assert (table.game.phase, len(table.dealt())) == (Phase.PLAYING, 2)


def test_done_before_the_last_seat_lets_that_seat_deal() -> None:
    table = match()
    table.behind("carol", 1)
    table.done("carol")
    table.bet("alice")
    table.bet("bob")
    assert table.game.phase is Phase.PLAYING


def test_who_has_not_bet_behind_is_never_done() -> None:
    table = match()
    assert table.refused(actions.Done("carol", table.window("carol"))) == "stale_question"


def test_bets_in_the_backers_seconds_count_and_start_no_new_clock() -> None:
    table = match()
    table.behind("carol", 1)
    table.bet("alice")
    table.bet("bob")
    window = clock_window(table.game)
    table.behind("carol", 1, 80)
    table.behind("eve", 2, 30)
    table.behind("eve", 2, 0)
    table.behind("eve", 2, 40)
    assert clock_window(table.game) == window
    table.do(actions.Expire())
    assert [(one.box, one.bet) for one in table.dealt()] == [(1, 80), (2, 40)]


def test_a_seat_that_takes_its_bet_back_in_the_backers_seconds_gets_no_more_time_with_a_clock() -> None:
    table = match()
    table.behind("carol", 1)
    table.bet("alice")
    table.bet("bob")
    window = clock_window(table.game)
    table.take_back("alice")
    table.bet("alice", 20)
    assert clock_window(table.game) == window
    table.take_back("alice")
    table.do(actions.Expire())
    assert table.game.record is not None
    assert table.game.record.sat_out == (1,)
    assert table.dealt() == ()


def test_without_a_clock_the_table_waits_for_that_seat_again_and_the_five_seconds_start_anew() -> None:
    table = match(rules=UNTIMED)
    table.behind("carol", 1)
    table.bet("alice")
    table.bet("bob")
    table.take_back("alice")
    assert (table.game.closing, seconds(table.game)) == (False, None)
    assert table.refused(actions.Expire()) == "no_clock"
    table.bet("alice")
    assert (table.game.closing, seconds(table.game)) == (True, 5)


def test_when_the_clock_of_the_bets_ends_the_cards_come_at_once() -> None:
    table = match()
    table.behind("carol", 1)
    table.bet("alice")
    table.do(actions.Expire())
    assert (table.game.phase, len(table.dealt())) == (Phase.PLAYING, 1)


def test_an_open_table_is_idle_again_when_its_last_bet_is_taken_back_in_the_backers_seconds() -> None:
    table = live()
    table.behind("carol", 1)
    assert clock_window(table.game) == (None, None)
    table.bet("alice")
    table.sit_out("bob")
    assert table.game.closing
    table.take_back("alice")
    assert (table.game.closing, clock_window(table.game)) == (False, (None, None))
    assert table.refused(actions.Expire()) == "no_clock"
    assert table.backer("carol").laid
    table.bet("alice")
    assert (table.game.closing, seconds(table.game)) == (True, 5)


def test_an_open_table_is_idle_again_when_who_bet_leaves_in_the_backers_seconds() -> None:
    table = live()
    table.behind("carol", 1)
    table.bet("alice")
    table.sit_out("bob")
    table.do(actions.Leave("alice"))
    assert (table.game.phase, table.game.closing) == (Phase.BETTING, False)
    assert table.backer("carol").laid == ()


def test_a_bet_behind_begins_the_game_of_an_open_table_and_not_its_countdown() -> None:
    table = live()
    table.behind("carol", 1)
    assert table.game.begun
    assert clock_window(table.game) == (None, None)


def test_a_round_without_a_bet_of_a_seat_is_not_dealt_for_backers_at_an_open_table() -> None:
    table = live()
    table.behind("carol", 1)
    table.sit_out("alice")
    table.sit_out("bob")
    table.done("carol")
    assert (table.game.phase, table.game.closing) == (Phase.BETTING, False)


def test_in_a_match_a_round_that_all_sit_out_is_played_when_the_backers_are_ready() -> None:
    table = match()
    table.behind("carol", 1)
    table.sit_out("alice")
    table.sit_out("bob")
    assert table.game.closing
    table.done("carol")
    assert table.game.round_number == 2
    assert table.backing_purse("carol").chips == 1_000


def test_who_has_bet_is_waited_for_until_two_rounds_without_a_bet() -> None:
    table = match()

    def everyone_stands() -> bool:
        """Whether the deal waited."""
        table.bet("alice", 10)
        table.bet("bob", 10)
        waited = table.game.closing
        if waited:
            table.do(actions.Expire())
        table.rest()
        return waited

    table.behind("carol", 1, 10)
    assert [everyone_stands() for _ in range(4)] == [True, True, True, False]
    assert table.game.backer("carol") is None
    # The stack stays, and who bets again is waited for again.
    held = table.backing_purse("carol").chips
    table.behind("carol", 1, 10)
    assert (table.backer("carol").stack, table.backing_purse("carol").chips) == ("p1", held)
    assert everyone_stands()


def test_laying_and_taking_back_is_a_round_without_a_bet() -> None:
    table = match()
    for _ in range(2):
        table.behind("carol", 1)
        table.behind("carol", 1, 0)
        table.everyone_sits_out()
        table.do(actions.Expire())
    assert table.game.backer("carol") is None


def test_a_bet_that_came_back_is_a_bet_all_the_same() -> None:
    table = match()
    table.behind("carol", 1)
    table.sit_out("alice")
    table.bet("bob", 10)
    table.done("carol")
    assert table.backer("carol").idle == 0


def test_a_question_of_the_window_is_open_once() -> None:
    table = match()
    first = table.laying("carol", 1)
    table.do(first)
    assert table.refused(first) == "stale_question"
    done = actions.Done("carol", table.window("carol"))
    table.behind("carol", 1, 60)
    assert table.refused(done) == "stale_question"
    assert table.backer("carol").laid == (Behind("p1", 1, 60),)


def test_the_window_of_one_round_is_not_that_of_the_next() -> None:
    table = match()
    late = table.laying("carol", 1)
    table.bet("alice")
    table.bet("bob")
    assert table.refused(late) == "stale_question"
    table.rest()
    assert table.refused(late) == "stale_question"


def test_a_question_of_another_backer_is_not_mine() -> None:
    table = match()
    table.behind("carol", 1)
    table.behind("eve", 1)
    theirs = table.window("eve")
    assert table.refused(actions.Back("carol", "Carol", theirs, 1, 100)) == "stale_question"
    assert table.refused(actions.Done("carol", theirs)) == "stale_question"


# What goes back before the deal


def test_if_the_seat_sits_the_round_out_the_bets_behind_it_go_back() -> None:
    table = match()
    table.behind("carol", 1, 500, 100)
    table.behind("carol", 2, 50)
    table.sit_out("alice")
    table.bet("bob")
    table.done("carol")
    assert table.dealt() == (Behind("p1", 2, 50),)
    assert table.game.round is not None
    assert table.game.round.chips["p1"] == 950


def test_a_seat_that_sits_out_may_be_backed_in_case_it_bets_after_all() -> None:
    table = match()
    table.sit_out("alice")
    table.behind("carol", 1, 500)
    table.behind("eve", 1, 0, 10)
    table.bet("alice", 10)
    table.bet("bob", 10)
    table.done("carol", "eve")
    assert table.dealt() == (Behind("p1", 1, 500), Behind("p2", 1, 0, 10))
    table = match()
    table.sit_out("alice")
    table.behind("carol", 1, 500)
    table.bet("bob", 10)
    table.done("carol")
    assert table.dealt() == ()
    assert table.backing_purse("carol").chips == 1_000


def test_the_bets_behind_a_seat_whose_time_runs_out_go_back_and_the_idle_seat_goes() -> None:
    table = live()
    table.play_round(10)
    table.behind("carol", 2, 500)
    table.behind("carol", 1, 10)
    table.bet("alice", 10)
    table.do(actions.Expire())
    assert [one.box for one in table.dealt()] == [1]
    table.rest()
    assert table.noted(NoteKind.IDLE) == [2]
    assert table.refused(table.laying("carol", 2)) == "seat_empty"


def test_if_the_seat_leaves_before_the_deal_the_bets_behind_it_go_back() -> None:
    table = opened(3)
    table.behind("carol", 3, 400, 100)
    table.behind("carol", 1, 500)
    table.do(actions.Leave("dave"))
    assert table.backer("carol").laid == (Behind(table.backer("carol").stack, 1, 500),)
    table.behind("carol", 2, 500)


def test_if_the_seat_resigns_before_the_deal_the_bets_behind_it_go_back() -> None:
    table = match(3)
    table.behind("carol", 3, 500)
    table.do(actions.Resign("dave"))
    assert table.backer("carol").laid == ()
    assert table.refused(table.laying("carol", 3)) == "seat_empty"


def test_who_takes_the_seat_next_is_not_backed_by_the_bets_on_the_one_before() -> None:
    table = opened(3)
    table.behind("carol", 3, 500)
    table.do(actions.Leave("dave"))
    table.sit("erin", 3)
    for who in ("alice", "bob", "erin"):
        table.bet(who)
    table.done("carol")
    assert table.dealt() == ()


def test_who_takes_a_seat_gets_the_own_bets_behind_back_and_is_not_waited_for() -> None:
    table = opened(2, wanted=stiff)
    table.behind("carol", 1, 500)
    table.behind("carol", 2, 500)
    table.sit("carol", 3)
    assert table.game.backer("carol") is None
    assert table.told(1).behind == ()
    table.bet("carol", 500)
    table.bet("alice")
    table.bet("bob")
    assert (table.game.phase, table.dealt()) == (Phase.PLAYING, ())


def test_who_takes_a_seat_where_players_may_back_keeps_the_own_bets_behind() -> None:
    table = live(rules=replace(MUTUAL, bet_seconds=20, decision_seconds=20))
    table.behind("carol", 1, 500)
    table.sit("carol", 3)
    assert table.told(1).behind_sum == 500
    assert table.refused(actions.Bet("carol", table.ask("carol"), 510)) == "bet_too_large"
    table.behind("carol", 2, 300)
    assert table.refused(actions.Bet("carol", table.ask("carol"), 210)) == "not_enough_chips"
    table.bet("carol", 200)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    assert {(one.box, one.bet) for one in table.dealt()} == {(1, 500), (2, 300)}


@pytest.mark.parametrize("failure", [True, False])
def test_a_void_round_gives_every_bet_of_backers_back_pairs_included(failure: bool) -> None:
    table = match()
    table.open_shoe(pair_that_loses)
    table.behind("carol", 1, 50, 10)
    table.behind("carol", 2, 30, 20)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    assert table.game.round is not None
    # What the pair had paid is taken back.
    assert table.game.round.chips["p1"] == 1_000 - 110 + 120
    table.do(actions.Void(failure=failure))
    assert table.backing_purse("carol").chips == 1_000
    assert [(one.bet, one.net) for one in table.told(1).behind] == [(50, 0)]
    (behind,) = table.told(1).behind
    assert behind.pair is not None
    assert (behind.pair.bet, behind.pair.paid) == (10, 10)


def test_who_backs_and_sits_down_for_the_next_match_plays_with_a_seats_stack() -> None:
    table = backed_hand(pair_that_loses, 50, 10)
    table.do(actions.Resign("alice"))
    table.sit("carol", 3)
    table.start()
    assert table.game.chips_of(table.seat("carol")) == 1_000
    assert table.refused(table.laying("carol", 1)) == "players_may_not_back"
    assert {purse.stack for purse in table.game.purses} == {"1", "2", "3"}


def test_the_next_game_of_an_open_table_gives_who_backed_a_new_stack() -> None:
    table = opened(2, wanted=stiff)
    table.behind("carol", 1, 500, 100)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    table.rest()
    held = table.purse("carol").chips
    assert held != 1_000
    for who in ("alice", "bob"):
        table.do(actions.Leave(who))
    table.do(actions.CloseGame())
    assert (table.game.backers, table.game.purse_of("carol")) == ((), None)
    table.sit("alice", 1)
    backing = table.own("carol")
    assert backing is not None
    assert backing.chips == 1_000
    table.behind("carol", 1, 500)
    assert (table.purse("carol").backed, table.purse("carol").highest) == (0, 1_000)


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_who_leaves_a_seat_of_an_open_table_bets_behind_others_from_the_same_stack(answered: int) -> None:
    table = opened(3, wanted=stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    for who in ("alice", "bob")[:answered]:
        table.answer(who, "stand")
    table.do(actions.Leave("dave"))
    table.rest()
    held = table.purse("dave").chips
    assert held in (900, 1_000, 1_100)
    table.behind("dave", 1, 500)
    assert table.backer("dave").stack == table.purse("dave").stack
    backing = table.own("dave")
    assert backing is not None
    assert backing.chips == held - 500


# Limits of a box


def test_with_a_shared_limit_there_is_always_room_for_the_seats_least_bet() -> None:
    table = match(rules=replace(TIMED, box_limit=BoxLimit.SHARED))
    assert table.refused(table.laying("carol", 1, 500)) == "box_over_limit"
    table.behind("carol", 1, 300, 50)
    table.behind("eve", 1, 140)
    assert table.refused(table.laying("dan", 1, 10)) == "box_over_limit"
    backing = table.own("dan")
    assert backing is not None
    assert [(one.box, one.room, one.reason) for one in backing.boxes] == [
        (1, 0, "box_over_limit"),
        (2, 490, None),
    ]
    assert table.refused(actions.Bet("alice", table.ask("alice"), 20)) == "box_over_limit"
    table.bet("alice", 10)
    assert table.refused(table.laying("eve", 1, 150)) == "box_over_limit"
    table.behind("eve", 1, 100)
    table.behind("dan", 1, 0, 40)
    table.bet("bob", 500)
    table.do(actions.Expire())
    assert sum(one.bet + one.pair for one in table.dealt()) == 490


def test_with_a_shared_limit_the_seats_own_bet_leaves_the_rest() -> None:
    table = match(rules=replace(TIMED, box_limit=BoxLimit.SHARED))
    table.bet("alice", 400, 50)
    assert table.refused(table.laying("carol", 1, 60)) == "box_over_limit"
    table.behind("carol", 1, 50)
    assert table.refused(actions.Bet("alice", table.ask("alice"), 400, 60)) == "box_over_limit"


def test_with_a_limit_each_a_box_of_ten_carries_any_number_of_the_highest_bets() -> None:
    table = match()
    table.bet("alice", 10)
    for who in ("carol", "dan", "eve"):
        table.behind(who, 1, 500, 100)
    assert table.told(1).behind_sum == 1_500


# The stake follows the hand


def test_the_seats_owner_alone_decides() -> None:
    table = backed_hand(stiff)
    assert questions_behind(table.game, "carol") == ()
    for verb in ("hit", "stand", "double", "split", "surrender"):
        ask = table.ask("alice")
        assert table.refused(actions.Answer("carol", ask, parse_move(f"1 {verb}"))) == "not_seated"
    assert view_for(table.game, None).public.waiting_for == (1,)


@pytest.mark.parametrize(("answer", "bet"), [("follow", 100), ("pass", 50)])
@pytest.mark.parametrize("rules", [TIMED, UNTIMED])
def test_at_a_double_the_backer_has_five_seconds_to_add_the_same_stake(
    answer: str, bet: int, rules: Rules
) -> None:
    table = backed_hand(eleven, rules=rules)
    table.answer("alice", "double")
    assert seconds(table.game) == 5
    assert view_for(table.game, None).public.phase == "follow"
    (ask,) = view_for(table.game, "carol").own.asks  # type: ignore[union-attr]
    assert (ask.kind, ask.behind, [(one.action, one.amount) for one in ask.options]) == (
        "follow_double",
        True,
        [("follow", 50), ("pass", None)],
    )
    table.say("carol", answer)
    assert table.game.round is not None
    assert len(table.game.round.box(1).hands[0].cards) == 3
    assert table.told(1).behind_sum == bet


@pytest.mark.parametrize(("answer", "bet"), [("follow", 100), ("pass", 50)])
def test_at_a_split_the_backer_is_asked_before_the_cards_come(answer: str, bet: int) -> None:
    table = backed_hand(eights)
    table.answer("alice", "split")
    assert table.game.round is not None
    assert [len(hand.cards) for hand in table.game.round.box(1).hands] == [1, 1]
    own = view_for(table.game, "carol").own
    assert own is not None
    assert [ask.kind for ask in own.asks] == ["follow_split"]
    table.say("carol", answer)
    assert table.game.round is not None
    assert [len(hand.cards) for hand in table.game.round.box(1).hands] == [2, 2]
    assert table.told(1).behind_sum == bet
    assert table.game.round.chips["p1"] == 1_000 - bet


@pytest.mark.parametrize("rules", [TIMED, UNTIMED])
def test_no_answer_in_five_seconds_is_no_and_nobody_elses_time_has_run_out(rules: Rules) -> None:
    table = backed_hand(eights, rules=rules)
    table.answer("alice", "split")
    table.do(actions.Expire())
    assert table.told(1).behind_sum == 50
    assert view_for(table.game, None).public.phase == "turns"
    assert [line.kind for line in table.log()].count("time") == 0


def test_each_question_of_a_later_split_or_double_has_its_own_seconds() -> None:
    table = backed_hand(eights)
    table.answer("alice", "split")
    first = key(table.game)
    table.say("carol", "follow")
    turn = key(table.game)
    table.answer("alice", "double")
    assert len({first, turn, key(table.game)}) == 3
    assert (seconds(table.game), questions_behind(table.game, "carol")[0].hand) == (5, 0)


def test_the_seat_waits_while_its_backers_are_asked() -> None:
    table = backed_hand(eights)
    table.answer("alice", "split")
    own = view_for(table.game, "alice").own
    assert own is not None
    assert own.asks == ()
    assert view_for(table.game, None).public.backers_decide
    assert view_for(table.game, None).public.waiting_for == ()


def test_who_lacks_the_chips_for_the_same_stake_is_not_asked() -> None:
    table = match()
    table.open_shoe(eleven)
    table.behind("carol", 1, 500)
    table.behind("carol", 2, 10)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    table.answer("alice", "double")
    assert view_for(table.game, None).public.phase == "turns"
    assert table.told(1).behind_sum == 500


def test_an_answer_of_somebody_else_is_refused() -> None:
    table = backed_hand(eleven)
    table.answer("alice", "double")
    answer = table.saying("carol", "follow")
    for who in ("bob", "mallory"):
        forged = replace(answer, player=who)
        assert table.refused(forged) in ("not_seated", "stale_question")
    bare = actions.Answer("carol", answer.ask, parse_move("1 decline"))
    assert table.refused(bare) == "not_an_answer"
    other = actions.Answer("carol", answer.ask, parse_move("p1@2 follow"))
    assert table.refused(other) == "stale_question"
    table.do(answer)
    assert table.refused(answer) in ("stale_question", "not_seated")


def test_a_pair_alone_wins_at_the_deal_and_asks_nothing() -> None:
    table = backed_hand(pair_that_loses, 0, 20)
    assert table.game.round is not None
    assert table.game.round.chips["p1"] == 1_000 - 20 + 240
    table.answer("alice", "double")
    assert view_for(table.game, None).public.phase == "turns"
    table.rest()
    assert table.backing_purse("carol").chips == 1_220


def test_a_pair_wins_while_the_hand_loses() -> None:
    table = backed_hand(pair_that_loses, 50, 10)
    table.rest()
    (behind,) = [one for one in table.told(1).behind if one.name == "Carol"]
    assert behind.pair is not None
    assert (behind.bet, behind.pair.paid, behind.net) == (50, 120, 60)
    assert table.backing_purse("carol").chips == 1_060


# Insurance and even money on the own stake


def test_a_backer_is_asked_for_insurance_on_the_own_stake_in_the_same_window() -> None:
    table = backed_hand(ace_up)
    assert (view_for(table.game, None).public.phase, seconds(table.game)) == ("insurance", 20)
    own = view_for(table.game, "carol").own
    assert own is not None
    assert [(one.action, one.amount) for one in own.asks[0].options] == [("insure", 25), ("decline", None)]
    table.say("carol", "insure")
    assert table.game.round is not None
    assert table.game.round.chips["p1"] == 925
    table.answer("alice", "decline")
    table.answer("bob", "insure")
    table.rest()
    (behind,) = table.told(1).behind
    assert behind.insurance is not None
    assert (behind.insurance.bet, behind.insurance.paid) == (25, 0)
    assert table.told(1).insurance is None


@pytest.mark.parametrize("rules", [TIMED, UNTIMED])
def test_when_only_backers_are_left_to_answer_they_have_their_own_seconds(rules: Rules) -> None:
    table = backed_hand(ace_up, rules=rules)
    assert seconds(table.game) == rules.decision_seconds
    assert not view_for(table.game, None).public.backers_decide
    before = key(table.game)
    table.answer("alice", "decline")
    assert key(table.game) == before
    table.answer("bob", "decline")
    assert key(table.game) != before
    assert (seconds(table.game), view_for(table.game, None).public.backers_decide) == (5, True)
    table.do(actions.Expire())
    assert view_for(table.game, None).public.phase == "turns"
    assert all(one.insurance is None for one in table.told(1).behind)


@pytest.mark.parametrize("rules", [TIMED, UNTIMED])
def test_what_a_backer_answers_moves_no_clock_of_a_seat(rules: Rules) -> None:
    table = backed_hand(ace_up, rules=rules)
    window = clock_window(table.game)
    table.say("carol", "insure")
    assert clock_window(table.game) == window
    table.answer("alice", "decline")
    assert clock_window(table.game) == window


@pytest.mark.parametrize("rules", [TIMED, UNTIMED])
def test_the_seconds_to_follow_are_the_same_until_all_have_answered_and_then_they_end(rules: Rules) -> None:
    table = match(rules=rules)
    table.open_shoe(twelve_of_two)
    for who in ("carol", "dan", "eve"):
        table.behind(who, 1, 50)
    table.bet("alice")
    table.bet("bob")
    table.done("carol", "dan", "eve")
    table.answer("alice", "double")
    window = clock_window(table.game)
    for who, verb in (("eve", "pass"), ("carol", "follow")):
        table.say(who, verb)
        assert clock_window(table.game) == window
        assert view_for(table.game, None).public.phase == "follow"
    table.say("dan", "follow")
    assert view_for(table.game, None).public.phase == "turns"
    assert seconds(table.game) == rules.decision_seconds
    assert [one.bet for one in table.told(1).behind] == [100, 100, 50]


def test_the_even_money_of_the_seat_changes_nothing_for_the_backer() -> None:
    table = backed_hand(natural_under_ace, rules=PRESET_EVEN_MONEY)
    assert {q.asked for q in questions_behind(table.game, "carol")} == {Asked.EVEN_MONEY}
    table.answer("alice", "even_money")
    table.say("carol", "decline")
    table.rest()
    assert table.backing_purse("carol").chips == 1_075
    assert table.last_round().round is not None


def test_a_backer_takes_even_money_while_the_seat_waits() -> None:
    table = backed_hand(natural_under_ace, rules=PRESET_EVEN_MONEY)
    table.say("carol", "even_money")
    table.answer("alice", "decline")
    table.rest()
    assert table.backing_purse("carol").chips == 1_050


# Away


def test_the_bets_of_who_disconnects_stay_and_the_deal_does_not_wait() -> None:
    table = match()
    table.behind("carol", 1)
    table.bet("alice")
    table.bet("bob")
    assert table.game.closing
    table.do(actions.GoAway("carol"))
    assert (table.game.phase, len(table.dealt())) == (Phase.PLAYING, 1)


def test_every_question_of_who_is_away_is_answered_no() -> None:
    table = backed_hand(eights)
    table.do(actions.GoAway("carol"))
    table.answer("alice", "split")
    assert view_for(table.game, None).public.phase == "turns"
    assert table.told(1).behind_sum == 50
    table = backed_hand(ace_up)
    table.do(actions.GoAway("carol"))
    assert questions_behind(table.game, "carol") == ()
    assert table.game.round is not None
    assert table.game.round.moves == (parse_move("p1@1 decline"),)


def test_who_goes_away_while_asked_to_follow_says_no() -> None:
    table = backed_hand(eleven)
    table.answer("alice", "double")
    table.do(actions.GoAway("carol"))
    assert view_for(table.game, None).public.phase == "turns"
    assert table.told(1).behind_sum == 50


def test_who_comes_back_is_asked_again_from_then_on() -> None:
    table = backed_hand(eights)
    table.do(actions.GoAway("carol"))
    assert table.refused(actions.GoAway("carol")) == "not_betting"
    table.do(actions.ComeBack("carol"))
    assert table.refused(actions.ComeBack("carol")) == "not_away"
    table.answer("alice", "split")
    assert len(questions_behind(table.game, "carol")) == 1


def test_who_only_watches_neither_goes_nor_comes() -> None:
    table = match()
    assert table.refused(actions.GoAway("carol")) == "not_betting"
    assert table.refused(actions.ComeBack("carol")) == "not_away"


def test_who_closes_the_laptop_without_done_delays_nothing_and_keeps_the_bets() -> None:
    table = match(rules=UNTIMED)
    table.open_shoe(eights)
    table.behind("carol", 1, 50, 10)
    table.behind("carol", 2, 30)
    table.do(actions.GoAway("carol"))
    table.bet("alice")
    table.bet("bob")
    assert (table.game.phase, len(table.dealt())) == (Phase.PLAYING, 2)
    table.answer("alice", "split")
    assert view_for(table.game, None).public.waiting_for == (1,)
    table.rest()
    state = table.last_round().round
    assert state is not None
    assert table.backing_purse("carol").chips == state.chips["p1"]
    # Nobody waits in the next round either.
    table.bet("alice", 10)
    table.bet("bob", 10)
    assert not table.game.closing


def test_who_bets_behind_again_is_there_again() -> None:
    table = match()
    table.behind("carol", 1)
    table.do(actions.GoAway("carol"))
    table.behind("carol", 1, 60)
    assert not table.backer("carol").away
    table.bet("alice")
    table.bet("bob")
    assert table.game.closing


# Resigning and the end of a match


def test_the_hands_of_a_seat_that_resigns_stand_and_the_bets_behind_go_on() -> None:
    table = match(3)
    table.open_shoe(stiff_three)
    table.behind("carol", 1, 50)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.done("carol")
    table.do(actions.Resign("alice"))
    assert table.game.round is not None
    assert table.game.round.moves == (parse_move("1 stand"),)
    table.rest()
    state = table.last_round().round
    assert state is not None
    (own, behind) = state.box(1).hands[0].stakes
    assert own.result is behind.result is not None
    assert table.backing_purse("carol").chips == 950 + (behind.paid or 0)
    assert table.game.chips_of(table.seat("alice")) == 900


def test_a_backer_still_answers_when_the_seat_resigns_after_its_double() -> None:
    table = match(3)
    table.open_shoe(twelve_of_three)
    table.behind("carol", 1, 50)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.done("carol")
    table.answer("alice", "double")
    table.do(actions.Resign("alice"))
    assert len(questions_behind(table.game, "carol")) == 1
    table.say("carol", "follow")
    table.rest()
    state = table.last_round().round
    assert state is not None
    (_, behind) = state.box(1).hands[0].stakes
    assert (behind.bet, table.backing_purse("carol").chips) == (100, 900 + (behind.paid or 0))


@pytest.mark.parametrize("how", ["resigned", "agreed"])
def test_a_match_that_ends_in_mid_round_gives_open_stakes_of_backers_back(how: str) -> None:
    table = backed_hand(pair_that_loses, 50, 10)
    if how == "resigned":
        table.do(actions.Resign("alice"))
    else:
        table.do(actions.OfferDraw("alice"))
        assert table.game.offer is not None
        table.do(actions.AcceptDraw("bob", table.game.offer.id))
    assert table.game.phase is Phase.OVER
    # The pair was settled: it stands.
    assert table.backing_purse("carol").chips == 1_000 - 10 + 120
    (behind,) = table.told(1).behind
    assert (behind.bet, behind.net) == (50, 110)
    assert [(line.name, line.chips) for line in view_for(table.game, None).public.backers] == [
        ("Carol", 1_110)
    ]


def test_a_match_that_ends_while_backers_are_asked_gives_back_what_they_followed_with() -> None:
    table = match()
    table.open_shoe(eleven)
    for who in ("carol", "eve"):
        table.behind(who, 1, 50)
    table.bet("alice")
    table.bet("bob")
    table.done("carol", "eve")
    table.answer("alice", "double")
    table.say("carol", "follow")
    table.do(actions.Resign("bob"))
    assert table.game.result is not None
    assert table.game.result.reason is Reason.LAST_LEFT
    assert [table.backing_purse(who).chips for who in ("carol", "eve")] == [1_000, 1_000]
    assert table.game.chips_of(table.seat("alice")) == 1_000


@pytest.mark.parametrize("verb", ["double", "split"])
def test_a_match_that_is_abandoned_while_backers_are_asked_gives_everything_open_back(verb: str) -> None:
    table = backed_hand(eights, 50, 10)
    table.answer("alice", verb)
    table.do(actions.Abandon())
    assert table.game.result is not None
    assert (table.game.result.reason, table.game.result.winner) == (Reason.ABANDONED, None)
    # The pair was settled: it stands.
    assert table.backing_purse("carol").chips == 1_110
    assert table.chips() == {"alice": 1_000, "bob": 1_000}
    assert questions_behind(table.game, "carol") == ()
    assert clock_window(table.game) == (None, None)


def test_a_draw_agreed_while_backers_are_asked_gives_everything_open_back() -> None:
    table = backed_hand(eleven)
    table.do(actions.OfferDraw("bob"))
    assert table.game.offer is not None
    offer = table.game.offer.id
    table.answer("alice", "double")
    # To double was a move made instead of an answer.
    assert table.refused(actions.AcceptDraw("alice", offer)) == "stale_offer"
    table.do(actions.OfferDraw("alice"))
    assert table.game.offer is not None
    table.do(actions.AcceptDraw("bob", table.game.offer.id))
    assert table.game.result is not None
    assert table.game.result.reason is Reason.AGREED_DRAW
    assert table.backing_purse("carol").chips == 1_000


def test_what_a_backer_answers_leaves_an_offered_draw_as_it_is() -> None:
    table = backed_hand(eleven)
    table.answer("alice", "double")
    table.do(actions.OfferDraw("bob"))
    offer = table.game.offer
    table.say("carol", "follow")
    assert table.game.offer == offer is not None


def test_the_last_round_of_a_match_is_settled_for_backers_as_for_seats() -> None:
    table = match()
    for _ in range(9):
        table.everyone_sits_out()
    table.behind("carol", 1, 500, 100)
    table.bet("alice", 10)
    table.bet("bob", 10)
    table.done("carol")
    table.rest()
    assert table.game.phase is Phase.OVER
    state = table.last_round().round
    assert state is not None
    assert table.backing_purse("carol").chips == state.chips["p1"]
    (line,) = view_for(table.game, None).public.backers
    assert (line.chips, line.net) == (state.chips["p1"], state.chips["p1"] - 1_000)
    (over,) = [event for event in table.happened if isinstance(event, GameOver)]
    assert "p1" not in {place.stack for place in over.result.places}


def test_a_match_that_ends_with_its_bets_open_leaves_no_bet_on_the_felt() -> None:
    table = match()
    table.behind("carol", 1)
    table.bet("alice")
    table.bet("bob")
    assert table.game.closing
    table.do(actions.Resign("bob"))
    public = view_for(table.game, None).public
    assert (public.phase, public.backers_decide) == ("over", False)
    assert table.told(1).behind == ()
    assert table.backing_purse("carol").chips == 1_000


def test_a_new_match_gives_backers_a_new_stack_and_waits_for_none_of_the_last() -> None:
    table = backed_hand(pair_that_loses, 50, 10)
    table.do(actions.Resign("alice"))
    table.start()
    assert (table.game.backers, table.game.backing_purse_of("carol")) == ((), None)
    table.behind("carol", 1, 500)
    assert table.backing_purse("carol").chips == 1_000
