"""Playing alone: round after round for as long as one likes, and a new game whenever one likes."""

from dataclasses import replace

import pytest

from engine import actions
from engine.cards import Card
from engine.game import GameOver, GameStarted, Kind, NoteKind, Phase, Reason, ShoeFinished, clock_window
from engine.rules import PRESETS, Rules
from engine.views import own_view
from tests.engine.tables import Table, points, stiff

BOXES = PRESETS["classic6"]


def alone(rules: Rules | None = None, **more: object) -> Table:
    return Table(1, kind=Kind.SOLO, rules=rules, **more)  # type: ignore[arg-type]


def last_over(table: Table) -> GameOver:
    return next(event for event in reversed(table.happened) if isinstance(event, GameOver))


def loses(cards: tuple[Card, ...]) -> bool:
    """12 to 17 against a dealer's 18 or 19."""
    one, up, two, hole, *_ = points(cards)
    return 12 <= one + two <= 17 and one != two and up in (8, 9) and hole == 10


def wins(cards: tuple[Card, ...]) -> bool:
    """19 or 20 against a dealer's 17 or 18."""
    one, up, two, hole, *_ = points(cards)
    return one + two in (19, 20) and up in (7, 8) and hole == 10


@pytest.mark.parametrize("name", PRESETS)
def test_one_may_play_alone_on_every_preset(name: str) -> None:
    rules = PRESETS[name]
    table = alone(rules)
    for number in range(1, 31):
        assert table.game.round_number == number
        table.play_round()
    assert (table.game.phase, table.game.kind, table.game.number) == (Phase.BETTING, Kind.SOLO, 1)


def test_nobody_else_sits_down() -> None:
    table = alone(BOXES)
    assert table.refused(actions.Sit("mallory", 2, "M")) == "alone_here"
    table.do(actions.Sit("alice", 2, "Alice"))
    assert table.refused(actions.Sit("bob", 3, "B")) == "alone_here"


def test_the_cards_come_with_the_own_bet_and_no_clock_is_needed() -> None:
    table = alone(replace(Rules(), bet_seconds=None, decision_seconds=None), wanted=stiff)
    assert clock_window(table.game) == (None, None)
    table.bet("alice")
    assert table.game.phase is Phase.PLAYING
    assert clock_window(table.game)[1] is None
    assert table.refused(actions.Expire()) == "no_clock"
    table.finish_round()


def test_where_there_is_a_clock_it_starts_with_the_first_bet() -> None:
    table = alone(BOXES)
    table.sit("alice", 3)
    assert clock_window(table.game) == (None, None)
    table.bet("alice", 10, box=3)
    assert clock_window(table.game)[1] == 20
    table.do(actions.Expire())
    assert table.game.record is not None
    assert dict(table.game.record.bets) == {3: 10}


@pytest.mark.parametrize(
    ("name", "most"), [("openseat", 1), ("casino8", 1), ("classic6", 7), ("single-vip", 1)]
)
def test_one_plays_as_many_boxes_as_the_rules_allow(name: str, most: int) -> None:
    table = alone(PRESETS[name])
    for number in range(2, most + 1):
        table.sit("alice", number)
    assert table.game.seat_limit == len(table.game.seats) == most
    assert table.refused(actions.Sit("alice", 7, "A")) in ("already_seated", "too_many_boxes", "table_full")


def test_with_several_boxes_deal_leaves_the_others_out() -> None:
    table = alone(BOXES)
    table.sit("alice", 2)
    table.sit("alice", 3)
    table.bet("alice", 20, box=2)
    table.do(actions.Deal("alice"))
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({2: 20}, (1, 3))


def test_a_player_alone_is_never_idle() -> None:
    table = alone(BOXES)
    for number in (2, 3, 4):
        table.sit("alice", number)
    for _ in range(3):
        table.bet("alice", 20, box=2)
        table.do(actions.Deal("alice"))
        table.finish_round()
    assert [seat.number for seat in table.game.seats] == [1, 2, 3, 4]


