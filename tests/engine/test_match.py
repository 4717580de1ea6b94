"""A match from the lobby to its result, and the next one."""

from dataclasses import replace

import pytest

from engine import actions
from engine.cards import Card
from engine.errors import EngineError, InvalidRules
from engine.game import (
    GameOver,
    GameStarted,
    Phase,
    Reason,
    RoundFinished,
    ShoeFinished,
    Status,
    apply,
    clock_window,
    open_table,
)
from engine.rules import PRESETS, Rules
from tests.engine.tables import Table, ace_up, dealer_blackjack, points, seed, stiff, stiff_three

# The lobby


def test_whoever_opens_the_table_sits_first_and_hosts() -> None:
    game = open_table(Rules(), 10, "alice", "Alice")
    assert (game.phase, game.host, game.number) == (Phase.LOBBY, "alice", 0)
    assert [(seat.number, seat.player, seat.name) for seat in game.seats] == [(1, "alice", "Alice")]
    assert clock_window(game) == (None, None)


@pytest.mark.parametrize("rounds", [0, 1, 5, 11, 40, -10])
def test_a_match_has_ten_twenty_or_thirty_rounds(rounds: int) -> None:
    with pytest.raises(EngineError) as refused:
        open_table(Rules(), rounds, "alice", "Alice")
    assert refused.value.code == "bad_rounds"
    for good in (10, 20, 30):
        assert open_table(Rules(), good, "alice", "Alice").rounds == good


def test_a_match_needs_two_boxes() -> None:
    rules = Rules(boxes=1)
    with pytest.raises(EngineError) as refused:
        open_table(rules, 10, "alice", "Alice")
    assert (refused.value.code, refused.value.params["switch"]) == ("match_needs_boxes", "boxes")
    assert Table(1, start=False).refused(actions.Configure("alice", rules, 10)) == "match_needs_boxes"


def test_settings_with_fewer_boxes_than_people_are_refused() -> None:
    table = Table(3, start=False)
    assert table.refused(actions.Configure("alice", Rules(boxes=2), 20)) == "too_few_seats"
    table.do(actions.Remove("alice", 2))
    # Dave still sits on the third seat.
    assert table.refused(actions.Configure("alice", Rules(boxes=2), 20)) == "too_few_seats"
    table.do(actions.Remove("alice", 3))
    table.do(actions.Configure("alice", Rules(boxes=2), 20))


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_has_four_seats_and_one_for_each_on_every_preset(name: str) -> None:
    table = Table(4, start=False, rules=PRESETS[name])
    assert table.seated() == {1: "alice", 2: "bob", 3: "dave", 4: "erin"}
    assert table.refused(actions.Sit("mallory", 5, "M")) == "table_full"
    table.do(actions.Remove("alice", 4))
    assert table.refused(actions.Sit("mallory", 5, "M")) == "no_such_seat"
    assert table.refused(actions.Sit("bob", 4, "Bob")) == "already_seated"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (actions.Sit("dave", 2, "Dave"), "seat_taken"),
        (actions.Sit("alice", 3, "Alice"), "already_seated"),
        (actions.Sit("dave", 0, "Dave"), "no_such_seat"),
        (actions.Sit("dave", 5, "Dave"), "no_such_seat"),
        (actions.Ready("mallory"), "not_seated"),
        (actions.Leave("mallory"), "not_seated"),
        (actions.Start("bob"), "not_host"),
        (actions.Start("mallory"), "not_host"),
        (actions.Start("alice"), "not_all_ready"),
        (actions.Remove("bob", 1), "not_host"),
        (actions.Remove("mallory", 2), "not_host"),
        (actions.Remove("alice", 1), "own_seat"),
        (actions.Remove("alice", 3), "seat_empty"),
        (actions.Configure("bob", Rules(), 20), "not_host"),
        (actions.Configure("alice", Rules(), 25), "bad_rounds"),
        (actions.Configure("alice", Rules(boxes=1), 20), "match_needs_boxes"),
        (actions.BackToLobby("alice"), "match_not_over"),
        (actions.Bet("alice", "0.0", 100), "no_match"),
        (actions.SitOut("alice", "0.0"), "no_match"),
        (actions.TakeBack("alice", "0.0"), "no_match"),
        (actions.Answer("alice", "0.0", actions.Hit(1)), "no_match"),
        (actions.Resign("alice"), "no_match"),
        (actions.OfferDraw("alice"), "no_match"),
        (actions.AcceptDraw("alice", "1.1"), "no_match"),
        (actions.StopWaiting("alice", 2), "no_match"),
        (actions.ComeBack("alice"), "not_away"),
        (actions.PassHost("mallory"), "not_seated"),
        (actions.Abandon(), "no_match"),
        (actions.Expire(), "no_clock"),
        (actions.Deal("alice"), "no_match"),
        (actions.NewGame("alice"), "not_alone"),
        (actions.CloseGame(), "not_empty"),
        (actions.EndWithShoe(), "not_a_day_old"),
        (actions.Void(), "no_round"),
    ],
)
def test_what_a_lobby_refuses(action: actions.TableAction, code: str) -> None:
    assert Table(2, start=False).refused(action) == code


