"""The games a table may be opened with: what they are called, what they are like, how each may be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import strategy
from engine.game import Kind
from engine.rules import PRESETS, Rules
from tables.words import chips, percent

CUSTOM = "custom"
# A table is still called by its preset, whatever clock and side bets were chosen for it.
SIDE_BETS = frozenset({"pair_bets", "backing"})
FREE = frozenset({"bet_seconds", "decision_seconds"}) | SIDE_BETS

TITLES: Mapping[str, object] = {
    "openseat": gettext_lazy("House game"),
    "casino8": gettext_lazy("Live table"),
    "classic6": gettext_lazy("Shoe game"),
    "single-standard": gettext_lazy("Single deck"),
    "single-vip": gettext_lazy("Single deck, VIP hall"),
    CUSTOM: gettext_lazy("Your own rules"),
}

CHARACTERS: Mapping[str, object] = {
    "openseat": gettext_lazy("A fresh shoe for every deal, and a dealer who looks first. Made for friends."),
    "casino8": gettext_lazy("Seven people, one big shoe, fifteen seconds: the pace of a live dealer."),
    "classic6": gettext_lazy("No hole card, as many boxes as you like, half your bet back if you give up."),
    "single-standard": gettext_lazy("One deck, shuffled for every deal."),
    "single-vip": gettext_lazy("The same one deck with ten times the chips."),
    CUSTOM: gettext_lazy("Start from any of them and change what you like."),
}

MATCH_OR_ALONE = (Kind.MATCH, Kind.SOLO)
EVERY_KIND = (Kind.MATCH, Kind.OPEN, Kind.SOLO)
KINDS: Mapping[str, Sequence[Kind]] = {
    "openseat": MATCH_OR_ALONE,
    "casino8": EVERY_KIND,
    "classic6": EVERY_KIND,
    "single-standard": MATCH_OR_ALONE,
    "single-vip": MATCH_OR_ALONE,
    CUSTOM: EVERY_KIND,
}

HALLS = ("single-standard", "single-vip")
# The row on the home page; both halls of the single deck are one card.
CARDS = ("openseat", "casino8", "classic6", "single-standard", CUSTOM)

_NAMED_NOWHERE = gettext_lazy("The description names none.")
_CHIPS_AND_SECONDS = dict.fromkeys(
    ("starting_chips", "min_bet", "max_bet", "bet_step", "bet_seconds", "decision_seconds"), _NAMED_NOWHERE
)
_SIDE_BETS = {
    "pair_pays": gettext_lazy("The description does not say what a pair is."),
    "backing": gettext_lazy("Who bets behind insures the own stake, which the description leaves open."),
}
_ONE_DECK = {
    "split_by": gettext_lazy("Cards of equal worth could also mean any two tens."),
    "even_money": gettext_lazy(
        "That it takes the place of insurance for a blackjack under an ace is not said in so many words."
    ),
    **_CHIPS_AND_SECONDS,
    **_SIDE_BETS,
}
# Where the description of a preset is silent or can be read in two ways: why the line is our choice.
CHOICES: Mapping[str, Mapping[str, object]] = {
    "openseat": _SIDE_BETS,
    "casino8": {
        "cut_card": _NAMED_NOWHERE,
        "hole_card": gettext_lazy(
            "The description lets the dealer take the second card late. With a look at it first the return"
            " comes nearest to the one it promises."
        ),
        "double_after_split": gettext_lazy(
            "The description is silent. With it the return comes nearest to the one it promises."
        ),
        **_CHIPS_AND_SECONDS,
        **_SIDE_BETS,
    },
    "classic6": {
        "hole_card": gettext_lazy(
            "That doubles and splits are lost as well is how this game is usually played; the description is"
            " silent."
        ),
        "surrender_until": gettext_lazy("That it is asked after the insurance is our choice."),
        **_CHIPS_AND_SECONDS,
        **_SIDE_BETS,
    },
    "single-standard": _ONE_DECK,
    "single-vip": _ONE_DECK,
}


@dataclass(frozen=True, slots=True)
class Nearest:
    """The preset that has the most in common with some rules, and the switches in which they differ."""

    name: str
    differing: frozenset[str]

    @property
    def exact(self) -> bool:
        return not self.differing


def nearest(rules: Rules) -> Nearest:
    def differing(preset: Rules) -> frozenset[str]:
        names = (field.name for field in fields(Rules) if field.name not in FREE)
        return frozenset(name for name in names if getattr(rules, name) != getattr(preset, name))

    return min(
        (Nearest(name, differing(preset)) for name, preset in PRESETS.items()),
        key=lambda near: len(near.differing),
    )


def name_of(rules: Rules) -> str:
    """The preset that is played, or "custom"."""
    near = nearest(rules)
    return near.name if near.exact else CUSTOM


@dataclass(frozen=True, slots=True)
class Hall:
    name: str
    title: str
    limits: str


@dataclass(frozen=True, slots=True)
class Card:
    """One game to choose. Decks and seats are 0 where the host says how many."""

    name: str
    title: str
    character: str
    payback: str = ""
    decks: int = 0
    seats: int = 0
    halls: tuple[Hall, ...] = ()

    @property
    def names(self) -> list[str]:
        """The rule sets that this card stands for."""
        return [hall.name for hall in self.halls] or [self.name]


def cards() -> list[Card]:
    return [_card(name) for name in CARDS]


def _card(name: str) -> Card:
    card = Card(name, title(name), str(CHARACTERS[name]))
    if name == CUSTOM:
        return card
    rules = PRESETS[name]
    halls = tuple(_hall(hall) for hall in HALLS) if name in HALLS else ()
    return replace(card, payback=payback(rules), decks=rules.decks, seats=rules.boxes, halls=halls)


def _hall(name: str) -> Hall:
    rules = PRESETS[name]
    called = _("VIP") if name == HALLS[1] else _("Standard")
    return Hall(name, called, f"{chips(rules.min_bet)}–{chips(rules.max_bet)}")


def title(name: str) -> str:
    return str(TITLES.get(name, TITLES[CUSTOM]))


def payback(rules: Rules) -> str:
    """How much of what is bet comes back to who plays basic strategy; "" where nobody has computed it."""
    value = strategy.expected_value(rules)
    return "" if value is None else percent(1 + value)
