"""Cards, chips and codes as the templates of the table show them."""

from __future__ import annotations

from typing import Any

from django import template

from engine import bets
from engine.game import Kind
from engine.rules import EvenMoney, Insurance, Surrender, SurrenderUntil, odds_text
from tables import behind, places, words

register = template.Library()

register.filter("chips", words.chips)
register.filter("signed", words.signed)
register.filter("rank", words.rank)
register.filter("suit", words.suit)
register.filter("isolated", words.isolated)
register.filter("box_words", words.box)
register.filter("action_words", words.action)
register.filter("bets_behind", words.bets_behind)
register.filter("has_several_bets", words.has_several_bets)
register.filter("odds", odds_text)

DISCS = (5000, 1000, 500, 100, 50, 10, 5, 1)
STACK_HEIGHT = 5


@register.filter
def card_words(card: Any) -> str:
    return words.card(card.rank, card.suit)


@register.filter
def outcome_words(hand: Any) -> str:
    return words.outcome(hand.result, hand.net)


@register.filter
def log_words(line: Any, voice: words.Voice) -> str:
    """A line of a log, as `voice` tells it."""
    return words.log_line(line, voice)


@register.filter
def voice(page: Any, kind: str) -> words.Voice:
    """How the log of a stored round is told."""
    return words.Voice(places.several(page), kind == Kind.SOLO.value)


@register.filter
def why_not(option: Any) -> str:
    """Why an `OptionView` is not enabled."""
    return words.refusal(option.reason, dict(option.params)) if option.reason else ""


@register.filter
def may(you: Any, command: str) -> bool:
    """Whether this person may give that command now."""
    return bool(you) and any(one.action == command and one.enabled for one in you.commands)


@register.filter
def could_sit(you: Any) -> bool:
    """Whether this person may take a seat, now or after this round."""
    options = (option for option in you.commands if option.action == "sit") if you else ()
    return any(bool(option.enabled) or option.reason == "round_running" for option in options)


@register.filter
def exists_under(action: str, rules: Any) -> bool:
    """Whether a button can ever be of use under these rules."""
    insured = rules.insurance is not Insurance.NONE
    even_money = rules.even_money is not EvenMoney.INSURANCE
    surrender = rules.surrender is not Surrender.NONE
    asked_first = surrender and rules.surrender_until is SurrenderUntil.FIRST_DRAW
    exists = {
        "split": rules.max_hands > 1,
        "surrender": surrender,
        "insure": insured,
        "even_money": even_money,
        "decline": insured or even_money or asked_first,
    }
    return bool(exists.get(action, True))


@register.filter
def largest_pair(rules: Any) -> int:
    """The most chips of a pair bet, 0 where there is none."""
    return bets.largest_pair(rules)


@register.filter
def watches(status: str) -> bool:
    """Whether somebody of that status in `OwnView` has no hand of the own to play."""
    return status in behind.WATCHING


@register.filter
def laid(behind: Any) -> int:
    """The chips that lie behind a box, those on its pair and for insurance included: what is undecided of
    them, and when nothing is any more, all that lay there."""
    at_stake = sum(sum(words.open_behind(one)) for one in behind if one.net is None)
    sides = [side for one in behind for side in (one.pair, one.insurance) if side is not None]
    return int(at_stake or sum(one.bet for one in behind) + sum(side.bet for side in sides))


@register.filter
def open_behind(behind: Any) -> str:
    """What is undecided of it, bet by bet: "50 + 10"."""
    return " + ".join(words.chips(bet) for bet in words.open_behind(behind))


@register.filter
def sum_behind(behind: Any) -> str:
    """What is undecided of it in one sum."""
    return words.chips(sum(words.open_behind(behind)))


@register.filter
def all_decided(behind: Any) -> bool:
    """Whether none of the bets behind a box is open."""
    return all(one.net is not None for one in behind)


@register.filter
def named(seat: Any, voice: words.Voice) -> str:
    """Who sits there, with the box where that is one of several."""
    return places.named(seat.name, seat.seat, voice.several)


@register.filter
def net_behind(stakes: Any) -> int:
    """What somebody's bets behind have brought so far."""
    return sum(one.behind.net or 0 for one in stakes)


@register.filter
def brought(behind: Any) -> int:
    """What all that lay behind a box brought."""
    return sum(one.net for one in behind)


@register.filter
def side_net(side: Any) -> int:
    """What a settled insurance or pair bet brought."""
    return int(side.paid - side.bet)


@register.filter
def leaders(backers: Any) -> Any:
    """As many backers as the table page tells."""
    return backers[: behind.LEADERS]


@register.filter
def at(arrangement: Any, number: int) -> str:
    """The place of seat `number` in an arrangement."""
    return str(arrangement[number - 1]) if number <= len(arrangement) else ""


@register.filter
def discs(amount: int) -> list[int]:
    """The chips of a stack, largest first, as many as are drawn."""
    stack: list[int] = []
    for value in DISCS:
        count, amount = divmod(amount, value)
        stack += [value] * min(count, STACK_HEIGHT - len(stack))
    return stack


@register.filter
def disc(value: int) -> int:
    """The colour of a chip: that of the largest usual chip that is worth no more."""
    return next(usual for usual in DISCS if usual <= value)


@register.filter
def length_of(amount: int) -> int:
    """How many digits an amount has."""
    return len(str(amount))


@register.filter
def others(arrangement: Any) -> int:
    """How many places of an arrangement are not the viewer's."""
    return len(arrangement) - own_boxes(arrangement)


@register.filter
def own_boxes(arrangement: Any) -> int:
    return sum(place == places.OWN for place in arrangement)


@register.filter
def dealt(shoe: Any) -> int:
    """How many cards have left the shoe."""
    return int(shoe.cards - shoe.left)


@register.filter
def cut_place(shoe: Any) -> int:
    """How many cards of the shoe lie before the cut card, those dealt included."""
    return int(shoe.cards - shoe.left + shoe.cut_left)
