import json
from dataclasses import fields
from types import NoneType
from typing import Any, cast, get_args, get_type_hints

import pytest

from engine.errors import InvalidRules
from engine.rules import PRESETS, Rules, read_switch
from engine.strategy import chart_for

# The table of the rule sets, column by column; what a row leaves out is as in openseat.
OPENSEAT = {
    "decks": 6, "shuffle": "every_round", "cut_card": 0.5, "hole_card": "peek", "soft_17": "stand",
    "blackjack_pays": "3:2", "double_on": "any", "double_after_split": True, "split_by": "value",
    "max_hands": 4, "split_aces": True, "resplit_aces": False, "surrender": "none",
    "surrender_until": "own_action", "insurance": "half", "even_money": "insurance", "charlie": None,
    "min_bet": 10, "max_bet": 500, "bet_step": 10, "box_limit": "each", "starting_chips": 1_000,
    "boxes": 4, "boxes_per_player": 1, "pair_bets": True, "pair_pays": "11:1", "backing": True,
    "players_may_back": False, "bet_seconds": 20, "decision_seconds": 20, "backer_seconds": 5,
    "on_timeout": "stand", "on_failure": "resume",
}  # fmt: skip
CASINO8 = {
    "decks": 8, "shuffle": "cut_card", "max_hands": 2, "surrender": "not_ace_ten", "boxes": 7,
    "bet_seconds": 15, "decision_seconds": 15, "on_timeout": "hit_to_12", "on_failure": "void",
}  # fmt: skip
CLASSIC6 = {
    "shuffle": "cut_card", "cut_card": 0.67, "hole_card": "none", "resplit_aces": True, "surrender": "any",
    "surrender_until": "first_draw", "insurance": "up_to_half", "even_money": "ace",
    "box_limit": "shared", "boxes": 7, "boxes_per_player": 7, "players_may_back": True,
}  # fmt: skip
SINGLE = {
    "decks": 1, "hole_card": "none", "double_on": "no_aces", "double_after_split": False,
    "split_by": "rank", "max_hands": 2, "surrender": "any", "even_money": "ace_or_ten",
}  # fmt: skip
VIP = {**SINGLE, "min_bet": 100, "max_bet": 5_000, "bet_step": 100, "starting_chips": 10_000}
TABLE = {
    "openseat": {}, "casino8": CASINO8, "classic6": CLASSIC6, "single-standard": SINGLE, "single-vip": VIP,
}  # fmt: skip

# Switches that may be null.
NULL = {name for name, kind in get_type_hints(Rules).items() if NoneType in get_args(kind)}


@pytest.mark.parametrize("name", TABLE)
def test_a_preset_is_what_its_column_says(name: str) -> None:
    assert Rules.from_json(name).to_json() == {**OPENSEAT, **TABLE[name]}


def test_there_are_five_presets_and_openseat_is_the_default() -> None:
    assert list(PRESETS) == list(TABLE)
    assert Rules() == PRESETS["openseat"]


def test_the_table_names_every_switch() -> None:
    assert [field.name for field in fields(Rules)] == list(OPENSEAT)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_survive_json(name: str) -> None:
    rules = PRESETS[name]
    assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules
    assert Rules.from_json({"preset": name}) == rules


@pytest.mark.parametrize("switch", sorted(NULL))
def test_a_switch_is_read_from_null_where_its_type_says_so(switch: str) -> None:
    assert read_switch(switch, None) is None


# Of all other switches basic strategy must know.
CHANGE_NO_MOVE = {
    "shuffle", "cut_card", "blackjack_pays", "split_by", "surrender_until", "insurance", "even_money",
    "min_bet", "max_bet", "bet_step", "box_limit", "starting_chips", "boxes", "boxes_per_player", "pair_bets",
    "pair_pays", "backing", "players_may_back", "bet_seconds", "decision_seconds", "backer_seconds",
    "on_timeout", "on_failure",
}  # fmt: skip


