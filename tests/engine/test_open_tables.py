"""An open table: people come, bet, leave and come back, and one game follows the other."""

from dataclasses import replace

import pytest

from engine import actions
from engine.cards import Card
from engine.errors import InvalidRules
from engine.game import (
    Game,
    GameOver,
    GameStarted,
    Kind,
    NoteKind,
    Phase,
    Reason,
    RoundFinished,
    ShoeFinished,
    check_settings,
    clock_window,
    open_table,
)
from engine.rules import PRESETS, Rules
from tests.engine.tables import Table, points, seed, stiff, stiff_three

LIVE = PRESETS["casino8"]
BOXES = PRESETS["classic6"]


def live(people: int = 2, **more: object) -> Table:
    """A live table: one seat each, eight decks, a cut card."""
    return Table(people, kind=Kind.OPEN, rules=LIVE, **more)  # type: ignore[arg-type]


def plain(people: int = 2, **more: object) -> Table:
    """An open table on which every round has a new shoe and the clock stands."""
    return Table(people, kind=Kind.OPEN, rules=Rules(), **more)  # type: ignore[arg-type]


def overs(table: Table) -> list[GameOver]:
    return [event for event in table.happened if isinstance(event, GameOver)]


def started(table: Table) -> list[int]:
    return [event.number for event in table.happened if isinstance(event, GameStarted)]


def wins(cards: tuple[Card, ...]) -> bool:
    """The only box has 19 or 20 against a dealer's 17 or 18."""
    one, up, two, hole, *_ = points(cards)
    return one + two in (19, 20) and up in (7, 8) and hole == 10


def loses(cards: tuple[Card, ...]) -> bool:
    """The only box has 12 to 17 against a dealer's 18 or 19."""
    one, up, two, hole, *_ = points(cards)
    return 12 <= one + two <= 17 and one != two and up in (8, 9) and hole == 10


# Opening


def test_an_open_table_has_its_bets_open_at_once_and_its_host_on_the_first_seat() -> None:
    game = live(1).game
    assert (game.phase, game.kind, game.number, game.round_number) == (Phase.BETTING, Kind.OPEN, 1, 1)
    assert [(seat.number, seat.player) for seat in game.seats] == [(1, "alice")]
    assert (game.host, game.begun, game.chips_of(game.seats[0])) == ("alice", False, 1_000)
    assert clock_window(game) == (None, None)


@pytest.mark.parametrize("switch", ["bet_seconds", "decision_seconds"])
def test_an_open_table_without_a_clock_is_refused(switch: str) -> None:
    rules = replace(LIVE, **{switch: None})  # type: ignore[arg-type]
    with pytest.raises(InvalidRules) as refused:
        open_table(rules, 0, "alice", "Alice", kind=Kind.OPEN, seed=seed(1), spare=seed(2))
    assert (refused.value.code, refused.value.params["switch"]) == ("open_table_needs_clock", switch)
    for kind in (Kind.MATCH, Kind.SOLO):
        check_settings(rules, 10, kind)


def test_a_stack_that_can_not_lay_one_bet_is_refused_at_every_kind_of_table() -> None:
    rules = replace(LIVE, min_bet=200, starting_chips=100)
    for kind in Kind:
        with pytest.raises(InvalidRules, match="stack_under_minimum"):
            check_settings(rules, 10, kind)


