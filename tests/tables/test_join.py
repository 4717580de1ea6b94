from __future__ import annotations

import pytest

from tables import services
from tables.errors import Refused
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends


def test_a_friend_takes_the_first_free_seat(friends: Friends) -> None:
    assert [seat.name for seat in friends.view.seats] == ["Alice", "Bob", "", ""]


def test_who_only_watches_holds_no_seat(friends: Friends) -> None:
    assert friends.own(CAROL).seat is None


@pytest.mark.parametrize("alike", ["Bob", "bob", "BOB", "B o b", " Bob ", "Воb", "B0b", "Ｂob"])
def test_a_name_like_anothers_is_refused(friends: Friends, alike: str) -> None:
    with pytest.raises(Refused, match="nickname_taken"):
        services.join(friends.code, MALLORY, alike, sit=True)
    assert friends.seen().player_of(MALLORY) is None


def test_typing_a_name_gives_nobody_a_seat(playing: Friends) -> None:
    playing.person(BOB)
    services.join(playing.code, MALLORY, "Robert", sit=True)
    assert playing.own(MALLORY).seat is None
    assert playing.view.seats[1].player == playing.person(BOB).player


def test_joining_twice_is_joining_once(friends: Friends) -> None:
    before = friends.row.version
    services.join(friends.code, BOB, "Bob", sit=True)
    assert friends.row.version == before


def test_when_all_seats_are_taken_one_watches(friends: Friends) -> None:
    for number in range(4):
        services.join(friends.code, f"guest-{number}", f"Friend {number}", sit=True)
    seats = [seat.name for seat in friends.view.seats]
    assert seats == ["Alice", "Bob", "Friend 0", "Friend 1"]


def test_a_spectator_takes_a_free_seat_between_matches(friends: Friends) -> None:
    friends.command(CAROL, "sit", seat="4")
    assert friends.view.seats[3].name == "Carol"


def test_a_seat_that_is_taken_stays_taken(friends: Friends) -> None:
    from engine.errors import EngineError

    with pytest.raises(EngineError, match="seat_taken"):
        friends.command(CAROL, "sit", seat="1")
    assert friends.view.seats[0].name == "Alice"


@pytest.mark.parametrize("seat", ["0", "5", "99", "-1", "x", "", "1.0"])
def test_a_seat_that_is_none_can_not_be_taken(friends: Friends, seat: str) -> None:
    from engine.errors import EngineError

    with pytest.raises((EngineError, Refused)):
        friends.command(CAROL, "sit", seat=seat)
    assert friends.own(CAROL).seat is None


def test_while_watching_a_name_may_be_changed(friends: Friends) -> None:
    services.join(friends.code, CAROL, "Caroline", sit=False)
    assert friends.person(CAROL).nickname == "Caroline"


def test_a_seated_players_name_stays(friends: Friends) -> None:
    services.join(friends.code, ALICE, "Alicia", sit=False)
    assert friends.person(ALICE).nickname == "Alice"


def test_an_unknown_table_lets_nobody_in(db: None) -> None:
    with pytest.raises(Refused, match="no_such_table"):
        services.join("22222222222222", ALICE, "Alice", sit=True)
