"""A finished round event by event: the same cards, stakes and chips as the round itself had on its way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from engine import events
from engine.record import Record
from engine.round import Phase, Round, apply
from engine.rules import PRESETS, HoleCard, Rules
from engine.shoe import SealedShoe
from engine.unfolding import unfold
from tests.engine.evenings import evenings
from tests.engine.tables import seed


def lying(state: Round) -> Round:
    """What lies on the table, without what the next move would need to know."""
    boxes = tuple(
        replace(box, hands=tuple(replace(hand, stopped=False) for hand in box.hands)) for box in state.boxes
    )
    return replace(
        state,
        boxes=boxes,
        shoe=state.shoe.from_seed(bytes(32), 1),
        phase=Phase.SETTLED if state.settled else Phase.TURNS,
        hole_shown=state.hole_shown or state.rules.hole_card is HoleCard.NONE,
        questions=(),
        asked=0,
        moves=(),
        events_after=(),
        pending=None,
    )


def check(record: Record, rules: Rules) -> tuple[Round, ...]:
    states = unfold(record, rules)
    state = record.deal(rules)
    assert (state is None) == (states == ())
    if state is None:
        return states
    # Whenever the round itself is at rest.
    for move in (*record.moves, None):
        assert lying(states[len(state.events)]) == lying(state)
        state = apply(state, move) if move is not None else state
    for count, one in enumerate(states):
        assert one.events == state.events[:count]
        assert one.drawn == len(one.dealer_places) + sum(len(h.cards) for box in one.boxes for h in box.hands)
        assert all(chips >= 0 for chips in one.chips.values())
    assert len(states) == len(state.events) + 1
    return states


def test_every_round_of_a_hundred_tables_unfolds_to_itself() -> None:
    happened: Counter[type] = Counter()
    flags: Counter[str] = Counter()
    hands = 0
    for told in evenings(100, 80):
        for before, finished in told.rounds:
            states = check(finished.record, before.rules)
            happened.update(type(event) for event in (states[-1].events if states else ()))
            hands = max([hands, *(len(box.hands) for box in (states[-1].boxes if states else ()))])
            for name in ("void", "broken_off", "resigned", "behind", "sat_out"):
                flags[name] += bool(getattr(finished.record, name))
    assert set(happened) == set(events.RoundEvent.__args__)
    assert min(flags.values()) > 2, flags
    assert hands == 4


def test_bets_lie_before_the_first_card() -> None:
    record = Record(1, SealedShoe(1, seed(1)), bets={1: 100, 3: 50}, pairs={3: 10}, chips={"1": 500, "3": 60})
    first = unfold(record, Rules())[0]
    assert (first.dealer, first.drawn, first.events) == ((), 0, ())
    assert [(box.number, box.hands[0].cards, box.hands[0].bet) for box in first.boxes] == [
        (1, (), 100),
        (3, (), 50),
    ]
    assert first.chips == {"1": 400, "3": 0}


@pytest.mark.parametrize("name", PRESETS)
def test_one_event_brings_one_card_at_most(name: str) -> None:
    rules = PRESETS[name]
    least, chips = rules.min_bet, rules.starting_chips
    record = Record(1, SealedShoe(1, seed(5)), bets={1: least, 2: least}, chips={"1": chips, "2": chips})
    drawn = [state.drawn for state in unfold(record, rules)]
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(drawn))


def test_nothing_unfolds_where_nobody_bet() -> None:
    assert unfold(Record(7, SealedShoe(7, seed(1)), sat_out=(1, 2)), Rules()) == ()
