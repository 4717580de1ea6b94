from __future__ import annotations

import os
from datetime import timedelta

import pytest

from engine.errors import EngineError
from tables import presence, services
from tables.errors import Refused
from tables.models import Presence, Process
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends

QUIET = "low low mid low low"


@pytest.fixture
def here(playing: Friends) -> Friends:
    for guest in (ALICE, BOB, CAROL):
        presence.arrive(playing.code, guest)
    return playing


def test_who_has_a_socket_is_here(here: Friends) -> None:
    assert here.seen().away() == frozenset()


def test_who_has_none_any_more_is_away(here: Friends) -> None:
    presence.depart(here.code, BOB)
    assert here.person(BOB).away_since == here.clock.now
    assert here.seen().away() == {2}


def test_everybody_is_told(here: Friends) -> None:
    before = here.row.version
    presence.depart(here.code, BOB)
    assert here.row.version == before + 1


def test_a_stranger_is_counted_and_gets_no_name(here: Friends) -> None:
    presence.arrive(here.code, MALLORY)
    assert here.seen().people.strangers == 1
    presence.depart(here.code, MALLORY)
    assert here.seen().people.strangers == 0


def test_being_away_moves_no_clock_and_costs_no_seat(here: Friends) -> None:
    here.deal(QUIET)
    deadline = here.row.deadline
    here.clock.advance(3)
    presence.depart(here.code, ALICE)
    presence.arrive(here.code, ALICE)
    assert (here.row.deadline, here.view.seats[0].name) == (deadline, "Alice")


def test_in_another_process_there_may_be_another_socket(here: Friends) -> None:
    other = Process.objects.create(token="other", machine="elsewhere", pid=1, beat=here.clock.now)
    Presence.objects.create(table=here.row, guest=BOB, process=other)
    presence.depart(here.code, BOB)
    assert here.seen().away() == frozenset()


def test_the_sockets_of_a_dead_process_are_gone(here: Friends) -> None:
    other = Process.objects.create(token="other", machine="elsewhere", pid=1, beat=here.clock.now)
    Presence.objects.create(table=here.row, guest=MALLORY, process=other)
    own = {(here.code, guest) for guest in (ALICE, BOB, CAROL)}
    here.clock.advance(9)
    presence.beat(own)
    assert Presence.objects.filter(guest=MALLORY).exists()
    here.clock.advance(2)
    presence.beat(own)
    assert not Presence.objects.filter(guest=MALLORY).exists()
    assert Presence.objects.filter(guest=ALICE).exists()


def test_the_heartbeat_puts_right_what_was_not_noted(here: Friends) -> None:
    Presence.objects.filter(guest=ALICE).delete()
    presence.depart(here.code, BOB)
    presence.beat({(here.code, ALICE), (here.code, BOB)})
    assert set(Presence.objects.values_list("guest", flat=True)) == {ALICE, BOB}
    assert here.seen().away() == frozenset()


def test_a_table_that_is_gone_has_nobody(db: None) -> None:
    presence.arrive("2" * 14, ALICE)
    presence.depart("2" * 14, ALICE)
    assert not Presence.objects.exists()


def stop_waiting(table: Friends, by: str = ALICE, seat: int = 2) -> None:
    table.command(by, "stop_waiting", seat=str(seat))


def test_for_two_minutes_everybody_waits(here: Friends) -> None:
    presence.depart(here.code, BOB)
    here.clock.advance(119)
    with pytest.raises(Refused, match="not_away_long"):
        stop_waiting(here)
    here.clock.advance(1)
    stop_waiting(here)
    assert here.view.seats[1].auto


def test_the_others_may_not_stop_waiting_for_one_who_is_here(here: Friends) -> None:
    here.clock.advance(1000)
    with pytest.raises(Refused, match="not_away_long"):
        stop_waiting(here)


