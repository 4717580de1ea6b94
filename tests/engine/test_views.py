"""What a viewer may know: everything on the table, nothing under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from engine import actions
from engine import game as games
from engine.cards import DECK, Card
from engine.errors import EngineError
from engine.game import Game, Kind, Phase
from engine.rules import PRESETS, HoleCard, Rules
from engine.shoe import commitment
from engine.shown import OwnView, PublicView, View
from engine.views import own_view, view_for
from tests.engine.tables import Table, ace_up, dealer_blackjack, points, seed, stiff, stiff_three, ways_of

VIEWERS = (None, "alice", "bob", "dave", "mallory")


def words(value: object) -> Iterator[object]:
    """Every plain value in a view, however deep."""
    if is_dataclass(value):
        for field in fields(value):
            yield from words(getattr(value, field.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from words(one)
    else:
        yield value


def shown_cards(view: View) -> list[str]:
    """Every card that the felt shows, by rank and suit."""
    public = view.public
    cards = [card for seat in public.seats for hand in seat.hands for card in hand.cards]
    cards += list(public.dealer.cards) if public.dealer else []
    return [f"{card.rank}{card.suit}" for card in cards if card.rank]


def logged_cards(view: View) -> list[str]:
    return [f"{line.rank}{line.suit}" for line in view.public.log if line.rank]


def secrets_of(game: Game) -> list[str]:
    """The seeds of the shoe in use, however somebody might write them."""
    seeds = [game.shoe.seed, game.shoe.spare] if game.shoe else []
    return [text for one in seeds if one for text in (one.hex(), one.hex().upper(), repr(one), str(one))]


def with_other_secrets(game: Game, hole: tuple[int, ...] = (2, 3, 4, 5, 6)) -> Game:
    """The same table with another hole card and other cards to come: nobody may tell the two apart."""
    assert game.round is not None
    state = game.round
    cards = list(state.shoe.cards)
    if state.rules.hole_card is HoleCard.PEEK:
        other = next(c for c in DECK if c.rank.points in hole and c.rank is not state.dealer[1].rank)
        cards[state.shoe.played + state.dealer_places[1]] = other
    cards[state.shoe.dealt :] = reversed(cards[state.shoe.dealt :])
    shoe = replace(state.shoe, cards=tuple(cards))
    if state.rules.hole_card is HoleCard.NONE:
        return replace(game, round=replace(state, shoe=shoe))
    return replace(game, round=replace(state, dealer=(state.dealer[0], other), shoe=shoe))


def steps() -> Iterator[tuple[str, Game]]:
    """A table in every phase, step by step, the hole card down where cards lie."""
    table = Table(3, start=False)
    yield "lobby", table.game
    table.start()
    yield "betting", table.game
    table.bet("alice")
    yield "betting, one bet", table.game
    table.do(actions.TakeBack("alice", table.ask("alice")))
    table.open_shoe(
        lambda cards: points(cards[3:4]) == [11] and stiff_hands(cards) and points(cards[7:8])[0] < 10
    )
    for who in ("alice", "bob", "dave"):
        table.bet(who, 100, 10)
    yield "insurance", table.game
    table.answer("bob", "insure")
    yield "insurance, one insured", table.game
    table.answer("alice", "decline")
    table.answer("dave", "decline")
    yield "turns", table.game
    table.do(actions.OfferDraw("bob"))
    yield "turns, a draw offered", table.game
    table.answer("alice", "stand")
    yield "turns, after a stand", table.game
    table.do(actions.Expire())
    yield "turns, after the clock", table.game
    table.do(actions.Resign("alice"))
    yield "turns, after a resignation", table.game
    table.answer("dave", "hit")
    table.do(actions.Leave("dave"))
    yield "over", table.game


def live_steps() -> Iterator[tuple[str, Game]]:
    """An open table with a cut card, where people come and go."""
    table = Table(3, kind=Kind.OPEN, rules=PRESETS["casino8"])
    yield "open, before the first bet", table.game
    table.play_round()
    table.bet("alice", 100, 10)
    table.sit_out("bob")
    yield "open, second bets", table.game
    table.bet("dave", 50)
    yield "open, second round", table.game
    table.do(actions.Leave("bob"))
    yield "open, somebody left", table.game
    if table.game.phase is Phase.PLAYING:
        table.do(actions.Leave("dave"))
        yield "open, somebody left their cards", table.game
    table.finish_round()
    yield "open, third bets", table.game
    table.bet("alice", 10)
    table.do(actions.Void())
    yield "open, after a void round", table.game
    table.do(actions.Leave("alice"))
    table.do(actions.CloseGame())
    yield "open, nobody there", table.game


def box_steps() -> Iterator[tuple[str, Game]]:
    """An open table where Alice has three boxes, without a hole card."""
    table = Table(2, kind=Kind.OPEN, rules=PRESETS["classic6"], wanted=stiff_three)
    table.sit("alice", 4)
    table.sit("alice", 6)
    yield "boxes, before the first bet", table.game
    table.bet("alice", 300, box=4)
    table.bet("alice", 500, box=6)
    yield "boxes, two bets", table.game
    table.do(actions.Deal("alice"))
    yield "boxes, the rest sits out", table.game
    table.bet("bob", 50)
    yield "boxes, surrender", table.game
    table.do(actions.Expire())
    yield "boxes, a turn", table.game
    table.answer("bob", "stand")
    yield "boxes, another turn", table.game
    table.do(actions.Leave("alice", 6))
    yield "boxes, one given up", table.game


def solo_steps() -> Iterator[tuple[str, Game]]:
    """Alice alone."""
    table = Table(1, kind=Kind.SOLO, wanted=stiff)
    yield "solo, before the first bet", table.game
    table.bet("alice", 100, 10)
    yield "solo, a turn", table.game
    table.finish_round()
    yield "solo, second bets", table.game
    table.do(actions.NewGame("alice"))
    yield "solo, a new game", table.game
    several = Table(1, kind=Kind.SOLO, rules=PRESETS["classic6"], wanted=stiff)
    several.sit("alice", 2)
    several.bet("alice", 100, box=1)
    yield "solo, one of two boxes", several.game
    several.bet("alice", 100, box=2)
    yield "solo, two boxes", several.game
    several.do(actions.Leave("alice", 2))
    yield "solo, one of them given up", several.game


def stiff_hands(cards: tuple[Card, ...]) -> bool:
    values = points(cards)
    return all(12 <= values[box] + values[box + 4] <= 16 for box in range(3))


def test_nobody_in_particular_gets_the_public_view_alone() -> None:
    table = Table(2)
    table.deal_two()
    assert view_for(table.game, None).own is None
    for viewer in VIEWERS:
        assert view_for(table.game, viewer).public == view_for(table.game, None).public


STEPS = [*steps(), *live_steps(), *box_steps(), *solo_steps()]


def test_the_steps_lead_through_every_phase() -> None:
    assert [name for name, _ in STEPS][:8] == [
        "lobby", "betting", "betting, one bet", "insurance", "insurance, one insured", "turns",
        "turns, a draw offered", "turns, after a stand",
    ]  # fmt: skip


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(("step", "game"), STEPS, ids=[name for name, _ in STEPS])
def test_no_view_holds_a_seed_a_shoe_or_the_hole_card(step: str, game: Game, viewer: str | None) -> None:
    view = view_for(game, viewer)
    text = repr(view)
    for secret in secrets_of(game):
        assert secret not in text
    # Nothing but plain words: no engine object could carry a card along.
    for value in words(view):
        assert value is None or isinstance(value, str | int)
    if game.phase is Phase.PLAYING and game.round is not None:
        assert not game.round.hole_shown
        assert len(game.round.dealer_open) == 1
        open_cards = [card for box in game.round.boxes for hand in box.hands for card in hand.cards]
        open_cards += game.round.dealer_open
        assert sorted(shown_cards(view)) == sorted(map(str, open_cards))
        assert sorted(logged_cards(view)) == sorted(map(str, open_cards))


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    ("step", "game"), [(name, game) for name, game in STEPS if game.phase is Phase.PLAYING], ids=str
)
def test_tables_that_differ_under_the_table_alone_look_the_same(
    step: str, game: Game, viewer: str | None
) -> None:
    assert view_for(with_other_secrets(game), viewer) == view_for(game, viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_before_the_peek_nobody_can_tell_a_blackjack_from_none(viewer: str | None) -> None:
    insurance = [game for name, game in STEPS if name.startswith("insurance")]
    assert len(insurance) == 2
    for game in insurance:
        other = with_other_secrets(game, hole=(10,))
        assert view_for(other, viewer) == view_for(game, viewer)
        assert games.clock_window(other) == games.clock_window(game)


def test_the_commitment_is_shown_with_the_bets_and_the_seed_after_the_round() -> None:
    table = Table(2)
    shoe = view_for(table.game, None).public.shoe
    assert table.game.shoe is not None
    assert shoe is not None
    assert (shoe.commitment, shoe.spare_commitment) == (commitment(table.game.shoe.seed), None)
    table.bet("alice")
    table.bet("bob")
    table.finish_round()
    published = view_for(table.game, None).public.published
    assert published is not None
    assert commitment(bytes.fromhex(published.seed)) == published.commitment == shoe.commitment
    assert (published.number, published.spare, published.spare_commitment) == (1, None, None)


def test_the_finished_round_stays_on_the_felt_while_the_next_bets_are_open() -> None:
    table = Table(2)
    table.deal_two(dealer_blackjack)
    public = view_for(table.game, None).public
    assert (public.phase, public.round_number, public.shown_round) == ("betting", 3, 2)
    assert public.dealer is not None
    assert (public.dealer.blackjack, public.dealer.total) == (True, 21)
    assert [(seat.hands[0].result, seat.net) for seat in public.seats[:2]] == [("lose", -100)] * 2
    assert [line.kind for line in public.log if line.kind in ("hole_shown", "peeked_blackjack")] == [
        "peeked_blackjack",
        "hole_shown",
    ]


def test_a_card_keeps_its_id_and_no_two_share_one() -> None:
    table = Table(2)
    table.deal_two()
    before = view_for(table.game, None).public
    table.answer("alice", "stand")
    after = view_for(table.game, None).public

    def ids(public: PublicView) -> list[str]:
        assert public.dealer is not None
        hands = [card.id for seat in public.seats for hand in seat.hands for card in hand.cards]
        return hands + [card.id for card in public.dealer.cards]

    assert ids(before) == ids(after)
    assert len(set(ids(before))) == 6


def test_who_is_waited_for() -> None:
    table = Table(2)
    assert view_for(table.game, None).public.waiting_for == (1, 2)
    table.bet("alice")
    assert view_for(table.game, None).public.waiting_for == (2,)
    table.do(actions.TakeBack("alice", table.ask("alice")))
    table.deal_two()
    assert view_for(table.game, None).public.waiting_for == (1,)
    table.answer("alice", "stand")
    assert view_for(table.game, None).public.waiting_for == (2,)


def test_the_turn_and_its_buttons_are_the_players_own() -> None:
    table = Table(2)
    table.deal_two()
    alice, bob, mallory = (own_view(table.game, who) for who in ("alice", "bob", "mallory"))
    assert [ask.kind for ask in alice.asks] == ["turn"]
    assert (bob.asks, mallory.asks) == ((), ())
    assert enabled(alice) == {"hit", "stand", "double"}
    assert enabled(bob) == enabled(mallory) == set()
    assert {option.reason for option in bob.actions} == {"not_your_turn"}
    assert (mallory.seat, mallory.status, mallory.chips) == (None, "spectator", 0)


def enabled(own: OwnView) -> set[str]:
    return {option.action for option in own.actions if option.enabled}


def test_buttons_keep_their_slots_in_every_phase() -> None:
    slots = ("hit", "stand", "double", "split", "surrender", "insure", "even_money", "decline")
    for _, game in STEPS:
        for who in ("alice", "bob", "mallory"):
            assert tuple(option.action for option in own_view(game, who).actions) == slots


MOVES: dict[str, Callable[[int], actions.Move]] = {
    "hit": actions.Hit,
    "stand": actions.Stand,
    "double": actions.Double,
    "split": actions.Split,
    "surrender": actions.Surrender,
    "insure": actions.Insure,
    "even_money": actions.EvenMoney,
    "decline": actions.Decline,
}


def takes(game: Game, action: actions.TableAction) -> str | None:
    """None where the engine accepts the action, else its code."""
    try:
        games.apply(game, action, seed(1), seed(2))
    except EngineError as refused:
        return refused.code
    return None


@pytest.mark.parametrize("who", ["alice", "bob", "dave", "mallory"])
@pytest.mark.parametrize(("step", "game"), STEPS, ids=[name for name, _ in STEPS])
def test_a_button_is_enabled_exactly_when_the_engine_takes_it(step: str, game: Game, who: str) -> None:
    own = own_view(game, who)
    for ask in own.asks:
        named = {option.action: option for option in ask.options}
        for name, option in named.items():
            match name:
                case "bet":
                    action: actions.TableAction = actions.Bet(who, ask.ask, own.min_bet)
                case "take_back":
                    action = actions.TakeBack(who, ask.ask)
                case "sit_out":
                    action = actions.SitOut(who, ask.ask)
                case _:
                    action = actions.Answer(who, ask.ask, MOVES[name](ask.box))
            refusal = takes(game, action)
            assert (option.enabled, option.reason) == (refusal is None, refusal), name
    if own.asks and own.asks[0].kind != "bet":
        ask = own.asks[0]
        for option in own.actions:
            refusal = takes(game, actions.Answer(who, ask.ask, MOVES[option.action](ask.box)))
            assert (option.enabled, option.reason) == (refusal is None, refusal)
    commands = ways_of(game, who)
    commands["remove"] = [actions.Remove(who, 2)]
    for option in own.commands:
        assert option.enabled == (option.reason is None)
        if option.action in commands:
            taken = any(takes(game, action) is None for action in commands[option.action])
            assert option.enabled is taken, option.action


def test_sitting_out_twice_is_one_answer() -> None:
    table = Table(2)
    table.sit_out("alice")
    options = {option.action: option for option in own_view(table.game, "alice").asks[0].options}
    assert (options["sit_out"].enabled, options["sit_out"].reason) == (False, "already_sitting_out")
    assert table.refused(actions.SitOut("alice", table.ask("alice"))) == "already_sitting_out"


def test_every_disabled_button_says_why() -> None:
    for _, game in STEPS:
        for who in ("alice", "bob", "mallory"):
            own = own_view(game, who)
            asked = [option for ask in own.asks for option in ask.options]
            for option in (*own.actions, *own.commands, *asked):
                assert option.enabled == (option.reason is None)


def test_a_double_without_chips_is_shown_disabled_with_its_reason() -> None:
    table = Table(2)
    table.set_chips(alice=150)
    table.deal_two()
    double = next(option for option in own_view(table.game, "alice").actions if option.action == "double")
    assert (double.enabled, double.reason) == (False, "not_enough_chips")
    assert dict(double.params) == {"need": 100, "have": 50}


def test_insurance_names_its_price() -> None:
    table = Table(2)
    table.deal_two(ace_up, bets=(100, 50))
    prices = [
        next(
            option.amount for option in own_view(table.game, who).asks[0].options if option.action == "insure"
        )
        for who in ("alice", "bob")
    ]
    assert prices == [50, 25]


def test_chips_on_the_table_are_not_in_the_stack() -> None:
    table = Table(2)
    table.bet("alice", 100, 10)
    seat = view_for(table.game, None).public.seats[0]
    assert (seat.chips, seat.bet, seat.pair_bet) == (890, 100, 10)
    table.do(actions.TakeBack("alice", table.ask("alice")))
    table.deal_two()
    assert [seat.chips for seat in view_for(table.game, None).public.seats[:2]] == [900, 900]


def test_standings_count_chips_in_hand_and_on_the_table_alike() -> None:
    table = Table(2)
    table.deal_two()
    standings = view_for(table.game, None).public.standings
    assert [(line.chips, line.place) for line in standings] == [(1_000, 1), (1_000, 1)]


def test_the_result_names_the_winner_and_everybodys_place() -> None:
    table = Table(3)
    table.do(actions.Resign("bob"))
    table.do(actions.Leave("alice"))
    result = view_for(table.game, None).public.result
    assert result is not None
    assert (result.reason, result.winner, result.winner_name) == ("last_left", 3, "Dave")
    assert result.standings[0].name == "Dave"
    # Who has left is still named.
    assert {line.name for line in result.standings} == {"Alice", "Bob", "Dave"}


def test_whoever_takes_a_seat_after_a_match_is_not_shown_with_the_last_ones_cards() -> None:
    table = Table(2)
    table.deal_two(stiff)
    table.do(actions.Leave("bob"))
    table.do(actions.Sit("dave", 2, "Dave"))
    public = view_for(table.game, None).public
    assert (public.seats[1].name, public.seats[1].hands, public.seats[1].net) == ("Dave", (), None)
    assert public.seats[1].chips == 0
    named = {line.name for line in public.log if line.seat == 2}
    assert named == {"Bob"}


def test_a_hand_decided_before_its_seat_resigned_keeps_its_result() -> None:
    def third_has_blackjack(cards: tuple[Card, ...]) -> bool:
        values = points(cards)
        return (
            {values[2], values[6]} == {10, 11}
            and values[3] in (7, 8, 9)
            and 12 <= values[0] + values[4] <= 16
            and 12 <= values[1] + values[5] <= 16
        )

    table = Table(3)
    table.open_shoe(third_has_blackjack)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Resign("dave"))
    table.finish_round()
    seat = view_for(table.game, None).public.seats[2]
    assert (seat.hands[0].result, seat.hands[0].paid, seat.net) == ("blackjack", 250, 150)
    told = [line for line in view_for(table.game, None).public.log if line.kind == "settled"]
    assert ("blackjack", 150) in [(line.result, line.net) for line in told if line.seat == 3]


def test_the_hand_of_who_resigned_before_it_was_decided_pays_nothing() -> None:
    table = Table(3)
    table.open_shoe(stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.Resign("dave"))
    table.finish_round()
    seat = view_for(table.game, None).public.seats[2]
    assert (seat.hands[0].result, seat.hands[0].paid, seat.net) == ("resigned", 0, -100)
    told = [line for line in view_for(table.game, None).public.log if line.kind == "settled"]
    assert [(line.seat, line.result, line.paid, line.net) for line in told if line.seat == 3] == [
        (3, "resigned", 0, -100)
    ]
    assert all(line.result != "resigned" for line in told if line.seat != 3)


def test_stakes_of_a_round_that_was_broken_off_are_shown_as_returned() -> None:
    table = Table(2)
    table.deal_two()
    table.do(actions.Resign("bob"))
    alice, bob = view_for(table.game, None).public.seats[:2]
    assert (alice.hands[0].result, alice.net, alice.chips) == ("returned", 0, 1_000)
    assert (bob.hands[0].result, bob.net, bob.chips) == ("resigned", -100, 900)


def test_views_are_values_that_can_be_compared() -> None:
    table = Table(2)
    seen: list[Any] = [view_for(table.game, "alice"), view_for(table.game, "alice")]
    assert seen[0] == seen[1]
    assert hash(seen[0].public) == hash(seen[1].public)


def test_without_a_hole_card_no_card_lies_face_down() -> None:
    table = Table(2, rules=Rules.from_json({"hole_card": "none"}))
    table.deal_two(lambda cards: stiff(cards) and points(cards)[2] < 10)
    dealer = view_for(table.game, None).public.dealer
    assert dealer is not None
    assert len(dealer.cards) == 1


# Alone with basic strategy


@pytest.mark.parametrize("name", PRESETS)
def test_the_hint_is_a_move_that_may_be_made(name: str) -> None:
    table = Table(1, kind=Kind.SOLO, rules=PRESETS[name])
    for _ in range(25):
        table.bet("alice", table.game.rules.min_bet)
        while table.game.phase is Phase.PLAYING:
            own = own_view(table.game, "alice")
            if not own.hints:
                assert own.hint is None
                table.finish_round()
                continue
            assert own.hint in enabled(own)
            table.answer("alice", own.hint or "")
        assert own_view(table.game, "alice").hint is None


def test_openseat_has_hints() -> None:
    assert own_view(Table(1, kind=Kind.SOLO).game, "alice").hints


def test_nobody_but_the_player_alone_is_told_the_hint() -> None:
    for _, game in STEPS:
        for who in ("alice", "bob", "dave", "mallory"):
            own = own_view(game, who)
            if game.kind is not Kind.SOLO:
                assert (own.hint, own.hints) == (None, False)
            elif who != "alice":
                assert own.hint is None


def test_each_kind_of_table_says_what_it_is() -> None:
    kinds = {kind: view_for(Table(1, kind=kind, start=False).game, None).public for kind in Kind}
    assert {kind.value: public.kind for kind, public in kinds.items()} == {
        kind.value: kind.value for kind in Kind
    }
    assert [(public.phase, public.begun) for public in kinds.values()] == [
        ("lobby", False),
        ("betting", False),
        ("betting", False),
    ]


def test_who_has_left_keeps_a_line_in_the_standings_of_an_open_table() -> None:
    table = Table(3, kind=Kind.OPEN, wanted=stiff_three)
    table.play_round(100)
    held = table.purse("bob").chips
    table.do(actions.Leave("bob"))
    table.sit("erin", 2)
    lines = {line.name: line for line in view_for(table.game, None).public.standings}
    assert set(lines) == {"Alice", "Bob", "Dave", "Erin"}
    assert (lines["Bob"].seat, lines["Bob"].chips, lines["Bob"].status) == (0, held, "waiting")
    # Who only sat and left was never in the game.
    table.do(actions.Leave("erin"))
    assert {line.name for line in view_for(table.game, None).public.standings} == {"Alice", "Bob", "Dave"}
    own = own_view(table.game, "bob")
    assert (own.seat, own.status, own.chips) == (None, "spectator", held)


def test_who_takes_a_seat_at_an_open_table_is_not_shown_with_the_last_ones_cards() -> None:
    table = Table(2, kind=Kind.OPEN, wanted=stiff)
    table.play_round()
    table.do(actions.Leave("bob"))
    table.sit("dave", 2)
    public = view_for(table.game, None).public
    assert (public.seats[1].name, public.seats[1].hands, public.seats[1].net) == ("Dave", (), None)
    assert {line.name for line in public.log if line.seat == 2 and line.kind in ("card", "settled")} == {
        "Bob"
    }
    assert [(line.kind, line.name) for line in public.log[-2:]] == [("left", "Bob"), ("sat_down", "Dave")]


def test_after_the_last_round_of_a_day_the_log_still_names_who_played_it() -> None:
    table = Table(3, kind=Kind.OPEN, wanted=stiff_three)
    for who in ("alice", "bob", "dave"):
        table.bet(who)
    table.do(actions.EndWithShoe())
    table.do(actions.Leave("bob"))
    table.finish_round()
    assert table.game.number == 2
    public = view_for(table.game, None).public
    assert {line.name for line in public.log if line.seat == 2} == {"Bob"}
    assert [line.name for line in public.standings] == ["Alice", "Dave"]


def test_seats_at_an_open_table_show_free_places_up_to_its_boxes() -> None:
    for name, seats in (("casino8", 7), ("classic6", 7), ("openseat", 4)):
        game = Table(1, kind=Kind.OPEN, rules=PRESETS[name]).game
        assert len(view_for(game, None).public.seats) == seats
    assert len(view_for(Table(1, kind=Kind.SOLO).game, None).public.seats) == 1
    assert len(view_for(Table(1, rules=PRESETS["casino8"], start=False).game, None).public.seats) == 4
