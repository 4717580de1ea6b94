"""A void round: every bet goes back, what was paid is taken back, the shoe is finished."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import actions
from engine.cards import Card
from engine.game import GameOver, Kind, NoteKind, Phase, Reason, RoundFinished, ShoeFinished, Status
from engine.rules import PRESETS, Rules
from engine.views import view_for
from tests.engine.tables import Table, ace_up, points, stiff, stiff_three

BOXES = PRESETS["classic6"]
KINDS = [Kind.OPEN, Kind.SOLO, Kind.MATCH]


def pairs_under_ace(cards: tuple[Card, ...]) -> bool:
    """Two pairs against an ace with no ten under it."""
    return (
        cards[0].rank is cards[3].rank
        and cards[2].rank.points == 11
        and cards[5].rank.points < 10
        and cards[0].rank.points < 10
    )


def pair_of_eights(cards: tuple[Card, ...]) -> bool:
    """Alice has a pair that is worth splitting against a 7, 8 or 9."""
    return (
        cards[0].rank is cards[3].rank
        and cards[0].rank.points == 8
        and points(cards)[2] in (7, 8, 9)
        and 12 <= points(cards)[1] + points(cards)[4] <= 16
    )


def first_busts(cards: tuple[Card, ...]) -> bool:
    return stiff(cards) and points(cards)[6] == 10


def first_has_blackjack(cards: tuple[Card, ...]) -> bool:
    """Alice is paid for a blackjack before anybody acts."""
    one, two, up, three, four, *_ = points(cards)
    return {one, three} == {10, 11} and up in (7, 8, 9) and 12 <= two + four <= 16


def opened(wanted: Callable[[tuple[Card, ...]], bool], rules: Rules | None = None) -> Table:
    return Table(2, kind=Kind.OPEN, rules=rules, wanted=wanted)


def in_insurance(table: Table) -> None:
    table.bet("alice", 100, 20)
    table.bet("bob", 50)


def in_insurance_paid_for(table: Table) -> None:
    in_insurance(table)
    table.answer("alice", "insure")


def in_a_turn(table: Table) -> None:
    table.bet("alice", 100, 20)
    table.bet("bob", 50)


def after_a_bust(table: Table) -> None:
    in_a_turn(table)
    table.answer("alice", "hit")


def after_a_double(table: Table) -> None:
    in_a_turn(table)
    table.answer("alice", "double")


def after_a_split_and_a_double(table: Table) -> None:
    in_a_turn(table)
    table.answer("alice", "split")
    table.answer("alice", "double")


Steps = tuple[str, Callable[[tuple[Card, ...]], bool], Callable[[Table], None]]
MOMENTS: list[Steps] = [
    ("insurance, a pair paid", pairs_under_ace, in_insurance),
    ("insurance, one insured", ace_up, in_insurance_paid_for),
    ("a turn", stiff, in_a_turn),
    ("a turn, a blackjack paid", first_has_blackjack, in_a_turn),
    ("a turn, one hand bust", first_busts, after_a_bust),
    ("a turn, one hand doubled", stiff, after_a_double),
    ("a turn, split and doubled", pair_of_eights, after_a_split_and_a_double),
]


@pytest.mark.parametrize("failure", [True, False], ids=["failure", "staff"])
@pytest.mark.parametrize(("wanted", "play"), [one[1:] for one in MOMENTS], ids=[one[0] for one in MOMENTS])
def test_every_chip_is_where_it_was_before_the_round(
    wanted: Callable[[tuple[Card, ...]], bool], play: Callable[[Table], None], failure: bool
) -> None:
    table = opened(wanted)
    before, shoe = table.chips(), table.game.shoe
    play(table)
    state, during = table.game.round, table.game.phase
    table.do(actions.Void(failure=failure))
    assert table.chips() == before
    assert (during, table.game.phase) == (Phase.PLAYING, Phase.BETTING)
    # It is kept, and says why.
    finished = table.last_round()
    assert (finished.record.void, finished.record.broken_off) == (True, False)
    assert finished.round == state == finished.record.replay(table.game.rules)
    assert finished.chips == {table.purse(who).stack: 1_000 for who in ("alice", "bob")}
    said = NoteKind.VOID_FAILURE if failure else NoteKind.VOID_STAFF
    assert said in [note.kind for note in finished.notes]
    assert table.noted(said) == [0]
    # The shoe is shuffled away, and the next bets are open.
    assert table.happened[-1] == ShoeFinished(shoe) if shoe else False
    assert table.game.published == shoe
    assert table.game.shoe is not None
    assert shoe is not None
    assert table.game.shoe.number == shoe.number + 1
    table.bet("alice", 30)
    table.bet("bob", 40)
    table.finish_round()
    assert table.last_round().record.number == 2


def test_a_surrender_that_was_paid_is_taken_back() -> None:
    table = Table(2, kind=Kind.OPEN, rules=BOXES, wanted=stiff)
    table.bet("alice", 100)
    table.bet("bob", 100)
    table.answer("alice", "surrender")
    table.do(actions.Void())
    assert table.chips() == {"alice": 1_000, "bob": 1_000}


def test_several_boxes_of_one_purse_get_their_bets_back_once() -> None:
    table = Table(1, kind=Kind.OPEN, rules=BOXES, wanted=stiff)
    table.sit("alice", 2)
    table.bet("alice", 300, 100, box=1)
    table.bet("alice", 400, box=2)
    table.do(actions.Void())
    assert table.purse("alice").chips == 1_000


@pytest.mark.parametrize("kind", KINDS, ids=[kind.value for kind in KINDS])
def test_only_a_running_round_can_be_void(kind: Kind) -> None:
    table = Table(1 if kind is Kind.SOLO else 2, kind=kind)
    assert table.refused(actions.Void()) == "no_round"
    table.bet("alice", 10)
    if kind is not Kind.SOLO:
        assert table.refused(actions.Void(failure=True)) == "no_round"


def test_a_void_round_in_the_middle_of_a_cut_card_shoe_finishes_the_shoe() -> None:
    table = Table(2, kind=Kind.OPEN, rules=PRESETS["casino8"])
    table.play_round()
    held, shoe = table.chips(), table.game.shoe
    assert shoe is not None
    assert shoe.dealt > 0
    table.bet("alice", 100)
    table.bet("bob", 100)
    assert table.game.phase is Phase.PLAYING
    table.do(actions.Void(failure=True))
    assert table.chips() == held
    assert table.game.shoe is not None
    assert (table.game.shoe.number, table.game.shoe.dealt) == (2, 0)
    published = table.game.published
    assert published is not None
    assert (published.seed, published.spare) == (shoe.seed, shoe.spare)


def test_a_void_round_makes_nobody_idle_and_frees_who_has_left() -> None:
    table = Table(4, kind=Kind.OPEN, wanted=stiff)
    table.play_round()
    table.bet("alice")
    table.bet("bob")
    table.sit_out("erin")
    table.do(actions.Expire())
    assert table.game.phase is Phase.PLAYING
    table.do(actions.Leave("bob"))
    assert table.game.phase is Phase.PLAYING
    table.do(actions.Void())
    assert table.seated() == {1: "alice", 3: "dave", 4: "erin"}
    assert table.noted(NoteKind.IDLE) == []
    assert table.noted(NoteKind.LEFT) == [2]
    assert table.purse("bob").chips == table.last_round().record.chips[table.purse("bob").stack]


def test_a_void_round_is_no_new_high() -> None:
    table = opened(pairs_under_ace)
    table.bet("alice", 100, 100)
    table.bet("bob")
    assert table.game.round is not None
    assert table.game.round.chips[table.purse("alice").stack] == 2_000
    table.do(actions.Void())
    assert table.purse("alice").highest == 1_000


def test_nobody_is_refilled_for_a_bet_that_went_back() -> None:
    table = opened(stiff)
    table.set_chips(alice=100)
    table.bet("alice", 100)
    table.bet("bob")
    table.do(actions.Void())
    assert (table.purse("alice").chips, table.purse("alice").refills) == (100, 0)


def test_in_a_match_a_void_round_counts_as_played() -> None:
    table = Table(3)
    for _ in range(9):
        table.everyone_sits_out()
    table.set_chips(alice=900)
    for who in ("alice", "bob", "dave"):
        table.bet(who, 50, 10)
    table.do(actions.Void())
    finished, _, over = table.happened[-3:]
    assert isinstance(finished, RoundFinished)
    assert finished.record.void
    assert isinstance(over, GameOver)
    assert over.result.reason is Reason.ROUNDS
    assert table.chips() == {"alice": 900, "bob": 1_000, "dave": 1_000}


def test_in_a_match_a_void_round_goes_on_with_new_bets() -> None:
    table = Table(2)
    table.deal_two(stiff, bets=(100, 50))
    table.answer("alice", "stand")
    table.do(actions.Void(failure=True))
    assert (table.game.phase, table.game.round_number) == (Phase.BETTING, 3)
    assert table.chips() == {"alice": 1_000, "bob": 1_000}
    table.deal_two(stiff)
    table.finish_round()
    assert table.game.in_match


def test_who_resigned_in_a_round_that_is_void_has_resigned_but_lost_no_bet_of_it() -> None:
    table = Table(3)
    table.open_shoe(stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Resign("dave"))
    assert table.chips()["dave"] == 900
    table.do(actions.Void())
    assert table.chips() == {"alice": 1_000, "bob": 1_000, "dave": 1_000}
    assert table.seat("dave").status is Status.RESIGNED


def test_alone_a_void_round_goes_on_with_new_bets() -> None:
    table = Table(1, kind=Kind.SOLO, wanted=stiff)
    table.bet("alice", 500)
    table.do(actions.Void(failure=True))
    assert (table.chips(), table.game.phase, table.game.round_number) == ({"alice": 1_000}, Phase.BETTING, 2)
    table.play_round()


def test_a_game_that_waits_for_its_shuffle_ends_with_a_void_round() -> None:
    table = Table(2, kind=Kind.OPEN, rules=PRESETS["casino8"], wanted=stiff)
    table.bet("alice", 500)
    table.bet("bob", 500)
    table.do(actions.EndWithShoe())
    table.do(actions.Void())
    over = table.happened[-1]
    assert isinstance(over, GameOver)
    assert (over.result.reason, table.game.number) == (Reason.DAY_OVER, 2)
    assert {place.chips for place in over.result.places} == {1_000}


def test_a_void_round_is_shown_with_its_cards_and_every_bet_as_returned() -> None:
    table = opened(pairs_under_ace)
    table.bet("alice", 100, 20)
    table.bet("bob", 50)
    table.answer("alice", "insure")
    table.do(actions.Void())
    public = view_for(table.game, None).public
    assert (public.void, public.phase, public.shown_round) == (True, "betting", 1)
    alice, bob = public.seats[:2]
    assert [(hand.result, hand.net) for seat in (alice, bob) for hand in seat.hands] == [("returned", 0)] * 2
    assert alice.pair is not None
    assert alice.insurance is not None
    assert (alice.pair.bet, alice.pair.paid) == (20, 20)
    assert (alice.insurance.bet, alice.insurance.paid) == (50, 50)
    assert (alice.net, alice.chips, bob.net, bob.chips) == (0, 1_000, 0, 1_000)
    assert public.log[-1].kind == "void_staff"
    assert alice.asked == "bet"


def test_the_hole_card_of_a_void_round_stays_down() -> None:
    table = opened(stiff)
    table.bet("alice")
    table.bet("bob")
    table.do(actions.Void())
    dealer = view_for(table.game, None).public.dealer
    assert dealer is not None
    assert [card.rank is None for card in dealer.cards] == [False, True]