def test_a_box_may_be_given_up_but_not_the_last_one() -> None:
    table = alone(BOXES)
    assert table.refused(actions.Leave("alice")) == "alone_here"
    assert table.refused(actions.Leave("alice", 1)) == "alone_here"
    table.sit("alice", 5)
    assert table.refused(actions.Leave("alice")) == "alone_here"
    table.do(actions.Leave("alice", 1))
    assert table.seated() == {5: "alice"}
    assert table.refused(actions.Leave("alice", 5)) == "alone_here"


def test_boxes_given_up_one_by_one_in_a_round_leave_the_last_one() -> None:
    table = alone(replace(BOXES, surrender=PRESETS["openseat"].surrender), wanted=stiff)
    table.sit("alice", 5)
    table.bet("alice", 50, box=1)
    table.bet("alice", 50, box=5)
    table.do(actions.Leave("alice", 5))
    assert table.refused(actions.Leave("alice", 1)) == "alone_here"
    assert own_view(table.game, "alice").seats == (1, 5)
    table.finish_round()
    assert table.seated() == {1: "alice"}


def test_below_the_least_bet_there_is_a_fresh_stack_and_the_rest_is_dropped() -> None:
    table = alone(wanted=loses)
    table.set_chips(alice=105)
    table.bet("alice", 100)
    table.finish_round()
    purse = table.purse("alice")
    assert (purse.chips, purse.refills, purse.highest) == (1_000, 1, 1_000)
    assert table.noted(NoteKind.REFILLED) == [1]
    assert table.last_round().chips == {purse.stack: 5}
    own = own_view(table.game, "alice")
    assert (own.chips, own.refills, own.highest) == (1_000, 1, 1_000)


def test_every_fresh_stack_is_counted() -> None:
    table = alone()
    refills = 0
    for _ in range(30):
        table.set_chips(alice=10)
        table.bet("alice", 10)
        table.finish_round()
        refills += table.last_round().chips[table.purse("alice").stack] < 10
        assert table.purse("alice").refills == refills
    assert 10 < refills < 25


def test_the_highest_stack_is_remembered() -> None:
    table = alone(wanted=wins)
    table.bet("alice", 300)
    assert table.purse("alice").highest == 1_000
    table.finish_round()
    assert (table.purse("alice").chips, table.purse("alice").highest) == (1_300, 1_300)
    table.set_chips(alice=700)
    table.bet("alice", 10)
    table.finish_round()
    assert table.purse("alice").highest == 1_300


def test_a_new_game_begins_with_a_fresh_stack_and_keeps_the_last_ones_result() -> None:
    table = alone(wanted=wins)
    assert table.refused(actions.NewGame("alice")) == "game_is_new"
    table.bet("alice", 300)
    table.finish_round()
    assert table.refused(actions.NewGame("mallory")) == "not_host"
    table.do(actions.NewGame("alice"))
    over = last_over(table)
    assert (over.number, over.result.reason, over.result.winner) == (1, Reason.NEW_GAME, None)
    (place,) = over.result.places
    assert (place.seat, place.player, place.chips, place.highest, place.refills) == (
        1,
        "alice",
        1_300,
        1_300,
        0,
    )
    purse = table.purse("alice")
    assert (purse.chips, purse.highest, purse.refills, purse.rounds) == (1_000, 1_000, 0, 0)
    game = table.game
    assert (game.number, game.round_number, game.begun) == (2, 1, False)
    assert (game.round, game.record, game.notes) == (None, None, ())
    assert table.refused(actions.NewGame("alice")) == "game_is_new"
    assert table.do(actions.Bet("alice", table.ask("alice"), 10))[0] == GameStarted(2)


