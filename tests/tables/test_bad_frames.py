"""A frame that says what its sender may not do is refused with a code: nothing changes, no clock moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from channels.db import database_sync_to_async

from engine.errors import EngineError
from engine.game import Kind, ask_id
from tables import codec, messages, services
from tables.errors import Refused
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends
from tests.tables.sockets import Page, toast

# A game that is not this one is "0"; "1" is.
MATCH_COMMANDS: list[dict[str, Any]] = [
    {"action": "ready", "game": "1", "ready": "1"},
    {"action": "start", "game": "1"},
    {"action": "remove", "game": "1", "seat": "2"},
    {"action": "configure", "game": "1", "rounds": "20"},
    {"action": "configure", "game": "1", "rounds": "20", "clock": "off"},
    {"action": "back_to_lobby", "game": "1"},
    {"action": "resign", "game": "1"},
    {"action": "offer_draw", "game": "1"},
    {"action": "accept_draw", "offer": "1.1"},
    {"action": "refuse_draw", "offer": "1.1"},
]
OPEN_TABLE: list[tuple[str, dict[str, Any], str]] = [
    *[(who, frame, "not_a_match") for frame in MATCH_COMMANDS for who in (ALICE, BOB)],
    (BOB, {"action": "stop_waiting", "game": "1", "seat": "1"}, "not_away_long"),
    (ALICE, {"action": "new_game", "game": "1"}, "not_alone"),
    (BOB, {"action": "new_game", "game": "1"}, "not_alone"),
    (CAROL, {"action": "sit", "game": "0", "seat": "3"}, "stale_game"),
    (CAROL, {"action": "sit", "game": "2", "seat": "3"}, "stale_game"),
    (CAROL, {"action": "sit", "game": "-1", "seat": "3"}, "malformed"),
    (CAROL, {"action": "sit", "game": True, "seat": "3"}, "malformed"),
    (CAROL, {"action": "sit", "seat": "3"}, "malformed"),
    (CAROL, {"action": "sit", "game": "1"}, "malformed"),
    (CAROL, {"action": "sit", "game": "1", "seat": ""}, "malformed"),
    (CAROL, {"action": "sit", "game": "1", "seat": "１"}, "malformed"),
    (CAROL, {"action": "sit", "game": "1", "seat": [3]}, "malformed"),
    (CAROL, {"action": "sit", "game": "1", "seat": "0"}, "no_such_seat"),
    (CAROL, {"action": "sit", "game": "1", "seat": "8"}, "no_such_seat"),
    (CAROL, {"action": "sit", "game": "1", "seat": "999999999"}, "no_such_seat"),
    (CAROL, {"action": "sit", "game": "1", "seat": "2"}, "seat_taken"),
    (BOB, {"action": "sit", "game": "1", "seat": "3"}, "already_seated"),
    (CAROL, {"action": "sit", "game": "1", "seat": "3", "chips": "5000"}, "unknown_field"),
    (CAROL, {"action": "sit", "game": "1", "seat": "3", "name": "Bob"}, "unknown_field"),
    (CAROL, {"action": "sit", "game": "1", "seat": "3", "player": "x"}, "unknown_field"),
    (CAROL, {"action": "leave", "game": "1"}, "not_seated"),
    (CAROL, {"action": "leave", "game": "1", "seat": "1"}, "not_seated"),
    (BOB, {"action": "leave", "game": "1", "seat": "1"}, "not_seated"),
    (BOB, {"action": "leave", "game": "1", "seat": "9"}, "not_seated"),
    (BOB, {"action": "leave", "game": "1", "seat": ""}, "malformed"),
    (BOB, {"action": "leave", "game": "0"}, "stale_game"),
    (BOB, {"action": "leave"}, "malformed"),
    (BOB, {"action": "deal", "game": "1"}, "nothing_bet"),
    (BOB, {"action": "deal", "game": "0"}, "stale_game"),
    (BOB, {"action": "deal"}, "malformed"),
    (BOB, {"action": "deal", "game": "1", "seat": "1"}, "unknown_field"),
    (CAROL, {"action": "deal", "game": "1"}, "not_seated"),
    (MALLORY, {"action": "sit", "game": "1", "seat": "3"}, "name_needed"),
    (BOB, {"action": "void", "game": "1"}, "unknown_action"),
    (BOB, {"action": "close_game", "game": "1"}, "unknown_action"),
    (BOB, {"action": "end_with_shoe", "game": "1"}, "unknown_action"),
    (BOB, {"action": "abandon", "game": "1"}, "unknown_action"),
    (BOB, {"action": "expire", "game": "1"}, "unknown_action"),
    (BOB, {"action": "come_back", "game": "1"}, "unknown_action"),
    (BOB, {"action": "pass_host", "game": "1"}, "unknown_action"),
]
SOLO_TABLE: list[tuple[str, dict[str, Any], str]] = [
    *[(ALICE, frame, "not_a_match") for frame in MATCH_COMMANDS],
    (ALICE, {"action": "stop_waiting", "game": "1", "seat": "1"}, "not_away_long"),
    (ALICE, {"action": "sit", "game": "1", "seat": "2"}, "round_running"),
    (ALICE, {"action": "leave", "game": "1"}, "alone_here"),
    (ALICE, {"action": "leave", "game": "1", "seat": "1"}, "alone_here"),
    (ALICE, {"action": "leave", "game": "1", "seat": "2"}, "not_seated"),
    (ALICE, {"action": "deal", "game": "1"}, "stale_question"),
    (ALICE, {"action": "new_game"}, "malformed"),
    (ALICE, {"action": "new_game", "game": "0"}, "stale_game"),
    (ALICE, {"action": "new_game", "game": "1e0"}, "malformed"),
    (ALICE, {"action": "new_game", "game": "1", "rules": "single-vip"}, "unknown_field"),
    (CAROL, {"action": "new_game", "game": "1"}, "not_host"),
    (CAROL, {"action": "sit", "game": "1", "seat": "1"}, "alone_here"),
    (CAROL, {"action": "leave", "game": "1"}, "not_seated"),
    (CAROL, {"action": "deal", "game": "1"}, "not_seated"),
    (MALLORY, {"action": "new_game", "game": "1"}, "name_needed"),
]


def refused(table: Friends, guest: str, frame: dict[str, Any]) -> str:
    before = table.row
    with pytest.raises((Refused, EngineError)) as refusal:
        table.send(guest, **frame)
    after = table.row
    assert (after.version, after.state, after.deadline, after.touched) == (
        before.version,
        before.state,
        before.deadline,
        before.touched,
    )
    assert isinstance(refusal.value, Refused | EngineError)
    return refusal.value.code


@pytest.fixture
def live(table_of: Play) -> Friends:
    """Alice has bet, the countdown runs, Bob is asked, Carol watches."""
    table = table_of(Kind.OPEN, "casino8", BOB, cards="low low mid low low")
    services.join(table.code, CAROL, "Carol", sit=False)
    table.bet(ALICE, 50)
    table.clock.advance(3)
    return table


@pytest.mark.parametrize(("guest", "frame", "code"), OPEN_TABLE)
def test_at_an_open_table(live: Friends, guest: str, frame: dict[str, Any], code: str) -> None:
    assert refused(live, guest, frame) == code


@pytest.mark.parametrize(("guest", "frame", "code"), SOLO_TABLE)
def test_at_a_solo_table(table_of: Play, guest: str, frame: dict[str, Any], code: str) -> None:
    alone = table_of(Kind.SOLO, "classic6", cards="low mid low", decision_seconds=20)
    services.join(alone.code, CAROL, "Carol", sit=False)
    alone.clock.advance(3)
    assert refused(alone, guest, frame) == code


@pytest.mark.parametrize("action", ["new_game", "deal"])
def test_in_a_match(playing: Friends, action: str) -> None:
    code = {"new_game": "not_alone", "deal": "nothing_bet"}[action]
    assert refused(playing, ALICE, {"action": action, "game": "1"}) == code


def test_at_a_match_nobody_deals_for_the_others(playing: Friends) -> None:
    playing.bet(ALICE)
    assert refused(playing, ALICE, {"action": "deal", "game": "1"}) == "stale_question"
    assert playing.view.phase == "betting"


@pytest.mark.parametrize("action", ["bet", "take_back", "sit_out"])
def test_a_forged_question_of_another_person(live: Friends, action: str) -> None:
    mine, theirs = live.ask(BOB).ask, live.ask(ALICE).ask
    frame = {"action": action, "ask": theirs} | ({"amount": "500"} if action == "bet" else {})
    for guest in (BOB, CAROL):
        code = refused(live, guest, frame)
        assert code == ("stale_question" if guest == BOB else "not_seated")
    assert live.ask(BOB).ask == mine
    assert live.view.seats[0].bet == 50


@pytest.mark.parametrize("action", ["hit", "stand", "double", "split", "surrender", "decline", "insure"])
def test_a_forged_move_of_another_person(live: Friends, action: str) -> None:
    live.bet(BOB)
    live.clock.advance(3)
    asked = live.ask(ALICE).ask
    for guest in (BOB, CAROL):
        assert refused(live, guest, {"action": action, "ask": asked}) == "stale_question"
    assert live.view.waiting_for == (1,)


@pytest.mark.parametrize("ask", ["1.1", "1.999999", "2.1", "0.0", "999999.999999"])
def test_a_question_that_was_never_put(live: Friends, ask: str) -> None:
    for action in ("take_back", "sit_out", "hit"):
        assert refused(live, BOB, {"action": action, "ask": ask}) == "stale_question"


def test_a_table_that_has_asked_for_years_is_answered(live: Friends) -> None:
    game = replace(codec.game_of(live.row), asked=10**12, round_number=10**9)
    assert messages.request({"action": "hit", "ask": ask_id(game, game.asked)}).ask == f"{10**9}.{10**12}"


@pytest.mark.parametrize(
    "ask", ["", "1", "1.", ".1", "1.1.1", " 1.1", "1.1\n", "１.1", "-1.1", 1.1, None, True, []]
)
def test_a_question_that_is_none(live: Friends, ask: object) -> None:
    assert refused(live, BOB, {"action": "sit_out", "ask": ask}) == "ask_malformed"


def test_a_box_that_is_named_is_refused_the_question_says_which(live: Friends) -> None:
    for field in ("box", "seat", "stack", "player", "backer"):
        frame = {"action": "bet", "ask": live.ask(BOB).ask, "amount": "50", field: "1"}
        assert refused(live, BOB, frame) == "unknown_field"


def test_a_question_of_one_box_bets_on_that_box(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "classic6")
    table.sit(ALICE, 2)
    first, second = (ask.ask for ask in table.own(ALICE).asks)
    table.send(ALICE, action="bet", ask=second, amount="50")
    assert [seat.bet for seat in table.view.seats[:2]] == [0, 50]
    assert refused(table, ALICE, {"action": "take_back", "ask": first}) == "nothing_to_take_back"
    assert refused(table, ALICE, {"action": "take_back", "ask": second}) == "stale_question"


@pytest.mark.parametrize(("pair", "code"), [("110", "pair_too_large"), ("15", "bet_off_step")])
def test_a_pair_bet_over_its_limits_is_refused_with_its_bet(live: Friends, pair: str, code: str) -> None:
    frame = {"action": "bet", "ask": live.ask(BOB).ask, "amount": "50", "pair": pair}
    assert refused(live, BOB, frame) == code


def test_a_table_without_pair_bets_takes_none(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, pair_bets=False)
    frame = {"action": "bet", "ask": table.ask(BOB).ask, "amount": "50", "pair": "10"}
    assert refused(table, BOB, frame) == "no_pair_bets"


# Through the socket itself, where a frame may be any text

RAW = [
    '{"action": "back", "ask": "ASK", "seat": "3", "amount": "50"}',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": "505"}',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": "50", "pair": "110"}',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": -50}',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": 50.5}',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": 1e400}',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": NaN}',
    '{"action": "back", "ask": "ASK", "seat": {"1": 1}, "amount": "50"}',
    '{"action": "back", "ask": "1.999", "seat": "1", "amount": "50"}',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": "50", "backer": "2"}',
    '{"action": "done", "ask": "1.1"}',
    '{"action": "follow", "ask": "ASK"}',
    '[{"action": "back", "ask": "ASK", "seat": "1", "amount": "50"}]',
    '{"action": "back", "ask": "ASK", "seat": "1", "amount": "50"',
]


@pytest.mark.django_db(transaction=True)
async def test_a_forged_frame_of_a_backer_is_told_to_the_sender_alone(playing: Friends) -> None:
    later = database_sync_to_async
    async with Page(playing.code, CAROL) as carol, Page(playing.code, BOB) as bob:
        backing = (await later(playing.own)(CAROL)).backing
        assert backing is not None
        state = (await later(lambda: (playing.row.version, playing.row.state))(), len(bob.frames))
        for text in RAW:
            assert toast(await carol.say_text(text.replace("ASK", backing.ask))), text
        await bob.settle()
        assert (await later(lambda: (playing.row.version, playing.row.state))(), len(bob.frames)) == state
        await carol.say(action="back", ask=backing.ask, seat="1", amount="50")
        await bob.settle()
        assert len(bob.frames) > state[1]


@pytest.mark.django_db(transaction=True)
async def test_who_has_no_name_here_bets_on_nothing_through_the_socket(playing: Friends) -> None:
    later = database_sync_to_async
    backing = (await later(playing.own)(CAROL)).backing
    assert backing is not None
    for guest in (MALLORY, None):
        async with Page(playing.code, guest) as page:
            assert toast(await page.say(action="back", ask=backing.ask, seat="1", amount="50"))
    assert await later(lambda: playing.view.seats[0].behind)() == ()
