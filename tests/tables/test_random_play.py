"""Whatever is sent, by whomever: chips are neither made nor lost, and the records rebuild what was paid."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.errors import EngineError
from engine.rules import Rules
from tables import codec, presence, services
from tables.errors import Refused
from tables.messages import SHAPES
from tables.models import Game, Hand, Round
from tests.tables.friends import (
    ALICE,
    BOB,
    CAROL,
    MALLORY,
    Friends,
    FrozenClock,
    Seeds,
    opened,
    record_of,
)

PEOPLE = (ALICE, BOB, CAROL, MALLORY)
STEPS = 250


@pytest.mark.parametrize("number", range(4))
def test_random_play_keeps_every_promise(db: None, seeds: Seeds, clock: FrozenClock, number: int) -> None:
    dice = random.Random(number)
    table = opened(seeds, clock, on=number % 2 == 0)
    table.command(CAROL, "sit", seat="4")
    table.start(BOB, CAROL)
    refused = 0
    for _ in range(STEPS):
        before = table.row
        try:
            step(table, dice)
        except (EngineError, Refused):
            refused += 1
            after = table.row
            if before.deadline is None or before.deadline > clock.now:
                assert (after.version, after.state, after.deadline) == (
                    before.version,
                    before.state,
                    before.deadline,
                )
        check(table)
    assert refused
    assert Round.objects.exists()
    for game in Game.objects.all():
        check_records(game)


def step(table: Friends, dice: random.Random) -> None:
    guest = dice.choice(PEOPLE)
    kind = dice.random()
    if kind < 0.03:
        table.clock.advance(dice.choice([1, 20, 130]))
        services.expire(table.code)
        services.tidy()
    elif kind < 0.06:
        dice.choice([presence.arrive, presence.depart])(table.code, guest)
    elif kind < 0.7:
        asked = [one for one in PEOPLE[:3] if table.own(one).asks]
        if not asked:
            again(table)
            return
        who = dice.choice(asked)
        ask = dice.choice(table.own(who).asks)
        options = [option.action for option in ask.options if option.enabled] or ["stand"]
        action = "bet" if ask.kind == "bet" and dice.random() < 0.9 else dice.choice(options)
        fields = {"amount": str(dice.choice([10, 50, 100, 500]))} if action == "bet" else {}
        table.send(who, action=action, ask=ask.ask, **fields)
    else:
        table.send(guest, **nonsense(table, dice))


def again(table: Friends) -> None:
    if table.view.phase in ("over", "lobby"):
        for one in (ALICE, BOB, CAROL):
            if table.own(one).seat is None:
                free = next(seat.seat for seat in table.view.seats if seat.player is None)
                table.command(one, "sit", seat=str(free))
            table.command(one, "ready", ready="1")
        host = next(one for one in (ALICE, BOB, CAROL) if table.own(one).host)
        table.command(host, "start")


def nonsense(table: Friends, dice: random.Random) -> dict[str, Any]:
    """Well formed or nearly so, rarely what the sender may do. Nobody gives up: the match is to be played."""
    actions = sorted(SHAPES.keys() - {"resign", "leave", "accept_draw"})
    view = table.view
    values: dict[str, list[Any]] = {
        "ask": [f"{view.round_number}.{dice.randrange(30)}", "1.1", "x"],
        "game": [str(view.game), str(view.game), "0"],
        "seat": ["1", "2", "4", "9"],
        "amount": ["10", "100", "505", "99999", "-1", True],
        "pair": ["10", "0"],
        "offer": [view.offer.id if view.offer else "1.1", "no"],
        "ready": ["0", "1"],
        "rounds": ["10", "20", "11"],
        "clock": ["on", "off"],
        "cards": ["As"],
    }
    action = dice.choice(actions)
    shape = SHAPES[action]
    fields = [*shape.needed, *(name for name in shape.allowed if dice.random() < 0.5)]
    if dice.random() < 0.1:
        fields.append(dice.choice(sorted(values)))
    return {"action": action, **{name: dice.choice(values[name]) for name in fields}}


def check(table: Friends) -> None:
    seen = table.seen()
    for seat in seen.view.seats:
        assert seat.chips >= 0
    assert codec.read_game(codec.write_game(seen.game)) == seen.game


def check_records(game: Game) -> None:
    rules = Rules.from_json(game.rules)
    held = dict.fromkeys((player.seat for player in game.players.all()), rules.starting_chips)
    for row in game.played.all():
        record = record_of(row)
        assert {int(stack): chips for stack, chips in record.chips.items()} == {
            seat: held[seat] for seat in record.bets
        }
        rows = Hand.objects.filter(round=row)
        for seat in record.bets:
            staked = sum(hand.bet for hand in rows if hand.seat == seat)
            paid = sum(hand.paid for hand in rows if hand.seat == seat)
            state = record.replay(rules)
            assert state is not None
            side = state.box(seat).insurance
            if not record.broken_off:
                insurance = (side.paid or 0) - side.bet if side else 0
                assert row.record["chips_after"][str(seat)] == held[seat] + paid - staked + insurance
        held = {int(seat): chips for seat, chips in row.record["chips_after"].items()}
    if game.finished:
        assert {player.seat: player.chips for player in game.players.all()} == held
