"""What can be asked of the engine, in the imperative. Time arrives as `Expire`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules import Rules

# Moves in a round. `backer` names a stack with chips behind somebody else's box; without it the box's own
# seat is meant.


@dataclass(frozen=True, slots=True)
class Insure:
    """Lay insurance of `amount` chips; None says as much as is allowed."""

    box: int
    backer: str | None = None
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class EvenMoney:
    """Take 1:1 for a blackjack now, whatever the dealer has."""

    box: int
    backer: str | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """No insurance, no even money, no surrender."""

    box: int
    backer: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    box: int


@dataclass(frozen=True, slots=True)
class Stand:
    box: int


@dataclass(frozen=True, slots=True)
class Double:
    box: int


@dataclass(frozen=True, slots=True)
class Split:
    box: int


@dataclass(frozen=True, slots=True)
class Surrender:
    box: int


@dataclass(frozen=True, slots=True)
class Follow:
    """Put the same stake behind a double or behind the new hand of a split."""

    box: int
    backer: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Do not follow."""

    box: int
    backer: str


@dataclass(frozen=True, slots=True)
class Expire:
    """The clock has run out for everything that is being waited for."""


SeatMove = Insure | EvenMoney | Decline | Hit | Stand | Double | Split | Surrender
Move = SeatMove | Follow | Pass | Expire

# What people do at a table. `player` is an opaque id; `ask` is the question answered, such as "7.12".


@dataclass(frozen=True, slots=True)
class Sit:
    player: str
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the seat; in the middle of a match this is resigning. Without `seat`, every seat one holds."""

    player: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """Be ready for the match to start; after a match this is *again*."""

    player: str
    ready: bool = True


@dataclass(frozen=True, slots=True)
class Start:
    player: str


@dataclass(frozen=True, slots=True)
class Remove:
    """The host takes somebody out of a seat between matches."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class Configure:
    player: str
    rules: Rules
    rounds: int


@dataclass(frozen=True, slots=True)
class BackToLobby:
    """Change settings after a match: everyone is asked again whether they are ready."""

    player: str


@dataclass(frozen=True, slots=True)
class Bet:
    player: str
    ask: str
    amount: int
    pair: int = 0


@dataclass(frozen=True, slots=True)
class TakeBack:
    player: str
    ask: str


@dataclass(frozen=True, slots=True)
class SitOut:
    player: str
    ask: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Bets lie on all seats of mine that I want: the others sit this round out."""

    player: str


@dataclass(frozen=True, slots=True)
class Back:
    """Bet behind somebody else's box, and on a pair there: `bet` and `pair` (chips) are all that shall lie.

    Two noughts take everything back.
    """

    player: str
    name: str
    ask: str
    box: int
    bet: int = 0
    pair: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """No more bets behind in this round: the deal need not wait for me."""

    player: str
    ask: str


@dataclass(frozen=True, slots=True)
class GoAway:
    """A backer has lost the connection: bets stay, every question is answered with no until `ComeBack`."""

    player: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A move of a round, made by a person as the answer to a question."""

    player: str
    ask: str
    move: Move


@dataclass(frozen=True, slots=True)
class Resign:
    player: str


@dataclass(frozen=True, slots=True)
class OfferDraw:
    player: str


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    player: str
    offer: str


@dataclass(frozen=True, slots=True)
class RefuseDraw:
    player: str
    offer: str


@dataclass(frozen=True, slots=True)
class StopWaiting:
    """From now on the timeout rule answers at once for a seat whose player is away."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Somebody others had stopped waiting for is back."""

    player: str


@dataclass(frozen=True, slots=True)
class PassHost:
    """The host role goes to somebody else who sits."""

    player: str


@dataclass(frozen=True, slots=True)
class Abandon:
    """Nobody has touched the game for a day."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """Alone at a table: end this game and begin another with a fresh stack."""

    player: str


@dataclass(frozen=True, slots=True)
class CloseGame:
    """Nobody has sat at an open table for ten minutes."""


@dataclass(frozen=True, slots=True)
class EndWithShoe:
    """The game of an open table has lasted a day: its next shuffle ends it."""


@dataclass(frozen=True, slots=True)
class Void:
    """The running round is void, because the host's machine failed or by the staff's decision."""

    failure: bool = False


TableAction = (
    Sit | Leave | Ready | Start | Remove | Configure | BackToLobby | Bet | TakeBack | SitOut | Answer
    | Resign | OfferDraw | AcceptDraw | RefuseDraw | StopWaiting | ComeBack | PassHost | Abandon | Expire
    | Deal | NewGame | CloseGame | EndWithShoe | Void | Back | Done | GoAway
)  # fmt: skip
