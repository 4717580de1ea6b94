"""What a viewer may know. Pages and sockets are made from these shapes and from nothing else.

`view_for(game, None)` is the most restricted view; a player's adds only what is that player's own to answer.
The hole card, the order of the shoe and a running seed are in none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from engine import actions, events
from engine import game as games
from engine import round as rounds
from engine.actions import Move, SeatMove
from engine.bets import SideBet, Stake
from engine.cards import DECK, Card
from engine.errors import IllegalAction
from engine.hand import evaluate, is_natural
from engine.round import Asked, Box, Question, Round
from engine.rules import BoxLimit, HoleCard, Rules, Shuffle
from engine.shoe import SealedShoe, cut_after
from engine.strategy import chart_for, hint
from engine.table import Game, Kind, NoteKind, Phase, Purse, Seat, Status


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
    """What somebody has behind a box: `bet` counts every stake there is now, `net` is None while it is open.

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
    """Something that may be done, or the code of why not (`params` are its figures)."""

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
    numbers = range(1, max(game.seat_limit, *(seat.number for seat in game.seats), 1) + 1)
    seats = tuple(_seat_view(game, number) for number in numbers)
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
        standings=_standings(game),
        backers=_backers(game),
        backers_decide=game.closing or _only_backers_asked(game),
        backing=game.rules.backing,
        score=tuple(ScoreView(one.player, one.name, one.wins) for one in game.score),
        draws=game.draws,
        log=tuple(_log(game)),
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
    state, record = game.round, game.record
    if state is None or record is None or game.phase is not Phase.PLAYING:
        return game
    if state.phase is rounds.Phase.INSURANCE:
        return replace(game, round=_before_insurance_behind(state))
    moves = list(state.moves)
    while (
        state.phase is rounds.Phase.FOLLOW and moves and isinstance(moves[-1], actions.Follow | actions.Pass)
    ):
        moves.pop()
    if len(moves) == len(state.moves):
        return game
    return replace(game, round=replace(record, moves=tuple(moves)).replay(game.rules))


def _before_insurance_behind(state: Round) -> Round:
    """The round as if no backer had taken insurance or even money."""
    chips = dict(state.chips)
    boxes = []
    for box in state.boxes:
        (hand,) = box.hands
        stakes = [hand.stakes[0]]
        for stake in hand.stakes[1:]:
            chips[stake.stack] -= stake.paid or 0
            stakes.append(Stake(stake.stack, stake.bet))
        for backer in box.backers:
            chips[backer.stack] += backer.insurance.bet if backer.insurance else 0
        backers = tuple(replace(backer, insurance=None) for backer in box.backers)
        boxes.append(replace(box, hands=(replace(hand, stakes=tuple(stakes)),), backers=backers))
    return replace(state, chips=chips, boxes=tuple(boxes))


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
    if state.rules.hole_card is HoleCard.PEEK and not state.hole_shown:
        cards.append(_card_view(game, state.dealer_places[1], None))
    total, soft = evaluate(shown)
    return DealerView(tuple(cards), total, soft, is_natural(shown), total > 21)


def _seat_view(game: Game, number: int) -> SeatView:
    seat = game.seat(number)
    if seat is None:
        return SeatView(number)
    state = game.round
    box = next((b for b in state.boxes if b.number == number), None) if state else None
    if seat.status is Status.WAITING or (box is not None and box.stack != seat.stack):
        # Somebody who took the seat later: the cards were another player's.
        box = None
    playing = game.phase is Phase.PLAYING and state is not None and not state.settled
    chips = game.free_chips_of(seat)
    if playing and state is not None and seat.stack in state.chips and seat.status is Status.IN:
        chips = state.chips[seat.stack]
    hands = (
        tuple(_hand_view(game, state, number, place) for place in range(len(box.hands)))
        if box and state
        else ()
    )
    net = None
    if box and state and (state.settled or _stopped(game)):
        net = _net(game, state, seat, box)
    void = game.record is not None and game.record.void
    return SeatView(
        seat=number,
        player=seat.player,
        name=seat.name,
        host=seat.player == game.host,
        ready=seat.ready,
        chips=chips,
        status="sitting_out" if _sits_out(game, seat) else seat.status.value,
        answered=seat.answered,
        bet=seat.bet,
        pair_bet=seat.pair,
        auto=seat.auto,
        gone=seat.gone,
        hands=hands,
        insurance=_side_view(box.insurance, void) if box else None,
        pair=_side_view(box.pair, void) if box else None,
        net=net,
        asked=_asked(game, seat),
        behind=(behind := _behind(game, seat, box)),
        behind_sum=sum(one.bet for one in behind),
    )


