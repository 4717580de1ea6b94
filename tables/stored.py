"""What in the rows of a game has not the form it was written in: only a damaged database holds such."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import models

from engine import shapes
from engine.errors import EngineError
from engine.game import Kind
from engine.rules import Rules
from tables import codec
from tables.failures import is_of_the_database
from tables.models import Game, GamePlayer, Round, Shoe

_RECORD = {
    "number": int,
    "shoe": {"number": int, "dealt": int},
    **dict.fromkeys(("bets", "pairs", "stacks", "chips", "chips_after"), dict),
    "behind": [list],
    "moves": [str],
    "sat_out": [int],
    "resigned": [[int]],
    **dict.fromkeys(("broken_off", "void"), bool),
    "first_question": int,
    "notes": [list],
}
_RESULT = {
    "schema": int,
    "reason": str,
    "winner": (int, None),
    "places": [
        {
            **dict.fromkeys(("seat", "chips", "place", "refills", "highest"), int),
            **dict.fromkeys(("player", "name", "status", "stack"), str),
        }
    ],
}
_WORDS = {
    "missing_field": "is missing",
    "unknown_field": "does not belong there",
    "not_an_object": "is no object",
    "not_a_list": "is no list",
    "wrong_type": "has the wrong type",
}


def misshapen(row: models.Model) -> str:
    """The first column of a row that holds what no such column can, in words; "" where all of them may be."""
    for column in row._meta.concrete_fields:
        if not _fits(column, getattr(row, column.attname)):
            return unreadable(row._meta.concrete_model, column)
    return ""


def unreadable(model: Any, column: Any) -> str:
    """That a column of one of these rows can not be read, in words."""
    owner = {GamePlayer: "of a player ", Shoe: "of a shoe "}.get(model, "")
    return f"its {column.name} {owner}can not be read"


def first_unreadable(key: str) -> str:
    """The first of all columns of a stored game that can not be read, in words; each is read by itself. ""
    where all can."""
    of_game = (Game, {"pk": key}), (GamePlayer, {"game": key}), (Shoe, {"game": key}), (Round, {"game": key})
    for model, which in of_game:
        keys = list(model.objects.filter(**which).order_by("pk").values_list("pk", flat=True))
        for pk in keys:
            found = _of_row(model, pk)
            if found:
                return f"{_where(model, pk)}{found}"
    return ""


def _of_row(model: Any, pk: Any) -> str:
    values = {}
    for column in model._meta.concrete_fields:
        try:
            value = model.objects.filter(pk=pk).values_list(column.attname, flat=True).get()
        # Whatever it is that the converters of a column do not expect.
        except Exception as error:
            if is_of_the_database(error):
                raise
            return unreadable(model, column)
        if not _fits(column, value):
            return unreadable(model, column)
        values[column.attname] = value
    return next((found for found in _wrong_values(model, values)), "")


def _wrong_values(model: Any, row: Mapping[str, Any]) -> Iterator[str]:
    if model is Game:
        if row["kind"] not in {kind.value for kind in Kind}:
            yield "its kind can not be read: there is no such kind of game"
        try:
            Rules.from_json(row["rules"])
        except EngineError as error:
            yield f"its rules can not be read: {error}"
        # Whatever it is that is no rules.
        except Exception:
            yield "its rules can not be read: they have not the form of rules"
        if row["result"] is not None:
            yield from _told("result", result_form(row["result"]))
    if model is Shoe:
        for name in ("seed", "spare", "commitment", "spare_commitment"):
            if not is_seed(row[name]) and (row[name] or not name.startswith("spare")):
                yield f"its {name} of shoe {row['number']} can not be read: it has not 64 hex digits"
    if model is Round:
        yield from _told("record", record_form(row["schema"], row["record"]))


def is_seed(text: object) -> bool:
    """Whether it is written as the seed of a shoe is."""
    return isinstance(text, str) and shapes.HEX.fits(text) is not None


def _told(name: str, why: str) -> Iterator[str]:
    if why:
        yield f"its {name} can not be read: {why}"


def _where(model: Any, pk: Any) -> str:
    if model is Round:
        number = Round.objects.filter(pk=pk).values_list("number", flat=True).first()
    else:
        return ""
    return f"round {number}: "


def record_form(schema: Any, record: Any) -> str:
    """What is wrong with the form of the record of a round, in words; "" where nothing is."""
    if not isinstance(schema, int) or schema < 1:
        return f"there is no schema {schema}"
    if schema > codec.SCHEMA:
        return f"a newer program wrote its schema, {schema}"
    if schema == 1:
        return ""
    known = (
        {name: value for name, value in record.items() if name != "figures"} if _object(record) else record
    )
    return _form(known, _RECORD, "record") or _numbers(record)


def result_form(result: Any) -> str:
    """What is wrong with the form of the result of a game, in words; "" where nothing is."""
    if not _object(result) or result.get("schema") != codec.SCHEMA:
        return "" if _object(result) and result.get("schema") in range(1, codec.SCHEMA) else "no known schema"
    return _form(result, _RESULT, "result")


def _numbers(record: Mapping[str, Any]) -> str:
    for name in ("bets", "pairs", "chips", "chips_after"):
        for of, chips in record[name].items():
            if not isinstance(chips, int) or isinstance(chips, bool):
                return f"record.{name}.{of} has the wrong type"
    return ""


def _form(value: Any, shape: shapes.Shape, name: str) -> str:
    try:
        shapes.check(value, shape, name)
    except EngineError as error:
        return f"{error.params.get('field', name)} {_WORDS.get(error.code, 'has the wrong form')}"
    return ""


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _fits(column: Any, value: Any) -> bool:
    if value is None:
        return bool(column.null)
    match column:
        case models.ForeignKey():
            return _fits(column.target_field, value)
        case models.JSONField():
            return True
        case models.BooleanField():
            return isinstance(value, bool)
        case models.DateTimeField():
            return isinstance(value, datetime)
        case models.CharField():
            return isinstance(value, str) and len(value) <= (column.max_length or math.inf)
        case models.IntegerField():
            least = 0 if column.get_internal_type().startswith("Positive") else -math.inf
            return isinstance(value, int) and least <= value
    return True
