"""Seated players who bet behind each other from their own stack, where the rules let them."""

from __future__ import annotations

from dataclasses import replace

from engine import actions
from engine.bets import Behind
from engine.cards import Card
from engine.game import (
    NoteKind,
    Phase,
    Status,
)
from engine.round import open_stakes
from engine.rules import PRESETS
from engine.views import public_view, view_for
from tests.engine.backing import (
    MUTUAL,
    backed_hand,
    eleven,
    live,
    match,
    twelve_of_three,
)
from tests.engine.tables import points, stiff


def test_a_player_backs_a_box_that_is_not_theirs_from_the_own_stack() -> None:
    table = match(rules=MUTUAL)
    assert table.refused(table.laying("alice", 1)) == "own_box"
    table.behind("alice", 2, 500)
    assert table.backer("alice").stack == table.seat("alice").stack == "s1"
    assert table.refused(actions.Bet("alice", table.ask("alice"), 500, 10)) == "not_enough_chips"
    table.bet("alice", 500)
    assert table.refused(table.laying("alice", 2, 500, 10)) == "not_enough_chips"
    table.bet("bob")
    assert table.game.closing
    table.done("alice")
    assert table.game.round is not None
    assert table.game.round.chips["s1"] == 0


def test_a_player_who_backs_is_asked_as_a_backer_and_as_a_seat() -> None:
    table = match(rules=MUTUAL)
    table.open_shoe(eleven)
    table.behind("bob", 1, 50)
    table.bet("alice")
    table.bet("bob")
    table.done("bob")
    table.answer("alice", "double")
    own = view_for(table.game, "bob").own
    assert own is not None
    assert [(ask.kind, ask.box, ask.behind) for ask in own.asks] == [("follow_double", 1, True)]
    table.say("bob", "follow")
    assert [ask.kind for ask in view_for(table.game, "bob").own.asks] == ["turn"]  # type: ignore[union-attr]
    table.rest()
    state = table.last_round().round
    assert state is not None
    assert table.game.chips_of(table.seat("bob")) == state.chips["s2"]


def test_what_a_player_who_resigns_has_behind_others_is_lost_and_asks_nothing_more() -> None:
    table = match(3, rules=MUTUAL)
    table.open_shoe(twelve_of_three)
    table.behind("dave", 1, 50)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.done("dave")
    table.do(actions.Resign("dave"))
    table.answer("alice", "double")
    # Nobody is left to follow: the card has come.
    assert view_for(table.game, None).public.phase == "turns"
    table.rest()
    assert table.game.chips_of(table.seat("dave")) == 850
    # From now on Dave watches, with a stack of his own.
    table.behind("dave", 1, 500)
    assert (table.backer("dave").stack, table.backing_purse("dave").chips) == ("p1", 1_000)


def test_a_player_who_resigns_before_the_deal_gets_the_bets_behind_back() -> None:
    table = match(3, rules=MUTUAL)
    table.behind("dave", 1, 50)
    table.do(actions.Resign("dave"))
    assert table.told(1).behind == ()
    table.bet("alice")
    table.bet("bob")
    assert (table.game.phase, table.dealt()) == (Phase.PLAYING, ())
    table.rest()
    assert table.game.chips_of(table.seat("dave")) == 1_000


def test_a_player_who_falls_backs_from_another_stack_from_then_on() -> None:
    table = match(3, rules=MUTUAL)
    table.behind("dave", 1, 10)
    table.behind("dave", 1, 0)
    table.set_chips(dave=5)
    table.everyone_sits_out()
    table.do(actions.Expire())
    assert table.seat("dave").status is Status.OUT
    table.behind("dave", 1, 500)
    table.bet("alice")
    table.bet("bob")
    table.done("dave")
    assert table.dealt() == (Behind("p1", 1, 500),)


def test_a_player_who_bets_only_behind_others_has_bet_and_keeps_the_seat() -> None:
    table = live(rules=replace(MUTUAL, bet_seconds=20, decision_seconds=20), wanted=stiff)
    table.play_round()
    assert table.seated() == {1: "alice", 2: "bob"}
    table.behind("bob", 1, 10)
    table.sit_out("bob")
    table.bet("alice", 10)
    table.done("bob")
    table.rest()
    assert table.seated() == {1: "alice", 2: "bob"}
    table.sit_out("bob")
    table.bet("alice", 10)
    table.do(actions.Expire())
    table.rest()
    assert table.noted(NoteKind.IDLE) == [2]


