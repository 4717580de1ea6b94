"""`manage.py verify_games` finds damage in whatever column it is, and says so in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, connection, models, transaction

from engine.game import Kind
from tables.models import Game, GamePlayer, Round, Shoe
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, Friends, FrozenClock

EARLIER, LATER = "2020-01-01 00:00:00", "2999-01-01 00:00:00"
WRONG = (None, "", "zzz", "[]", "{", 0, 1, 5, -1, 10**17, 10**30, 1.5, EARLIER, LATER, b"\xff\x00")
WRONG_JSON: tuple[Any, ...] = (
    None,
    "",
    "zzz",
    5,
    -1,
    10**30,
    1.5,
    True,
    [],
    [[]],
    ["?"],
    {},
    {"1": "?"},
    {"?": 1},
)
MISSING = object()

# Which of the games of a table it is, who may find it, whose browser played: nothing else says so.
NOT_KNOWN = {("game", "number"), ("game", "listed"), ("game", "table_id"), ("gameplayer", "guest_id")}
# Keys of rows that nothing points at.
NOT_KNOWN |= {("gameplayer", "id"), ("shoe", "id"), ("round", "id")}
# A table may have waited for its first round for years.
NOT_KNOWN_VALUES = {("game", "started", EARLIER)}
PYTHON = re.compile(r"Error\(|Error:|object is|unpack|NoneType|attribute|Traceback|literal|' and '|\[Errno")


def found() -> str:
    """What the command finds, "" for nothing; any exception but its own is a fault."""
    try:
        call_command("verify_games", stdout=StringIO())
    except CommandError as difference:
        error = difference
    else:
        return ""
    said = str(error)
    assert said.startswith("Game ")
    assert not PYTHON.search(said), said
    assert "\n" not in said
    assert error.returncode == 1
    return said


@pytest.fixture
def over(playing: Friends, clock: FrozenClock) -> Game:
    for _ in range(2):
        clock.advance(1)
        playing.round(ALICE, BOB)
    clock.advance(1)
    playing.command(BOB, "resign")
    assert found() == ""
    return Game.objects.get()


def damaged(row: models.Model, column: Any, value: Any) -> str | None:
    """What is found with that one value stored; None where the database takes no such value."""
    table, key = row._meta.db_table, row._meta.pk
    assert key is not None
    point = transaction.savepoint()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            named = f"UPDATE {table} SET {column.column} = %s WHERE {key.column} = %s"  # noqa: S608
            cursor.execute(named, [str(value) if value == 10**30 else value, row.pk])
            cursor.execute(f"SELECT {column.column} FROM {table}")  # noqa: S608
    except Error:
        return None
    try:
        return found()
    finally:
        transaction.savepoint_rollback(point)


def stored_now(row: models.Model, column: Any) -> Any:
    with connection.cursor() as cursor:
        key = row._meta.pk
        assert key is not None
        cursor.execute(
            f"SELECT {column.column} FROM {row._meta.db_table} WHERE {key.column} = %s",  # noqa: S608
            [row.pk],
        )
        return cursor.fetchone()[0]


@pytest.mark.parametrize("model", [Game, GamePlayer, Shoe, Round])
def test_each_column_that_can_be_known_is_compared(over: Game, model: Any) -> None:
    row = model.objects.order_by("pk").first()
    tried, missed = 0, []
    for column in model._meta.concrete_fields:
        now = stored_now(row, column)
        for value in WRONG:
            if value == now or str(value) == now:
                continue
            said = damaged(row, column, value)
            tried += said is not None
            place = (model._meta.model_name, column.attname)
            if said == "" and place not in NOT_KNOWN and (*place, value) not in NOT_KNOWN_VALUES:
                missed.append((*place, value))
    assert tried > len(model._meta.concrete_fields)
    assert missed == []


def spoiled(value: Any, wrongs: Sequence[Any] = WRONG_JSON) -> Iterator[tuple[str, Any]]:
    """The value with each of its members replaced or taken away, one at a time."""
    for name in value if isinstance(value, dict) else range(len(value)):
        for wrong in (*wrongs, MISSING):
            if wrong is not MISSING and json.dumps(wrong) == json.dumps(value[name]):
                continue
            copy = json.loads(json.dumps(value))
            if wrong is MISSING:
                del copy[name]
            else:
                copy[name] = wrong
            yield str(name), copy


# Figures are summed up anew where there are none, and only the engine counts its questions.
JSON_NOT_KNOWN = {("record", "first_question"), ("record", "figures")}


@pytest.mark.parametrize(("model", "name"), [(Round, "record"), (Game, "result"), (Game, "rules")])
def test_each_member_of_what_is_stored_as_json_is_compared(over: Game, model: Any, name: str) -> None:
    row = model.objects.order_by("pk").first()
    column = model._meta.get_field(name)
    missed = []
    for member, value in spoiled(getattr(row, name), WRONG_JSON if name != "rules" else (None, "zzz", [])):
        said = damaged(row, column, json.dumps(value))
        if said == "" and (name, member) not in JSON_NOT_KNOWN and name != "rules":
            missed.append((member, value.get(member, "missing")))
    assert missed == []


@pytest.mark.parametrize("member", [0, 1])
def test_each_member_of_a_place_is_compared(over: Game, member: int) -> None:
    assert over.result is not None
    for name, places in spoiled(over.result["places"][member]):
        changed = {**over.result, "places": list(over.result["places"])}
        changed["places"][member] = places
        assert damaged(over, Game._meta.get_field("result"), json.dumps(changed)), name


def test_what_can_not_be_read_is_named_in_words(over: Game) -> None:
    second = Round.objects.get(number=2)
    record = {name: value for name, value in second.record.items() if name != "shoe"}
    shoe = Shoe.objects.get(number=1)
    for row, name, value, said in (
        (over, "kind", "zzz", "its kind can not be read: there is no such kind of game"),
        (over, "rules", "[]", "its rules can not be read: rules_not_an_object"),
        (over, "started", "zzz", "its started can not be read"),
        (shoe, "seed", "zz", "its seed of shoe 1 can not be read: it has not 64 hex digits"),
        (second, "schema", 99, "round 2: its record can not be read: a newer program wrote its schema, 99"),
        (second, "record", json.dumps(record), "round 2: its record can not be read: record.shoe is missing"),
        (
            second,
            "record",
            json.dumps({**second.record, "chips_after": 5}),
            "round 2: its record can not be read: record.chips_after has the wrong type",
        ),
    ):
        assert (damaged(row, row._meta.get_field(name), value) or "").startswith(f"Game {over.pk}, {said}")


def test_a_seed_that_no_round_used_and_a_shoe_in_use_are_held_to_their_hashes(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, boxes=2, decks=2, cut_card=0.4)
    table.round(ALICE, BOB)
    game = Game.objects.get()
    for over in (False, True):
        while over and table.view.published is None:
            table.round(ALICE, BOB)
        shoe = Shoe.objects.get(number=1)
        assert (shoe.finished is not None) == over
        assert found() == ""
        for name, said in (
            ("spare", "spare_commitment (shoe=1, "),
            ("commitment", "commitment (shoe=1, "),
            ("spare_commitment", "spare_commitment (shoe=1, "),
        ):
            wrong = damaged(shoe, Shoe._meta.get_field(name), "00" * 32) or ""
            assert wrong.startswith(f"Game {game.pk}, {said}"), wrong


def test_a_clock_that_was_set_back_is_no_difference(over: Game, table_of: Play, clock: FrozenClock) -> None:
    for kind in (Kind.MATCH, Kind.OPEN):
        table = table_of(kind, "openseat" if kind is Kind.MATCH else "casino8", BOB)
        if kind is Kind.MATCH:
            table.start()
        clock.advance(1)
        table.round(ALICE, BOB)
        clock.now -= timedelta(hours=2)
        table.round(ALICE, BOB)
        assert found() == ""
    assert Game.objects.filter(played__number=2).count() == 3


def test_a_row_too_many_or_too_few_is_found(over: Game) -> None:
    for model in (GamePlayer, Shoe, Round):
        for row in model._default_manager.all():
            point = transaction.savepoint()
            row.delete()
            assert found(), row
            transaction.savepoint_rollback(point)
    GamePlayer.objects.create(game=over, stack="p9", seat=0, player="x", nickname="Eve", chips=1)
    assert "players" in found()
