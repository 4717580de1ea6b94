"""Who watches somebody play alone bets behind: the deal that waits, the questions, the end of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import actions
from engine.bets import Behind
from engine.cards import Card
from engine.game import GameOver, Kind, NoteKind, Phase, Purse, Reason, clock_window
from engine.rules import PRESETS, Rules
from engine.views import view_for
from tests.engine.backing import TIMED, UNTIMED, Backed, seconds
from tests.engine.tables import points

BOXES = replace(PRESETS["classic6"], bet_seconds=None, decision_seconds=None)


def eleven(cards: tuple[Card, ...]) -> bool:
    """Eleven against a 7 to 9."""
    one, up, two = points(cards)[:3]
    return one + two == 11 and up in (7, 8, 9)


def eights(cards: tuple[Card, ...]) -> bool:
    """A pair of eights against a 7 to 9."""
    one, up, two = points(cards)[:3]
    return (one, two) == (8, 8) and up in (7, 8, 9)


def ace_up(cards: tuple[Card, ...]) -> bool:
    """A stiff hand against an ace without a blackjack."""
    one, up, two, hole = points(cards)[:4]
    return up == 11 and hole < 10 and 12 <= one + two <= 16


def natural_under_ace(cards: tuple[Card, ...]) -> bool:
    """A blackjack against an ace without one."""
    one, up, two, hole = points(cards)[:4]
    return {one, two} == {10, 11} and up == 11 and hole < 10


def stiff(cards: tuple[Card, ...]) -> bool:
    """12 to 16 without a pair against a 7 to 9."""
    one, up, two = points(cards)[:3]
    return 11 not in (one, two) and 12 <= one + two <= 16 and one != two and up in (7, 8, 9)


def dealer_blackjack(cards: tuple[Card, ...]) -> bool:
    """A hand that loses at once."""
    one, up, two, hole = points(cards)[:4]
    return (up, hole) == (10, 11) and one + two < 20


def alone(wanted: Callable[[tuple[Card, ...]], bool] | None = None, *, rules: Rules = UNTIMED) -> Backed:
    return Backed(1, kind=Kind.SOLO, rules=rules, wanted=wanted)


def backed_hand(
    wanted: Callable[[tuple[Card, ...]], bool], bet: int = 50, pair: int = 0, *, rules: Rules = UNTIMED
) -> Backed:
    """Carol has bet behind Alice and is done, the cards are on the table."""
    table = alone(wanted, rules=rules)
    table.behind("carol", 1, bet, pair)
    table.bet("alice")
    table.done("carol")
    assert table.game.phase is Phase.PLAYING
    return table


def over(table: Backed) -> GameOver:
    return next(event for event in reversed(table.happened) if isinstance(event, GameOver))


# The window


def test_whoever_watches_bets_behind_who_plays_alone_and_can_not_sit() -> None:
    table = alone(stiff)
    backing = table.own("carol")
    assert backing is not None
    assert (backing.open, backing.chips, [box.box for box in backing.boxes]) == (True, 1_000, [1])
    table.behind("carol", 1, 50, 10)
    table.behind("dave", 1, 0, 20)
    assert table.told(1).behind_sum == 50
    assert table.refused(actions.Sit("carol", 2, "C")) == "alone_here"
    table.bet("alice")
    table.done("carol", "dave")
    assert table.dealt() == (Behind("p2", 1, 50, 10), Behind("p3", 1, 0, 20))


def test_who_plays_alone_bets_behind_nobody() -> None:
    assert alone().own("alice") is None
    assert alone().refused(alone().laying("alice", 1)) == "players_may_not_back"
    boxes = alone(rules=BOXES)
    boxes.sit("alice", 2)
    backing = boxes.own("alice")
    assert backing is not None
    assert backing.boxes == ()
    assert boxes.refused(boxes.laying("alice", 2)) == "own_box"


def test_several_boxes_of_who_plays_alone_may_be_backed() -> None:
    table = alone(rules=BOXES)
    table.sit("alice", 3)
    table.behind("carol", 1, 50)
    table.behind("carol", 3, 20)
    assert table.refused(table.laying("carol", 2)) == "seat_empty"
    table.bet("alice", 10, box=1)
    table.bet("alice", 10, box=3)
    assert table.game.closing
    table.done("carol")
    assert [one.box for one in table.dealt()] == [1, 3]


def test_where_the_rules_say_no_nobody_bets_behind_who_plays_alone() -> None:
    table = alone(rules=replace(UNTIMED, backing=False))
    assert table.refused(table.laying("carol", 1)) == "no_backing"
    assert table.own("carol") is None


# The deal that waits


def test_with_nobody_betting_behind_the_cards_come_at_once() -> None:
    table = alone(stiff)
    table.bet("alice")
    assert (table.game.phase, clock_window(table.game)[1]) == (Phase.PLAYING, None)


def test_a_box_that_is_taken_while_the_deal_waits_has_its_own_time() -> None:
    table = alone(rules=BOXES)
    table.behind("carol", 1)
    table.bet("alice")
    assert (table.game.closing, seconds(table.game)) == (True, 5)
    table.sit("alice", 2)
    assert (table.game.closing, seconds(table.game)) == (False, None)
    assert table.refused(actions.Expire()) == "no_clock"
    table.bet("alice", 20, box=2)
    assert (table.game.closing, seconds(table.game)) == (True, 5)
    table.done("carol")
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({1: 100, 2: 20}, ())


@pytest.mark.parametrize("rules", [TIMED, UNTIMED])
def test_the_deal_waits_five_seconds_for_who_has_bet_behind_clock_or_not(rules: Rules) -> None:
    table = alone(stiff, rules=rules)
    table.behind("carol", 1)
    assert clock_window(table.game) == (None, None)
    table.bet("alice")
    assert (table.game.closing, seconds(table.game)) == (True, 5)
    assert view_for(table.game, None).public.backers_decide
    table.do(actions.Expire())
    assert (table.game.phase, len(table.dealt())) == (Phase.PLAYING, 1)


def test_the_deal_does_not_wait_for_who_is_done_or_has_gone_away() -> None:
    table = alone(stiff)
    table.behind("carol", 1)
    table.behind("dave", 1)
    table.done("carol")
    table.do(actions.GoAway("dave"))
    table.bet("alice")
    assert (table.game.phase, len(table.dealt())) == (Phase.PLAYING, 2)


def test_a_bet_laid_anew_while_the_deal_waits_buys_nobody_more_time() -> None:
    table = alone(stiff)
    table.behind("carol", 1)
    table.bet("alice")
    window = clock_window(table.game)
    table.bet("alice", 50)
    table.behind("carol", 1, 60)
    table.behind("dave", 1, 20)
    assert clock_window(table.game) == window
    table.do(actions.Expire())
    assert [one.bet for one in table.dealt()] == [60, 20]


def test_who_has_bet_is_waited_for_until_two_rounds_without_a_bet() -> None:
    table = backed_hand(stiff)
    waited = []
    for _ in range(4):
        table.rest()
        table.bet("alice", 10)
        waited.append(table.game.closing)
        if table.game.closing:
            table.do(actions.Expire())
    assert waited == [True, True, False, False]


# The round: the clock of the table is off, that of the questions is not


@pytest.mark.parametrize(("answer", "bet"), [("follow", 100), ("pass", 50)])
@pytest.mark.parametrize(("verb", "wanted"), [("double", eleven), ("split", eights)])
def test_a_double_and_a_split_ask_the_backer_for_five_seconds(
    verb: str, wanted: Callable[[tuple[Card, ...]], bool], answer: str, bet: int
) -> None:
    table = backed_hand(wanted)
    assert seconds(table.game) is None
    table.answer("alice", verb)
    public = view_for(table.game, None).public
    assert (public.phase, public.backers_decide, seconds(table.game)) == ("follow", True, 5)
    assert view_for(table.game, "alice").own.asks == ()  # type: ignore[union-attr]
    table.say("carol", answer)
    assert table.told(1).behind_sum == bet
    table.rest()
    assert table.told(1).behind[0].net is not None


def test_no_answer_in_five_seconds_is_no() -> None:
    table = backed_hand(eights)
    table.answer("alice", "split")
    table.do(actions.Expire())
    assert table.told(1).behind_sum == 50
    assert seconds(table.game) is None


def test_a_page_that_is_closed_says_no_and_keeps_the_bet() -> None:
    table = backed_hand(eights)
    table.do(actions.GoAway("carol"))
    table.answer("alice", "split")
    assert view_for(table.game, None).public.phase == "turns"
    assert table.told(1).behind_sum == 50


def test_insurance_is_asked_of_both_and_only_the_backer_is_hurried() -> None:
    table = backed_hand(ace_up)
    assert (view_for(table.game, None).public.phase, seconds(table.game)) == ("insurance", None)
    table.answer("alice", "decline")
    assert seconds(table.game) == 5
    table.say("carol", "insure")
    (behind,) = table.told(1).behind
    assert behind.insurance is not None
    assert (behind.insurance.bet, behind.insurance.paid) == (25, 0)


def test_even_money_is_the_own_answer_of_each() -> None:
    table = backed_hand(natural_under_ace, rules=BOXES)
    table.answer("alice", "decline")
    assert seconds(table.game) == 5
    table.say("carol", "even_money")
    table.rest()
    assert [one.net for one in table.told(1).behind] == [50]


def test_a_pair_alone_is_settled_at_the_deal() -> None:
    table = backed_hand(eights, 0, 20)
    state = table.game.round
    assert state is not None
    assert state.chips[table.backer("carol").stack] == 980 + 12 * 20
    table.answer("alice", "split")
    assert view_for(table.game, None).public.phase == "turns"


def test_a_fresh_stack_of_who_bets_behind_is_counted() -> None:
    table = alone(dealer_blackjack, rules=replace(UNTIMED, starting_chips=100))
    table.behind("carol", 1, 80, 20)
    table.bet("alice", 10)
    table.done("carol")
    assert table.game.phase is Phase.BETTING
    (line,) = view_for(table.game, None).public.backers
    assert (line.name, line.chips, line.refills) == ("Carol", 100, 1)
    assert table.purse("alice").chips == 90
    assert table.noted(NoteKind.REFILLED) == [0]


def test_a_void_round_gives_the_bets_behind_back() -> None:
    table = backed_hand(eights, 50, 10)
    table.answer("alice", "split")
    table.do(actions.Void())
    assert table.last_round().record.void
    assert (table.purse("alice").chips, table.purse("carol").chips) == (1_000, 1_000)


# The end of a game


def test_a_new_game_with_bets_open_gives_the_bets_behind_back() -> None:
    table = backed_hand(stiff)
    table.rest()
    table.behind("carol", 1, 500)
    held = table.purse("carol").chips
    table.bet("alice", 10)
    assert table.game.closing
    late = table.laying("carol", 1, 20)
    table.do(actions.NewGame("alice"))
    assert (over(table).result.reason, table.game.closing, table.game.backers) == (
        Reason.NEW_GAME,
        False,
        (),
    )
    carol = next(purse for purse in over(table).purses if purse.player == "carol")
    assert (carol.chips, carol.backed, carol.rounds) == (held, 1, 0)
    assert table.refused(late) == "stale_question"
    table.bet("alice", 10)
    assert table.game.phase is Phase.PLAYING
    assert table.dealt() == ()


def test_the_next_game_gives_who_backed_a_new_stack() -> None:
    table = backed_hand(stiff, 500)
    table.rest()
    assert table.purse("carol").chips != 1_000
    table.do(actions.NewGame("alice"))
    backing = table.own("carol")
    assert backing is not None
    assert (backing.chips, backing.waited) == (1_000, False)
    table.behind("carol", 1, 500)
    assert table.purse("carol") == Purse(table.backer("carol").stack, "carol", "Carol", 1_000, 1_000)


@pytest.mark.parametrize("end", [actions.NewGame("alice"), actions.Abandon()])
def test_a_game_that_ends_while_backers_are_asked_gives_everything_open_back(
    end: actions.NewGame | actions.Abandon,
) -> None:
    table = backed_hand(eights, 50)
    table.answer("alice", "split")
    table.do(end)
    told = table.last_round()
    assert told.record.broken_off
    assert dict(told.chips) == {"p1": 1_000, "p2": 1_000}
    assert [place.player for place in over(table).result.places] == ["alice"]
    assert {purse.player for purse in over(table).purses} == {"alice", "carol"}


def test_a_bet_behind_begins_a_game_and_one_without_a_round_ends_without_a_trace() -> None:
    table = alone()
    table.behind("carol", 1)
    assert table.game.begun
    table.do(actions.NewGame("alice"))
    assert over(table).result.places == ()
    assert (table.game.backers, table.game.begun) == ((), False)