def test_a_void_round_gives_a_players_bets_behind_back_too() -> None:
    table = match(rules=MUTUAL)
    table.open_shoe(stiff)
    table.behind("bob", 1, 50)
    table.bet("alice")
    table.bet("bob")
    table.done("bob")
    table.do(actions.Void())
    assert table.chips() == {"alice": 1_000, "bob": 1_000}


def test_chips_laid_behind_are_open_until_they_are_decided() -> None:
    table = backed_hand(stiff, 50, 10)
    assert table.game.round is not None
    assert open_stakes(table.game.round)["p1"] == 50
    (line,) = view_for(table.game, None).public.backers
    assert line.chips == table.game.round.chips["p1"] + 50


# What a resigned player had behind others


def dealer_busts(cards: tuple[Card, ...]) -> bool:
    """Three stiff boxes without a pair; the dealer has a six, a ten and a ten."""
    values = points(cards)[:9]
    hands = [(values[box], values[box + 4]) for box in range(3)]
    return (
        all(12 <= one + two <= 16 and one != two and 11 not in (one, two) for one, two in hands)
        and (values[3], values[7], values[8]) == (6, 10, 10)
    )  # fmt: skip


def test_what_a_resigned_player_had_behind_others_is_told_as_lost_when_it_wins() -> None:
    table = match(3, rules=MUTUAL)
    table.open_shoe(dealer_busts)
    table.behind("dave", 1, 50)
    table.behind("bob", 1, 30)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.done("dave", "bob")
    table.do(actions.Resign("dave"))
    table.rest()
    assert [(one.name, one.bet, one.net) for one in table.told(1).behind] == [
        ("Bob", 30, 30),
        ("Dave", 50, -50),
    ]
    # The seat tells what its own bet brought, and no more.
    assert [seat.net for seat in view_for(table.game, None).public.seats[:3]] == [100, 100, -100]
    assert [hand.result for hand in table.told(3).hands] == ["resigned"]
    assert table.chips() == {"alice": 1_100, "bob": 1_130, "dave": 850}


def test_what_was_decided_before_the_player_resigned_stands() -> None:
    table = match(3, rules=replace(MUTUAL, split_aces=True))
    table.open_shoe(eights_of_three)
    table.behind("dave", 1, 50, 10)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.done("dave")
    table.do(actions.Resign("dave"))
    table.rest()
    (behind,) = table.told(1).behind
    assert behind.pair is not None
    # The pair had won at the deal; the stake on the hand was open.
    assert (behind.pair.paid, behind.net) == (120, 110 - 50)
    assert table.chips()["dave"] == 1_000 - 100 - 50 + 110
    # The record alone says when it was.
    silent = public_view(replace(table.game, notes=()))
    told = public_view(table.game)
    assert (silent.seats, silent.backers) == (told.seats, told.backers)
    assert silent.log == tuple(line for line in told.log if line.kind != "resigned")
    assert any(line.result == "resigned" for line in silent.log)


def eights_of_three(cards: tuple[Card, ...]) -> bool:
    """A pair of eights on the first of three boxes, the others stiff, against a 7 to 9."""
    values = points(cards)[:8]
    hands = [(values[box], values[box + 4]) for box in range(3)]
    return (
        hands[0] == (8, 8)
        and all(12 <= one + two <= 16 and one != two and 11 not in (one, two) for one, two in hands[1:])
        and values[3] in (7, 8, 9)
    )


def test_the_insurance_of_a_resigned_player_is_lost_behind_others_too() -> None:
    rules = replace(MUTUAL, hole_card=PRESETS["classic6"].hole_card)
    table = match(3, rules=rules)
    table.open_shoe(ace_then_ten)
    table.behind("dave", 1, 50)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.done("dave")
    table.say("dave", "insure")
    for who in ("alice", "bob"):
        table.answer(who, "decline")
    table.answer("dave", "insure")
    assert view_for(table.game, None).public.phase == "turns"
    table.do(actions.Resign("dave"))
    table.rest()
    (behind,) = table.told(1).behind
    assert behind.insurance is not None
    assert (behind.insurance.bet, behind.insurance.paid, behind.net) == (25, 0, -75)
    insurance = table.told(3).insurance
    assert insurance is not None
    assert (insurance.bet, insurance.paid, table.told(3).net) == (50, 0, -150)
    assert table.chips()["dave"] == 1_000 - 225


def ace_then_ten(cards: tuple[Card, ...]) -> bool:
    """Three stiff boxes against an ace; without a hole card the next card makes it a blackjack."""
    values = points(cards)[:8]
    hands = [(values[box], values[box + 4]) for box in range(3)]
    stiff_hands = all(12 <= one + two <= 16 and one != two and 11 not in (one, two) for one, two in hands)
    return stiff_hands and (values[3], values[7]) == (11, 10)
