"""A rule set in words. Each row is made from the switch it tells of: it can not disagree with the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.rules import (
    PRESETS,
    BoxLimit,
    DoubleOn,
    EvenMoney,
    HoleCard,
    Insurance,
    OnFailure,
    OnTimeout,
    Rules,
    Shuffle,
    Soft17,
    SplitBy,
    Surrender,
    SurrenderUntil,
    odds_text,
)
from tables import rule_sets
from tables.words import chips

# In a cell of a switch that can not act.
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Row:
    """One switch as a page tells it.

    `choice` says why a line is our own where a preset's source is silent; `instead` is what the nearest
    preset has, where these rules have something else.
    """

    switch: str
    what: str
    value: str
    note: str = ""
    choice: str = ""
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Compared:
    """A switch across the presets; `lit` are the cells that are not as in the first of them."""

    what: str
    cells: list[tuple[str, bool]]


def sections(rules: Rules) -> list[Section]:
    """Every switch that acts under these rules, with what a reader should know about it."""
    near = rule_sets.nearest(rules)

    def told(switch: str) -> Row:
        return row(switch, rules, choice=_choice(switch, rules, near), instead=_instead(switch, rules, near))

    return [
        Section(str(title), [told(switch) for switch in switches if LINES[switch].acts(rules)])
        for title, switches in SECTIONS.items()
    ]


def _choice(switch: str, rules: Rules, near: rule_sets.Nearest) -> str:
    as_in_preset = getattr(rules, switch) == getattr(PRESETS[near.name], switch)
    return str(rule_sets.CHOICES[near.name].get(switch, "")) if near.exact and as_in_preset else ""


def row(switch: str, rules: Rules, **more: str) -> Row:
    line = LINES[switch]
    value = words_of(switch, getattr(rules, switch))
    # There is nothing to know about what a table does not have.
    note = "" if value == _("no") else str(line.note)
    return Row(switch, str(line.what), value, note, **more)


def words_of(switch: str, value: Any) -> str:
    """What one value of a switch is called."""
    return str(LINES[switch].words(value))


def _instead(switch: str, rules: Rules, near: rule_sets.Nearest) -> str:
    base = PRESETS[near.name]
    # Whether there are side bets makes no other game of it: rules of one's own say so all the same.
    free = (
        not near.exact and switch in rule_sets.SIDE_BETS and getattr(rules, switch) != getattr(base, switch)
    )
    if switch not in near.differing and not free:
        return ""
    return words_of(switch, getattr(base, switch)) if LINES[switch].acts(base) else NOTHING


def compared() -> tuple[list[Compared], list[Row]]:
    """What sets the presets apart, and what is the same in all of them."""
    apart, same = [], []
    for switches in SECTIONS.values():
        for switch in switches:
            line = LINES[switch]
            cells = [
                words_of(switch, getattr(rules, switch)) if line.acts(rules) else NOTHING
                for rules in PRESETS.values()
            ]
            if len(set(cells)) > 1:
                apart.append(Compared(str(line.what), [(cell, cell != cells[0]) for cell in cells]))
            elif line.acts(PRESETS["openseat"]):
                same.append(row(switch, PRESETS["openseat"]))
    return apart, same


SECTIONS: Mapping[object, Sequence[str]] = {
    gettext_lazy("The shoe"): ("decks", "shuffle", "cut_card"),
    gettext_lazy("The dealer"): ("hole_card", "soft_17"),
    gettext_lazy("Your hand"): (
        "blackjack_pays", "double_on", "double_after_split", "split_by", "max_hands", "split_aces",
        "resplit_aces", "surrender", "surrender_until", "charlie", "insurance", "even_money",
    ),
    gettext_lazy("Chips"): (
        "starting_chips", "min_bet", "max_bet", "bet_step",
    ),
    gettext_lazy("Bets behind and pairs"): (
        "backing", "players_may_back", "backer_seconds", "pair_bets", "pair_pays", "box_limit",
    ),
    gettext_lazy("The table"): (
        "boxes", "boxes_per_player", "bet_seconds", "decision_seconds", "on_timeout", "on_failure",
    ),
}  # fmt: skip


def yes_no(value: bool) -> str:
    return _("yes") if value else _("no")


def seconds(value: int | None) -> str:
    if value is None:
        return _("no clock")
    return ngettext("%(count)d second", "%(count)d seconds", value) % {"count": value}


def cut_card(share: float) -> str:
    return _("after %(percent)d %% of the shoe") % {"percent": round(share * 100)}


def hands(most: int) -> str:
    return _("1: no splitting") if most == 1 else str(most)


def charlie(cards: int | None) -> str:
    if cards is None:
        return _("no")
    return _("%(count)d cards win at once") % {"count": cards}


def always(rules: Rules) -> bool:
    return True


def splits(rules: Rules) -> bool:
    return rules.max_hands > 1


def side_bets(rules: Rules) -> bool:
    return rules.backing or rules.pair_bets


@dataclass(frozen=True, slots=True)
class Line:
    """How a switch is told: its name, the words for a value, where it acts at all."""

    what: object
    words: Callable[[Any], object]
    acts: Callable[[Rules], bool] = always
    note: object = ""


LINES: Mapping[str, Line] = {
    "decks": Line(gettext_lazy("Decks"), str),
    "shuffle": Line(
        gettext_lazy("Shuffled"),
        {
            Shuffle.EVERY_ROUND: gettext_lazy("before every round"),
            Shuffle.CUT_CARD: gettext_lazy("when the cut card has come"),
        }.__getitem__,
    ),
    "cut_card": Line(
        gettext_lazy("Cut card"), cut_card, acts=lambda rules: rules.shuffle is Shuffle.CUT_CARD
    ),
    "hole_card": Line(
        gettext_lazy("The dealer's second card"),
        {
            HoleCard.PEEK: gettext_lazy(
                "face down; the dealer looks at it under an ace or a ten before anybody plays"
            ),
            HoleCard.NONE: gettext_lazy(
                "drawn after the players; a dealer blackjack then takes every bet, doubles and splits too"
            ),
        }.__getitem__,
    ),
    "soft_17": Line(
        gettext_lazy("The dealer draws"),
        {
            Soft17.STAND: gettext_lazy("on 16 or less, and stands on 17 or more, on a soft 17 too"),
            Soft17.HIT: gettext_lazy("on 16 or less and on a soft 17, and stands on all other 17 or more"),
        }.__getitem__,
    ),
    "blackjack_pays": Line(
        gettext_lazy("Blackjack pays"),
        odds_text,
        note=gettext_lazy("A payout is rounded down to a whole chip. A 21 on a split hand is no blackjack."),
    ),
    "double_on": Line(
        gettext_lazy("Double"),
        {
            DoubleOn.ANY: gettext_lazy("on any first two cards"),
            DoubleOn.NINE_TO_ELEVEN: gettext_lazy("on hard 9 to 11"),
            DoubleOn.TEN_TO_ELEVEN: gettext_lazy("on hard 10 and 11"),
            DoubleOn.NO_ACES: gettext_lazy("on any first two cards without an ace"),
        }.__getitem__,
    ),
    "double_after_split": Line(gettext_lazy("Double after a split"), yes_no, acts=splits),
    "split_by": Line(
        gettext_lazy("Split"),
        {
            SplitBy.VALUE: gettext_lazy("two cards of equal value, a king and a jack too"),
            SplitBy.RANK: gettext_lazy("two cards of equal rank"),
        }.__getitem__,
        acts=splits,
    ),
    "max_hands": Line(gettext_lazy("Hands after splitting, at most"), hands),
    "split_aces": Line(
        gettext_lazy("Split aces"), yes_no, acts=splits, note=gettext_lazy("Each split ace gets one card.")
    ),
    "resplit_aces": Line(
        gettext_lazy("Split aces again"),
        yes_no,
        acts=lambda rules: rules.max_hands > 2 and rules.split_aces,
    ),
    "surrender": Line(
        gettext_lazy("Surrender"),
        {
            Surrender.NONE: gettext_lazy("no"),
            Surrender.ANY: gettext_lazy("half the bet back, against any card"),
            Surrender.NOT_ACE_TEN: gettext_lazy("half the bet back, not against an ace or a ten"),
        }.__getitem__,
        note=gettext_lazy("Half of an odd bet is rounded down."),
    ),
    "surrender_until": Line(
        gettext_lazy("Surrender is asked"),
        {
            SurrenderUntil.OWN_ACTION: gettext_lazy("when your turn comes"),
            SurrenderUntil.FIRST_DRAW: gettext_lazy("everyone at once, before anybody draws"),
        }.__getitem__,
        acts=lambda rules: rules.surrender is not Surrender.NONE,
    ),
    "charlie": Line(
        gettext_lazy("Charlie"),
        charlie,
        note=gettext_lazy("So many cards without going over 21 are paid 1:1, whatever the dealer gets."),
    ),
    "insurance": Line(
        gettext_lazy("Insurance"),
        {
            Insurance.HALF: gettext_lazy("half the bet, when the dealer shows an ace"),
            Insurance.UP_TO_HALF: gettext_lazy("up to half the bet, when the dealer shows an ace"),
            Insurance.NONE: gettext_lazy("no"),
        }.__getitem__,
        note=gettext_lazy("Half of an odd bet is rounded down. It pays 2:1 when the dealer has blackjack."),
    ),
    "even_money": Line(
        gettext_lazy("Even money"),
        {
            EvenMoney.INSURANCE: gettext_lazy("a blackjack is insured like any other bet"),
            EvenMoney.ACE: gettext_lazy("offered for a blackjack under an ace, in place of insurance"),
            EvenMoney.ACE_OR_TEN: gettext_lazy(
                "offered for a blackjack under an ace, in place of insurance, and under a ten"
            ),
        }.__getitem__,
        acts=lambda rules: (
            rules.even_money is not EvenMoney.INSURANCE or rules.insurance is not Insurance.NONE
        ),
    ),
    "starting_chips": Line(gettext_lazy("Chips at the start"), chips),
    "min_bet": Line(gettext_lazy("Least bet"), chips),
    "max_bet": Line(gettext_lazy("Highest bet"), chips),
    "bet_step": Line(gettext_lazy("Bets go in steps of"), chips),
    "box_limit": Line(
        gettext_lazy("The highest bet holds"),
        {
            BoxLimit.EACH: gettext_lazy("for each bet by itself"),
            BoxLimit.SHARED: gettext_lazy("for all bets on one box together"),
        }.__getitem__,
        acts=side_bets,
    ),
    "pair_bets": Line(gettext_lazy("Bets on a pair"), yes_no),
    "pair_pays": Line(
        gettext_lazy("A pair pays"),
        odds_text,
        acts=lambda rules: rules.pair_bets,
        note=gettext_lazy("A pair is two cards of equal rank: a king and a queen are none."),
    ),
    "backing": Line(gettext_lazy("Spectators bet behind"), yes_no),
    "players_may_back": Line(
        gettext_lazy("Players bet behind others"), yes_no, acts=lambda rules: rules.backing
    ),
    "boxes": Line(gettext_lazy("Boxes"), str),
    "boxes_per_player": Line(gettext_lazy("Boxes a player may hold"), str),
    "bet_seconds": Line(gettext_lazy("Time to bet"), seconds),
    "decision_seconds": Line(gettext_lazy("Time to decide"), seconds),
    "backer_seconds": Line(
        gettext_lazy("Time for those who bet behind"), seconds, acts=lambda rules: rules.backing
    ),
    "on_timeout": Line(
        gettext_lazy("When the time is up"),
        {
            OnTimeout.STAND: gettext_lazy("no bet, no insurance, the hand stands"),
            OnTimeout.HIT_TO_12: gettext_lazy("no bet, no insurance, the hand draws until it is over 11"),
        }.__getitem__,
        acts=lambda rules: rules.bet_seconds is not None or rules.decision_seconds is not None,
    ),
    "on_failure": Line(
        gettext_lazy("If the server fails in the middle of a round"),
        {
            OnFailure.RESUME: gettext_lazy("the round goes on with a fresh clock"),
            OnFailure.VOID: gettext_lazy("the round is void and every bet goes back"),
        }.__getitem__,
    ),
}
