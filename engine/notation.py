"""Text for cards, hands, moves and whole rounds. `parse` undoes `format`: nothing is lost on the way.

A round in one line: rules, shoe, bets and moves, separated by semicolons.

    openseat; Th 8h As 9d 8d 7c Kc 3s; 1=100 3=50+10 carol@3=50+10; 1 insure, 3 decline, 1 stand

`1=100` is a main bet of 100 chips on box 1, `3=50+10` adds a pair bet of 10, `carol@3=50` is carol's bet
behind box 3. Before the moves may stand what stacks hold, `chips 1=200 carol=60`, and which boxes share one,
`stacks 1=ann 2=ann`. Rules may change switches of a preset: `openseat soft_17=hit charlie=5`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine import actions
from engine.actions import Move, SeatMove
from engine.bets import Behind
from engine.cards import Card
from engine.errors import NotationError
from engine.round import Round, apply, deal
from engine.rules import PRESETS, Rules
from engine.shoe import Shoe

BACKER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,29}")
_MOVE = re.compile(
    rf"(?:(?P<backer>{BACKER.pattern})@)?(?P<box>[1-9]) (?P<verb>[a-z_]+)"
    r"(?: (?P<amount>0|[1-9][0-9]{0,17}))?"
)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by single spaces, such as ``"Th 8h As"``; raises `NotationError`."""
    return tuple(Card.parse(part) for part in text.split(" ")) if text else ()


def format_cards(cards: Iterable[Card]) -> str:
    """The text that `parse_cards` reads."""
    return " ".join(map(str, cards))


# The answers by their words: a seat's, in the order in which a table shows them, and those of who bet behind.
# An `insure` may have an amount besides.
OWN_MOVES: Mapping[str, type[SeatMove]] = {
    "hit": actions.Hit,
    "stand": actions.Stand,
    "double": actions.Double,
    "split": actions.Split,
    "surrender": actions.Surrender,
    "insure": actions.Insure,
    "even_money": actions.EvenMoney,
    "decline": actions.Decline,
}
MOVES_BEHIND: Mapping[
    str, type[actions.Insure | actions.EvenMoney | actions.Decline | actions.Follow | actions.Pass]
] = {
    "insure": actions.Insure,
    "even_money": actions.EvenMoney,
    "decline": actions.Decline,
    "follow": actions.Follow,
    "pass": actions.Pass,
}
_VERBS = {move: verb for moves in (OWN_MOVES, MOVES_BEHIND) for verb, move in moves.items()}


def parse_move(text: str) -> Move:
    """A move such as ``"1 hit"``, ``"carol@3 insure 20"`` or ``"expire"``; raises `NotationError`.

    >>> parse_move("carol@3 follow")
    Follow(box=3, backer='carol')
    """
    if text == "expire":
        return actions.Expire()
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError("unknown_move", move=text)
    backer, box, verb, amount = match["backer"], int(match["box"]), match["verb"], match["amount"]
    if verb == "insure":
        return actions.Insure(box, backer, None if amount is None else int(amount))
    if amount is None and backer is None and verb in OWN_MOVES:
        return OWN_MOVES[verb](box)
    if amount is None and backer is not None and verb in MOVES_BEHIND:
        return MOVES_BEHIND[verb](box, backer)
    raise NotationError("unknown_move", move=text)


def format_move(move: Move) -> str:
    """The text that `parse_move` reads."""
    if isinstance(move, actions.Expire):
        return "expire"
    backer = getattr(move, "backer", None)
    who = f"{backer}@{move.box}" if backer else str(move.box)
    amount = getattr(move, "amount", None)
    return f"{who} {_VERBS[type(move)]}" + ("" if amount is None else f" {amount}")


