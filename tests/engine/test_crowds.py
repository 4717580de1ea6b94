"""What must hold over any sequence of actions of people who bet behind seats, legal or not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache
from itertools import count, cycle, islice

import hypothesis
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from engine import actions
from engine import game as games
from engine.actions import Move, TableAction
from engine.cards import Card, Rank
from engine.game import (
    Game,
    Kind,
    Phase,
)
from engine.round import Question
from engine.rules import (
    BoxLimit,
    EvenMoney,
    HoleCard,
    Insurance,
    Rules,
    Shuffle,
    Surrender,
)
from engine.shoe import Shoe
from engine.shown import CardView, LogLine, View
from engine.views import own_view, view_for
from tests.engine.tables import PEOPLE, seed
from tests.engine.test_properties import (
    MOVES_BEHIND,
    TableMachine,
    Watched,
    accepted,
    backer_of,
    box_of,
    check_ledger,
    something_else,
    table_rules,
)

CROWD = (
    "carol", "eve", "frank", "grace", "heidi", "ivan", "judy", "ken", "lena", "mona", "nils", "olga",
)  # fmt: skip


@cache
def rich_seeds(decks: int) -> tuple[bytes, ...]:
    """Seeds of shoes with much to ask backers about when two, three or four boxes are dealt."""
    coming = map(seed, count(2 * 10**8))
    wanted = islice(cycle((an_ace_up, an_ace_against_a_blackjack, threes_of_a_kind)), 90)
    return tuple(
        next(one for one in coming if is_rich(Shoe.from_seed(one, decks).cards[:16])) for is_rich in wanted
    )


def an_ace_up(cards: tuple[Card, ...]) -> bool:
    return Rank.ACE in [card.rank for card in cards[2:5]]


def an_ace_against_a_blackjack(cards: tuple[Card, ...]) -> bool:
    return any(
        cards[boxes].rank is Rank.ACE and 21 in [sum(hand) for hand in dealt_to(boxes, cards)]
        for boxes in (2, 3, 4)
    )


def threes_of_a_kind(cards: tuple[Card, ...]) -> bool:
    """The first box has a pair, and what it draws when it splits makes another."""
    for boxes in (2, 3, 4):
        one, two = dealt_to(boxes, cards)[0]
        drawn = [card.rank.points for card in cards[2 * boxes + 1 : 2 * boxes + 4]]
        if one == two and drawn.count(one) > 1:
            return True
    return False


def dealt_to(boxes: int, cards: tuple[Card, ...]) -> list[tuple[int, int]]:
    """The points of the cards that so many boxes are dealt."""
    values = [card.rank.points for card in cards]
    return list(zip(values[:boxes], values[boxes + 1 :], strict=False))


class Crowd(Watched):
    """A table round which people stand who bet behind the seats."""

    def __init__(self, kind: Kind, people: int, rules: Rules, crowd: int = 3) -> None:
        self.crowd = CROWD[:crowd]
        self.anybody = (*PEOPLE, *self.crowd)
        super().__init__(kind, people, rules)

    def take(self, action: TableAction) -> None:
        before = self.game
        super().take(action)
        self.seen |= reached(before, action, self.game)

    def fresh(self) -> bytes:
        if self.game.rules.decks > 2:
            return super().fresh()
        rich = rich_seeds(self.game.rules.decks)
        return rich[self.game.shoes % len(rich)]

    def window(self, who: str) -> str:
        backer = self.game.backer(who)
        return games.ask_id(self.game, backer.ask if backer else self.game.window)

    def lay(self, who: str, box: int, bet: int, pair: int) -> bool:
        return self.attempt(actions.Back(who, who, self.window(who), box, bet, pair))

    def pick(self, choose: random.Random, moves: Sequence[Move]) -> Move:
        """Splits and doubles are what backers are asked about."""
        for kind, chance in ((actions.Split, 0.8), (actions.Double, 0.4)):
            asking = [one for one in moves if isinstance(one, kind)]
            if asking and choose.random() < chance:
                return asking[0]
        return choose.choice(moves)

    def may_stir(self) -> bool:
        """Bets are open, or somebody is asked about one behind another's box."""
        return self.game.phase is Phase.BETTING or any(q.backer for q in self.questions())

    def somebody_stirs(self, choose: random.Random) -> None:
        """One of the crowd, or of the players, does something that concerns bets behind."""
        asked = {q.backer for q in self.questions()}
        waited = [backer.player for backer in self.game.backers if backer.stack in asked]
        who, least = choose.choice(waited or self.anybody), self.game.rules.min_bet
        answers = self.answers(who)
        if answers and choose.random() < 0.7:
            answer = choose.choice(answers)
            self.nobody_else_sees(answer)
            self.take(answer)
        elif choose.random() < 0.7:
            purse = self.game.backing_purse_of(who)
            most = purse.chips - self.game.laid_by(purse.stack) if purse else self.game.rules.starting_chips
            bet = choose.choice((0, least, least, 2 * least, 100, 500, most // 20 * 10))
            boxes = [seat.number for seat in self.game.seats_in]
            self.lay(who, choose.choice(boxes * 2 + [1, 5, 9]), bet, choose.choice((0, 0, least)))
        elif choose.random() < 0.5:
            self.attempt(actions.Done(who, self.window(who)))
        else:
            self.attempt(choose.choice((actions.GoAway(who), actions.ComeBack(who), actions.ComeBack(who))))

    def something_happens(self, choose: random.Random) -> None:
        """One step of an evening: somebody bets, plays, answers, comes or goes, or time runs out."""
        dice = choose.random()
        if self.game.phase in (Phase.OVER, Phase.LOBBY):
            for seat in self.game.seats:
                self.take(actions.Ready(seat.player))
            if self.game.host is not None:
                self.attempt(actions.Start(self.game.host))
        elif dice > 0.99:
            self.attempt(actions.Void(choose.random() < 0.5))
        elif dice < (0.4 if self.may_stir() else 0.05):
            self.somebody_stirs(choose)
        elif dice < 0.402:
            self.attempt(actions.Resign(choose.choice(PEOPLE)))
        elif dice < 0.45:
            self.attempt(something_else(self, choose))
        elif games.clock_window(self.game)[1] != self.game.rules.backer_seconds:
            self.somebody_plays_on(choose)
        elif dice < 0.55:
            # Nobody but backers is waited for.
            self.take(actions.Expire())
        else:
            self.somebody_stirs(choose)

    def answers(self, who: str) -> list[actions.Answer]:
        """The answers to what `who` is asked about bets behind, as the page offers them."""
        own = own_view(self.game, who)
        return [
            actions.Answer(who, ask.ask, self.move(who, ask, option.action))
            for ask in own.asks
            for option in ask.options
            if ask.behind and option.enabled
        ]

    def nobody_else_sees(self, answer: actions.Answer) -> None:
        """As long as others are asked too nothing changes for anybody else, whatever is answered."""
        before = self.game.round
        assert before is not None
        for other in self.answers(answer.player):
            if other.ask != answer.ask:
                continue
            after, _ = games.apply(self.game, other, seed(1), seed(2))
            if after.round is None or after.phase is not Phase.PLAYING:
                continue
            if (after.round.phase, after.round.pending) != (before.phase, before.pending):
                continue
            self.seen.add(f"unseen_{before.phase.value}")
            assert games.clock_window(after) == games.clock_window(self.game)
            for viewer in (None, *self.anybody):
                if viewer != answer.player:
                    assert view_for(after, viewer) == view_for(self.game, viewer), viewer

    def questions(self) -> tuple[Question, ...]:
        return self.game.round.questions if self.game.round else ()

    def check(self) -> None:
        super().check()
        # One person at a time: everybody has a turn before long.
        who = (*self.anybody, None)[self.seeds % (len(self.anybody) + 1)]
        no_card_is_told_that_does_not_lie_open(self.game, view_for(self.game, who))
        self.nobody_has_laid_more_than_they_hold()
        self.no_bet_lies_where_nobody_plays()
        if who is not None:
            self.the_page_offers_what_is_accepted(who)
        if self.game.phase is Phase.PLAYING and self.game.round and self.game.record:
            check_ledger(self.game.round, self.game.record.chips)

    def nobody_has_laid_more_than_they_hold(self) -> None:
        if self.game.phase is Phase.BETTING:
            for purse in self.game.purses:
                assert self.game.laid_by(purse.stack) <= purse.chips
            behind = self.game.laid_behind()
            for seat in self.game.seats_in:
                if self.game.rules.box_limit is BoxLimit.SHARED:
                    on_box = max(seat.laid, self.game.rules.min_bet) + behind.get(seat.number, 0)
                    assert on_box <= self.game.rules.max_bet

    def no_bet_lies_where_nobody_plays(self) -> None:
        playing = {seat.number: seat for seat in self.game.seats_in}
        for backer in self.game.backers:
            assert not backer.laid or self.game.phase is Phase.BETTING
            for one in backer.laid:
                assert playing[one.box].player != backer.player
                if not self.game.rules.players_may_back:
                    assert not self.game.seats_to_back_from(backer.player)

    def the_page_offers_what_is_accepted(self, who: str) -> None:
        own = own_view(self.game, who)
        if own.backing is None:
            # Nobody may while the page has no place for it.
            assert not accepted(self.game, actions.Back(who, who, self.window(who), 1, own.min_bet))
            return
        assert own.backing.chips >= 0
        for box in own.backing.boxes:
            least = actions.Back(who, who, own.backing.ask, box.box, own.min_bet, box.pair)
            assert own.backing.open or not accepted(self.game, least)
            if box.reason is None and not box.pair:
                assert accepted(self.game, least)
        for ask in own.asks:
            for option in ask.options:
                if ask.behind:
                    answer = actions.Answer(who, ask.ask, self.move(who, ask, option.action))
                    assert accepted(self.game, answer) is option.enabled


def reached(before: Game, action: TableAction, after: Game) -> set[str]:
    """What a step of a crowd led to, by name: whether the tests come to the rare things at all."""
    found = set()
    was, now = before.round, after.round
    if isinstance(action, actions.Answer) and backer_of(action.move) is not None and was is not None:
        found.add(type(action.move).__name__.lower())
        box = was.box(box_of(action.move))
        if isinstance(action.move, actions.Follow) and was.pending is not None:
            found.add("follow_split" if was.pending.split else "follow_double")
            if was.pending.split and len(box.hands) > 2:
                found.add("follow_resplit")
            if box.hands[was.pending.hand].cards[0].rank is Rank.ACE:
                found.add("follow_ace")
        asked = {(q.backer, q.box) for q in was.questions}
        left = {(q.backer, q.box) for q in now.questions} if now else set()
        if (
            isinstance(action.move, actions.Insure)
            and now
            and now.phase is was.phase
            and len(asked - left) > 1
        ):
            found.add("withdrawn")
    if isinstance(action, actions.Void) and before.record and before.record.behind:
        found.add("void_behind")
    if isinstance(action, actions.Expire) and was and any(q.backer for q in was.questions):
        found.add("time_of_backers")
    if isinstance(action, actions.Expire) and before.closing:
        found.add("closing_ran_out")
    if isinstance(action, actions.Resign) and before.record and was and any(q.backer for q in was.questions):
        found.add("resigned_while_asked")
    if isinstance(action, actions.GoAway) and was and any(q.backer for q in was.questions):
        found.add("away_while_asked")
    return found


def no_card_is_told_that_does_not_lie_open(game: Game, view: View) -> None:
    """Every card in a view lies open on the felt, and a view holds nothing else that a card could hide in."""
    state = game.round
    lying: dict[int, Card] = {}
    if state is not None:
        for box in state.boxes:
            for hand in box.hands:
                lying |= dict(zip(hand.places, hand.cards, strict=True))
        lying |= dict(zip(state.dealer_places, state.dealer_open, strict=False))
    open_cards = {(card.rank.symbol, card.suit.value) for card in lying.values()}
    for value in values_in(view):
        if isinstance(value, CardView) and value.rank is not None:
            card = lying[value.order]
            assert (value.rank, value.suit) == (card.rank.symbol, card.suit.value)
        elif isinstance(value, LogLine) and value.rank is not None:
            assert (value.rank, value.suit) in open_cards


def values_in(value: object) -> Iterator[object]:
    """A view and all that it is made of."""
    yield value
    if isinstance(value, tuple):
        for one in value:
            yield from values_in(one)
    elif type(value).__module__ == View.__module__:
        for name in fields(value):  # type: ignore[arg-type]
            yield from values_in(getattr(value, name.name))
    else:
        assert value is None or isinstance(value, str | int), value


# Somebody who is not of the crowd among them.
SOMEBODY = (*PEOPLE, *CROWD[:3], "mallory")


class CrowdMachine(TableMachine):
    """The same, with people who bet behind."""

    table: Crowd

    @initialize(
        kind=st.sampled_from(Kind),
        people=st.integers(2, 4),
        rules=table_rules(),
        mutual=st.booleans(),
        crowd=st.integers(0, len(CROWD)),
    )
    def open(self, kind: Kind, people: int, rules: Rules, mutual: bool, crowd: int) -> None:
        self.table = Crowd(kind, people, replace(rules, players_may_back=mutual), crowd)

    @rule(number=st.integers(0, 2**32), steps=st.integers(5, 40))
    def a_while_goes_by(self, number: int, steps: int) -> None:
        choose = random.Random(number)
        for _ in range(steps):
            self.table.something_happens(choose)
            self.table.check()

    @rule(number=st.integers(0, 2**32), steps=st.integers(1, 12))
    def the_crowd_stirs(self, number: int, steps: int) -> None:
        choose = random.Random(number)
        for _ in range(steps):
            self.table.somebody_stirs(choose)
            self.table.check()

    @rule(who=st.sampled_from(SOMEBODY), number=st.integers(-5, 600), box=st.integers(-1, 9))
    def somebody_bets_anything_behind(self, who: str, number: int, box: int) -> None:
        self.table.lay(who, box, number, max(0, number // 5))
        self.table.lay(who, box, 0, number)

    @rule(
        who=st.sampled_from(SOMEBODY),
        other=st.sampled_from(CROWD[:3]),
        verb=st.sampled_from(list(MOVES_BEHIND)),
        box=st.integers(1, 7),
    )
    def somebody_answers_for_another(self, who: str, other: str, verb: str, box: int) -> None:
        game, backer = self.table.game, self.table.game.backer(other)
        if backer is None or who == other:
            return
        for question in self.table.questions():
            ask = games.ask_id(game, question.number)
            move = MOVES_BEHIND[verb](box, backer.stack)
            assert not self.table.attempt(actions.Answer(who, ask, move))
        if game.backer(who) is not None:
            assert not self.table.attempt(actions.Back(who, who, self.table.window(other), box, 10))
        assert not self.table.attempt(actions.Done(who, self.table.window(other)))

    @rule(data=st.data())
    def somebody_sends_an_old_bet_behind_again(self, data: st.DataObject) -> None:
        old = [one for one, *_ in self.table.taken if isinstance(one, actions.Back | actions.Done)]
        if old:
            assert not self.table.attempt(data.draw(st.sampled_from(old)))

    def teardown(self) -> None:
        super().teardown()
        for what in (getattr(self, "table", None) and self.table.seen) or ():
            hypothesis.event(what)


TestCrowd = CrowdMachine.TestCase
TestCrowd.settings = settings(max_examples=25, stateful_step_count=50)


# Long evenings


def any_crowd(number: int) -> tuple[Crowd, random.Random]:
    """A table whose kind, rules and crowd follow from a number."""
    choose = random.Random(number)
    kind = Kind.SOLO if number % 5 == 2 else (Kind.OPEN, Kind.MATCH)[number % 2]
    decks = choose.choice((1, 2))
    rules = replace(
        Rules(),
        decks=decks,
        boxes=5,
        boxes_per_player=choose.choice((1, 2)),
        max_hands=2 if decks == 1 else 4,
        resplit_aces=choose.random() < 0.5,
        shuffle=choose.choice((Shuffle.CUT_CARD, Shuffle.EVERY_ROUND, Shuffle.EVERY_ROUND)),
        starting_chips=choose.choice((100, 400, 1_000)),
        hole_card=choose.choice(list(HoleCard)),
        insurance=choose.choice(list(Insurance)),
        even_money=choose.choice(list(EvenMoney)),
        surrender=choose.choice(list(Surrender)),
        box_limit=choose.choice(list(BoxLimit)),
        players_may_back=choose.random() < 0.5,
        bet_seconds=choose.choice((None, 20)),
        decision_seconds=choose.choice((None, 20)),
    )
    return Crowd(kind, 4, rules, crowd=choose.randint(0, len(CROWD))), choose


def an_evening_with_a_crowd(number: int, steps: int = 300) -> Crowd:
    table, choose = any_crowd(number)
    for _ in range(steps):
        table.something_happens(choose)
        table.check()
    table.check_again()
    return table


def test_evenings_with_a_crowd_of_backers_keep_every_chip_and_every_secret() -> None:
    seen: set[str] = set()
    followed = 0
    for number in range(20):
        table = an_evening_with_a_crowd(number)
        seen |= table.seen
        answers = (one.move for one, *_ in table.taken if isinstance(one, actions.Answer))
        followed += sum(isinstance(move, actions.Follow) for move in answers)
    # They lead through everything that can happen to bets behind.
    assert seen >= {
        "unseen_insurance", "unseen_follow", "follow_double", "follow_split", "follow_resplit", "follow_ace",
        "pass", "insure", "evenmoney", "decline", "void_behind", "time_of_backers", "closing_ran_out",
        "away_while_asked", "sat_out", "sat_down", "resigned", "eliminated", "refilled",
    }  # fmt: skip
    assert followed > 20
