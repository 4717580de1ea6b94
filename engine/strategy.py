"""Basic strategy: the total-dependent charts of the rule sets that have been analysed.

Charts and expected values come from exact analysis of a full shoe, by analysers that share no code with this
engine. A chart looks at a hand's total, or at its pair, and at the upcard, and at no other card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from engine import actions
from engine.actions import Move
from engine.cards import Rank
from engine.errors import IllegalAction
from engine.hand import Hand
from engine.round import Asked, Question, Round, is_legal
from engine.rules import PRESETS, Rules, Soft17

UPCARDS = "23456789TA"


@dataclass(frozen=True, slots=True)
class Chart:
    """Moves by hand and upcard: rows of words for the upcards 2 … 9 T A.

    S stand, H hit, D double or else hit, Ds double or else stand, P split; R before one of these: surrender,
    or else that. `hard` and `soft` are by total, `pairs` by rank symbol, T for every ten-valued pair.
    """

    hard: Mapping[int, str]
    soft: Mapping[int, str]
    pairs: Mapping[str, str]

    def cell(self, hand: Hand, upcard: Rank, may_split: bool) -> str:
        """The chart's word for `hand` against `upcard`.

        A pair that the chart splits is played by its total where it may not be split.
        """
        column = UPCARDS.index(_symbol(upcard))
        symbols = [_symbol(card.rank) for card in hand.cards]
        if len(symbols) == 2 and symbols[0] == symbols[1]:
            word = self.pairs[symbols[0]].split()[column]
            if may_split or word != "P":
                return word
        total, soft = hand.value
        return (self.soft if soft else self.hard)[total].split()[column]

    def to_json(self) -> dict[str, dict[str, dict[str, str]]]:
        """Words by kind of hand, total or pair, and upcard: ``["hard"]["16"]["T"]``.

        Hard totals begin at 5 and soft ones at 13: below are only pairs.
        """
        tables: dict[str, dict[str, str]] = {
            "hard": {str(total): row for total, row in self.hard.items() if total >= 5},
            "soft": {str(total): row for total, row in self.soft.items() if total >= 13},
            "pairs": dict(self.pairs),
        }
        return {
            name: {key: dict(zip(UPCARDS, row.split(), strict=True)) for key, row in rows.items()}
            for name, rows in tables.items()
        }

    def but(
        self,
        *,
        hard: Mapping[int, str] | None = None,
        soft: Mapping[int, str] | None = None,
        pairs: Mapping[str, str] | None = None,
    ) -> Chart:
        """This chart with other rows in some places."""
        return Chart(
            {**self.hard, **(hard or {})}, {**self.soft, **(soft or {})}, {**self.pairs, **(pairs or {})}
        )


def _symbol(rank: Rank) -> str:
    return "T" if rank.points == 10 else rank.symbol


def chart_for(rules: Rules) -> Chart:
    """The chart for `rules`; raises `IllegalAction` where nobody has made one."""
    try:
        return _ANALYSED[_play(rules)][0]
    except KeyError:
        raise IllegalAction("no_chart") from None


def expected_value(rules: Rules) -> float | None:
    """What the chart for `rules` wins on average, per unit of the initial bet; None where it is not known.

    Of a round from a full shoe, main bet alone, without insurance or even money. Below zero the player loses:
    -0.004 is a return of 99.6 %. Exact analysis of every order of the cards, not a simulation.
    """
    known = _ANALYSED.get(_play(rules))
    return known[1] if known is not None and rules.blackjack_pays == Fraction(3, 2) else None


def hint(state: Round, question: Question) -> Move | None:
    """The move that basic strategy makes as the answer to `question`; it is always legal.

    None where the rules have no chart, and for a backer who is asked to follow.
    """
    try:
        chart = chart_for(state.rules)
    except IllegalAction:
        return None
    return basic_strategy(state, question, chart)


def basic_strategy(state: Round, question: Question, chart: Chart) -> Move | None:
    """The move that `chart` makes as the answer to `question`.

    Insurance is always declined, and so is even money wherever a blackjack pays 3:2. None for a backer who is
    asked to follow: charts know nothing about that.
    """
    match question.asked:
        case Asked.INSURANCE:
            return actions.Decline(question.box, question.backer)
        case Asked.EVEN_MONEY if _even_money_is_worth_more(state):
            return actions.EvenMoney(question.box, question.backer)
        case Asked.EVEN_MONEY:
            return actions.Decline(question.box, question.backer)
        case Asked.SURRENDER:
            surrender = _word(state, question, chart).startswith("R")
            return actions.Surrender(question.box) if surrender else actions.Decline(question.box)
        case Asked.TURN:
            word = _word(state, question, chart)
            return next(move for move in _moves(word, question.box) if is_legal(state, move))
        case Asked.FOLLOW:
            return None


def _even_money_is_worth_more(state: Round) -> bool:
    """Waiting is worth the odds of a blackjack times the chance that the dealer has none, by rank alone."""
    dealer_blackjack = Fraction(4 if state.dealer[0].rank is Rank.ACE else 1, 13)
    return state.rules.blackjack_pays * (1 - dealer_blackjack) < 1


def _word(state: Round, question: Question, chart: Chart) -> str:
    hand = state.box(question.box).hands[question.hand]
    # Where surrender is asked first, what may be split counts as if the turn had come.
    turn = replace(state, questions=(replace(question, asked=Asked.TURN),))
    may_split = hand.splittable(state.rules) and is_legal(turn, actions.Split(question.box))
    return chart.cell(hand, state.dealer[0].rank, may_split)


def _moves(word: str, box: int) -> Iterator[Move]:
    """The moves that a word of a chart means, the most wanted first."""
    if word.startswith("R"):
        yield actions.Surrender(box)
        word = word.removeprefix("R")
    if word in ("D", "Ds"):
        yield actions.Double(box)
    if word in ("H", "D"):
        yield actions.Hit(box)
    # Not P alone: an ace dealt to a split ace leaves only another split, or standing on 12.
    if word in ("P", "H", "D"):
        yield actions.Split(box)
    yield actions.Stand(box)


_STAND = "S S S S S S S S S S"
_HIT = "H H H H H H H H H H"
_SPLIT = "P P P P P P P P P P"
_DOUBLE_TO_NINE = "D D D D D D D D H H"
_STAND_TO_SIX = "S S S S S H H H H H"

# Six decks, S17, peek, double after split: the chart that every textbook prints.
_SIX_DECKS = Chart(
    hard={
        **dict.fromkeys(range(4, 9), _HIT),
        9: "H D D D D H H H H H",
        10: _DOUBLE_TO_NINE,
        11: "D D D D D D D D D H",
        12: "H H S S S H H H H H",
        **dict.fromkeys(range(13, 17), _STAND_TO_SIX),
        **dict.fromkeys(range(17, 22), _STAND),
    },
    soft={
        12: "H H H H D H H H H H",
        13: "H H H D D H H H H H",
        14: "H H H D D H H H H H",
        15: "H H D D D H H H H H",
        16: "H H D D D H H H H H",
        17: "H D D D D H H H H H",
        18: "S Ds Ds Ds Ds S S H H H",
        **dict.fromkeys(range(19, 22), _STAND),
    },
    pairs={
        "2": "P P P P P P H H H H",
        "3": "P P P P P P H H H H",
        "4": "H H H P P H H H H H",
        "5": _DOUBLE_TO_NINE,
        "6": "P P P P P H H H H H",
        "7": "P P P P P P H H H H",
        "8": _SPLIT,
        "9": "P P P P P S P P S S",
        "T": _STAND,
        "A": _SPLIT,
    },
)

_SIX_DECKS_H17 = _SIX_DECKS.but(
    hard={11: "D D D D D D D D D D"},
    soft={18: "Ds Ds Ds Ds Ds S S H H H", 19: "S S S S Ds S S S S S"},
)

_ONE_DECK = _SIX_DECKS.but(
    hard={8: "H H H D D H H H H H", 9: "D D D D D H H H H H", 11: "D D D D D D D D D D"},
    soft={
        12: "H H H D D H H H H H",
        13: "H H D D D H H H H H",
        14: "H H D D D H H H H H",
        17: "D D D D D H H H H H",
        18: "S Ds Ds Ds Ds S S H H S",
        19: "S S S S Ds S S S S S",
    },
    pairs={
        "3": "P P P P P P P H H H",
        "4": "H H P P P H H H H H",
        "6": "P P P P P P H H H H",
        "7": "P P P P P P P H H H",
    },
)

# Surrender comes before the dealer can have a blackjack, and every bet is lost to one: no double or split
# against an ace.
_CLASSIC = _SIX_DECKS.but(
    hard={
        **dict.fromkeys(range(5, 8), "H H H H H H H H H RH"),
        11: _DOUBLE_TO_NINE,
        12: "H H S S S H H H H RH",
        13: "S S S S S H H H H RH",
        14: "S S S S S H H H RH RH",
        15: "S S S S S H H H RH RH",
        16: "S S S S S H H RH RS RH",
        17: "S S S S S S S S S RS",
    },
    pairs={
        "3": "P P P P P P H H H RH",
        "6": "P P P P P H H H H RH",
        "7": "P P P P P P H H RH RH",
        "8": "P P P P P P P P RS RH",
        "A": "P P P P P P P P P H",
    },
)

# As above with one deck, one split, no double with an ace or after a split.
_SINGLE = Chart(
    hard={
        **dict.fromkeys(range(4, 8), "H H H H H H H H H RH"),
        8: "H H H D D H H H H H",
        9: "D D D D D H H H H H",
        10: _DOUBLE_TO_NINE,
        11: _DOUBLE_TO_NINE,
        12: "H H S S S H H H H RH",
        13: "S S S S S H H H H RH",
        14: "S S S S S H H H H RH",
        15: "S S S S S H H H RH RH",
        16: "S S S S S H H H RS RH",
        17: "S S S S S S S S S RS",
        **dict.fromkeys(range(18, 22), _STAND),
    },
    soft={
        **dict.fromkeys(range(12, 18), _HIT),
        18: "S S S S S S S H H S",
        **dict.fromkeys(range(19, 22), _STAND),
    },
    pairs={
        "2": "H P P P P P H H H RH",
        "3": "H H P P P P H H H RH",
        "4": "H H H D D H H H H H",
        "5": _DOUBLE_TO_NINE,
        "6": "P P P P P H H H H RH",
        "7": "P P P P P P H H RH RH",
        "8": "P P P P P P P P RS RH",
        "9": "P P P P P S P P S S",
        "T": _STAND,
        "A": "P P P P P P P P P H",
    },
)

# Eight decks play like six; one split more or less changes no cell.
_EIGHT_DECKS = _SIX_DECKS.but(hard={16: "S S S S S H H RH H H"})


def _play(rules: Rules) -> tuple[object, ...]:
    """The switches that can change a move or the value of one.

    Not among them, besides seats, clocks and side bets: `split_by`, as tens are never split;
    `surrender_until`, as the same is known at both moments; `even_money`, which is declined;
    `blackjack_pays`, as a blackjack is never played (but it changes the expected value).
    """
    return (
        rules.decks,
        rules.hole_card,
        rules.soft_17,
        rules.double_on,
        rules.double_after_split,
        rules.max_hands,
        rules.split_aces,
        # Two hands leave nothing to split again.
        rules.resplit_aces and rules.split_aces and rules.max_hands > 2,
        rules.surrender,
        rules.charlie,
    )


_OPENSEAT = PRESETS["openseat"]

_ANALYSED: Mapping[tuple[object, ...], tuple[Chart, float]] = {
    _play(_OPENSEAT): (_SIX_DECKS, -0.0040592242),
    _play(replace(_OPENSEAT, soft_17=Soft17.HIT)): (_SIX_DECKS_H17, -0.0061814881),
    _play(replace(_OPENSEAT, decks=1, boxes=1)): (_ONE_DECK, 0.0014326322),
    _play(PRESETS["casino8"]): (_EIGHT_DECKS, -0.0048502601),
    _play(PRESETS["classic6"]): (_CLASSIC, 0.0018966455),
    _play(PRESETS["single-standard"]): (_SINGLE, 0.0038947232),
}
