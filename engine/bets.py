"""Bets of every kind and the arithmetic of chips.

Chips are whole numbers. Where odds give a fraction, the payout is rounded down and the remainder stays
with the bank: chips laid down plus what the bank gives or keeps always equal chips paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from engine.errors import IllegalAction
from engine.rules import BoxLimit, Rules


class Result(Enum):
    """How one bet on a hand ended."""

    BLACKJACK = "blackjack"
    WIN = "win"
    CHARLIE = "charlie"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"
    EVEN_MONEY = "even_money"


@dataclass(frozen=True, slots=True)
class Stake:
    """Chips of one stack on one hand: the seat's own, or a backer's behind it.

    `result` and `paid` (chips that came back, the stake included) are None until it is decided.
    """

    stack: str
    bet: int
    result: Result | None = None
    paid: int | None = None


@dataclass(frozen=True, slots=True)
class SideBet:
    """Insurance or a pair bet of one stack on one box; `paid` is None until it is decided."""

    bet: int
    paid: int | None = None


@dataclass(frozen=True, slots=True)
class Behind:
    """What a backer lays on somebody else's box before the deal: behind the hand, on its pair, or both."""

    backer: str
    box: int
    bet: int = 0
    pair: int = 0


def winnings(bet: int, odds: Fraction) -> int:
    """What `odds` add to `bet` chips, rounded down.

    >>> winnings(15, Fraction(3, 2))
    22
    """
    return bet * odds.numerator // odds.denominator


def half(bet: int) -> int:
    """Half of `bet` chips rounded down: the price of a full insurance, and what a surrender gives back."""
    return bet // 2


def check_main(rules: Rules, bet: int) -> None:
    """Refuse a main bet or a bet behind that is not within the limits and the step (chips)."""
    if bet < rules.min_bet:
        raise IllegalAction("bet_too_small", bet=bet, min=rules.min_bet)
    if bet > rules.max_bet:
        raise IllegalAction("bet_too_large", bet=bet, max=rules.max_bet)
    if bet % rules.bet_step:
        raise IllegalAction("bet_off_step", bet=bet, step=rules.bet_step)


def largest_pair(rules: Rules) -> int:
    """The most chips that one pair bet may be: a fifth of the highest bet, in whole steps; 0 where not even
    the least bet fits, or where nobody bets on pairs."""
    most = rules.max_bet // 5 // rules.bet_step * rules.bet_step
    return most if rules.pair_bets and most >= rules.min_bet else 0


def check_pair(rules: Rules, bet: int) -> None:
    """Refuse a pair bet that is not a multiple of the step from the minimum to a fifth of the maximum."""
    if not rules.pair_bets:
        raise IllegalAction("no_pair_bets")
    if bet < rules.min_bet:
        raise IllegalAction("pair_too_small", bet=bet, min=rules.min_bet)
    if bet * 5 > rules.max_bet:
        raise IllegalAction("pair_too_large", bet=bet, max=largest_pair(rules))
    if bet % rules.bet_step:
        raise IllegalAction("bet_off_step", bet=bet, step=rules.bet_step)


def check_box(rules: Rules, box: int, chips: int) -> None:
    """Refuse bets of `chips` in all on one box where they may be no more than the highest bet together."""
    if rules.box_limit is BoxLimit.SHARED and chips > rules.max_bet:
        raise IllegalAction("box_over_limit", box=box, sum=chips, max=rules.max_bet)


def check_layout(
    rules: Rules,
    bets: Mapping[int, int],
    pairs: Mapping[int, int],
    behind: Sequence[Behind],
    stacks: Mapping[int, str],
    chips: Mapping[str, int],
) -> None:
    """Refuse bets that could not lie on the table together when the cards are dealt.

    `bets` and `pairs` are chips by box, `stacks` names the stack that plays a box, `chips` what each stack
    holds (one that is not named holds nothing). Raises `IllegalAction`.
    """
    _check_mains(rules, bets, stacks)
    _check_pairs(rules, pairs, bets)
    _check_behind(rules, behind, bets, stacks)
    _check_boxes(rules, bets, pairs, behind)
    _check_stacks(bets, pairs, behind, stacks, chips)


def _check_mains(rules: Rules, bets: Mapping[int, int], stacks: Mapping[int, str]) -> None:
    """The main bets by themselves, and how many of them one stack may have."""
    if not bets:
        raise IllegalAction("no_bets")
    for box, bet in bets.items():
        if not 1 <= box <= rules.boxes:
            raise IllegalAction("no_such_box", box=box, boxes=rules.boxes)
        check_main(rules, bet)
    for player, held in Counter(stacks.values()).items():
        if held > rules.boxes_per_player:
            raise IllegalAction("too_many_boxes", player=player, max=rules.boxes_per_player)


def _check_pairs(rules: Rules, pairs: Mapping[int, int], bets: Mapping[int, int]) -> None:
    for box, bet in pairs.items():
        if box not in bets:
            raise IllegalAction("box_has_no_bet", box=box)
        check_pair(rules, bet)


def _check_behind(
    rules: Rules, behind: Sequence[Behind], bets: Mapping[int, int], stacks: Mapping[int, str]
) -> None:
    players = set(stacks.values())
    seen: set[tuple[str, int]] = set()
    for laid in behind:
        if not rules.backing:
            raise IllegalAction("no_backing")
        if laid.box not in bets:
            raise IllegalAction("box_has_no_bet", box=laid.box)
        if (laid.backer, laid.box) in seen:
            raise IllegalAction("backed_twice", backer=laid.backer, box=laid.box)
        seen.add((laid.backer, laid.box))
        if laid.backer in players and not rules.players_may_back:
            raise IllegalAction("players_may_not_back", backer=laid.backer)
        if stacks[laid.box] == laid.backer:
            raise IllegalAction("own_box", backer=laid.backer, box=laid.box)
        if not laid.bet and not laid.pair:
            raise IllegalAction("bet_too_small", bet=0, min=rules.min_bet)
        if laid.bet:
            check_main(rules, laid.bet)
        if laid.pair:
            check_pair(rules, laid.pair)


def _check_boxes(
    rules: Rules, bets: Mapping[int, int], pairs: Mapping[int, int], behind: Sequence[Behind]
) -> None:
    """What lies on each box in all."""
    on_box = Counter(bets)
    on_box.update(pairs)
    for laid in behind:
        on_box[laid.box] += laid.bet + laid.pair
    for box, sum_on_box in on_box.items():
        check_box(rules, box, sum_on_box)


def _check_stacks(
    bets: Mapping[int, int],
    pairs: Mapping[int, int],
    behind: Sequence[Behind],
    stacks: Mapping[int, str],
    chips: Mapping[str, int],
) -> None:
    """What each stack lays in all."""
    spent: Counter[str] = Counter()
    for box, bet in (*bets.items(), *pairs.items()):
        spent[stacks[box]] += bet
    for laid in behind:
        spent[laid.backer] += laid.bet + laid.pair
    for stack, need in spent.items():
        have = chips.get(stack, 0)
        if need > have:
            raise IllegalAction("not_enough_chips", need=need, have=have, stack=stack)
