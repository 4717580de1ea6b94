from __future__ import annotations

import pytest

from engine.errors import EngineError
from tables.errors import Refused
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends


def test_a_bet_is_laid_and_the_others_see_it(playing: Friends) -> None:
    playing.bet(ALICE, 50)
    seat = playing.view.seats[0]
    assert (seat.bet, seat.chips, seat.answered) == (50, 950, True)


def test_the_cards_come_when_everybody_has_bet(playing: Friends) -> None:
    playing.deal("low low mid low low")
    assert playing.view.phase == "turns"
    assert [len(seat.hands) for seat in playing.view.seats] == [1, 1, 0, 0]


def test_a_bet_can_be_taken_back_until_the_deal(playing: Friends) -> None:
    playing.bet(ALICE, 50)
    playing.answer(ALICE, "take_back")
    assert (playing.view.seats[0].bet, playing.view.seats[0].chips) == (0, 1000)


def test_each_accepted_bet_closes_its_question(playing: Friends) -> None:
    asked = playing.ask(ALICE).ask
    playing.send(ALICE, action="bet", ask=asked, amount="50")
    with pytest.raises(EngineError, match="stale_question"):
        playing.send(ALICE, action="bet", ask=asked, amount="50")
    assert playing.view.seats[0].bet == 50


def test_one_persons_bet_leaves_the_others_question_open(playing: Friends) -> None:
    asked = playing.ask(BOB).ask
    playing.bet(ALICE)
    assert playing.ask(BOB).ask == asked


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("abc", "amount_malformed"),
        ("-5", "amount_malformed"),
        ("1e309", "amount_malformed"),
        ("10.5", "amount_malformed"),
        ("５０", "amount_malformed"),
        ("", "amount_missing"),
        (" 50", "amount_malformed"),
        ("50\n", "amount_malformed"),
        ("+50", "amount_malformed"),
        ("9" * 30, "amount_malformed"),
        (True, "amount_malformed"),
        (None, "amount_malformed"),
        ([], "amount_malformed"),
        ({}, "amount_malformed"),
        (10.5, "amount_malformed"),
        (50.0, "amount_malformed"),
        (float("inf"), "amount_malformed"),
        (float("nan"), "amount_malformed"),
        (-5, "amount_malformed"),
    ],
)
def test_what_is_no_amount_is_refused(playing: Friends, amount: object, code: str) -> None:
    before = playing.row
    with pytest.raises(Refused) as refused:
        playing.answer(ALICE, "bet", amount=amount)
    assert refused.value.code == code
    assert unchanged(playing, before.version, before.state)


@pytest.mark.parametrize("amount", [0, 5, 15, 510, 1010, 99999, "0", "15", "510"])
def test_an_amount_that_the_rules_do_not_allow_is_refused(playing: Friends, amount: object) -> None:
    before = playing.row
    with pytest.raises(EngineError):
        playing.answer(ALICE, "bet", amount=amount)
    assert unchanged(playing, before.version, before.state)


def test_a_bet_over_the_stack_is_refused(playing: Friends) -> None:
    for stake in (500, 100):
        playing.deal("low low mid low low", stake, 10)
        while playing.view.phase == "turns":
            asked = next(guest for guest in (ALICE, BOB) if playing.own(guest).asks)
            playing.answer(asked, "hit" if asked == ALICE else "stand")
    left = playing.view.seats[0].chips
    assert left < 500
    with pytest.raises(EngineError) as refused:
        playing.bet(ALICE, left + 10)
    assert refused.value.code == "not_enough_chips"


def test_without_an_amount_there_is_no_bet(playing: Friends) -> None:
    with pytest.raises(Refused, match="amount_missing"):
        playing.send(ALICE, action="bet", ask=playing.ask(ALICE).ask)


@pytest.mark.parametrize(
    "forged", ["cards", "payout", "player", "seat", "box", "chips", "result", "__class__"]
)
def test_a_field_that_does_not_belong_is_refused(playing: Friends, forged: str) -> None:
    with pytest.raises(Refused, match="unknown_field"):
        playing.answer(ALICE, "bet", amount="50", **{forged: "1"})


def test_htmx_adds_its_headers(playing: Friends) -> None:
    playing.answer(ALICE, "bet", amount="50", HEADERS={"HX-Request": "true"})
    assert playing.view.seats[0].bet == 50


def test_nobody_answers_for_another(playing: Friends) -> None:
    asked = playing.ask(ALICE).ask
    for other in (BOB, CAROL):
        if playing.own(other).asks and playing.ask(other).ask == asked:
            continue
        with pytest.raises((Refused, EngineError)):
            playing.send(other, action="bet", ask=asked, amount="50")
    assert playing.view.seats[0].bet == 0


def test_a_stranger_has_nothing_to_say(playing: Friends) -> None:
    for stranger in (MALLORY, None):
        with pytest.raises(Refused, match="name_needed"):
            playing.send(stranger, action="bet", ask="1.1", amount="50")


def unchanged(playing: Friends, version: int, state: str) -> bool:
    row = playing.row
    return (row.version, row.state) == (version, state)