def test_nobody_starts_alone() -> None:
    table = Table(1, start=False)
    table.do(actions.Ready("alice"))
    assert table.refused(actions.Start("alice")) == "nobody_to_play_with"


def test_the_host_starts_when_all_others_are_ready() -> None:
    table = Table(3, start=False)
    table.do(actions.Ready("bob"))
    assert table.refused(actions.Start("alice")) == "not_all_ready"
    table.do(actions.Ready("dave"))
    table.do(actions.Ready("bob", False))
    assert table.refused(actions.Start("alice")) == "not_all_ready"
    table.do(actions.Ready("bob"))
    assert table.do(actions.Start("alice")) == (GameStarted(1),)
    assert (table.game.phase, table.game.round_number) == (Phase.BETTING, 1)
    assert table.chips() == {"alice": 1_000, "bob": 1_000, "dave": 1_000}


def test_four_may_sit_or_fewer_where_there_are_fewer_boxes() -> None:
    assert Table(3, start=False).refused(actions.Sit("mallory", 5, "M")) == "no_such_seat"
    assert Table(4, start=False).refused(actions.Sit("mallory", 5, "M")) == "table_full"
    two = Rules(boxes=2)
    assert Table(1, start=False, rules=two).refused(actions.Sit("dave", 3, "D")) == "no_such_seat"
    assert Table(2, start=False, rules=two).refused(actions.Sit("dave", 3, "D")) == "table_full"


def test_new_settings_ask_everyone_again() -> None:
    table = Table(2, start=False)
    table.do(actions.Ready("bob"))
    table.do(actions.Configure("alice", Rules(starting_chips=500), 30))
    assert (table.game.rules.starting_chips, table.game.rounds) == (500, 30)
    assert table.refused(actions.Start("alice")) == "not_all_ready"


def test_the_host_takes_somebody_out_of_the_lobby() -> None:
    table = Table(3, start=False)
    table.do(actions.Remove("alice", 2))
    assert [seat.player for seat in table.game.seats] == ["alice", "dave"]
    table.do(actions.Sit("bob", 2, "Bob"))
    assert [seat.player for seat in table.game.seats] == ["alice", "bob", "dave"]


def test_a_host_who_leaves_passes_the_role_to_who_has_sat_longest() -> None:
    table = Table(1, start=False)
    table.do(actions.Sit("dave", 4, "Dave"))
    table.do(actions.Sit("bob", 2, "Bob"))
    table.do(actions.Leave("alice"))
    assert table.game.host == "dave"
    table.do(actions.Leave("bob"))
    assert table.game.host == "dave"
    table.do(actions.PassHost("dave"))
    table.do(actions.Leave("dave"))
    table.do(actions.Sit("erin", 1, "Erin"))
    assert table.game.host == "erin"


def test_while_a_match_runs_the_lobby_is_closed() -> None:
    table = Table(2)
    for action in (
        actions.Sit("dave", 3, "Dave"),
        actions.Ready("alice"),
        actions.Start("alice"),
        actions.Remove("alice", 2),
    ):
        assert table.refused(action) == "match_running"
    assert table.refused(actions.Configure("alice", Rules(), 20)) == "not_in_lobby"
    assert table.refused(actions.BackToLobby("alice")) == "match_not_over"


# Bets


@pytest.mark.parametrize(
    ("amount", "pair", "code"),
    [
        (0, 0, "bet_too_small"),
        (-10, 0, "bet_too_small"),
        (5, 0, "bet_too_small"),
        (15, 0, "bet_off_step"),
        (510, 0, "bet_too_large"),
        (100, 5, "pair_too_small"),
        (100, -10, "pair_too_small"),
        (100, 15, "bet_off_step"),
        (100, 110, "pair_too_large"),
    ],
)
def test_which_bets_are_refused(amount: int, pair: int, code: str) -> None:
    table = Table(2)
    assert table.refused(actions.Bet("alice", table.ask("alice"), amount, pair)) == code


def test_nobody_bets_more_than_the_stack() -> None:
    table = Table(2)
    table.set_chips(alice=120)
    assert table.refused(actions.Bet("alice", table.ask("alice"), 130)) == "not_enough_chips"
    assert table.refused(actions.Bet("alice", table.ask("alice"), 100, 30)) == "not_enough_chips"
    table.bet("alice", 100, 20)


def test_everyone_bets_at_the_same_time_and_the_deal_comes_when_all_have_answered() -> None:
    table = Table(3)
    table.bet("dave", 50)
    table.bet("alice", 10)
    assert table.game.phase is Phase.BETTING
    table.next_seed = seed(1)
    table.sit_out("bob")
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({1: 10, 3: 50}, (2,))


def test_a_bet_can_be_taken_back_and_changed_until_the_deal() -> None:
    table = Table(2)
    assert table.refused(actions.TakeBack("alice", table.ask("alice"))) == "nothing_to_take_back"
    table.bet("alice", 100, 10)
    table.do(actions.TakeBack("alice", table.ask("alice")))
    assert (table.seat("alice").bet, table.seat("alice").pair, table.seat("alice").answered) == (0, 0, False)
    table.bet("alice", 50)
    table.bet("alice", 70, 10)
    table.sit_out("alice")
    table.bet("alice", 20)
    assert (table.seat("alice").bet, table.seat("alice").pair) == (20, 0)
    table.bet("bob")
    assert table.game.record is not None
    assert table.game.record.bets[1] == 20


