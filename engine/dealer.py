"""The dealer has no choices: when the dealer peeks, and when the dealer draws."""

from __future__ import annotations

from engine.cards import Card
from engine.hand import evaluate
from engine.rules import HoleCard, Rules, Soft17


def draws(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """Whether the dealer takes another card: up to 16, and on soft 17 where `soft_17` is hit."""
    total, soft = evaluate(cards)
    return total < 17 or (total == 17 and soft and rules.soft_17 is Soft17.HIT)


def may_have_blackjack(upcard: Card) -> bool:
    """An ace or a ten-valued upcard."""
    return upcard.rank.points >= 10


def peeks(rules: Rules, upcard: Card) -> bool:
    """Whether the dealer looks at the hole card before anyone acts."""
    return rules.hole_card is HoleCard.PEEK and may_have_blackjack(upcard)