def test_a_game_begins_with_its_first_bet_and_only_once() -> None:
    table = live()
    assert started(table) == []
    table.bet("bob", 10)
    assert (started(table), table.game.begun) == ([1], True)
    table.take_back("bob")
    table.bet("alice", 10)
    table.bet("bob", 10)
    table.finish_round()
    table.bet("bob", 10)
    assert started(table) == [1]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (actions.Ready("alice"), "not_a_match"),
        (actions.Start("alice"), "not_a_match"),
        (actions.Remove("alice", 2), "not_a_match"),
        (actions.Configure("alice", Rules(), 10), "not_a_match"),
        (actions.BackToLobby("alice"), "not_a_match"),
        (actions.Resign("alice"), "not_a_match"),
        (actions.OfferDraw("alice"), "not_a_match"),
        (actions.AcceptDraw("alice", "1.1"), "not_a_match"),
        (actions.RefuseDraw("alice", "1.1"), "not_a_match"),
        (actions.StopWaiting("alice", 2), "not_a_match"),
        (actions.ComeBack("alice"), "not_away"),
        (actions.NewGame("alice"), "not_alone"),
        (actions.Abandon(), "no_match"),
        (actions.Expire(), "no_clock"),
        (actions.Void(), "no_round"),
        (actions.CloseGame(), "not_empty"),
        (actions.EndWithShoe(), "not_a_day_old"),
        (actions.Leave("mallory"), "not_seated"),
        (actions.Leave("alice", 2), "not_seated"),
        (actions.Deal("mallory"), "not_seated"),
        (actions.Deal("alice"), "nothing_bet"),
        (actions.PassHost("mallory"), "not_seated"),
        (actions.Sit("mallory", 0, "M"), "no_such_seat"),
        (actions.Sit("mallory", 8, "M"), "no_such_seat"),
        (actions.Sit("mallory", 2, "M"), "seat_taken"),
    ],
)
def test_what_an_open_table_refuses_before_its_first_bet(action: actions.TableAction, code: str) -> None:
    assert live().refused(action) == code


# Taking a seat


def test_who_sits_down_while_bets_are_open_may_bet_in_them() -> None:
    table = live()
    table.bet("alice", 20)
    table.sit("erin", 5)
    assert table.noted(NoteKind.SAT_DOWN)[-1] == 5
    table.bet("erin", 30)
    table.bet("bob", 40)
    assert table.game.record is not None
    assert dict(table.game.record.bets) == {1: 20, 2: 40, 5: 30}


def test_nobody_sits_down_while_cards_lie() -> None:
    table = live(wanted=stiff)
    table.bet("alice")
    table.bet("bob")
    assert table.game.phase is Phase.PLAYING
    assert table.refused(actions.Sit("erin", 5, "Erin")) == "round_running"
    table.finish_round()
    table.sit("erin", 5)
    assert table.seated() == {1: "alice", 2: "bob", 5: "erin"}


def test_at_a_live_table_everyone_has_one_seat_and_the_eighth_finds_none() -> None:
    table = live(1)
    assert table.refused(actions.Sit("alice", 2, "Alice")) == "already_seated"
    for number in range(2, 8):
        table.sit(f"guest {number}", number)
    assert table.refused(actions.Sit("mallory", 3, "M")) == "table_full"
    table.do(actions.Leave("guest 3"))
    table.sit("mallory", 3)
    assert table.seated()[3] == "mallory"


def test_seats_are_played_in_their_order_whoever_came_first() -> None:
    table = live(1, wanted=stiff_three)
    table.sit("erin", 7)
    table.sit("bob", 4)
    for who in ("erin", "alice", "bob"):
        table.bet(who)
    order = []
    while table.game.phase is Phase.PLAYING and table.game.round:
        order.append(table.game.round.questions[0].box)
        table.answer(table.seated()[order[-1]], "stand")
    assert order == [1, 4, 7]


# Bets and the deal


def test_sitting_down_and_getting_up_again_and_again_is_told_once() -> None:
    table = live(1)
    for _ in range(20):
        table.do(actions.Sit("bob", 2, "Bob"))
        table.do(actions.Leave("bob"))
    assert [note for note in table.notes() if note[1] == 2] == [("left", 2)]
    table.do(actions.Sit("bob", 2, "Bob"))
    assert [note for note in table.notes() if note[1] == 2] == [("sat_down", 2)]


def test_nobody_deals_while_no_bet_lies() -> None:
    table = live()
    table.sit_out("alice")
    table.sit_out("bob")
    assert (table.game.phase, table.game.round_number) == (Phase.BETTING, 1)
    assert clock_window(table.game) == (None, None)
    assert table.refused(actions.Expire()) == "no_clock"
    # Everyone may still think better of it.
    table.bet("bob", 50)
    assert table.game.phase is Phase.PLAYING
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({2: 50}, (1,))


def test_the_countdown_starts_with_the_first_bet_and_stops_when_all_are_taken_back() -> None:
    table = live(3)
    assert clock_window(table.game) == (None, None)
    table.bet("alice")
    window = clock_window(table.game)
    assert window[1] == 15
    table.bet("bob")
    table.take_back("alice")
    assert clock_window(table.game) == window
    table.take_back("bob")
    assert clock_window(table.game) == (None, None)
    table.bet("alice")
    assert clock_window(table.game)[1] == 15
    table.sit_out("alice")
    assert clock_window(table.game) == (None, None)


