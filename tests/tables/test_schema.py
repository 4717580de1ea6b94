"""What earlier versions stored is read by this one: tables play on, games can be looked at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps as todays
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from engine.game import Phase
from engine.notation import format_cards
from engine.rules import Rules
from tables import codec, history
from tables.models import Game, GamePlayer, Round, Shoe, Table
from tests.tables.friends import ALICE, BOB, START, Friends, FrozenClock, Seeds, record_of

DATA = Path(__file__).parent.parent / "data"
CODE = "abcdefghjkmn23"
Sample = dict[str, Any]


def sample(schema: int) -> Sample:
    stored: Sample = json.loads((DATA / f"schema_{schema}.json").read_text())
    return stored


@pytest.fixture
def before_stacks() -> Iterator[Callable[[], Any]]:
    """The database as it was before a player had a stack; calling it brings the database up to date."""

    def migrate(*target: tuple[str, str]) -> Any:
        executor = MigrationExecutor(connection)
        return executor.migrate(list(target) or executor.loader.graph.leaf_nodes()).apps

    yield lambda: migrate(("tables", "0001_initial"))
    call_command("migrate", verbosity=0)


def store(apps: Any, state: Sample, game: Sample, *, finished: bool) -> None:
    """A table of the first schema with its people, its game and the rounds it has played."""
    models = {name: apps.get_model("tables", name) for name in ("Table", "Guest", "Participant", "Game")}
    table = models["Table"].objects.create(
        code=CODE,
        kind="match",
        listed=True,
        created=START,
        touched=START,
        state=json.dumps(state),
        phase=state["phase"],
        deadline=None if finished else START + timedelta(seconds=20),
        rounds=state["rounds"],
        game_number=state["number"],
        round_number=state["round_number"],
        seated=len(state["seats"]),
        host_player=state["host"],
    )
    row = models["Game"].objects.create(
        id="game1",
        table=table,
        number=1,
        rules=game["rules"],
        rounds=game["rounds"],
        listed=True,
        started=START,
        finished=START if finished else None,
        reason=game["reason"] if finished else "",
        result=game["result"] if finished else None,
    )
    for (seat, player, name, chips), who in zip(game["players"], (ALICE, BOB), strict=True):
        guest = models["Guest"].objects.create(id=who, nickname=name, created=START, seen=START)
        models["Participant"].objects.create(
            table=table,
            guest=guest,
            player=player,
            nickname=name,
            nickname_key=name,
            seat_secret=name,
            joined=START,
        )
        player_model = apps.get_model("tables", "GamePlayer")
        named = {"stack": str(seat)} if hasattr(player_model, "stack") else {}
        player_model.objects.create(
            **named,
            game=row,
            seat=seat,
            player=player,
            nickname=name,
            guest=guest,
            chips=chips if finished else 1000,
            place=seat if finished else None,
            won=finished and seat == 1,
        )
    for played in game["rounds_played"][: None if finished else 1]:
        apps.get_model("tables", "Round").objects.create(game=row, finished=START, **played)


def test_a_table_of_the_first_schema_reads_as_todays() -> None:
    stored = sample(1)["playing"]
    game = codec.read_game(stored)
    assert (game.phase, game.number, game.round_number, game.host) == (Phase.PLAYING, 1, 2, "iH5fxbpZ")
    assert [(seat.name, seat.bet, game.chips_of(seat)) for seat in game.seats] == [
        ("Alice", 100, 900),
        ("Bob", 50, 950),
    ]
    assert game.round is not None
    assert len(game.round.box(1).hands[0].cards) == 3
    assert game.shoe is not None
    assert game.shoe.seed.hex() == stored["seed"]
    assert game.published is not None
    assert game.published.number == 1
    assert codec.read_game(codec.write_game(game)) == game


def test_a_finished_match_of_the_first_schema_reads_as_todays() -> None:
    game = codec.read_game(sample(1)["over"])
    assert game.phase is Phase.OVER
    assert game.result is not None
    assert [(place.name, place.chips, place.place) for place in game.result.places] == [
        ("Alice", 900, 1),
        ("Bob", 900, 2),
    ]
    assert game.score[0].wins == 1
    assert codec.read_game(codec.write_game(game)) == game


def test_a_match_of_the_first_schema_plays_on(db: None, seeds: Seeds, clock: FrozenClock) -> None:
    stored = sample(1)
    store(todays, stored["playing"], stored["game"], finished=False)
    table = Friends(CODE, seeds, clock)
    assert table.ask(ALICE).kind == "turn"
    table.answer(ALICE, "stand")
    table.answer(BOB, "stand")
    check_played_on(table)


def check_played_on(table: Friends) -> None:
    """Its rounds of both schemas are readable while it runs and when it is over."""
    assert (table.view.phase, table.view.round_number) == ("betting", 3)
    assert [row.schema for row in Round.objects.all()] == [1, codec.SCHEMA]
    page = history.game_page(Game.objects.get(), code="")
    assert [(one.number, len(one.seed)) for one in page.rounds_list] == [(1, 64), (2, 64)]
    assert [seat.hands for seat in page.rounds_list[1].seats] == [
        seat.hands for seat in table.view.seats if seat.player
    ]
    while table.view.phase != "over":
        table.round(ALICE, BOB)
    game = Game.objects.get()
    assert (game.reason, game.played.count()) == ("rounds", 10)
    held = {seat.name: seat.chips for seat in table.view.seats if seat.player}
    assert {one.nickname: one.chips for one in GamePlayer.objects.all()} == held
    page = history.game_page(game, code="")
    assert {line.name: line.chips for line in page.standings} == held
    for row in Round.objects.all():
        state = record_of(row).replay(Rules.from_json(game.rules))
        assert state is not None
        assert [hand.cards for hand in row.hands.all()] in (
            [],  # the sample keeps no rows of hands
            [format_cards(hand.cards) for box in state.boxes for hand in box.hands],
        )


def test_after_a_match_of_the_first_schema_the_next_one_can_be_played(
    db: None, seeds: Seeds, clock: FrozenClock
) -> None:
    stored = sample(1)
    store(todays, stored["over"], stored["game"], finished=True)
    table = Friends(CODE, seeds, clock)
    assert table.view.result is not None
    assert [line.name for line in table.view.result.standings] == ["Alice", "Bob"]
    table.command(BOB, "ready", ready="1")
    table.command(ALICE, "start")
    table.round(ALICE, BOB)
    assert table.view.game == 2
    assert Shoe.objects.get().game.number == 2
    assert Round.objects.filter(game__number=2).count() == 1


def test_a_game_of_the_first_schema_can_be_looked_at(db: None, client: Any) -> None:
    stored = sample(1)
    store(todays, stored["over"], stored["game"], finished=True)
    page = history.game_page(Game.objects.get(), code="")
    assert (page.reason, page.winner, page.played) == ("last_left", "Alice", 2)
    assert [(line.name, line.chips, line.status) for line in page.standings] == [
        ("Alice", 900, "in"),
        ("Bob", 900, "resigned"),
    ]
    first, second = page.rounds_list
    seed = stored["playing"]["seed"]
    assert (first.seed, second.seed, first.spare) == (seed, seed, "")
    assert first.commitment == stored["game"]["rounds_played"][0]["record"]["commitment"]
    assert {seat.name: seat.net for seat in first.seats} == {"Alice": -100, "Bob": -50}
    assert second.log[-1].kind == "resigned"
    assert client.get("/games/game1/").status_code == 200
    (line,), _more = history.listed_games()
    assert (line.winner, line.chips, line.rounds) == ("Alice", 900, 2)


@pytest.mark.django_db(transaction=True)
def test_a_database_of_the_first_schema_is_brought_forward_and_plays_on(
    before_stacks: Callable[[], Any], seeds: Seeds, clock: FrozenClock
) -> None:
    stored = sample(1)
    store(before_stacks(), stored["playing"], stored["game"], finished=False)
    call_command("migrate", verbosity=0)
    assert [(one.stack, one.seat, one.highest, one.refills) for one in GamePlayer.objects.all()] == [
        ("1", 1, 1000, 0),
        ("2", 2, 1000, 0),
    ]
    row = Table.objects.get()
    assert (row.running, row.empty_since) == (True, None)
    table = Friends(CODE, seeds, clock)
    table.answer(ALICE, "stand")
    table.answer(BOB, "stand")
    check_played_on(table)
    assert GamePlayer.objects.filter(won=True).count() <= 1


@pytest.mark.django_db(transaction=True)
def test_a_table_where_no_match_runs_is_not_brought_forward_as_running(
    before_stacks: Callable[[], Any],
) -> None:
    stored = sample(1)
    store(before_stacks(), stored["over"], stored["game"], finished=True)
    call_command("migrate", verbosity=0)
    assert not Table.objects.get().running
    assert {one.highest for one in GamePlayer.objects.all()} == {900}