def test_the_last_bet_is_remembered_for_repeating() -> None:
    table = Table(2)
    table.bet("alice", 70)
    table.do(actions.TakeBack("alice", table.ask("alice")))
    assert table.seat("alice").last_bet == 70
    table.everyone_sits_out()
    assert table.seat("alice").last_bet == 70


def test_a_replayed_bet_finds_its_question_closed() -> None:
    table = Table(2)
    frame = actions.Bet("alice", table.ask("alice"), 100)
    table.do(frame)
    for _ in range(4):
        assert table.refused(frame) == "stale_question"
    assert table.refused(actions.SitOut("alice", frame.ask)) == "stale_question"
    assert table.refused(actions.TakeBack("alice", frame.ask)) == "stale_question"


def test_a_persons_question_stays_the_same_while_others_answer_theirs() -> None:
    table = Table(3)
    asked = table.ask("alice")
    table.bet("bob")
    table.bet("dave")
    table.do(actions.TakeBack("dave", table.ask("dave")))
    assert table.ask("alice") == asked
    table.do(actions.Bet("alice", asked, 100))


def test_nobody_answers_the_question_of_another_seat() -> None:
    table = Table(2)
    assert table.refused(actions.Bet("alice", table.ask("bob"), 100)) == "stale_question"
    assert table.refused(actions.Bet("mallory", table.ask("bob"), 100)) == "not_seated"
    assert table.refused(actions.Bet("alice", "", 100)) == "stale_question"


def test_a_round_that_everyone_sits_out_counts_as_played() -> None:
    table = Table(2)
    table.everyone_sits_out()
    assert (table.game.round_number, table.game.phase) == (2, Phase.BETTING)
    finished = table.last_round()
    assert (finished.round, finished.record.sat_out, finished.record.bets) == (None, (1, 2), {})
    for _ in range(9):
        table.everyone_sits_out()
    assert table.game.phase is Phase.OVER
    assert table.game.result is not None
    assert (table.game.result.reason, table.game.result.winner, table.game.draws) == (Reason.ROUNDS, None, 1)


# Questions of the round


def test_the_turn_goes_seat_by_seat_and_questions_change_with_each() -> None:
    table = Table(2)
    table.deal_two()
    first = table.ask("alice")
    assert table.refused(actions.Answer("bob", first, actions.Stand(2))) == "stale_question"
    assert table.refused(actions.Answer("bob", first, actions.Stand(1))) == "stale_question"
    assert table.refused(actions.Answer("alice", first, actions.Stand(2))) == "stale_question"
    assert table.refused(actions.Answer("mallory", first, actions.Stand(1))) == "not_seated"
    assert table.refused(actions.Answer("alice", first, actions.Split(1))) == "not_a_pair"
    assert table.refused(actions.Answer("alice", first, actions.Expire())) == "not_an_answer"
    assert table.refused(actions.Answer("alice", first, actions.Follow(1, "alice"))) == "not_an_answer"
    frame = actions.Answer("alice", first, actions.Stand(1))
    table.do(frame)
    assert table.refused(frame) == "stale_question"
    assert table.ask("bob") != first


def test_question_numbers_never_come_twice_at_a_table() -> None:
    table = Table(2)
    whose: dict[int, tuple[str, int]] = {}

    def look() -> None:
        state = table.game.round if table.game.phase is Phase.PLAYING else None
        asked = (
            [(str(q.box), q.number) for q in state.questions]
            if state
            else [(str(seat.number), seat.ask) for seat in table.game.seats_in]
        )
        for who, number in asked if table.game.in_match else ():
            assert whose.setdefault(number, (who, table.game.number)) == (who, table.game.number)

    for match in range(3):
        if match:
            table.start()
        look()
        while table.game.in_match:
            if table.game.phase is Phase.BETTING:
                seat = next(seat for seat in table.game.seats_in if not seat.answered)
                table.bet(seat.player, 10)
            else:
                table.do(actions.Expire())
            look()
            if match == 1 and table.game.round_number == 3:
                table.do(actions.Resign("bob"))
    assert len(whose) > 60


# The clock


def test_a_new_clock_starts_exactly_when_a_new_wait_does() -> None:
    table = Table(3)
    bets = clock_window(table.game)
    assert bets[1] == 20
    table.bet("alice")
    table.bet("bob")
    table.do(actions.TakeBack("bob", table.ask("bob")))
    table.do(actions.OfferDraw("dave"))
    table.do(actions.RefuseDraw("bob", "1.1"))
    assert clock_window(table.game) == bets
    table.do(actions.TakeBack("alice", table.ask("alice")))
    table.open_shoe(stiff_three)
    assert clock_window(table.game) != bets
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    turn = clock_window(table.game)
    assert turn != bets
    table.do(actions.OfferDraw("bob"))
    table.do(actions.RefuseDraw("dave", table.game.offer.id if table.game.offer else ""))
    table.do(actions.Resign("dave"))
    assert clock_window(table.game) == turn
    table.answer("alice", "stand")
    assert clock_window(table.game)[0] not in (turn[0], bets[0])


