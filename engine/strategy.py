"""Basic strategy: the published total-dependent tables of the presets.

Figures: the chart for six decks, dealer stands on soft 17, double after split, peek, no surrender is the one
that every textbook prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine import actions
from engine.actions import Move
from engine.cards import Rank
from engine.errors import IllegalAction
from engine.hand import Hand
from engine.round import Asked, Question, Round, check
from engine.rules import PRESETS, Rules

UPCARDS = "23456789TA"


@dataclass(frozen=True, slots=True)
class Chart:
    """Moves by hand and upcard, one letter group for each of 2 … 9 T A.

    S stand, H hit, D double or else hit, Ds double or else stand, P split. `hard` and `soft` are by total,
    `pairs` by rank symbol, T for every ten-valued pair.
    """

    hard: Mapping[int, str]
    soft: Mapping[int, str]
    pairs: Mapping[str, str]

    def cell(self, hand: Hand, upcard: Rank, may_split: bool) -> str:
        """The chart's word for `hand` against `upcard`."""
        column = UPCARDS.index("T" if upcard.points == 10 else upcard.symbol)
        if may_split:
            rank = hand.cards[0].rank
            row = self.pairs["T" if rank.points == 10 else rank.symbol]
            if (word := row.split()[column]) == "P":
                return word
        total, soft = hand.value
        return (self.soft if soft else self.hard)[total].split()[column]


_STAND = "S S S S S S S S S S"
_HIT = "H H H H H H H H H H"

# Six decks, S17, double after split, peek.
_SIX_DECKS_S17_DAS = Chart(
    hard={
        **dict.fromkeys(range(4, 9), _HIT),
        9: "H D D D D H H H H H",
        10: "D D D D D D D D H H",
        11: "D D D D D D D D D H",
        12: "H H S S S H H H H H",
        **dict.fromkeys(range(13, 17), "S S S S S H H H H H"),
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
        "A": "P P P P P P P P P P",
        "2": "P P P P P P . . . .",
        "3": "P P P P P P . . . .",
        "4": ". . . P P . . . . .",
        "5": ". . . . . . . . . .",
        "6": "P P P P P . . . . .",
        "7": "P P P P P P . . . .",
        "8": "P P P P P P P P P P",
        "9": "P P P P P . P P . .",
        "T": ". . . . . . . . . .",
    },
)


def _by_cards(rules: Rules) -> Rules:
    """`rules` without the switches that change no move: chips, clocks and seats."""
    base = PRESETS["openseat"]
    return replace(
        rules,
        min_bet=base.min_bet,
        max_bet=base.max_bet,
        bet_step=base.bet_step,
        starting_chips=base.starting_chips,
        boxes=1,
        boxes_per_player=1,
        box_limit=base.box_limit,
        pair_bets=base.pair_bets,
        pair_pays=base.pair_pays,
        backing=base.backing,
        players_may_back=base.players_may_back,
        bet_seconds=base.bet_seconds,
        decision_seconds=base.decision_seconds,
        on_timeout=base.on_timeout,
        on_failure=base.on_failure,
    )


_CHARTS: Mapping[Rules, Chart] = {_by_cards(PRESETS["openseat"]): _SIX_DECKS_S17_DAS}


def chart_for(rules: Rules) -> Chart:
    """The chart for `rules`; raises `IllegalAction` where there is no published one."""
    try:
        return _CHARTS[_by_cards(rules)]
    except KeyError:
        raise IllegalAction("no_chart") from None


def basic_strategy(state: Round, question: Question, chart: Chart) -> Move:
    """The move that `chart` plays as the answer to `question`; insurance is always declined."""
    if question.asked is not Asked.TURN:
        return actions.Decline(question.box, question.backer)
    hand = state.box(question.box).hands[question.hand]
    may_split = _legal(state, actions.Split(question.box))
    match chart.cell(hand, state.dealer[0].rank, may_split):
        case "P":
            return actions.Split(question.box)
        case "D" if _legal(state, actions.Double(question.box)):
            return actions.Double(question.box)
        case "Ds" if _legal(state, actions.Double(question.box)):
            return actions.Double(question.box)
        case "S" | "Ds":
            return actions.Stand(question.box)
        case _:
            return actions.Hit(question.box)


def _legal(state: Round, move: Move) -> bool:
    try:
        check(state, move)
    except IllegalAction:
        return False
    return True
