"""The shapes in which a table is shown: values without a rule in them, which pages and sockets are made from.

What goes into them, and for whom, is in `engine.views`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CardView:
    """A card on the table. `id` is stable, `order` its place in the deal; face down has no rank and suit."""

    id: str
    order: int
    rank: str | None
    suit: str | None


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand; `result` is None while it is open, ``returned`` where the match ended before the round."""

    number: int
    cards: tuple[CardView, ...]
    total: int
    soft: bool
    bet: int
    doubled: bool
    in_turn: bool
    result: str | None
    paid: int | None
    net: int | None


@dataclass(frozen=True, slots=True)
class SideBetView:
    bet: int
    paid: int | None


@dataclass(frozen=True, slots=True)
class BehindView:
    """What somebody has behind a box: `bet` counts every stake there is now, `net` is None while one is open.

    `pair` and `insurance` are bets of their own.
    """

    player: str
    name: str
    bet: int
    pair: SideBetView | None
    insurance: SideBetView | None
    net: int | None


@dataclass(frozen=True, slots=True)
class OwnBehindView:
    """What the viewer has behind a box; `name` is of who plays or played it."""

    box: int
    name: str
    behind: BehindView


@dataclass(frozen=True, slots=True)
class SeatView:
    """A place at the table; `player` is None where it is free. `net` is what the shown round brought it."""

    seat: int
    player: str | None = None
    name: str = ""
    host: bool = False
    ready: bool = False
    chips: int = 0
    status: str = "free"
    answered: bool = False
    bet: int = 0
    pair_bet: int = 0
    auto: bool = False
    gone: bool = False
    hands: tuple[HandView, ...] = ()
    insurance: SideBetView | None = None
    pair: SideBetView | None = None
    net: int | None = None
    asked: str | None = None
    behind: tuple[BehindView, ...] = ()
    behind_sum: int = 0


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's cards; `total` counts the open ones."""

    cards: tuple[CardView, ...]
    total: int
    soft: bool
    blackjack: bool
    bust: bool


@dataclass(frozen=True, slots=True)
class OfferView:
    """A draw offer: who offers, who agrees, whose answer is missing."""

    id: str
    seat: int
    name: str
    accepted: tuple[int, ...]
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StandingView:
    """A line of the standings; `refills` and `highest` (chips) are told where there is no match."""

    seat: int
    player: str
    name: str
    chips: int
    place: int
    status: str
    wins: int
    refills: int = 0
    highest: int = 0


@dataclass(frozen=True, slots=True)
class ResultView:
    reason: str
    winner: int | None
    winner_name: str
    standings: tuple[StandingView, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that happened, for words to be made of it elsewhere."""

    kind: str
    seat: int | None = None
    name: str = ""
    hand: int | None = None
    hands: int = 1
    rank: str | None = None
    suit: str | None = None
    total: int | None = None
    soft: bool = False
    amount: int | None = None
    paid: int | None = None
    net: int | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreView:
    player: str
    name: str
    wins: int


@dataclass(frozen=True, slots=True)
class BackerView:
    """A line of the standing of those who bet behind; `net` is what the shown round brought."""

    player: str
    name: str
    chips: int
    refills: int
    highest: int
    net: int | None


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The shoe in use, in cards: how many it has, how many are left in it, how many lie before the cut card.

    `cut_left` is None where every round has a new shoe; `cut_came` says that this round is its last.
    """

    number: int
    cards: int
    left: int
    cut_left: int | None
    cut_came: bool
    commitment: str
    spare_commitment: str | None


@dataclass(frozen=True, slots=True)
class PublishedShoe:
    """The last finished shoe with its seeds (hex), the second for its discards."""

    number: int
    seed: str
    commitment: str
    spare: str | None
    spare_commitment: str | None


@dataclass(frozen=True, slots=True)
class PublicView:
    """The table as everybody may see it. `shown_round` is the round whose cards lie on the felt, `void` says
    that all its bets went back."""

    game: int
    phase: str
    kind: str
    begun: bool
    rounds: int
    round_number: int
    shown_round: int | None
    void: bool
    shoe: ShoeView | None
    published: PublishedShoe | None
    dealer: DealerView | None
    seats: tuple[SeatView, ...]
    offer: OfferView | None
    result: ResultView | None
    standings: tuple[StandingView, ...]
    backers: tuple[BackerView, ...]
    backers_decide: bool
    backing: bool
    score: tuple[ScoreView, ...]
    draws: int
    log: tuple[LogLine, ...]
    waiting_for: tuple[int, ...]
    decision_seconds: int | None


@dataclass(frozen=True, slots=True)
class OptionView:
    """Something that may be done, or the code of why not (`params` are its figures). `amount` is its price in
    chips, for insurance the most that may be laid."""

    action: str
    enabled: bool
    reason: str | None = None
    amount: int | None = None
    params: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class AskView:
    """A question that the viewer has to answer; `behind` when it is about a bet behind somebody else."""

    ask: str
    box: int
    kind: str
    options: tuple[OptionView, ...]
    behind: bool = False


@dataclass(frozen=True, slots=True)
class BackableView:
    """A box that the viewer may bet behind, what lies there already, and the code of why nothing may be laid.

    `room` is the most that all bets of the viewer on it may come to, None where there is no such limit.
    """

    box: int
    name: str
    bet: int
    pair: int
    room: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class BackingView:
    """The viewer as somebody who bets behind: the open window, if there is one, and the purse.

    `laid` is what the viewer has put down in it. `waited` says that the deal waits for *Done*.
    """

    ask: str
    open: bool
    reason: str | None
    chips: int
    laid: int
    done: bool
    waited: bool
    boxes: tuple[BackableView, ...]
    pair_bets: bool
    pair_max: int
    net: int | None


@dataclass(frozen=True, slots=True)
class OwnView:
    """What is the viewer's own. `actions` always holds every button, in the order of its fixed slots.

    `seat` is the first of `seats`. `chips` may be laid now. `hint` is the move of basic strategy for the
    first question, told only to who plays alone; `hints` says that there are such for these rules.

    `behind` are the viewer's bets of the open window, without such those of the shown round: with what the
    viewer has answered so far, and behind boxes that nobody holds any more too.
    """

    player: str
    seat: int | None
    seats: tuple[int, ...]
    status: str
    host: bool
    chips: int
    bet: int
    pair_bet: int
    sitting_out: bool
    asks: tuple[AskView, ...]
    actions: tuple[OptionView, ...]
    commands: tuple[OptionView, ...]
    last_bet: int
    min_bet: int
    max_bet: int
    bet_step: int
    pair_bets: bool
    refills: int = 0
    highest: int = 0
    hint: str | None = None
    hints: bool = False
    backing: BackingView | None = None
    behind: tuple[OwnBehindView, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    public: PublicView
    own: OwnView | None
