from __future__ import annotations

import pytest

from engine.errors import EngineError
from tables import services
from tables.errors import Refused
from tables.models import Round
from tests.tables.friends import ALICE, BOB, Friends

QUIET = "low low mid low low"


def test_before_the_deadline_nothing_happens(playing: Friends) -> None:
    playing.clock.advance(19.999)
    assert not services.expire(playing.code)
    assert playing.view.phase == "betting"


def test_at_the_deadline_the_cards_come(playing: Friends) -> None:
    playing.bet(ALICE)
    playing.clock.advance(20)
    assert services.expire(playing.code)
    assert playing.view.seats[1].status == "sitting_out"
    assert playing.view.shown_round == 1


def test_only_one_of_two_timers_wins(playing: Friends) -> None:
    playing.clock.advance(20)
    assert [services.expire(playing.code) for _ in range(2)] == [True, False]


def test_a_hand_out_of_time_stands(playing: Friends) -> None:
    playing.deal(QUIET)
    playing.clock.advance(20)
    services.expire(playing.code)
    assert playing.view.waiting_for == (2,)
    assert playing.row.deadline is not None
    assert (playing.row.deadline - playing.clock.now).total_seconds() == 20


def test_a_click_at_the_deadline_has_lost(playing: Friends) -> None:
    """The clock wins, once, and what it did stays done although the click is refused."""
    playing.deal(QUIET)
    asked = playing.ask(ALICE).ask
    playing.clock.advance(20)
    with pytest.raises(Refused, match="stale_question"):
        playing.send(ALICE, action="hit", ask=asked)
    assert len(playing.view.seats[0].hands[0].cards) == 2
    assert playing.view.waiting_for == (2,)
    assert not services.expire(playing.code)


def test_a_click_a_moment_before_the_deadline_has_won(playing: Friends) -> None:
    playing.deal(QUIET)
    playing.clock.advance(19.999)
    playing.answer(ALICE, "hit")
    playing.clock.advance(0.001)
    assert not services.expire(playing.code)
    assert len(playing.view.seats[0].hands[0].cards) == 3


def test_a_bet_at_the_deadline_is_too_late(playing: Friends) -> None:
    asked = playing.ask(ALICE).ask
    playing.bet(BOB)
    playing.clock.advance(20)
    with pytest.raises(EngineError, match="stale_question"):
        playing.send(ALICE, action="bet", amount="50", ask=asked)
    assert playing.view.seats[0].status == "sitting_out"


def test_a_round_that_all_sit_out_counts(playing: Friends) -> None:
    playing.clock.advance(20)
    services.expire(playing.code)
    assert playing.view.round_number == 2
    assert Round.objects.get().record["sat_out"] == [1, 2]


def test_the_next_bets_wait_until_the_round_was_shown(playing: Friends) -> None:
    playing.deal(QUIET)
    playing.answer(ALICE, "stand")
    playing.answer(BOB, "stand")
    assert playing.view.phase == "betting"
    assert playing.view.dealer is not None
    drawn = len(playing.view.dealer.cards) - 1  # the hole card shown, and what was drawn
    assert playing.row.deadline is not None
    seconds = (playing.row.deadline - playing.clock.now).total_seconds()
    assert seconds == pytest.approx(20 + drawn * 0.35 + 1)


def test_what_is_overdue_is_found_without_anybody_looking(playing: Friends) -> None:
    assert services.overdue() == []
    playing.clock.advance(20)
    assert services.overdue() == [playing.code]
    services.expire(playing.code)
    assert services.overdue() == []
