"""What is told of bets behind and on pairs follows from the switches and figures of the rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from engine.bets import check_pair, largest_pair
from engine.errors import IllegalAction
from engine.rules import PRESETS, BoxLimit, EvenMoney, Insurance, Rules, Surrender
from tables.behind_words import bets_behind, outcomes_behind, pair_bets

HOUSE, SHOE = PRESETS["openseat"], PRESETS["classic6"]


def told(rules: Rules) -> str:
    return " ".join((*bets_behind(rules), *outcomes_behind(rules), *pair_bets(rules)))


@pytest.mark.parametrize(
    ("switches", "says"),
    [
        ({}, "Who has a seat may not."),
        ({"players_may_back": True}, "Who plays may too, on the boxes of others and from the same chips."),
        ({}, "A bet behind is from 10 to 500, in steps of 10."),
        ({"min_bet": 100, "max_bet": 5_000, "bet_step": 50}, "from 100 to 5,000, in steps of 50."),
        ({}, "the deal waits up to 5 seconds"),
        ({}, "3:2 for a blackjack, 1:1 for any other win"),
        ({"blackjack_pays": Fraction(6, 5)}, "6:5 for a blackjack"),
        ({}, "you have 5 seconds to put as much again on the second. No answer is no."),
        ({}, "you have 5 seconds to add as much again. No answer is no"),
        ({"max_hands": 3}, "is split again, you are asked again"),
        ({"surrender": Surrender.ANY}, "half of your bet comes back"),
        ({}, "insure your own bet for half of it"),
        ({"insurance": Insurance.UP_TO_HALF}, "insure your own bet for up to half of it"),
        ({"even_money": EvenMoney.ACE}, "a blackjack under an ace you are offered even money"),
        ({"even_money": EvenMoney.ACE_OR_TEN}, "under an ace or a ten you are offered even money"),
        ({}, "your bets come back"),
        ({"starting_chips": 2_500}, "Who watches has 2,500 chips a game."),
        ({"box_limit": BoxLimit.SHARED}, "those on its pair are 500 together at most"),
        ({"box_limit": BoxLimit.SHARED, "backing": False}, "the one on its pair are 500 together at most"),
        ({}, "A pair bet wins 11:1"),
        ({"pair_pays": Fraction(15)}, "A pair bet wins 15:1"),
        ({}, "It is from 10 to 100, in steps of 10"),
        ({"max_bet": 130}, "It is from 10 to 20, in steps of 10"),
        ({}, "on the pairs of several seats"),
    ],
)
def test_what_acts_is_told_with_its_figures(switches: dict[str, Any], says: str) -> None:
    assert says in told(replace(HOUSE, **switches))


@pytest.mark.parametrize(
    ("switches", "silent"),
    [
        ({"max_hands": 1}, "split, your bet stays"),
        ({"max_hands": 2}, "split again"),
        ({"surrender": Surrender.NONE}, "surrendered"),
        ({"insurance": Insurance.NONE}, "insure"),
        ({"even_money": EvenMoney.INSURANCE}, "even money"),
        ({"box_limit": BoxLimit.EACH}, "together at most"),
        ({"pair_bets": False}, "A pair bet"),
        ({"backing": False}, "behind"),
    ],
)
def test_what_can_not_act_is_not_told(switches: dict[str, Any], silent: str) -> None:
    assert silent in told(SHOE)
    assert silent not in told(replace(SHOE, **switches))


def test_without_such_bets_nothing_is_told_of_them() -> None:
    assert told(replace(SHOE, backing=False, pair_bets=False)) == ""


@pytest.mark.parametrize("limits", [(10, 500, 10), (10, 490, 10), (100, 5_000, 100), (3, 99, 3), (10, 50, 5)])
def test_the_highest_pair_bet_is_the_highest_that_is_taken(limits: tuple[int, int, int]) -> None:
    least, highest, step = limits
    rules = Rules(min_bet=least, max_bet=highest, bet_step=step)
    check_pair(rules, largest_pair(rules))
    with pytest.raises(IllegalAction, match="pair_too_large"):
        check_pair(rules, largest_pair(rules) + step)