def test_a_new_game_in_the_middle_of_a_round_gives_open_stakes_back() -> None:
    table = alone(wanted=stiff)
    table.bet("alice", 300)
    shoe = table.game.shoe
    assert shoe is not None
    table.do(actions.NewGame("alice"))
    record = table.last_round().record
    assert (record.broken_off, record.void) == (True, False)
    assert table.last_round().chips == {table.purse("alice").stack: 1_000}
    assert record.replay(table.game.rules) == table.last_round().round
    assert last_over(table).result.places[0].chips == 1_000
    assert [event.shoe for event in table.happened if isinstance(event, ShoeFinished)] == [shoe]
    assert table.game.published == shoe
    assert (table.game.phase, table.chips()) == (Phase.BETTING, {"alice": 1_000})


def test_what_is_settled_stands_when_a_new_game_breaks_the_round_off() -> None:
    def first_busts(cards: tuple[Card, ...]) -> bool:
        return stiff(cards) and points(cards)[6] == 10

    table = alone(
        replace(BOXES, surrender=Rules().surrender, hole_card=Rules().hole_card), wanted=first_busts
    )
    table.sit("alice", 2)
    table.bet("alice", 100, box=1)
    table.bet("alice", 200, box=2)
    table.answer("alice", "hit")
    assert table.game.phase is Phase.PLAYING
    table.do(actions.NewGame("alice"))
    assert last_over(table).result.places[0].chips == 900
    assert table.seated() == {1: "alice", 2: "alice"}
    assert table.chips() == {"alice": 1_000}


def test_a_new_game_gives_undealt_bets_up() -> None:
    table = alone(BOXES)
    table.sit("alice", 2)
    table.play_round()
    table.bet("alice", 100, box=1)
    table.do(actions.NewGame("alice"))
    assert [(seat.bet, seat.pair) for seat in table.game.seats] == [(0, 0), (0, 0)]
    assert table.game.free_chips_of(table.seat("alice")) == 1_000


def test_a_game_nobody_touches_ends_as_abandoned() -> None:
    table = alone(wanted=stiff)
    assert table.refused(actions.Abandon()) == "no_match"
    table.bet("alice", 300)
    table.do(actions.Abandon())
    over = last_over(table)
    assert (over.number, over.result.reason, over.result.places[0].chips) == (1, Reason.ABANDONED, 1_000)
    assert (table.game.number, table.game.begun, table.chips()) == (2, False, {"alice": 1_000})
    assert table.refused(actions.Abandon()) == "no_match"


@pytest.mark.parametrize("action", [actions.CloseGame(), actions.EndWithShoe()])
def test_a_solo_game_does_not_end_like_an_open_one(action: actions.TableAction) -> None:
    table = alone()
    table.play_round()
    assert table.refused(action) in ("not_empty", "not_a_day_old")


@pytest.mark.parametrize(
    "action",
    [
        actions.Ready("alice"),
        actions.Start("alice"),
        actions.Resign("alice"),
        actions.OfferDraw("alice"),
        actions.Configure("alice", Rules(), 10),
    ],
)
def test_there_is_no_match_to_start_or_to_resign(action: actions.TableAction) -> None:
    assert alone().refused(action) == "not_a_match"


def test_no_question_and_no_shoe_comes_twice_over_many_games() -> None:
    table = alone()
    asks, shoes = [], []
    for number in range(1, 5):
        for _ in range(3):
            asks.append(table.ask("alice"))
            table.bet("alice", 10)
            while table.game.phase is Phase.PLAYING and table.game.round:
                asks.append(table.ask("alice"))
                verb = "stand" if table.game.round.questions[0].asked.value == "turn" else "decline"
                table.answer("alice", verb)
            shoes.append(table.last_round().record.shoe.number)
        assert table.game.number == number
        table.do(actions.NewGame("alice"))
    numbers = [ask.split(".")[1] for ask in asks]
    assert len(set(numbers)) == len(numbers)
    assert shoes == sorted(set(shoes))
