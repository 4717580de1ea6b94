"""Tables at which Carol and others watch and bet behind the seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine import actions
from engine.bets import Behind
from engine.cards import Card
from engine.game import Backer, Game, Kind, Phase, Purse, ask_id, clock_window, questions_behind
from engine.notation import parse_move
from engine.round import Asked
from engine.rules import PRESETS, Insurance, Rules
from engine.shown import BackingView, LogLine, SeatView
from engine.views import view_for
from tests.engine.tables import Table, points, stiff_three

TIMED = replace(Rules(), bet_seconds=20, decision_seconds=20)
UNTIMED = replace(Rules(), bet_seconds=None, decision_seconds=None)
MUTUAL = replace(TIMED, players_may_back=True, boxes_per_player=2)
PRESET_EVEN_MONEY = replace(TIMED, even_money=PRESETS["classic6"].even_money, insurance=Insurance.NONE)


class Backed(Table):
    """A table at which Carol and others watch and bet behind."""

    def backer(self, who: str) -> Backer:
        backer = self.game.backer(who)
        assert backer is not None
        return backer

    def window(self, who: str) -> str:
        """The question of the open window."""
        backer = self.game.backer(who)
        return ask_id(self.game, backer.ask if backer else self.game.window)

    def behind(self, who: str, box: int, bet: int = 50, pair: int = 0) -> None:
        self.do(self.laying(who, box, bet, pair))

    def laying(self, who: str, box: int, bet: int = 50, pair: int = 0) -> actions.Back:
        return actions.Back(who, who.title(), self.window(who), box, bet, pair)

    def done(self, *people: str) -> None:
        for who in people:
            self.do(actions.Done(who, self.window(who)))

    def say(self, who: str, verb: str) -> None:
        """Answer the first open question about a bet behind: ``"follow"``, ``"insure"``."""
        self.do(self.saying(who, verb))

    def saying(self, who: str, verb: str) -> actions.Answer:
        question = questions_behind(self.game, who)[0]
        move = parse_move(f"{question.stack}@{question.box} {verb}")
        return actions.Answer(who, ask_id(self.game, question.number), move)

    def backing_purse(self, who: str) -> Purse:
        purse = self.game.backing_purse_of(who)
        assert purse is not None
        return purse

    def dealt(self) -> tuple[Behind, ...]:
        assert self.game.record is not None
        return self.game.record.behind

    def own(self, who: str) -> BackingView | None:
        own = view_for(self.game, who).own
        assert own is not None
        return own.backing

    def told(self, box: int) -> SeatView:
        return view_for(self.game, None).public.seats[box - 1]

    def log(self) -> tuple[LogLine, ...]:
        return view_for(self.game, None).public.log

    def rest(self) -> None:
        """Everybody declines, passes and stands until the next bets."""
        while self.game.phase is Phase.PLAYING and self.game.round is not None:
            question = self.game.round.questions[0]
            if question.backer is None:
                seat = self.game.seat(question.box)
                assert seat is not None
                self.answer(seat.player, "stand" if question.asked is Asked.TURN else "decline", seat.number)
                continue
            who = next(one.player for one in self.game.backers if one.stack == question.backer)
            self.say(who, "pass" if question.asked is Asked.FOLLOW else "decline")


def match(people: int = 2, *, rules: Rules = TIMED, **more: object) -> Backed:
    return Backed(people, rules=rules, **more)  # type: ignore[arg-type]


def live(people: int = 2, *, rules: Rules = PRESETS["casino8"], **more: object) -> Backed:
    return Backed(people, kind=Kind.OPEN, rules=rules, **more)  # type: ignore[arg-type]


def opened(people: int = 2, **more: object) -> Backed:
    """An open table where every round has a new shoe of six decks."""
    return live(people, rules=TIMED, **more)


def seconds(game: Game) -> int | None:
    return clock_window(game)[1]


def key(game: Game) -> str | None:
    return clock_window(game)[0]


def eleven(cards: tuple[Card, ...]) -> bool:
    """Alice has eleven, Bob is stiff, the dealer shows a 7 to 9."""
    one, two, up, three, four = points(cards)[:5]
    return one + three == 11 and 12 <= two + four <= 16 and two != four and up in (7, 8, 9)


def eights(cards: tuple[Card, ...]) -> bool:
    """Alice has a pair of eights, Bob is stiff, the dealer shows a 7 to 9."""
    one, two, up, three, four = points(cards)[:5]
    return (one, three) == (8, 8) and 12 <= two + four <= 16 and two != four and up in (7, 8, 9)


def natural_under_ace(cards: tuple[Card, ...]) -> bool:
    """Alice has a blackjack against an ace without one; Bob has none."""
    one, two, up, three, four, hole = points(cards)[:6]
    return {one, three} == {10, 11} and up == 11 and hole < 10 and two + four < 21


def pair_that_loses(cards: tuple[Card, ...]) -> bool:
    """Alice has two sixes against a dealer's 17 to 19; Bob has no blackjack."""
    one, two, up, three, four, hole = points(cards)[:6]
    return (one, three) == (6, 6) and two + four < 21 and up in (7, 8, 9) and hole == 10


def twelve_of_two(cards: tuple[Card, ...]) -> bool:
    """Two stiff boxes, the first with twelve and a small card to come."""
    one, two, up, three, four, _, next_card = points(cards)[:7]
    return one + three == 12 and one != three and 12 <= two + four <= 16 and two != four and (
        up in (7, 8, 9) and next_card < 10 and 11 not in (one, two, three, four)
    )  # fmt: skip


def twelve_of_three(cards: tuple[Card, ...]) -> bool:
    """Three stiff boxes, the first with twelve, which no card but a ten can bust."""
    values = points(cards)
    return stiff_three(cards) and values[0] + values[4] == 12


def backed_hand(
    wanted: Callable[[tuple[Card, ...]], bool], bet: int = 50, pair: int = 0, *, rules: Rules = TIMED
) -> Backed:
    """A match in which Carol has bet behind Alice, the cards on the table."""
    table = match(rules=rules)
    table.open_shoe(wanted)
    table.behind("carol", 1, bet, pair)
    table.bet("alice")
    table.bet("bob")
    table.done("carol")
    return table
