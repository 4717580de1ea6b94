"""What a crowd costs: `python -m tests.benchmarks.crowd [backers]` prints milliseconds, and asserts nothing.

Seven seats of an open table are taken and each of the backers bets behind one to three of them. What is
measured is the engine alone: a view of everybody, of one backer, of one seat, and the steps of the crowd.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from engine import actions
from engine.actions import TableAction
from engine.game import Game, Kind, Phase, apply, ask_id, open_table, questions_behind, questions_of
from engine.notation import parse_move
from engine.round import Asked
from engine.rules import PRESETS
from engine.shoe import Shoe
from engine.views import own_view, public_view

SEATS = 7
RULES = replace(PRESETS["casino8"], box_limit=PRESETS["openseat"].box_limit)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def ace_up_and_a_double() -> bytes:
    """A seed of a shoe in which everybody is asked for insurance and the first box may double."""
    for number in range(1, 1_000_000):
        cards = Shoe.from_seed(seed(number), RULES.decks).cards[: 2 * SEATS + 2]
        points = [card.rank.points for card in cards]
        first = points[0] + points[SEATS + 1]
        if points[SEATS] == 11 and points[-1] < 10 and 9 <= first <= 11 and 11 not in points[:SEATS]:
            return seed(number)
    raise AssertionError("no such shoe")


class Evening:
    """A table at which everybody does what comes next."""

    def __init__(self, backers: int) -> None:
        self.game = open_table(
            RULES, 10, "player1", "Player 1", kind=Kind.OPEN, seed=ace_up_and_a_double(), spare=seed(2)
        )
        self.choose = random.Random(1)
        self.crowd = [f"backer{number}" for number in range(1, backers + 1)]
        for number in range(2, SEATS + 1):
            self.do(actions.Sit(f"player{number}", number, f"Player {number}"))

    def do(self, action: TableAction) -> None:
        self.game, _ = apply(self.game, action, seed(3), seed(4))

    def back(self, who: str, box: int, bet: int, pair: int) -> actions.Back:
        backer = self.game.backer(who)
        ask = ask_id(self.game, backer.ask if backer else self.game.window)
        return actions.Back(who, who.title(), ask, box, bet, pair)

    def bets(self) -> None:
        for who in self.crowd:
            for box in self.choose.sample(range(1, SEATS + 1), self.choose.randint(1, 3)):
                self.do(self.back(who, box, 10 * self.choose.randint(1, 5), self.choose.choice((0, 0, 10))))

    def deal(self) -> None:
        for number in range(1, SEATS + 1):
            seat = self.game.seat(number)
            assert seat is not None
            self.do(actions.Bet(seat.player, ask_id(self.game, seat.ask), 50))
        self.do(actions.Expire())
        assert self.game.phase is Phase.PLAYING

    def answer(self, verb: str, box: int = 1) -> None:
        seat = self.game.seat(box)
        assert seat is not None
        question = questions_of(self.game, seat)[0]
        move = parse_move(f"{box} {verb}")
        self.do(actions.Answer(seat.player, ask_id(self.game, question.number), move))

    def answer_behind(self, who: str, verb: str) -> actions.Answer:
        question = questions_behind(self.game, who)[0]
        move = parse_move(f"{question.stack}@{question.box} {verb}")
        return actions.Answer(who, ask_id(self.game, question.number), move)

    def asked(self) -> list[str]:
        """The backers who are asked something."""
        stacks = {q.backer for q in self.game.round.questions} if self.game.round else set()
        return [backer.player for backer in self.game.backers if backer.stack in stacks]


def time_of(what: Callable[[], object], times: int = 20) -> str:
    """The best of some calls, in milliseconds: what else runs on the machine is not measured."""
    taken = []
    for _ in range(times):
        begin = perf_counter()
        what()
        taken.append(perf_counter() - begin)
    return f"{min(taken) * 1_000:8.3f} ms"


def tell(phase: str, evening: Evening, step: tuple[str, TableAction]) -> None:
    game = evening.game
    name, action = step
    print(f"{phase}, {len(game.backers)} backers")  # noqa: T201
    for label, what in (
        ("view of everybody", lambda: public_view(game)),
        ("view of a backer", lambda: own_view(game, evening.crowd[-1])),
        ("view of a seat", lambda: own_view(game, "player1")),
        (name, lambda: apply(game, action, seed(3), seed(4))),
        ("there and back", lambda: there_and_back(game)),
    ):
        print(f"    {label:24} {time_of(what)}")  # noqa: T201


def main(backers: int = 200) -> None:
    evening = Evening(backers)
    evening.bets()
    last = evening.crowd[-1]
    free = next(box for box in range(1, SEATS + 1) if evening.game.backer(last).on(box) is None)  # type: ignore[union-attr]
    tell("bets", evening, ("a bet behind", evening.back(last, free, 50, 10)))
    evening.deal()
    assert evening.game.round is not None
    assert evening.game.round.questions[0].asked is Asked.INSURANCE
    for who in evening.asked()[: backers // 2]:
        evening.do(evening.answer_behind(who, "insure"))
    who = evening.asked()[-1]
    tell("insurance", evening, ("insurance behind", evening.answer_behind(who, "insure")))
    evening.do(actions.Expire())
    evening.answer("double")
    asked = evening.asked()
    for who in asked[: len(asked) // 2]:
        evening.do(evening.answer_behind(who, "follow"))
    who = evening.asked()[-1]
    tell("follow", evening, ("a follow", evening.answer_behind(who, "follow")))
    evening.do(actions.Expire())
    while evening.game.phase is Phase.PLAYING:
        evening.do(actions.Expire())
    who = evening.crowd[-1]
    tell("the next bets", evening, ("a bet behind", evening.back(who, 1, 50, 10)))


def there_and_back(game: Game) -> Game:
    from tables import codec

    return codec.read_game(codec.write_game(game))


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "openseat_site.settings")
    django.setup()
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