def test_the_countdown_stops_when_the_only_one_who_has_bet_leaves() -> None:
    table = live()
    table.bet("alice")
    table.do(actions.Leave("alice"))
    assert clock_window(table.game) == (None, None)
    assert table.game.phase is Phase.BETTING


def test_sitting_down_and_sitting_out_move_no_clock() -> None:
    table = live()
    table.bet("alice")
    window = clock_window(table.game)
    table.sit("erin", 6)
    table.sit_out("erin")
    table.do(actions.Leave("erin"))
    assert clock_window(table.game) == window


def test_when_the_countdown_ends_who_has_not_bet_sits_out_and_the_cards_come() -> None:
    table = live(3)
    table.bet("bob", 60)
    table.do(actions.Expire())
    assert table.game.phase is Phase.PLAYING
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({2: 60}, (1, 3))
    assert table.noted(NoteKind.SAT_OUT) == [1, 3]


def test_each_round_has_a_countdown_of_its_own() -> None:
    table = live()
    table.bet("alice")
    first = clock_window(table.game)
    table.bet("bob")
    table.finish_round()
    assert clock_window(table.game) == (None, None)
    table.bet("alice")
    assert clock_window(table.game)[0] not in (None, first[0])


def test_a_bet_of_an_earlier_round_is_not_taken_again() -> None:
    table = live()
    frame = actions.Bet("alice", table.ask("alice"), 100)
    table.do(frame)
    assert table.refused(frame) == "stale_question"
    table.bet("bob")
    table.finish_round()
    assert table.refused(frame) == "stale_question"


# Who does not answer


def five_to_eight(cards: tuple[Card, ...]) -> bool:
    """One box with 5 to 8, which no two cards bring over 21, against a dealer who has nothing to ask."""
    one, up, two, *_ = points(cards)
    return 5 <= one + two <= 8 and one != two and up in (7, 8, 9)


def test_at_a_live_table_the_clock_hits_a_silent_hand_to_twelve() -> None:
    table = live(1, wanted=five_to_eight)
    table.bet("alice")
    table.do(actions.Expire())
    state = table.last_round().round
    assert state is not None
    hand = state.box(1).hands[0]
    assert len(hand.cards) > 2
    assert 12 <= hand.value.total <= 21
    # It took the last card at 11 or less.
    assert sum(points(hand.cards[:-1])) <= 11


def test_where_the_clock_stands_a_silent_hand_gets_no_card() -> None:
    table = plain(1, wanted=five_to_eight)
    table.bet("alice")
    table.do(actions.Expire())
    state = table.last_round().round
    assert state is not None
    assert len(state.box(1).hands[0].cards) == 2


def test_the_clock_buys_no_insurance() -> None:
    table = live(
        1, wanted=lambda cards: points(cards)[1] == 11 and 12 <= points(cards)[0] + points(cards)[2] < 17
    )
    table.bet("alice")
    assert table.game.round is not None
    assert table.game.round.phase.value == "insurance"
    table.do(actions.Expire())
    assert table.game.round is not None
    assert table.game.round.box(1).insurance is None


# Idle seats


def test_who_lets_one_round_pass_without_a_bet_loses_the_seat() -> None:
    table = live(3)
    table.play_round()
    table.bet("alice")
    table.sit_out("bob")
    table.do(actions.Expire())
    table.finish_round()
    # Bob said so, Dave said nothing: it is the same idle round.
    assert table.seated() == {1: "alice"}
    assert table.noted(NoteKind.IDLE) == [2, 3]
    assert [note.name for note in table.game.notes if note.kind is NoteKind.IDLE] == ["Bob", "Dave"]
    table.sit("erin", 2)
    assert table.seated() == {1: "alice", 2: "erin"}


def test_who_bets_every_round_keeps_the_seat_even_if_the_clock_plays_the_hand() -> None:
    table = live()
    for _ in range(4):
        table.bet("alice")
        table.bet("bob")
        while table.game.phase is Phase.PLAYING:
            table.do(actions.Expire())
    assert table.seated() == {1: "alice", 2: "bob"}


