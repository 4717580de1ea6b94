"""A round that never was: by the staff, or because the machine failed. Every bet of it goes back."""

from __future__ import annotations

import json
import logging
import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client

from engine.errors import EngineError
from engine.game import Kind
from tables import history, presence, services
from tables.errors import Refused
from tables.models import Game, Process, Round, Shoe, Table
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, Friends, round_pages

QUIET = "low low mid low low"


@pytest.fixture
def live(table_of: Play) -> Friends:
    """A live table in the middle of its second round: cards lie, and Alice is asked."""
    table = table_of(Kind.OPEN, "casino8", BOB, cards=QUIET)
    table.round(ALICE, BOB, amount=100)
    while table.view.phase == "betting":
        table.bet(ALICE, 500)
        table.bet(BOB, 200)
    return table


def purses(table: Friends) -> dict[str, int]:
    return {purse.name: purse.chips for purse in table.seen().game.purses}


def log(table: Friends) -> list[str]:
    return [line.kind for line in table.view.log]


# By the staff


def test_every_bet_of_it_goes_back(live: Friends) -> None:
    before = dict(purses(live))
    number = live.view.round_number
    assert services.void_round(live.code) == number
    assert purses(live) == before
    view = live.view
    assert (view.phase, view.round_number, view.shown_round, view.void) == (
        "betting",
        number + 1,
        number,
        True,
    )
    assert [(hand.result, hand.net) for seat in view.seats for hand in seat.hands] == [("returned", 0)] * 2
    assert log(live)[-1] == "void_staff"
    assert live.seated() == {1: "Alice", 2: "Bob"}
    assert live.row.deadline is None


def test_what_was_paid_in_it_already_is_taken_back(table_of: Play) -> None:
    live = table_of(Kind.OPEN, "casino8", BOB, cards="A low mid T low")
    live.bet(ALICE, 100)
    live.bet(BOB, 100)
    assert live.view.seats[0].chips == 1150  # the blackjack is paid at once
    services.void_round(live.code)
    assert purses(live) == {"Alice": 1000, "Bob": 1000}


def test_the_shoe_is_shuffled_and_its_seeds_are_told(live: Friends) -> None:
    assert live.view.shoe is not None
    before = live.view.shoe
    services.void_round(live.code)
    assert live.view.shoe is not None
    assert live.view.published is not None
    assert live.view.published.commitment == before.commitment
    assert (live.view.shoe.number, live.view.shoe.left) == (before.number + 1, 416)
    assert Shoe.objects.get(number=before.number).finished == live.clock.now


def test_it_is_kept_as_void(live: Friends) -> None:
    number = live.view.round_number
    services.void_round(live.code)
    kept = Round.objects.get(number=number)
    assert kept.record["void"]
    assert kept.record["chips_after"] == kept.record["chips"]
    shown = round_pages(history.game_page(Game.objects.get(), code=""))[-1]
    assert (shown.void, shown.log[-1].kind) == (True, "void_staff")
    assert {seat.net for seat in shown.seats} == {0}
    assert len(shown.seed) == 64


def test_the_game_goes_on(live: Friends) -> None:
    services.void_round(live.code)
    live.round(ALICE, BOB)
    assert Game.objects.get().finished is None
    assert live.view.round_number == 4


def test_a_click_on_the_void_round_is_refused(live: Friends) -> None:
    asked = live.ask(ALICE).ask
    services.void_round(live.code)
    with pytest.raises((Refused, EngineError), match="stale_question"):
        live.send(ALICE, action="hit", ask=asked)


@pytest.mark.parametrize("preset", ["openseat", "classic6", "single-vip"])
def test_in_a_match_too(table_of: Play, preset: str) -> None:
    table = table_of(Kind.MATCH, preset, BOB)
    table.start()
    amount = table.own(ALICE).min_bet
    for _ in range(9):
        table.bet(ALICE, amount)
        table.bet(BOB, amount)
        if table.view.phase != "betting":
            break
    before = purses(table)
    services.void_round(table.code)
    assert purses(table) == before
    assert table.view.phase == "betting"