def test_one_who_watches_may_not_stop_waiting(here: Friends) -> None:
    presence.depart(here.code, BOB)
    here.clock.advance(120)
    with pytest.raises(EngineError):
        stop_waiting(here, by=CAROL)


def test_the_timeout_rule_answers_until_the_player_is_back(here: Friends) -> None:
    here.deal(QUIET)
    presence.depart(here.code, BOB)
    here.clock.advance(120)
    services.expire(here.code)  # Alice's hand stood
    stop_waiting(here)
    assert here.view.round_number == 2
    assert here.view.seats[1].status == "sitting_out"
    presence.arrive(here.code, BOB)
    assert not here.view.seats[1].auto
    assert here.seen().away() == frozenset()


def test_the_list_of_those_one_may_stop_waiting_for_changes_with_time_alone(here: Friends) -> None:
    presence.depart(here.code, BOB)
    seen = here.seen()
    assert seen.long_away() == ()
    assert seen.next_long_away() == here.clock.now + timedelta(minutes=2)
    here.clock.advance(120)
    assert [seat.name for seat in here.seen().long_away()] == ["Bob"]


def test_a_host_who_is_long_away_passes_the_role_on(here: Friends) -> None:
    presence.depart(here.code, ALICE)
    here.clock.advance(119)
    services.tidy()
    assert here.view.seats[0].host
    here.clock.advance(1)
    services.tidy()
    assert [seat.host for seat in here.view.seats] == [False, True, False, False]
    presence.arrive(here.code, ALICE)
    services.tidy()
    assert here.view.seats[1].host


def test_the_role_is_not_passed_to_one_who_is_away_too(here: Friends) -> None:
    presence.depart(here.code, ALICE)
    presence.depart(here.code, BOB)
    here.clock.advance(120)
    before = here.row.version
    services.tidy()
    assert (here.row.version, here.view.seats[0].host) == (before, True)


# A start after an end


def die(table: Friends) -> None:
    """This process was killed: its row stays as it was, under another name."""
    Process.objects.create(token="dead", machine=presence.MACHINE, pid=2**22 + 1, beat=table.clock.now)
    Presence.objects.update(process="dead")
    Process.objects.filter(token=presence.TOKEN).delete()


def test_after_a_crash_the_clock_of_running_decisions_starts_fresh(here: Friends) -> None:
    here.deal(QUIET)
    cards = [seat.hands for seat in here.view.seats]
    die(here)
    here.clock.advance(300)
    presence.start_process()
    assert here.row.deadline == here.clock.now + timedelta(seconds=20)
    assert [seat.hands for seat in here.view.seats] == cards
    assert here.view.waiting_for == (1,)


def test_after_a_crash_nobody_loses_a_seat_and_all_are_away_until_they_are_back(here: Friends) -> None:
    die(here)
    presence.start_process()
    assert here.seen().away() == {1, 2}
    assert not Process.objects.filter(token="dead").exists()
    presence.arrive(here.code, ALICE)
    assert here.seen().away() == {2}
    assert [seat.name for seat in here.view.seats[:2]] == ["Alice", "Bob"]


def test_a_process_that_joins_live_ones_leaves_their_clocks(here: Friends) -> None:
    here.deal(QUIET)
    Process.objects.create(token="live", machine="elsewhere", pid=1, beat=here.clock.now)
    deadline = here.row.deadline
    here.clock.advance(5)
    presence.start_process()
    assert here.row.deadline == deadline


def test_a_dead_process_on_this_machine_is_known_at_once(here: Friends) -> None:
    live = Process(token="a", machine=presence.MACHINE, pid=os.getppid(), beat=here.clock.now)
    dead = Process(token="b", machine=presence.MACHINE, pid=2**22 + 1, beat=here.clock.now)
    reused = Process(token="c", machine=presence.MACHINE, pid=os.getpid(), beat=here.clock.now)
    assert [presence.lives(one) for one in (live, dead, reused)] == [True, False, False]
