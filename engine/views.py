"""What a viewer may know. Pages and sockets are made from these shapes and from nothing else.

`view_for(game, None)` is the most restricted view; a player's adds only what is that player's own to answer.
The hole card, the order of the shoe and a running seed are in none of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from engine import actions, allowed, events
from engine import round as rounds
from engine.actions import Move, SeatMove
from engine.allowed import InWindow
from engine.bets import SideBet, largest_pair
from engine.brought import Brought
from engine.cards import DECK, Card
from engine.errors import IllegalAction
from engine.hand import evaluate, is_natural
from engine.questions import ask_id, questions_behind, questions_of
from engine.round import Asked, Box, Question, Round
from engine.rules import BoxLimit, HoleCard, Rules, Shuffle
from engine.shoe import SealedShoe, cut_after
from engine.strategy import chart_for, hint
from engine.table import Game, Kind, Note, NoteKind, Phase, Purse, Seat, Status
from engine.told import as_told


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


@dataclass(frozen=True, slots=True)
class View:
    public: PublicView
    own: OwnView | None


def view_for(game: Game, viewer: str | None) -> View:
    """What `viewer` (a player's id, or None for somebody unknown) may know of `game`."""
    return View(public_view(game), None if viewer is None else own_view(game, viewer))


def phase_of(game: Game) -> str:
    """lobby, betting, insurance, surrender, turns, follow or over."""
    if game.phase is Phase.PLAYING and game.round is not None:
        return game.round.phase.value
    return game.phase.value


def public_view(game: Game) -> PublicView:
    """The table as everybody may see it."""
    game = _as_told(game)
    felt = _Felt(game)
    numbers = range(1, max(game.seat_limit, *(seat.number for seat in game.seats), 1) + 1)
    seats = tuple(_seat_view(felt, number) for number in numbers)
    return PublicView(
        game=game.number,
        phase=phase_of(game),
        kind=game.kind.value,
        begun=game.begun,
        rounds=game.rounds,
        round_number=game.round_number,
        shown_round=game.record.number if game.record else None,
        void=game.record is not None and game.record.void,
        shoe=_shoe_view(game),
        published=_published(game.published),
        dealer=_dealer_view(game),
        seats=seats,
        offer=_offer_view(game),
        result=_result_view(game),
        standings=_standings(felt),
        backers=_backers(felt),
        backers_decide=game.closing or _only_backers_asked(game),
        backing=game.rules.backing,
        score=tuple(ScoreView(one.player, one.name, one.wins) for one in game.score),
        draws=game.draws,
        log=tuple(_log(felt)),
        waiting_for=tuple(seat.seat for seat in seats if seat.asked),
        decision_seconds=game.rules.decision_seconds,
    )


def _shoe_view(game: Game) -> ShoeView | None:
    shoe = game.shoe
    if shoe is None:
        return None
    rules = game.rules
    cards = rules.decks * len(DECK)
    dealt = shoe.dealt
    came = False
    cut_left = None
    if game.phase is Phase.PLAYING and game.round is not None:
        # After the discards were shuffled in the middle of a round, what is left is what is left of them.
        cards, dealt = len(game.round.shoe.cards), game.round.shoe.dealt
        came = game.round.shoe.reshuffled
    if rules.shuffle is Shuffle.CUT_CARD:
        cut_left = 0 if came else max(0, cut_after(rules.decks, rules.cut_card) - dealt)
        came = not cut_left
    return ShoeView(shoe.number, cards, cards - dealt, cut_left, came, shoe.commitment, shoe.spare_commitment)


def _published(shoe: SealedShoe | None) -> PublishedShoe | None:
    if shoe is None:
        return None
    spare = shoe.spare.hex() if shoe.spare is not None else None
    return PublishedShoe(shoe.number, shoe.seed.hex(), shoe.commitment, spare, shoe.spare_commitment)


def _only_backers_asked(game: Game) -> bool:
    questions = game.round.questions if game.phase is Phase.PLAYING and game.round else ()
    return bool(questions) and all(question.backer for question in questions)


def _as_told(game: Game) -> Game:
    """The table as the questions were put: while others are asked too nobody sees what a backer answers."""
    if game.round is None or game.phase is not Phase.PLAYING:
        return game
    return replace(game, round=as_told(game.round))


class _Felt:
    """A table, and what its view asks again and again: each is looked up once, however many have bet."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.brought = Brought(game)

    @cached_property
    def boxes(self) -> Mapping[int, Box]:
        return {box.number: box for box in self.game.round.boxes} if self.game.round else {}

    @cached_property
    def purses(self) -> Mapping[str, Purse]:
        return {purse.stack: purse for purse in self.game.purses}

    def name(self, number: int) -> str:
        """Who plays or played a box of the shown round: by now somebody else may sit there."""
        box = self.boxes.get(number)
        purse = self.purses.get(box.stack) if box else None
        if purse is not None:
            return purse.name
        seat = self.game.seat(number)
        return seat.name if seat else ""

    @cached_property
    def laid(self) -> Mapping[int, tuple[BehindView, ...]]:
        """The bets of the open window, by box."""
        laid = defaultdict(list)
        for backer in self.game.backers:
            for one in backer.laid:
                pair = SideBetView(one.pair, None) if one.pair else None
                laid[one.box].append(BehindView(backer.player, backer.name, one.bet, pair, None, None))
        return {box: tuple(bets) for box, bets in laid.items()}

    @cached_property
    def behind(self) -> Mapping[int, Mapping[str, BehindView]]:
        """The bets behind the boxes of the shown round, by box and stack."""
        return {number: self._behind(box) for number, box in self.boxes.items()}

    def _behind(self, box: Box) -> Mapping[str, BehindView]:
        stakes = defaultdict(list)
        for place, hand in enumerate(box.hands):
            for stake in hand.stakes[1:]:
                stakes[stake.stack].append((place, stake))
        behind = {}
        for backer in box.backers:
            stack, own = backer.stack, stakes[backer.stack]
            purse = self.purses.get(stack)
            pair = self.brought.pair(box.number, stack, backer.pair)
            insurance = self.brought.insurance(box.number, stack, backer.insurance)
            behind[stack] = BehindView(
                purse.player if purse else "",
                purse.name if purse else "",
                sum(stake.bet for _, stake in own),
                _side_view(pair),
                _side_view(insurance),
                self.brought.net(box.number, own, insurance, pair),
            )
        return behind

    @cached_property
    def nets_behind(self) -> Mapping[str, int | None]:
        """What the shown round brought to those who had bet behind, None while it runs."""
        nets: dict[str, int | None] = {}
        for bets in self.behind.values():
            for stack, bet in bets.items():
                nets[stack] = (nets.get(stack) or 0) + (bet.net or 0) if self.brought.over else None
        return nets

    @cached_property
    def worth(self) -> Mapping[str, int]:
        """What each purse holds, chips in hand and on the table counted alike."""
        worth = {purse.stack: purse.chips for purse in self.game.purses}
        state = self.game.round
        if self.game.phase is Phase.PLAYING and state is not None:
            lying = rounds.open_stakes(state)
            worth |= {stack: chips + lying.get(stack, 0) for stack, chips in state.chips.items()}
        return worth


# The felt


def _card_view(game: Game, place: int, card: Card | None) -> CardView:
    shoe = game.record.shoe if game.record else None
    # No two cards of a table have the same: shoes are counted, and so are the cards of one.
    identity = f"s{shoe.number}c{shoe.dealt + place}" if shoe else f"c{place}"
    if card is None:
        return CardView(identity, place, None, None)
    return CardView(identity, place, card.rank.symbol, card.suit.value)


def _dealer_view(game: Game) -> DealerView | None:
    state = game.round
    if state is None:
        return None
    shown = state.dealer_open
    cards = [_card_view(game, place, card) for place, card in zip(state.dealer_places, shown, strict=False)]
    if state.rules.hole_card is HoleCard.PEEK and not state.hole_shown and len(state.dealer_places) > 1:
        cards.append(_card_view(game, state.dealer_places[1], None))
    total, soft = evaluate(shown)
    return DealerView(tuple(cards), total, soft, is_natural(shown), total > 21)


def _seat_view(felt: _Felt, number: int) -> SeatView:
    game, state = felt.game, felt.game.round
    seat = game.seat(number)
    if seat is None:
        return SeatView(number)
    box = felt.boxes.get(number)
    if seat.status is Status.WAITING or (box is not None and box.stack != seat.stack):
        # Somebody who took the seat later: the cards were another player's.
        box = None
    hands: tuple[HandView, ...] = ()
    if box and state:
        hands = tuple(_hand_view(felt, state, box, place) for place in range(len(box.hands)))
    behind = felt.laid.get(number)
    if behind is None:
        behind = tuple(felt.behind[number].values()) if box else ()
    insurance = felt.brought.insurance(number, box.stack, box.insurance) if box else None
    pair = felt.brought.pair(number, box.stack, box.pair) if box else None
    net = None
    if box and felt.brought.over:
        own = ((place, hand.stakes[0]) for place, hand in enumerate(box.hands))
        net = felt.brought.net(number, own, insurance, pair)
    return SeatView(
        seat=number,
        player=seat.player,
        name=seat.name,
        host=seat.player == game.host,
        ready=seat.ready,
        chips=_chips(game, seat),
        status=_status(game, seat),
        answered=seat.answered,
        bet=seat.bet,
        pair_bet=seat.pair,
        auto=seat.auto,
        gone=seat.gone,
        hands=hands,
        insurance=_side_view(insurance),
        pair=_side_view(pair),
        net=net,
        asked=_asked(game, seat),
        behind=behind,
        behind_sum=sum(one.bet for one in behind),
    )


def _chips(game: Game, seat: Seat) -> int:
    """Chips in hand: of the running round, else what could be laid now."""
    state = game.round
    playing = game.phase is Phase.PLAYING and state is not None and not state.settled
    if playing and state is not None and seat.stack in state.chips and seat.status is Status.IN:
        return state.chips[seat.stack]
    return game.free_chips_of(seat)


def _status(game: Game, seat: Seat) -> str:
    return "sitting_out" if _sits_out(game, seat) else seat.status.value


def _backers(felt: _Felt) -> tuple[BackerView, ...]:
    """Those who have bet behind in this game, the richest first; chips on the table count alike."""
    game = felt.game
    known = {backer.stack for backer in game.backers}
    seated = {seat.stack for seat in game.seats}
    match = game.kind is Kind.MATCH
    told = [
        purse
        for purse in game.purses
        if purse.stack not in seated and (purse.stack in known or (match and purse.backed))
    ]
    return tuple(
        BackerView(
            purse.player,
            purse.name,
            felt.worth[purse.stack],
            purse.refills,
            purse.highest,
            felt.nets_behind.get(purse.stack),
        )
        for purse in sorted(told, key=lambda one: (-felt.worth[one.stack], one.stack))
    )


def _sits_out(game: Game, seat: Seat) -> bool:
    if seat.status is not Status.IN or not game.in_match:
        return False
    if game.phase is Phase.BETTING:
        return seat.sitting_out
    return game.record is not None and seat.number in game.record.sat_out


def _asked(game: Game, seat: Seat) -> str | None:
    if seat.status is not Status.IN:
        return None
    if game.phase is Phase.BETTING:
        return None if seat.answered else "bet"
    asked = questions_of(game, seat)
    return asked[0].asked.value if asked else None


def _hand_view(felt: _Felt, state: Round, box: Box, place: int) -> HandView:
    hand = box.hands[place]
    own = hand.stakes[0]
    total, soft = hand.value
    paid = felt.brought.stake(box.number, place, own)
    result = own.result.value if own.result else None
    if felt.brought.given_up(box.number, place, own):
        result = "resigned"
    elif felt.brought.void or (felt.brought.stopped and own.result is None):
        result = "returned"
    return HandView(
        number=place + 1,
        cards=tuple(
            _card_view(felt.game, at, card) for at, card in zip(hand.places, hand.cards, strict=True)
        ),
        total=total,
        soft=soft,
        bet=own.bet,
        doubled=hand.doubled,
        in_turn=not felt.brought.stopped
        and any(q.box == box.number and q.hand == place and q.asked is Asked.TURN for q in state.questions),
        result=result,
        paid=paid,
        net=None if paid is None else paid - own.bet,
    )


def _side_view(bet: SideBet | None) -> SideBetView | None:
    return None if bet is None else SideBetView(bet.bet, bet.paid)


# Words about the match


def _offer_view(game: Game) -> OfferView | None:
    offer = game.offer
    if offer is None:
        return None
    seat = game.seat(offer.seat)
    waiting = tuple(seat.number for seat in game.seats_in if seat.number not in offer.accepted)
    return OfferView(offer.id, offer.seat, seat.name if seat else "", offer.accepted, waiting)


def _wins(game: Game, player: str) -> int:
    return next((one.wins for one in game.score if one.player == player), 0)


def _result_view(game: Game) -> ResultView | None:
    result = game.result
    if result is None or game.phase is not Phase.OVER:
        return None
    standings = tuple(
        StandingView(
            p.seat, p.player, p.name, p.chips, p.place, p.status.value, _wins(game, p.player),
            p.refills, p.highest,
        )
        for p in result.places
    )  # fmt: skip
    winner = next((p.name for p in result.places if p.seat == result.winner), "")
    return ResultView(result.reason.value, result.winner, winner, standings)


def _standings(felt: _Felt) -> tuple[StandingView, ...]:
    """Who is ahead: chips in hand and on the table count alike. Who has left an open table keeps the line."""
    game = felt.game
    if not game.in_match:
        return ()
    seats: dict[str, Seat] = {}
    for seat in game.seats:
        seats.setdefault(seat.stack, seat)

    def status(purse: Purse) -> Status:
        return seats[purse.stack].status if purse.stack in seats else Status.WAITING

    def worth(purse: Purse) -> int:
        return purse.chips if status(purse) is Status.RESIGNED else felt.worth[purse.stack]

    def number(purse: Purse) -> int:
        return seats[purse.stack].number if purse.stack in seats else 0

    told = [
        purse
        for purse in game.purses
        if purse.stack in seats or (purse.rounds and game.kind is not Kind.MATCH)
    ]
    ordered = sorted(told, key=lambda one: (status(one) is not Status.IN, -worth(one), number(one)))
    lines: list[StandingView] = []
    for index, purse in enumerate(ordered):
        tied = index > 0 and lines[-1].chips == worth(purse) and lines[-1].status == status(purse).value
        lines.append(
            StandingView(
                number(purse),
                purse.player,
                purse.name,
                worth(purse),
                lines[-1].place if tied else index + 1,
                status(purse).value,
                _wins(game, purse.player),
                purse.refills,
                purse.highest,
            )
        )
    return tuple(lines)


def _log(felt: _Felt) -> Iterator[LogLine]:
    """What happened in the shown round, the oldest first, with what people did beside the cards."""
    return (line for _, line in _log_by_event(felt))


def log_by_event(game: Game) -> Iterator[tuple[int | None, LogLine]]:
    """The log of the shown round: each line with the event of the round that it tells, by its index, None for
    what people did beside the cards. Events about bets behind have no line."""
    return _log_by_event(_Felt(_as_told(game)))


def _log_by_event(felt: _Felt) -> Iterator[tuple[int | None, LogLine]]:
    game = felt.game
    notes = list(game.notes)
    happened = game.round.events if game.round else ()
    shown = game.record.number if game.record else 0
    resigned = set()
    for index, event in enumerate(happened):
        while notes and notes[0].after <= index and notes[0].round == shown:
            note = notes.pop(0)
            if note.kind is NoteKind.RESIGNED:
                resigned.add(note.seat)
            yield None, _note_line(felt, note)
        line = _event_line(felt, event)
        if line is not None:
            yield index, _given_up(line) if line.seat in resigned else line
    for note in notes:
        yield None, _note_line(felt, note)


def _given_up(line: LogLine) -> LogLine:
    """What a bet would have brought to who had resigned went to the bank."""
    if line.net is None:
        return line
    result = "resigned" if line.result else None
    return replace(line, result=result, paid=0, net=-(line.amount or 0))


def _note_line(felt: _Felt, note: Note) -> LogLine:
    return LogLine(note.kind.value, note.seat, note.name or felt.name(note.seat))


def _event_line(felt: _Felt, event: events.RoundEvent) -> LogLine | None:
    def line(kind: str, box: int, hand: int | None = None, **more: object) -> LogLine:
        hands = len(felt.boxes[box].hands)
        number = None if hand is None else hand + 1
        return LogLine(kind, box, felt.name(box), number, hands, **more)  # type: ignore[arg-type]

    stack = getattr(event, "stack", None)
    if stack is not None and stack != felt.boxes[event.box].stack:  # type: ignore[union-attr]
        # What backers stake, answer and win is not told line by line.
        return None
    match event:
        case events.CardDealt(box, hand, card, total, soft):
            return line(
                "card", box, hand, rank=card.rank.symbol, suit=card.suit.value, total=total, soft=soft
            )
        case events.DealerDealt(None, _):
            return LogLine("dealer_hole")
        case events.DealerDealt(card, total) if card is not None:
            return LogLine("dealer_card", rank=card.rank.symbol, suit=card.suit.value, total=total)
        case events.HoleCardShown(card, total):
            return LogLine("hole_shown", rank=card.rank.symbol, suit=card.suit.value, total=total)
        case events.DealerPeeked(blackjack):
            return LogLine("peeked_blackjack" if blackjack else "peeked")
        case events.PairSettled(box, _, bet, paid):
            return line("pair", box, amount=bet, paid=paid, net=paid - bet)
        case events.Insured(box, _, amount):
            return line("insured", box, amount=amount)
        case events.Declined(box, _):
            return line("declined", box)
        case events.InsuranceSettled(box, _, bet, paid):
            return line("insurance", box, amount=bet, paid=paid, net=paid - bet)
        case events.HandStood(box, hand, total):
            return line("stood", box, hand, total=total)
        case events.HandDoubled(box, hand, bet):
            return line("doubled", box, hand, amount=bet)
        case events.HandSplit(box, hand):
            return line("split", box, hand)
        case events.StakeSettled(box, hand, _, bet, result, paid):
            return line("settled", box, hand, amount=bet, paid=paid, net=paid - bet, result=result.value)
        case events.TimeRanOut(box):
            return line("time", box)
    return None


# What is the viewer's own

# The buttons of a decision, each in its own place.
_BUTTONS: tuple[tuple[str, type[SeatMove]], ...] = (
    ("hit", actions.Hit),
    ("stand", actions.Stand),
    ("double", actions.Double),
    ("split", actions.Split),
    ("surrender", actions.Surrender),
    ("insure", actions.Insure),
    ("even_money", actions.EvenMoney),
    ("decline", actions.Decline),
)


def own_view(game: Game, player: str) -> OwnView:
    """What `player` holds, is asked and may do."""
    seats = game.seats_of(player)
    seat = seats[0] if seats else None
    purse = game.purse_of(player)
    asks = tuple(ask for one in seats for ask in _asks(game, one))
    if game.phase is Phase.BETTING:
        # The box that has no bet yet comes first.
        asks = tuple(sorted(asks, key=lambda ask: _answered(game, ask.box)))
    asks += tuple(_ask_behind(game, question) for question in questions_behind(game, player))
    return OwnView(
        player=player,
        seat=seat.number if seat else None,
        seats=tuple(one.number for one in seats),
        status=_status(game, seat) if seat else "spectator",
        host=player == game.host,
        chips=_chips(game, seat) if seat else purse.chips if purse else 0,
        bet=seat.bet if seat else 0,
        pair_bet=seat.pair if seat else 0,
        sitting_out=seat.sitting_out if seat else False,
        asks=asks,
        actions=_buttons(game, seats),
        commands=tuple(_commands(game, seat, player)),
        last_bet=_last_bet(game, seats),
        min_bet=game.rules.min_bet,
        max_bet=game.rules.max_bet,
        bet_step=game.rules.bet_step,
        pair_bets=game.rules.pair_bets,
        refills=purse.refills if purse else 0,
        highest=purse.highest if purse else 0,
        hint=_hint(game, seats),
        hints=game.kind is Kind.SOLO and _has_chart(game.rules),
        backing=_backing(game, player),
    )


def _answered(game: Game, number: int) -> bool:
    seat = game.seat(number)
    return seat is not None and seat.answered


def _ask_behind(game: Game, question: Question) -> AskView:
    state, stack = game.round, question.stack
    assert state is not None
    answers: list[tuple[str, Move, int | None]] = []
    match question.asked:
        case Asked.INSURANCE:
            amount = rounds.insurance_limit(state, question)
            answers.append(("insure", actions.Insure(question.box, stack), amount))
        case Asked.EVEN_MONEY:
            answers.append(("even_money", actions.EvenMoney(question.box, stack), 0))
        case _:
            hand = state.box(question.box).hands[question.hand]
            stake = next(one for one in hand.stakes[1:] if one.stack == stack)
            answers.append(("follow", actions.Follow(question.box, stack), stake.bet))
            answers.append(("pass", actions.Pass(question.box, stack), None))
    if question.asked is not Asked.FOLLOW:
        answers.append(("decline", actions.Decline(question.box, stack), None))
    kind = question.asked.value
    if question.asked is Asked.FOLLOW and state.pending is not None:
        kind = "follow_split" if state.pending.split else "follow_double"
    options = tuple(
        _option(name, partial(allowed.check_answer_behind, game, question, move), amount)
        for name, move, amount in answers
    )
    return AskView(ask_id(game, question.number), question.box, kind, options, behind=True)


def _backing(game: Game, player: str) -> BackingView | None:
    """None where `player` can have nothing to do with bets behind."""
    rules = game.rules
    if not rules.backing or not game.in_match:
        return None
    if game.seats_to_back_from(player) and not rules.players_may_back:
        return None
    window, purse = allowed.in_window(game, player), game.backing_purse_of(player)
    backer, stack = window.backer, purse.stack if purse else ""
    reason = _option("back", lambda: allowed.check_may_back(game, player)).reason
    chips = window.chips
    if game.phase is Phase.PLAYING and game.round is not None:
        chips = game.round.chips.get(stack, chips)
    return BackingView(
        ask=ask_id(game, backer.ask if backer else game.window),
        open=reason is None,
        reason=reason,
        chips=chips,
        laid=sum(one.bet + one.pair for one in backer.laid) if backer else 0,
        done=backer is not None and backer.done,
        waited=backer is not None and not backer.done and game.phase is Phase.BETTING,
        boxes=tuple(
            _backable(window, seat, reason)
            for seat in game.seats_in
            if seat.player != player and not seat.gone
        ),
        pair_bets=rules.pair_bets,
        pair_max=largest_pair(rules),
        net=_net_behind(game, stack),
    )


def _backable(window: InWindow, seat: Seat, reason: str | None) -> BackableView:
    rules = window.game.rules
    laid = window.backer.on(seat.number) if window.backer else None
    if reason is None:
        reason = _option("back", lambda: window.check(seat.number, rules.min_bet, 0)).reason
    return BackableView(
        seat.number,
        seat.name,
        laid.bet if laid else 0,
        laid.pair if laid else 0,
        window.room(seat) if rules.box_limit is BoxLimit.SHARED else None,
        reason,
    )


def _net_behind(game: Game, stack: str) -> int | None:
    """What the shown round brought to a stack behind others' boxes, None while it runs or for nothing."""
    brought, nets = Brought(game), []
    for box in game.round.boxes if game.round and brought.over else ():
        for backer in box.backers:
            if backer.stack == stack:
                stakes = [
                    (place, stake)
                    for place, hand in enumerate(box.hands)
                    for stake in hand.stakes[1:]
                    if stake.stack == stack
                ]
                insurance = brought.insurance(box.number, stack, backer.insurance)
                pair = brought.pair(box.number, stack, backer.pair)
                nets.append(brought.net(box.number, stakes, insurance, pair) or 0)
    return sum(nets) if nets else None


def _last_bet(game: Game, seats: tuple[Seat, ...]) -> int:
    """What *repeat* lays: the last bet of the box that is asked first, else of any other."""
    open_first = sorted(seats, key=lambda seat: (seat.answered, not seat.last_bet, seat.number))
    return next((seat.last_bet for seat in open_first if seat.last_bet), 0)


def _has_chart(rules: Rules) -> bool:
    try:
        chart_for(rules)
    except IllegalAction:
        return False
    return True


def _hint(game: Game, seats: tuple[Seat, ...]) -> str | None:
    if game.kind is not Kind.SOLO or game.round is None:
        return None
    questions = [question for seat in seats for question in questions_of(game, seat)]
    move = hint(game.round, questions[0]) if questions else None
    return next((name for name, kind in _BUTTONS if isinstance(move, kind)), None)


def _asks(game: Game, seat: Seat) -> Iterator[AskView]:
    if game.phase is Phase.BETTING and seat.status is Status.IN:
        options = (
            _option("bet", lambda: allowed.check_bet(game, seat, game.rules.min_bet)),
            OptionView("take_back", seat.answered, None if seat.answered else "nothing_to_take_back"),
            OptionView("sit_out", not seat.sitting_out, "already_sitting_out" if seat.sitting_out else None),
        )
        yield AskView(ask_id(game, seat.ask), seat.number, "bet", options)
    for question in questions_of(game, seat):
        answers = tuple(_answer_options(game, question))
        yield AskView(ask_id(game, question.number), question.box, question.asked.value, answers)


def _answer_options(game: Game, question: Question) -> Iterator[OptionView]:
    for name, move in _BUTTONS:
        option = _move_option(game, question, name, move(question.box))
        if option.enabled or question.asked is Asked.TURN:
            yield option


def _move_option(game: Game, question: Question, name: str, move: Move) -> OptionView:
    state = game.round
    assert state is not None

    def check() -> None:
        if rounds.check(state, move) != question:
            raise IllegalAction("not_asked")

    amount = None
    if question.asked is Asked.INSURANCE and name == "insure":
        amount = rounds.insurance_limit(state, question)
    elif question.asked is Asked.TURN and name in ("double", "split"):
        amount = state.box(question.box).hands[question.hand].bet
    return _option(name, check, amount)


def _option(name: str, check: Callable[[], object], amount: int | None = None) -> OptionView:
    try:
        check()
    except IllegalAction as refusal:
        return OptionView(name, False, refusal.code, amount, tuple(refusal.params.items()))
    return OptionView(name, True, None, amount)


def _buttons(game: Game, seats: tuple[Seat, ...]) -> tuple[OptionView, ...]:
    questions = [question for seat in seats for question in questions_of(game, seat)]
    if questions:
        question = questions[0]
        return tuple(_move_option(game, question, name, move(question.box)) for name, move in _BUTTONS)
    reason = "not_your_turn" if game.phase is Phase.PLAYING else "no_cards_yet"
    return tuple(OptionView(name, False, reason) for name, _ in _BUTTONS)


def _commands(game: Game, seat: Seat | None, player: str) -> Iterator[OptionView]:
    running = "match_running" if game.in_match else None
    host = None if player == game.host else "not_host"

    def option(name: str, reason: str | None) -> OptionView:
        return OptionView(name, reason is None, reason)

    match = None if game.kind is Kind.MATCH else "not_a_match"
    yield _option("sit", lambda: allowed.check_sit(game, player))
    kept = [one for one in game.seats_of(player) if not one.gone]
    alone = "alone_here" if game.kind is Kind.SOLO and len(kept) < 2 else None
    yield option("leave", alone or (None if kept else "not_seated"))
    yield _option("deal", lambda: allowed.check_deal(game, player))
    new = None if game.kind is Kind.SOLO else "not_alone"
    yield option("new_game", new or host or (None if game.begun else "game_is_new"))
    yield option("ready", match or running or (None if seat else "not_seated"))
    yield _option("start", lambda: allowed.check_start(game, player))
    yield option("remove", match or host or running)
    yield option("configure", match or host or (None if game.phase is Phase.LOBBY else "not_in_lobby"))
    yield option("back_to_lobby", match or host or (None if game.phase is Phase.OVER else "match_not_over"))
    in_match = match or (None if seat and game.in_match and seat.status is Status.IN else "not_in_match")
    yield option("resign", in_match)
    yield _option("offer_draw", lambda: allowed.check_offer_draw(game, player))
    asked = game.offer is not None and seat is not None and seat.number not in game.offer.accepted
    yield option("accept_draw", in_match or (None if asked else "no_offer"))
    yield option("refuse_draw", in_match or (None if asked else "no_offer"))
    yield option("stop_waiting", in_match)
