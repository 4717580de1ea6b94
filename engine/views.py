"""What a viewer may know. Pages and sockets are made from these shapes and from nothing else.

`view_for(game, None)` is the most restricted view; a player's adds only what is that player's own to answer
(`engine.own_view`). The hole card, the order of the shoe and a running seed are in none of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from engine import events
from engine import round as rounds
from engine.brought import Brought
from engine.cards import DECK, Card
from engine.hand import evaluate, is_natural
from engine.own_view import brought_behind, laid_behind, own_view, side_view
from engine.questions import questions_of
from engine.round import Asked, Box, Round
from engine.rules import HoleCard, Shuffle
from engine.shoe import SealedShoe, cut_after
from engine.shown import (
    BackerView,
    BehindView,
    CardView,
    DealerView,
    HandView,
    LogLine,
    OfferView,
    PublicView,
    PublishedShoe,
    ResultView,
    ScoreView,
    SeatView,
    ShoeView,
    StandingView,
    View,
)
from engine.table import Game, Kind, Note, Phase, Purse, Seat, Status
from engine.told import as_told

__all__ = ["log_by_event", "own_view", "phase_of", "public_view", "view_for"]


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
        self.brought = Brought(game.rules, game.record, game.round)

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
                laid[one.box].append(laid_behind(backer, one))
        return {box: tuple(bets) for box, bets in laid.items()}

    @cached_property
    def behind(self) -> Mapping[int, tuple[BehindView, ...]]:
        """The bets behind the boxes of the shown round, by box."""
        behind = defaultdict(list)
        for bet in self.brought.behind:
            behind[bet.box].append(brought_behind(self.purses.get(bet.stack), bet))
        return {box: tuple(bets) for box, bets in behind.items()}

    @cached_property
    def nets_behind(self) -> Mapping[str, int]:
        """What the shown round brought to those who had bet behind, of nobody while it runs."""
        return self.brought.won_behind()

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
        behind = felt.behind.get(number, ()) if box else ()
    insurance = felt.brought.insurance(number, box.stack, box.insurance) if box else None
    pair = felt.brought.pair(number, box.stack, box.pair) if box else None
    net = None
    if box and felt.brought.over:
        own = [(place, hand.stakes[0]) for place, hand in enumerate(box.hands)]
        net = felt.brought.net(number, own, insurance, pair)
    return SeatView(
        seat=number,
        player=seat.player,
        name=seat.name,
        host=seat.player == game.host,
        ready=seat.ready,
        chips=game.chips_in_hand(seat),
        status=game.status_of(seat),
        answered=seat.answered,
        bet=seat.bet,
        pair_bet=seat.pair,
        auto=seat.auto,
        gone=seat.gone,
        hands=hands,
        insurance=side_view(insurance),
        pair=side_view(pair),
        net=net,
        asked=_asked(game, seat),
        behind=behind,
        behind_sum=sum(one.bet for one in behind),
    )


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
    for index, event in enumerate(happened):
        while notes and notes[0].after <= index and notes[0].round == shown:
            yield None, _note_line(felt, notes.pop(0))
        line = _event_line(felt, event)
        if line is not None:
            if line.seat is not None and felt.brought.had_resigned(felt.boxes[line.seat].stack, index):
                line = _given_up(line)
            yield index, line
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
        case events.Declined(box, _, surrender):
            return line("played_on" if surrender else "declined", box)
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
