"""What must hold over any sequence of actions, legal or not."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import actions, events
from engine import game as games
from engine.actions import Move, TableAction
from engine.bets import Behind, Result, SideBet, Stake
from engine.cards import DECK
from engine.dealer import draws
from engine.errors import EngineError, InvalidRules
from engine.game import (
    Game,
    GameOver,
    GameStarted,
    Kind,
    Phase,
    RoundFinished,
    ShoeFinished,
    Status,
    open_table,
)
from engine.hand import evaluate
from engine.notation import format_move
from engine.round import Round, apply, deal, legal_actions, open_stakes
from engine.rules import (
    BLACKJACK_ODDS,
    HoleCard,
    Insurance,
    OnFailure,
    OnTimeout,
    Rules,
    Shuffle,
    Surrender,
)
from engine.shoe import SealedShoe, Shoe
from engine.shown import AskView, View
from engine.table import match_stack
from engine.views import view_for
from tests.engine.tables import PEOPLE, seed, ways_of

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
    return sum(open_stakes(state).values())


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


def table_rules() -> st.SearchStrategy[Rules]:
    """Rules for a whole table: with a shoe for every round or a cut card, one box each or several."""
    return st.builds(
        _table_rules,
        rule_sets(),
        st.fixed_dictionaries(
            {
                "shuffle": st.sampled_from(list(Shuffle)),
                "cut_card": st.sampled_from([0.4, 0.5, 0.67, 0.9]),
                "decks": st.sampled_from([1, 2, 6]),
                "boxes": st.sampled_from([2, 4, 5, 7]),
                "boxes_per_player": st.sampled_from([1, 2, 7]),
                "starting_chips": st.sampled_from([60, 200, 1_000]),
                "on_failure": st.sampled_from(list(OnFailure)),
                "bet_seconds": st.sampled_from([None, 20]),
                "decision_seconds": st.sampled_from([None, 20]),
            }
        ),
        st.sampled_from([10, 50]),
    )


def _table_rules(rules: Rules, switches: dict[str, Any], least: int) -> Rules:
    hands = min(rules.max_hands, (340 * switches["decks"] - 26) // (30 * switches["boxes"]))
    if not hands:
        switches = {**switches, "decks": 2}
    return replace(rules, **switches, max_hands=max(1, hands), min_bet=least, bet_step=10)


class Watched:
    """A table of any kind, and a ledger of its own of what every purse must hold: `held` and `refills` follow
    from nothing but the stakes of the finished rounds."""

    def __init__(self, kind: Kind, people: int, rules: Rules) -> None:
        if kind is Kind.OPEN:
            rules = replace(rules, bet_seconds=20, decision_seconds=20)
        people = 1 if kind is Kind.SOLO else min(people, rules.boxes)
        self.people = PEOPLE[:people]
        self.taken: list[tuple[TableAction, bytes, bytes]] = []
        self.seeds = 0
        self.held: dict[str, int] = {}
        self.refills: dict[str, int] = {}
        self.finished: list[SealedShoe] = []
        self.seen: set[str] = set()
        self.game = open_table(rules, 10, "alice", "Alice", kind=kind, seed=seed(10**6), spare=seed(10**7))
        self.opened = self.game
        for number, who in enumerate(self.people[1:], start=2):
            self.take(actions.Sit(who, number, who.title()))
        if kind is Kind.MATCH:
            for who in self.people:
                self.take(actions.Ready(who))
            self.take(actions.Start("alice"))

    def take(self, action: TableAction) -> None:
        """Take an action that must be accepted."""
        self.seeds += 1
        fresh, spare = self.fresh(), seed(10**9 + self.seeds)
        before = self.game
        self.game, happened = games.apply(before, action, fresh, spare)
        self.taken.append((action, fresh, spare))
        for event in happened:
            match event:
                case GameStarted():
                    if self.game.kind is Kind.MATCH:
                        self.held, self.refills = {}, {}
                case RoundFinished():
                    self.enter(before, event)
                case ShoeFinished(shoe):
                    assert before.shoe is not None
                    assert (shoe.seed, shoe.spare) == (before.shoe.seed, before.shoe.spare)
                    self.finished.append(shoe)
                case GameOver(_, result, _):
                    self.seen.add(result.reason.value)
                    if self.game.kind is Kind.MATCH:
                        assert self.game.phase is Phase.OVER
                    else:
                        for place in result.places:
                            assert place.chips == self.held[place.stack]
                            assert place.refills == self.refills[place.stack]
                        self.held, self.refills = {}, {}
        self.seen |= {note.kind.value for note in self.game.notes}
        self.check_purses()

    def fresh(self) -> bytes:
        """The seed of a shoe that is opened now."""
        return seed(10**8 + self.seeds)

    def enter(self, before: Game, finished: RoundFinished) -> None:
        """Enter a finished round into the ledger, from its stakes alone."""
        record, state = finished.record, finished.round
        assert record.replay(before.rules) == state
        assert before.shoe is not None
        assert (record.shoe.seed, record.shoe.spare) == (before.shoe.seed, before.shoe.spare)
        resigned = {match_stack(before.rules, box) for box, _ in record.resigned}
        for stack, had in record.chips.items():
            assert state is not None
            assert had == self.held[stack]
            net = net_of(state, stack)
            if stack in resigned and not record.void:
                assert 0 <= finished.chips[stack] <= state.chips[stack]
                self.held[stack] = finished.chips[stack]
            elif not record.void:
                self.held[stack] += net
        if state is not None:
            check_ledger(state, record.chips)
        assert finished.chips == {stack: self.held[stack] for stack in finished.chips}

    def check_purses(self) -> None:
        rules = self.game.rules
        resigned = {seat.stack for seat in self.game.seats if seat.status is Status.RESIGNED}
        for purse in self.game.purses:
            self.held.setdefault(purse.stack, rules.starting_chips)
            self.refills.setdefault(purse.stack, 0)
            filled = self.game.kind is not Kind.MATCH or purse.stack.startswith("p")
            between = filled and self.game.phase is Phase.BETTING
            if between and self.held[purse.stack] < rules.min_bet:
                # What was left is dropped.
                self.held[purse.stack] = rules.starting_chips
                self.refills[purse.stack] += 1
            assert purse.chips >= 0
            if self.game.phase is not Phase.PLAYING or purse.stack not in resigned:
                assert (purse.chips, purse.refills) == (self.held[purse.stack], self.refills[purse.stack])
                assert purse.chips <= purse.highest

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
                    offered.append(actions.Answer(who, ask.ask, self.move(who, ask, option.action)))
        for option in own.commands:
            ways = ways_of(self.game, who).get(option.action, [])
            if option.enabled:
                assert not ways or any(accepted(self.game, one) for one in ways), option
                offered += [one for one in ways if accepted(self.game, one)]
            else:
                assert option.reason
                assert not any(accepted(self.game, one) for one in ways), option
        return offered

    def move(self, who: str, ask: AskView, verb: str) -> Move:
        backer = self.game.backer(who)
        if not ask.behind or backer is None:
            return MOVES[verb](ask.box)
        return MOVES_BEHIND[verb](ask.box, backer.stack)

    def somebody_plays_on(self, choose: random.Random) -> None:
        """Whoever is waited for answers, now and then with all they have."""
        betting = self.game.phase is Phase.BETTING
        waited = [
            seat
            for seat in self.game.seats_in
            if (betting and not seat.answered) or games.questions_of(self.game, seat)
        ]
        if not waited:
            return
        seat = choose.choice(waited)
        rules, free = self.game.rules, self.game.free_chips_of(seat)
        if self.game.phase is Phase.PLAYING:
            assert self.game.round is not None
            question = games.questions_of(self.game, seat)[0]
            legal = legal_actions(self.game.round)
            moves = [one for one in legal if box_of(one) == seat.number and not backer_of(one)]
            ask = games.ask_id(self.game, question.number)
            self.take(actions.Answer(seat.player, ask, self.pick(choose, moves)))
            return
        ask = games.ask_id(self.game, seat.ask)
        most = min(rules.max_bet, free) // rules.bet_step * rules.bet_step
        if most < rules.min_bet:
            # Another box of this player has it all.
            self.take(actions.SitOut(seat.player, ask))
            return
        amount = choose.choice((rules.min_bet, rules.min_bet, most))
        pair = rules.min_bet if choose.random() < 0.3 else 0
        if not self.attempt(actions.Bet(seat.player, ask, amount, pair)) and not self.attempt(
            actions.Bet(seat.player, ask, amount)
        ):
            # Others have bet behind this box, which may have one limit for all; its own is always left.
            self.take(actions.Bet(seat.player, ask, rules.min_bet))

    def pick(self, choose: random.Random, moves: Sequence[Move]) -> Move:
        """The move that somebody makes."""
        return choose.choice(moves)

    def check(self) -> None:
        """What holds at every moment."""
        self.chips_are_whole_and_never_negative()
        self.nobody_holds_more_seats_than_the_rules_say()
        view = view_for(self.game, "alice")
        self.somebody_is_waited_for_while_cards_lie(view)
        self.no_seed_of_a_shoe_in_use_is_to_be_seen(view)
        self.a_countdown_for_bets_runs_only_where_a_bet_lies()

    def chips_are_whole_and_never_negative(self) -> None:
        for seat in self.game.seats:
            assert self.game.chips_of(seat) >= 0
            assert self.game.free_chips_of(seat) >= 0 or self.game.phase is Phase.PLAYING
        if self.game.phase is Phase.PLAYING and self.game.round is not None:
            assert all(held >= 0 for held in self.game.round.chips.values())

    def nobody_holds_more_seats_than_the_rules_say(self) -> None:
        numbers = [seat.number for seat in self.game.seats]
        assert len(set(numbers)) == len(numbers) <= self.game.seat_limit
        for seat in self.game.seats:
            assert len(self.game.seats_of(seat.player)) <= self.game.seats_a_player
        # Who has fallen out of a match has another purse to bet behind those who play.
        match = self.game.kind is Kind.MATCH
        holders = [(purse.player, match and purse.stack.startswith("p")) for purse in self.game.purses]
        assert len(set(holders)) == len(holders)
        if self.game.kind is not Kind.MATCH and self.game.phase is Phase.BETTING:
            assert not any(seat.gone for seat in self.game.seats)
        if self.game.kind is Kind.SOLO:
            assert {seat.player for seat in self.game.seats} == {"alice"}

    def somebody_is_waited_for_while_cards_lie(self, view: View) -> None:
        waited = view.public.waiting_for or view.public.backers_decide
        if self.game.kind is Kind.MATCH:
            assert bool(waited) is self.game.in_match
        elif self.game.phase is Phase.PLAYING:
            assert waited

    def no_seed_of_a_shoe_in_use_is_to_be_seen(self, view: View) -> None:
        shoe = self.game.shoe
        assert (shoe is None) is not self.game.in_match
        if shoe is not None:
            assert shoe.seed not in [one.seed for one in self.finished]
            text = repr(view)
            for secret in (shoe.seed, shoe.spare):
                assert secret is None or secret.hex() not in text
        assert self.game.published in (None, *self.finished)

    def a_countdown_for_bets_runs_only_where_a_bet_lies(self) -> None:
        window, seconds = games.clock_window(self.game)
        if self.game.kind is not Kind.MATCH and self.game.phase is Phase.BETTING:
            assert (window is not None) is any(seat.bet for seat in self.game.seats)
            assert window is not None or seconds is None

    def check_again(self) -> None:
        """The same actions with the same seeds give the same game."""
        again = self.opened
        for action, fresh, spare in self.taken:
            again, _ = games.apply(again, action, fresh, spare)
        assert again == self.game


class TableMachine(RuleBasedStateMachine):
    """A table where people do what they may and what they may not."""

    @initialize(kind=st.sampled_from(list(Kind)), people=st.integers(2, 4), rules=table_rules())
    def open(self, kind: Kind, people: int, rules: Rules) -> None:
        self.table = Watched(kind, people, rules)

    @rule(data=st.data())
    def somebody_does_what_the_page_offers(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(PEOPLE))
        offered = self.table.own(who)
        # Ending it all is always on offer; most of the time people play.
        ending = (actions.Leave, actions.Resign, actions.AcceptDraw, actions.NewGame)
        playing: list[TableAction] = [one for one in offered if not isinstance(one, ending)]
        mostly = data.draw(st.integers(0, 9)) > 0
        if playing and mostly:
            offered = playing
        if offered:
            self.table.take(data.draw(st.sampled_from(offered)))

    @rule(data=st.data())
    def everybody_answers_what_is_asked(self, data: st.DataObject) -> None:
        for who in self.table.people:
            own = view_for(self.table.game, who).own
            assert own is not None
            answers = [one for one in self.table.own(who) if isinstance(one, actions.Answer | actions.Bet)]
            if answers and not (self.table.game.phase is Phase.BETTING and own.bet):
                self.table.take(data.draw(st.sampled_from(answers)))

    @rule(number=st.integers(0, 2**32), steps=st.integers(5, 40))
    def a_while_goes_by(self, number: int, steps: int) -> None:
        choose = random.Random(number)
        for _ in range(steps):
            self.table.somebody_plays_on(choose)

    @precondition(lambda self: self.table.game.phase in (Phase.OVER, Phase.LOBBY))
    @rule(host=st.booleans())
    def they_play_again(self, host: bool) -> None:
        if host and self.table.game.host and self.table.game.phase is Phase.OVER:
            self.table.attempt(actions.BackToLobby(self.table.game.host))
        for seat in self.table.game.seats:
            self.table.take(actions.Ready(seat.player))
        if self.table.game.host:
            assert self.table.attempt(actions.Start(self.table.game.host)) is (len(self.table.game.seats) > 1)

    @rule(who=st.sampled_from((*PEOPLE, "mallory")), number=st.integers(-5, 600), ask=st.integers(0, 60))
    def somebody_bets_anything(self, who: str, number: int, ask: int) -> None:
        game = self.table.game
        self.table.attempt(actions.Bet(who, f"{game.round_number}.{ask}", number))
        for seat in game.seats_of(who):
            self.table.attempt(actions.Bet(who, games.ask_id(game, seat.ask), number, max(0, number // 3)))

    @rule(data=st.data(), who=st.sampled_from((*PEOPLE, "mallory")))
    def somebody_answers_anything(self, data: st.DataObject, who: str) -> None:
        numbers = [q.number for q in self.table.game.round.questions] if self.table.game.round else []
        ask = games.ask_id(self.table.game, data.draw(st.sampled_from([*numbers, 0])))
        move = data.draw(st.sampled_from(list(MOVES.values())))(data.draw(st.integers(1, 7)))
        answer = actions.Answer(who, ask, move)
        fair = answer in self.table.own(who)
        assert self.table.attempt(answer) is fair

    @rule(data=st.data())
    def somebody_sends_an_old_click_again(self, data: st.DataObject) -> None:
        clicks = (actions.Bet, actions.Answer, actions.SitOut)
        old = [one for one, *_ in self.table.taken if isinstance(one, clicks)]
        if old:
            assert not self.table.attempt(data.draw(st.sampled_from(old)))

    @rule(who=st.sampled_from((*PEOPLE, "mallory")), seat=st.integers(0, 8))
    def somebody_sits_leaves_or_waits_no_longer(self, who: str, seat: int) -> None:
        self.table.attempt(actions.StopWaiting(who, seat))
        self.table.attempt(actions.ComeBack(who))
        if who != "mallory" and self.table.attempt(actions.Sit(who, seat, who)):
            assert self.table.game.phase is not Phase.PLAYING
        if self.table.game.kind is not Kind.MATCH and seat > 5:
            self.table.attempt(actions.Leave(who, seat - 5))

    @precondition(lambda self: self.table.game.in_match)
    @rule()
    def the_clock_runs_out(self) -> None:
        _, seconds = games.clock_window(self.table.game)
        assert self.table.attempt(actions.Expire()) is (seconds is not None)

    @rule(failure=st.booleans())
    def the_round_is_void(self, failure: bool) -> None:
        playing = self.table.game.phase is Phase.PLAYING
        assert self.table.attempt(actions.Void(failure)) is playing
        if playing and self.table.game.record and self.table.game.in_match:
            assert self.table.game.record.void
            assert self.table.game.shoe is not None
            assert self.table.game.shoe.dealt == 0

    @rule(what=st.sampled_from([actions.CloseGame(), actions.EndWithShoe(), actions.Abandon()]))
    def time_goes_by(self, what: TableAction) -> None:
        game = self.table.game
        if self.table.attempt(what):
            match what:
                case actions.CloseGame():
                    assert (game.kind, game.seats) == (Kind.OPEN, ())
                case actions.EndWithShoe():
                    assert (game.kind, self.table.game.number) == (Kind.OPEN, game.number)
                case _:
                    assert game.kind is not Kind.OPEN

    @precondition(lambda self: self.table.game.in_match)
    @rule()
    def a_refused_action_moves_no_clock(self) -> None:
        window = games.clock_window(self.table.game)
        self.table.attempt(actions.Start("alice"))
        self.table.attempt(actions.Bet("mallory", "1.1", 10))
        assert games.clock_window(self.table.game) == window

    @precondition(lambda self: self.table.game.phase is Phase.PLAYING)
    @rule()
    def the_running_round_follows_from_its_record(self) -> None:
        game = self.table.game
        assert game.record is not None
        assert game.round is not None
        assert replace(game.record, moves=game.round.moves).replay(game.rules) == game.round

    @invariant()
    def all_is_well(self) -> None:
        self.table.check()

    def teardown(self) -> None:
        if table := getattr(self, "table", None):
            table.check_again()


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


MOVES_BEHIND: dict[str, Callable[[int, str], Move]] = {
    "insure": actions.Insure,
    "even_money": actions.EvenMoney,
    "decline": actions.Decline,
    "follow": actions.Follow,
    "pass": actions.Pass,
}


def box_of(move: Move) -> int:
    assert not isinstance(move, actions.Expire)
    return move.box


def backer_of(move: Move) -> str | None:
    name: str | None = getattr(move, "backer", None)
    return name


def accepted(game: Game, action: TableAction) -> bool:
    try:
        games.apply(game, action, seed(1), seed(2))
    except EngineError:
        return False
    return True


def net_of(state: Round, stack: str) -> int:
    """What a round brought a stack: all that was paid for its stakes and side bets, less these. What is still
    open brings nothing."""
    bets: list[Stake | SideBet | None] = []
    for box in state.boxes:
        bets += [stake for hand in box.hands for stake in hand.stakes if stake.stack == stack]
        if box.stack == stack:
            bets += [box.insurance, box.pair]
        for backer in box.backers:
            if backer.stack == stack:
                bets += [backer.insurance, backer.pair]
    return sum(bet.paid - bet.bet for bet in bets if bet is not None and bet.paid is not None)


def check_ledger(state: Round, held: Mapping[str, int]) -> None:
    assert sum(state.chips.values()) + on_table(state) + bank(state) == sum(held.values())


TestTable = TableMachine.TestCase


# Long evenings


def any_table(number: int) -> tuple[Watched, random.Random]:
    """A table whose kind and rules follow from a number, its shoe often a short one."""
    choose = random.Random(number)
    kind = (Kind.OPEN, Kind.SOLO, Kind.MATCH)[number % 3]
    rules = replace(
        Rules(),
        decks=choose.choice((1, 1, 2)),
        boxes=5,
        boxes_per_player=choose.choice((1, 5, 5)),
        max_hands=2,
        shuffle=choose.choice((Shuffle.CUT_CARD, Shuffle.CUT_CARD, Shuffle.EVERY_ROUND)),
        cut_card=choose.choice((0.5, 0.9, 0.9)),
        starting_chips=choose.choice((100, 400, 1_000)),
        surrender=choose.choice(list(Surrender)),
        hole_card=choose.choice(list(HoleCard)),
        insurance=choose.choice(list(Insurance)),
        on_timeout=choose.choice(list(OnTimeout)),
    )
    table = Watched(kind, 4, rules)
    while kind is not Kind.MATCH and choose.random() < 0.8:
        table.attempt(actions.Sit(choose.choice(PEOPLE[:2]), choose.randint(1, 5), "Guest"))
    return table, choose


def something_else(table: Watched, choose: random.Random) -> TableAction:
    """What happens beside betting and playing."""
    who, seat = choose.choice(PEOPLE), choose.randint(1, 5)
    return choose.choice(
        (
            actions.Sit(who, seat, who),
            actions.Sit(who, seat, who),
            actions.Leave(who, seat) if table.game.kind is not Kind.MATCH else actions.StopWaiting(who, seat),
            actions.Deal(who),
            actions.Expire(),
            actions.Expire(),
            actions.Void(choose.random() < 0.5) if choose.random() < 0.5 else actions.Expire(),
            actions.NewGame(who) if choose.random() < 0.2 else actions.Deal(who),
            actions.EndWithShoe() if choose.random() < 0.3 else actions.Deal(who),
            actions.CloseGame(),
            actions.OfferDraw(who),
            actions.ComeBack(who),
        )
    )


def go_on(table: Watched, choose: random.Random, odd: float) -> None:
    """With the chance `odd` somebody tries something, else what comes next is done."""
    if choose.random() < odd:
        table.attempt(something_else(table, choose))
    elif table.game.phase in (Phase.OVER, Phase.LOBBY):
        for seat in table.game.seats:
            table.take(actions.Ready(seat.player))
        assert table.game.host is not None
        table.take(actions.Start(table.game.host))
    else:
        table.somebody_plays_on(choose)


def an_evening(number: int, steps: int = 150) -> Watched:
    table, choose = any_table(number)
    for _ in range(steps):
        go_on(table, choose, 0.25)
        table.check()
    table.check_again()
    return table


def test_long_evenings_at_every_kind_of_table_keep_every_chip_and_every_secret() -> None:
    seen: set[str] = set()
    for number in range(24):
        seen |= an_evening(number).seen
    # They lead through everything that can happen.
    assert seen >= {
        "sat_down", "left", "idle", "sat_out", "refilled", "cut_card", "discards", "void_failure",
        "void_staff", "eliminated", "draw_offered", "stopped_waiting", "last_left", "new_game", "day_over",
    }  # fmt: skip
