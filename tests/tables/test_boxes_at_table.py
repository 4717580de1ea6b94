"""Several boxes of one person: each is asked for itself, all play from one purse, and they move together."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.game import Kind
from tables import history, services
from tables.errors import Refused
from tables.models import Game, GamePlayer, Participant, Round
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, MALLORY, Friends, round_pages

# Alice on the boxes 1, 2 and 3, Bob on 4, the dealer; no hole card.
QUIET = "low low low low mid"
ACE_UP = "low low low low A"


@pytest.fixture
def boxes(table_of: Play) -> Friends:
    """Alice holds three boxes of a shoe game, Bob the fourth."""
    return seated(table_of, QUIET)


def seated(table_of: Play, cards: str) -> Friends:
    table = table_of(Kind.OPEN, "classic6", cards=cards)
    table.sit(ALICE, 2)
    table.sit(ALICE, 3)
    services.join(table.code, BOB, "Bob", sit=True)
    table.here(BOB)
    return table


def asks(table: Friends, guest: str) -> dict[int, str]:
    return {ask.box: ask.ask for ask in table.own(guest).asks}


def test_each_box_has_its_own_question(boxes: Friends) -> None:
    before = asks(boxes, ALICE)
    assert sorted(before) == [1, 2, 3]
    assert len(set(before.values())) == 3
    boxes.bet(ALICE, 50, box=2)
    after = asks(boxes, ALICE)
    assert (after[1], after[3]) == (before[1], before[3])
    assert after[2] != before[2]
    assert [seat.bet for seat in boxes.view.seats[:4]] == [0, 50, 0, 0]


def test_the_same_bet_frame_five_times_is_one_stake(boxes: Friends) -> None:
    asked = asks(boxes, ALICE)[2]
    boxes.send(ALICE, action="bet", ask=asked, amount="100")
    for _ in range(4):
        with pytest.raises(EngineError, match="stale_question"):
            boxes.send(ALICE, action="bet", ask=asked, amount="100")
    assert [seat.bet for seat in boxes.view.seats[:3]] == [0, 100, 0]
    assert boxes.own(ALICE).chips == 900


def test_all_boxes_together_cost_no_more_than_the_purse_holds(boxes: Friends) -> None:
    boxes.bet(ALICE, 500, box=1)
    boxes.bet(ALICE, 400, box=2)
    with pytest.raises(EngineError) as refused:
        boxes.bet(ALICE, 110, box=3)
    assert (refused.value.code, refused.value.params) == ("not_enough_chips", {"need": 110, "have": 100})
    boxes.bet(ALICE, 100, box=3)
    assert [seat.chips for seat in boxes.view.seats[:3]] == [0, 0, 0]
    boxes.answer(ALICE, "take_back", 1)
    assert boxes.own(ALICE).chips == 500


def test_deal_leaves_the_own_boxes_without_a_bet_out(boxes: Friends) -> None:
    with pytest.raises(EngineError, match="nothing_bet"):
        boxes.command(ALICE, "deal")
    boxes.bet(ALICE, 50, box=3)
    boxes.command(ALICE, "deal")
    assert boxes.view.phase == "betting"  # Bob is still asked
    assert [seat.status for seat in boxes.view.seats[:4]] == ["sitting_out", "sitting_out", "in", "in"]
    boxes.bet(BOB)
    assert [seat.seat for seat in boxes.view.seats if seat.hands] == [3, 4]


def bet_on_all(table: Friends) -> None:
    for box in (1, 2, 3):
        table.bet(ALICE, 100, box)
    table.bet(BOB, 100)


def test_three_boxes_have_three_insurance_questions(table_of: Play) -> None:
    table = seated(table_of, ACE_UP)
    bet_on_all(table)
    assert table.view.phase == "insurance"
    before = asks(table, ALICE)
    assert sorted(before) == [1, 2, 3]
    table.answer(ALICE, "insure", 2, amount="30")
    after = asks(table, ALICE)
    assert after == {1: before[1], 3: before[3]}
    table.answer(ALICE, "decline", 3)
    table.answer(BOB, "decline")
    table.answer(ALICE, "decline", 1)
    insured = [seat.insurance for seat in table.view.seats[:3]]
    assert [side.bet if side else 0 for side in insured] == [0, 30, 0]


def test_a_question_answers_for_its_own_box_alone(boxes: Friends) -> None:
    bet_on_all(boxes)
    boxes.run_out()  # nobody surrenders
    asked = boxes.ask(ALICE)
    assert (asked.kind, asked.box) == ("turn", 1)
    boxes.send(ALICE, action="stand", ask=asked.ask)
    assert boxes.ask(ALICE).box == 2
    with pytest.raises(Refused, match="stale_question"):
        boxes.send(ALICE, action="stand", ask=asked.ask)
    assert boxes.ask(ALICE).box == 2
    with pytest.raises(Refused, match="stale_question"):
        boxes.send(BOB, action="stand", ask=boxes.ask(ALICE).ask)


def test_all_boxes_play_from_one_purse(boxes: Friends) -> None:
    bet_on_all(boxes)
    boxes.stand()
    kept = Round.objects.get()
    assert kept.record["stacks"] == {"1": "p1", "2": "p1", "3": "p1", "4": "p2"}
    assert kept.record["chips"] == {"p1": 1000, "p2": 1000}
    assert {one.stack: one.nickname for one in GamePlayer.objects.all()} == {"p1": "Alice", "p2": "Bob"}
    own = [box for box in boxes.view.seats if box.name == "Alice" and box.net is not None]
    assert [box.seat for box in own] == [1, 2, 3]
    won = sum(box.net or 0 for box in own)
    assert kept.record["chips_after"]["p1"] == boxes.own(ALICE).chips == 1000 + won


def test_the_page_of_the_game_names_the_owner_of_each_box(boxes: Friends) -> None:
    bet_on_all(boxes)
    boxes.stand()
    shown = boxes.view
    page = history.game_page(Game.objects.get(), code="")
    kept = round_pages(page)[0]
    assert [(seat.seat, seat.name) for seat in kept.seats] == [
        (1, "Alice"),
        (2, "Alice"),
        (3, "Alice"),
        (4, "Bob"),
    ]
    assert [(seat.hands, seat.net) for seat in kept.seats] == [
        (seat.hands, seat.net) for seat in shown.seats if seat.player
    ]
    assert kept.log == list(shown.log)
    assert [(line.name, line.chips) for line in page.standings] == [
        (line.name, line.chips) for line in shown.standings
    ]


def test_a_seat_link_moves_every_box(boxes: Friends) -> None:
    boxes.bet(ALICE, 50, box=2)
    services.move_seat(boxes.person(ALICE).seat_secret, MALLORY)
    assert boxes.own(MALLORY).seats == (1, 2, 3)
    assert boxes.seen().player_of(ALICE) is None
    boxes.answer(MALLORY, "take_back", 2)
    boxes.bet(MALLORY, 100, box=1)
    boxes.command(MALLORY, "deal")
    boxes.bet(BOB)
    boxes.stand()
    assert GamePlayer.objects.get(stack="p1").guest_id == MALLORY
    assert Participant.objects.filter(guest=ALICE).count() == 0


def test_one_box_is_given_up_and_the_others_stay(boxes: Friends) -> None:
    boxes.command(ALICE, "leave", seat="2")
    assert boxes.seated() == {1: "Alice", 3: "Alice", 4: "Bob"}
    with pytest.raises(EngineError, match="not_seated"):
        boxes.command(ALICE, "leave", seat="4")
    boxes.command(ALICE, "leave")
    assert boxes.seated() == {4: "Bob"}
    assert boxes.view.seats[3].host


def test_one_bet_keeps_all_boxes_of_a_person(boxes: Friends) -> None:
    for _ in range(2):
        boxes.bet(ALICE, 10, box=1)
        boxes.command(ALICE, "deal")
        boxes.bet(BOB, 10)
        boxes.stand()
    assert boxes.seated() == {1: "Alice", 2: "Alice", 3: "Alice", 4: "Bob"}
