"""The form of every rule that a host may choose.

It starts from a preset, or from the rules of a table, and says beside each field what that has. Whatever is
wrong is told next to its field; the rest of what was typed stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from engine.bets import largest_pair
from engine.errors import EngineError, InvalidRules
from engine.rules import (
    BLACKJACK_ODDS,
    CHARLIES,
    PRESETS,
    SECONDS,
    BoxLimit,
    EvenMoney,
    HoleCard,
    Insurance,
    OnFailure,
    OnTimeout,
    Rules,
    Soft17,
    SplitBy,
    Surrender,
    SurrenderUntil,
    odds_text,
)
from tables import rules_words, words
from tables.errors import Refused

# Seven digits are what a seat on a phone has room for, and what the columns of stored games were made for.
LARGEST = 1_000_000
PERCENT = "cut_card"
NUMBERS: Mapping[str, tuple[int, int]] = {
    PERCENT: (40, 90),
    **dict.fromkeys(("starting_chips", "min_bet", "max_bet", "bet_step"), (1, LARGEST)),
}
LISTS: Mapping[str, Sequence[Any]] = {
    "decks": range(1, 9),
    "max_hands": range(1, 5),
    "boxes": range(1, 8),
    "boxes_per_player": range(1, 8),
    "blackjack_pays": BLACKJACK_ODDS,
    "charlie": (None, *CHARLIES),
    "bet_seconds": (None, *SECONDS),
    "decision_seconds": (None, *SECONDS),
    "backer_seconds": (5,),
    "pair_pays": tuple(map(Fraction, range(1, 31))),
}
# What one types: digits, in groups of three if one likes. Digits of other scripts are none.
NUMBER = re.compile(r"[0-9]{1,12}|[0-9]{1,3}(?:[, \u00a0][0-9]{3}){1,3}", re.ASCII)
LONGEST = 12

HELP: Mapping[str, object] = {
    "decks": gettext_lazy("More decks help the dealer a little."),
    "shuffle": gettext_lazy("A cut-card shoe is dealt from until the cut card comes."),
    "cut_card": gettext_lazy("How much is dealt before the next shuffle, from 40 to 90 %."),
    "hole_card": gettext_lazy("With a look at it you lose no double or split to a blackjack."),
    "soft_17": gettext_lazy("A soft 17 has an ace that counts 11. Drawing on it helps the dealer."),
    "blackjack_pays": gettext_lazy("An ace and a ten as the first two cards. Less than 3:2 is costly."),
    "double_on": gettext_lazy("One more equal bet and exactly one card."),
    "double_after_split": gettext_lazy("Doubling a hand that came from a split."),
    "split_by": gettext_lazy("What counts as two equal cards."),
    "max_hands": gettext_lazy("How many hands one box may become."),
    "split_aces": gettext_lazy("Each split ace gets one card and stops."),
    "resplit_aces": gettext_lazy("When a split ace gets another ace."),
    "surrender": gettext_lazy("Giving a hand up for half of its bet."),
    "surrender_until": gettext_lazy("Early for all, or each in turn."),
    "charlie": gettext_lazy("A long hand that wins by itself."),
    "insurance": gettext_lazy("A bet that the dealer has blackjack. It pays 2:1."),
    "even_money": gettext_lazy("A blackjack paid 1:1 at once, before the dealer's second card."),
    "starting_chips": gettext_lazy("What everyone begins with."),
    "min_bet": gettext_lazy("Who has less than this is out of a match."),
    "max_bet": gettext_lazy("For one box, before doubles and splits."),
    "bet_step": gettext_lazy("Every bet is a multiple of it."),
    "backing": gettext_lazy("Whoever watches may bet on the hands of those who play."),
    "players_may_back": gettext_lazy("On the boxes of others, never on one's own."),
    "backer_seconds": gettext_lazy("To follow a double or a split. No answer is no."),
    "pair_bets": gettext_lazy("That the first two cards of a hand are of equal rank."),
    "pair_pays": gettext_lazy("With six decks about one hand in fourteen is a pair."),
    "box_limit": gettext_lazy("The bet of the seat, the bets behind it and those on its pair."),
    "boxes": gettext_lazy("Places in front of the dealer. A match uses at most four."),
    "boxes_per_player": gettext_lazy("In a match everyone has one."),
    "bet_seconds": gettext_lazy("An open table needs a clock."),
    "decision_seconds": gettext_lazy("For each card, double or split."),
    "on_timeout": gettext_lazy("The clock never bets a chip for you."),
    "on_failure": gettext_lazy("A power cut, say. It is rare."),
}
_NO_ROOM_FOR_PAIRS = gettext_lazy(
    "No pair bet fits: it is at least %(min)s, and at most a fifth of the highest bet, %(max)s."
)
_NO_ROOM_BEHIND = gettext_lazy(
    "No bet behind fits: %(max)s is too little for two bets of %(min)s on one box."
)

# A list has less room than the rules page.
LABELS: Mapping[str, object] = {"soft_17": gettext_lazy("Soft 17")}
SHORT: Mapping[str, Mapping[Any, object]] = {
    "hole_card": {
        HoleCard.PEEK: gettext_lazy("face down, with a look"),
        HoleCard.NONE: gettext_lazy("drawn after the players"),
    },
    "soft_17": {
        Soft17.STAND: gettext_lazy("the dealer stands"),
        Soft17.HIT: gettext_lazy("the dealer draws"),
    },
    "split_by": {
        SplitBy.VALUE: gettext_lazy("equal value: K-J too"),
        SplitBy.RANK: gettext_lazy("equal rank: K-K alone"),
    },
    "surrender": {
        Surrender.NONE: gettext_lazy("no"),
        Surrender.ANY: gettext_lazy("against any card"),
        Surrender.NOT_ACE_TEN: gettext_lazy("not against an ace or a ten"),
    },
    "surrender_until": {
        SurrenderUntil.OWN_ACTION: gettext_lazy("when your turn comes"),
        SurrenderUntil.FIRST_DRAW: gettext_lazy("all at once, before any draw"),
    },
    "insurance": {
        Insurance.HALF: gettext_lazy("half the bet"),
        Insurance.UP_TO_HALF: gettext_lazy("up to half the bet"),
        Insurance.NONE: gettext_lazy("no"),
    },
    "even_money": {
        EvenMoney.INSURANCE: gettext_lazy("as insurance"),
        EvenMoney.ACE: gettext_lazy("under an ace"),
        EvenMoney.ACE_OR_TEN: gettext_lazy("under an ace or a ten"),
    },
    "box_limit": {
        BoxLimit.EACH: gettext_lazy("for each bet"),
        BoxLimit.SHARED: gettext_lazy("for all on one box"),
    },
    "on_timeout": {
        OnTimeout.STAND: gettext_lazy("stand"),
        OnTimeout.HIT_TO_12: gettext_lazy("draw until over 11"),
    },
    "on_failure": {
        OnFailure.RESUME: gettext_lazy("the round goes on"),
        OnFailure.VOID: gettext_lazy("the round is void"),
    },
}


@dataclass(frozen=True, slots=True)
class Line:
    """A field with what the starting point has there; `changed` when the form says something else."""

    switch: str
    field: forms.BoundField
    base: str
    changed: bool


class NumberField(forms.CharField):
    """A whole number as people write it: 1000 or 1,000."""

    def __init__(self, low: int, high: int, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "numeric", "maxlength": LONGEST, "autocomplete": "off"})
        super().__init__(required=False, widget=widget, **options)
        self.low, self.high = low, high

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip().removesuffix("%").strip()
        if not NUMBER.fullmatch(text):
            raise refusal("switch_malformed")
        number = int(plain(text))
        if not self.low <= number <= self.high:
            raise refusal("switch_out_of_range", min=self.low, max=self.high)
        return number


class ListField(forms.Field):
    """One of a few values, each in words."""

    def __init__(self, switch: str, **options: Any) -> None:
        self.values = {text_of(value): value for value in values_of(switch)}
        named = [(text, short(switch, value)) for text, value in self.values.items()]
        super().__init__(required=False, widget=forms.Select(choices=named), **options)

    def to_python(self, value: Any) -> Any:
        if value not in self.values:
            raise refusal("bad_switch_value")
        return self.values[value]


class RulesForm(forms.Form):
    """`base` is what the form starts from; `shown` what its fields say before anybody types."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        base: Rules,
        shown: Rules | None = None,
        besides: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(data, auto_id="rule-%s")
        self.base = base
        self.shown = shown or base
        self.besides = besides
        self.rules = base
        for switch in SWITCHES:
            self.fields[switch] = field_of(switch, self.shown)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if set(self.data) - set(self.fields) - self.besides - {"csrfmiddlewaretoken"}:
            raise refusal("unknown_switch")
        if not self.errors:
            if PERCENT in given:
                given[PERCENT] /= 100
            try:
                rules = replace(self.base, **given)
            except InvalidRules as refused:
                self.refuse(refused)
            else:
                self._make_room_for_side_bets(rules)
                self.rules = self.base if self.errors else rules
        return given

    def _make_room_for_side_bets(self, rules: Rules) -> None:
        """Refuse to promise bets that could never be laid."""
        limits = {"min": words.chips(rules.min_bet), "max": words.chips(rules.max_bet)}
        if rules.pair_bets and not largest_pair(rules):
            self.add_error("pair_bets", _NO_ROOM_FOR_PAIRS % limits)
        if rules.backing and rules.box_limit is BoxLimit.SHARED and 2 * rules.min_bet > rules.max_bet:
            self.add_error("box_limit", _NO_ROOM_BEHIND % limits)

    def refuse(self, refused: Refused | EngineError) -> None:
        """Say why the rules will not do, next to the field that is meant."""
        switch = str(refused.params.get("switch", ""))
        self.add_error(switch if switch in self.fields else None, words.refusal(refused.code, refused.params))

    @property
    def groups(self) -> Iterator[tuple[str, list[Line]]]:
        for title, switches in rules_words.SECTIONS.items():
            lines = [self._line(switch) for switch in switches if switch in self.fields]
            yield str(title), lines

    @property
    def wrong(self) -> list[forms.BoundField]:
        return [self[switch] for switch in self.fields if switch in self.errors]

    def _line(self, switch: str) -> Line:
        base = getattr(self.base, switch)
        field = self[switch]
        changed = plain(field.value()) != plain(typed(switch, base))
        return Line(switch, field, short(switch, base), changed)


