"""What others are told of bets behind, and of what a backer answers while others are asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import actions
from engine.cards import Card
from engine.game import (
    GameOver,
    clock_window,
    questions_behind,
)
from engine.rules import EvenMoney, Insurance, Rules
from engine.shown import View
from engine.views import view_for
from tests.engine.backing import (
    MUTUAL,
    PRESET_EVEN_MONEY,
    TIMED,
    Backed,
    backed_hand,
    eights,
    eleven,
    match,
    natural_under_ace,
    opened,
)
from tests.engine.tables import ace_up, stiff


def test_nobody_sees_a_backers_answer_while_another_is_still_asked() -> None:
    table = match()
    table.open_shoe(eleven)
    for who in ("carol", "eve"):
        table.behind(who, 1)
    table.bet("alice")
    table.bet("bob")
    table.done("carol", "eve")
    table.answer("alice", "double")
    asked = table.game
    seen = []
    for verb in ("follow", "pass"):
        table.game = asked
        table.say("carol", verb)
        seen.append([view_for(table.game, who) for who in (None, "alice", "bob", "eve", "mallory")])
    assert seen[0] == seen[1]
    assert seen[0][0] == view_for(asked, None)
    table.say("eve", "pass")
    assert table.told(1).behind_sum == 100


@pytest.mark.parametrize(("wanted", "verb"), [(ace_up, "insure"), (natural_under_ace, "even_money")])
def test_nobody_sees_a_backers_insurance_while_others_are_still_asked(
    wanted: Callable[[tuple[Card, ...]], bool], verb: str
) -> None:
    rules = PRESET_EVEN_MONEY if verb == "even_money" else TIMED
    table = backed_hand(wanted, rules=rules)
    asked = table.game
    seen = []
    for said in (verb, "decline"):
        table.game = asked
        table.say("carol", said)
        seen.append([view_for(table.game, who) for who in (None, "alice", "bob", "eve")])
    assert seen[0] == seen[1]


def test_the_log_tells_nothing_of_a_backers_answers_and_a_seat_its_own() -> None:
    table = backed_hand(ace_up)
    table.say("carol", "insure")
    table.answer("alice", "insure")
    assert [(line.kind, line.amount) for line in table.log() if line.kind == "insured"] == [("insured", 50)]


def test_the_felt_shows_who_lies_behind_whom_and_what_the_round_brought() -> None:
    table = backed_hand(eleven)
    assert [(one.name, one.bet, one.net) for one in table.told(1).behind] == [("Carol", 50, None)]
    assert table.told(2).behind == ()
    table.answer("alice", "double")
    table.say("carol", "follow")
    table.rest()
    (behind,) = table.told(1).behind
    assert behind.net in (-100, 0, 100)
    (line,) = view_for(table.game, None).public.backers
    assert (line.name, line.net, line.chips) == ("Carol", behind.net, 1_000 + behind.net)


def test_a_backer_stands_among_the_backers_and_not_among_the_players() -> None:
    for table in (opened(2, wanted=stiff), match()):
        table.behind("carol", 1)
        table.bet("alice")
        table.bet("bob")
        table.done("carol")
        public = view_for(table.game, None).public
        assert [line.name for line in public.standings] == ["Alice", "Bob"]
        assert [line.name for line in public.backers] == ["Carol"]
        table.rest()
        public = view_for(table.game, None).public
        assert {line.name for line in public.standings} == {"Alice", "Bob"}


def test_a_backer_has_no_place_in_the_result_of_an_open_table() -> None:
    table = opened(2, wanted=stiff)
    table.behind("carol", 1)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    table.rest()
    for who in ("alice", "bob"):
        table.do(actions.Leave(who))
    table.do(actions.CloseGame())
    (over,) = [event for event in table.happened if isinstance(event, GameOver)]
    assert {place.name for place in over.result.places} == {"Alice", "Bob"}
    assert {purse.name for purse in over.purses} == {"Alice", "Bob", "Carol"}
    assert table.game.backers == ()


@pytest.mark.parametrize("wanted", [eleven, eights, ace_up])
def test_nobody_is_told_who_is_asked_or_how_many(wanted: Callable[[tuple[Card, ...]], bool]) -> None:
    seen = []
    for away in ((), ("dan",), ("carol", "dan")):
        table = match()
        table.open_shoe(wanted)
        for who in ("carol", "dan", "eve"):
            table.behind(who, 1)
        table.bet("alice")
        table.bet("bob")
        table.done("carol", "dan", "eve")
        for who in away:
            # Their questions are answered no before anybody else can see them.
            table.do(actions.GoAway(who))
        if wanted is not ace_up:
            table.answer("alice", "split" if wanted is eights else "double")
        views = [view_for(table.game, who) for who in (None, "alice", "bob", "mallory")]
        eve = view_for(table.game, "eve").own
        assert eve is not None
        seen.append(
            (views, [(ask.kind, ask.box, ask.options) for ask in eve.asks], clock_window(table.game)[1])
        )
    assert seen[0] == seen[1] == seen[2]


# Who sits and backs


def short_of_chips(chips: int = 260, *, rules: Rules = MUTUAL) -> Backed:
    """An ace is up; Bob has bet 100 himself and 100 behind Alice and holds 60 more."""
    table = match(rules=rules)
    table.set_chips(bob=chips)
    table.open_shoe(ace_up)
    table.behind("bob", 1, 100)
    table.bet("alice")
    table.bet("bob")
    table.done("bob")
    return table


def others(table: Backed) -> list[View]:
    return [view_for(table.game, who) for who in (None, "alice", "mallory")]


def test_who_cannot_pay_for_both_insures_the_own_box_first_where_everybody_sees_it() -> None:
    table = short_of_chips()
    before = others(table)
    own = view_for(table.game, "bob").own
    assert own is not None
    behind = next(ask for ask in own.asks if ask.behind)
    assert [(one.action, one.enabled, one.reason) for one in behind.options] == [
        ("insure", False, "own_box_first"),
        ("decline", True, None),
    ]
    assert table.refused(table.saying("bob", "insure")) == "own_box_first"
    assert others(table) == before
    table.say("bob", "decline")
    assert others(table) == before
    table.answer("bob", "insure")
    assert table.told(2).insurance is not None


def test_the_own_box_insured_leaves_too_little_for_the_other() -> None:
    table = short_of_chips()
    table.answer("bob", "insure")
    assert questions_behind(table.game, "bob") == ()
    assert view_for(table.game, None).public.waiting_for == (1,)


def test_the_own_box_declined_leaves_enough_for_the_other() -> None:
    table = short_of_chips()
    table.answer("bob", "decline")
    before = others(table)
    table.say("bob", "insure")
    assert others(table) == before
    assert view_for(table.game, "bob").own.chips == 10  # type: ignore[union-attr]


def test_who_can_pay_for_both_answers_in_any_order() -> None:
    table = short_of_chips(300)
    before = others(table)
    table.say("bob", "insure")
    assert others(table) == before
    assert view_for(table.game, None).public.waiting_for == (1, 2)
    table.answer("bob", "insure")
    assert table.game.round is not None
    assert table.game.round.chips["s2"] == 0


@pytest.mark.parametrize("amount", [20, 50])
def test_insurance_up_to_half_behind_leaves_what_the_own_box_may_cost(amount: int) -> None:
    table = short_of_chips(270, rules=replace(MUTUAL, insurance=Insurance.UP_TO_HALF))
    answer = table.saying("bob", f"insure {amount}")
    if amount == 50:
        assert table.refused(answer) == "own_box_first"
    else:
        before = others(table)
        table.do(answer)
        assert others(table) == before


def test_even_money_behind_does_not_pay_for_the_own_insurance_before_others_know_of_it() -> None:
    rules = replace(MUTUAL, even_money=EvenMoney.ACE, insurance=Insurance.UP_TO_HALF)
    table = match(rules=rules)
    table.set_chips(bob=203)
    table.open_shoe(natural_under_ace)
    table.behind("bob", 1, 100)
    table.bet("alice")
    table.bet("bob")
    table.done("bob")
    assert table.refused(table.saying("bob", "even_money")) == "own_box_first"
    table.answer("bob", "insure")
    assert table.told(2).chips == 0
    before = others(table)
    table.say("bob", "even_money")
    assert others(table) == before
