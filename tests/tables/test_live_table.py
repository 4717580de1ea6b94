"""An open table: sitting down and leaving between rounds, the countdown, who is idle, and how a game ends."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta

import pytest

from engine.errors import EngineError
from engine.game import Kind
from tables import presence, services
from tables.errors import Refused
from tables.models import Game, GamePlayer, Round
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, NAMES, Friends

QUIET = "low low mid low low"
FIFTEEN = timedelta(seconds=15)


@pytest.fixture
def live(table_of: Play) -> Friends:
    """Alice and Bob sit at a live table, and its bets are open."""
    return table_of(Kind.OPEN, "casino8", BOB, cards=QUIET)


def log(table: Friends) -> list[tuple[str, str]]:
    return [(line.kind, line.name) for line in table.view.log]


# Seats


def test_a_seat_is_taken_and_left_between_rounds(live: Friends) -> None:
    services.join(live.code, CAROL, "Carol", sit=False)
    live.sit(CAROL, 7)
    assert live.seated() == {1: "Alice", 2: "Bob", 7: "Carol"}
    live.command(CAROL, "leave")
    live.command(BOB, "leave", seat="2")
    assert live.seated() == {1: "Alice"}
    assert live.row.seated == 1


def test_while_cards_lie_nobody_sits_down(live: Friends) -> None:
    services.join(live.code, CAROL, "Carol", sit=False)
    live.bet(ALICE)
    live.bet(BOB)
    with pytest.raises(EngineError, match="round_running"):
        live.sit(CAROL, 3)
    live.stand()
    live.sit(CAROL, 3)
    assert live.seated()[3] == "Carol"


def test_who_joins_while_cards_lie_watches_and_may_sit_afterwards(live: Friends) -> None:
    live.bet(ALICE)
    live.bet(BOB)
    services.join(live.code, CAROL, "Carol", sit=True)
    assert live.own(CAROL).seat is None
    live.stand()
    services.join(live.code, CAROL, "Carol", sit=True)
    assert live.own(CAROL).seat == 3


def test_a_full_table_lets_others_watch(live: Friends) -> None:
    for number in range(5):
        services.join(live.code, f"guest-{number}", f"Friend {number}", sit=True)
    services.join(live.code, CAROL, "Carol", sit=True)
    assert live.own(CAROL).seat is None
    with pytest.raises(EngineError, match="table_full"):
        live.sit(CAROL, 7)
    live.command(BOB, "leave")
    services.join(live.code, CAROL, "Carol", sit=True)
    assert live.own(CAROL).seat == 2


@pytest.mark.parametrize("seat", ["0", "8", "99"])
def test_a_seat_that_is_none_is_refused(live: Friends, seat: str) -> None:
    services.join(live.code, CAROL, "Carol", sit=False)
    with pytest.raises(EngineError, match="no_such_seat"):
        live.command(CAROL, "sit", seat=seat)


def test_one_box_each(live: Friends) -> None:
    with pytest.raises(EngineError, match="already_seated"):
        live.sit(ALICE, 3)
    services.join(live.code, CAROL, "Carol", sit=False)
    with pytest.raises(EngineError, match="seat_taken"):
        live.sit(CAROL, 1)


def test_leaving_in_mid_round_plays_the_hand_and_frees_the_seat_afterwards(live: Friends) -> None:
    live.bet(ALICE)
    live.bet(BOB)
    live.command(ALICE, "leave")
    assert live.view.seats[0].gone
    assert live.view.seats[0].hands[0].total > 11  # hit by the rule of the clock
    assert live.view.waiting_for == (2,)
    live.stand()
    assert live.seated() == {2: "Bob"}
    assert live.view.seats[1].host


def test_who_comes_back_finds_the_same_purse(live: Friends) -> None:
    live.round(ALICE, BOB, amount=500)
    held = live.own(BOB).chips
    assert held != 1000
    live.command(BOB, "leave")
    assert live.own(BOB).chips == held
    live.round(ALICE)
    live.sit(BOB, 5)
    assert live.own(BOB).chips == held
    live.round(ALICE, BOB)
    stacks = dict(GamePlayer.objects.values_list("nickname", "stack"))
    assert stacks == {"Alice": "p1", "Bob": "p2"}
    assert Round.objects.get(number=3).record["stacks"] == {"1": "p1", "5": "p2"}


def test_who_has_played_keeps_the_name_until_the_game_is_over(live: Friends) -> None:
    services.join(live.code, CAROL, "Carol", sit=True)
    live.round(ALICE, BOB)
    live.command(CAROL, "leave")
    services.join(live.code, CAROL, "Caroline", sit=False)  # she has not played yet
    live.command(BOB, "leave")
    services.join(live.code, BOB, "Robert", sit=True)
    assert sorted(live.seated().values()) == ["Alice", "Bob"]
    assert [live.person(guest).nickname for guest in (BOB, CAROL)] == ["Bob", "Caroline"]
    for guest in (ALICE, BOB):
        live.command(guest, "leave")
    live.clock.advance(600)
    services.tidy()
    services.join(live.code, BOB, "Robert", sit=True)
    assert live.seated() == {1: "Robert"}


def test_a_seat_link_works_at_an_open_table_too(live: Friends) -> None:
    live.bet(BOB)
    services.move_seat(live.person(BOB).seat_secret, MALLORY)
    assert (live.own(MALLORY).seat, live.own(MALLORY).bet) == (2, 100)
    live.answer(MALLORY, "take_back")
    assert live.view.seats[1].bet == 0


# The countdown


def test_an_idle_table_has_no_clock(live: Friends) -> None:
    assert live.row.deadline is None
    live.clock.advance(1000)
    assert not services.expire(live.code)
    assert services.overdue() == []


def test_the_first_bet_starts_the_countdown_and_the_next_ones_leave_it(live: Friends) -> None:
    services.join(live.code, CAROL, "Carol", sit=True)
    live.bet(ALICE)
    deadline = live.row.deadline
    assert deadline == live.clock.now + FIFTEEN
    live.clock.advance(5)
    live.bet(BOB)
    assert live.row.deadline == deadline


def test_taking_the_last_bet_back_stops_it(live: Friends) -> None:
    services.join(live.code, CAROL, "Carol", sit=True)
    live.bet(ALICE)
    live.bet(BOB)
    live.answer(ALICE, "take_back")
    deadlines = [live.row.deadline]
    live.answer(BOB, "take_back")
    deadlines.append(live.row.deadline)
    assert deadlines == [live.clock.now + FIFTEEN, None]
    live.clock.advance(5)
    live.bet(ALICE)
    assert live.row.deadline == live.clock.now + FIFTEEN


def test_sitting_down_and_sitting_out_move_no_clock(live: Friends) -> None:
    live.answer(BOB, "sit_out")
    assert live.row.deadline is None
    live.answer(BOB, "take_back")
    live.bet(ALICE)
    deadline = live.row.deadline
    live.clock.advance(3)
    services.join(live.code, CAROL, "Carol", sit=True)
    assert live.row.deadline == deadline


def test_when_it_ends_the_cards_come_without_those_who_have_not_bet(live: Friends) -> None:
    live.bet(ALICE)
    live.run_out()
    assert live.view.phase == "turns"
    assert live.view.seats[1].status == "sitting_out"
    assert live.row.deadline == live.clock.now + FIFTEEN


def test_when_everybody_has_bet_nobody_waits(live: Friends) -> None:
    live.bet(ALICE)
    live.bet(BOB)
    assert live.view.phase == "turns"


def test_after_a_round_the_table_is_idle_again(live: Friends) -> None:
    live.round(ALICE, BOB)
    assert (live.view.phase, live.row.deadline) == ("betting", None)
    live.bet(BOB)
    assert live.row.deadline == live.clock.now + FIFTEEN


@pytest.mark.parametrize(("early", "taken"), [(0.001, True), (0, False), (-0.001, False)])
def test_a_bet_a_moment_before_the_end_counts_and_one_at_the_end_does_not(
    live: Friends, early: float, taken: bool
) -> None:
    live.bet(ALICE)
    asked = live.ask(BOB).ask
    live.clock.advance(15 - early)
    with nullcontext() if taken else pytest.raises(EngineError, match="stale_question"):
        live.send(BOB, action="bet", ask=asked, amount="50")
    assert live.view.phase == "turns"
    assert (live.view.seats[1].status == "in") == taken


# The clock plays


def test_a_silent_hand_is_hit_until_it_is_over_eleven(live: Friends) -> None:
    live.bet(ALICE)
    live.bet(BOB)
    before = live.view.seats[0].hands[0].total
    live.run_out()
    hand = live.view.seats[0].hands[0]
    assert (before <= 11) == (len(hand.cards) > 2)
    assert 12 <= hand.total <= 21
    assert ("time", "Alice") in log(live)


def test_a_hand_of_twelve_gets_no_card_of_the_clock(table_of: Play) -> None:
    live = table_of(Kind.OPEN, "casino8", BOB, cards="mid low mid mid low")
    live.bet(ALICE)
    live.bet(BOB)
    live.run_out()
    assert len(live.view.seats[0].hands[0].cards) == 2
    assert live.view.waiting_for == (2,)


def test_the_clock_spends_no_chip(table_of: Play) -> None:
    live = table_of(Kind.OPEN, "casino8", BOB, cards="low low A low low low")
    live.bet(ALICE)
    live.bet(BOB)
    assert live.view.phase == "insurance"
    chips = live.chips()
    live.run_out()
    assert (live.view.phase, live.chips()) == ("turns", chips)


# Idle people


def test_after_one_round_without_a_bet_the_seat_is_free(live: Friends) -> None:
    live.round(ALICE)
    assert live.seated() == {1: "Alice", 2: "Bob"}  # who has just sat down has a round to look on
    live.round(ALICE)
    assert live.seated() == {1: "Alice"}
    assert ("idle", "Bob") in log(live)
    assert live.own(BOB).seat is None


def test_sitting_a_round_out_is_the_idle_round(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.answer(BOB, "sit_out")
    live.round(ALICE)
    assert live.seated() == {1: "Alice"}


def test_a_round_that_the_clock_plays_keeps_the_seat(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.bet(ALICE)
    live.bet(BOB)
    while live.view.phase != "betting":
        live.run_out()
    assert live.seated() == {1: "Alice", 2: "Bob"}


def test_who_loses_the_line_has_the_hand_finished_and_one_idle_round(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.bet(ALICE)
    live.bet(BOB)
    presence.depart(live.code, BOB)
    bet = live.view.seats[1].hands[0].bet
    while live.view.phase != "betting":
        live.run_out()
    assert live.view.seats[1].hands[0].bet == bet
    assert live.view.seats[1].hands[0].result is not None
    live.round(ALICE)
    assert live.seated() == {1: "Alice"}
    presence.arrive(live.code, BOB)
    live.sit(BOB, 2)
    assert live.seated() == {1: "Alice", 2: "Bob"}


def test_a_cut_line_moves_no_clock_and_costs_nothing(live: Friends) -> None:
    live.bet(ALICE)
    live.bet(BOB)
    before = live.row
    live.clock.advance(4)
    presence.depart(live.code, ALICE)
    services.tidy()
    presence.arrive(live.code, ALICE)
    assert (live.row.deadline, live.row.state) == (before.deadline, before.state)


def test_two_minutes_away_from_an_idle_table_frees_the_seat(live: Friends) -> None:
    presence.depart(live.code, BOB)
    live.clock.advance(119)
    services.tidy()
    assert live.seated() == {1: "Alice", 2: "Bob"}
    live.clock.advance(1)
    services.tidy()
    assert live.seated() == {1: "Alice"}


def test_at_an_open_table_nobody_is_asked_to_stop_waiting(live: Friends) -> None:
    live.bet(ALICE)
    live.bet(BOB)
    presence.depart(live.code, BOB)
    live.clock.advance(120)
    seen = live.seen()
    assert seen.away() == {2}
    assert (seen.long_away(), seen.next_long_away()) == ((), None)


def test_nobody_is_taken_from_the_table_while_others_play(live: Friends) -> None:
    presence.depart(live.code, BOB)
    live.clock.advance(110)
    live.bet(ALICE)
    live.clock.advance(14)
    services.tidy()
    assert live.seated() == {1: "Alice", 2: "Bob"}
    live.clock.advance(1)
    services.expire(live.code)
    services.tidy()
    assert (live.view.phase, live.seated()) == ("turns", {1: "Alice", 2: "Bob"})


def test_ten_minutes_without_a_click_free_every_seat(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.clock.advance(599)
    services.tidy()
    assert len(live.seated()) == 2
    live.clock.advance(1)
    services.tidy()
    assert live.seated() == {}
    assert live.row.empty_since == live.clock.now
    assert live.view.phase == "betting"


# How a game begins and ends


def test_a_game_begins_with_its_first_bet(live: Friends) -> None:
    assert not Game.objects.exists()
    live.clock.advance(100)
    live.bet(ALICE)
    game = Game.objects.get()
    assert (game.kind, game.number, game.started, game.finished) == ("open", 1, live.clock.now, None)
    assert (game.listed, game.rounds) == (True, 0)
    assert live.row.running


def test_ten_minutes_after_the_last_one_left_the_game_ends(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.command(ALICE, "leave")
    live.clock.advance(300)
    live.command(BOB, "leave")
    empty = live.clock.now
    live.clock.advance(599)
    services.tidy()
    assert Game.objects.get().finished is None
    live.clock.advance(1)
    services.tidy()
    game = Game.objects.get()
    assert (game.reason, game.finished, live.row.empty_since) == ("empty", live.clock.now, empty)
    assert (live.view.game, live.view.begun, live.row.running) == (2, False, False)
    before = live.row.version
    live.clock.advance(600)
    services.tidy()
    assert live.row.version == before


def test_somebody_who_sits_down_in_time_keeps_the_game(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.command(ALICE, "leave")
    live.command(BOB, "leave")
    live.clock.advance(599)
    services.join(live.code, CAROL, "Carol", sit=True)
    assert live.row.empty_since is None
    assert live.view.seats[0].host
    live.clock.advance(1)
    services.tidy()
    assert Game.objects.get().finished is None
    assert live.view.begun


def test_a_bet_that_was_taken_back_leaves_no_game(live: Friends) -> None:
    live.bet(ALICE)
    live.answer(ALICE, "take_back")
    live.command(ALICE, "leave")
    live.command(BOB, "leave")
    assert Game.objects.exists()
    live.clock.advance(600)
    services.tidy()
    assert not Game.objects.exists()
    assert live.view.game == 2


def test_after_a_day_the_game_ends_with_its_shoe(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, decks=2, boxes=2, cut_card=0.4)
    table.round(ALICE, BOB)
    first = Game.objects.get()
    table.clock.now = first.started + timedelta(hours=24) - timedelta(seconds=1)
    table.bet(ALICE)
    services.tidy()
    assert not table.seen().game.ending
    table.clock.advance(1)
    services.tidy()
    assert table.seen().game.ending
    shoe = table.view.shoe
    assert shoe is not None
    for _ in range(30):
        if table.view.game == 2:
            break
        assert table.view.shoe is not None
        assert table.view.shoe.number == shoe.number
        table.round(ALICE, BOB)
        services.tidy()
    first.refresh_from_db()
    assert (first.reason, first.finished) == ("day_over", table.clock.now)
    assert table.view.begun is False
    assert [seat.chips for seat in table.view.seats] == [1000, 1000]
    assert table.view.published is not None
    assert table.view.published.number == shoe.number
    table.bet(ALICE)
    assert Game.objects.filter(number=2, finished=None).exists()


def test_where_each_round_has_a_shoe_a_day_old_game_ends_with_the_round(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "openseat", BOB)
    table.round(ALICE, BOB)
    table.clock.advance(86400)
    table.bet(ALICE)
    services.tidy()
    assert table.view.game == 1
    table.bet(BOB)
    table.stand()
    assert Game.objects.get().reason == "day_over"


def test_who_played_is_kept_by_their_purse(live: Friends) -> None:
    live.round(ALICE, BOB, amount=500)
    services.join(live.code, CAROL, "Carol", sit=True)  # sits and never bets
    live.command(BOB, "leave")
    chips = {name: live.own(guest).chips for guest, name in NAMES.items() if guest in (ALICE, BOB)}
    highest = {name: live.own(guest).highest for guest, name in NAMES.items() if guest in (ALICE, BOB)}
    live.command(ALICE, "leave")
    live.command(CAROL, "leave")
    live.clock.advance(600)
    services.tidy()
    players = GamePlayer.objects.all()
    assert {one.nickname: one.chips for one in players} == chips
    assert {one.nickname: one.highest for one in players} == highest
    assert {one.nickname: one.guest_id for one in players} == {"Alice": ALICE, "Bob": BOB}
    assert {one.stack for one in players} == {"p1", "p2"}
    assert not any(one.won for one in players)
    assert sorted(one.place or 0 for one in players) in ([1, 2], [1, 1])


def test_after_the_end_everybody_begins_with_a_fresh_stack(live: Friends) -> None:
    live.round(ALICE, BOB, amount=500)
    live.command(ALICE, "leave")
    live.command(BOB, "leave")
    live.clock.advance(600)
    services.tidy()
    live.sit(BOB, 1)
    own = live.own(BOB)
    assert (own.chips, own.refills, own.highest) == (1000, 0, 1000)
    live.bet(BOB)
    assert Game.objects.count() == 2


def test_a_frame_about_the_last_game_is_refused(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.command(ALICE, "leave")
    live.command(BOB, "leave")
    live.clock.advance(600)
    services.tidy()
    with pytest.raises(Refused, match="stale_game"):
        live.send(ALICE, action="sit", game="1", seat="1")
    assert live.seated() == {}
