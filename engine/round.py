"""One round: bets lie, cards are dealt, questions are put and answered, everything is paid.

`deal` begins a round (`lay` only lays its bets), `apply` is its one transition, `legal_actions` lists what
`apply` would accept. A `Round` never changes; a refused move raises and leaves nothing behind. The whole
round follows from its rules, its shoe, the bets and `Round.moves`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from engine import actions, dealer, events, settlement
from engine.actions import Move
from engine.bets import Behind, Result, SideBet, Stake, check_layout, half
from engine.cards import Card, Rank
from engine.errors import IllegalAction
from engine.hand import Hand, evaluate, is_natural, is_pair
from engine.rules import (
    DoubleOn,
    EvenMoney,
    HoleCard,
    Insurance,
    OnTimeout,
    Rules,
    Surrender,
    SurrenderUntil,
)
from engine.shoe import Shoe


class Phase(Enum):
    INSURANCE = "insurance"
    SURRENDER = "surrender"
    TURNS = "turns"
    FOLLOW = "follow"
    SETTLED = "settled"


class Asked(Enum):
    """What a question is about."""

    INSURANCE = "insurance"
    EVEN_MONEY = "even_money"
    SURRENDER = "surrender"
    TURN = "turn"
    FOLLOW = "follow"


@dataclass(frozen=True, slots=True)
class Question:
    """Something the table waits for. `backer` is None when the box's own seat is asked.

    `hand` counts from 0.
    """

    number: int
    asked: Asked
    box: int
    hand: int
    stack: str
    backer: str | None = None


@dataclass(frozen=True, slots=True)
class Backer:
    """What a backer has on a box besides the stakes on its hands; `bet` is what was laid before the deal."""

    stack: str
    bet: int
    insurance: SideBet | None = None
    pair: SideBet | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A betting place in the round: who plays it, its hands, its side bets and its backers."""

    number: int
    stack: str
    hands: tuple[Hand, ...]
    insurance: SideBet | None = None
    pair: SideBet | None = None
    backers: tuple[Backer, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """A double or split that waits for the backers before its cards come."""

    split: bool
    box: int
    hand: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round at rest. `chips` is what each stack can still stake; `drawn` counts the cards it has used,
    `events_after` the events after the deal and after each of its moves."""

    rules: Rules
    shoe: Shoe
    phase: Phase
    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...]
    dealer_places: tuple[int, ...]
    hole_shown: bool
    chips: Mapping[str, int]
    drawn: int
    questions: tuple[Question, ...]
    asked: int
    pending: Pending | None
    moves: tuple[Move, ...]
    events: tuple[events.RoundEvent, ...]
    events_after: tuple[int, ...]

    @property
    def settled(self) -> bool:
        """Everything is paid."""
        return self.phase is Phase.SETTLED

    @property
    def dealer_open(self) -> tuple[Card, ...]:
        """The dealer's cards that everyone may see."""
        return self.dealer if self.hole_shown else self.dealer[:1]

    def box(self, number: int) -> Box:
        """The box with that number; raises `IllegalAction` where nobody has bet."""
        for box in self.boxes:
            if box.number == number:
                return box
        raise IllegalAction("box_has_no_bet", box=number)


def lay(
    rules: Rules,
    shoe: Shoe,
    bets: Mapping[int, int],
    *,
    chips: Mapping[str, int],
    pairs: Mapping[int, int] | None = None,
    behind: Sequence[Behind] = (),
    stacks: Mapping[int, str] | None = None,
    first_question: int = 1,
) -> Round:
    """Take the bets (chips by box) out of the stacks; no card is dealt yet.

    `stacks` names the stack that plays a box (else the box's number), `chips` what each stack holds before.
    Raises `IllegalAction` for bets that may not lie there.
    """
    owners = {box: (stacks or {}).get(box, str(box)) for box in sorted(bets)}
    check_layout(rules, bets, pairs or {}, behind, owners, chips)
    play = _Play.opening(rules, shoe, chips, first_question)
    play.lay(bets, pairs or {}, behind, owners)
    return play.at_rest()


def deal(
    rules: Rules,
    shoe: Shoe,
    bets: Mapping[int, int],
    *,
    chips: Mapping[str, int],
    pairs: Mapping[int, int] | None = None,
    behind: Sequence[Behind] = (),
    stacks: Mapping[int, str] | None = None,
    first_question: int = 1,
) -> Round:
    """Lay the bets as `lay` does, deal, settle the pair bets and put the first questions.

    Raises `IllegalAction` for bets that may not lie there, `ShoeEmpty` for a shoe that is too short.
    """
    laid = lay(
        rules, shoe, bets, chips=chips, pairs=pairs, behind=behind, stacks=stacks,
        first_question=first_question,
    )  # fmt: skip
    play = _Play.resuming(laid)
    play.deal_cards()
    play.settle_pairs()
    play.ask_insurance()
    play.events_after.append(len(play.events))
    return play.at_rest()


def apply(state: Round, move: Move) -> Round:
    """The round after `move`; what happened is at the end of its `events`.

    Raises `IllegalAction` for a move that may not be made now, `ShoeEmpty` for a shoe that is too short.
    """
    play = _Play.resuming(state)
    if isinstance(move, actions.Expire):
        play.expire()
    else:
        play.answer(check(state, move), move)
    play.moves.append(move)
    play.events_after.append(len(play.events))
    return play.at_rest()


def legal_actions(state: Round) -> tuple[Move, ...]:
    """Every move that `apply` would accept, except `Expire` and except amounts of insurance."""
    return tuple(
        move for question in state.questions for move in _candidates(question) if is_legal(state, move)
    )


def check(state: Round, move: Move) -> Question:
    """The open question that `move` answers; raises `IllegalAction` where it may not be made."""
    if state.settled:
        raise IllegalAction("round_settled")
    if isinstance(move, actions.Expire):
        raise IllegalAction("not_an_answer")
    box = state.box(move.box)
    backer = getattr(move, "backer", None)
    question = next((q for q in state.questions if q.box == move.box and q.backer == backer), None)
    if question is None:
        if backer is not None and not any(backer == laid.stack for laid in box.backers):
            raise IllegalAction("not_a_backer", backer=backer, box=move.box)
        raise IllegalAction("not_asked", box=move.box)
    if not any(isinstance(move, type(answer)) for answer in _candidates(question)):
        raise IllegalAction("wrong_answer", asked=question.asked.value)
    match move:
        case actions.Insure(amount=amount) if amount is not None:
            most = insurance_limit(state, question)
            least = most if state.rules.insurance is Insurance.HALF else 1
            if not least <= amount <= most:
                raise IllegalAction("insurance_amount", amount=amount, min=least, max=most)
        case actions.Hit():
            _check_hit(state, question)
        case actions.Double():
            _check_double(state, question)
        case actions.Split():
            _check_split(state, question)
        case actions.Surrender() if question.asked is Asked.TURN:
            _check_surrender(state, question)
    return question


def is_legal(state: Round, move: Move) -> bool:
    """Whether `apply` would accept `move`, which is not `Expire`."""
    try:
        check(state, move)
    except IllegalAction:
        return False
    return True


def open_stakes(state: Round) -> Mapping[str, int]:
    """Chips of each stack that still lie on the table undecided."""
    lying: Counter[str] = Counter()
    for box in state.boxes:
        bets: list[tuple[str, Stake | SideBet | None]] = [(box.stack, box.insurance), (box.stack, box.pair)]
        bets += [(stake.stack, stake) for hand in box.hands for stake in hand.stakes]
        bets += [(one.stack, side) for one in box.backers for side in (one.insurance, one.pair)]
        for stack, bet in bets:
            if bet is not None and bet.paid is None:
                lying[stack] += bet.bet
    return lying


def insurance_limit(state: Round, question: Question) -> int:
    """The most chips that may be laid as insurance in answer to `question`: half the bet rounded down, and
    under `up_to_half` no more than the stack holds."""
    stake = state.box(question.box).hands[0].stake_of(question.stack)
    return _most_insurance(state.rules, stake, state.chips[question.stack])


def _most_insurance(rules: Rules, stake: Stake, held: int) -> int:
    most = half(stake.bet)
    return min(most, held) if rules.insurance is Insurance.UP_TO_HALF else most


def _candidates(question: Question) -> tuple[Move, ...]:
    """Every answer that there is to `question`, allowed or not."""
    box, backer = question.box, question.backer
    match question.asked:
        case Asked.INSURANCE:
            return actions.Insure(box, backer), actions.Decline(box, backer)
        case Asked.EVEN_MONEY:
            return actions.EvenMoney(box, backer), actions.Decline(box, backer)
        case Asked.SURRENDER:
            return actions.Surrender(box), actions.Decline(box)
        case Asked.TURN:
            return (
                actions.Hit(box),
                actions.Stand(box),
                actions.Double(box),
                actions.Split(box),
                actions.Surrender(box),
            )
        case Asked.FOLLOW:
            return actions.Follow(box, question.stack), actions.Pass(box, question.stack)


def _check_chips(state: Round, stack: str, need: int) -> None:
    if state.chips[stack] < need:
        raise IllegalAction("not_enough_chips", need=need, have=state.chips[stack])


def _check_hit(state: Round, question: Question) -> None:
    # The only split aces that are ever asked are a new pair of them: split again, or stand.
    if state.box(question.box).hands[question.hand].split_ace:
        raise IllegalAction("split_ace_one_card")


def _check_double(state: Round, question: Question) -> None:
    rules = state.rules
    hand = state.box(question.box).hands[question.hand]
    if len(hand.cards) != 2:
        raise IllegalAction("double_first_two_cards")
    if hand.split_ace:
        raise IllegalAction("split_ace_one_card")
    if hand.from_split and not rules.double_after_split:
        raise IllegalAction("no_double_after_split")
    total, soft = hand.value
    match rules.double_on:
        case DoubleOn.NO_ACES:
            allowed = all(card.rank is not Rank.ACE for card in hand.cards)
        case DoubleOn.NINE_TO_ELEVEN:
            allowed = not soft and 9 <= total <= 11
        case DoubleOn.TEN_TO_ELEVEN:
            allowed = not soft and 10 <= total <= 11
        case DoubleOn.ANY:
            allowed = True
    if not allowed:
        raise IllegalAction("double_not_on_this", double_on=rules.double_on.value)
    _check_chips(state, question.stack, hand.bet)


def _check_split(state: Round, question: Question) -> None:
    rules = state.rules
    box = state.box(question.box)
    hand = box.hands[question.hand]
    if not hand.splittable(rules):
        raise IllegalAction("not_a_pair")
    if len(box.hands) >= rules.max_hands:
        raise IllegalAction("too_many_hands", max=rules.max_hands)
    if hand.cards[0].rank is Rank.ACE:
        if not rules.split_aces:
            raise IllegalAction("no_splitting_aces")
        if hand.from_split and not rules.resplit_aces:
            raise IllegalAction("no_resplitting_aces")
    _check_chips(state, question.stack, hand.bet)


def _check_surrender(state: Round, question: Question) -> None:
    hand = state.box(question.box).hands[question.hand]
    _check_surrender_offered(state.rules, state.dealer[0])
    if state.rules.surrender_until is SurrenderUntil.FIRST_DRAW:
        raise IllegalAction("surrender_closed")
    if hand.from_split or len(hand.cards) != 2:
        raise IllegalAction("surrender_first_two_cards")


def _check_surrender_offered(rules: Rules, upcard: Card) -> None:
    if rules.surrender is Surrender.NONE:
        raise IllegalAction("no_surrender")
    if rules.surrender is Surrender.NOT_ACE_TEN and dealer.may_have_blackjack(upcard):
        raise IllegalAction("no_surrender_against_ace_ten")


class _Play:
    """A round while one step is being made: the fields of `Round`, open for writing."""

    rules: Rules
    shoe: Shoe
    phase: Phase
    boxes: list[Box]
    dealer: tuple[Card, ...]
    dealer_places: tuple[int, ...]
    hole_shown: bool
    chips: dict[str, int]
    drawn: int
    questions: list[Question]
    asked: int
    pending: Pending | None
    moves: list[Move]
    events: list[events.RoundEvent]
    events_after: list[int]

    @classmethod
    def opening(cls, rules: Rules, shoe: Shoe, chips: Mapping[str, int], first_question: int) -> _Play:
        play = cls()
        play.rules, play.shoe, play.chips = rules, shoe, dict(chips)
        play.phase, play.boxes, play.questions, play.pending = Phase.INSURANCE, [], [], None
        play.dealer, play.dealer_places, play.hole_shown, play.drawn = (), (), False, 0
        play.asked, play.moves, play.events, play.events_after = first_question - 1, [], [], []
        return play

    @classmethod
    def resuming(cls, state: Round) -> _Play:
        play = cls()
        play.rules, play.shoe, play.chips = state.rules, state.shoe, dict(state.chips)
        play.phase, play.boxes, play.questions = state.phase, list(state.boxes), list(state.questions)
        play.dealer, play.dealer_places = state.dealer, state.dealer_places
        play.hole_shown, play.drawn = state.hole_shown, state.drawn
        play.asked, play.pending = state.asked, state.pending
        play.moves, play.events = list(state.moves), list(state.events)
        play.events_after = list(state.events_after)
        return play

    def at_rest(self) -> Round:
        return Round(
            rules=self.rules,
            shoe=self.shoe,
            phase=self.phase,
            boxes=tuple(self.boxes),
            dealer=self.dealer,
            dealer_places=self.dealer_places,
            hole_shown=self.hole_shown,
            chips=self.chips,
            drawn=self.drawn,
            questions=tuple(self.questions),
            asked=self.asked,
            pending=self.pending,
            moves=tuple(self.moves),
            events=tuple(self.events),
            events_after=tuple(self.events_after),
        )

    # Bets and the deal

    def lay(
        self,
        bets: Mapping[int, int],
        pairs: Mapping[int, int],
        behind: Sequence[Behind],
        owners: Mapping[int, str],
    ) -> None:
        for number, owner in owners.items():
            laid = [one for one in behind if one.box == number]
            stakes = [Stake(owner, bets[number])]
            stakes += [Stake(one.backer, one.bet) for one in laid if one.bet]
            pair = pairs.get(number)
            box = Box(
                number,
                owner,
                hands=(Hand((), (), tuple(stakes)),),
                pair=SideBet(pair) if pair else None,
                backers=tuple(
                    Backer(one.backer, one.bet, pair=SideBet(one.pair) if one.pair else None) for one in laid
                ),
            )
            self.chips[owner] -= bets[number] + (pair or 0)
            for one in laid:
                self.chips[one.backer] -= one.bet + one.pair
            self.boxes.append(box)

    def deal_cards(self) -> None:
        for index in range(len(self.boxes)):
            self.deal_to(index, 0)
        self.deal_to_dealer()
        for index in range(len(self.boxes)):
            self.deal_to(index, 0)
        if self.rules.hole_card is HoleCard.PEEK:
            self.deal_hole_card()

    def settle_pairs(self) -> None:
        for index, box in self.each_box():
            pair = is_pair(box.hands[0].cards)

            def settled(stack: str, bet: SideBet | None, box: Box = box, pair: bool = pair) -> SideBet | None:
                if bet is None:
                    return None
                paid = settlement.pair_payout(self.rules, bet.bet, pair)
                self.chips[stack] += paid
                self.events.append(events.PairSettled(box.number, stack, bet.bet, paid))
                return SideBet(bet.bet, paid)

            self.boxes[index] = replace(
                box,
                pair=settled(box.stack, box.pair),
                backers=tuple(replace(b, pair=settled(b.stack, b.pair)) for b in box.backers),
            )

    # Insurance, even money, the peek, naturals

    def ask_insurance(self) -> None:
        upcard = self.dealer[0]
        ace, ten = upcard.rank is Rank.ACE, upcard.rank.points == 10
        even_money = (ace and self.rules.even_money is not EvenMoney.INSURANCE) or (
            ten and self.rules.even_money is EvenMoney.ACE_OR_TEN
        )
        insurance = ace and self.rules.insurance is not Insurance.NONE
        for box in self.boxes:
            hand = box.hands[0]
            for stake in hand.stakes:
                backer = None if stake is hand.stakes[0] else stake.stack
                if even_money and hand.natural:
                    self.ask(Asked.EVEN_MONEY, box.number, 0, stake.stack, backer)
                elif insurance and self.can_insure(stake):
                    self.ask(Asked.INSURANCE, box.number, 0, stake.stack, backer)
        self.phase = Phase.INSURANCE
        if not self.questions:
            self.after_insurance()

    def most_insurance(self, stake: Stake) -> int:
        return _most_insurance(self.rules, stake, self.chips[stake.stack])

    def can_insure(self, stake: Stake) -> bool:
        return 0 < self.most_insurance(stake) <= self.chips[stake.stack]

    def withdraw_unpayable_insurance(self, stack: str) -> None:
        """Who has just paid may lack the chips for what is asked on another box: that is asked no more."""
        for question in [one for one in self.questions if one.stack == stack]:
            if question.asked is Asked.INSURANCE:
                hand = self.boxes[self.index_of(question.box)].hands[0]
                if not self.can_insure(hand.stake_of(stack)):
                    self.questions.remove(question)

    def after_insurance(self) -> None:
        upcard = self.dealer[0]
        if dealer.peeks(self.rules, upcard):
            blackjack = is_natural(self.dealer)
            self.events.append(events.DealerPeeked(blackjack))
            if blackjack:
                self.show_hole_card()
                self.settle_insurance(blackjack)
                self.settle_hands()
                return
            self.settle_insurance(blackjack)
        if self.rules.hole_card is HoleCard.PEEK or not dealer.may_have_blackjack(upcard):
            self.pay_naturals()
        self.ask_surrender()

    def pay_naturals(self) -> None:
        for index, box in self.each_box():
            if box.hands[0].natural:
                self.decide(index, 0, Result.BLACKJACK)

    def settle_insurance(self, blackjack: bool) -> None:
        for index, box in self.each_box():

            def settled(stack: str, bet: SideBet | None, box: Box = box) -> SideBet | None:
                if bet is None:
                    return None
                paid = settlement.insurance_payout(bet.bet, blackjack)
                self.chips[stack] += paid
                self.events.append(events.InsuranceSettled(box.number, stack, bet.bet, paid))
                return SideBet(bet.bet, paid)

            self.boxes[index] = replace(
                box,
                insurance=settled(box.stack, box.insurance),
                backers=tuple(replace(b, insurance=settled(b.stack, b.insurance)) for b in box.backers),
            )

    def ask_surrender(self) -> None:
        if self.rules.surrender_until is SurrenderUntil.FIRST_DRAW and self.surrender_offered():
            for box in self.boxes:
                if not box.hands[0].natural:
                    self.ask(Asked.SURRENDER, box.number, 0, box.stack)
        self.phase = Phase.SURRENDER
        if not self.questions:
            self.next_turn()

    def surrender_offered(self) -> bool:
        try:
            _check_surrender_offered(self.rules, self.dealer[0])
        except IllegalAction:
            return False
        return True

    # Turns

    def next_turn(self) -> None:
        """Ask the first hand that still has something to decide; the dealer plays when there is none."""
        for index, box in self.each_box():
            for place, hand in enumerate(box.hands):
                if self.finished(box, hand):
                    continue
                if hand.value.total == 21 or (hand.split_ace and not self.may_resplit(box, hand)):
                    self.set_hand(index, place, replace(hand, stopped=True))
                    continue
                self.phase = Phase.TURNS
                self.ask(Asked.TURN, box.number, place, box.stack)
                return
        self.play_dealer()

    @staticmethod
    def finished(box: Box, hand: Hand) -> bool:
        return hand.stopped or hand.natural or hand.stakes[0].result is not None

    def may_resplit(self, box: Box, hand: Hand) -> bool:
        return (
            self.rules.resplit_aces
            and hand.splittable(self.rules)
            and len(box.hands) < self.rules.max_hands
            and self.chips[box.stack] >= hand.bet
        )

    def answer(self, question: Question, move: Move) -> None:
        self.questions.remove(question)
        index = self.index_of(question.box)
        match move:
            case actions.Insure(amount=amount):
                self.insure(index, question, amount)
            case actions.EvenMoney():
                self.decide(index, 0, Result.EVEN_MONEY, stack=question.stack)
            case actions.Decline():
                self.decline(question)
            case actions.Surrender():
                self.decide(index, 0, Result.SURRENDER)
            case actions.Hit():
                self.hit(index, question.hand)
            case actions.Stand():
                self.stand(index, question.hand)
            case actions.Double():
                self.double(index, question.hand)
            case actions.Split():
                self.split(index, question.hand)
            case actions.Follow():
                self.follow(index, question)
            case actions.Pass():
                self.events.append(events.BackerPassed(question.box, question.stack))
        if not self.questions:
            self.carry_on()

    def carry_on(self) -> None:
        """Nobody is asked any more: go to what comes next."""
        match self.phase:
            case Phase.INSURANCE:
                self.after_insurance()
            case Phase.FOLLOW:
                self.complete()
                self.next_turn()
            case Phase.SURRENDER | Phase.TURNS:
                self.next_turn()
            case Phase.SETTLED:
                pass

    def expire(self) -> None:
        if self.phase is Phase.SETTLED:
            raise IllegalAction("round_settled")
        asked = list(self.questions)
        self.questions.clear()
        for question in asked:
            if question.backer is None:
                self.events.append(events.TimeRanOut(question.box))
            if question.asked is Asked.TURN:
                self.play_for(self.index_of(question.box), question.hand)
            elif question.asked is Asked.FOLLOW:
                self.events.append(events.BackerPassed(question.box, question.stack))
            else:
                self.decline(question)
        self.carry_on()

    def decline(self, question: Question) -> None:
        surrender = question.asked is Asked.SURRENDER
        self.events.append(events.Declined(question.box, question.stack, surrender))

    def play_for(self, index: int, place: int) -> None:
        """What the clock does for a hand: `on_timeout`, which never spends a chip."""
        if self.rules.on_timeout is OnTimeout.HIT_TO_12:
            while not self.finished(self.boxes[index], hand := self.boxes[index].hands[place]):
                if hand.value.total > 11:
                    break
                self.hit(index, place)
        if not self.finished(self.boxes[index], self.boxes[index].hands[place]):
            self.stand(index, place)

    def insure(self, index: int, question: Question, amount: int | None) -> None:
        box = self.boxes[index]
        if amount is None:
            amount = self.most_insurance(box.hands[0].stake_of(question.stack))
        self.chips[question.stack] -= amount
        if question.backer is None:
            self.boxes[index] = replace(box, insurance=SideBet(amount))
        else:
            self.boxes[index] = replace(
                box,
                backers=tuple(
                    replace(b, insurance=SideBet(amount)) if b.stack == question.stack else b
                    for b in box.backers
                ),
            )
        self.events.append(events.Insured(question.box, question.stack, amount))
        self.withdraw_unpayable_insurance(question.stack)

    def hit(self, index: int, place: int) -> None:
        self.deal_to(index, place)
        self.check_card(index, place)

    def check_card(self, index: int, place: int) -> None:
        """Decide what the newest card of a hand decides at once: bust, or a Charlie."""
        hand = self.boxes[index].hands[place]
        total = hand.value.total
        if total > 21:
            self.decide(index, place, Result.BUST)
        elif self.rules.charlie is not None and len(hand.cards) >= self.rules.charlie:
            self.decide(index, place, Result.CHARLIE)

    def stand(self, index: int, place: int) -> None:
        hand = self.boxes[index].hands[place]
        self.set_hand(index, place, replace(hand, stopped=True))
        self.events.append(events.HandStood(self.boxes[index].number, place, hand.value.total))

    def double(self, index: int, place: int) -> None:
        box = self.boxes[index]
        hand = box.hands[place]
        own = hand.stakes[0]
        self.chips[box.stack] -= own.bet
        stakes = (replace(own, bet=2 * own.bet), *hand.stakes[1:])
        self.set_hand(index, place, replace(hand, stakes=stakes, doubled=True))
        self.events.append(events.HandDoubled(box.number, place, 2 * own.bet))
        self.ask_backers(Pending(False, box.number, place), hand.stakes[1:])

    def split(self, index: int, place: int) -> None:
        box = self.boxes[index]
        hand = box.hands[place]
        own = hand.stakes[0]
        self.chips[box.stack] -= own.bet
        left = Hand(hand.cards[:1], hand.places[:1], hand.stakes, from_split=True)
        right = Hand(hand.cards[1:], hand.places[1:], (Stake(own.stack, own.bet),), from_split=True)
        hands = (*box.hands[:place], left, right, *box.hands[place + 1 :])
        self.boxes[index] = replace(box, hands=hands)
        self.events.append(events.HandSplit(box.number, place))
        self.ask_backers(Pending(True, box.number, place), hand.stakes[1:])

    def ask_backers(self, pending: Pending, stakes: tuple[Stake, ...]) -> None:
        self.pending = pending
        for stake in stakes:
            if self.chips[stake.stack] >= stake.bet:
                self.ask(Asked.FOLLOW, pending.box, pending.hand, stake.stack, stake.stack)
        self.phase = Phase.FOLLOW

    def follow(self, index: int, question: Question) -> None:
        assert self.pending is not None
        box = self.boxes[index]
        hand = box.hands[question.hand]
        stake = hand.stake_of(question.stack)
        self.chips[stake.stack] -= stake.bet
        if self.pending.split:
            right = box.hands[question.hand + 1]
            stakes = (*right.stakes, Stake(stake.stack, stake.bet))
            self.set_hand(index, question.hand + 1, replace(right, stakes=stakes))
        else:
            stakes = tuple(replace(one, bet=2 * one.bet) if one is stake else one for one in hand.stakes)
            self.set_hand(index, question.hand, replace(hand, stakes=stakes))
        self.events.append(events.BackerFollowed(question.box, stake.stack, stake.bet))

    def complete(self) -> None:
        """Every backer has answered: the cards of the double or split come."""
        assert self.pending is not None
        pending, self.pending = self.pending, None
        index = self.index_of(pending.box)
        self.deal_to(index, pending.hand)
        if pending.split:
            self.deal_to(index, pending.hand + 1)
        else:
            self.check_card(index, pending.hand)
            hand = self.boxes[index].hands[pending.hand]
            self.set_hand(index, pending.hand, replace(hand, stopped=True))

    # The dealer and the end

    def play_dealer(self) -> None:
        undecided = [
            hand for box in self.boxes for hand in box.hands for stake in hand.stakes if stake.result is None
        ]
        insured = any(
            bet is not None and bet.paid is None
            for box in self.boxes
            for bet in (box.insurance, *(b.insurance for b in box.backers))
        )
        self.show_hole_card()
        if any(not hand.natural for hand in undecided):
            while dealer.draws(self.rules, self.dealer):
                self.deal_to_dealer()
        elif undecided or insured:
            self.deal_to_dealer()
        if insured:
            self.settle_insurance(is_natural(self.dealer))
        self.settle_hands()

    def settle_hands(self) -> None:
        for index, box in self.each_box():
            for place, hand in enumerate(box.hands):
                if any(stake.result is None for stake in hand.stakes):
                    self.decide(index, place, settlement.outcome(hand, self.dealer))
        self.phase = Phase.SETTLED

    # Small steps

    def ask(self, asked: Asked, box: int, hand: int, stack: str, backer: str | None = None) -> None:
        self.asked += 1
        self.questions.append(Question(self.asked, asked, box, hand, stack, backer))

    def decide(self, index: int, place: int, result: Result, stack: str | None = None) -> None:
        """Settle the open stakes on a hand, or only that of `stack`, and pay them into the stacks."""
        box = self.boxes[index]
        hand = box.hands[place]
        stakes = []
        for stake in hand.stakes:
            if stake.result is None and stack in (None, stake.stack):
                stake = settlement.settle(self.rules, stake, result)
                assert stake.paid is not None
                self.chips[stake.stack] += stake.paid
                self.events.append(
                    events.StakeSettled(box.number, place, stake.stack, stake.bet, result, stake.paid)
                )
            stakes.append(stake)
        self.set_hand(index, place, replace(hand, stakes=tuple(stakes)))

    def draw(self) -> tuple[Card, int]:
        card, self.shoe = self.shoe.draw()
        self.drawn += 1
        return card, self.drawn - 1

    def deal_to(self, index: int, place: int) -> None:
        card, at = self.draw()
        box = self.boxes[index]
        hand = box.hands[place]
        hand = replace(hand, cards=(*hand.cards, card), places=(*hand.places, at))
        self.set_hand(index, place, hand)
        total, soft = hand.value
        self.events.append(events.CardDealt(box.number, place, card, total, soft))

    def deal_to_dealer(self) -> None:
        card, at = self.draw()
        self.dealer, self.dealer_places = (*self.dealer, card), (*self.dealer_places, at)
        self.events.append(events.DealerDealt(card, evaluate(self.dealer).total))

    def deal_hole_card(self) -> None:
        card, at = self.draw()
        self.events.append(events.DealerDealt(None, evaluate(self.dealer).total))
        self.dealer, self.dealer_places = (*self.dealer, card), (*self.dealer_places, at)

    def show_hole_card(self) -> None:
        if self.rules.hole_card is HoleCard.PEEK and not self.hole_shown:
            self.events.append(events.HoleCardShown(self.dealer[1], evaluate(self.dealer).total))
        self.hole_shown = True

    def set_hand(self, index: int, place: int, hand: Hand) -> None:
        box = self.boxes[index]
        self.boxes[index] = replace(box, hands=(*box.hands[:place], hand, *box.hands[place + 1 :]))

    def index_of(self, box: int) -> int:
        return next(index for index, one in enumerate(self.boxes) if one.number == box)

    def each_box(self) -> Iterator[tuple[int, Box]]:
        """Index and box, the box as it is when its turn comes."""
        for index in range(len(self.boxes)):
            yield index, self.boxes[index]
