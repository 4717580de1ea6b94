"""Every switch, action and event says what it means."""

import inspect
import re
from dataclasses import fields
from enum import Enum
from typing import get_args, get_type_hints

import pytest

from engine.actions import Move, TableAction
from engine.events import RoundEvent
from engine.rules import Rules

SWITCHES = [
    kind for kind in get_type_hints(Rules).values() if isinstance(kind, type) and issubclass(kind, Enum)
]
SAID: set[type] = {*get_args(Move), *get_args(TableAction), *get_args(RoundEvent)}


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_value_of_a_switch_has_its_meaning(switch: type[Enum]) -> None:
    said = re.findall(r"^ +- (\w+): \w", vars(switch)["__doc__"] or "", re.MULTILINE)
    assert said == [value.name for value in switch]


def test_every_other_switch_has_its_meaning_and_its_unit() -> None:
    source = inspect.getsource(Rules)
    silent = [
        field.name
        for field in fields(Rules)
        if get_type_hints(Rules)[field.name] not in SWITCHES
        and not re.search(rf"    # .*\n    {field.name}: ", source)
    ]
    assert silent == []


@pytest.mark.parametrize("said", sorted(SAID, key=str))
def test_every_action_and_event_has_its_meaning(said: type) -> None:
    # A dataclass without words of its own is described by its signature.
    assert not (said.__doc__ or f"{said.__name__}(").startswith(f"{said.__name__}(")
