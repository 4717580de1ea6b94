"""Where everybody sits, as the table page needs it: boxes of one player, and the places around one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from engine.game import MATCH_SEATS, Game, Kind, Phase
from engine.questions import ask_id
from engine.rules import Insurance, Rules
from engine.shown import LogLine, OwnView, PublicView, SeatView
from tables import words

OWN = "own"


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of the page. `box` is its number among several of one player: "first" shows the chips of all.

    A `spare` place is one that other rules of a match may give back: it is on the page, but not to be seen.
    """

    seat: SeatView
    box: str = ""
    spare: bool = False

    @property
    def context(self) -> dict[str, object]:
        return {"seat": self.seat, "box": self.box, "spare": self.spare}


def of(view: PublicView) -> Iterator[Place]:
    held = Counter(seat.player for seat in view.seats)
    met: set[str | None] = set()
    for seat in view.seats:
        box = ""
        if seat.player is not None and held[seat.player] > 1:
            box = "more" if seat.player in met else "first"
            met.add(seat.player)
        yield Place(seat, box)
    if view.kind == Kind.MATCH.value:
        for number in range(len(view.seats) + 1, MATCH_SEATS + 1):
            yield Place(SeatView(number), spare=True)


class Told(Protocol):
    """A round with its log: of a table, or a stored one."""

    @property
    def seats(self) -> Sequence[SeatView]: ...
    @property
    def log(self) -> Sequence[LogLine]: ...


def several(view: Told) -> frozenset[str]:
    """The names that stand for more than one box of the shown round or of the coming one."""
    boxes = {(seat.name, seat.seat) for seat in view.seats if seat.player}
    boxes |= {(line.name, line.seat) for line in view.log if line.seat and line.name}
    names = Counter(name for name, _ in boxes)
    return frozenset(name for name, count in names.items() if count > 1)


def named(name: str, number: int, several: frozenset[str]) -> str:
    """Who holds a box; with its number where the name stands for several."""
    return words.with_box(name, number) if name in several else name


@dataclass(frozen=True, slots=True)
class OwnBox:
    """A box of the viewer while bets are open: the question of its bet, what lies there and what lay last."""

    number: int
    ask: str
    bet: int
    pair: int
    last_bet: int
    answered: bool


def boxes(game: Game, you: OwnView | None) -> tuple[OwnBox, ...]:
    if you is None or game.phase is not Phase.BETTING or len(you.seats) < 2:
        return ()
    return tuple(
        OwnBox(seat.number, ask_id(game, seat.ask), seat.bet, seat.pair, seat.last_bet, seat.answered)
        for seat in game.seats_of(you.player)
    )


def staked(view: PublicView, you: OwnView | None) -> frozenset[int]:
    """The viewer's seats where a bet lies or cards are in play."""
    own = [seat for seat in view.seats if you and seat.seat in you.seats]
    return frozenset(seat.seat for seat in own if seat.bet or any(hand.result is None for hand in seat.hands))


# More seats than this stand around the felt, not in a row.
IN_A_ROW = 4


def arrangement(view: PublicView, you: OwnView | None) -> tuple[str, ...]:
    """For each seat, in order, its place around the viewer: "own", or a number or spot among the others."""
    own = you.seats if you else ()
    others = len(view.seats) - len(own)
    spots = iter(
        around(others, len(own)) if len(view.seats) > IN_A_ROW else [str(n + 1) for n in range(others)]
    )
    return tuple(OWN if seat.seat in own else next(spots) for seat in view.seats)


def around(others: int, own: int) -> list[str]:
    """Spots down the left side of the dealer, through the middle and up the right side, as on an arc.

    The own boxes lie in the middle of the third row, several of them fill it, and many the second one too.
    """
    last = 3 if own < 2 else 2 if own < 5 else 1
    middle = 1 if others % 2 and others > 1 and own != 1 else 0
    left = (others - middle + 1) // 2
    return [
        *(f"left{row}" for row in range(last - left + 1, last + 1)),
        *[f"middle{last}"] * middle,
        *(f"right{row}" for row in range(last, last - (others - middle - left), -1)),
    ]


def even_money(view: PublicView, you: OwnView | None, rules: Rules) -> bool:
    """Whether the insurance that is asked first makes a blackjack win 1:1 whatever the dealer has."""
    ask = you.asks[0] if you and you.asks else None
    if ask is None or ask.kind != "insurance" or rules.blackjack_pays != Fraction(3, 2):
        return False
    hands = [hand for seat in view.seats if seat.seat == ask.box for hand in seat.hands]
    whole = rules.insurance is Insurance.HALF
    return whole and len(hands) == 1 and len(hands[0].cards) == 2 and hands[0].total == 21