def _behind(game: Game, seat: Seat, box: Box | None) -> tuple[BehindView, ...]:
    """The bets behind a seat: those of the open window, else those of the shown round."""
    laid = [(backer, one) for backer in game.backers if (one := backer.on(seat.number)) is not None]
    if laid or box is None or game.round is None:
        return tuple(
            BehindView(
                backer.player,
                backer.name,
                one.bet,
                SideBetView(one.pair, None) if one.pair else None,
                None,
                None,
            )
            for backer, one in laid
        )
    return tuple(_behind_in_round(game, box, backer.stack) for backer in box.backers)


def _behind_in_round(game: Game, box: Box, stack: str) -> BehindView:
    purse = game.purse(stack)
    void = game.record is not None and game.record.void
    backer = next(one for one in box.backers if one.stack == stack)
    stakes = [one for hand in box.hands for one in hand.stakes[1:] if one.stack == stack]
    return BehindView(
        purse.player if purse else "",
        purse.name if purse else "",
        sum(one.bet for one in stakes),
        _side_view(backer.pair, void),
        _side_view(backer.insurance, void),
        _net_behind(game, box, stack),
    )


def _net_behind(game: Game, box: Box, stack: str) -> int | None:
    """What the bets of a backer on one box have brought, once the round is over."""
    state = game.round
    if state is None or not (state.settled or _stopped(game)):
        return None
    if game.record is not None and game.record.void:
        return 0
    backer = next(one for one in box.backers if one.stack == stack)
    own: list[Stake | SideBet] = [one for hand in box.hands for one in hand.stakes[1:] if one.stack == stack]
    own += [side for side in (backer.insurance, backer.pair) if side is not None]
    return sum(one.paid - one.bet for one in own if one.paid is not None)


def _net_of_backer(game: Game, stack: str) -> int | None:
    boxes = (
        [box for box in game.round.boxes for one in box.backers if one.stack == stack] if game.round else []
    )
    nets = [_net_behind(game, box, stack) for box in boxes]
    return None if not nets or None in nets else sum(net for net in nets if net is not None)