def test_while_several_are_asked_one_clock_runs_for_all() -> None:
    table = Table(2)
    table.deal_two(ace_up)
    insurance = clock_window(table.game)
    table.answer("bob", "decline")
    assert clock_window(table.game) == insurance
    table.answer("alice", "insure")
    assert clock_window(table.game) != insurance


def test_a_refused_action_moves_no_clock_and_changes_nothing() -> None:
    table = Table(2)
    table.deal_two()
    before, clock = table.game, clock_window(table.game)
    for _ in range(5):
        table.refused(actions.Answer("bob", "2.1", actions.Hit(2)))
        table.refused(actions.Bet("bob", "2.1", 100))
        table.refused(actions.Start("bob"))
    assert (table.game, clock_window(table.game)) == (before, clock)


def test_each_hit_starts_a_new_clock() -> None:
    table = Table(2, rules=Rules())
    table.deal_two(lambda cards: stiff(cards) and cards[6].rank.points == 2)
    before = clock_window(table.game)
    table.answer("alice", "hit")
    assert clock_window(table.game)[0] != before[0]


def test_when_the_bets_close_who_has_not_bet_sits_out() -> None:
    table = Table(3)
    table.bet("bob")
    table.do(actions.Expire())
    assert table.game.record is not None
    assert (dict(table.game.record.bets), table.game.record.sat_out) == ({2: 100}, (1, 3))
    other = Table(2)
    other.do(actions.Expire())
    assert other.game.round_number == 2


def test_when_the_clock_runs_out_in_a_turn_the_hand_stands_and_the_next_has_its_own() -> None:
    table = Table(2)
    table.deal_two()
    table.do(actions.Expire())
    assert table.game.round is not None
    assert [q.box for q in table.game.round.questions] == [2]
    table.do(actions.Expire())
    assert (table.game.phase, table.game.round_number) == (Phase.BETTING, 3)


def test_when_the_clock_runs_out_for_insurance_nobody_is_insured() -> None:
    table = Table(2)
    table.deal_two(ace_up)
    table.answer("bob", "insure")
    table.do(actions.Expire())
    assert table.game.round is not None
    assert [box.insurance is not None for box in table.game.round.boxes] == [False, True]
    assert [q.box for q in table.game.round.questions] == [1]


def test_without_a_clock_nothing_expires() -> None:
    table = Table(2, rules=Rules(bet_seconds=None, decision_seconds=None))
    assert clock_window(table.game)[1] is None
    assert table.refused(actions.Expire()) == "no_clock"
    table.deal_two()
    assert clock_window(table.game)[1] is None
    assert table.refused(actions.Expire()) == "no_clock"


def test_a_match_is_over_and_no_clock_runs() -> None:
    table = Table(2)
    table.do(actions.Resign("bob"))
    assert clock_window(table.game) == (None, None)
    assert table.refused(actions.Expire()) == "no_clock"


# Falling out, and the end


def test_who_has_less_than_the_smallest_bet_is_out_and_the_others_go_on() -> None:
    table = Table(3)
    table.set_chips(dave=9)
    table.everyone_sits_out()
    assert [seat.status for seat in table.game.seats] == [Status.IN, Status.IN, Status.OUT]
    assert ("eliminated", 3) in table.notes()
    assert table.refused(actions.Bet("dave", table.ask("dave"), 10)) == "not_in_match"
    # The round does not wait for them.
    table.bet("alice", 10)
    table.bet("bob", 10)
    assert table.game.record is not None
    assert table.game.record.sat_out == ()


def test_exactly_the_smallest_bet_is_enough() -> None:
    table = Table(2)
    table.set_chips(bob=10)
    table.everyone_sits_out()
    assert table.game.in_match


def test_the_last_one_left_wins_whatever_the_chips() -> None:
    table = Table(2)
    table.set_chips(alice=10, bob=9)
    table.everyone_sits_out()
    assert table.game.result is not None
    assert (table.game.result.reason, table.game.result.winner) == (Reason.LAST_LEFT, 1)
    assert [score.wins for score in table.game.score] == [1]


@pytest.mark.parametrize(("alice", "bob", "winner"), [(9, 8, 1), (3, 4, 2), (5, 5, None), (0, 0, None)])
def test_if_all_fall_at_once_the_most_chips_win_and_equal_is_a_draw(
    alice: int, bob: int, winner: int | None
) -> None:
    table = Table(2)
    table.set_chips(alice=alice, bob=bob)
    table.everyone_sits_out()
    assert table.game.result is not None
    assert (table.game.result.reason, table.game.result.winner) == (Reason.ALL_OUT, winner)


def test_who_fell_earlier_does_not_win_with_more_chips() -> None:
    table = Table(3)
    table.set_chips(dave=9)
    table.everyone_sits_out()
    table.set_chips(alice=8, bob=7)
    table.everyone_sits_out()
    assert table.game.result is not None
    assert table.game.result.winner == 1
    assert [place.seat for place in table.game.result.places] == [1, 2, 3]


