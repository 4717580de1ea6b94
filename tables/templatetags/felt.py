"""Cards, chips and codes as the templates of the table show them."""

from __future__ import annotations

from typing import Any

from django import template

from tables import words

register = template.Library()

register.filter("chips", words.chips)
register.filter("signed", words.signed)
register.filter("rank", words.rank)
register.filter("suit", words.suit)
register.filter("action_words", words.action)

DISCS = (500, 100, 50, 10)
STACK_HEIGHT = 5


@register.filter
def card_words(card: Any) -> str:
    return words.card(card.rank, card.suit)


@register.filter
def outcome_words(hand: Any) -> str:
    return words.outcome(hand.result, hand.net)


@register.filter
def log_words(line: Any) -> str:
    return words.log_line(line)


@register.filter
def why_not(option: Any) -> str:
    """Why an `OptionView` is not enabled."""
    return words.refusal(option.reason, dict(option.params)) if option.reason else ""


@register.filter
def holds_natural(view: Any, number: int | None) -> bool:
    """Whether a seat's only hand is a blackjack, whose insurance is called even money."""
    hands = [hand for seat in view.seats if seat.seat == number for hand in seat.hands]
    return len(hands) == 1 and len(hands[0].cards) == 2 and bool(hands[0].total == 21)


@register.filter
def may_start(you: Any) -> bool:
    """Whether this person may start the match now."""
    return any(option.action == "start" and option.enabled for option in you.commands)


@register.filter
def is_ready(view: Any, number: int | None) -> bool:
    """Whether who sits there is ready for the match."""
    return any(seat.seat == number and seat.ready for seat in view.seats)


@register.filter
def free_seat(view: Any) -> int | None:
    """The first place that nobody holds."""
    return next((seat.seat for seat in view.seats if not seat.player), None)


@register.filter
def discs(amount: int) -> list[int]:
    """The chips of a stack, largest first, as many as are drawn."""
    stack: list[int] = []
    for value in DISCS:
        count, amount = divmod(amount, value)
        stack += [value] * min(count, STACK_HEIGHT - len(stack))
    return stack
