"""A rule set is data: one frozen `Rules` value holds every switch, and the presets are instances of it.

No code asks which preset is played; it asks `if rules.<switch>`. Values that come from the description of one
game name it: the live table, the shoe game ("Black Jack: правила игры"), the common variations ("Правилата на
играта Блекджек"), the single deck ("Одноколодый блэкджек"). All others are those of the house game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_type_hints

from engine.errors import InvalidRules


class Shuffle(Enum):
    """When the cards are shuffled.

    - EVERY_ROUND: before every round.
    - CUT_CARD: after the round in which the cut card comes (the shoe game).
    """

    EVERY_ROUND = "every_round"
    CUT_CARD = "cut_card"


class HoleCard(Enum):
    """The dealer's second card.

    - PEEK: dealt face down; under an ace or a ten the dealer looks at it before anybody acts.
    - NONE: drawn after the players have played (the shoe game, the single deck).
    """

    PEEK = "peek"
    NONE = "none"


class Soft17(Enum):
    """What the dealer does with a soft 17.

    - STAND: takes no more cards.
    - HIT: draws (the common variations).
    """

    STAND = "stand"
    HIT = "hit"


class DoubleOn(Enum):
    """Which first two cards may be doubled.

    - ANY: all.
    - NINE_TO_ELEVEN: a hard 9, 10 or 11 (the common variations).
    - TEN_TO_ELEVEN: a hard 10 or 11.
    - NO_ACES: all without an ace (the single deck).
    """

    ANY = "any"
    NINE_TO_ELEVEN = "9-11"
    TEN_TO_ELEVEN = "10-11"
    NO_ACES = "no_aces"


class SplitBy(Enum):
    """Which two cards may be split.

    - VALUE: two that count the same, such as K-J.
    - RANK: two of the same rank, such as K-K (the single deck).
    """

    VALUE = "value"
    RANK = "rank"


class Surrender(Enum):
    """Against which upcards the first two cards may be given up for half the bet.

    Never after a split or with a blackjack; where the dealer peeks, after the peek.

    - NONE: none.
    - ANY: all (the shoe game, the single deck).
    - NOT_ACE_TEN: all but the ace and what counts ten (the live table).
    """

    NONE = "none"
    ANY = "any"
    NOT_ACE_TEN = "not_ace_ten"


class SurrenderUntil(Enum):
    """Until when a box may surrender.

    - OWN_ACTION: until it does something else, when its turn has come.
    - FIRST_DRAW: until anybody draws; all are asked at once, after the insurance (the shoe game).
    """

    OWN_ACTION = "own_action"
    FIRST_DRAW = "first_draw"


class Insurance(Enum):
    """What may be laid against a blackjack when the dealer shows an ace. It pays 2:1.

    - HALF: half the bet.
    - UP_TO_HALF: any whole number of chips up to half the bet (the shoe game).
    - NONE: nothing.
    """

    HALF = "half"
    UP_TO_HALF = "up_to_half"
    NONE = "none"


class EvenMoney(Enum):
    """What is offered to a blackjack as long as the dealer may have one too.

    - INSURANCE: insurance, as to every hand.
    - ACE: under an ace, 1:1 at once instead, whatever `insurance` says (the shoe game).
    - ACE_OR_TEN: the same, under what counts ten too (the single deck).
    """

    INSURANCE = "insurance"
    ACE = "ace"
    ACE_OR_TEN = "ace_or_ten"


class BoxLimit(Enum):
    """What may be no more than the highest bet.

    - EACH: every bet by itself.
    - SHARED: the main bet, bets behind and pair bets of one box together, as they are dealt (the shoe game).
    """

    EACH = "each"
    SHARED = "shared"


class OnTimeout(Enum):
    """What the clock does for a hand. It bets nothing, insures nothing and spends no chip.

    - STAND: stands.
    - HIT_TO_12: draws until the total is over 11, then stands (the live table).
    """

    STAND = "stand"
    HIT_TO_12 = "hit_to_12"


class OnFailure(Enum):
    """What becomes of a round in which the host's machine fails.

    - RESUME: it goes on as it was stored, with a new clock.
    - VOID: every bet goes back and the shoe is shuffled (the live table).
    """

    RESUME = "resume"
    VOID = "void"


# What clocks may be set to, how many cards may make a Charlie, and the odds of a blackjack.
SECONDS = (10, 15, 20, 30, 60)
CHARLIES = (5, 6, 7)
BLACKJACK_ODDS = (Fraction(3, 2), Fraction(6, 5), Fraction(1))


@dataclass(frozen=True, slots=True)
class Rules:
    """Every switch of a game of blackjack; the defaults are the `openseat` rule set.

    Chips are whole numbers. Odds are what is won for each chip of the bet, beside the bet itself. A switch
    that has an enum has its meaning there. Making a value that could not be played raises `InvalidRules`.
    """

    # 1 to 8, of 52 cards each.
    decks: int = 6
    shuffle: Shuffle = Shuffle.EVERY_ROUND
    # Under `Shuffle.CUT_CARD`, the share of a whole shoe that lies before the cut card: 0.4 to 0.9.
    cut_card: float = 0.5
    hole_card: HoleCard = HoleCard.PEEK
    soft_17: Soft17 = Soft17.STAND
    # Odds of a blackjack: 3:2, 6:5 or 1:1.
    blackjack_pays: Fraction = Fraction(3, 2)
    double_on: DoubleOn = DoubleOn.ANY
    # Whether a hand from a split may be doubled; one of split aces never may.
    double_after_split: bool = True
    split_by: SplitBy = SplitBy.VALUE
    # The most hands that splits may make of one box: 1 to 4, where 1 is no splitting.
    max_hands: int = 4
    # Whether aces may be split; each of them gets one card and no more.
    split_aces: bool = True
    # Whether an ace dealt to a split ace may be split again, up to `max_hands`.
    resplit_aces: bool = False
    surrender: Surrender = Surrender.NONE
    surrender_until: SurrenderUntil = SurrenderUntil.OWN_ACTION
    insurance: Insurance = Insurance.HALF
    even_money: EvenMoney = EvenMoney.INSURANCE
    # So many cards of one hand, not over 21, win 1:1 at once: 5 to 7 (the common variations). None: never.
    charlie: int | None = None
    # The least chips that a main bet, a bet behind or a pair bet may be.
    min_bet: int = 10
    # The most chips that a main bet or a bet behind may be; a pair bet may be a fifth of it.
    max_bet: int = 500
    # These bets are multiples of so many chips; insurance need not be.
    bet_step: int = 10
    box_limit: BoxLimit = BoxLimit.EACH
    # Chips with which everybody begins a game.
    starting_chips: int = 1_000
    # Betting places on the felt: 1 to 7.
    boxes: int = 4
    # The most boxes that one player may hold: 1 to 7. In a match it is one.
    boxes_per_player: int = 1
    # Whether it may be bet that the first two cards of a hand have the same rank.
    pair_bets: bool = True
    # Odds of such a bet.
    pair_pays: Fraction = Fraction(11)
    # Whether who watches may bet behind the hands of others, and on their pairs.
    backing: bool = True
    # Whether who plays may too, on the boxes of others.
    players_may_back: bool = False
    # Seconds to bet in; None: no clock.
    bet_seconds: int | None = 20
    # Seconds for each turn, and for all together to answer about insurance or surrender; None: no clock.
    decision_seconds: int | None = 20
    # Seconds for who bets behind, clock or not: after the last bet of the seats, and for each question that
    # only they are asked. It is 5.
    backer_seconds: int = 5
    on_timeout: OnTimeout = OnTimeout.STAND
    on_failure: OnFailure = OnFailure.RESUME

    def __post_init__(self) -> None:
        _within("decks", self.decks, 1, 8)
        _within("max_hands", self.max_hands, 1, 4)
        _within("boxes", self.boxes, 1, 7)
        _within("boxes_per_player", self.boxes_per_player, 1, 7)
        for switch in ("min_bet", "max_bet", "bet_step", "starting_chips"):
            if getattr(self, switch) < 1:
                raise InvalidRules("switch_too_small", switch=switch, value=getattr(self, switch), min=1)
        _one_of("charlie", self.charlie, (None, *CHARLIES))
        _one_of("blackjack_pays", self.blackjack_pays, BLACKJACK_ODDS)
        _one_of("bet_seconds", self.bet_seconds, (None, *SECONDS))
        _one_of("decision_seconds", self.decision_seconds, (None, *SECONDS))
        _one_of("backer_seconds", self.backer_seconds, (5,))
        if not 0.4 <= self.cut_card <= 0.9:
            raise InvalidRules(
                "switch_out_of_range", switch="cut_card", value=self.cut_card, min=0.4, max=0.9
            )
        if self.min_bet > self.max_bet:
            raise InvalidRules("min_over_max", switch="min_bet", value=self.min_bet, max=self.max_bet)
        for switch in ("min_bet", "max_bet"):
            if getattr(self, switch) % self.bet_step:
                raise InvalidRules("limit_off_step", switch=switch, step=self.bet_step)
        # With one point value a card a deck holds 340 points; no hand takes over 30, no dealer over 26.
        if 340 * self.decks < 30 * self.boxes * self.max_hands + 26:
            raise InvalidRules("shoe_too_small", switch="decks", value=self.decks)

    def to_json(self) -> dict[str, Any]:
        """Every switch by name with its value as JSON: odds as ``"3:2"``, clocks as seconds or null."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_json(cls, value: object) -> Rules:
        """The rules that a preset's name or an object of switches says.

        An object may name a ``"preset"`` to start from (else `openseat`). Raises `InvalidRules` for unknown
        presets, switches or values.
        """
        if isinstance(value, str):
            return preset(value)
        if not isinstance(value, dict):
            raise InvalidRules("rules_not_an_object", value=value)
        switches = dict(value)
        base = cls()
        if "preset" in switches:
            name = switches.pop("preset")
            if not isinstance(name, str):
                raise InvalidRules("unknown_preset", value=name)
            base = preset(name)
        return replace(base, **{name: read_switch(name, given) for name, given in switches.items()})


