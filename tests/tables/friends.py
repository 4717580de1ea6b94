"""Alice opens the table, Bob is her friend, Carol watches, Mallory must get nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count

from engine.cards import Card
from engine.game import Kind
from engine.notation import parse_cards
from engine.record import Record
from engine.rules import PRESETS
from engine.shoe import Shoe
from engine.views import AskView, OwnView, PublicView
from tables import codec, history, messages, services, snapshot
from tables.models import Participant, Round, Table
from tables.moves import with_clock

START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
ALICE, BOB, CAROL, MALLORY = "alice" + "-" * 17, "bob" + "-" * 19, "carol" + "-" * 17, "mallory" + "-" * 15
NAMES = {ALICE: "Alice", BOB: "Bob", CAROL: "Carol", MALLORY: "Mallory"}


@dataclass
class FrozenClock:
    now: datetime = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class Seeds:
    """Seeds in a known order; those in `coming` are used first."""

    coming: list[bytes] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def __call__(self) -> bytes:
        return self.coming.pop(0) if self.coming else seed(next(self.numbers))

    def put_back(self, unused: bytes) -> None:
        self.coming.insert(0, unused)

    def next_deal(self, cards: str) -> None:
        """The next shoe begins with `cards` ("??" for any), in the order in which they are dealt."""
        self.coming.insert(0, seed_for(cards))


def seed(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


@cache
def seed_for(cards: str, decks: int = 6) -> bytes:
    """The first seed whose shoe has these ranks ("?" for any other than ace and ten) at its top."""
    wanted = cards.split()
    for number in range(200_000):
        dealt = Shoe.from_seed(seed(number), decks).cards[: len(wanted)]
        if all(fits(card, want) for card, want in zip(dealt, wanted, strict=True)):
            return seed(number)
    raise AssertionError(f"no such shoe: {cards}")


def fits(card: Card, want: str) -> bool:
    if want == "?":
        return True
    if want == "low":
        return card.rank.points < 7
    if want == "mid":
        return 7 <= card.rank.points < 10
    if want == "T":
        return card.rank.points == 10
    return card.rank.symbol == want if len(want) == 1 else card == parse_cards(want)[0]


def record_of(row: Round) -> Record:
    """What is kept of a round, with its shoe."""
    return codec.read_round(row.schema, row.record, history.sealed_shoes(row.game.shoes.all()))


@dataclass
class Friends:
    """A table and what people do at it, as their pages would send it."""

    code: str
    seeds: Seeds
    clock: FrozenClock

    @property
    def row(self) -> Table:
        return Table.objects.get(code=self.code)

    @property
    def view(self) -> PublicView:
        return self.seen().view

    def seen(self) -> snapshot.Snapshot:
        seen = snapshot.take(self.code)
        assert seen is not None
        return seen

    def own(self, guest: str) -> OwnView:
        seen = self.seen()
        own = seen.own(seen.player_of(guest))
        assert own is not None
        return own

    def person(self, guest: str) -> Participant:
        return Participant.objects.get(table__code=self.code, guest=guest)

    def chips(self) -> list[int]:
        return [seat.chips for seat in self.view.seats if seat.player]

    def send(self, guest: str | None, **payload: object) -> None:
        services.request(self.code, guest, messages.request(payload))

    def command(self, guest: str, action: str, **fields: object) -> None:
        self.send(guest, action=action, game=str(self.view.game), **fields)

    def ask(self, guest: str) -> AskView:
        return self.own(guest).asks[0]

    def answer(self, guest: str, action: str, **fields: object) -> None:
        self.send(guest, action=action, ask=self.ask(guest).ask, **fields)

    def bet(self, guest: str, amount: int = 100) -> None:
        self.answer(guest, "bet", amount=str(amount))

    def start(self, *friends: str) -> None:
        for friend in friends or (BOB,):
            self.command(friend, "ready", ready="1")
        self.command(ALICE, "start")

    def deal(self, cards: str, *bets: int) -> None:
        """Alice and Bob bet, and the cards come: Alice, Bob, dealer, Alice, Bob, hole card, draws."""
        self.reseed(cards)
        for guest, amount in zip((ALICE, BOB), bets or (100, 100), strict=True):
            self.bet(guest, amount)

    def reseed(self, cards: str) -> None:
        """Put another shoe under the open bets; a test's hand, which no page has."""
        row = self.row
        game = codec.game_of(row)
        assert game.shoe is not None
        game = replace(game, shoe=replace(game.shoe, seed=seed_for(cards)))
        codec.remembered.drop(self.code)
        Table.objects.filter(pk=row.pk).update(**codec.columns(game))


def opened(
    seeds: Seeds, clock: FrozenClock, *, on: bool = True, rounds: int = 10, listed: bool = True
) -> Friends:
    rules = with_clock(PRESETS["openseat"], on=on)
    code = services.open_table(ALICE, "Alice", rules, Kind.MATCH, rounds, listed=listed)
    services.join(code, BOB, "Bob", sit=True)
    services.join(code, CAROL, "Carol", sit=False)
    return Friends(code, seeds, clock)
