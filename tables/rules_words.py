"""A rule set in words. Each row is made from the switch it tells of: it can not disagree with the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

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
from tables.words import chips

Row = tuple[str, str, str]
Section = tuple[str, list[Row]]


def title(rules: Rules) -> str:
    """The preset's name, where nothing but the clock and the side bets differ from it."""
    for name, preset in PRESETS.items():
        free = ("bet_seconds", "decision_seconds", "pair_bets", "backing")
        if rules == replace(preset, **{switch: getattr(rules, switch) for switch in free}):
            return _("Rules: %(name)s") % {"name": name}
    return _("Rules of this table")


def sections(rules: Rules) -> list[Section]:
    return [
        (str(name), [row for switch in switches if (row := row_of(switch, rules)) is not None])
        for name, switches in SECTIONS.items()
    ]


def row_of(switch: str, rules: Rules) -> Row | None:
    what, words = ROWS[switch]
    value = words(rules)
    note = str(NOTES.get(switch, ""))
    return None if value is None else (str(what), value, note)


SECTIONS: Mapping[object, tuple[str, ...]] = {
    gettext_lazy("The shoe"): ("decks", "shuffle", "cut_card"),
    gettext_lazy("The dealer"): ("hole_card", "soft_17"),
    gettext_lazy("Your hand"): (
        "blackjack_pays", "double_on", "double_after_split", "split_by", "max_hands", "split_aces",
        "resplit_aces", "surrender", "surrender_until", "charlie", "insurance", "even_money",
    ),
    gettext_lazy("Chips"): (
        "starting_chips", "min_bet", "max_bet", "bet_step", "box_limit", "pair_bets", "pair_pays", "backing",
        "players_may_back",
    ),
    gettext_lazy("The table"): (
        "boxes", "boxes_per_player", "bet_seconds", "decision_seconds", "backer_seconds", "on_timeout",
        "on_failure",
    ),
}  # fmt: skip

NOTES: Mapping[str, object] = {
    "blackjack_pays": gettext_lazy(
        "A payout is rounded down to a whole chip. A 21 on a split hand is no blackjack."
    ),
    "insurance": gettext_lazy(
        "Half of an odd bet is rounded down. It pays 2:1 when the dealer has blackjack."
    ),
    "surrender": gettext_lazy("Half of an odd bet is rounded down."),
    "split_aces": gettext_lazy("Each split ace gets one card."),
}


def yes_no(value: bool) -> str:
    return _("yes") if value else _("no")


def seconds(value: int | None) -> str:
    if value is None:
        return _("no clock")
    return ngettext("%(count)d second", "%(count)d seconds", value) % {"count": value}


def cut_card(rules: Rules) -> str | None:
    if rules.shuffle is not Shuffle.CUT_CARD:
        return None
    return _("after %(percent)d %% of the shoe") % {"percent": round(rules.cut_card * 100)}


def even_money(rules: Rules) -> str:
    if rules.even_money is EvenMoney.INSURANCE and rules.insurance is Insurance.NONE:
        return _("no")
    return str(
        {
            EvenMoney.INSURANCE: gettext_lazy("a blackjack is insured like any other bet"),
            EvenMoney.ACE: gettext_lazy("offered for a blackjack under an ace"),
            EvenMoney.ACE_OR_TEN: gettext_lazy("offered for a blackjack under an ace or a ten"),
        }[rules.even_money]
    )


def surrender_until(rules: Rules) -> str | None:
    if rules.surrender is Surrender.NONE:
        return None
    return {
        SurrenderUntil.OWN_ACTION: _("when your turn comes"),
        SurrenderUntil.FIRST_DRAW: _("everyone at once, before anybody draws"),
    }[rules.surrender_until]