def preset(name: str) -> Rules:
    """The preset called `name`; raises `InvalidRules`."""
    try:
        return PRESETS[name]
    except KeyError:
        raise InvalidRules("unknown_preset", value=name) from None


def read_switch(name: str, value: object) -> Any:
    """`value` (JSON) as the type of switch `name`; raises `InvalidRules` where it is not of that type."""
    default = _DEFAULTS.get(name, MISSING)
    if default is MISSING:
        raise InvalidRules("unknown_switch", switch=name)
    bad = InvalidRules("bad_switch_value", switch=name, value=value)
    if isinstance(default, Enum):
        try:
            return type(default)(value)
        except ValueError:
            raise bad from None
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        raise bad
    if isinstance(default, Fraction):
        return _read_odds(value, bad)
    if value is None and name in _OPTIONAL:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise bad
    if isinstance(default, float):
        try:
            return float(value)
        except OverflowError:
            raise bad from None
    if isinstance(value, int):
        return value
    raise bad


def _read_odds(value: object, bad: InvalidRules) -> Fraction:
    if not isinstance(value, str) or not re.fullmatch(r"[1-9][0-9]{0,2}:[1-9][0-9]{0,2}", value):
        raise bad
    pays, to = value.split(":")
    odds = Fraction(int(pays), int(to))
    if odds_text(odds) != value:
        raise bad
    return odds


