from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from engine.rules import Rules
from tables import codec, history
from tables.models import Game, GamePlayer, Round
from tests.engine.test_properties import net_of
from tests.tables.friends import ALICE, BOB, Friends, record_of, round_pages


def play_round(table: Friends, *bets: int, cards: str = "low low mid low low") -> None:
    table.deal(cards, *(bets or (10, 10)))
    while table.view.phase not in ("betting", "over"):
        asked = next(guest for guest in (ALICE, BOB) if table.own(guest).asks)
        kind = table.ask(asked).kind
        table.answer(asked, "stand" if kind == "turn" else "decline")


def play_match(table: Friends) -> None:
    while table.view.phase != "over":
        play_round(table)


def test_a_finished_round_is_kept_with_what_it_follows_from(playing: Friends) -> None:
    play_round(playing, 100, 50)
    kept = Round.objects.get()
    assert kept.record["bets"] == {"1": 100, "2": 50}
    assert kept.record["moves"] == ["1 stand", "2 stand"]
    assert kept.record["chips"] == {"1": 1000, "2": 1000}
    after = {str(seat.seat): seat.chips for seat in playing.view.seats if seat.player}
    assert kept.record["chips_after"] == after


def test_a_kept_round_rebuilds_to_what_was_paid(playing: Friends) -> None:
    for _ in range(3):
        play_round(playing, 100, 50)
    for kept in Round.objects.all():
        state = record_of(kept).replay(Rules.from_json(kept.game.rules))
        assert state is not None
        after = {stack: chips + net_of(state, stack) for stack, chips in kept.record["chips"].items()}
        assert after == kept.record["chips_after"]


def test_the_seed_is_published_with_the_result_and_fits_its_hash(playing: Friends) -> None:
    from hashlib import sha256

    playing.reseed("low low mid low low")
    assert playing.view.shoe is not None
    shown = playing.view.shoe.commitment
    playing.bet(ALICE)
    playing.bet(BOB)
    assert not playing.view.published
    playing.answer(ALICE, "stand")
    playing.answer(BOB, "stand")
    published = playing.view.published
    assert published is not None
    assert (published.number, published.commitment) == (1, shown)
    assert sha256(bytes.fromhex(published.seed)).hexdigest() == shown


def test_the_finished_match_is_kept_with_its_winner(playing: Friends) -> None:
    play_match(playing)
    game = Game.objects.get()
    assert game.finished == playing.clock.now
    assert game.reason == "rounds"
    assert Round.objects.count() == 10
    chips = {one.seat: one.chips for one in GamePlayer.objects.all()}
    assert chips == {seat.seat: seat.chips for seat in playing.view.seats if seat.player}
    best = max(chips.values())
    for one in GamePlayer.objects.all():
        assert one.won == (one.chips == best and list(chips.values()).count(best) == 1)


def test_again_plays_a_second_match_and_keeps_the_score(playing: Friends) -> None:
    play_match(playing)
    playing.command(ALICE, "ready", ready="1")
    playing.command(BOB, "ready", ready="1")
    playing.command(ALICE, "start")
    assert (playing.view.game, playing.view.phase, playing.chips()) == (2, "betting", [1000, 1000])
    assert Game.objects.count() == 2
    assert sum(one.wins for one in playing.view.score) + playing.view.draws == 1


def test_change_settings_goes_back_to_the_lobby(playing: Friends) -> None:
    play_match(playing)
    playing.command(ALICE, "back_to_lobby")
    playing.command(ALICE, "configure", rounds="20")
    assert (playing.view.phase, playing.view.rounds) == ("lobby", 20)


def test_the_last_one_left_wins(playing: Friends) -> None:
    playing.deal("low low mid low low", 500, 10)
    while playing.view.waiting_for == (1,):
        playing.answer(ALICE, "hit")
    playing.answer(BOB, "stand")
    playing.deal("low low mid low low", 500, 10)
    while playing.view.waiting_for == (1,):
        playing.answer(ALICE, "hit")
    playing.answer(BOB, "stand")
    assert playing.view.phase == "over"
    game = Game.objects.get()
    assert game.reason == "last_left"
    assert [one.nickname for one in game.players.filter(won=True)] == ["Bob"]


def test_the_page_of_a_game_shows_round_by_round_what_happened(playing: Friends) -> None:
    play_round(playing, 100, 50)
    shown = [(hand.cards, hand.bet) for seat in playing.view.seats for hand in seat.hands]
    page = history.game_page(Game.objects.get(), code="")
    first = round_pages(page)[0]
    assert [(hand.cards, hand.bet) for seat in first.seats for hand in seat.hands] == shown
    assert first.dealer == playing.view.dealer
    assert first.log[-1].kind == "settled"
    net = {seat.name: seat.net for seat in first.seats}
    before = dict.fromkeys(net, 1000)
    assert {name: before[name] + (won or 0) for name, won in net.items()} == {
        seat.name: seat.chips for seat in playing.view.seats if seat.player
    }


@pytest.mark.parametrize("steps", range(6))
def test_the_stored_state_is_the_state(playing: Friends, steps: int) -> None:
    """Written and read again at any point the table is the same, cards of the running round included."""
    playing.reseed("low low A low low")
    todo: list[Callable[[], object]] = [
        lambda: playing.bet(ALICE),
        lambda: playing.bet(BOB),
        lambda: playing.answer(BOB, "insure"),
        lambda: playing.answer(ALICE, "decline"),
        lambda: playing.clock.advance(1),
    ]
    for step in todo[:steps]:
        step()
    stored = json.loads(playing.row.state)
    game = codec.read_game(stored)
    assert codec.write_game(game) == stored
    assert codec.read_game(codec.write_game(game)) == game
    assert game.round is None or game.record is not None


def test_a_text_of_a_newer_program_is_not_misread(playing: Friends) -> None:
    stored = {**json.loads(playing.row.state), "schema": codec.SCHEMA + 1}
    with pytest.raises(ValueError, match="newer"):
        codec.read_game(stored)


def test_older_texts_are_brought_forward(playing: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = json.loads(playing.row.state)
    older = {**stored, "schema": codec.SCHEMA - 1, "rounds": None, "length": stored["rounds"]}
    step = lambda text: {**text, "schema": codec.SCHEMA, "rounds": text["length"]}  # noqa: E731
    monkeypatch.setattr(codec, "TABLE_MIGRATIONS", {codec.SCHEMA - 1: step})
    assert codec.read_game(older) == codec.read_game(stored)
