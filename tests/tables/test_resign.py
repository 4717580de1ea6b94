from __future__ import annotations

import pytest

from engine.errors import EngineError
from tables import services
from tables.errors import Refused
from tables.models import Game, Round
from tests.tables.friends import ALICE, BOB, CAROL, Friends, opened

QUIET = "low low mid low low"


@pytest.fixture
def three(db: None, seeds: object, clock: object) -> Friends:
    friends = opened(seeds, clock)  # type: ignore[arg-type]
    friends.command(CAROL, "sit", seat="3")
    friends.start(BOB, CAROL)
    return friends


def test_of_two_the_other_one_wins(playing: Friends) -> None:
    playing.deal(QUIET)
    playing.command(ALICE, "resign")
    game = Game.objects.get()
    assert (playing.view.phase, game.reason) == ("over", "last_left")
    assert [one.nickname for one in game.players.filter(won=True)] == ["Bob"]
    assert playing.chips() == [900, 1000]  # Alice's stake is lost, Bob's open one goes back
    assert Round.objects.get().record["broken_off"] is True


def test_the_others_go_on(three: Friends) -> None:
    three.command(ALICE, "resign")
    assert three.view.phase == "betting"
    assert three.view.seats[0].status == "resigned"
    three.bet(BOB)
    three.bet(CAROL)
    assert [len(seat.hands) for seat in three.view.seats] == [0, 1, 1, 0]


def test_in_anothers_turn_the_turn_and_its_clock_stay(three: Friends) -> None:
    for guest in (ALICE, BOB, CAROL):
        three.reseed("low low low mid low low low")
        three.bet(guest)
    three.answer(ALICE, "stand")
    deadline, asked = three.row.deadline, three.ask(BOB).ask
    three.clock.advance(4)
    three.command(ALICE, "leave")
    assert (three.view.waiting_for, three.row.deadline, three.ask(BOB).ask) == ((2,), deadline, asked)


def test_resigning_twice_is_resigning_once(three: Friends) -> None:
    frame = {"action": "resign", "game": "1"}
    three.send(ALICE, **frame)
    for _ in range(4):
        with pytest.raises(EngineError):
            three.send(ALICE, **frame)
    assert [seat.status for seat in three.view.seats] == ["resigned", "in", "in", "free"]


def test_a_frame_of_the_last_match_does_not_resign_this_one(playing: Friends) -> None:
    with pytest.raises(Refused, match="stale_game"):
        playing.send(ALICE, action="resign", game="0")
    assert playing.view.seats[0].status == "in"


def test_a_draw_holds_when_all_agree(three: Friends) -> None:
    three.command(ALICE, "offer_draw")
    offer = three.view.offer
    assert offer is not None
    assert offer.waiting == (2, 3)
    three.send(BOB, action="accept_draw", offer=offer.id)
    three.send(CAROL, action="accept_draw", offer=offer.id)
    assert (three.view.phase, Game.objects.get().reason) == ("over", "agreed_draw")


def test_one_refusal_ends_the_offer(three: Friends) -> None:
    three.command(ALICE, "offer_draw")
    offer = three.view.offer
    assert offer is not None
    three.send(BOB, action="refuse_draw", offer=offer.id)
    assert three.view.offer is None
    with pytest.raises(EngineError, match="stale_offer"):
        three.send(CAROL, action="accept_draw", offer=offer.id)


def test_a_late_answer_to_another_offer_accepts_nothing(three: Friends) -> None:
    three.command(ALICE, "offer_draw")
    first = three.view.offer
    assert first is not None
    three.send(BOB, action="refuse_draw", offer=first.id)
    three.command(CAROL, "offer_draw")
    with pytest.raises(EngineError, match="stale_offer"):
        three.send(BOB, action="accept_draw", offer=first.id)
    assert three.view.offer is not None
    assert three.view.offer.accepted == (3,)


def test_an_offer_moves_no_clock(playing: Friends) -> None:
    playing.deal(QUIET)
    deadline = playing.row.deadline
    playing.clock.advance(3)
    playing.command(BOB, "offer_draw")
    assert playing.row.deadline == deadline


def test_one_who_watches_offers_nothing(playing: Friends) -> None:
    with pytest.raises(EngineError):
        playing.command(CAROL, "offer_draw")
    assert playing.view.offer is None


def test_a_match_nobody_touched_for_a_day_is_abandoned(db: None, seeds: object, clock: object) -> None:
    friends = opened(seeds, clock, on=False)  # type: ignore[arg-type]
    friends.start()
    friends.clock.advance(24 * 3600 - 1)
    services.tidy()
    assert friends.view.phase == "betting"
    friends.clock.advance(1)
    services.tidy()
    game = Game.objects.get()
    assert (friends.view.phase, game.reason) == ("over", "abandoned")
    assert not game.players.filter(won=True).exists()
