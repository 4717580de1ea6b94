"""What a game brought to everybody, round by round and in all.

The figures of a round are kept with its record when it is settled, so that a game of hundreds of rounds need
not be played again to be summed up. Rounds that were stored before there were figures are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.bets import SideBet
from engine.brought import Brought
from engine.game import Game as GameState
from engine.hand import evaluate, is_natural
from engine.round import Box

Json = dict[str, Any]

# What a hand counts as. A blackjack and a bust are counted beside.
COUNTED_AS = {
    **dict.fromkeys(("blackjack", "win", "charlie", "even_money"), "won"),
    **dict.fromkeys(("lose", "bust", "resigned"), "lost"),
    "push": "pushed",
    "surrender": "surrenders",
    "returned": "returned",
}


def of_round(game: GameState) -> Json:
    """The figures of the round that `game` shows, which is over: the dealer's total, and by stacks what was
    played and what bets behind brought (chips, below 0 what they cost).

    Noughts are left out. In a void round nothing was played.
    """
    state, record = game.round, game.record
    if state is None or record is None or record.void:
        return {"dealer": None, "played": {}, "behind": {}}
    brought = Brought(game.rules, record, state)
    played: dict[str, Counter[str]] = {}
    bets: dict[str, int] = {}
    for box in state.boxes:
        sums = played.setdefault(box.stack, Counter())
        sums.update(_of_box(brought, box))
        bets[box.stack] = max(bets.get(box.stack, 0), record.bets[box.number])
    for stack, bet in bets.items():
        played[stack]["bet"] = bet
    cards = state.dealer_open
    told = "blackjack" if is_natural(cards) else "bust" if evaluate(cards).total > 21 else ""
    return {
        "dealer": [evaluate(cards).total, told],
        "played": {
            stack: {name: sum_ for name, sum_ in sums.items() if sum_} for stack, sums in played.items()
        },
        "behind": dict(brought.won_behind()),
    }


def _of_box(brought: Brought, box: Box) -> Counter[str]:
    sums: Counter[str] = Counter()
    own = [(place, hand.stakes[0]) for place, hand in enumerate(box.hands)]
    for place, stake in own:
        given_up = brought.given_up(box.number, place, stake)
        result = "resigned" if given_up else stake.result.value if stake.result else "returned"
        sums[COUNTED_AS[result]] += 1
        sums["busts"] += result == "bust"
        sums["blackjacks"] += box.hands[place].natural
    insurance = brought.insurance(box.number, box.stack, box.insurance)
    pair = brought.pair(box.number, box.stack, box.pair)
    sums["insurance"], sums["pair"] = _net(insurance), _net(pair)
    sums["net"] = brought.net(box.number, own, insurance, pair) or 0
    return sums


def _net(side: SideBet | None) -> int:
    return 0 if side is None or side.paid is None else side.paid - side.bet


@dataclass(frozen=True, slots=True)
class Best:
    """A round and what it brought (chips)."""

    net: int
    round: int


@dataclass(slots=True)
class Player:
    """What somebody did and got in a game. `best` and `worst` are None until a round was played."""

    name: str
    rounds: int = 0
    won: int = 0
    pushed: int = 0
    lost: int = 0
    blackjacks: int = 0
    busts: int = 0
    surrenders: int = 0
    bet: int = 0
    net: int = 0
    pair: int = 0
    insurance: int = 0
    behind: int = 0
    best: Best | None = None
    worst: Best | None = None

    @property
    def total(self) -> int:
        """What the game brought (chips), bets behind others included."""
        return self.net + self.behind


# What is summed of rounds.
SUMS = ("won", "pushed", "lost", "blackjacks", "busts", "surrenders", "net", "pair", "insurance")


@dataclass(frozen=True, slots=True)
class Line:
    """A round as one line: what it brought to those who played, in the order of their boxes.

    `dealer` is the total of the dealer's open cards, None where nothing was dealt or all went back;
    `behind` is what it brought to all who bet behind others together, `sat_out` names who had a seat and
    played no box.
    """

    number: int
    void: bool
    dealer: int | None
    dealer_told: str
    nets: list[tuple[str, int]]
    behind: int | None
    sat_out: list[str]


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored round as it is summed up: its record's chips before and after, its figures, and the names of
    the seats that sat out."""

    number: int
    void: bool
    chips: Mapping[str, int]
    after: Mapping[str, int]
    figures: Json
    sat_out: Sequence[str] = ()


@dataclass(slots=True)
class Summary:
    """All rounds of a game, with the players and the names of all stacks."""

    rounds: Sequence[Stored]
    names: Mapping[str, str]
    players: dict[str, Player] = field(default_factory=dict)

    def line(self, one: Stored) -> Line:
        """The round as a line of a list."""
        figures = one.figures
        total, told = figures["dealer"] or (None, "")
        behind = sum(figures["behind"].values()) if figures["behind"] else None
        nets = [
            (self.names.get(stack, ""), played.get("net", 0)) for stack, played in figures["played"].items()
        ]
        played_by = {name for name, _net in nets}
        sat_out = [name for name in dict.fromkeys(one.sat_out) if name not in played_by]
        return Line(one.number, one.void, total, told, nets, behind, sat_out)


def summary(rounds: Iterable[Stored], names: Mapping[str, str]) -> Summary:
    """Sum up the rounds of a game; `names` are those of its stacks."""
    told = Summary(list(rounds), names)
    for one in told.rounds:
        for stack, played in one.figures["played"].items():
            player = told.players.setdefault(stack, Player(names.get(stack, "")))
            player.rounds += 1
            for name in SUMS:
                setattr(player, name, getattr(player, name) + played.get(name, 0))
            player.bet = max(player.bet, played.get("bet", 0))
            net = played.get("net", 0)
            if player.best is None or net > player.best.net:
                player.best = Best(net, one.number)
            if player.worst is None or net < player.worst.net:
                player.worst = Best(net, one.number)
    for one in told.rounds:
        for stack, net in one.figures["behind"].items():
            if stack in told.players:
                told.players[stack].behind += net
    return told
