"""A table with people: Alice hosts, Bob and Dave play, Mallory has no seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

import pytest

from engine import actions
from engine.actions import Move, TableAction
from engine.cards import Card
from engine.errors import EngineError
from engine.game import (
    Game,
    GameEvent,
    Kind,
    NoteKind,
    Purse,
    RoundFinished,
    Seat,
    apply,
    ask_id,
    open_table,
    questions_of,
)
from engine.notation import parse_move
from engine.rules import Rules
from engine.shoe import Shoe

PEOPLE = ("alice", "bob", "dave", "erin")


def seed(number: int) -> bytes:
    """A seed that only a test would use."""
    return number.to_bytes(32, "big")


@cache
def seed_where(wanted: Callable[[tuple[Card, ...]], bool], decks: int = 6) -> bytes:
    """The first seed whose shoe begins as `wanted`."""
    return next(s for s in map(seed, range(1, 100_000)) if wanted(Shoe.from_seed(s, decks).cards[:16]))


def points(cards: Iterable[Card]) -> list[int]:
    """Points card by card, an ace 11."""
    return [card.rank.points for card in cards]


def stiff(cards: tuple[Card, ...]) -> bool:
    """Two boxes at 12 to 16 without a pair, a dealer's 7, 8 or 9, and no ace anywhere."""
    one, two, up, three, four, hole = points(cards)[:6]
    return (
        11 not in points(cards)[:6]
        and 12 <= one + three <= 16
        and 12 <= two + four <= 16
        and one != three
        and two != four
        and up in (7, 8, 9)
        and hole < 10
    )


def stiff_three(cards: tuple[Card, ...]) -> bool:
    """The same with three boxes."""
    values = points(cards)[:8]
    hands = [(values[box], values[box + 4]) for box in range(3)]
    return (
        11 not in values
        and all(12 <= one + two <= 16 and one != two for one, two in hands)
        and values[3] in (7, 8, 9)
    )


def ace_up(cards: tuple[Card, ...]) -> bool:
    """Two boxes without a blackjack against an ace without a blackjack."""
    one, two, up, three, four, hole = points(cards)[:6]
    return up == 11 and hole < 10 and 12 <= one + three <= 16 and 12 <= two + four <= 16


def dealer_blackjack(cards: tuple[Card, ...]) -> bool:
    """Two boxes lose at once: a ten with an ace under it."""
    one, two, up, three, four, hole = points(cards)[:6]
    return (up, hole) == (10, 11) and one + three < 20 and two + four < 20


def ways_of(game: Game, who: str) -> dict[str, list[TableAction]]:
    """For each command of a view, the actions by which `who` could give it."""
    offer = game.offer.id if game.offer else ""
    leaving = [actions.Leave(who, seat.number) for seat in game.seats_of(who)]
    return {
        "sit": [actions.Sit(who, number, who) for number in range(1, game.seat_limit + 1)],
        "leave": [*leaving] or [actions.Leave(who)],
        "deal": [actions.Deal(who)],
        "new_game": [actions.NewGame(who)],
        "ready": [actions.Ready(who)],
        "start": [actions.Start(who)],
        "configure": [actions.Configure(who, game.rules, game.rounds)],
        "back_to_lobby": [actions.BackToLobby(who)],
        "resign": [actions.Resign(who)],
        "offer_draw": [actions.OfferDraw(who)],
        "accept_draw": [actions.AcceptDraw(who, offer)],
        "refuse_draw": [actions.RefuseDraw(who, offer)],
    }


