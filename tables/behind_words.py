"""Bets behind and on pairs in sentences, with the figures of the rules they are played by."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from engine.bets import largest_pair
from engine.rules import BoxLimit, EvenMoney, Insurance, Rules, Surrender, odds_text
from tables.rules_words import seconds
from tables.words import chips


def bets_behind(rules: Rules) -> list[str]:
    """Who may bet on the hands of others, how much and when; nothing where nobody may."""
    figures = _figures(rules)
    return [sentence % figures for sentence in _laid(rules)] if rules.backing else []


def outcomes_behind(rules: Rules) -> list[str]:
    """What a bet behind is asked and what it is paid; nothing where there is none."""
    figures = _figures(rules)
    return [sentence % figures for sentence in _played(rules)] if rules.backing else []


def pair_bets(rules: Rules) -> list[str]:
    """What one should know who bets on a pair; nothing where nobody may."""
    figures = _figures(rules)
    return [sentence % figures for sentence in _pairs(rules)] if rules.pair_bets else []


def _figures(rules: Rules) -> dict[str, str]:
    return {
        "min": chips(rules.min_bet),
        "max": chips(rules.max_bet),
        "step": chips(rules.bet_step),
        "most": chips(largest_pair(rules)),
        "start": chips(rules.starting_chips),
        "time": seconds(rules.backer_seconds),
        "blackjack": odds_text(rules.blackjack_pays),
        "pair": odds_text(rules.pair_pays),
    }


def _laid(rules: Rules) -> Iterator[str]:
    if rules.players_may_back:
        yield _(
            "Whoever watches may bet behind any box that is played, and behind several at once. Who plays may"
            " too, on the boxes of others and from the same chips."
        )
    else:
        yield _(
            "Whoever watches may bet behind any seat that is taken, and behind several at once. Who has a"
            " seat may not."
        )
    yield _("A bet behind is from %(min)s to %(max)s, in steps of %(step)s.")
    if rules.box_limit is BoxLimit.SHARED:
        yield _(
            "The bet on a box, the bets behind it and those on its pair are %(max)s together at most when"
            " the cards are dealt. What doubles, splits and insurance add does not count."
        )
    yield _("Bet while the bets are open, and press Done when that is all.")
    yield _(
        "When every seat has answered, the deal waits up to %(time)s for those who bet behind and are not"
        " done. It does not wait for who let two rounds pass without a bet."
    )
    yield _(
        "If the seat sits the round out or leaves before the deal, or the round is void, your bets come back."
    )
    yield _(
        "Who watches has %(start)s chips a game. When they are too few for a bet there are fresh ones as the"
        " next bets open, and the table counts how often."
    )


def _played(rules: Rules) -> Iterator[str]:
    yield _(
        "Who plays the hand decides alone, and your bet goes with it: %(blackjack)s for a blackjack,"
        " 1:1 for any other win. Equal totals give it back."
    )
    yield from _followed(rules)
    if rules.surrender is not Surrender.NONE:
        yield _("If the hand is surrendered, half of your bet comes back. You are not asked.")
    yield from _insured(rules)
    yield _("If your connection breaks, your bets stay, and each question about them is answered with no.")


def _followed(rules: Rules) -> Iterator[str]:
    if rules.max_hands > 1:
        yield _(
            "If the hand is split, your bet stays with the first of the two. Before the new cards come you"
            " have %(time)s to put as much again on the second. No answer is no."
        )
    if rules.max_hands > 2:
        yield _("When a hand with your bet on it is split again, you are asked again.")
    yield _(
        "If the hand is doubled, you have %(time)s to add as much again. No answer is no: your bet then"
        " stays as it is and goes with the hand all the same."
    )
    yield _("Who has too few chips for as much again is not asked.")


def _insured(rules: Rules) -> Iterator[str]:
    if rules.insurance is Insurance.HALF:
        yield _(
            "Under a dealer's ace you may insure your own bet for half of it, whatever the seat does."
            " No answer is no."
        )
    if rules.insurance is Insurance.UP_TO_HALF:
        yield _(
            "Under a dealer's ace you may insure your own bet for up to half of it, whatever the seat does."
            " No answer is no."
        )
    if rules.even_money is EvenMoney.ACE:
        yield _("If the hand is a blackjack under an ace you are offered even money for your own bet.")
    if rules.even_money is EvenMoney.ACE_OR_TEN:
        yield _(
            "If the hand is a blackjack under an ace or a ten you are offered even money for your own bet."
        )


def _pairs(rules: Rules) -> Iterator[str]:
    yield _(
        "A pair bet wins %(pair)s if the first two cards of the hand are of equal rank: two kings, but not"
        " a king and a queen."
    )
    yield _("It is from %(min)s to %(most)s, in steps of %(step)s: no more than a fifth of the highest bet.")
    yield _("It is settled right after the deal, whatever becomes of the hand.")
    yield _("Who plays bets on the pair of their own hand, together with the main bet or after it.")
    if rules.backing:
        yield _("Who bets behind may bet on the pairs of several seats, with or without a bet behind them.")
    elif rules.box_limit is BoxLimit.SHARED:
        yield _("The bet on a box and the one on its pair are %(max)s together at most.")