@dataclass(frozen=True)
class Case:
    """Everything a round follows from: rules, the cards in order, bets, stacks and moves.

    Chips of a stack that is not in `chips` are the rules' `starting_chips`.
    """

    rules: Rules
    shoe: tuple[Card, ...]
    bets: Mapping[int, int]
    pairs: Mapping[int, int] = field(default_factory=dict)
    behind: tuple[Behind, ...] = ()
    stacks: Mapping[int, str] = field(default_factory=dict)
    chips: Mapping[str, int] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()

    def deal(self) -> Round:
        """The round before its first move; raises `EngineError`."""
        names = {self.stacks.get(box, str(box)) for box in self.bets} | {laid.backer for laid in self.behind}
        chips = {name: self.chips.get(name, self.rules.starting_chips) for name in names}
        return deal(
            self.rules,
            Shoe(self.shoe),
            self.bets,
            chips=chips,
            pairs=self.pairs,
            behind=self.behind,
            stacks=self.stacks,
        )

    def play(self) -> Round:
        """The round after all moves; raises `EngineError`."""
        state = self.deal()
        for move in self.moves:
            state = apply(state, move)
        return state


def parse_round(text: str) -> Case:
    """The case that one line says (see the module's docstring); raises `NotationError`.

    >>> parse_round("openseat; As 9h Kd 8c; 1=100").play().chips["1"]
    1150
    """
    parts = [part.strip() for part in text.split(";")]
    if len(parts) < 3:
        raise NotationError("unknown_round", round=text)
    rules, shoe, laid, *rest = parts
    bets: dict[int, int] = {}
    pairs: dict[int, int] = {}
    behind = []
    for word in laid.split():
        match = re.fullmatch(rf"(?:({BACKER.pattern})@)?([1-9])=([0-9]+)(?:\+([0-9]+))?", word)
        if match is None:
            raise NotationError("unknown_bet", bet=word)
        backer, box, bet, pair = match[1], int(match[2]), int(match[3]), int(match[4] or 0)
        if backer:
            behind.append(Behind(backer, box, bet, pair))
        else:
            bets[box] = bet
            if pair:
                pairs[box] = pair
    chips: dict[str, int] = {}
    stacks: dict[int, str] = {}
    moves: tuple[Move, ...] = ()
    for part in rest:
        if part.startswith("chips "):
            for word in part.split()[1:]:
                name, _, held = word.partition("=")
                if not held.isdecimal():
                    raise NotationError("unknown_chips", chips=word)
                chips[name] = int(held)
        elif part.startswith("stacks "):
            for word in part.split()[1:]:
                number, _, name = word.partition("=")
                if not number.isdecimal() or not BACKER.fullmatch(name):
                    raise NotationError("unknown_stack", stack=word)
                stacks[int(number)] = name
        elif part:
            moves = tuple(parse_move(move.strip()) for move in part.split(","))
    return Case(_parse_rules(rules), parse_cards(shoe), bets, pairs, tuple(behind), stacks, chips, moves)


def format_round(case: Case) -> str:
    """The line that `parse_round` reads."""
    laid = [f"{box}={bet}" + _plus(case.pairs.get(box, 0)) for box, bet in case.bets.items()]
    laid += [f"{one.backer}@{one.box}={one.bet}" + _plus(one.pair) for one in case.behind]
    parts = [_format_rules(case.rules), format_cards(case.shoe), " ".join(laid)]
    if case.stacks:
        parts.append("stacks " + " ".join(f"{box}={name}" for box, name in case.stacks.items()))
    if case.chips:
        parts.append("chips " + " ".join(f"{name}={held}" for name, held in case.chips.items()))
    if case.moves:
        parts.append(", ".join(map(format_move, case.moves)))
    return "; ".join(parts)


def _plus(pair: int) -> str:
    return f"+{pair}" if pair else ""


def _parse_rules(text: str) -> Rules:
    name, *changes = text.split()
    switches: dict[str, object] = {"preset": name}
    for change in changes:
        switch, _, value = change.partition("=")
        try:
            switches[switch] = json.loads(value)
        except ValueError:
            switches[switch] = value
    return Rules.from_json(switches)


def _format_rules(rules: Rules) -> str:
    switches = rules.to_json()

    def changes(name: str) -> list[str]:
        base = PRESETS[name].to_json()
        return [
            f"{switch}={value if isinstance(value, str) else json.dumps(value)}"
            for switch, value in switches.items()
            if value != base[switch]
        ]

    nearest = min(PRESETS, key=lambda name: len(changes(name)))
    return " ".join([nearest, *changes(nearest)])
