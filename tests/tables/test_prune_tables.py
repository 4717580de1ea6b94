"""`manage.py prune_tables` clears away tables where nobody plays, and never a game."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from engine.game import Kind
from tables import presence
from tables.models import Game, GamePlayer, Participant, Round, Table
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, Friends, FrozenClock

DAY = 24 * 3600


def prune(*args: str) -> list[str]:
    out = StringIO()
    call_command("prune_tables", *args, stdout=out)
    return out.getvalue().splitlines()


def left_alone(table: Friends) -> Friends:
    for guest in (ALICE, BOB):
        presence.depart(table.code, guest)
    return table


@pytest.fixture
def over(table_of: Play) -> Friends:
    """A table whose match is over and which everybody has left."""
    table: Friends = table_of(Kind.MATCH, "openseat", BOB)
    table.start()
    table.round(ALICE, BOB)
    table.command(BOB, "resign")
    return left_alone(table)


def test_a_table_where_nobody_plays_goes_and_its_game_stays(over: Friends, clock: FrozenClock) -> None:
    clock.advance(31 * DAY)
    game = Game.objects.get()
    before = Client().get(f"/games/{game.pk}.json").content
    assert prune("--older-than", "30") == [over.code, "1 table cleared away; their games stay."]
    assert not Table.objects.exists()
    assert not Participant.objects.exists()
    assert (Game.objects.count(), Round.objects.count(), GamePlayer.objects.count()) == (1, 1, 2)
    assert Client().get(f"/games/{game.pk}.json").content == before
    assert Client().get(f"/games/{game.pk}/").status_code == 200
    assert Client().get(f"/games/{game.pk}/1/").status_code == 200
    assert Client().get(f"/t/{over.code}/").status_code == 404


def test_a_dry_run_only_says_which(over: Friends, clock: FrozenClock) -> None:
    clock.advance(31 * DAY)
    assert prune("--older-than", "30", "--dry-run") == [
        over.code,
        "1 table would be cleared away; their games stay.",
    ]
    assert Table.objects.exists()


def test_a_table_that_was_used_lately_stays(over: Friends, clock: FrozenClock) -> None:
    clock.advance(29 * DAY)
    assert prune("--older-than", "30") == ["0 tables cleared away; their games stay."]


def test_a_table_where_a_game_runs_or_somebody_is_stays(
    over: Friends, table_of: Play, clock: FrozenClock
) -> None:
    running = table_of(Kind.MATCH, "openseat", BOB)
    running.start()
    left_alone(running)
    alone = left_alone(table_of(Kind.SOLO, "openseat"))
    presence.arrive(over.code, BOB)
    clock.advance(400 * DAY)
    assert prune("--older-than", "1") == ["0 tables cleared away; their games stay."]
    presence.depart(over.code, BOB)
    assert prune("--older-than", "1")[0] == over.code
    assert {running.code, alone.code} == set(Table.objects.values_list("code", flat=True))


@pytest.mark.parametrize("days", ["0", "-1", "x", "", "1.5", "999999999", "²"])
def test_a_number_of_days_that_is_none_is_refused(db: None, days: str) -> None:
    with pytest.raises(CommandError):
        prune(f"--older-than={days}")


def test_it_must_be_said_how_old(db: None) -> None:
    with pytest.raises(CommandError):
        prune()