def test_alone_too(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat", cards="low mid low")
    services.void_round(table.code)
    assert (table.own(ALICE).chips, table.view.phase) == (1000, "betting")


def test_between_rounds_there_is_nothing_to_void(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB)
    table.bet(ALICE)
    before = table.row
    with pytest.raises(EngineError, match="no_round"):
        services.void_round(table.code)
    assert (table.row.state, table.row.deadline) == (before.state, before.deadline)
    with pytest.raises(Refused, match="no_such_table"):
        services.void_round("2" * 14)


@pytest.mark.parametrize("how", ["{code}", "http://localhost:8000/t/{code}/", " {upper} "])
def test_the_command_takes_a_code_or_a_link(
    live: Friends, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    number = live.view.round_number
    call_command("void_round", how.format(code=live.code, upper=live.code.upper()))
    assert live.view.void
    told = capsys.readouterr().out
    assert f"Round {number} of table {live.code} is void" in told


def test_the_command_says_why_not(live: Friends) -> None:
    for nonsense in ("2" * 14, "hello", "", "http://localhost/games/"):
        with pytest.raises(CommandError, match="There is no table"):
            call_command("void_round", nonsense)
    call_command("void_round", live.code)
    with pytest.raises(CommandError, match="No round is running") as refused:
        call_command("void_round", live.code)
    assert refused.value.returncode == 1
    assert live.view.round_number == 3


def admin(*permissions: str, staff: bool = True) -> Client:
    user = User.objects.create_user("somebody", password="secret", is_staff=staff)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def press(client: Client, *tables: Table) -> str:
    chosen = {"action": "void_round", "_selected_action": [str(table.pk) for table in tables]}
    answer = client.post("/admin/tables/table/", chosen, follow=True)
    return answer.content.decode()


def test_staff_who_may_change_tables_void_rounds(live: Friends, table_of: Play) -> None:
    idle = table_of(Kind.OPEN, "casino8", BOB)
    client = admin("view_table", "change_table")
    assert "void_round" in client.get("/admin/tables/table/").content.decode()
    told = press(client, live.row, idle.row)
    assert (live.view.void, idle.view.void) == (True, False)
    assert f"Table {live.code}: round 2 is void" in told
    assert f"Table {idle.code}: no round is running." in told


def test_other_staff_do_not(live: Friends) -> None:
    before = live.row.state
    client = admin("view_table")
    assert "void_round" not in client.get("/admin/tables/table/").content.decode()
    press(client, live.row)
    assert live.row.state == before


@pytest.mark.parametrize("staff", [True, False])
def test_nobody_else_gets_that_far(live: Friends, staff: bool) -> None:
    before = live.row.state
    client = admin(*[] if staff else ["view_table", "change_table"], staff=staff)
    press(client, live.row)
    press(Client(), live.row)
    assert live.row.state == before


def test_the_staff_change_nothing_else(live: Friends) -> None:
    client = admin("view_table", "change_table", "add_table", "delete_table")
    assert client.post(f"/admin/tables/table/{live.row.pk}/change/", {"phase": "over"}).status_code == 403
    assert client.post(f"/admin/tables/table/{live.row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get("/admin/tables/table/add/").status_code == 403


# After a failure


@pytest.fixture(autouse=True)
def _not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sockets of other tests may have begun this process already."""
    monkeypatch.setattr(presence, "_beginning", None)


def die(table: Friends) -> None:
    """This process was killed: its row stays as it was, under another name."""
    Process.objects.create(token="dead", machine=presence.MACHINE, pid=2**22 + 1, beat=table.clock.now)
    Process.objects.filter(token=presence.TOKEN).delete()
    table.forget()


def resuming(table_of: Play) -> Friends:
    table = table_of(Kind.MATCH, "openseat", BOB, bet_seconds=20, decision_seconds=20)
    table.start()
    table.deal(QUIET)
    return table


def test_after_a_failure_rounds_are_void_where_the_rules_say_so(live: Friends, table_of: Play) -> None:
    other = resuming(table_of)
    presence.start_process()
    before, cards = purses(live), [seat.hands for seat in other.view.seats]
    die(live)
    live.clock.advance(300)
    presence.start_process()
    assert purses(live) == before
    assert (live.view.phase, live.view.void, log(live)[-1]) == ("betting", True, "void_failure")
    assert live.row.deadline is None
    assert [seat.hands for seat in other.view.seats] == cards
    assert other.row.deadline == other.clock.now + timedelta(seconds=20)
    assert Process.objects.get().token == presence.TOKEN


def test_a_second_start_voids_nothing_more(live: Friends) -> None:
    presence.start_process()
    die(live)
    presence.start_process()
    live.round(ALICE, BOB)
    while live.view.phase == "betting":
        live.bet(ALICE)
        live.bet(BOB)
    before = live.row.state
    presence.start_process()
    assert live.row.state == before


def test_bets_that_are_laid_but_not_dealt_survive_a_failure(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB)
    table.bet(ALICE, 300)
    presence.start_process()
    table.clock.advance(10)
    die(table)
    table.clock.advance(100)
    presence.start_process()
    assert (table.view.seats[0].bet, table.own(ALICE).chips) == (300, 700)
    assert table.row.deadline == table.clock.now + timedelta(seconds=15)
    assert not Round.objects.exists()


def test_after_a_clean_stop_every_round_goes_on_with_a_fresh_clock(live: Friends) -> None:
    presence.start_process()
    before = live.row.state
    presence.end_process()
    assert not Process.objects.exists()
    live.forget()
    live.clock.advance(300)
    presence.start_process()
    assert live.row.state == before
    assert live.row.deadline == live.clock.now + timedelta(seconds=15)


def test_beside_a_live_process_nothing_is_void(live: Friends) -> None:
    presence.start_process()
    die(live)
    Process.objects.create(token="live", machine="elsewhere", pid=1, beat=live.clock.now)
    before = live.row
    live.clock.advance(5)
    presence.start_process()
    assert (live.row.state, live.row.deadline) == (before.state, before.deadline)
    assert {one.token for one in Process.objects.all()} == {"live", presence.TOKEN}


def test_what_another_process_left_behind_is_no_failure_for_the_one_that_took_over(live: Friends) -> None:
    presence.start_process()
    Process.objects.create(token="dead", machine=presence.MACHINE, pid=2**22 + 1, beat=live.clock.now)
    before = live.row.state
    presence.end_process()
    presence.start_process()
    assert live.row.state == before


def test_a_stop_before_anybody_came_leaves_the_failure_to_the_next_start(live: Friends) -> None:
    """A process looks around at its first visitor; without one it has not seen what was before it."""
    presence.start_process()
    before = purses(live)
    die(live)
    presence.end_process()
    presence.start_process()
    assert live.view.void
    assert purses(live) == before


def test_a_start_that_is_killed_on_the_way_leaves_the_failure_to_the_next(
    live: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    presence.start_process()
    die(live)

    def killed(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(services, "void_failed", killed)
        with pytest.raises(SystemExit):
            presence.start_process()
    presence.start_process()
    assert live.view.void


def test_a_table_that_can_not_be_read_costs_the_others_nothing(
    live: Friends, table_of: Play, caplog: pytest.LogCaptureFixture
) -> None:
    broken = table_of(Kind.OPEN, "casino8", BOB, cards=QUIET)
    broken.bet(ALICE)
    broken.bet(BOB)
    presence.start_process()
    Table.objects.filter(code=broken.code).update(state=json.dumps({"schema": 99}))
    die(live)
    presence.start_process()
    assert live.view.void
    assert [record.levelno for record in caplog.records if broken.code in record.getMessage()] == [
        logging.ERROR
    ] * 2


@pytest.mark.django_db(transaction=True)
def test_a_start_that_fails_buries_nobody_and_is_made_again(
    live: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    presence.start_process()
    die(live)
    tried = threading.Event()

    def unavailable(*_: object) -> None:
        tried.set()
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(services, "void_failed", unavailable)
        presence.begin()
        assert tried.wait(5)
        assert presence._beginning is not None
        assert isinstance(presence._beginning.exception(timeout=5), OperationalError)
        presence.beat(set())
        presence.end_process()
    assert Process.objects.filter(token="dead").exists()
    presence.begin()
    presence.wait_until_begun()
    assert live.view.void
    assert not Process.objects.filter(token="dead").exists()


def test_who_comes_after_a_failure_sees_the_void_round(live: Friends) -> None:
    services.join(live.code, CAROL, "Carol", sit=False)
    die(live)
    presence.start_process()
    view = live.view
    assert (view.void, view.shown_round, view.published is not None) == (True, 2, True)
    assert all(hand.paid == hand.bet for seat in view.seats for hand in seat.hands)
