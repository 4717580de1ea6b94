from __future__ import annotations

import pytest

from engine.errors import EngineError
from tables.errors import Refused
from tests.tables.friends import ALICE, BOB, CAROL, Friends

QUIET = "low low mid low low"


def test_the_turn_goes_round(playing: Friends) -> None:
    playing.deal(QUIET)
    assert playing.view.waiting_for == (1,)
    playing.answer(ALICE, "stand")
    assert playing.view.waiting_for == (2,)


def test_nobody_plays_when_it_is_anothers_turn(playing: Friends) -> None:
    playing.deal(QUIET)
    asked = playing.ask(ALICE).ask
    before = playing.row
    for other in (BOB, CAROL):
        with pytest.raises(Refused, match="stale_question"):
            playing.send(other, action="hit", ask=asked)
    assert (playing.row.version, playing.row.deadline) == (before.version, before.deadline)


@pytest.mark.parametrize("action", ["hit", "stand", "double"])
def test_the_same_click_five_times_counts_once(playing: Friends, action: str) -> None:
    playing.deal(QUIET)
    frame = {"action": action, "ask": playing.ask(ALICE).ask}
    playing.send(ALICE, **frame)
    version, state = playing.row.version, playing.row.state
    for _ in range(4):
        with pytest.raises(Refused, match="stale_question"):
            playing.send(ALICE, **frame)
    assert (playing.row.version, playing.row.state) == (version, state)


def test_what_the_cards_do_not_allow_is_refused(playing: Friends) -> None:
    playing.deal(QUIET)
    before = playing.row
    playing.answer(ALICE, "hit")
    for action in ("double", "surrender", "insure", "even_money", "decline"):
        with pytest.raises(EngineError):
            playing.answer(ALICE, action)
    assert playing.row.version == before.version + 1


def test_an_illegal_move_does_not_move_the_clock(playing: Friends) -> None:
    playing.deal(QUIET)
    deadline = playing.row.deadline
    playing.clock.advance(7)
    for _ in range(3):
        with pytest.raises(EngineError):
            playing.answer(ALICE, "surrender")
    assert playing.row.deadline == deadline


def test_a_hit_starts_a_new_clock(playing: Friends) -> None:
    playing.deal(QUIET)
    playing.clock.advance(7)
    playing.answer(ALICE, "hit")
    assert playing.row.deadline is not None
    assert (playing.row.deadline - playing.clock.now).total_seconds() == 20


@pytest.mark.parametrize("ask", ["1", "1.2.3", "abc", "", "1.999", "-1.2", None, 1.2, True, "９.１", "1.2 "])
def test_a_question_that_is_not_open_is_refused(playing: Friends, ask: object) -> None:
    playing.deal(QUIET)
    before = playing.row.version
    with pytest.raises((Refused, EngineError)):
        playing.send(ALICE, action="hit", ask=ask)
    assert playing.row.version == before


def test_insurance_is_asked_of_all_at_once_and_answered_in_any_order(playing: Friends) -> None:
    playing.deal("low low A low low")
    assert playing.view.phase == "insurance"
    deadline = playing.row.deadline
    playing.clock.advance(5)
    playing.answer(BOB, "decline")
    assert playing.row.deadline == deadline  # Alice's clock does not begin anew
    playing.answer(ALICE, "insure")
    assert playing.view.seats[0].insurance is not None
    assert playing.view.seats[0].insurance.bet == 50