def field_of(switch: str, shown: Rules) -> forms.Field:
    more: dict[str, Any] = {
        "label": LABELS.get(switch, rules_words.LINES[switch].what),
        "help_text": HELP[switch],
        "initial": typed(switch, getattr(shown, switch)),
    }
    return NumberField(*NUMBERS[switch], **more) if switch in NUMBERS else ListField(switch, **more)


def values_of(switch: str) -> Sequence[Any]:
    if switch in LISTS:
        return LISTS[switch]
    kind = type(getattr(PRESETS["openseat"], switch))
    return tuple(kind) if issubclass(kind, Enum) else (True, False)


def short(switch: str, value: Any) -> str:
    """A value in the few words that a list has room for."""
    if switch == PERCENT:
        return words.percent(value, 0)
    return str(SHORT[switch][value]) if switch in SHORT else rules_words.words_of(switch, value)


def typed(switch: str, value: Any) -> str:
    """A value as its field has it."""
    if switch == PERCENT:
        return str(round(value * 100))
    return words.chips(value) if switch in NUMBERS else text_of(value)


def plain(text: object) -> str:
    """What was typed, however it was grouped."""
    return re.sub(r"[, \u00a0%]", "", str(text))


def text_of(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Enum():
            return str(value.value)
        case Fraction():
            return odds_text(value)
    return str(value)


def refusal(code: str, **figures: int) -> forms.ValidationError:
    return forms.ValidationError(words.refusal(code, figures), code)


SWITCHES = tuple(field.name for field in fields(Rules))