@pytest.mark.parametrize(
    ("chips", "winner"),
    [
        ({"alice": 1_100, "bob": 1_000, "dave": 900}, 1),
        ({"alice": 900, "bob": 1_000, "dave": 1_100}, 3),
        ({"alice": 1_000, "bob": 1_000, "dave": 900}, None),
        ({"alice": 9, "bob": 8, "dave": 1_000}, 3),
    ],
)
def test_after_the_last_round_the_most_chips_win(chips: dict[str, int], winner: int | None) -> None:
    table = Table(3)
    for _ in range(9):
        table.everyone_sits_out()
    table.set_chips(**chips)
    table.everyone_sits_out()
    over = table.happened[-1]
    assert isinstance(over, GameOver)
    assert (over.result.reason, over.result.winner) == (Reason.ROUNDS, winner)
    assert table.game.phase is Phase.OVER
    assert table.game.shoe is None


def test_a_finished_round_is_told_with_what_everybody_has() -> None:
    table = Table(2)
    table.deal_two(dealer_blackjack)
    finished, shoe = table.happened[-2:]
    assert isinstance(finished, RoundFinished)
    assert finished.chips == {"1": 900, "2": 900}
    assert finished.record.replay(table.game.rules) == finished.round
    assert shoe == ShoeFinished(finished.record.shoe)
    assert table.game.published == finished.record.shoe
    assert (table.game.phase, table.game.round_number) == (Phase.BETTING, 3)


# Resigning


def test_resigning_between_bets_leaves_the_others_to_go_on() -> None:
    table = Table(3)
    table.bet("alice")
    table.bet("bob")
    table.do(actions.Resign("dave"))
    # Everyone left has answered: the deal comes at once.
    assert table.game.record is not None
    assert dict(table.game.record.bets) == {1: 100, 2: 100}
    assert table.seat("dave").status is Status.RESIGNED
    assert table.refused(actions.Resign("dave")) == "not_in_match"


def test_resigning_with_a_bet_before_the_deal_plays_no_hand() -> None:
    table = Table(3)
    table.bet("dave")
    table.do(actions.Resign("dave"))
    table.bet("alice")
    table.bet("bob")
    assert table.game.record is not None
    assert 3 not in table.game.record.bets


def test_resigning_in_the_own_turn_stands_and_passes_it_on() -> None:
    table = Table(3)
    table.open_shoe(stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Resign("alice"))
    assert table.game.round is not None
    assert [q.box for q in table.game.round.questions] == [2]
    assert table.game.round.box(1).hands[0].stopped


@pytest.mark.parametrize("leaver", ["alice", "dave"])
def test_the_turn_does_not_jump_when_somebody_else_resigns(leaver: str) -> None:
    table = Table(3)
    table.open_shoe(stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.answer("alice", "stand")
    asked, clock = table.ask("bob"), clock_window(table.game)
    table.do(actions.Leave(leaver))
    assert (table.ask("bob"), clock_window(table.game)) == (asked, clock)
    table.answer("bob", "stand")
    if leaver == "dave":
        # Their hand stands by itself: the round is over.
        assert table.game.phase is Phase.BETTING


def test_what_is_staked_is_lost_and_what_comes_back_later_goes_to_the_bank() -> None:
    def wins_third(cards: tuple[Card, ...]) -> bool:
        values = points(cards)
        return values[2] == values[6] == 10 and values[3] in (7, 8) and values[7] == 10 and stiffish(cards)

    table = Table(3)
    table.open_shoe(wins_third)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Resign("dave"))
    assert table.chips()["dave"] == 900
    table.finish_round()
    finished = table.last_round()
    assert finished.round is not None
    # The hand was played to its end and won, for nobody.
    assert finished.round.box(3).hands[0].stakes[0].paid == 200
    assert (finished.chips["3"], table.chips()["dave"]) == (900, 900)
    assert finished.record.resigned == ((3, 0),)


def test_resigning_before_insurance_declines_it() -> None:
    table = Table(3)
    table.open_shoe(
        lambda cards: cards[3].rank.points == 11 and cards[7].rank.points < 10 and stiffish(cards)
    )
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Resign("bob"))
    assert table.game.round is not None
    assert {q.box for q in table.game.round.questions} == {1, 3}


def stiffish(cards: tuple[Card, ...]) -> bool:
    """Alice and Bob have no blackjack and nothing to split."""
    values = points(cards)
    return all(11 <= values[seat] + values[seat + 4] <= 17 for seat in range(2))


def test_with_two_the_other_one_wins_and_gets_the_open_stake_back() -> None:
    table = Table(2)
    table.deal_two(stiff, bets=(100, 50))
    table.do(actions.Resign("bob"))
    result = table.game.result
    assert result is not None
    assert (result.reason, result.winner) == (Reason.LAST_LEFT, 1)
    assert table.chips() == {"alice": 1_000, "bob": 950}
    finished, shoe, over = table.happened[-3:]
    assert isinstance(finished, RoundFinished)
    assert finished.record.broken_off
    assert isinstance(shoe, ShoeFinished)
    assert isinstance(over, GameOver)
    assert [(place.seat, place.place, place.status) for place in result.places] == [
        (1, 1, Status.IN),
        (2, 2, Status.RESIGNED),
    ]