def _backers(game: Game) -> tuple[BackerView, ...]:
    """Those who have bet behind in this game, the richest first; chips on the table count alike."""
    known = {backer.stack for backer in game.backers}
    seated = {seat.stack for seat in game.seats}
    state = game.round

    def worth(purse: Purse) -> int:
        if game.phase is Phase.PLAYING and state and purse.stack in state.chips:
            return state.chips[purse.stack] + games.open_stakes(state, purse.stack)
        return purse.chips

    told = [
        purse for purse in game.purses if purse.stack not in seated and (purse.stack in known or purse.backed)
    ]
    if game.kind is not Kind.MATCH:
        told = [purse for purse in told if purse.stack in known]
    return tuple(
        BackerView(
            purse.player,
            purse.name,
            worth(purse),
            purse.refills,
            purse.highest,
            _net_of_backer(game, purse.stack),
        )
        for purse in sorted(told, key=lambda one: (-worth(one), one.stack))
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
    asked = games.questions_of(game, seat)
    return asked[0].asked.value if asked else None


def _hand_view(game: Game, state: Round, number: int, place: int) -> HandView:
    hand = state.box(number).hands[place]
    own = hand.stakes[0]
    total, soft = hand.value
    stopped = _stopped(game)
    result = own.result.value if own.result else ("returned" if stopped else None)
    paid = own.bet if stopped and own.result is None else own.paid
    over = state.settled or stopped
    if over and _resigned(game, number) and not _decided_before_resigning(game, state, number, place):
        result, paid = "resigned", 0
    if game.record is not None and game.record.void:
        result, paid = "returned", own.bet
    return HandView(
        number=place + 1,
        cards=tuple(_card_view(game, at, card) for at, card in zip(hand.places, hand.cards, strict=True)),
        total=total,
        soft=soft,
        bet=own.bet,
        doubled=hand.doubled,
        in_turn=any(q.box == number and q.hand == place and q.asked is Asked.TURN for q in state.questions)
        and not stopped,
        result=result,
        paid=paid,
        net=None if paid is None else paid - own.bet,
    )


def _stopped(game: Game) -> bool:
    """The shown round ended before its last card, with its game or because it is void."""
    return game.record is not None and (game.record.broken_off or game.record.void)


def _resigned(game: Game, number: int) -> bool:
    return game.record is not None and any(number == seat for seat, _ in game.record.resigned)


def _decided_before_resigning(game: Game, state: Round, number: int, place: int) -> bool:
    resigned = (note.after for note in game.notes if note.kind is NoteKind.RESIGNED and note.seat == number)
    return any(
        isinstance(event, events.StakeSettled)
        and (event.box, event.hand, event.stack) == (number, place, state.box(number).stack)
        for event in state.events[: next(resigned, 0)]
    )


def _side_view(bet: SideBet | None, void: bool) -> SideBetView | None:
    return None if bet is None else SideBetView(bet.bet, bet.bet if void else bet.paid)


def _net(game: Game, state: Round, seat: Seat, box: Box) -> int:
    """What the round brought to one box: its own hands, insurance and pair bet."""
    assert game.record is not None
    if game.record.void:
        return 0
    if _resigned(game, seat.number):
        return game.chips_of(seat) - game.record.chips[seat.stack]
    own: list[Stake | SideBet] = [hand.stakes[0] for hand in box.hands]
    own += [side for side in (box.insurance, box.pair) if side is not None]
    # What is undecided when a game breaks off goes back: it brings nothing.
    return sum(one.paid - one.bet for one in own if one.paid is not None)


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


def _standings(game: Game) -> tuple[StandingView, ...]:
    """Who is ahead: chips in hand and on the table count alike. Who has left an open table keeps the line."""
    if not game.in_match:
        return ()
    seats: dict[str, Seat] = {}
    for seat in game.seats:
        seats.setdefault(seat.stack, seat)

    def status(purse: Purse) -> Status:
        return seats[purse.stack].status if purse.stack in seats else Status.WAITING

    def worth(purse: Purse) -> int:
        state = game.round
        playing = game.phase is Phase.PLAYING and status(purse) is not Status.RESIGNED
        if playing and state and purse.stack in state.chips:
            return state.chips[purse.stack] + games.open_stakes(state, purse.stack)
        return purse.chips

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


def _log(game: Game) -> Iterator[LogLine]:
    """What happened in the shown round, the oldest first, with what people did beside the cards."""
    notes = list(game.notes)
    happened = game.round.events if game.round else ()
    for index, event in enumerate(happened):
        while notes and notes[0].after <= index and notes[0].round == _shown(game):
            yield _note_line(game, notes.pop(0))
        line = _event_line(game, event)
        if line is not None:
            yield line
    for note in notes:
        yield _note_line(game, note)


def _shown(game: Game) -> int:
    return game.record.number if game.record else 0


def _note_line(game: Game, note: games.Note) -> LogLine:
    return LogLine(note.kind.value, note.seat, note.name or _name(game, note.seat))


def _name(game: Game, number: int) -> str:
    """Who plays or played a box of the shown round: by now somebody else may sit there."""
    box = next((b for b in game.round.boxes if b.number == number), None) if game.round else None
    purse = game.purse(box.stack) if box else None
    if purse is not None:
        return purse.name
    seat = game.seat(number)
    return seat.name if seat else ""


def _own(game: Game, box: int, stack: str) -> bool:
    return game.round is not None and game.round.box(box).stack == stack


def _event_line(game: Game, event: events.RoundEvent) -> LogLine | None:
    assert game.round is not None

    def line(kind: str, box: int, hand: int | None = None, **more: object) -> LogLine:
        hands = len(game.round.box(box).hands) if game.round else 1
        number = None if hand is None else hand + 1
        return LogLine(kind, box, _name(game, box), number, hands, **more)  # type: ignore[arg-type]

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
        case events.PairSettled(box, stack, bet, paid) if _own(game, box, stack):
            return line("pair", box, amount=bet, paid=paid, net=paid - bet)
        case events.Insured(box, stack, amount) if _own(game, box, stack):
            return line("insured", box, amount=amount)
        case events.Declined(box, stack) if _own(game, box, stack):
            return line("declined", box)
        case events.InsuranceSettled(box, stack, bet, paid) if _own(game, box, stack):
            return line("insurance", box, amount=bet, paid=paid, net=paid - bet)
        case events.HandStood(box, hand, total):
            return line("stood", box, hand, total=total)
        case events.HandDoubled(box, hand, bet):
            return line("doubled", box, hand, amount=bet)
        case events.HandSplit(box, hand):
            return line("split", box, hand)
        case events.StakeSettled(box, hand, stack, bet, result, paid) if _own(game, box, stack):
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
    shown = _seat_view(game, seat.number) if seat else None
    asks = tuple(ask for one in seats for ask in _asks(game, one))
    if game.phase is Phase.BETTING:
        # The box that has no bet yet comes first.
        asks = tuple(sorted(asks, key=lambda ask: _answered(game, ask.box)))
    asks += tuple(_ask_behind(game, question) for question in games.questions_behind(game, player))
    return OwnView(
        player=player,
        seat=seat.number if seat else None,
        seats=tuple(one.number for one in seats),
        status=shown.status if shown else "spectator",
        host=player == game.host,
        chips=shown.chips if shown else purse.chips if purse else 0,
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
            answers.append(("even_money", actions.EvenMoney(question.box, stack), None))
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
        _option(name, partial(rounds.check, state, move), amount) for name, move, amount in answers
    )
    return AskView(games.ask_id(game, question.number), question.box, kind, options, behind=True)


def _backing(game: Game, player: str) -> BackingView | None:
    """None where `player` can have nothing to do with bets behind."""
    backer, purse = game.backer(player), game.backing_purse_of(player)
    if not game.rules.backing or not game.in_match or game.kind is Kind.SOLO:
        return None
    plays = bool(game.seats_to_back_from(player))
    if plays and not game.rules.players_may_back:
        return None
    reason = _option("back", lambda: games.check_may_back(game, player)).reason
    chips = purse.chips if purse else game.rules.starting_chips
    laid = 0
    stack = purse.stack if purse else ""
    if game.phase is Phase.BETTING:
        laid = sum(one.bet + one.pair for one in backer.laid) if backer else 0
        chips -= game.laid_by(stack) if purse else 0
    elif game.round is not None and stack in game.round.chips:
        chips = game.round.chips[stack]
    boxes = tuple(
        _backable(game, player, seat) for seat in game.seats_in if seat.player != player and not seat.gone
    )
    return BackingView(
        ask=games.ask_id(game, backer.ask if backer else game.window),
        open=reason is None,
        reason=reason,
        chips=chips,
        laid=laid,
        done=backer is not None and backer.done,
        waited=backer is not None and not backer.done and game.phase is Phase.BETTING,
        boxes=boxes,
        pair_bets=game.rules.pair_bets,
        pair_max=game.rules.max_bet // 5 // game.rules.bet_step * game.rules.bet_step,
        net=_net_of_backer(game, stack),
    )


def _backable(game: Game, player: str, seat: Seat) -> BackableView:
    rules, backer = game.rules, game.backer(player)
    laid = backer.on(seat.number) if backer else None
    room = None
    if rules.box_limit is BoxLimit.SHARED:
        own = laid.bet + laid.pair if laid else 0
        room = rules.max_bet - max(seat.laid, rules.min_bet) - game.laid_on(seat.number) + own
    reason = _option("back", lambda: games.check_back(game, player, seat.number, rules.min_bet, 0)).reason
    return BackableView(
        seat.number, seat.name, laid.bet if laid else 0, laid.pair if laid else 0, room, reason
    )


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
    questions = [question for seat in seats for question in games.questions_of(game, seat)]
    move = hint(game.round, questions[0]) if questions else None
    return next((name for name, kind in _BUTTONS if isinstance(move, kind)), None)


def _asks(game: Game, seat: Seat) -> Iterator[AskView]:
    if game.phase is Phase.BETTING and seat.status is Status.IN:
        options = (
            _option("bet", lambda: games.check_bet(game, seat, game.rules.min_bet)),
            OptionView("take_back", seat.answered, None if seat.answered else "nothing_to_take_back"),
            OptionView("sit_out", not seat.sitting_out, "already_sitting_out" if seat.sitting_out else None),
        )
        yield AskView(games.ask_id(game, seat.ask), seat.number, "bet", options)
    for question in games.questions_of(game, seat):
        answers = tuple(_answer_options(game, question))
        yield AskView(games.ask_id(game, question.number), question.box, question.asked.value, answers)


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
    questions = [question for seat in seats for question in games.questions_of(game, seat)]
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
    yield _option("sit", lambda: games.check_sit(game, player))
    kept = [one for one in game.seats_of(player) if not one.gone]
    alone = "alone_here" if game.kind is Kind.SOLO and len(kept) < 2 else None
    yield option("leave", alone or (None if kept else "not_seated"))
    yield _option("deal", lambda: games.check_deal(game, player))
    new = None if game.kind is Kind.SOLO else "not_alone"
    yield option("new_game", new or host or (None if game.begun else "game_is_new"))
    yield option("ready", match or running or (None if seat else "not_seated"))
    yield _option("start", lambda: games.check_start(game, player))
    yield option("remove", match or host or running)
    yield option("configure", match or host or (None if game.phase is Phase.LOBBY else "not_in_lobby"))
    yield option("back_to_lobby", match or host or (None if game.phase is Phase.OVER else "match_not_over"))
    in_match = match or (None if seat and game.in_match and seat.status is Status.IN else "not_in_match")
    yield option("resign", in_match)
    yield _option("offer_draw", lambda: games.check_offer_draw(game, player))
    asked = game.offer is not None and seat is not None and seat.number not in game.offer.accepted
    yield option("accept_draw", in_match or (None if asked else "no_offer"))
    yield option("refuse_draw", in_match or (None if asked else "no_offer"))
    yield option("stop_waiting", in_match)
