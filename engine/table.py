"""A table at rest: its seats, purses, backers and bets between rounds, its round, its notes and its result.

Every value here is frozen; `engine.game` makes the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from engine.bets import Behind
from engine.record import Record
from engine.round import Round
from engine.rules import Rules
from engine.shoe import SealedShoe

MATCH_ROUNDS = (10, 20, 30)
MATCH_SEATS = 4


class Phase(Enum):
    LOBBY = "lobby"
    BETTING = "betting"
    PLAYING = "playing"
    OVER = "over"


class Kind(Enum):
    """What a table is for: a match with a winner, playing alone, or sitting down and leaving as one likes."""

    MATCH = "match"
    SOLO = "solo"
    OPEN = "open"


class Status(Enum):
    """What a seat is to the running match."""

    WAITING = "waiting"
    IN = "in"
    OUT = "out"
    RESIGNED = "resigned"


class Reason(Enum):
    """Why a game ended: a match, then a solo game or one of an open table."""

    ROUNDS = "rounds"
    LAST_LEFT = "last_left"
    ALL_OUT = "all_out"
    AGREED_DRAW = "agreed_draw"
    ABANDONED = "abandoned"
    NEW_GAME = "new_game"
    EMPTY = "empty"
    DAY_OVER = "day_over"


class NoteKind(Enum):
    """What people did beside the cards, for the log."""

    SAT_OUT = "sat_out"
    RESIGNED = "resigned"
    ELIMINATED = "eliminated"
    DRAW_OFFERED = "draw_offered"
    DRAW_REFUSED = "draw_refused"
    DRAW_CANCELLED = "draw_cancelled"
    STOPPED_WAITING = "stopped_waiting"
    CAME_BACK = "came_back"
    SAT_DOWN = "sat_down"
    LEFT = "left"
    IDLE = "idle"
    REFILLED = "refilled"
    CUT_CARD = "cut_card"
    DISCARDS = "discards"
    VOID_FAILURE = "void_failure"
    VOID_STAFF = "void_staff"


@dataclass(frozen=True, slots=True)
class Note:
    """Something beside the cards, in round `round`, after so many events of it.

    `seat` is 0 where it is about no seat; `name` is kept for seats that are taken by others later.
    """

    round: int
    after: int
    kind: NoteKind
    seat: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Purse:
    """What somebody holds in the running game, wherever they sit.

    `chips` is what it holds between rounds, bets that are not dealt included; `stack` is its name in a round.
    `refills` counts the fresh starting stacks, `highest` is the most it held after a round, `rounds` and
    `backed` the rounds in which it had a bet on a box of its own or behind others.
    """

    stack: str
    player: str
    name: str
    chips: int
    highest: int
    refills: int = 0
    rounds: int = 0
    backed: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat (a box) that somebody holds. `since` orders who sat down first, `stack` names the purse it plays
    from.

    In the betting, `ask` numbers the seat's question, `bet` and `sitting_out` are its answer. `fell` is the
    round before which it was out of a match, or in which it resigned. `fresh` is a seat taken while the bets
    were open: it has not had a whole round to bet in.
    """

    number: int
    player: str
    name: str
    since: int
    stack: str
    status: Status = Status.WAITING
    ready: bool = False
    ask: int = 0
    bet: int = 0
    pair: int = 0
    sitting_out: bool = False
    last_bet: int = 0
    offered_draw: bool = False
    auto: bool = False
    gone: bool = False
    fresh: bool = False
    fell: int = 0

    @property
    def answered(self) -> bool:
        """It has bet or sits the round out."""
        return self.bet > 0 or self.sitting_out

    @property
    def laid(self) -> int:
        """Chips that lie in front of it before the deal."""
        return self.bet + self.pair


@dataclass(frozen=True, slots=True)
class Backer:
    """Somebody who bets behind seats, or has done so lately.

    `laid` are the bets of the open window, `ask` numbers its question. Who is `done` or `away` is not waited
    for; `idle` counts the rounds without a bet.
    """

    player: str
    name: str
    stack: str
    ask: int = 0
    laid: tuple[Behind, ...] = ()
    done: bool = False
    away: bool = False
    idle: int = 0

    def on(self, box: int) -> Behind | None:
        """What lies on that box."""
        return next((one for one in self.laid if one.box == box), None)


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw offered by a seat; `accepted` are the seats that agree, the offering one first."""

    id: str
    seat: int
    accepted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody ended, and with how much; `seat` is 0 for who sits no more."""

    seat: int
    player: str
    name: str
    chips: int
    place: int
    status: Status
    stack: str
    refills: int = 0
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; `winner` is a seat, None for a draw, for nobody, or where nobody plays to win."""

    reason: Reason
    winner: int | None
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Matches won at this table."""

    player: str
    name: str
    wins: int


