from __future__ import annotations

from dataclasses import fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest

from engine.rules import PRESETS, Rules
from tables import rules_words

SWITCHES = [field.name for field in fields(Rules)]


def test_every_switch_has_its_row_in_one_section() -> None:
    told = [switch for switches in rules_words.SECTIONS.values() for switch in switches]
    assert sorted(told) == sorted(SWITCHES)
    assert set(rules_words.ROWS) == set(SWITCHES)


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_can_be_told(name: str) -> None:
    rules = PRESETS[name]
    assert name in rules_words.title(rules)
    assert all(what and value for _, rows in rules_words.sections(rules) for what, value, _ in rows)


@pytest.mark.parametrize("switch", SWITCHES)
def test_another_value_is_told_in_other_words(switch: str) -> None:
    """Where a switch can act at all, its row changes with it."""
    rules = replace(PRESETS["classic6"], charlie=None)
    values = others(getattr(rules, switch), switch)
    rows = {rules_words.row_of(switch, with_switch(rules, switch, value)) for value in values}
    assert len(rows) == len(values)


def with_switch(rules: Rules, switch: str, value: Any) -> Rules:
    return replace(rules, **{switch: value})


def others(value: Any, switch: str) -> list[Any]:
    if isinstance(value, Enum):
        return list(type(value))
    if isinstance(value, bool):
        return [True, False]
    other = {
        "cut_card": 0.5,
        "blackjack_pays": Fraction(6, 5),
        "pair_pays": Fraction(12),
        "charlie": 5,
        "bet_step": 5,
        "bet_seconds": 30,
        "decision_seconds": 30,
        "decks": 8,
        "boxes": 6,
        "max_hands": 3,
        "boxes_per_player": 1,
    }.get(switch)
    if switch == "backer_seconds":
        return [value]
    return [value, other or value * 2]