def odds_text(odds: Fraction) -> str:
    """Odds as a table says them.

    >>> odds_text(Fraction(3, 2))
    '3:2'
    """
    return f"{odds.numerator}:{odds.denominator}"


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return odds_text(value)
    return value


def _within(switch: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidRules("switch_out_of_range", switch=switch, value=value, min=low, max=high)


def _one_of(switch: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        raise InvalidRules("bad_switch_value", switch=switch, value=_plain(value))


_OPTIONAL = frozenset(name for name, kind in get_type_hints(Rules).items() if NoneType in get_args(kind))
_DEFAULTS: Mapping[str, object] = {
    field.name: 0 if field.default is None else field.default for field in fields(Rules)
}

_SINGLE = Rules(
    decks=1,
    hole_card=HoleCard.NONE,
    double_on=DoubleOn.NO_ACES,
    double_after_split=False,
    split_by=SplitBy.RANK,
    max_hands=2,
    surrender=Surrender.ANY,
    even_money=EvenMoney.ACE_OR_TEN,
)

PRESETS: Mapping[str, Rules] = {
    "openseat": Rules(),
    "casino8": Rules(
        decks=8,
        shuffle=Shuffle.CUT_CARD,
        max_hands=2,
        surrender=Surrender.NOT_ACE_TEN,
        boxes=7,
        bet_seconds=15,
        decision_seconds=15,
        on_timeout=OnTimeout.HIT_TO_12,
        on_failure=OnFailure.VOID,
    ),
    "classic6": Rules(
        shuffle=Shuffle.CUT_CARD,
        cut_card=0.67,
        hole_card=HoleCard.NONE,
        resplit_aces=True,
        surrender=Surrender.ANY,
        surrender_until=SurrenderUntil.FIRST_DRAW,
        insurance=Insurance.UP_TO_HALF,
        even_money=EvenMoney.ACE,
        box_limit=BoxLimit.SHARED,
        boxes=7,
        boxes_per_player=7,
        players_may_back=True,
    ),
    "single-standard": _SINGLE,
    "single-vip": replace(_SINGLE, min_bet=100, max_bet=5_000, bet_step=100, starting_chips=10_000),
}
