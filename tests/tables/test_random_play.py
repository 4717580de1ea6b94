"""Whatever is sent, by whomever: chips are neither made nor lost, and the records rebuild what was paid."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from engine.errors import EngineError
from engine.game import Kind
from engine.rules import Rules
from tables import codec, presence, services
from tables.errors import Refused
from tables.messages import SHAPES
from tables.models import Game, Participant, Round, Shoe
from tests.engine.test_properties import net_of
from tests.tables.friends import (
    ALICE,
    BOB,
    CAROL,
    MALLORY,
    Friends,
    FrozenClock,
    Seeds,
    opened,
    opened_as,
    record_of,
)

PEOPLE = (ALICE, BOB, CAROL, MALLORY)
STEPS = 250
# Where a match would end when somebody gives up.
FINAL = {"resign", "leave", "accept_draw"}


def a_match(seeds: Seeds, clock: FrozenClock, **how: Any) -> Friends:
    table = opened(seeds, clock, **how)
    table.command(CAROL, "sit", seat="4")
    table.start(BOB, CAROL)
    return table


def another_match(seeds: Seeds, clock: FrozenClock, preset: str) -> Friends:
    table = opened_as(seeds, clock, Kind.MATCH, preset, BOB, CAROL)
    table.start(BOB, CAROL)
    return table


Opening = Callable[[Seeds, FrozenClock], Friends]
SMALL_SHOE: dict[str, Any] = {"decks": 2, "boxes": 3, "max_hands": 2, "cut_card": 0.6}
TABLES: Mapping[str, Opening] = {
    "a match with a clock": partial(a_match, on=True),
    "a match without one": partial(a_match, on=False),
    "a match with a shoe": partial(another_match, preset="classic6"),
    "a match in the VIP hall": partial(another_match, preset="single-vip"),
    "a live table": lambda s, c: opened_as(s, c, Kind.OPEN, "casino8", BOB),
    "a live table with a small shoe": lambda s, c: opened_as(s, c, Kind.OPEN, "casino8", BOB, **SMALL_SHOE),
    "a table with boxes": lambda s, c: opened_as(s, c, Kind.OPEN, "classic6", BOB),
    "alone with one deck": lambda s, c: opened_as(s, c, Kind.SOLO, "single-standard"),
    "alone with boxes": lambda s, c: opened_as(s, c, Kind.SOLO, "classic6", **SMALL_SHOE),
}


@pytest.mark.parametrize("name", TABLES)
def test_random_play_keeps_every_promise(db: None, seeds: Seeds, clock: FrozenClock, name: str) -> None:
    dice = random.Random(name)
    table = TABLES[name](seeds, clock)
    for guest in (BOB, CAROL):
        services.join(table.code, guest, guest[:5], sit=False)
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
    # At a match all three of them sit.
    assert any(row.record["behind"] for row in Round.objects.all()) or name.startswith("a match")
    for game in Game.objects.all():
        check_records(game)


def step(table: Friends, dice: random.Random) -> None:
    guest = dice.choice(PEOPLE)
    kind = dice.random()
    if kind < 0.03:
        table.clock.advance(dice.choice([1, 20, 130]))
        services.expire(table.code)
        services.tidy()
    elif kind < 0.04 and table.view.kind != "match":
        for _ in range(3):
            table.clock.advance(dice.choice([700, 30_000]))
            services.expire(table.code)
            services.tidy()
    elif kind < 0.06:
        dice.choice([presence.arrive, presence.depart])(table.code, guest)
    elif kind < 0.07:
        services.void_round(table.code)
    elif kind < 0.08:
        table.forget()
    elif kind < 0.11 and table.view.kind != "match":
        come_or_go(table, dice)
    elif kind < 0.2:
        bet_behind(table, dice)
    elif kind < 0.72:
        asked = [one for one in PEOPLE[:3] if table.own(one).asks]
        if not asked:
            again(table)
            return
        who = dice.choice(asked)
        ask = dice.choice(table.own(who).asks)
        options = [option.action for option in ask.options if option.enabled] or ["stand"]
        action = "bet" if ask.kind == "bet" and dice.random() < 0.9 else dice.choice(options)
        amounts = [10, 50, 100, 500]
        fields = {"amount": str(dice.choice(amounts) * table.own(who).min_bet // 10)}
        table.send(who, action=action, ask=ask.ask, **(fields if action == "bet" else {}))
    else:
        table.send(guest, **nonsense(table, dice))


def come_or_go(table: Friends, dice: random.Random) -> None:
    who, free = dice.choice(PEOPLE[:3]), [seat.seat for seat in table.view.seats if not seat.player]
    if free and dice.random() < 0.7:
        table.sit(who, dice.choice(free))
    elif dice.random() < 0.6:
        table.command(who, "leave", **({"seat": str(dice.choice([1, 2, 3]))} if dice.random() < 0.5 else {}))
    else:
        table.command(who, "new_game")


def bet_behind(table: Friends, dice: random.Random) -> None:
    who = dice.choice(PEOPLE[:3])
    own = table.own(who)
    if own.backing is None:
        return
    box = dice.choice(own.backing.boxes).box if own.backing.boxes else 1
    if own.backing.waited and dice.random() < 0.6:
        table.send(who, action="done", ask=own.backing.ask)
    else:
        amounts = {"amount": str(own.min_bet * dice.choice([0, 1, 5])), "pair": str(own.min_bet)}
        table.send(who, action="back", ask=own.backing.ask, seat=str(box), **amounts)


def again(table: Friends) -> None:
    if table.view.phase in ("over", "lobby"):
        for one in (ALICE, BOB, CAROL):
            if table.own(one).seat is None:
                free = next(seat.seat for seat in table.view.seats if seat.player is None)
                table.command(one, "sit", seat=str(free))
            table.command(one, "ready", ready="1")
        host = next(one for one in (ALICE, BOB, CAROL) if table.own(one).host)
        table.command(host, "start")
    elif table.view.kind != "match":
        table.sit(ALICE, next(seat.seat for seat in table.view.seats if seat.player is None))


def nonsense(table: Friends, dice: random.Random) -> dict[str, Any]:
    """Well formed or nearly so, rarely what the sender may do. Nobody gives up: a match is to be played."""
    view = table.view
    actions = sorted(SHAPES.keys() - (FINAL if view.kind == "match" else {"new_game"}))
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
    assert all(purse.chips >= 0 for purse in seen.game.purses)
    assert codec.read_game(codec.write_game(seen.game)) == seen.game
    at_table = set(Participant.objects.values_list("player", flat=True))
    assert {seat.player for seat in seen.game.seats} <= at_table
    running = Game.objects.filter(finished=None)
    assert running.count() == int(table.row.running)
    if seen.game.shoe is not None:
        assert not Shoe.objects.filter(number=seen.game.shoe.number, finished__isnull=False).exists()


def check_records(game: Game) -> None:
    rules = Rules.from_json(game.rules)

    def refilled(stack: str, chips: int) -> int:
        """Between rounds who can not lay a bet has a fresh stack, but no seat of a match."""
        fresh = chips < rules.min_bet and (game.kind != "match" or stack.startswith("p"))
        return rules.starting_chips if fresh else chips

    held: dict[str, int] = {}
    dealt: dict[int, int] = {}
    for row in game.played.all():
        record = record_of(row)
        assert record.shoe.dealt == dealt.get(record.shoe.number, 0)
        assert record.chips == {
            stack: refilled(stack, held.get(stack, rules.starting_chips)) for stack in record.chips
        }
        state = record.replay(rules)
        if state is None:
            assert not record.bets
        else:
            dealt[record.shoe.number] = dealt.get(record.shoe.number, 0) + state.drawn
        after: dict[str, int] = row.record["chips_after"]
        for stack in record.chips:
            boxes = [box for box in record.bets if record.stacks.get(box, str(box)) == stack]
            assert state is not None
            behind = any(one.backer == stack for one in record.behind)
            if record.void:
                assert after[stack] == record.chips[stack]
            elif not record.broken_off:
                assert after[stack] == record.chips[stack] + net_of(state, stack)
                stakes = [hand.stakes[0] for box in boxes for hand in state.box(box).hands]
                won = sum((stake.paid or 0) - stake.bet for stake in stakes)
                sides = [side for box in boxes for side in (state.box(box).insurance, state.box(box).pair)]
                won += sum((side.paid or 0) - side.bet for side in sides if side is not None)
                assert behind or won == net_of(state, stack)
        held |= after
    if game.finished:
        for player in game.players.all():
            assert player.chips == refilled(player.stack, held.get(player.stack, rules.starting_chips))
        assert not game.shoes.filter(finished=None).exists()