def test_leaving_in_the_middle_of_a_match_is_resigning() -> None:
    table = Table(3)
    table.do(actions.Leave("alice"))
    assert table.seat("alice").status is Status.RESIGNED
    assert table.game.host == "bob"
    assert table.refused(actions.Leave("alice")) == "already_left"
    assert table.refused(actions.PassHost("alice")) == "not_seated"
    table.do(actions.Leave("bob"))
    assert table.game.phase is Phase.OVER
    assert [seat.player for seat in table.game.seats] == ["dave"]
    assert table.game.host == "dave"


def test_who_is_out_may_leave_without_disturbing_the_match() -> None:
    table = Table(3)
    table.set_chips(dave=0)
    table.everyone_sits_out()
    clock = clock_window(table.game)
    table.do(actions.Leave("dave"))
    assert clock_window(table.game) == clock
    assert [seat.player for seat in table.game.seats_in] == ["alice", "bob"]


# Draws


def test_a_draw_holds_when_everyone_still_in_agrees() -> None:
    table = Table(3)
    table.do(actions.OfferDraw("bob"))
    assert table.game.offer is not None
    offer = table.game.offer.id
    table.do(actions.AcceptDraw("alice", offer))
    assert table.game.in_match
    table.do(actions.AcceptDraw("dave", offer))
    result = table.game.result
    assert result is not None
    assert (result.reason, result.winner, table.game.draws, table.game.score) == (
        Reason.AGREED_DRAW,
        None,
        1,
        (),
    )


def test_a_draw_in_the_middle_of_a_round_gives_open_stakes_back() -> None:
    table = Table(2)
    table.deal_two(stiff, bets=(100, 50))
    table.do(actions.OfferDraw("alice"))
    assert table.game.offer is not None
    table.do(actions.AcceptDraw("bob", table.game.offer.id))
    assert table.chips() == {"alice": 1_000, "bob": 1_000}


def test_one_refusal_cancels_the_offer() -> None:
    table = Table(3)
    table.do(actions.OfferDraw("bob"))
    table.do(actions.AcceptDraw("alice", "1.1"))
    table.do(actions.RefuseDraw("dave", "1.1"))
    assert table.game.offer is None
    assert table.refused(actions.AcceptDraw("dave", "1.1")) == "stale_offer"
    assert table.refused(actions.RefuseDraw("dave", "1.1")) == "stale_offer"


def test_each_may_offer_once_a_round_and_one_at_a_time() -> None:
    table = Table(2)
    table.do(actions.OfferDraw("bob"))
    assert table.refused(actions.OfferDraw("alice")) == "offer_open"
    assert table.refused(actions.OfferDraw("bob")) == "offer_open"
    assert table.refused(actions.OfferDraw("mallory")) == "not_seated"
    table.do(actions.RefuseDraw("alice", "1.1"))
    assert table.refused(actions.OfferDraw("bob")) == "offered_this_round"
    table.do(actions.OfferDraw("alice"))
    table.do(actions.RefuseDraw("bob", "1.2"))
    table.everyone_sits_out()
    table.do(actions.OfferDraw("bob"))


def test_the_offering_seat_does_not_answer_itself() -> None:
    table = Table(2)
    table.do(actions.OfferDraw("bob"))
    assert table.refused(actions.AcceptDraw("bob", "1.1")) == "already_agreed"
    assert table.refused(actions.RefuseDraw("bob", "1.1")) == "already_agreed"
    assert table.refused(actions.AcceptDraw("mallory", "1.1")) == "not_seated"


def test_a_click_meant_for_another_offer_is_refused() -> None:
    table = Table(2)
    table.do(actions.OfferDraw("bob"))
    table.do(actions.RefuseDraw("alice", "1.1"))
    table.do(actions.OfferDraw("alice"))
    assert table.refused(actions.AcceptDraw("bob", "1.1")) == "stale_offer"
    assert table.game.offer is not None
    assert table.game.offer.id == "1.2"


@pytest.mark.parametrize("move", ["bet", "sit_out"])
def test_a_move_made_instead_of_an_answer_cancels_it(move: str) -> None:
    table = Table(3)
    table.do(actions.OfferDraw("bob"))
    table.do(actions.AcceptDraw("dave", "1.1"))
    # Moves of those who agree leave it open.
    table.bet("bob")
    table.bet("dave")
    assert table.game.offer
    table.bet("alice") if move == "bet" else table.sit_out("alice")
    assert not table.game.offer
    assert ("draw_cancelled", 1) in table.notes()


def test_a_move_in_the_turn_cancels_it_too() -> None:
    table = Table(2)
    table.deal_two()
    table.do(actions.OfferDraw("bob"))
    table.answer("alice", "stand")
    assert table.game.offer is None
    assert table.game.in_match


def test_an_offer_falls_with_its_maker() -> None:
    table = Table(3)
    table.do(actions.OfferDraw("bob"))
    table.do(actions.AcceptDraw("alice", "1.1"))
    table.do(actions.Resign("bob"))
    assert (table.game.offer, table.game.in_match) == (None, True)