def test_who_sat_down_while_the_bets_were_open_has_a_whole_round_before_being_idle() -> None:
    table = live(1)
    table.bet("alice")
    table.finish_round()
    table.sit("erin", 4)
    table.bet("alice")
    table.do(actions.Expire())
    table.finish_round()
    assert table.seated() == {1: "alice", 4: "erin"}
    table.bet("alice")
    table.do(actions.Expire())
    table.finish_round()
    assert table.seated() == {1: "alice"}


def test_an_idle_table_takes_nobodys_seat() -> None:
    table = live()
    table.play_round()
    for _ in range(3):
        table.bet("alice")
        table.take_back("alice")
    table.sit_out("alice")
    table.sit_out("bob")
    assert table.seated() == {1: "alice", 2: "bob"}


def test_one_bet_keeps_all_boxes_of_its_player() -> None:
    table = Table(2, kind=Kind.OPEN, rules=BOXES)
    table.sit("alice", 5)
    table.sit("alice", 7)
    for _ in range(2):
        table.bet("alice", 10, box=5)
        table.bet("bob", 10)
        table.do(actions.Deal("alice"))
        table.finish_round()
    assert table.seated() == {1: "alice", 2: "bob", 5: "alice", 7: "alice"}
    table.bet("bob", 10)
    table.do(actions.Expire())
    table.finish_round()
    assert table.seated() == {2: "bob"}


def test_an_idle_host_passes_the_role_on_with_the_seat() -> None:
    table = live(3)
    table.play_round()
    table.bet("dave")
    table.bet("bob")
    table.sit_out("alice")
    table.finish_round()
    assert (table.game.host, table.seated()) == ("bob", {2: "bob", 3: "dave"})


# Leaving and coming back


def test_leaving_between_rounds_frees_the_seat_and_gives_the_undealt_bet_back() -> None:
    table = live()
    table.bet("alice", 100, 20)
    table.do(actions.Leave("alice"))
    assert table.seated() == {2: "bob"}
    assert table.noted(NoteKind.LEFT) == [1]
    table.sit("erin", 1)
    table.sit("alice", 3)
    assert table.game.free_chips_of(table.seat("alice")) == 1_000


def test_who_sits_and_leaves_without_a_dealt_bet_leaves_nothing_behind() -> None:
    table = live()
    held = table.game.purses
    for _ in range(3):
        for who in ("carol", "eve"):
            table.sit(who, 3)
            table.bet(who)
            table.do(actions.Leave(who))
    assert table.game.purses == held
    table.play_round(10)
    table.do(actions.Leave("bob"))
    assert {purse.player for purse in table.game.purses} == {"alice", "bob"}


@pytest.mark.parametrize("kind", [Kind.OPEN, Kind.SOLO])
def test_however_many_come_and_go_before_a_deal_little_is_told_of_it(kind: Kind) -> None:
    table = Table(1, kind=kind, rules=BOXES)
    for number in range(50):
        who = "alice" if kind is Kind.SOLO else f"guest {number % 9}"
        for box in (2, 5):
            table.do(actions.Sit(who, box, f"Guest {number % 7}"))
        for box in (2, 5):
            table.do(actions.Leave(who, box))
    assert len(table.game.notes) <= 1 + 2 * 2


def test_who_held_a_seat_is_told_to_have_left_whoever_comes_and_goes_after() -> None:
    table = live(3)
    table.play_round(10)
    table.do(actions.Leave("dave"))
    for who in ("carol", "erin", "zed", "dave", "erin"):
        table.sit(who, 3)
        table.do(actions.Leave(who))
    table.sit("zed", 3)
    told = [(note.kind, note.name) for note in table.game.notes if note.seat == 3 and note.round == 2]
    assert told == [(NoteKind.LEFT, "Dave"), (NoteKind.SAT_DOWN, "Zed")]


def test_when_the_last_one_who_had_not_answered_leaves_the_cards_come() -> None:
    table = live(3)
    table.bet("alice")
    table.bet("bob")
    table.do(actions.Leave("dave"))
    assert table.game.phase is Phase.PLAYING
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({1: 100, 2: 100}, ())


def test_leaving_in_the_own_turn_plays_the_hand_by_the_clocks_rule_at_once() -> None:
    table = live(2, wanted=stiff)
    table.bet("alice")
    table.bet("bob")
    table.do(actions.Leave("alice"))
    state = table.game.round
    assert state is not None
    assert [q.box for q in state.questions] == [2]
    # Over 11 the live table's clock stands.
    assert (state.box(1).hands[0].stopped, len(state.box(1).hands[0].cards)) == (True, 2)
    # The seat is theirs until the cards are gone.
    assert table.seated() == {1: "alice", 2: "bob"}
    assert table.refused(actions.Leave("alice")) == "already_left"
    table.answer("bob", "stand")
    assert table.seated() == {2: "bob"}
    assert table.noted(NoteKind.LEFT) == [1]


