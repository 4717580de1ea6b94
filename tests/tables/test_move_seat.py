from __future__ import annotations

import pytest

from tables import presence, services
from tables.errors import Refused
from tables.models import GamePlayer
from tests.tables.friends import ALICE, BOB, CAROL, Friends

PHONE = "phone" + "-" * 17


def test_the_link_moves_the_seat_to_the_device_that_holds_it(playing: Friends) -> None:
    player = playing.person(ALICE).player
    services.move_seat(playing.person(ALICE).seat_secret, PHONE)
    assert playing.person(PHONE).player == player
    assert playing.own(PHONE).seat == 1


def test_the_old_device_watches(playing: Friends) -> None:
    asked = playing.ask(ALICE).ask
    services.move_seat(playing.person(ALICE).seat_secret, PHONE)
    assert playing.seen().player_of(ALICE) is None
    with pytest.raises(Refused, match="name_needed"):
        playing.send(ALICE, action="bet", ask=asked, amount="50")
    playing.send(PHONE, action="bet", ask=asked, amount="50")
    assert playing.view.seats[0].bet == 50


def test_a_link_works_once(playing: Friends) -> None:
    secret = playing.person(ALICE).seat_secret
    services.move_seat(secret, PHONE)
    with pytest.raises(Refused, match="no_such_seat"):
        services.move_seat(secret, CAROL)
    assert playing.person(PHONE).seat_secret != secret


def test_one_who_watched_on_that_device_becomes_the_player(playing: Friends) -> None:
    services.move_seat(playing.person(ALICE).seat_secret, CAROL)
    assert (playing.own(CAROL).seat, playing.person(CAROL).nickname) == (1, "Alice")


def test_nobody_holds_two_seats(playing: Friends) -> None:
    with pytest.raises(Refused, match="already_seated"):
        services.move_seat(playing.person(ALICE).seat_secret, BOB)
    assert playing.own(ALICE).seat == 1


def test_the_seat_is_away_until_the_new_device_is_here(playing: Friends) -> None:
    presence.arrive(playing.code, ALICE)
    services.move_seat(playing.person(ALICE).seat_secret, PHONE)
    assert 1 in playing.seen().away()
    presence.arrive(playing.code, PHONE)
    assert 1 not in playing.seen().away()
    presence.depart(playing.code, ALICE)
    assert 1 not in playing.seen().away()


def test_the_record_goes_with_the_player(playing: Friends) -> None:
    services.move_seat(playing.person(ALICE).seat_secret, PHONE)
    assert GamePlayer.objects.get(seat=1).guest_id == PHONE


def test_whoever_others_had_stopped_waiting_for_is_back_with_the_new_device(playing: Friends) -> None:
    presence.arrive(playing.code, ALICE)
    presence.arrive(playing.code, PHONE)  # the link of the table is open there already
    presence.depart(playing.code, ALICE)
    playing.clock.advance(120)
    playing.command(BOB, "stop_waiting", seat="1")
    waited_for = [playing.view.seats[0].auto]
    services.move_seat(playing.person(ALICE).seat_secret, PHONE)
    assert [*waited_for, playing.view.seats[0].auto] == [True, False]
    assert 1 not in playing.seen().away()


def test_who_only_watches_has_no_seat_to_move(playing: Friends) -> None:
    with pytest.raises(Refused, match="no_such_seat"):
        services.move_seat(playing.person(CAROL).seat_secret, PHONE)
