"""The record of a round is what it follows from, and rebuilds it card by card."""

from dataclasses import replace

import pytest

from engine import actions
from engine.game import Kind, RoundFinished
from engine.record import Record
from engine.round import apply
from engine.rules import PRESETS, Rules
from engine.shoe import SealedShoe, Shoe
from tests.engine.tables import Table, ace_up, seed

SEED = bytes(range(32))


def test_nobody_bets_and_nothing_is_dealt() -> None:
    record = Record(number=7, shoe=SealedShoe(7, SEED), sat_out=(1, 2))
    assert (record.deal(Rules()), record.replay(Rules())) == (None, None)


@pytest.mark.parametrize("name", PRESETS)
def test_the_cards_come_from_the_seed_in_order(name: str) -> None:
    rules = PRESETS[name]
    record = Record(1, SealedShoe(1, SEED), bets={1: rules.min_bet}, chips={"1": rules.starting_chips})
    state = record.deal(rules)
    assert state is not None
    shoe = Shoe.from_seed(SEED, rules.decks).cards
    assert state.box(1).hands[0].cards == (shoe[0], shoe[2])
    assert state.dealer[0] == shoe[1]


def test_a_record_replays_to_the_very_same_round_and_to_every_step_of_it() -> None:
    table = Table(2)
    table.deal_two(ace_up)
    steps = [table.game.round]
    while table.game.round_number == 2:
        state = table.game.round
        assert state is not None
        seat = table.game.seats[state.questions[0].box - 1]
        table.answer(seat.player, "stand" if state.questions[0].asked.value == "turn" else "insure")
        steps.append(table.game.round)
    finished = table.last_round()
    record = finished.record
    assert record.replay(table.game.rules) == finished.round
    for count, step in enumerate(steps[:-1]):
        assert replace(record, moves=record.moves[:count]).replay(table.game.rules) == step


def test_another_seed_tells_another_story() -> None:
    one, two = (
        Record(1, SealedShoe(1, seed(number)), bets={1: 100}, chips={"1": 1_000}) for number in (1, 2)
    )
    assert one.deal(Rules()) != two.deal(Rules())


def test_a_round_that_was_broken_off_replays_to_where_it_stopped() -> None:
    table = Table(3)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    stopped = table.game.round
    table.do(actions.Abandon())
    finished = table.last_round()
    assert finished.record.broken_off
    assert finished.record.replay(table.game.rules) == finished.round == stopped


def test_moves_answered_for_people_are_in_the_record_like_any_other() -> None:
    table = Table(3)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Leave("dave"))
    while table.game.round_number == 1:
        table.do(actions.Expire())
    for event in table.happened:
        if isinstance(event, RoundFinished) and event.round is not None:
            state = event.record.deal(table.game.rules)
            assert state is not None
            for move in event.record.moves:
                state = apply(state, move)
            assert state == event.round


@pytest.mark.parametrize("played", [0, 1, 30, 200])
def test_in_a_cut_card_shoe_the_cards_come_from_where_the_last_round_stopped(played: int) -> None:
    rules = PRESETS["casino8"]
    shoe = SealedShoe(1, SEED, seed(9), played)
    state = Record(5, shoe, bets={1: 10}, chips={"1": 1_000}).deal(rules)
    assert state is not None
    cards = Shoe.from_seed(SEED, rules.decks).cards
    assert state.box(1).hands[0].cards == (cards[played], cards[played + 2])
    assert state.dealer[0] == cards[played + 1]


def test_a_round_whose_deal_needs_the_discards_follows_from_both_seeds() -> None:
    rules = Rules.from_json({"decks": 1, "shuffle": "cut_card", "boxes": 4, "max_hands": 2})
    one, two = (
        Record(9, SealedShoe(1, SEED, seed(spare), 49), bets={1: 10, 2: 10}, chips={"1": 1_000, "2": 1_000})
        for spare in (9, 10)
    )
    dealt = one.deal(rules)
    assert dealt is not None
    assert dealt.shoe.reshuffled
    assert dealt == one.deal(rules)
    assert dealt != two.deal(rules)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("name", PRESETS)
def test_every_round_of_every_kind_of_table_replays(kind: Kind, name: str) -> None:
    table = Table(1 if kind is Kind.SOLO else 3, kind=kind, rules=PRESETS[name])
    for _ in range(5):
        table.play_round()
    rounds = [event for event in table.happened if isinstance(event, RoundFinished)]
    assert len(rounds) == 5
    for event in rounds:
        assert event.record.replay(table.game.rules) == event.round
