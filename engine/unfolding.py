"""A round event by event: what lay on the table before the first card, and after each thing that happened.

`apply` makes whole moves, after which several cards may lie there at once. Who looks at a finished round
wants to see them one by one. Everything here follows from the bets and the events; what is still to come
is in none of these rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine import events
from engine.bets import SideBet, Stake
from engine.cards import Card
from engine.hand import Hand
from engine.record import Record
from engine.round import Box, Pending, Phase, Round
from engine.rules import HoleCard, Rules


def unfold(record: Record, rules: Rules) -> tuple[Round, ...]:
    """The round with its bets laid, then after each of its events; nothing when nobody bet.

    The last one is what `Record.replay` gives, without its questions. No question is open in any of them.
    """
    laid, played = record.lay(rules), record.replay(rules)
    if laid is None or played is None:
        return ()
    # Without a hole card all that the dealer has is open.
    now = replace(laid, phase=Phase.TURNS, hole_shown=rules.hole_card is HoleCard.NONE)
    states = [now]
    for event in played.events:
        if isinstance(event, events.DealerDealt):
            card = event.card or played.dealer[1]
            now = _dealer_gets(now, card)
        else:
            now = _after(now, event)
        now = replace(now, events=(*now.events, event))
        states.append(now)
    states[-1] = replace(now, phase=Phase.SETTLED if played.settled else Phase.TURNS)
    return tuple(states)


def _after(state: Round, event: events.RoundEvent) -> Round:
    match event:
        case events.CardDealt(box, hand, card):
            state = _with_hand(state, box, hand, lambda one: _with_card(one, card, state.drawn))
            return replace(state, drawn=state.drawn + 1, pending=None)
        case events.HoleCardShown():
            return replace(state, hole_shown=True)
        case events.PairSettled(box, stack, bet, paid):
            return _with_side(_paid(state, stack, paid), box, stack, "pair", SideBet(bet, paid))
        case events.Insured(box, stack, amount):
            return _with_side(_paid(state, stack, -amount), box, stack, "insurance", SideBet(amount))
        case events.InsuranceSettled(box, stack, bet, paid):
            return _with_side(_paid(state, stack, paid), box, stack, "insurance", SideBet(bet, paid))
        case events.HandStood(box, hand):
            return _with_hand(state, box, hand, lambda one: replace(one, stopped=True))
        case events.HandDoubled(box, hand, bet):
            return _doubled(state, box, hand, bet)
        case events.HandSplit(box, hand):
            return _split(state, box, hand)
        case events.BackerFollowed(box, stack, amount):
            return _followed(_paid(state, stack, -amount), stack, amount)
        case events.StakeSettled(box, hand, stack, bet, result, paid):
            settled = Stake(stack, bet, result, paid)
            state = _paid(state, stack, paid)
            return _with_hand(state, box, hand, lambda one: _with_stake(one, settled))
    return state


def _dealer_gets(state: Round, card: Card) -> Round:
    return replace(
        state,
        dealer=(*state.dealer, card),
        dealer_places=(*state.dealer_places, state.drawn),
        drawn=state.drawn + 1,
    )


def _doubled(state: Round, box: int, place: int, bet: int) -> Round:
    own = state.box(box).hands[place].stakes[0]
    state = _paid(state, own.stack, own.bet - bet)
    state = _with_hand(
        state, box, place, lambda one: replace(_with_stake(one, replace(own, bet=bet)), doubled=True)
    )
    return replace(state, pending=Pending(False, box, place))


def _split(state: Round, number: int, place: int) -> Round:
    box = state.box(number)
    hand = box.hands[place]
    own = hand.stakes[0]
    left = Hand(hand.cards[:1], hand.places[:1], hand.stakes, from_split=True)
    right = Hand(hand.cards[1:], hand.places[1:], (Stake(own.stack, own.bet),), from_split=True)
    hands = (*box.hands[:place], left, right, *box.hands[place + 1 :])
    state = _with_box(_paid(state, own.stack, -own.bet), replace(box, hands=hands))
    return replace(state, pending=Pending(True, number, place))


def _followed(state: Round, stack: str, amount: int) -> Round:
    """A backer has put the same stake on the second hand of a split, or once more on a doubled one."""
    pending = state.pending
    assert pending is not None
    if pending.split:
        new = Stake(stack, amount)
        return _with_hand(
            state, pending.box, pending.hand + 1, lambda one: replace(one, stakes=(*one.stakes, new))
        )
    return _with_hand(
        state, pending.box, pending.hand, lambda one: _with_stake(one, Stake(stack, 2 * amount))
    )


# Small steps


def _paid(state: Round, stack: str, chips: int) -> Round:
    return replace(state, chips={**state.chips, stack: state.chips[stack] + chips})


def _with_card(hand: Hand, card: Card, at: int) -> Hand:
    return replace(hand, cards=(*hand.cards, card), places=(*hand.places, at))


def _with_stake(hand: Hand, stake: Stake) -> Hand:
    return replace(hand, stakes=tuple(stake if one.stack == stake.stack else one for one in hand.stakes))


def _with_side(state: Round, number: int, stack: str, name: str, side: SideBet) -> Round:
    box = state.box(number)
    if stack == box.stack:
        return _with_box(state, replace(box, **{name: side}))  # type: ignore[arg-type]
    backers = tuple(
        replace(one, **{name: side}) if one.stack == stack else one  # type: ignore[arg-type]
        for one in box.backers
    )
    return _with_box(state, replace(box, backers=backers))


def _with_hand(state: Round, number: int, place: int, change: Callable[[Hand], Hand]) -> Round:
    box = state.box(number)
    hands = (*box.hands[:place], change(box.hands[place]), *box.hands[place + 1 :])
    return _with_box(state, replace(box, hands=hands))


def _with_box(state: Round, box: Box) -> Round:
    return replace(state, boxes=tuple(box if one.number == box.number else one for one in state.boxes))
