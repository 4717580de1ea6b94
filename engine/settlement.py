"""Outcomes and payouts of every kind of bet."""

from __future__ import annotations

from engine.bets import Result, Stake, half, winnings
from engine.cards import Card
from engine.hand import Hand, evaluate, is_natural
from engine.rules import Rules


def outcome(hand: Hand, dealer: tuple[Card, ...]) -> Result:
    """How a hand that is still open ends against the dealer's final cards.

    A natural beats every other 21, the dealer's own included; equal totals push; a dealer over 21 pays.
    """
    dealer_natural = is_natural(dealer)
    if hand.natural:
        return Result.PUSH if dealer_natural else Result.BLACKJACK
    total = hand.value.total
    dealer_total = evaluate(dealer).total
    if total > 21:
        return Result.BUST
    if dealer_natural:
        return Result.LOSE
    if dealer_total > 21 or total > dealer_total:
        return Result.WIN
    return Result.PUSH if total == dealer_total else Result.LOSE


def payout(rules: Rules, bet: int, result: Result) -> int:
    """All chips that come back for `bet` chips that ended as `result`, the stake included."""
    match result:
        case Result.BLACKJACK:
            return bet + winnings(bet, rules.blackjack_pays)
        case Result.WIN | Result.CHARLIE | Result.EVEN_MONEY:
            return 2 * bet
        case Result.PUSH:
            return bet
        case Result.SURRENDER:
            return half(bet)
        case Result.LOSE | Result.BUST:
            return 0


def settle(rules: Rules, stake: Stake, result: Result) -> Stake:
    """`stake` decided as `result`."""
    return Stake(stake.stack, stake.bet, result, payout(rules, stake.bet, result))


def insurance_payout(bet: int, dealer_blackjack: bool) -> int:
    """All chips that come back for an insurance of `bet` chips: 2:1 and the stake, or nothing."""
    return 3 * bet if dealer_blackjack else 0


def pair_payout(rules: Rules, bet: int, pair: bool) -> int:
    """All chips that come back for a pair bet of `bet` chips."""
    return bet + winnings(bet, rules.pair_pays) if pair else 0
