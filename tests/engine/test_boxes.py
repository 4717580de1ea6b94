"""Several boxes of one player, played from one purse."""

import pytest

from engine import actions
from engine.cards import Card
from engine.game import Kind, NoteKind, Phase, clock_window
from engine.rules import PRESETS, Rules
from engine.views import own_view, view_for
from tests.engine.tables import Table, points, stiff_three

BOXES = PRESETS["classic6"]


def three_boxes(people: int = 1, **more: object) -> Table:
    """Alice has the boxes 1, 4 and 6; Bob, if he is here, the second."""
    table = Table(people, kind=Kind.OPEN, rules=BOXES, **more)  # type: ignore[arg-type]
    table.sit("alice", 4)
    table.sit("alice", 6)
    return table


def test_one_player_may_take_as_many_boxes_as_the_rules_say() -> None:
    table = Table(2, kind=Kind.OPEN, rules=BOXES)
    for number in range(3, 8):
        table.sit("alice", number)
    assert len(table.game.seats_of("alice")) == 6
    assert table.refused(actions.Sit("alice", 2, "Alice")) == "table_full"
    assert table.refused(actions.Sit("mallory", 2, "M")) == "table_full"
    some = Table(1, kind=Kind.OPEN, rules=Rules(boxes=5, boxes_per_player=2, max_hands=4))
    some.sit("alice", 5)
    assert some.refused(actions.Sit("alice", 3, "Alice")) == "too_many_boxes"


def test_all_boxes_of_a_player_have_one_purse() -> None:
    table = three_boxes(2)
    assert len(table.game.purses) == 2
    assert {seat.stack for seat in table.game.seats_of("alice")} == {table.purse("alice").stack}
    assert [table.game.chips_of(seat) for seat in table.game.seats_of("alice")] == [1_000] * 3


def test_each_box_has_a_question_of_its_own() -> None:
    table = three_boxes(2)
    asks = [table.ask("alice", box) for box in (1, 4, 6)]
    assert len(set(asks)) == 3
    frame = actions.Bet("alice", asks[1], 50)
    table.do(frame)
    assert [seat.bet for seat in table.game.seats_of("alice")] == [0, 50, 0]
    assert table.refused(frame) == "stale_question"
    assert [table.ask("alice", box) for box in (1, 6)] == [asks[0], asks[2]]
    assert table.refused(actions.Bet("bob", asks[0], 50)) == "stale_question"


def test_the_bets_on_all_boxes_together_never_exceed_the_purse() -> None:
    table = three_boxes(2)
    table.bet("alice", 500, box=1)
    table.bet("alice", 450, box=4)
    assert table.refused(actions.Bet("alice", table.ask("alice", 6), 60)) == "not_enough_chips"
    assert table.refused(actions.Bet("alice", table.ask("alice", 6), 50, 10)) == "not_enough_chips"
    table.bet("alice", 50, box=6)
    assert table.game.free_chips_of(table.seat("alice")) == 0
    # What lies on a box may be laid there anew, but no more than that.
    assert table.refused(actions.Bet("alice", table.ask("alice", 4), 460)) == "not_enough_chips"
    table.bet("alice", 440, 10, box=4)


def test_a_bet_that_is_taken_back_is_free_for_another_box() -> None:
    table = three_boxes(2)
    table.bet("alice", 500, box=1)
    table.bet("alice", 500, box=4)
    table.take_back("alice", box=1)
    assert table.game.free_chips_of(table.seat("alice", 6)) == 500
    table.bet("alice", 500, box=6)
    table.sit_out("alice", box=4)
    assert table.game.free_chips_of(table.seat("alice", 1)) == 500


def test_main_and_pair_on_a_box_share_its_limit_where_the_rules_say_so() -> None:
    table = three_boxes()
    assert table.refused(actions.Bet("alice", table.ask("alice", 4), 500, 10)) == "box_over_limit"
    table.bet("alice", 490, 10, box=4)
    table.bet("alice", 400, 100, box=6)


