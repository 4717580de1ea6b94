"""What a list says of a game is kept on its row while it goes on, and is what its rounds say."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from engine.errors import EngineError
from engine.game import Kind
from tables import nicknames, services, summary
from tables.errors import Refused
from tables.models import Game, GamePlayer, Table
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, START, Friends, FrozenClock, Seeds
from tests.tables.test_random_play import TABLES, step
from tests.tables.test_records import play_match, play_round
from tests.tables.test_schema import sample

COLUMNS = (
    "rule_set", "dated", "outcome", "player_count", "backer_count", "length", "swing", "winner",
    "winner_chips",
)  # fmt: skip


def kept(game: Game) -> dict[str, object]:
    return {name: getattr(game, name) for name in COLUMNS}


def told_by_rows(game: Game) -> dict[str, object]:
    return summary.columns(game, game.players.all(), game.played.values_list("record", "finished"))


def test_a_match_is_in_no_list_before_its_end(playing: Friends) -> None:
    play_round(playing, 100, 50)
    game = Game.objects.get()
    assert (game.rule_set, game.dated, game.outcome, game.length) == ("openseat", None, "running", 1)
    assert (game.player_count, game.backer_count, game.winner) == (2, 0, "")
    assert game.table_code == playing.code


def test_a_match_that_is_over_says_who_won_with_how_much(playing: Friends) -> None:
    play_match(playing)
    game = Game.objects.get()
    assert kept(game) == told_by_rows(game)
    assert (game.dated, game.length) == (playing.clock.now, 10)
    winner = game.players.filter(won=True).first()
    expected = (winner.nickname, winner.chips, "won") if winner else ("", None, "drawn")
    assert (game.winner, game.winner_chips, game.outcome) == expected


def test_the_swing_is_the_most_a_round_brought_anybody_or_cost_them(playing: Friends) -> None:
    play_round(playing, 100, 50)
    after = {seat.name: seat.chips for seat in playing.view.seats if seat.player}
    assert Game.objects.get().swing == max(abs(chips - 1000) for chips in after.values())


def test_a_game_of_an_open_table_is_dated_by_its_first_round_for_good(
    table_of: Callable[..., Friends],
) -> None:
    table = table_of(Kind.OPEN, "casino8")
    table.round(ALICE)
    first = Game.objects.get()
    assert (first.dated, first.outcome, first.length) == (table.clock.now, "running", 1)
    table.clock.advance(60)
    table.round(ALICE)
    second = Game.objects.get()
    assert (second.dated, second.length) == (first.dated, 2)
    table.command(ALICE, "leave")
    table.clock.advance(601)
    services.tidy()
    over = Game.objects.get()
    assert (over.outcome, over.dated) == ("over", first.dated)
    assert over.finished == table.clock.now


def test_an_abandoned_match_is_neither_won_nor_drawn() -> None:
    assert summary.outcome("match", "abandoned", won=False) == "abandoned"
    assert summary.outcome("match", "agreed_draw", won=False) == "drawn"
    assert summary.outcome("match", "last_left", won=True) == "won"
    assert summary.outcome("solo", "abandoned", won=False) == "over"
    assert summary.outcome("open", "", won=False) == "running"


def test_own_rules_are_told_from_presets(table_of: Callable[..., Friends]) -> None:
    table_of(Kind.SOLO, "classic6", decks=4)
    table_of(Kind.SOLO, "classic6")
    assert sorted(game.rule_set for game in Game.objects.all()) == ["classic6", "custom"]


def test_nicknames_are_found_as_they_are_compared(playing: Friends) -> None:
    for one in GamePlayer.objects.all():
        assert one.nickname_key == nicknames.key(one.nickname)


@pytest.mark.parametrize(
    "name",
    ["a match with a clock", "a live table with a small shoe", "alone with boxes", "a table with boxes"],
)
def test_whatever_is_played_the_columns_say_what_the_rows_say(
    db: None, seeds: Seeds, clock: FrozenClock, name: str
) -> None:
    dice = random.Random(name)
    table = TABLES[name](seeds, clock)
    for guest in (BOB, CAROL, MALLORY):
        services.join(table.code, guest, guest[:5], sit=False)
    for _ in range(120):
        try:
            step(table, dice)
        except (EngineError, Refused):
            continue
    for game in Game.objects.all():
        assert kept(game) == told_by_rows(game)
        assert game.table_code == table.code


# Games of before there were such columns


def migrate(*target: tuple[str, str]) -> Any:
    executor = MigrationExecutor(connection)
    return executor.migrate(list(target) or executor.loader.graph.leaf_nodes()).apps


def store(apps: Any, schema: int, *, kind: str, finished: bool) -> None:
    """A game as it was stored before, with its players and rounds."""
    stored = sample(schema)
    game, state = stored["game"], stored["playing"]
    table = apps.get_model("tables", "Table").objects.create(
        code="abcdefghjkmn23", kind=kind, created=START, touched=START, state=json.dumps(state),
        phase=state["phase"], rounds=state["rounds"],
    )  # fmt: skip
    row = apps.get_model("tables", "Game").objects.create(
        id="game1", table=table, number=1, kind=kind, rules=game["rules"], rounds=0, listed=True,
        started=START, finished=START if finished else None, reason=game["reason"] if finished else "",
    )  # fmt: skip
    players = apps.get_model("tables", "GamePlayer").objects
    for one in game["players"]:
        if isinstance(one, dict):
            players.create(game=row, **one)
        else:
            seat, player, name, chips = one
            players.create(
                game=row, stack=str(seat), seat=seat, player=player, nickname=name, chips=chips,
                won=finished and seat == 1,
            )  # fmt: skip
    for played in game["rounds_played"]:
        apps.get_model("tables", "Round").objects.create(game=row, finished=START, **played)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("schema", "kind", "expected"),
    [
        (1, "match", ("won", "Alice", 900, 2)),
        (2, "open", ("running", "", None, 6)),
        (3, "open", ("running", "", None, None)),
    ],
)
def test_older_games_get_their_columns(schema: int, kind: str, expected: tuple[Any, ...]) -> None:
    try:
        store(migrate(("tables", "0004_games_outlive_tables")), schema, kind=kind, finished=kind == "match")
    finally:
        call_command("migrate", verbosity=0)
    game = Game.objects.get()
    assert kept(game) == told_by_rows(game)
    outcome, winner, chips, length = expected
    assert (game.outcome, game.winner, game.winner_chips) == (outcome, winner, chips)
    assert game.length == (length or game.played.count())
    assert (game.dated, game.swing > 0) == (START, True)
    assert game.table_code == Table.objects.get().code
    assert {one.nickname_key for one in game.players.all()} == {
        nicknames.key(one.nickname) for one in game.players.all()
    }
