"""The games as their own documents describe them, case by case.

The documents are the rules pages of five games: blackjack among friends, the live table, the shoe game
("Black Jack: правила игры"), the common variations ("Правилата на играта Блекджек") and blackjack with one
deck ("Одноколодый блэкджек"). Each file in `cases/` takes up one switch or one topic. A case says in one
sentence what it proves, then a round in the case format and its whole answer; `after` says what stands before
each of its actions, the main fields or all of them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cases import settle
from engine.rules import Rules

CASES = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "cases").glob("*.json"))
}

# Every value of every switch that acts inside a round, and the file that plays it.
VALUES: dict[str, tuple[Any, ...]] = {
    "decks": (1, 2, 3, 4, 5, 6, 7, 8),
    "hole_card": ("peek", "none"),
    "soft_17": ("stand", "hit"),
    "blackjack_pays": ("3:2", "6:5", "1:1"),
    "double_on": ("any", "9-11", "10-11", "no_aces"),
    "double_after_split": (True, False),
    "split_by": ("value", "rank"),
    "max_hands": (1, 2, 3, 4),
    "split_aces": (True, False),
    "resplit_aces": (True, False),
    "surrender": ("none", "any", "not_ace_ten"),
    "surrender_until": ("own_action", "first_draw"),
    "insurance": ("half", "up_to_half", "none"),
    "even_money": ("insurance", "ace", "ace_or_ten"),
    "charlie": (None, 5, 6, 7),
    "box_limit": ("each", "shared"),
    "boxes": (1, 2, 3, 4, 5, 6, 7),
    "boxes_per_player": (1, 2, 3, 4, 5, 6, 7),
    "pair_bets": (True, False),
    "backing": (True, False),
    "players_may_back": (True, False),
    "on_timeout": ("stand", "hit_to_12"),
}


def every_case() -> list[Any]:
    return [
        pytest.param(case, id=f"{topic}: {case['name']}") for topic, cases in CASES.items() for case in cases
    ]


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """What the engine says, the legal moves in one order and without the words of an error."""
    return in_order(settle(json.dumps(case)))


def in_order(told: dict[str, Any]) -> dict[str, Any]:
    if "legal" in told:
        assert len(set(told["legal"])) == len(told["legal"])
        told = {**told, "legal": sorted(told["legal"])}
    return {field: value for field, value in told.items() if field != "detail"}


@pytest.mark.parametrize("case", every_case())
def test_a_case_ends_as_the_documents_say(case: dict[str, Any]) -> None:
    told = answer(case["case"])
    assert told == in_order(case["answer"])
    # 1, 1.0 and true are three things in JSON.
    assert json.dumps(told, sort_keys=True) == json.dumps(in_order(case["answer"]), sort_keys=True)


@pytest.mark.parametrize("case", [one for one in every_case() if "after" in one.values[0]])
def test_a_case_stands_as_the_documents_say_before_each_action(case: dict[str, Any]) -> None:
    actions = case["case"]["actions"]
    assert len(case["after"]) == len(actions)
    for taken, expected in enumerate(case["after"]):
        told = answer({**case["case"], "actions": actions[:taken]})
        assert {field: told[field] for field in expected} == in_order(expected), actions[:taken]


@pytest.mark.parametrize("switch", VALUES)
def test_every_value_of_a_switch_is_played(switch: str) -> None:
    played = []
    for case in CASES[switch]:
        if "error" not in case["answer"]:
            played.append(Rules.from_json(case["case"]["rules"]).to_json()[switch])
    assert len(played) >= 3
    assert set(map(repr, played)) == set(map(repr, VALUES[switch]))


def test_no_two_cases_say_the_same() -> None:
    for cases in CASES.values():
        assert len({case["name"] for case in cases}) == len(cases)
        assert len({json.dumps(case["case"], sort_keys=True) for case in cases}) == len(cases)
