from __future__ import annotations

import pytest

from engine.errors import EngineError
from tables.errors import Refused
from tables.models import Game, GamePlayer
from tests.tables.friends import ALICE, BOB, CAROL, Friends


def test_the_match_begins_when_all_are_ready_and_the_host_starts(friends: Friends) -> None:
    friends.start()
    assert (friends.view.phase, friends.view.round_number, friends.view.game) == ("betting", 1, 1)


def test_the_game_is_on_record_from_its_start(playing: Friends) -> None:
    game = Game.objects.get()
    assert (game.number, game.rounds, game.finished) == (1, 10, None)
    assert list(GamePlayer.objects.values_list("seat", "nickname", "chips")) == [
        (1, "Alice", 1000),
        (2, "Bob", 1000),
    ]


def test_nobody_starts_before_the_others_are_ready(friends: Friends) -> None:
    with pytest.raises(EngineError, match="not_all_ready"):
        friends.command(ALICE, "start")


@pytest.mark.parametrize("action", ["start", "remove", "configure"])
def test_what_is_the_hosts_is_the_hosts(friends: Friends, action: str) -> None:
    friends.command(BOB, "ready", ready="1")
    fields = {"remove": {"seat": "1"}, "configure": {"rounds": "20"}}.get(action, {})
    with pytest.raises(EngineError, match="not_host"):
        friends.command(BOB, action, **fields)


def test_starting_twice_starts_once(friends: Friends) -> None:
    friends.command(BOB, "ready", ready="1")
    frame = {"action": "start", "game": "0"}
    friends.send(ALICE, **frame)
    for _ in range(4):
        with pytest.raises(Refused, match="stale_game"):
            friends.send(ALICE, **frame)
    assert Game.objects.count() == 1


def test_the_host_takes_somebody_out_of_the_lobby(friends: Friends) -> None:
    friends.command(ALICE, "remove", seat="2")
    assert friends.view.seats[1].player is None
    assert friends.own(BOB).seat is None


def test_the_host_changes_the_settings(friends: Friends) -> None:
    friends.command(ALICE, "configure", rounds="30", clock="off")
    assert (friends.view.rounds, friends.row.rounds) == (30, 30)
    assert friends.seen().game.rules.bet_seconds is None
    friends.command(ALICE, "configure", rounds="10", clock="on")
    assert friends.seen().game.rules.decision_seconds == 20


@pytest.mark.parametrize(
    "fields",
    [
        {"rounds": "11"},
        {"rounds": "ten"},
        {"rounds": "10", "clock": "maybe"},
        {"rounds": "10", "decks": "1"},
        {"rounds": "10", "decks": 4},
        {"rounds": "10", "starting_chips": 10**30},
        {"rounds": "10", "no_such_switch": 1},
        {},
    ],
)
def test_settings_that_can_not_be_played_are_refused(friends: Friends, fields: dict[str, object]) -> None:
    before = friends.row.state
    with pytest.raises((EngineError, Refused)):
        friends.command(ALICE, "configure", **fields)
    assert friends.row.state == before


def test_when_the_host_leaves_the_longest_seated_is_host(friends: Friends) -> None:
    friends.command(ALICE, "leave")
    assert (friends.view.seats[0].player, friends.view.seats[1].host) == (None, True)
    friends.command(ALICE, "sit", seat="1")
    assert friends.view.seats[1].host


def test_one_who_watches_can_not_be_ready(friends: Friends) -> None:
    with pytest.raises(EngineError, match="not_seated"):
        friends.command(CAROL, "ready", ready="1")


def test_ready_five_times_is_ready_once(friends: Friends) -> None:
    for _ in range(5):
        friends.send(BOB, action="ready", game="0", ready="1")
    assert friends.view.seats[1].ready


def test_without_a_clock_nothing_is_ever_due(open_friends: object) -> None:
    friends = open_friends(on=False)  # type: ignore[operator]
    friends.start()
    assert friends.row.deadline is None


def test_with_a_clock_the_first_bets_have_their_seconds(playing: Friends) -> None:
    assert playing.row.deadline is not None
    assert (playing.row.deadline - playing.clock.now).total_seconds() == 20
