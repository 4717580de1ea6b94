"""A round as it is told while backers are asked: nobody sees what one of them answers before all have."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from engine import events
from engine.bets import Stake
from engine.round import Pending, Phase, Round

ANSWERS = events.BackerFollowed | events.BackerPassed


def as_told(state: Round) -> Round:
    """`state` without what backers have answered to questions that are still put to others too.

    Cards, the seats' own bets and what has been settled are as they are; who is asked is not told.
    """
    match state.phase:
        case Phase.INSURANCE:
            return _before_insurance(state)
        case Phase.FOLLOW if state.pending is not None:
            return _before_following(state, state.pending)
    return state


def _before_insurance(state: Round) -> Round:
    """The round as if no backer had taken insurance or even money."""
    chips = dict(state.chips)
    boxes = []
    for box in state.boxes:
        (hand,) = box.hands
        for stake in hand.stakes[1:]:
            chips[stake.stack] -= stake.paid or 0
        for backer in box.backers:
            chips[backer.stack] += backer.insurance.bet if backer.insurance else 0
        open_again = [one if one.paid is None else Stake(one.stack, one.bet) for one in hand.stakes[1:]]
        hand = replace(hand, stakes=(hand.stakes[0], *open_again))
        backers = tuple(one if one.insurance is None else replace(one, insurance=None) for one in box.backers)
        boxes.append(replace(box, hands=(hand,), backers=backers))
    return replace(state, chips=chips, boxes=tuple(boxes))


def _before_following(state: Round, pending: Pending) -> Round:
    """The round as it was when the backers were asked about a double or a split."""
    answers = tuple(takewhile(lambda event: isinstance(event, ANSWERS), reversed(state.events)))
    followed = {one.stack: one.amount for one in answers if isinstance(one, events.BackerFollowed)}
    if not answers:
        return state
    chips = {stack: held + followed.get(stack, 0) for stack, held in state.chips.items()}
    boxes = []
    for box in state.boxes:
        if box.number == pending.box:
            place = pending.hand + pending.split
            hand = box.hands[place]
            if pending.split:
                stakes = hand.stakes[:1]
            else:
                own, *behind = hand.stakes
                stakes = (
                    own,
                    *(replace(one, bet=one.bet - followed.get(one.stack, 0)) for one in behind),
                )
            hands = (*box.hands[:place], replace(hand, stakes=stakes), *box.hands[place + 1 :])
            box = replace(box, hands=hands)
        boxes.append(box)
    return replace(state, chips=chips, boxes=tuple(boxes), events=state.events[: -len(answers)])
