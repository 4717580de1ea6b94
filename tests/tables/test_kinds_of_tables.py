"""Each kind of table opens with each preset, and every choice that would not work is refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.errors import EngineError
from engine.game import Kind
from engine.rules import PRESETS, Rules
from tables import services
from tables.errors import Refused
from tables.models import Game, Table
from tables.moves import with_clock
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB

EVERY_PRESET = pytest.mark.parametrize("preset", PRESETS)


@EVERY_PRESET
def test_a_match_opens_with_its_lobby(table_of: Play, preset: str) -> None:
    table = table_of(Kind.MATCH, preset)
    view, row = table.view, table.row
    assert (view.kind, view.phase, view.rounds, view.shoe) == ("match", "lobby", 10, None)
    assert (row.kind, row.running, row.seated, row.deadline) == ("match", False, 1, None)
    assert len(view.seats) == 4
    assert table.own(ALICE).host
    assert not Game.objects.exists()


@EVERY_PRESET
def test_an_open_table_opens_with_its_bets(table_of: Play, preset: str) -> None:
    table = table_of(Kind.OPEN, preset)
    view, row = table.view, table.row
    assert (view.kind, view.phase, view.begun, view.round_number) == ("open", "betting", False, 1)
    assert (row.kind, row.running, row.seated, row.deadline) == ("open", False, 1, None)
    assert len(view.seats) == PRESETS[preset].boxes
    assert view.seats[0].chips == PRESETS[preset].starting_chips
    assert view.shoe is not None
    assert view.shoe.left == 52 * PRESETS[preset].decks
    assert len(view.shoe.commitment) == 64
    assert (view.shoe.spare_commitment is None) == (PRESETS[preset].shuffle.value == "every_round")
    assert not Game.objects.exists()


@EVERY_PRESET
def test_a_solo_table_opens_with_the_first_cards(table_of: Play, preset: str) -> None:
    table = table_of(Kind.SOLO, preset)
    view, row = table.view, table.row
    assert (view.kind, view.begun, view.shown_round) == ("solo", True, 1)
    assert view.dealer is not None
    assert view.seats[0].hands
    assert view.seats[0].hands[0].bet == PRESETS[preset].min_bet
    assert (row.kind, row.running, row.seated) == ("solo", True, 1)
    game = Game.objects.get()
    assert (game.kind, game.number, game.finished) == ("solo", 1, None)


@EVERY_PRESET
def test_alone_nobody_hurries(table_of: Play, preset: str) -> None:
    for rules in (PRESETS[preset], with_clock(PRESETS[preset], on=True)):
        code = services.open_table(ALICE, "", rules, Kind.SOLO, 10, listed=False)
        assert Table.objects.get(code=code).deadline is None


def test_alone_with_rules_of_ones_own_the_clock_is_ones_own(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat", cards="low mid low", decision_seconds=30)
    assert table.view.phase == "turns"
    assert table.row.deadline == table.clock.now + timedelta(seconds=30)


def test_who_plays_alone_needs_no_name(table_of: Play) -> None:
    for name, shown in (("", "Guest"), ("   ", "Guest"), ("Anna", "Anna")):
        code = services.open_table(ALICE, name, PRESETS["openseat"], Kind.SOLO, 10, listed=False)
        assert Table.objects.get(code=code).participants.get().nickname == shown


@pytest.mark.parametrize("kind", [Kind.MATCH, Kind.OPEN])
def test_among_others_one_has_a_name(db: None, kind: Kind) -> None:
    rules = with_clock(PRESETS["casino8"], on=True)
    with pytest.raises(Refused, match="nickname_empty"):
        services.open_table(ALICE, "", rules, kind, 10, listed=False)
    assert not Table.objects.exists()


@pytest.mark.parametrize("switch", ["bet_seconds", "decision_seconds"])
def test_an_open_table_without_a_clock_is_refused(db: None, switch: str) -> None:
    rules = Rules.from_json({"preset": "casino8", switch: None})
    with pytest.raises(EngineError) as refused:
        services.open_table(ALICE, "Alice", rules, Kind.OPEN, 10, listed=False)
    assert refused.value.code == "open_table_needs_clock"
    assert not Table.objects.exists()


def test_a_match_for_one_box_is_refused(db: None) -> None:
    rules = replace(PRESETS["openseat"], boxes=1)
    with pytest.raises(EngineError) as refused:
        services.open_table(ALICE, "Alice", rules, Kind.MATCH, 10, listed=False)
    assert refused.value.code == "match_needs_boxes"


@pytest.mark.parametrize("kind", Kind)
def test_a_stack_that_can_not_lay_one_bet_is_refused(db: None, kind: Kind) -> None:
    rules = replace(with_clock(PRESETS["openseat"], on=True), starting_chips=5)
    with pytest.raises(EngineError) as refused:
        services.open_table(ALICE, "Alice", rules, kind, 10, listed=False)
    assert refused.value.code == "stack_under_minimum"
    assert not Table.objects.exists()


@pytest.mark.parametrize("kind", Kind)
def test_a_refused_table_takes_no_seed(table_of: Play, kind: Kind) -> None:
    table = table_of(Kind.OPEN, "casino8")
    coming = table.seeds(), table.seeds()
    table.seeds.coming = [*coming]
    with pytest.raises(EngineError):
        services.open_table(
            ALICE, "Alice", replace(PRESETS["casino8"], starting_chips=5), kind, 10, listed=False
        )
    assert table.seeds.coming == [*coming]


@EVERY_PRESET
@pytest.mark.parametrize("kind", Kind)
def test_a_table_plays_by_the_rules_it_was_opened_with(table_of: Play, kind: Kind, preset: str) -> None:
    rules = table_of(kind, preset).seen().game.rules
    assert with_clock(rules, on=False) == with_clock(PRESETS[preset], on=False)


def test_two_tables_in_two_tabs_know_nothing_of_each_other(table_of: Play) -> None:
    one = table_of(Kind.OPEN, "casino8", BOB)
    other = table_of(Kind.SOLO, "casino8", cards="low mid low")
    asked = other.ask(ALICE).ask
    one.bet(ALICE, 500)
    assert (one.own(ALICE).chips, other.own(ALICE).chips) == (500, 990)
    assert other.ask(ALICE).ask == asked
    with pytest.raises((Refused, EngineError)):
        one.send(ALICE, action="hit", ask=asked)
    other.answer(ALICE, "stand")
    assert one.own(ALICE).chips == 500
