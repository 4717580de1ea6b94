"""What earlier versions stored is read by this one: tables play on, games can be looked at."""

from __future__ import annotations

import json
from collections import Counter
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
from engine.shoe import commitment
from tables import codec, history, services
from tables.models import Game, GamePlayer, Guest, Participant, Round, Shoe, Table
from tests.tables.friends import (
    ALICE,
    BOB,
    CAROL,
    MALLORY,
    START,
    Friends,
    FrozenClock,
    Seeds,
    record_of,
    round_pages,
)

DATA = Path(__file__).parent.parent / "data"
CODE = "abcdefghjkmn23"
HASHES = (("commitment", "seed"), ("spare_commitment", "spare"))
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
    assert [(one.number, len(one.seed)) for one in round_pages(page)] == [(1, 64), (2, 64)]
    assert [seat.hands for seat in round_pages(page)[1].seats] == [
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
        assert row.record["chips_after"] == state.chips


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
    assert (page.reason, page.winner, page.played, page.backers) == ("last_left", "Alice", 2, [])
    assert [(line.name, line.chips, line.status) for line in page.standings] == [
        ("Alice", 900, "in"),
        ("Bob", 900, "resigned"),
    ]
    first, second = round_pages(page)
    seed = stored["playing"]["seed"]
    assert (first.seed, second.seed, first.spare) == (seed, seed, "")
    assert first.commitment == stored["game"]["rounds_played"][0]["record"]["commitment"]
    assert {seat.name: seat.net for seat in first.seats} == {"Alice": -100, "Bob": -50}
    assert second.log[-1].kind == "resigned"
    assert client.get("/games/game1/").status_code == 200


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


@pytest.mark.django_db(transaction=True)
def test_shoes_of_before_their_hashes_were_kept_get_those_of_their_seeds() -> None:
    try:
        executor = MigrationExecutor(connection)
        before = executor.migrate([("tables", "0008_drop_hands")]).apps
        game = before.get_model("tables", "Game").objects.create(
            id="game1", table_code=CODE, number=1, rules={}, rounds=0, started=START, rule_set=""
        )
        seeds = ("11" * 32, "22" * 32), ("33" * 32, ""), ("no seed", "")
        for number, (seed, spare) in enumerate(seeds, 1):
            before.get_model("tables", "Shoe").objects.create(
                game=game, number=number, seed=seed, spare=spare
            )
    finally:
        call_command("migrate", verbosity=0)
    assert list(Shoe.objects.values_list("commitment", "spare_commitment")) == [
        (commitment(bytes([0x11] * 32)), commitment(bytes([0x22] * 32))),
        (commitment(bytes([0x33] * 32)), ""),
        ("", ""),
    ]


# The second schema: a shoe game with several boxes, whose first shoe ended with a void round


@pytest.fixture
def shoe_game(db: None, seeds: Seeds, clock: FrozenClock) -> Friends:
    return store_open_table(2, "playing", seeds, clock)


def store_open_table(schema: int, state: str, seeds: Seeds, clock: FrozenClock) -> Friends:
    stored = sample(schema)
    game = stored["game"]
    table = Table.objects.create(
        code=CODE,
        kind="open",
        listed=True,
        created=START,
        touched=START,
        state=json.dumps(stored[state]),
        phase=stored[state]["phase"],
        deadline=START + timedelta(seconds=20),
        rounds=0,
        game_number=1,
        round_number=stored[state]["round_number"],
        seated=len(stored[state]["seats"]),
        running=True,
        host_player=stored[state]["host"],
    )
    row = Game.objects.create(
        id="game1", table=table, number=1, kind="open", rules=game["rules"], rounds=0, started=START
    )
    for player, who in zip(game["players"], (ALICE, BOB, CAROL, MALLORY), strict=False):
        guest = Guest.objects.create(id=who, nickname=player["nickname"], created=START, seen=START)
        GamePlayer.objects.create(game=row, guest=guest, **player)
        Participant.objects.create(
            table=table,
            guest=guest,
            player=player["player"],
            nickname=player["nickname"],
            nickname_key=player["nickname"],
            seat_secret=player["nickname"],
            joined=START,
        )
    for shoe in game["shoes"]:
        hashes = {name: commitment(bytes.fromhex(shoe[seed])) if shoe[seed] else "" for name, seed in HASHES}
        finished = START if shoe["finished"] else None
        Shoe.objects.create(game=row, **{**shoe, **hashes, "finished": finished})
    for played in game["rounds_played"]:
        Round.objects.create(game=row, finished=START, **played)
    return Friends(CODE, seeds, clock)


def test_a_shoe_game_of_the_second_schema_reads_as_todays() -> None:
    game = codec.read_game(sample(2)["playing"])
    assert (game.phase, game.number, game.round_number, game.begun) == (Phase.PLAYING, 1, 7, True)
    assert [(seat.number, seat.name, seat.stack, seat.bet) for seat in game.seats] == [
        (1, "Alice", "p1", 20),
        (3, "Alice", "p1", 30),
        (5, "Bob", "p2", 100),
    ]
    assert [(one.name, one.chips, one.highest, one.refills) for one in game.purses] == [
        ("Alice", 1275, 1375, 0),
        ("Bob", 1000, 1100, 1),
    ]
    assert game.round is not None
    assert len(game.round.box(1).hands[0].cards) == 3
    assert game.shoe is not None
    assert (game.shoe.number, game.shoe.dealt) == (2, 42)
    assert game.published is not None
    assert game.published.number == 1
    assert codec.read_game(codec.write_game(game)) == game


def test_bets_of_the_second_schema_still_lie() -> None:
    game = codec.read_game(sample(2)["betting"])
    assert (game.phase, [seat.bet for seat in game.seats]) == (Phase.BETTING, [20, 0, 0])
    assert codec.read_game(codec.write_game(game)) == game


def test_a_shoe_game_of_the_second_schema_plays_on(shoe_game: Friends) -> None:
    assert [ask.ask for ask in shoe_game.own(ALICE).asks] == ["7.80"]
    shoe_game.stand()
    assert shoe_game.view.round_number == 8
    shoe_game.round(ALICE, BOB)
    game = Game.objects.get()
    assert [row.number for row in game.played.all()] == list(range(1, 9))
    for row in game.played.filter(number__gt=6):
        state = record_of(row).replay(Rules.from_json(game.rules))
        assert state is not None
        assert row.record["chips_after"] == state.chips
    page = history.game_page(game, code="")
    assert [one.shoe for one in round_pages(page)] == [1, 1, 2, 2, 2, 2, 2, 2]
    assert {line.name: line.chips for line in page.standings} == {
        purse.name: purse.chips for purse in shoe_game.seen().game.purses
    }


def test_nobody_bets_behind_at_a_table_of_the_second_schema(
    db: None, seeds: Seeds, clock: FrozenClock
) -> None:
    table = store_open_table(2, "betting", seeds, clock)
    services.join(CODE, CAROL, "Carol", sit=False)
    assert (table.own(CAROL).backing, table.view.backers) == (None, ())


def test_undealt_bets_of_the_second_schema_play_on(db: None, seeds: Seeds, clock: FrozenClock) -> None:
    table = store_open_table(2, "betting", seeds, clock)
    table.bet(ALICE, 30, box=3)
    table.bet(BOB, 100)
    table.stand()
    assert table.view.round_number == 8


def test_rounds_of_the_second_schema_rebuild_to_what_was_paid(shoe_game: Friends) -> None:
    game, seen = Game.objects.get(), sample(2)["game"]["hands"]
    for row in game.played.all():
        record = record_of(row)
        state = record.replay(Rules.from_json(game.rules))
        assert state is not None
        rebuilt = [
            [box.number, format_cards(hand.cards), hand.stakes[0].bet, hand.stakes[0].paid]
            for box in state.boxes
            for hand in box.hands
        ]
        then = [
            [seat, cards, bet, paid]
            for number, seat, _, _, cards, bet, _, paid in seen
            if number == row.number
        ]
        assert then == ([] if record.void else rebuilt)
    page = history.game_page(game, code="")
    assert (page.backers, [one.crowds for one in round_pages(page)]) == ([], [{}] * 6)
    assert [one.void for one in round_pages(page)] == [False, True, False, False, False, False]
    assert [bool(one.seed) for one in round_pages(page)] == [True, True, False, False, False, False]


def test_a_result_of_the_second_schema_reads_as_todays() -> None:
    result = codec.read_result(sample(2)["result"])
    assert (result.reason.value, result.winner) == ("empty", None)
    assert [(one.name, one.chips, one.place, one.refills, one.highest) for one in result.places] == [
        ("Alice", 1225, 1, 0, 1375),
        ("Bob", 900, 2, 1, 1100),
    ]
    assert codec.read_result(codec.write_result(result)) == result


# The third schema: a live table with two who bet behind, one of whose rounds is void


def test_bets_behind_of_the_third_schema_read_as_todays() -> None:
    stored = sample(3)
    betting, playing = codec.read_game(stored["betting"]), codec.read_game(stored["playing"])
    assert [
        (one.name, [(laid.box, laid.bet, laid.pair) for laid in one.laid]) for one in betting.backers
    ] == [
        ("Carol", [(1, 50, 10)]),
        ("Mallory", [(1, 20, 0), (2, 0, 20)]),
    ]
    assert playing.round is not None
    assert [(asked.box, asked.backer) for asked in playing.round.questions] == [(1, "p4")]
    assert [(one.name, one.chips, one.backed) for one in playing.purses[2:]] == [
        ("Carol", 865, 5),
        ("Mallory", 920, 5),
    ]
    for game in (betting, playing):
        assert codec.read_game(codec.write_game(game)) == game


def test_a_live_table_of_the_third_schema_plays_on(db: None, seeds: Seeds, clock: FrozenClock) -> None:
    table = store_open_table(3, "playing", seeds, clock)
    assert [ask.kind for ask in table.own(MALLORY).asks] == ["follow_double"]
    table.answer(MALLORY, "follow")
    while table.view.phase != "betting":
        table.run_out()
    row = Round.objects.get(number=5)
    assert [one[:3] for one in row.record["behind"]] == [["p3", 1, 50], ["p4", 1, 20], ["p4", 2, 0]]
    page = history.game_page(Game.objects.get(), code="")
    held = {purse.name: purse.chips for purse in table.seen().game.purses}
    players = {one.name: one.chips for one in page.standings}
    assert players | {one.name: one.chips for one in page.backers} == held
    assert [(one.name, one.rounds, one.net) for one in page.backers] == sorted(
        [(name, 5, held[name] - 1000) for name in ("Carol", "Mallory")], key=lambda one: -one[2]
    )


def test_rounds_of_the_third_schema_rebuild_to_what_everybody_held(
    db: None, seeds: Seeds, clock: FrozenClock
) -> None:
    store_open_table(3, "playing", seeds, clock)
    game = Game.objects.get()
    for row in game.played.all():
        state = record_of(row).replay(Rules.from_json(game.rules))
        assert state is not None
        chips = row.record["chips"] if row.record["void"] else state.chips
        assert row.record["chips_after"] == chips
    page = history.game_page(game, code="")
    assert [one.void for one in round_pages(page)] == [False, True, False, False]
    assert {one.name: one.net for one in page.backers} == {"Carol": -135, "Mallory": -80}
    brought = Counter[str]()
    for shown in round_pages(page):
        for crowd in shown.crowds.values():
            for one in crowd.backers:
                brought[one.name] += one.bet.net
    assert brought == {"Carol": -135, "Mallory": -80}