def test_when_the_only_one_who_has_not_agreed_resigns_the_draw_holds() -> None:
    table = Table(3)
    table.do(actions.OfferDraw("bob"))
    table.do(actions.AcceptDraw("alice", "1.1"))
    table.do(actions.Resign("dave"))
    assert table.game.result is not None
    assert table.game.result.reason is Reason.AGREED_DRAW


def test_an_offer_outlives_the_round_in_which_it_was_made() -> None:
    table = Table(2)
    table.deal_two()
    table.answer("alice", "stand")
    table.do(actions.OfferDraw("bob"))
    before = table.game.round_number
    table.answer("bob", "stand")
    assert table.game.round_number == before + 1
    assert table.game.offer is not None
    table.do(actions.AcceptDraw("alice", table.game.offer.id))
    assert table.game.result is not None
    assert table.game.result.reason is Reason.AGREED_DRAW


def test_the_clock_answers_for_who_is_asked_and_so_cancels_the_offer() -> None:
    table = Table(2)
    table.do(actions.OfferDraw("bob"))
    table.do(actions.Expire())
    assert table.game.offer is None
    table.deal_two()
    table.do(actions.OfferDraw("bob"))
    table.do(actions.Expire())  # it was Alice's turn
    assert table.game.offer is None


def test_the_clock_cancels_no_offer_of_who_it_answers_for() -> None:
    table = Table(2)
    table.deal_two()
    table.do(actions.OfferDraw("alice"))
    table.do(actions.Expire())
    assert table.game.offer is not None


# Again


def test_a_minimum_above_the_starting_stack_is_refused() -> None:
    rules = replace(Rules(), min_bet=200, starting_chips=100)
    with pytest.raises(InvalidRules, match="stack_under_minimum"):
        open_table(rules, 10, "alice", "Alice")


def test_again_starts_a_new_match_with_fresh_stacks_and_keeps_the_score() -> None:
    table = Table(2)
    table.do(actions.Resign("bob"))
    assert table.refused(actions.Start("alice")) == "not_all_ready"
    table.do(actions.Ready("bob"))
    assert table.do(actions.Start("alice")) == (GameStarted(2),)
    assert (table.chips(), table.game.round_number) == ({"alice": 1_000, "bob": 1_000}, 1)
    assert [(score.player, score.wins) for score in table.game.score] == [("alice", 1)]
    table.do(actions.Resign("alice"))
    assert {score.player: score.wins for score in table.game.score} == {"alice": 1, "bob": 1}


def test_free_seats_may_be_taken_before_the_next_match() -> None:
    table = Table(2)
    table.do(actions.Leave("bob"))
    table.do(actions.Sit("dave", 2, "Dave"))
    table.do(actions.Sit("bob", 3, "Bob"))
    table.start()
    assert [seat.player for seat in table.game.seats_in] == ["alice", "dave", "bob"]


def test_change_settings_goes_back_to_the_lobby_and_keeps_the_score() -> None:
    table = Table(2)
    table.deal_two(dealer_blackjack)
    table.do(actions.Resign("bob"))
    assert table.refused(actions.Configure("alice", Rules(), 20)) == "not_in_lobby"
    assert table.refused(actions.BackToLobby("bob")) == "not_host"
    table.do(actions.Ready("bob"))
    table.do(actions.BackToLobby("alice"))
    assert (table.game.phase, table.game.round, table.game.result) == (Phase.LOBBY, None, None)
    assert [(seat.ready, seat.status) for seat in table.game.seats] == [(False, Status.WAITING)] * 2
    table.do(actions.Configure("alice", replace(Rules(), starting_chips=2_000), 20))
    table.start()
    assert table.chips() == {"alice": 2_000, "bob": 2_000}
    assert [score.wins for score in table.game.score] == [1]


# Being away


def test_after_stop_waiting_the_timeout_rule_answers_at_once() -> None:
    table = Table(3)
    table.bet("alice")
    table.bet("bob")
    table.do(actions.StopWaiting("alice", 3))
    assert table.game.record is not None
    assert table.game.record.sat_out == (3,)
    table.finish_round()
    # In the next rounds too, and nobody waits for them.
    assert table.seat("dave").answered
    table.bet("alice")
    assert table.game.phase is Phase.BETTING
    table.do(actions.ComeBack("dave"))
    # Who is back may still bet in the round that has not been dealt.
    assert not table.seat("dave").answered
    table.bet("bob")
    assert table.game.phase is Phase.BETTING
    table.bet("dave")
    assert table.game.record.number != table.game.round_number or table.game.phase is not Phase.BETTING


def test_stop_waiting_in_the_turn_plays_it_by_the_timeout_rule() -> None:
    table = Table(2)
    table.deal_two()
    table.do(actions.StopWaiting("bob", 1))
    assert table.game.round is not None
    assert [q.box for q in table.game.round.questions] == [2]