ROWS: Mapping[str, tuple[object, Callable[[Rules], str | None]]] = {
    "decks": (gettext_lazy("Decks"), lambda rules: str(rules.decks)),
    "shuffle": (
        gettext_lazy("Shuffled"),
        lambda rules: {
            Shuffle.EVERY_ROUND: _("before every round"),
            Shuffle.CUT_CARD: _("when the cut card has come"),
        }[rules.shuffle],
    ),
    "cut_card": (gettext_lazy("Cut card"), cut_card),
    "hole_card": (
        gettext_lazy("Second card"),
        lambda rules: {
            HoleCard.PEEK: _("face down; the dealer looks at it under an ace or a ten before anybody plays"),
            HoleCard.NONE: _("drawn after the players; a dealer blackjack then takes every bet"),
        }[rules.hole_card],
    ),
    "soft_17": (
        gettext_lazy("Soft 17"),
        lambda rules: {
            Soft17.STAND: _("the dealer stands"),
            Soft17.HIT: _("the dealer draws"),
        }[rules.soft_17],
    ),
    "blackjack_pays": (gettext_lazy("Blackjack pays"), lambda rules: odds_text(rules.blackjack_pays)),
    "double_on": (
        gettext_lazy("Double"),
        lambda rules: {
            DoubleOn.ANY: _("on any first two cards"),
            DoubleOn.NINE_TO_ELEVEN: _("on hard 9 to 11"),
            DoubleOn.TEN_TO_ELEVEN: _("on hard 10 and 11"),
            DoubleOn.NO_ACES: _("on any first two cards without an ace"),
        }[rules.double_on],
    ),
    "double_after_split": (
        gettext_lazy("Double after a split"),
        lambda rules: yes_no(rules.double_after_split),
    ),
    "split_by": (
        gettext_lazy("Split"),
        lambda rules: {
            SplitBy.VALUE: _("two cards of equal value, a king and a jack too"),
            SplitBy.RANK: _("two cards of equal rank"),
        }[rules.split_by],
    ),
    "max_hands": (gettext_lazy("Hands after splitting, at most"), lambda rules: str(rules.max_hands)),
    "split_aces": (gettext_lazy("Split aces"), lambda rules: yes_no(rules.split_aces)),
    "resplit_aces": (gettext_lazy("Split aces again"), lambda rules: yes_no(rules.resplit_aces)),
    "surrender": (
        gettext_lazy("Surrender"),
        lambda rules: {
            Surrender.NONE: _("no"),
            Surrender.ANY: _("half the bet back, against any card"),
            Surrender.NOT_ACE_TEN: _("half the bet back, not against an ace or a ten"),
        }[rules.surrender],
    ),
    "surrender_until": (gettext_lazy("Surrender is asked"), surrender_until),
    "charlie": (
        gettext_lazy("Charlie"),
        lambda rules: (
            _("no")
            if rules.charlie is None
            else _("%(count)d cards win at once") % {"count": rules.charlie}
        ),
    ),
    "insurance": (
        gettext_lazy("Insurance"),
        lambda rules: {
            Insurance.HALF: _("half the bet, when the dealer shows an ace"),
            Insurance.UP_TO_HALF: _("up to half the bet, when the dealer shows an ace"),
            Insurance.NONE: _("no"),
        }[rules.insurance],
    ),
    "even_money": (gettext_lazy("Even money"), even_money),
    "starting_chips": (gettext_lazy("Chips at the start"), lambda rules: chips(rules.starting_chips)),
    "min_bet": (gettext_lazy("Least bet"), lambda rules: chips(rules.min_bet)),
    "max_bet": (gettext_lazy("Highest bet"), lambda rules: chips(rules.max_bet)),
    "bet_step": (gettext_lazy("Bets go in steps of"), lambda rules: chips(rules.bet_step)),
    "box_limit": (
        gettext_lazy("The highest bet holds"),
        lambda rules: None if not (rules.backing or rules.pair_bets) else {
            BoxLimit.EACH: _("for each bet by itself"),
            BoxLimit.SHARED: _("for all bets on one box together"),
        }[rules.box_limit],
    ),
    "pair_bets": (gettext_lazy("Bets on a pair"), lambda rules: yes_no(rules.pair_bets)),
    "pair_pays": (
        gettext_lazy("A pair pays"),
        lambda rules: odds_text(rules.pair_pays) if rules.pair_bets else None,
    ),
    "backing": (gettext_lazy("Spectators bet behind"), lambda rules: yes_no(rules.backing)),
    "players_may_back": (
        gettext_lazy("Players bet behind others"),
        lambda rules: yes_no(rules.players_may_back) if rules.backing else None,
    ),
    "boxes": (gettext_lazy("Boxes"), lambda rules: str(rules.boxes)),
    "boxes_per_player": (gettext_lazy("Boxes a player may hold"), lambda rules: str(rules.boxes_per_player)),
    "bet_seconds": (gettext_lazy("Time to bet"), lambda rules: seconds(rules.bet_seconds)),
    "decision_seconds": (gettext_lazy("Time to decide"), lambda rules: seconds(rules.decision_seconds)),
    "backer_seconds": (
        gettext_lazy("Time for those who bet behind"),
        lambda rules: seconds(rules.backer_seconds) if rules.backing else None,
    ),
    "on_timeout": (
        gettext_lazy("When the time is up"),
        lambda rules: {
            OnTimeout.STAND: _("no bet, no insurance, the hand stands"),
            OnTimeout.HIT_TO_12: _("no bet, no insurance, the hand draws until it is over 11"),
        }[rules.on_timeout],
    ),
    "on_failure": (
        gettext_lazy("If the server stops in the middle of a round"),
        lambda rules: {
            OnFailure.RESUME: _("the round goes on with a fresh clock"),
            OnFailure.VOID: _("the round is void and every bet goes back"),
        }[rules.on_failure],
    ),
}  # fmt: skip