@dataclass(frozen=True, slots=True)
class Game:
    """A table at rest.

    `round` and `record` are those of the running round, or of the last one while the next bets are laid.
    `number` counts the games of the table; a match begins with *Start* (in the first lobby it is 0), the
    other kinds with the first bet (`begun`). `shoe` is the coming or running shoe, whose seeds must reach
    nobody; `published` is the last finished one. `ending` says that the game ends with its present shoe.
    `window` numbers the question of whoever has not bet behind lately; `closing` says that every seat has
    answered and that only backers are still waited for.
    """

    rules: Rules
    rounds: int
    host: str | None
    kind: Kind = Kind.MATCH
    number: int = 0
    phase: Phase = Phase.LOBBY
    begun: bool = False
    ending: bool = False
    seats: tuple[Seat, ...] = ()
    purses: tuple[Purse, ...] = ()
    opened_purses: int = 0
    backers: tuple[Backer, ...] = ()
    window: int = 0
    closing: bool = False
    sat_down: int = 0
    round_number: int = 0
    shoes: int = 0
    shoe: SealedShoe | None = None
    published: SealedShoe | None = None
    record: Record | None = None
    round: Round | None = None
    asked: int = 0
    offers: int = 0
    offer: Offer | None = None
    notes: tuple[Note, ...] = ()
    result: Result | None = None
    score: tuple[Score, ...] = ()
    draws: int = 0

    @property
    def in_match(self) -> bool:
        """Bets are laid or cards played: the table is neither in its lobby nor at the end of a match."""
        return self.phase in (Phase.BETTING, Phase.PLAYING)

    @property
    def seats_in(self) -> tuple[Seat, ...]:
        """The seats that play."""
        return tuple(seat for seat in self.seats if seat.status is Status.IN)

    @property
    def seat_limit(self) -> int:
        """How many seats there are."""
        return seat_limit(self.rules, self.kind)

    @property
    def seats_a_player(self) -> int:
        """How many seats one person may hold."""
        return 1 if self.kind is Kind.MATCH else min(self.rules.boxes_per_player, self.rules.boxes)

    def seat_of(self, player: str) -> Seat | None:
        """The first seat that `player` holds."""
        return next((seat for seat in self.seats if seat.player == player), None)

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        """Every seat that `player` holds."""
        return tuple(seat for seat in self.seats if seat.player == player)

    def seat(self, number: int) -> Seat | None:
        """The seat with that number, if somebody holds it."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def purse(self, stack: str) -> Purse | None:
        """The purse of that name."""
        return next((purse for purse in self.purses if purse.stack == stack), None)

    def purse_of(self, player: str) -> Purse | None:
        """The purse that `player` plays from."""
        return next((purse for purse in self.purses if purse.player == player), None)

    def backing_purse_of(self, player: str) -> Purse | None:
        """The purse that `player` bets behind from. In a match it is not that of a seat, unless the rules let
        players bet behind each other."""
        own = [purse for purse in self.purses if purse.player == player]
        if self.kind is Kind.MATCH and not self.seats_to_back_from(player):
            seated = {seat.stack for seat in self.seats}
            own = [purse for purse in own if purse.stack not in seated]
        return own[0] if own else None

    def seats_to_back_from(self, player: str) -> tuple[Seat, ...]:
        """The seats of a player who plays, and may only bet behind others if the rules say so."""
        return tuple(seat for seat in self.seats_of(player) if seat.status is Status.IN)

    def backer(self, player: str) -> Backer | None:
        """`player` as somebody who bets behind."""
        return next((backer for backer in self.backers if backer.player == player), None)

    def laid_by(self, stack: str) -> int:
        """Chips of a purse that lie on the table before the deal, on seats and behind them."""
        behind = sum(
            one.bet + one.pair for backer in self.backers if backer.stack == stack for one in backer.laid
        )
        return behind + sum(seat.laid for seat in self.seats if seat.stack == stack)

    def laid_behind(self) -> Mapping[int, int]:
        """Chips of backers that lie on each box before the deal."""
        chips: Counter[int] = Counter()
        for backer in self.backers:
            for one in backer.laid:
                chips[one.box] += one.bet + one.pair
        return chips

    def chips_of(self, seat: Seat) -> int:
        """Chips in the purse of `seat` between rounds, undealt bets included; 0 before the first game."""
        purse = self.purse(seat.stack)
        # The purses of a match are named after its seats: who sits there now may be somebody else.
        return 0 if purse is None or purse.player != seat.player else purse.chips

    def free_chips_of(self, seat: Seat) -> int:
        """Chips that `seat` could lay now: what its purse holds without all that is laid from it."""
        return self.chips_of(seat) - self.laid_by(seat.stack)

    def chips_in_hand(self, seat: Seat) -> int:
        """Chips of `seat` that lie nowhere: in the running round, else what it could lay now."""
        state = self.round
        playing = self.phase is Phase.PLAYING and state is not None and not state.settled
        if playing and state is not None and seat.stack in state.chips and seat.status is Status.IN:
            return state.chips[seat.stack]
        return self.free_chips_of(seat)

    def sits_out(self, seat: Seat) -> bool:
        """Whether `seat` lets the open or the shown round pass."""
        if seat.status is not Status.IN or not self.in_match:
            return False
        if self.phase is Phase.BETTING:
            return seat.sitting_out
        return self.record is not None and seat.number in self.record.sat_out

    def status_of(self, seat: Seat) -> str:
        """The word for what `seat` is at: its status, or "sitting_out"."""
        return "sitting_out" if self.sits_out(seat) else seat.status.value


def seat_limit(rules: Rules, kind: Kind) -> int:
    """How many seats a table of that kind has."""
    match kind:
        case Kind.MATCH:
            return min(MATCH_SEATS, rules.boxes)
        case Kind.SOLO:
            return min(rules.boxes, rules.boxes_per_player)
        case Kind.OPEN:
            return rules.boxes


def match_stack(rules: Rules, seat: int) -> str:
    """The name of the purse that a seat of a match plays from; one that may bet behind is named like every
    backer's."""
    return f"s{seat}" if rules.players_may_back else str(seat)
