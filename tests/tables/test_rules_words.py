from __future__ import annotations

from dataclasses import fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest

from engine.rules import PRESETS, Rules, Soft17, Surrender
from tables import rule_sets, rules_words

SWITCHES = [field.name for field in fields(Rules)]


def rows_of(rules: Rules) -> dict[str, rules_words.Row]:
    return {row.switch: row for section in rules_words.sections(rules) for row in section.rows}


def test_every_switch_has_its_row_in_one_section() -> None:
    told = [switch for switches in rules_words.SECTIONS.values() for switch in switches]
    assert sorted(told) == sorted(SWITCHES)
    assert set(rules_words.LINES) == set(SWITCHES)


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_can_be_told(name: str) -> None:
    rows = rows_of(PRESETS[name])
    assert all(row.what and row.value for row in rows.values())
    assert not [row for row in rows.values() if row.instead]


@pytest.mark.parametrize("switch", SWITCHES)
def test_another_value_is_told_in_other_words(switch: str) -> None:
    """Where a switch can act at all, its row changes with it."""
    rules = replace(PRESETS["classic6"], charlie=None)
    values = others(getattr(rules, switch), switch)
    rows = {rules_words.row(switch, with_switch(rules, switch, value)) for value in values}
    assert len(rows) == len(values)


def test_what_can_not_act_is_not_told() -> None:
    rules = replace(PRESETS["openseat"], max_hands=1, surrender=Surrender.NONE, bet_seconds=None)
    rows = rows_of(replace(rules, decision_seconds=None, backing=False, pair_bets=False))
    silent = {"cut_card", "surrender_until", "double_after_split", "split_by", "split_aces", "resplit_aces"}
    silent |= {"on_timeout", "backer_seconds", "players_may_back", "pair_pays", "box_limit"}
    assert not silent & set(rows)


def test_there_is_nothing_to_know_about_what_a_table_does_not_have() -> None:
    rows = rows_of(replace(PRESETS["openseat"], split_aces=False))
    assert (rows["surrender"].value, rows["surrender"].note) == ("no", "")
    assert rows["split_aces"].note == ""


def test_numbers_are_written_the_american_way() -> None:
    rows = rows_of(PRESETS["single-vip"])
    assert (rows["max_bet"].value, rows["starting_chips"].value) == ("5,000", "10,000")


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("openseat", set()),
        ("casino8", {"hole_card", "double_after_split", "cut_card"}),
        ("classic6", {"hole_card", "surrender_until"}),
        ("single-standard", {"split_by", "even_money"}),
        ("single-vip", {"split_by", "even_money"}),
    ],
)
def test_lines_that_are_our_own_choice_say_so(name: str, choices: set[str]) -> None:
    chips_and_clock = {"starting_chips", "min_bet", "max_bet", "bet_step", "bet_seconds", "decision_seconds"}
    rows = rows_of(PRESETS[name])
    told = {row.switch for row in rows.values() if row.choice} - {"pair_pays", "backing"}
    assert told == (choices | chips_and_clock if choices else set())
    assert rows["pair_pays"].choice
    assert rows["backing"].choice


def test_another_clock_is_the_host_s_choice_and_not_ours() -> None:
    assert rows_of(replace(PRESETS["casino8"], bet_seconds=60))["bet_seconds"].choice == ""


def test_own_rules_mark_what_differs_from_the_nearest_preset() -> None:
    rules = replace(PRESETS["casino8"], soft_17=Soft17.HIT, decks=6)
    rows = rows_of(rules)
    assert rule_sets.nearest(rules) == rule_sets.Nearest("casino8", frozenset({"soft_17", "decks"}))
    assert {switch for switch, row in rows.items() if row.instead} == {"soft_17", "decks"}
    assert rows["decks"].instead == "8"
    assert not [row for row in rows.values() if row.choice]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_keeps_its_name_whatever_its_clock_and_side_bets(name: str) -> None:
    free = replace(PRESETS[name], bet_seconds=None, decision_seconds=60, pair_bets=False, backing=False)
    assert rule_sets.name_of(free) == name
    assert rule_sets.name_of(replace(free, starting_chips=12_340)) == "custom"


def test_every_preset_has_its_words() -> None:
    for name in (*PRESETS, rule_sets.CUSTOM):
        assert rule_sets.title(name)
        assert rule_sets.CHARACTERS[name]
        assert rule_sets.KINDS[name]
    assert len({rule_sets.title(name) for name in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize(("name", "back"), [("openseat", "99.59"), ("classic6", "100.19")])
def test_the_return_is_told_in_per_cent(name: str, back: str) -> None:
    assert rule_sets.payback(PRESETS[name]) == f"{back}\N{NO-BREAK SPACE}%"


def test_nobody_tells_a_return_that_nobody_has_computed() -> None:
    assert rule_sets.payback(replace(PRESETS["openseat"], decks=5, soft_17=Soft17.HIT)) == ""


def test_compared_are_first_the_differences_and_then_what_is_the_same() -> None:
    apart, same = rules_words.compared()
    assert all(len(line.cells) == len(PRESETS) for line in apart)
    assert all(not line.cells[0][1] and any(lit for _, lit in line.cells) for line in apart)
    decks = next(line for line in apart if line.what == "Decks")
    assert decks.cells == [("6", False), ("8", True), ("6", False), ("1", True), ("1", True)]
    assert "blackjack_pays" in {row.switch for row in same}


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