class Read:
    """Rules that know which of their switches were looked at."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.switches: set[str] = set()

    def __getattr__(self, switch: str) -> Any:
        self.switches.add(switch)
        return getattr(self.rules, switch)


def test_basic_strategy_looks_at_every_switch_that_can_change_a_move() -> None:
    read = Read(Rules())
    assert chart_for(cast(Rules, read)) is chart_for(Rules())
    assert read.switches | CHANGE_NO_MOVE == {field.name for field in fields(Rules)}
    assert not read.switches & CHANGE_NO_MOVE


GOOD = [
    *(("decks", value) for value in range(2, 9)),
    ("shuffle", "every_round"), ("shuffle", "cut_card"),
    ("cut_card", 0.4), ("cut_card", 0.9),
    ("hole_card", "peek"), ("hole_card", "none"),
    ("soft_17", "stand"), ("soft_17", "hit"),
    ("blackjack_pays", "3:2"), ("blackjack_pays", "6:5"), ("blackjack_pays", "1:1"),
    ("double_on", "any"), ("double_on", "9-11"), ("double_on", "10-11"), ("double_on", "no_aces"),
    ("split_by", "value"), ("split_by", "rank"),
    *(("max_hands", value) for value in range(1, 5)),
    *((name, value) for name in (
        "double_after_split", "split_aces", "resplit_aces", "pair_bets", "backing", "players_may_back",
    ) for value in (True, False)),
    ("surrender", "none"), ("surrender", "any"), ("surrender", "not_ace_ten"),
    ("surrender_until", "own_action"), ("surrender_until", "first_draw"),
    ("insurance", "half"), ("insurance", "up_to_half"), ("insurance", "none"),
    ("even_money", "insurance"), ("even_money", "ace"), ("even_money", "ace_or_ten"),
    *(("charlie", value) for value in (None, 5, 6, 7)),
    ("min_bet", 20), ("max_bet", 1_000), ("bet_step", 5), ("starting_chips", 1),
    ("box_limit", "each"), ("box_limit", "shared"),
    *(("boxes", value) for value in range(1, 8)), *(("boxes_per_player", value) for value in range(1, 8)),
    ("pair_pays", "25:1"), ("pair_pays", "15:2"),
    *((name, value) for name in ("bet_seconds", "decision_seconds") for value in (None, 10, 15, 20, 30, 60)),
    ("backer_seconds", 5),
    ("on_timeout", "stand"), ("on_timeout", "hit_to_12"),
    ("on_failure", "resume"), ("on_failure", "void"),
]  # fmt: skip


@pytest.mark.parametrize(("switch", "value"), GOOD)
def test_a_switch_takes_each_of_its_values(switch: str, value: object) -> None:
    rules = Rules.from_json({switch: value})
    assert rules.to_json() == {**OPENSEAT, switch: value}


WRONG_TYPES: tuple[object, ...] = (
    None,
    "",
    "yes",
    "10",
    [],
    {},
    [1],
    1.5,
    -1,
    0,
    10**400,
    float("nan"),
    float("inf"),
    "0:1",
)
ALLOWED_OF_THESE = {
    *((name, None) for name in NULL),
    *((name, 10**400) for name in ("max_bet", "starting_chips")),
}


@pytest.mark.parametrize("switch", OPENSEAT)
@pytest.mark.parametrize("value", WRONG_TYPES, ids=lambda value: repr(value)[:20])
def test_a_value_of_the_wrong_type_is_refused_by_the_name_of_its_switch(switch: str, value: object) -> None:
    if isinstance(value, int | None) and (switch, value) in ALLOWED_OF_THESE:
        return
    with pytest.raises(InvalidRules) as refused:
        Rules.from_json({switch: value})
    # A step that is too large is named by the limit that it does not divide.
    assert refused.value.params["switch"] in ((switch, "min_bet") if switch == "bet_step" else (switch,))


@pytest.mark.parametrize("switch", [name for name in OPENSEAT if not isinstance(OPENSEAT[name], bool)])
@pytest.mark.parametrize("value", [True, False])
def test_yes_and_no_are_no_numbers_and_no_words(switch: str, value: bool) -> None:
    with pytest.raises(InvalidRules) as refused:
        Rules.from_json({switch: value})
    assert (refused.value.code, refused.value.params["switch"]) == ("bad_switch_value", switch)


@pytest.mark.parametrize(
    ("switches", "code", "switch"),
    [
        ({"decks": 0}, "switch_out_of_range", "decks"),
        ({"decks": 9}, "switch_out_of_range", "decks"),
        ({"decks": 6.0}, "bad_switch_value", "decks"),
        ({"max_hands": 5}, "switch_out_of_range", "max_hands"),
        ({"boxes": 8}, "switch_out_of_range", "boxes"),
        ({"boxes_per_player": 8}, "switch_out_of_range", "boxes_per_player"),
        ({"cut_card": 0.39}, "switch_out_of_range", "cut_card"),
        ({"cut_card": 0.91}, "switch_out_of_range", "cut_card"),
        ({"charlie": 4}, "bad_switch_value", "charlie"),
        ({"charlie": 8}, "bad_switch_value", "charlie"),
        ({"blackjack_pays": "2:1"}, "bad_switch_value", "blackjack_pays"),
        ({"blackjack_pays": 1.5}, "bad_switch_value", "blackjack_pays"),
        ({"bet_seconds": 25}, "bad_switch_value", "bet_seconds"),
        ({"backer_seconds": 6}, "bad_switch_value", "backer_seconds"),
        ({"soft_17": "Hit"}, "bad_switch_value", "soft_17"),
        ({"min_bet": 510}, "min_over_max", "min_bet"),
        ({"min_bet": 15}, "limit_off_step", "min_bet"),
        ({"max_bet": 505}, "limit_off_step", "max_bet"),
        ({"bet_step": 3}, "limit_off_step", "min_bet"),
        ({"starting_chips": 0}, "switch_too_small", "starting_chips"),
        ({"bet_step": -10}, "switch_too_small", "bet_step"),
        ({"dealer": "hits"}, "unknown_switch", "dealer"),
        ({"Decks": 6}, "unknown_switch", "Decks"),
    ],
)
def test_a_rule_set_that_can_not_be_is_refused(switches: dict[str, object], code: str, switch: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        Rules.from_json(switches)
    assert (refused.value.code, refused.value.params["switch"]) == (code, switch)


@pytest.mark.parametrize("value", ["roulette", "", {"preset": "roulette"}, {"preset": None}, {"preset": []}])
def test_an_unknown_preset_is_refused(value: object) -> None:
    with pytest.raises(InvalidRules) as refused:
        Rules.from_json(value)
    assert refused.value.code == "unknown_preset"


@pytest.mark.parametrize("value", [None, 1, True, [], ["openseat"]])
def test_rules_are_a_name_or_an_object(value: object) -> None:
    with pytest.raises(InvalidRules):
        Rules.from_json(value)


@pytest.mark.parametrize(
    ("decks", "boxes", "max_hands", "playable"),
    [
        (1, 1, 4, True),
        (1, 2, 4, True),  # 340 >= 266
        (1, 3, 4, False),  # 340 < 386
        (1, 4, 2, True),
        (1, 7, 1, True),
        (1, 7, 2, False),
        (2, 5, 4, True),
        (2, 6, 4, False),
        (3, 7, 4, True),  # 1020 >= 866
    ],
)
def test_a_shoe_that_could_run_out_in_a_round_is_refused(
    decks: int, boxes: int, max_hands: int, playable: bool
) -> None:
    switches = {"decks": decks, "boxes": boxes, "max_hands": max_hands}
    if playable:
        assert Rules.from_json(switches).decks == decks
    else:
        with pytest.raises(InvalidRules) as refused:
            Rules.from_json(switches)
        assert refused.value.code == "shoe_too_small"


def test_rules_are_values() -> None:
    assert hash(Rules()) == hash(Rules.from_json("openseat"))
    with pytest.raises(AttributeError):
        Rules().decks = 5  # type: ignore[misc]
