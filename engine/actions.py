"""What can be asked of the engine, in the imperative. Time arrives as `Expire`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules import Rules

# Moves in a round. `box` is the number of a box, from 1; `backer` names a stack with chips behind somebody
# else's box; without it the box's own seat is meant. A turn is about the hand of the box that is asked.


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
    """Take one more card."""

    box: int


@dataclass(frozen=True, slots=True)
class Stand:
    """Take no more cards."""

    box: int


@dataclass(frozen=True, slots=True)
class Double:
    """Lay as many chips again as lie on the hand, for exactly one more card."""

    box: int


@dataclass(frozen=True, slots=True)
class Split:
    """Make two hands of two equal cards; as many chips again are laid on the new one."""

    box: int


@dataclass(frozen=True, slots=True)
class Surrender:
    """Give up the first two cards for half the bet."""

    box: int


@dataclass(frozen=True, slots=True)
class Follow:
    """Lay the own stake once more: on a doubled hand, or on the new hand of a split."""

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
    """Take the seat with that number (from 1) under a nickname."""

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
    """The host begins the match."""

    player: str


@dataclass(frozen=True, slots=True)
class Remove:
    """The host takes somebody out of the seat with that number between matches."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class Configure:
    """The host sets the rules, and how many rounds a match has, in the lobby."""

    player: str
    rules: Rules
    rounds: int


@dataclass(frozen=True, slots=True)
class BackToLobby:
    """Change settings after a match: everyone is asked again whether they are ready."""

    player: str


@dataclass(frozen=True, slots=True)
class Bet:
    """Lay `amount` chips on the own seat that is asked, and `pair` chips on the pair of its hand.

    It replaces what lies there; a `pair` of nought is no pair bet.
    """

    player: str
    ask: str
    amount: int
    pair: int = 0


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the answer to the bets back, be it a bet with its pair bet or sitting out."""

    player: str
    ask: str


@dataclass(frozen=True, slots=True)
class SitOut:
    """Let the round pass without a bet; one that lies on the seat goes back."""

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
    """Give up a match: what lies on the table is lost."""

    player: str


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer everybody else in the match to end it as a draw."""

    player: str


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    """Agree to the draw; `offer` is the id of the offer."""

    player: str
    offer: str


@dataclass(frozen=True, slots=True)
class RefuseDraw:
    """Refuse the draw: the offer is gone. `offer` is its id."""

    player: str
    offer: str


@dataclass(frozen=True, slots=True)
class StopWaiting:
    """From now on the timeout rule answers at once for the seat with that number, whose player is away."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Somebody others had stopped waiting for is back."""

    player: str


@dataclass(frozen=True, slots=True)
class PassHost:
    """Become the host. `player` sits; the one before was away."""

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