def test_stop_waiting_for_insurance_declines_it() -> None:
    table = Table(2)
    table.deal_two(ace_up)
    table.answer("bob", "decline")
    table.do(actions.StopWaiting("bob", 1))
    assert table.game.round is not None
    assert table.game.round.box(1).insurance is None
    assert [q.box for q in table.game.round.questions] == [2]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (actions.StopWaiting("alice", 1), "own_seat"),
        (actions.StopWaiting("alice", 4), "seat_empty"),
        (actions.StopWaiting("mallory", 1), "not_seated"),
        (actions.StopWaiting("alice", 2), "already_stopped_waiting"),
        (actions.ComeBack("alice"), "not_away"),
        (actions.ComeBack("mallory"), "not_away"),
    ],
)
def test_who_may_stop_waiting(action: actions.TableAction, code: str) -> None:
    table = Table(3)
    table.do(actions.StopWaiting("alice", 2))
    assert table.refused(action) == code


def test_where_nobody_is_left_the_table_waits_rather_than_play_alone() -> None:
    table = Table(2)
    table.do(actions.StopWaiting("alice", 2))
    table.do(actions.StopWaiting("bob", 1))
    number = table.game.round_number
    assert table.game.phase is Phase.BETTING
    table.do(actions.ComeBack("alice"))
    assert table.game.round_number == number
    table.bet("alice")
    assert table.game.record is not None
    assert table.game.record.sat_out == (2,)


def test_a_match_that_nobody_touches_ends_without_a_winner() -> None:
    table = Table(2)
    table.deal_two(stiff, bets=(100, 50))
    table.do(actions.Abandon())
    result = table.game.result
    assert result is not None
    assert (result.reason, result.winner, table.game.draws, table.game.score) == (
        Reason.ABANDONED,
        None,
        0,
        (),
    )
    assert table.chips() == {"alice": 1_000, "bob": 1_000}
    assert table.refused(actions.Abandon()) == "no_match"


# The shoe


def test_the_hash_is_shown_before_the_bets_and_the_seed_when_the_round_is_over() -> None:
    table = Table(2)
    opened = table.game
    assert opened.shoe is not None
    assert opened.published is None
    shown = opened.shoe.commitment
    table.bet("alice")
    assert table.game.shoe is opened.shoe
    table.bet("bob")
    table.finish_round()
    finished = table.last_round()
    assert finished.record.shoe.commitment == shown
    assert table.game.published == finished.record.shoe == opened.shoe
    assert table.game.shoe is not None
    assert table.game.shoe.commitment != shown
    assert table.game.shoe.number == 2


def test_who_takes_a_seat_after_a_match_has_none_of_the_last_ones_chips() -> None:
    table = Table(2)
    table.set_chips(bob=730)
    table.do(actions.Leave("bob"))
    table.sit("dave", 2)
    assert table.chips()["dave"] == 0
    table.start()
    assert table.chips() == {"alice": 1_000, "dave": 1_000}


def test_the_seed_is_used_only_where_a_shoe_is_opened() -> None:
    table = Table(2)
    for action in (
        actions.Bet("alice", table.ask("alice"), 100),
        actions.OfferDraw("alice"),
        actions.PassHost("bob"),
    ):
        assert apply(table.game, action, seed(1)) == apply(table.game, action, seed(2))


def test_a_seed_has_32_bytes() -> None:
    table = Table(2)
    for wrong in (b"", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="32 bytes"):
            apply(table.game, actions.OfferDraw("alice"), wrong)


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_can_be_played_on_every_preset(name: str) -> None:
    rules = PRESETS[name]
    table = Table(4, rules=rules)
    while table.game.in_match:
        if table.game.phase is Phase.BETTING:
            for seat in table.game.seats_in:
                if table.game.phase is Phase.BETTING and not seat.answered:
                    table.bet(seat.player, rules.min_bet)
        elif table.game.rules.decision_seconds is not None:
            table.do(actions.Expire())
        else:
            table.finish_round()
    assert table.game.result is not None
    played = [event for event in table.happened if isinstance(event, RoundFinished)]
    assert len(played) == 10
    for event in played:
        assert event.record.replay(rules) == event.round
    assert table.game.shoe is None


def test_a_match_from_a_cut_card_shoe_goes_on_in_it_and_publishes_it_at_the_end() -> None:
    table = Table(2, rules=PRESETS["casino8"])
    first = table.game.shoe
    assert first is not None
    for _ in range(3):
        table.bet("alice", 10)
        table.bet("bob", 10)
        table.finish_round()
    rounds = [event for event in table.happened if isinstance(event, RoundFinished)]
    assert [event.record.shoe.number for event in rounds] == [1, 1, 1]
    assert not [event for event in table.happened if isinstance(event, ShoeFinished)]
    assert table.game.published is None
    table.do(actions.Resign("bob"))
    shoes = [event.shoe for event in table.happened if isinstance(event, ShoeFinished)]
    assert [(shoe.seed, shoe.spare) for shoe in shoes] == [(first.seed, first.spare)]
    assert table.game.published == shoes[0]


def test_a_round_that_everyone_sits_out_uses_no_card_of_a_cut_card_shoe() -> None:
    table = Table(2, rules=PRESETS["casino8"])
    first = table.game.shoe
    for _ in range(5):
        table.everyone_sits_out()
    assert (table.game.round_number, table.game.shoe) == (6, first)