class Table:
    """A game that is played action by action, each with a fresh seed.

    A match is started unless `start` is False; the other kinds have their bets open. `wanted` is how the
    first shoe of those begins.
    """

    def __init__(
        self,
        people: int = 2,
        *,
        rounds: int = 10,
        rules: Rules | None = None,
        start: bool = True,
        kind: Kind = Kind.MATCH,
        wanted: Callable[[tuple[Card, ...]], bool] | None = None,
    ) -> None:
        self.happened: list[GameEvent] = []
        self.seeds = 0
        self.next_seed: bytes | None = None
        rules = rules or Rules()
        first = seed_where(wanted, rules.decks) if wanted else seed(10**9)
        self.game: Game = open_table(
            rules, rounds, "alice", "Alice", kind=kind, seed=first, spare=seed(2 * 10**9)
        )
        for number, who in enumerate(PEOPLE[1:people], start=2):
            self.sit(who, number)
        if start and kind is Kind.MATCH:
            self.start()

    def start(self) -> None:
        """Everybody is ready; the host starts."""
        for seat in self.game.seats:
            self.do(actions.Ready(seat.player))
        assert self.game.host is not None
        self.do(actions.Start(self.game.host))

    def do(self, action: TableAction) -> tuple[GameEvent, ...]:
        """Take the action; what happened is returned."""
        self.seeds += 1
        fresh, self.next_seed = self.next_seed or seed(10**9 + self.seeds), None
        self.game, happened = apply(self.game, action, fresh, seed(2 * 10**9 + self.seeds))
        self.happened += happened
        return happened

    def refused(self, action: TableAction) -> str:
        """The code with which the action is refused; the game stays as it was."""
        before = self.game
        with pytest.raises(EngineError) as refusal:
            apply(self.game, action, seed(1), seed(2))
        assert self.game is before
        return refusal.value.code

    def sit(self, who: str, number: int) -> None:
        self.do(actions.Sit(who, number, who.title()))

    def seat(self, who: str, box: int | None = None) -> Seat:
        """The seat of the person: that box, else the first that is asked, else the first."""
        seats = [seat for seat in self.game.seats_of(who) if box in (None, seat.number)]
        asked = [seat for seat in seats if questions_of(self.game, seat)]
        return (asked or seats)[0]

    def purse(self, who: str) -> Purse:
        purse = self.game.purse_of(who)
        assert purse is not None
        return purse

    def ask(self, who: str, box: int | None = None) -> str:
        """The question that the person has to answer."""
        seat = self.seat(who, box)
        asked = questions_of(self.game, seat)
        return ask_id(self.game, asked[0].number if asked else seat.ask)

    def bet(self, who: str, amount: int = 100, pair: int = 0, box: int | None = None) -> None:
        self.do(actions.Bet(who, self.ask(who, box), amount, pair))

    def take_back(self, who: str, box: int | None = None) -> None:
        self.do(actions.TakeBack(who, self.ask(who, box)))

    def sit_out(self, who: str, box: int | None = None) -> None:
        self.do(actions.SitOut(who, self.ask(who, box)))

    def answer(self, who: str, verb: str, box: int | None = None) -> None:
        """Answer the open question: ``"stand"``, ``"insure"``."""
        self.do(actions.Answer(who, self.ask(who, box), self.move(who, verb, box)))

    def move(self, who: str, verb: str, box: int | None = None) -> Move:
        return parse_move(f"{self.seat(who, box).number} {verb}")

    def everyone_sits_out(self) -> None:
        """One round goes by without a bet."""
        round_number = self.game.round_number
        for seat in self.game.seats_in:
            if self.game.round_number == round_number and not seat.answered and self.game.in_match:
                self.sit_out(seat.player)

    def deal_two(
        self, wanted: Callable[[tuple[Card, ...]], bool] = stiff, bets: tuple[int, int] = (100, 100)
    ) -> None:
        """Let a round go by so that the next shoe is as wanted, then Alice and Bob bet."""
        self.open_shoe(wanted)
        self.bet("alice", bets[0])
        self.bet("bob", bets[1])

    def open_shoe(self, wanted: Callable[[tuple[Card, ...]], bool]) -> None:
        """Sit out one round; the next one's shoe is as wanted."""
        *others, last = self.game.seats_in
        for seat in others:
            self.sit_out(seat.player)
        self.next_seed = seed_where(wanted)
        self.sit_out(last.player)

    def finish_round(self) -> None:
        """Everybody stands and declines until the next bets."""
        while self.game.phase.value == "playing" and self.game.round is not None:
            question = self.game.round.questions[0]
            seat = self.game.seat(question.box)
            assert seat is not None
            verb = "stand" if question.asked.value == "turn" else "decline"
            self.answer(seat.player, verb, question.box)

    def play_round(self, amount: int | None = None) -> None:
        """A round in which every seat bets and everybody stands."""
        number = self.game.round_number
        for seat in self.game.seats_in:
            if not seat.bet and self.game.round_number == number:
                self.bet(seat.player, amount or self.game.rules.min_bet, box=seat.number)
        self.finish_round()

    def set_chips(self, **chips: int) -> None:
        """Between rounds, give seats other stacks than they have won."""
        assert self.game.phase.value == "betting"
        purses = tuple(replace(one, chips=chips.get(one.player, one.chips)) for one in self.game.purses)
        self.game = replace(self.game, purses=purses)

    def chips(self) -> dict[str, int]:
        return {seat.player: self.game.chips_of(seat) for seat in self.game.seats}

    def seated(self) -> dict[int, str]:
        return {seat.number: seat.player for seat in self.game.seats}

    def notes(self) -> list[tuple[str, int]]:
        return [(note.kind.value, note.seat) for note in self.game.notes]

    def last_round(self) -> RoundFinished:
        """What was told about the last finished round."""
        return next(event for event in reversed(self.happened) if isinstance(event, RoundFinished))

    def noted(self, kind: NoteKind) -> list[int]:
        """The seats of which the log says this."""
        return [note.seat for note in self.game.notes if note.kind is kind]