def test_deal_sits_the_rest_of_the_own_boxes_out() -> None:
    table = three_boxes()
    assert table.refused(actions.Deal("alice")) == "nothing_bet"
    table.bet("alice", 50, box=4)
    assert table.game.phase is Phase.BETTING
    table.do(actions.Deal("alice"))
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({4: 50}, (1, 6))


def test_deal_answers_for_nobody_else() -> None:
    table = three_boxes(2)
    table.bet("alice", 50, box=4)
    assert table.refused(actions.Deal("bob")) == "nothing_bet"
    window = clock_window(table.game)
    table.do(actions.Deal("alice"))
    assert (table.game.phase, clock_window(table.game)) == (Phase.BETTING, window)
    assert not table.seat("bob").answered
    # There is nothing left that it could say a second time.
    assert table.refused(actions.Deal("alice")) == "stale_question"
    # Until the cards come the other boxes may still bet.
    table.bet("alice", 70, box=6)
    table.bet("bob", 20)
    assert table.game.record is not None
    assert dict(table.game.record.bets) == {2: 20, 4: 50, 6: 70}


def test_there_is_nothing_to_deal_while_cards_lie() -> None:
    table = three_boxes(wanted=stiff_three)
    for box in (1, 4, 6):
        table.bet("alice", 50, box=box)
    assert table.game.phase is Phase.PLAYING
    assert table.refused(actions.Deal("alice")) == "stale_question"


def test_the_record_names_the_purse_that_plays_each_box() -> None:
    table = three_boxes(2, wanted=stiff_three)
    for box in (1, 4, 6):
        table.bet("alice", 50, box=box)
    table.bet("bob", 50)
    record = table.game.record
    assert record is not None
    alice, bob = table.purse("alice").stack, table.purse("bob").stack
    assert dict(record.stacks) == {1: alice, 2: bob, 4: alice, 6: alice}
    assert dict(record.chips) == {alice: 1_000, bob: 1_000}
    table.finish_round()
    assert table.last_round().record.replay(BOXES) == table.last_round().round


def surrendered(table: Table, who: str) -> None:
    """Nobody surrenders."""
    while table.game.round and table.game.round.phase.value == "surrender":
        table.answer(who, "decline")


def test_boxes_are_asked_one_after_the_other_and_an_answer_fits_its_own_box_alone() -> None:
    table = three_boxes(wanted=stiff_three)
    for box in (1, 4, 6):
        table.bet("alice", 50, box=box)
    surrendered(table, "alice")
    order = []
    while table.game.phase is Phase.PLAYING and table.game.round:
        (question,) = table.game.round.questions
        others = [box for box in (1, 4, 6) if box != question.box]
        for box in others:
            assert (
                table.refused(actions.Answer("alice", table.ask("alice"), actions.Stand(box)))
                == "stale_question"
            )
        order.append(question.box)
        table.answer("alice", "stand")
    assert order == [1, 4, 6]


def test_chips_won_on_one_box_can_pay_a_double_on_another() -> None:
    """A pair paid at the deal is in the purse before the turns."""

    def pair_on_one(cards: tuple[Card, ...]) -> bool:
        values = points(cards)
        return (
            cards[0].rank is cards[3].rank
            and values[0] in (2, 3, 6, 7)
            and values[1] + values[4] == 11
            and values[2] in (7, 8, 9)
        )

    table = Table(1, kind=Kind.OPEN, rules=BOXES, wanted=pair_on_one)
    table.sit("alice", 4)
    table.set_chips(alice=1_000)
    table.bet("alice", 400, 100, box=1)
    table.bet("alice", 500, box=4)
    assert table.game.round is not None
    assert table.game.round.chips[table.purse("alice").stack] == 1_200
    surrendered(table, "alice")
    table.answer("alice", "stand")
    table.answer("alice", "double")
    assert table.last_round().round is not None


def test_boxes_of_one_purse_can_not_spend_the_same_chips_twice() -> None:
    table = three_boxes(wanted=stiff_three)
    table.set_chips(alice=200)
    for box in (1, 4, 6):
        table.bet("alice", 50, box=box)
    surrendered(table, "alice")
    table.answer("alice", "double")
    if table.game.round and table.game.phase is Phase.PLAYING:
        asked = table.ask("alice")
        box = table.seat("alice").number
        assert table.refused(actions.Answer("alice", asked, actions.Double(box))) == "not_enough_chips"


