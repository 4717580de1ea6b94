"""What must hold over any sequence of actions, legal or not."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import actions, events
from engine import game as games
from engine.actions import Move, TableAction
from engine.bets import Behind, Result
from engine.cards import DECK
from engine.dealer import draws
from engine.errors import EngineError, InvalidRules
from engine.game import Game, GameOver, Phase, RoundFinished, open_table
from engine.hand import evaluate
from engine.notation import format_move
from engine.record import Record
from engine.round import Round, apply, deal, legal_actions
from engine.rules import BLACKJACK_ODDS, Rules
from engine.shoe import Shoe
from engine.views import view_for
from tests.engine.tables import PEOPLE, seed

# One round


def rule_sets() -> st.SearchStrategy[Rules]:
    """Every switch that acts in a round, at random."""
    return st.builds(
        _rules,
        st.fixed_dictionaries(
            {
                "hole_card": st.sampled_from(["peek", "none"]),
                "soft_17": st.sampled_from(["stand", "hit"]),
                "blackjack_pays": st.sampled_from(["3:2", "6:5", "1:1"]),
                "double_on": st.sampled_from(["any", "9-11", "10-11", "no_aces"]),
                "double_after_split": st.booleans(),
                "split_by": st.sampled_from(["value", "rank"]),
                "max_hands": st.integers(1, 4),
                "split_aces": st.booleans(),
                "resplit_aces": st.booleans(),
                "surrender": st.sampled_from(["none", "any", "not_ace_ten"]),
                "surrender_until": st.sampled_from(["own_action", "first_draw"]),
                "insurance": st.sampled_from(["half", "up_to_half", "none"]),
                "even_money": st.sampled_from(["insurance", "ace", "ace_or_ten"]),
                "charlie": st.sampled_from([None, 5, 6, 7]),
                "box_limit": st.sampled_from(["each", "shared"]),
                "on_timeout": st.sampled_from(["stand", "hit_to_12"]),
                "pair_pays": st.sampled_from(["11:1", "15:2"]),
            }
        ),
    )


def _rules(switches: dict[str, Any]) -> Rules:
    return Rules.from_json(
        {**switches, "boxes_per_player": 4, "players_may_back": True, "min_bet": 1, "bet_step": 1}
    )


# Decks rich in aces, pairs and tens lead into the corners sooner.
SHOES = st.tuples(
    st.sampled_from(["A23456789TJQK", "AAT88K", "A25", "TJQKA", "2345A", "T6A5"]), st.integers()
).map(lambda drawn: _shoe(*drawn))


def _shoe(ranks: str, number: int) -> Shoe:
    cards = [card for card in DECK if card.rank.symbol in ranks]
    return Shoe(tuple(random.Random(number).choices(cards, k=200)))


def on_table(state: Round) -> int:
    """Chips that lie on the table undecided, counted from the stakes and side bets themselves."""
    stacks = {box.stack for box in state.boxes} | {b.stack for box in state.boxes for b in box.backers}
    return sum(games.open_stakes(state, stack) for stack in stacks)


def bank(state: Round) -> int:
    """What the bank has won, from the events alone: every stake laid and every chip paid."""
    won = 0
    for event in state.events:
        match event:
            case events.PairSettled() | events.InsuranceSettled() | events.StakeSettled():
                won += event.bet - event.paid
            case _:
                pass
    return won


def check_round(state: Round, chips: Mapping[str, int]) -> None:
    """What holds at every step of a round."""
    assert all(held >= 0 for held in state.chips.values())
    assert sum(state.chips.values()) + on_table(state) + bank(state) == sum(chips.values())
    assert state.drawn == state.shoe.dealt
    places = [at for box in state.boxes for hand in box.hands for at in hand.places] + list(
        state.dealer_places
    )
    assert sorted(places) == list(range(state.drawn))
    for box in state.boxes:
        assert len(box.hands) <= state.rules.max_hands
        for hand in box.hands:
            if hand.value.total > 21:
                assert all(stake.result is Result.BUST for stake in hand.stakes)
            if hand.split_ace:
                assert len(hand.cards) <= 2
    assert state.settled == (not state.questions)
    if state.settled:
        assert not on_table(state)
        assert state.hole_shown
        if draws(state.rules, state.dealer):
            # The dealer may stop short only where nothing that is not a blackjack or insurance was open.
            for box in state.boxes:
                for hand in box.hands:
                    for stake in hand.stakes:
                        assert hand.natural or stake.result in (
                            Result.BUST,
                            Result.SURRENDER,
                            Result.CHARLIE,
                            Result.EVEN_MONEY,
                        )
        total = evaluate(state.dealer).total
        last = evaluate(state.dealer[:-1]) if len(state.dealer) > 2 else None
        assert last is None or draws(state.rules, state.dealer[:-1]), f"drew past {last} to {total}"


@st.composite
def layouts(draw: st.DrawFn) -> tuple[Round, dict[str, int]]:
    rules = draw(rule_sets())
    amounts = st.integers(1, 60)
    bets = draw(st.dictionaries(st.integers(1, 4), amounts, min_size=1))
    pairs = draw(st.dictionaries(st.sampled_from(sorted(bets)), st.integers(1, 20)))
    stacks = {box: "ann" for box in bets if draw(st.booleans())}
    behind = []
    for box in bets:
        for backer in ("carol", "eve", "ann"):
            if draw(st.booleans()) and stacks.get(box) != backer:
                bet = draw(st.integers(0, 60))
                pair = draw(st.integers(0 if bet else 1, 20))
                behind.append(Behind(backer, box, bet, pair))
    names = {stacks.get(box, str(box)) for box in bets} | {laid.backer for laid in behind}
    chips = {name: draw(st.integers(60, 700)) for name in sorted(names)}
    try:
        state = deal(rules, draw(SHOES), bets, chips=chips, pairs=pairs, behind=behind, stacks=stacks)
    except EngineError:
        assume(False)
        raise
    return state, chips


def every_move(state: Round) -> list[Move]:
    """All moves that anybody could think of."""
    names = (None, "carol", "eve", "ann", "mallory")
    moves: list[Move] = []
    for box in range(1, 6):
        moves += [
            kind(box)
            for kind in (actions.Hit, actions.Stand, actions.Double, actions.Split, actions.Surrender)
        ]
        for name in names:
            moves += [actions.Insure(box, name), actions.Decline(box, name), actions.EvenMoney(box, name)]
            if name:
                moves += [actions.Follow(box, name), actions.Pass(box, name)]
    return moves


@given(layouts(), st.data())
@settings(max_examples=150)
def test_any_round_keeps_every_chip_and_ends(
    layout: tuple[Round, dict[str, int]], data: st.DataObject
) -> None:
    state, chips = layout
    start = state
    check_round(state, chips)
    choose = random.Random(data.draw(st.integers()))
    while not state.settled:
        legal = set(legal_actions(state))
        assert legal
        accepted = set()
        for move in every_move(state):
            try:
                apply(state, move)
            except EngineError:
                continue
            accepted.add(move)
        assert accepted == legal
        if choose.random() < 0.1:
            before = state
            state = apply(state, actions.Expire())
            assert not set(before.questions) & set(state.questions)
            # The clock spends no chip.
            for stack, held in state.chips.items():
                assert held >= before.chips[stack]
        else:
            move = choose.choice(sorted(legal, key=format_move))
            if isinstance(move, actions.Insure) and state.rules.insurance.value == "up_to_half":
                move = replace(move, amount=1)
            state = apply(state, move)
        check_round(state, chips)
    # State after n moves is the same whichever way one comes to it.
    again = start
    for move in state.moves:
        again = apply(again, move)
    assert again == state
    with pytest.raises(EngineError):
        apply(state, actions.Expire())


@given(layouts())
def test_the_clock_alone_plays_any_round_to_its_end(layout: tuple[Round, dict[str, int]]) -> None:
    state, chips = layout
    steps = 0
    while not state.settled:
        state = apply(state, actions.Expire())
        steps += 1
        assert steps < 40
    check_round(state, chips)
    assert all(len(box.hands) == 1 and not box.insurance for box in state.boxes)


@given(st.data())
def test_rules_at_random_are_read_or_refused(data: st.DataObject) -> None:
    changes = data.draw(
        st.dictionaries(st.sampled_from(list(Rules().to_json())), st.integers() | st.text() | st.none())
    )
    try:
        rules = Rules.from_json(changes)
    except InvalidRules:
        return
    assert Rules.from_json(rules.to_json()) == rules
    assert rules.blackjack_pays in BLACKJACK_ODDS


# A whole table

TABLE_RULES: tuple[dict[str, Any], ...] = (
    {},
    {"surrender": "any", "surrender_until": "first_draw", "hole_card": "none", "even_money": "ace_or_ten"},
    {"starting_chips": 60, "on_timeout": "hit_to_12", "insurance": "up_to_half", "resplit_aces": True},
    {"starting_chips": 200, "charlie": 5, "even_money": "ace", "min_bet": 50, "decision_seconds": None},
)


class TableMachine(RuleBasedStateMachine):
    """A table where people do what they may and what they may not."""

    def __init__(self) -> None:
        super().__init__()
        self.game: Game
        self.taken: list[tuple[TableAction, bytes]] = []
        self.seeds = 0
        self.bank = 0
        self.used_asks: set[str] = set()

    @initialize(people=st.integers(2, 4), switches=st.sampled_from(TABLE_RULES))
    def open(self, people: int, switches: dict[str, Any]) -> None:
        self.people = PEOPLE[:people]
        self.game = self.opened = open_table(Rules.from_json(switches), 10, "alice", "Alice")
        for number, who in enumerate(self.people[1:], start=2):
            self.take(actions.Sit(who, number, who.title()))
        for who in self.people:
            self.take(actions.Ready(who))
        self.take(actions.Start("alice"))

    def take(self, action: TableAction) -> None:
        """Take an action that must be accepted."""
        self.seeds += 1
        fresh = seed(self.seeds)
        before = self.game
        self.game, happened = games.apply(before, action, fresh)
        self.taken.append((action, fresh))
        for event in happened:
            match event:
                case RoundFinished(record, state, chips):
                    assert record.replay(before.rules) == state
                    assert record.seed == before.seed
                    if state is not None:
                        check_finished(before, state, record, chips)
                    else:
                        assert chips == {seat.number: seat.chips for seat in before.seats}
                case GameOver():
                    assert self.game.phase is Phase.OVER
                case _:
                    pass

    def attempt(self, action: TableAction) -> bool:
        """Try an action; refused, it must have changed nothing."""
        before = self.game
        told = view_for(before, "alice")
        try:
            self.take(action)
        except EngineError:
            assert self.game is before
            assert view_for(before, "alice") == told
            return False
        return True

    def own(self, who: str) -> list[TableAction]:
        """All that this person's page offers as enabled."""
        own = view_for(self.game, who).own
        assert own is not None
        offered: list[TableAction] = []
        for ask in own.asks:
            for option in ask.options:
                if not option.enabled:
                    continue
                if option.action == "bet":
                    offered.append(actions.Bet(who, ask.ask, own.min_bet))
                elif option.action == "take_back":
                    offered.append(actions.TakeBack(who, ask.ask))
                elif option.action == "sit_out":
                    offered.append(actions.SitOut(who, ask.ask))
                else:
                    offered.append(actions.Answer(who, ask.ask, MOVES[option.action](ask.box)))
        offer = self.game.offer.id if self.game.offer else ""
        commands: dict[str, TableAction] = {
            "leave": actions.Leave(who),
            "ready": actions.Ready(who),
            "start": actions.Start(who),
            "configure": actions.Configure(who, self.game.rules, self.game.rounds),
            "back_to_lobby": actions.BackToLobby(who),
            "resign": actions.Resign(who),
            "offer_draw": actions.OfferDraw(who),
            "accept_draw": actions.AcceptDraw(who, offer),
            "refuse_draw": actions.RefuseDraw(who, offer),
        }
        for option in own.commands:
            if option.action in commands:
                if option.enabled:
                    offered.append(commands[option.action])
                else:
                    assert option.reason
                    assert not accepted(self.game, commands[option.action]), option
        return offered

    @rule(data=st.data())
    def somebody_does_what_the_page_offers(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(self.people))
        offered = self.own(who)
        # Ending it all is always on offer; most of the time people play.
        playing: list[TableAction] = [
            one for one in offered if not isinstance(one, actions.Leave | actions.Resign | actions.AcceptDraw)
        ]
        mostly = data.draw(st.integers(0, 19)) > 0
        if playing and mostly:
            offered = playing
        if offered:
            self.take(data.draw(st.sampled_from(offered)))

    @rule(data=st.data())
    def everybody_answers_what_is_asked(self, data: st.DataObject) -> None:
        for who in self.people:
            own = view_for(self.game, who).own
            assert own is not None
            answers = [one for one in self.own(who) if isinstance(one, actions.Answer | actions.Bet)]
            if answers and not (self.game.phase is Phase.BETTING and own.bet):
                self.take(data.draw(st.sampled_from(answers)))

    @rule(number=st.integers(0, 2**32), steps=st.integers(5, 25))
    def a_while_goes_by(self, number: int, steps: int) -> None:
        """Whoever is waited for answers, now and then with all they have."""
        choose = random.Random(number)
        for _ in range(steps):
            waited = view_for(self.game, None).public.waiting_for
            if not waited:
                return
            seat = self.game.seat(choose.choice(waited))
            assert seat is not None
            answers = [a for a in self.own(seat.player) if isinstance(a, actions.Answer | actions.Bet)]
            action = choose.choice(answers)
            if isinstance(action, actions.Bet):
                rules = self.game.rules
                most = min(rules.max_bet, seat.chips) // rules.bet_step * rules.bet_step
                amount = choose.choice((rules.min_bet, most, most))
                pair = rules.min_bet if seat.chips - amount >= rules.min_bet and choose.random() < 0.5 else 0
                action = replace(action, amount=amount, pair=pair if pair * 5 <= rules.max_bet else 0)
            self.take(action)

    @precondition(lambda self: self.game.phase in (Phase.OVER, Phase.LOBBY))
    @rule(host=st.booleans())
    def they_play_again(self, host: bool) -> None:
        if host and self.game.host and self.game.phase is Phase.OVER:
            self.attempt(actions.BackToLobby(self.game.host))
        for seat in self.game.seats:
            self.take(actions.Ready(seat.player))
        if self.game.host:
            assert self.attempt(actions.Start(self.game.host)) is (len(self.game.seats) > 1)

    @rule(who=st.sampled_from((*PEOPLE, "mallory")), number=st.integers(-5, 600), ask=st.integers(0, 60))
    def somebody_bets_anything(self, who: str, number: int, ask: int) -> None:
        seat = self.game.seat_of(who)
        self.attempt(actions.Bet(who, f"{self.game.round_number}.{ask}", number))
        if seat is not None:
            self.attempt(actions.Bet(who, games.ask_id(self.game, seat.ask), number, max(0, number // 3)))

    @rule(data=st.data(), who=st.sampled_from((*PEOPLE, "mallory")))
    def somebody_answers_anything(self, data: st.DataObject, who: str) -> None:
        numbers = [q.number for q in self.game.round.questions] if self.game.round else []
        ask = games.ask_id(self.game, data.draw(st.sampled_from([*numbers, 0])))
        move = data.draw(st.sampled_from(list(MOVES.values())))(data.draw(st.integers(1, 4)))
        fair = any(
            isinstance(one, actions.Answer) and (one.ask, one.move) == (ask, move)
            for one in (self.own(who) if who in self.people else [])
        )
        assert self.attempt(actions.Answer(who, ask, move)) is fair

    @rule(data=st.data())
    def somebody_sends_an_old_click_again(self, data: st.DataObject) -> None:
        old = [one for one, _ in self.taken if isinstance(one, actions.Bet | actions.Answer | actions.SitOut)]
        if old:
            assert not self.attempt(data.draw(st.sampled_from(old)))

    @rule(who=st.sampled_from((*PEOPLE, "mallory")), seat=st.integers(0, 5))
    def somebody_sits_removes_or_waits_no_longer(self, who: str, seat: int) -> None:
        self.attempt(actions.StopWaiting(who, seat))
        self.attempt(actions.ComeBack(who))
        if self.game.phase is Phase.OVER:
            self.attempt(actions.Sit(who, seat, who))

    @precondition(lambda self: self.game.in_match)
    @rule()
    def the_clock_runs_out(self) -> None:
        _, seconds = games.clock_window(self.game)
        assert self.attempt(actions.Expire()) is (seconds is not None)

    @precondition(lambda self: self.game.phase is not Phase.OVER and self.game.phase is not Phase.LOBBY)
    @rule()
    def a_refused_action_moves_no_clock(self) -> None:
        window = games.clock_window(self.game)
        self.attempt(actions.Start("alice"))
        self.attempt(actions.Bet("mallory", "1.1", 10))
        assert games.clock_window(self.game) == window

    @invariant()
    def chips_are_whole_and_never_negative(self) -> None:
        for seat in self.game.seats:
            assert seat.chips >= 0
            assert seat.bet + seat.pair <= seat.chips or self.game.phase is Phase.PLAYING

    @invariant()
    def a_match_has_an_end_or_somebody_to_wait_for(self) -> None:
        waited = view_for(self.game, None).public.waiting_for
        assert bool(waited) is self.game.in_match

    def teardown(self) -> None:
        # The same actions with the same seeds give the same game.
        again = getattr(self, "opened", None)
        if again is None:
            return
        for action, fresh in self.taken:
            again, _ = games.apply(again, action, fresh)
        assert again == self.game


MOVES: dict[str, Callable[[int], Move]] = {
    "hit": actions.Hit,
    "stand": actions.Stand,
    "double": actions.Double,
    "split": actions.Split,
    "surrender": actions.Surrender,
    "insure": actions.Insure,
    "even_money": actions.EvenMoney,
    "decline": actions.Decline,
}


def accepted(game: Game, action: TableAction) -> bool:
    try:
        games.apply(game, action, seed(1))
    except EngineError:
        return False
    return True


def check_finished(before: Game, state: Round, record: Record, chips: Mapping[int, int]) -> None:
    """Each seat has what the round's bets say; the round's own ledger is whole."""
    check_ledger(state, record.chips)
    gone = {number for number, _ in record.resigned}
    for number in map(int, record.chips):
        back = games.open_stakes(state, str(number)) if record.broken_off else 0
        if number in gone:
            assert 0 <= chips[number] <= state.chips[str(number)]
        else:
            assert chips[number] == state.chips[str(number)] + back
    for seat in before.seats:
        if seat.stack not in record.chips:
            assert chips[seat.number] == seat.chips


def check_ledger(state: Round, held: Mapping[str, int]) -> None:
    assert sum(state.chips.values()) + on_table(state) + bank(state) == sum(held.values())


TestTable = TableMachine.TestCase
