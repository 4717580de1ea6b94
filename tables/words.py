"""What codes and cards are called in the language of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

MINUS = "\N{MINUS SIGN}"
# Without the variation selector phones draw the suits as emoji.
AS_TEXT = "\N{VARIATION SELECTOR-15}"

SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

SUITS = {
    "s": gettext_lazy("spades"),
    "h": gettext_lazy("hearts"),
    "d": gettext_lazy("diamonds"),
    "c": gettext_lazy("clubs"),
}

RANKS = {
    "A": gettext_lazy("ace"),
    "K": gettext_lazy("king"),
    "Q": gettext_lazy("queen"),
    "J": gettext_lazy("jack"),
}

OUTCOMES = {
    "blackjack": gettext_lazy("Blackjack"),
    "win": gettext_lazy("Win"),
    "charlie": gettext_lazy("Charlie"),
    "push": gettext_lazy("Push"),
    "lose": gettext_lazy("Lose"),
    "bust": gettext_lazy("Bust"),
    "surrender": gettext_lazy("Surrender"),
    "even_money": gettext_lazy("Even money"),
    "returned": gettext_lazy("Returned"),
}

ACTIONS = {
    "hit": pgettext_lazy("action", "Hit"),
    "stand": pgettext_lazy("action", "Stand"),
    "double": pgettext_lazy("action", "Double"),
    "split": pgettext_lazy("action", "Split"),
    "surrender": pgettext_lazy("action", "Surrender"),
    "insure": pgettext_lazy("action", "Insure"),
    "even_money": pgettext_lazy("action", "Even money"),
    "decline": pgettext_lazy("action", "No, thanks"),
    "bet": pgettext_lazy("action", "Bet"),
    "take_back": pgettext_lazy("action", "Take back"),
    "sit_out": pgettext_lazy("action", "Sit out"),
}


def chips(amount: int) -> str:
    return f"{amount:,}".replace("-", MINUS)


def signed(amount: int) -> str:
    return f"+{amount:,}" if amount > 0 else chips(amount)


def rank(letter: str) -> str:
    return "10" if letter == "T" else letter


def suit(letter: str) -> str:
    return SUIT_SIGNS[letter] + AS_TEXT


def card(rank_letter: str | None, suit_letter: str | None) -> str:
    if not rank_letter or not suit_letter:
        return _("face-down card")
    return _("%(rank)s of %(suit)s") % {
        "rank": RANKS.get(rank_letter, rank(rank_letter)),
        "suit": SUITS[suit_letter],
    }


def outcome(result: str, net: int | None) -> str:
    word = str(OUTCOMES.get(result, result))
    if net:
        return f"{word} {signed(net)}"
    return word


def action(name: str) -> str:
    return str(ACTIONS.get(name, name))


def refusal(code: str, params: Mapping[str, Any] | None = None) -> str:
    """The sentence for a refusal's code; codes without one of their own get a general one."""
    figures = dict(params or {})
    short = figures.get("need") is not None and figures.get("have") is not None
    if code in ("not_enough_chips", "chips") and short:
        return _("Not enough chips: need %(need)s, you have %(have)s.") % {
            "need": chips(figures["need"]),
            "have": chips(figures["have"]),
        }
    return str(REFUSALS.get(code, _("That is not possible right now.")))


REFUSALS = {
    "not_enough_chips": gettext_lazy("Not enough chips."),
    "not_your_turn": gettext_lazy("It is not your turn."),
}


def rounds(count: int) -> str:
    return ngettext("%(count)d round", "%(count)d rounds", count) % {"count": count}