def test_one_box_may_be_given_up_and_the_others_kept() -> None:
    table = three_boxes(2)
    table.bet("alice", 100, box=4)
    table.do(actions.Leave("alice", 4))
    assert table.seated() == {1: "alice", 2: "bob", 6: "alice"}
    assert table.game.free_chips_of(table.seat("alice")) == 1_000
    assert table.refused(actions.Leave("alice", 4)) == "not_seated"
    assert table.refused(actions.Leave("alice", 2)) == "not_seated"
    table.do(actions.Leave("alice"))
    assert table.seated() == {2: "bob"}


def test_one_box_left_in_mid_round_is_played_by_the_clocks_rule_and_freed_afterwards() -> None:
    table = three_boxes(wanted=stiff_three)
    for box in (1, 4, 6):
        table.bet("alice", 50, box=box)
    surrendered(table, "alice")
    table.do(actions.Leave("alice", 4))
    assert table.refused(actions.Leave("alice", 4)) == "already_left"
    table.answer("alice", "stand")
    assert table.game.round is not None
    assert [question.box for question in table.game.round.questions] == [6]
    assert table.noted(NoteKind.LEFT) == []
    table.answer("alice", "stand")
    assert table.seated() == {1: "alice", 6: "alice"}
    assert table.noted(NoteKind.LEFT) == [4]


def test_leaving_every_box_in_mid_round_plays_them_all() -> None:
    table = three_boxes(2, wanted=stiff_three)
    for box in (1, 4, 6):
        table.bet("alice", 50, box=box)
    table.sit_out("bob")
    table.do(actions.Leave("alice"))
    assert table.game.phase is Phase.BETTING
    assert table.seated() == {2: "bob"}
    last = table.last_round()
    assert last.round is not None
    assert table.purse("alice").chips == last.round.chips[table.purse("alice").stack]


def test_a_box_that_sits_out_is_free_for_others_only_when_its_player_gives_it_up() -> None:
    table = three_boxes(2)
    table.bet("alice", 10, box=1)
    table.bet("bob", 10)
    table.do(actions.Deal("alice"))
    table.finish_round()
    assert table.refused(actions.Sit("erin", 4, "Erin")) == "seat_taken"
    table.do(actions.Leave("alice", 4))
    table.sit("erin", 4)


def test_standings_have_one_line_for_a_player_with_several_boxes() -> None:
    table = three_boxes(2)
    table.bet("alice", 50, box=4)
    lines = view_for(table.game, None).public.standings
    assert [(line.name, line.chips) for line in lines] == [("Alice", 1_000), ("Bob", 1_000)]


def test_the_box_without_a_bet_is_asked_first_and_every_box_shows_what_is_left() -> None:
    table = three_boxes(2)
    table.bet("alice", 100, box=1)
    own = own_view(table.game, "alice")
    assert (own.seat, own.seats) == (1, (1, 4, 6))
    assert [ask.box for ask in own.asks] == [4, 6, 1]
    assert [seat.chips for seat in view_for(table.game, None).public.seats if seat.player == "alice"] == [
        900
    ] * 3


@pytest.mark.parametrize("box", [1, 4, 6])
def test_the_net_of_each_box_is_its_own(box: int) -> None:
    table = three_boxes(wanted=stiff_three)
    for number, amount in ((1, 50), (4, 70), (6, 90)):
        table.bet("alice", amount, box=number)
    table.finish_round()
    seats = {seat.seat: seat for seat in view_for(table.game, None).public.seats}
    state = table.last_round().round
    assert state is not None
    stakes = [hand.stakes[0] for hand in state.box(box).hands]
    assert seats[box].net == sum((stake.paid or 0) - stake.bet for stake in stakes)
    assert sum(seats[one].net or 0 for one in (1, 4, 6)) == table.purse("alice").chips - 1_000
