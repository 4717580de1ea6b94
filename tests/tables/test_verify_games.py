"""`manage.py verify_games` accepts what was played and names the first thing that was not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.db.models import QuerySet

from tables.models import Game, GamePlayer, Round, Shoe
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, Friends, FrozenClock

Damage = Callable[[Round], None]


def said(*args: str) -> str:
    out = StringIO()
    call_command("verify_games", *args, stdout=out)
    return out.getvalue()


@pytest.fixture
def played(playing: Friends) -> Game:
    for _ in range(3):
        playing.round(ALICE, BOB)
    playing.command(BOB, "resign")
    return Game.objects.get()


def test_what_was_played_is_all_right(played: Game, open_friends: Play) -> None:
    assert said() == "1 games, 3 rounds: all is as it was played.\n"
    other = open_friends()
    other.start()
    other.round(ALICE, BOB)
    assert said() == "2 games, 4 rounds: all is as it was played.\n"


def test_there_may_be_nothing_to_check(db: None) -> None:
    assert said() == "There is no game to check.\n"


def test_many_games_are_read_in_parts_and_progress_is_no_result(
    played: Game, open_friends: Play, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.management.commands.verify_games.AT_ONCE", 1)
    for _ in range(2):
        clock.advance(60)
        other = open_friends()
        other.start()
        other.round(ALICE, BOB)
    assert said().splitlines() == [
        "1 games, 3 rounds looked at so far",
        "2 games, 4 rounds looked at so far",
        "3 games, 5 rounds: all is as it was played.",
    ]


def test_a_difference_leaves_nothing_open_and_is_all_that_is_said(
    played: Game, open_friends: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that were still to be read would be closed after the connection, with a traceback."""
    monkeypatch.setattr("tables.management.commands.verify_games.AT_ONCE", 1)
    other = open_friends()
    other.start()
    other.round(ALICE, BOB)
    GamePlayer.objects.filter(game=played).update(chips=7)
    still_open: list[object] = []
    streamed = QuerySet.iterator

    def noticed(rows: QuerySet[Game], *args: Any, **options: Any) -> Iterator[Game]:
        still_open.append(rows)
        yield from streamed(rows, *args, **options)
        still_open.remove(rows)

    monkeypatch.setattr(QuerySet, "iterator", noticed)
    out = StringIO()
    with pytest.raises(CommandError, match=f"Game {played.pk}, chips"):
        call_command("verify_games", stdout=out)
    assert not still_open
    assert "as it was played" not in out.getvalue()


def _record(**changes: Any) -> Damage:
    def damage(row: Round) -> None:
        row.record |= changes
        row.save()

    return damage


def _chips(row: Round) -> None:
    row.record["chips_after"]["1"] += 1
    row.save()


def _seed(row: Round) -> None:
    Shoe.objects.filter(game=row.game, number=row.record["shoe"]["number"]).update(seed="00" * 32)


@pytest.mark.parametrize(
    "damage",
    [
        _chips, _seed, _record(moves=["1 hit", "1 hit", "1 hit", "1 hit", "1 hit"]), _record(bets={}),
        _record(chips={"1": 1, "2": 1}), _record(shoe={"number": 99, "dealt": 0}), _record(void=True),
        _record(shoe={"number": 2, "dealt": 7}), _record(notes=[[2, 0, "sat_out", 1, "Alice"]]),
        _record(moves=7), _record(notes=[["?"]]), _record(chips_after={}), _record(resigned=[[1, 0]]),
    ],
)  # fmt: skip
def test_the_first_difference_is_named_with_its_game_and_round(played: Game, damage: Damage) -> None:
    damage(Round.objects.get(number=2))
    with pytest.raises(CommandError) as found:
        said()
    assert str(found.value).startswith(f"Game {played.pk}, round 2: ")
    assert found.value.returncode == 1


def test_standings_that_do_not_follow_are_named(played: Game) -> None:
    held = GamePlayer.objects.get(stack="1").chips
    GamePlayer.objects.filter(stack="1").update(chips=7)
    with pytest.raises(CommandError, match=rf"Game {played.pk}, chips \(stack=1, said=7, "):
        said()
    GamePlayer.objects.filter(stack="1").update(chips=held)
    assert played.result is not None
    Game.objects.update(result={**played.result, "winner": 2})
    with pytest.raises(CommandError, match=f"Game {played.pk}, winner"):
        said()


def test_a_busy_database_is_no_damage_and_any_other_failure_is_logged(
    played: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def busy(*args: object) -> None:
        raise OperationalError("database is locked")

    def faulty(*args: object) -> None:
        raise TypeError("a fault of ours")

    for place in ("tables.export.kept", "tables.checking._check"):
        with monkeypatch.context() as patched:
            patched.setattr(place, busy)
            with pytest.raises(CommandError) as refused:
                said()
        assert str(refused.value) == "The database can not be read: database is locked."
        assert refused.value.returncode == 2
    monkeypatch.setattr("tables.checking._check", faulty)
    with caplog.at_level("DEBUG"), pytest.raises(CommandError, match="does not fit together"):
        said()
    assert "TypeError: a fault of ours" in caplog.text


def test_a_database_that_becomes_busy_while_a_damage_is_looked_for_is_none(
    played: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.update(rules={"decks": "x"})

    def busy(*args: object, **more: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(QuerySet, "get", busy)
    with pytest.raises(CommandError, match="database is locked"):
        said()


def test_one_game_alone_or_those_since_a_day(played: Game, open_friends: Play, clock: FrozenClock) -> None:
    clock.advance(3 * 24 * 3600)
    other = open_friends()
    other.start()
    other.round(ALICE, BOB)
    newer = Game.objects.get(finished=None)
    assert said(f"--game={played.pk}").startswith("1 games, 3 rounds")
    assert said(f"--game={newer.pk}").startswith("1 games, 1 rounds")
    assert said("--since", "2026-05-03").startswith("1 games, 1 rounds")
    assert said("--since", "2026-05-01").startswith("2 games, 4 rounds")
    for wrong in (("--game", "nosuch"), ("--since", "yesterday"), ("--since", "2026-02-30")):
        with pytest.raises(CommandError):
            said(*wrong)
