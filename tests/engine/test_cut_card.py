"""A shoe that is dealt from round to round until its cut card comes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from engine import actions
from engine.cards import DECK, Card
from engine.game import Game, Kind, NoteKind, Phase, RoundFinished, ShoeFinished, clock_window, open_table
from engine.round import Round
from engine.rules import PRESETS, Rules, Shuffle
from engine.shoe import SEED_BYTES, Shoe, commitment, cut_after, shuffle
from engine.shown import ShoeView
from engine.views import view_for
from tests.engine.tables import Table, seed

CUT_CARD = [name for name, rules in PRESETS.items() if rules.shuffle is Shuffle.CUT_CARD]

# One deck for five boxes: with the cut card far back it runs out in mid-round nearly every time.
SHORT = Rules.from_json(
    {
        "decks": 1,
        "shuffle": "cut_card",
        "cut_card": 0.9,
        "boxes": 5,
        "boxes_per_player": 5,
        "max_hands": 2,
        "starting_chips": 5_000,
    }
)


def rounds_of(table: Table) -> list[RoundFinished]:
    return [event for event in table.happened if isinstance(event, RoundFinished)]


def shoes_of(table: Table) -> list[ShoeFinished]:
    return [event for event in table.happened if isinstance(event, ShoeFinished)]


def shoe_view(game: Game) -> ShoeView:
    shoe = view_for(game, None).public.shoe
    assert shoe is not None
    return shoe


def state_of(event: RoundFinished) -> Round:
    assert event.round is not None
    return event.round


def play_the_shoe_out(table: Table) -> None:
    """Rounds until the shoe is finished, and no further."""
    for _ in range(60):
        if not shoes_of(table):
            table.play_round()


def dealt_cards(state: Round) -> list[Card]:
    """The cards of a round in the order in which they were dealt."""
    cards = [
        (at, card)
        for box in state.boxes
        for hand in box.hands
        for at, card in zip(hand.places, hand.cards, strict=True)
    ]
    cards += zip(state.dealer_places, state.dealer, strict=True)
    return [card for _, card in sorted(cards)]


# The shoe carries on


@pytest.mark.parametrize("name", CUT_CARD)
def test_the_cards_of_each_round_are_the_next_ones_of_the_same_seed(name: str) -> None:
    table = Table(3, kind=Kind.OPEN, rules=PRESETS[name])
    first = table.game.shoe
    assert first is not None
    for _ in range(4):
        table.play_round()
    cards = [card for event in rounds_of(table) for card in dealt_cards(state_of(event))]
    assert tuple(cards) == Shoe.from_seed(first.seed, PRESETS[name].decks).cards[: len(cards)]
    assert {event.record.shoe.number for event in rounds_of(table)} == {1}
    assert rounds_of(table)[0].record.shoe.dealt == 0
    assert table.game.shoe is not None
    assert table.game.shoe.dealt == len(cards)


@pytest.mark.parametrize("name", CUT_CARD)
def test_the_round_with_the_cut_card_is_the_last_of_its_shoe(name: str) -> None:
    table = Table(4, kind=Kind.OPEN, rules=PRESETS[name])
    cut = cut_after(PRESETS[name].decks, PRESETS[name].cut_card)
    play_the_shoe_out(table)
    *before, last = rounds_of(table)
    assert all(state_of(event).shoe.dealt < cut for event in before)
    assert state_of(last).shoe.dealt >= cut > last.record.shoe.dealt
    assert {event.record.shoe.number for event in rounds_of(table)} == {1}
    # It was played to its end, and the next one comes from a new shoe.
    assert state_of(last).settled
    assert table.game.shoe is not None
    assert (table.game.shoe.number, table.game.shoe.dealt) == (2, 0)
    table.play_round()
    assert rounds_of(table)[-1].record.shoe.number == 2


def test_the_log_says_when_the_cut_card_came_and_only_then() -> None:
    table = Table(4, kind=Kind.OPEN, rules=PRESETS["casino8"])
    play_the_shoe_out(table)
    *before, last = rounds_of(table)
    assert all(note.kind is not NoteKind.CUT_CARD for event in before for note in event.notes)
    (note,) = [note for note in last.notes if note.kind is NoteKind.CUT_CARD]
    assert (note.seat, note.round) == (0, last.record.number)
    # It stands where the card behind the cut card was dealt, not before.
    events = state_of(last).events[: note.after]
    dealt = sum(type(event).__name__ in ("CardDealt", "DealerDealt") for event in events)
    assert last.record.shoe.dealt + dealt >= 208
    table.play_round()
    assert table.noted(NoteKind.CUT_CARD) == []


def test_a_shoe_for_every_round_has_no_cut_card_and_no_second_seed() -> None:
    table = Table(2, kind=Kind.OPEN)
    assert table.game.shoe is not None
    assert table.game.shoe.spare is None
    view = shoe_view(table.game)
    assert (view.cards, view.left, view.cut_left, view.cut_came, view.spare_commitment) == (
        312,
        312,
        None,
        False,
        None,
    )
    for _ in range(3):
        table.play_round()
    assert [event.shoe.number for event in shoes_of(table)] == [1, 2, 3]
    assert not table.noted(NoteKind.CUT_CARD)


def test_a_cut_card_shoe_is_not_opened_without_its_second_seed() -> None:
    for spare in (None, b"", bytes(SEED_BYTES - 1)):
        with pytest.raises(ValueError, match="second seed"):
            open_table(PRESETS["casino8"], 0, "alice", "Alice", kind=Kind.SOLO, seed=seed(1), spare=spare)


def test_the_figures_count_what_is_left_before_the_cut_card_and_in_the_shoe() -> None:
    table = Table(1, kind=Kind.SOLO, rules=PRESETS["casino8"])
    cut, came = 208, False
    for _ in range(60):
        dealt = table.game.shoe.dealt if table.game.shoe else 0
        view = shoe_view(table.game)
        assert (view.cards, view.left, view.cut_left, view.cut_came) == (416, 416 - dealt, cut - dealt, False)
        table.bet("alice", 10)
        while table.game.phase is Phase.PLAYING and table.game.round:
            dealt = table.game.round.shoe.dealt
            view = shoe_view(table.game)
            assert (view.left, view.cut_left, view.cut_came) == (
                416 - dealt,
                max(0, cut - dealt),
                dealt >= cut,
            )
            came = came or view.cut_came
            asked = table.game.round.questions[0].asked.value
            table.answer("alice", "stand" if asked == "turn" else "decline")
    assert came


# The seeds


def test_both_hashes_are_shown_before_the_first_bet_of_each_shoe_and_do_not_change() -> None:
    table = Table(4, kind=Kind.OPEN, rules=PRESETS["casino8"])
    shown: dict[int, set[tuple[str, str | None]]] = {}
    for _ in range(45):
        # Nobody has bet yet.
        assert clock_window(table.game) == (None, None)
        view = shoe_view(table.game)
        shown.setdefault(view.number, set()).add((view.commitment, view.spare_commitment))
        for seat in table.game.seats:
            table.bet(seat.player, 10)
            view = shoe_view(table.game)
            if table.game.phase is Phase.PLAYING:
                shown[view.number].add((view.commitment, view.spare_commitment))
        table.finish_round()
    finished = [event.shoe for event in shoes_of(table)]
    assert len(finished) >= 2
    for shoe in finished:
        assert shoe.spare is not None
        assert shown[shoe.number] == {(commitment(shoe.seed), commitment(shoe.spare))}


def test_seeds_are_published_only_when_their_shoe_is_finished() -> None:
    table = Table(4, kind=Kind.OPEN, rules=PRESETS["casino8"])
    shoe = table.game.shoe
    assert shoe is not None
    assert shoe.spare is not None
    for _ in range(60):
        if shoes_of(table):
            break
        assert view_for(table.game, None).public.published is None
        table.play_round()
    published = view_for(table.game, None).public.published
    assert published is not None
    assert (published.number, published.seed, published.spare) == (1, shoe.seed.hex(), shoe.spare.hex())
    assert (published.commitment, published.spare_commitment) == (
        commitment(shoe.seed),
        commitment(shoe.spare),
    )
    # While the next shoe runs the last one's seeds stay published, and no other.
    table.play_round()
    assert view_for(table.game, None).public.published == published


def test_every_shoe_has_two_seeds_of_its_own() -> None:
    table = Table(4, kind=Kind.OPEN, rules=PRESETS["casino8"])
    for _ in range(70):
        table.play_round()
    seeds = [one for event in shoes_of(table) for one in (event.shoe.seed, event.shoe.spare)]
    assert len(seeds) >= 6
    assert len(set(seeds)) == len(seeds)


# The shoe runs out in mid-round


class Greedy:
    """Alice plays five boxes from a short shoe and hits a lot."""

    def __init__(self, number: int) -> None:
        self.table = Table(1, kind=Kind.SOLO, rules=SHORT)
        self.table.game = open_table(
            SHORT, 0, "alice", "Alice", kind=Kind.SOLO, seed=seed(number), spare=seed(10**6 + number)
        )
        for box in range(2, 6):
            self.table.sit("alice", box)
        self.choose = random.Random(number)

    def steps(self) -> Iterator[Game]:
        """One round, step by step."""
        table = self.table
        number = table.game.round_number
        for box in range(1, 6):
            table.bet("alice", 10, box=box)
        while table.game.phase is Phase.PLAYING and table.game.round and table.game.round_number == number:
            yield table.game
            question = table.game.round.questions[0]
            verb = "decline"
            if question.asked.value == "turn":
                total = table.game.round.box(question.box).hands[question.hand].value.total
                verb = "hit" if total < 16 or (total < 19 and self.choose.random() < 0.5) else "stand"
            table.answer("alice", verb, question.box)
        yield table.game


@cache
def run_out(number: int) -> tuple[tuple[Game, ...], RoundFinished, ShoeFinished]:
    """A round in which the shoe of that seed ran out: its steps and how it ended."""
    player = Greedy(number)
    for _ in range(60):
        steps = tuple(player.steps())
        finished = player.table.last_round()
        if state_of(finished).shoe.reshuffled:
            return steps, finished, shoes_of(player.table)[-1]
    raise AssertionError("no shoe runs out")


RUNS_OUT = range(1, 21)


@pytest.mark.parametrize("number", RUNS_OUT)
def test_when_a_shoe_runs_out_the_discards_are_shuffled_by_the_second_seed_and_dealt(number: int) -> None:
    _, finished, shoe_finished = run_out(number)
    record, state = finished.record, state_of(finished)
    shoe = shoe_finished.shoe
    assert shoe.spare is not None
    assert (record.shoe.seed, record.shoe.spare) == (shoe.seed, shoe.spare)
    whole = shuffle(DECK, shoe.seed)
    played = record.shoe.dealt
    # The discards lie in the order in which they were dealt in the rounds before.
    discards = shuffle(whole[:played], shoe.spare)
    cards = dealt_cards(state)
    rest = len(DECK) - played
    assert cards[:rest] == list(whole[played:])
    assert cards[rest:] == list(discards[: len(cards) - rest])
    assert len(cards) > rest
    # No card is twice on the table: it is one deck.
    assert len({(card.rank, card.suit) for card in cards}) == len(cards)


@pytest.mark.parametrize("number", RUNS_OUT)
def test_a_round_that_dealt_the_discards_replays_from_its_record(number: int) -> None:
    steps, finished, _ = run_out(number)
    assert finished.record.replay(SHORT) == finished.round
    assert finished.record.deal(SHORT) == steps[0].round


@pytest.mark.parametrize("number", RUNS_OUT)
def test_that_shoe_is_finished_with_the_round_and_the_log_says_why(number: int) -> None:
    steps, finished, shoe_finished = run_out(number)
    assert shoe_finished.shoe.number == finished.record.shoe.number
    after = steps[-1]
    assert after.shoe is not None
    assert (after.shoe.number, after.shoe.dealt) == (shoe_finished.shoe.number + 1, 0)
    kinds = [note.kind for note in finished.notes]
    assert kinds.count(NoteKind.DISCARDS) == 1
    assert kinds.count(NoteKind.CUT_CARD) == 1
    assert kinds.index(NoteKind.CUT_CARD) < kinds.index(NoteKind.DISCARDS)


@pytest.mark.parametrize("number", RUNS_OUT)
def test_the_figures_then_count_the_discards(number: int) -> None:
    steps, finished, _ = run_out(number)
    played = finished.record.shoe.dealt
    for game in steps[:-1]:
        view, state = shoe_view(game), game.round
        assert state is not None
        if state.shoe.reshuffled:
            assert (view.cards, view.left) == (played, played - state.shoe.dealt)
            assert (view.cut_left, view.cut_came) == (0, True)
            assert view.commitment == commitment(finished.record.shoe.seed)
        else:
            assert (view.cards, view.left) == (52, 52 - state.shoe.dealt)
    view = shoe_view(steps[-1])
    assert (view.cards, view.left, view.cut_left, view.cut_came) == (52, 52, 47, False)


def test_the_rounds_that_ran_out_include_one_that_did_so_in_its_deal() -> None:
    """A shoe with the cut card still in it may not even hold the cards of one deal."""
    in_deal = [
        number for number in RUNS_OUT if (state := run_out(number)[0][0].round) and state.shoe.reshuffled
    ]
    later = [number for number in RUNS_OUT if number not in in_deal]
    assert in_deal
    assert later


def test_cards_of_the_discards_have_ids_that_no_other_card_has() -> None:
    steps, _, _ = run_out(1)
    for game in steps:
        public = view_for(game, None).public
        assert public.dealer is not None
        ids = [card.id for seat in public.seats for hand in seat.hands for card in hand.cards]
        ids += [card.id for card in public.dealer.cards]
        assert len(set(ids)) == len(ids)


def test_no_two_cards_of_a_table_share_an_id_from_round_to_round() -> None:
    table = Table(2, kind=Kind.OPEN, rules=PRESETS["casino8"])
    seen: set[str] = set()
    for _ in range(30):
        table.play_round()
        public = view_for(table.game, None).public
        assert public.dealer is not None
        ids = {card.id for seat in public.seats for hand in seat.hands for card in hand.cards}
        ids |= {card.id for card in public.dealer.cards}
        assert not seen & ids
        seen |= ids


def test_a_shoe_never_runs_out_of_cards_altogether() -> None:
    """Whatever is hit: the discards and the rest of the shoe are all cards that are not on the table."""
    for number in range(1, 60):
        player = Greedy(number)
        for _ in range(4):
            for game in player.steps():
                assert game.round is not None
        assert player.table.game.round_number == 5
        player.table.do(actions.NewGame("alice"))