def test_leaving_before_the_own_turn_moves_no_turn_and_no_clock() -> None:
    table = live(3, wanted=stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    asked, clock = table.ask("alice"), clock_window(table.game)
    table.do(actions.Leave("bob"))
    assert (table.ask("alice"), clock_window(table.game)) == (asked, clock)
    table.answer("alice", "stand")
    # Bob's hand was played in its turn, and Dave is asked.
    assert table.game.round is not None
    assert [q.box for q in table.game.round.questions] == [3]
    assert table.game.round.box(2).hands[0].stopped
    table.answer("dave", "stand")
    assert table.seated() == {1: "alice", 3: "dave"}


def test_what_the_cards_of_who_left_win_is_in_their_purse() -> None:
    table = live(1, wanted=wins)
    table.bet("alice", 200)
    table.do(actions.Leave("alice"))
    assert (table.seated(), table.purse("alice").chips) == ({}, 1_200)
    assert table.last_round().chips == {table.purse("alice").stack: 1_200}
    table.sit("alice", 6)
    assert table.chips() == {"alice": 1_200}


def test_who_sits_a_round_out_leaves_at_once_in_the_middle_of_it() -> None:
    table = live(3, wanted=stiff)
    table.bet("alice")
    table.bet("bob")
    table.sit_out("dave")
    asked = table.ask("alice")
    table.do(actions.Leave("dave"))
    assert table.seated() == {1: "alice", 2: "bob"}
    assert table.ask("alice") == asked


def test_who_comes_back_in_the_same_game_finds_the_same_purse() -> None:
    table = live(2, wanted=stiff)
    table.bet("alice", 500)
    table.bet("bob", 10)
    table.finish_round()
    held, stack = table.purse("alice").chips, table.purse("alice").stack
    assert held != 1_000
    table.do(actions.Leave("alice"))
    table.bet("bob", 10)
    table.finish_round()
    table.sit("alice", 7)
    assert (table.chips()["alice"], table.seat("alice").stack) == (held, stack)
    assert len([purse for purse in table.game.purses if purse.player == "alice"]) == 1
    # Nor does another seat bring a second purse.
    table.bet("alice", 10)
    assert table.game.free_chips_of(table.seat("alice")) == held - 10


def test_leaving_twenty_times_makes_no_chips() -> None:
    table = live(2, wanted=stiff)
    table.bet("alice", 500)
    table.bet("bob", 10)
    table.finish_round()
    held = table.purse("alice").chips
    for number in range(20):
        table.do(actions.Leave("alice"))
        table.sit("alice", 1 + 2 * (number % 2))
        table.bet("alice", 100)
    assert table.purse("alice").chips == held


def test_a_host_who_leaves_passes_the_role_to_who_has_sat_longest() -> None:
    table = live(1)
    table.sit("dave", 6)
    table.sit("bob", 2)
    table.do(actions.Leave("alice"))
    assert table.game.host == "dave"
    table.sit("alice", 1)
    table.do(actions.Leave("dave"))
    assert table.game.host == "bob"
    table.do(actions.Leave("bob"))
    table.do(actions.Leave("alice"))
    table.sit("erin", 3)
    assert table.game.host == "erin"


def test_a_host_who_leaves_in_the_middle_of_a_round_passes_the_role_on_too() -> None:
    table = live(3, wanted=stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Leave("alice"))
    assert table.refused(actions.PassHost("alice")) == "not_seated"
    table.finish_round()
    assert table.game.host == "bob"


# Fresh stacks


def test_below_the_least_bet_a_stack_is_refilled_when_bets_open_and_it_is_counted() -> None:
    table = live()
    table.set_chips(alice=9)
    table.bet("bob", 10)
    table.do(actions.Expire())
    table.finish_round()
    # The nine chips are dropped.
    purse = table.purse("alice")
    assert (purse.chips, purse.refills, purse.highest) == (1_000, 1, 1_000)
    assert table.purse("bob").refills == 0


def test_a_refill_is_in_the_log() -> None:
    table = live(1, wanted=loses)
    table.set_chips(alice=100)
    table.bet("alice", 100)
    table.finish_round()
    assert table.noted(NoteKind.REFILLED) == [1]


def test_exactly_the_least_bet_is_no_reason_for_a_refill() -> None:
    table = live(1, wanted=loses)
    table.set_chips(alice=110)
    table.bet("alice", 100)
    table.finish_round()
    assert (table.chips(), table.purse("alice").refills) == ({"alice": 10}, 0)


def test_who_has_lost_everything_plays_on_with_a_fresh_stack() -> None:
    table = live(1, wanted=loses)
    table.set_chips(alice=100)
    table.bet("alice", 100)
    # Nothing is refilled while the last chips lie on the table.
    assert (table.purse("alice").chips, table.purse("alice").refills) == (100, 0)
    assert table.game.round is not None
    assert table.game.round.chips == {table.purse("alice").stack: 0}
    table.finish_round()
    assert (table.chips(), table.purse("alice").refills) == ({"alice": 1_000}, 1)
    assert table.last_round().chips == {table.purse("alice").stack: 0}


def test_undealt_bets_are_staked_nobody_refills_behind_them() -> None:
    table = live()
    table.set_chips(alice=100)
    table.bet("alice", 100)
    assert table.game.free_chips_of(table.seat("alice")) == 0
    table.sit("erin", 5)
    table.do(actions.Leave("erin"))
    assert (table.purse("alice").chips, table.purse("alice").refills) == (100, 0)
    table.take_back("alice")
    assert table.game.free_chips_of(table.seat("alice")) == 100


def test_who_left_with_too_little_finds_a_counted_refill() -> None:
    table = live()
    table.set_chips(alice=9)
    table.do(actions.Leave("alice"))
    for _ in range(3):
        table.bet("bob", 10)
        table.finish_round()
    table.sit("alice", 1)
    assert (table.chips()["alice"], table.purse("alice").refills) == (1_000, 1)


def test_the_highest_stack_is_what_was_held_after_a_round() -> None:
    table = plain(1, wanted=wins)
    table.next_seed = None
    table.bet("alice", 200)
    table.finish_round()
    assert table.purse("alice").highest == 1_200
    table.set_chips(alice=900)
    table.play_round(10)
    assert table.purse("alice").highest == 1_200 > table.purse("alice").chips


# The end of a game, and the next


def empty_after_a_round() -> Table:
    table = live(2, wanted=stiff)
    table.bet("alice", 500)
    table.bet("bob", 10)
    table.finish_round()
    table.do(actions.Leave("alice"))
    assert table.refused(actions.CloseGame()) == "not_empty"
    table.do(actions.Leave("bob"))
    return table


def test_an_empty_game_is_closed_with_its_shoe_and_what_everybody_had() -> None:
    table = empty_after_a_round()
    held = {who: table.purse(who).chips for who in ("alice", "bob")}
    shoe, number, asked = table.game.shoe, table.game.number, table.game.asked
    finished, over = table.do(actions.CloseGame())
    assert finished == ShoeFinished(shoe) if shoe else False
    assert isinstance(over, GameOver)
    assert (over.number, over.result.reason, over.result.winner) == (number, Reason.EMPTY, None)
    assert {place.player: place.chips for place in over.result.places} == held
    assert {place.seat for place in over.result.places} == {0}
    game = table.game
    assert (game.number, game.begun, game.phase, game.round_number) == (number + 1, False, Phase.BETTING, 1)
    assert (game.purses, game.record, game.round, game.notes) == ((), None, None, ())
    assert game.published == shoe
    assert game.shoe is not None
    assert shoe is not None
    assert game.shoe.number == shoe.number + 1
    assert game.asked >= asked


def test_the_next_game_has_fresh_purses_for_those_of_the_last() -> None:
    table = empty_after_a_round()
    stacks = {purse.stack for purse in table.game.purses}
    table.do(actions.CloseGame())
    table.sit("alice", 4)
    assert (table.chips(), table.purse("alice").refills) == ({"alice": 1_000}, 0)
    assert table.purse("alice").stack not in stacks
    assert table.game.host == "alice"
    table.bet("alice", 10)
    assert started(table) == [1, 2]


def test_a_game_without_a_bet_is_not_closed() -> None:
    table = live(1)
    table.do(actions.Leave("alice"))
    assert table.refused(actions.CloseGame()) == "not_empty"


def test_a_bet_that_was_taken_back_leaves_a_game_without_players() -> None:
    table = live(2)
    table.bet("alice")
    table.take_back("alice")
    table.do(actions.Leave("alice"))
    table.do(actions.Leave("bob"))
    table.do(actions.CloseGame())
    (over,) = overs(table)
    assert (over.number, over.result.places) == (1, ())


def test_after_a_day_a_game_with_a_shoe_for_each_round_ends_with_the_round() -> None:
    table = plain(2, wanted=stiff)
    table.bet("alice")
    table.bet("bob")
    table.do(actions.EndWithShoe())
    assert (overs(table), table.game.ending) == ([], True)
    assert table.refused(actions.EndWithShoe()) == "not_a_day_old"
    held = table.game
    table.finish_round()
    (over,) = overs(table)
    assert (over.number, over.result.reason, over.result.winner) == (1, Reason.DAY_OVER, None)
    assert {place.seat: place.chips for place in over.result.places} == {
        seat.number: table.last_round().chips[seat.stack] for seat in held.seats
    }
    game = table.game
    assert (game.number, game.begun, game.ending, game.round_number) == (2, False, False, 1)
    assert table.chips() == {"alice": 1_000, "bob": 1_000}
    # The last round is still to be seen.
    assert game.record == table.last_round().record


def test_after_a_day_a_game_with_a_cut_card_ends_at_the_shuffle() -> None:
    table = live(2)
    table.bet("alice", 10)
    table.do(actions.EndWithShoe())
    shoe = table.game.shoe
    for _ in range(60):
        if overs(table):
            break
        assert table.game.shoe is not None
        assert shoe is not None
        assert table.game.shoe.number == shoe.number
        table.play_round(10)
    last = table.last_round()
    assert last.round is not None
    assert last.round.shoe.dealt >= 208 > last.record.shoe.dealt
    assert [type(event) for event in table.happened[-3:]] == [RoundFinished, ShoeFinished, GameOver]
    assert last.record.number > 5
    assert table.game.number == 2


def test_the_log_of_the_next_game_does_not_tell_the_last_ones_story() -> None:
    table = plain(2, wanted=stiff)
    table.bet("alice")
    table.sit_out("bob")
    table.do(actions.EndWithShoe())
    table.finish_round()
    assert overs(table)
    # Both games are in their first round, in which Bob sat out and then did not.
    table.bet("alice")
    table.bet("bob")
    assert table.game.notes == ()


def test_no_question_comes_twice_at_a_table() -> None:
    table = plain(1)
    asked: dict[int, str] = {}

    def look() -> None:
        state = table.game.round
        numbers = [seat.ask for seat in table.game.seats]
        if table.game.phase is Phase.PLAYING and state is not None:
            numbers = [question.number for question in state.questions]
        at = f"{table.game.number}.{table.game.round_number}.{table.game.phase.value}"
        for number in numbers:
            assert asked.setdefault(number, at) == at

    for game in range(3):
        for _ in range(4):
            look()
            table.bet("alice", 10)
            while table.game.phase is Phase.PLAYING:
                look()
                table.do(actions.Expire())
        if game == 1:
            table.do(actions.Leave("alice"))
            table.do(actions.CloseGame())
            table.sit("alice", 1)
        else:
            table.bet("alice", 10)
            table.do(actions.EndWithShoe())
            table.finish_round()
        assert table.game.number == game + 2
    assert len(asked) > 20


def test_a_shoe_number_never_comes_twice_either() -> None:
    table = plain(1)
    numbers = []
    for _ in range(2):
        for _ in range(3):
            table.bet("alice", 10)
            table.finish_round()
        table.do(actions.EndWithShoe())
        table.bet("alice", 10)
        table.finish_round()
    numbers = [event.record.shoe.number for event in table.happened if isinstance(event, RoundFinished)]
    assert numbers == list(range(1, 9))


def test_the_same_actions_with_the_same_seeds_give_the_same_game() -> None:
    def played() -> Game:
        table = live(3)
        for _ in range(3):
            table.bet("alice", 20)
            table.bet("bob", 30, 10)
            table.do(actions.Expire())
            table.finish_round()
        return table.game

    assert played() == played()
