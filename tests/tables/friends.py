"""Alice opens the table, Bob is her friend, Carol watches, Mallory must get nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any

import pytest

from engine.cards import Card
from engine.game import Kind
from engine.notation import parse_cards
from engine.record import Record
from engine.rules import PRESETS
from engine.shoe import Shoe
from engine.shown import AskView, OwnView, PublicView
from tables import codec, history, messages, people, presence, services, snapshot
from tables.models import Game, Participant, Round, Table
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

    def next_deal(self, cards: str, decks: int = 6) -> None:
        """The next shoe begins with `cards` ("??" for any), in the order in which they are dealt."""
        self.coming.insert(0, seed_for(cards, decks))


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


def deal_from(monkeypatch: pytest.MonkeyPatch, shoes: Mapping[bytes, str]) -> None:
    """From these seeds come these cards: no seed can be found that fixes a whole shoe."""
    honest = Shoe.from_seed.__func__  # type: ignore[attr-defined]

    def from_seed(cls: type[Shoe], /, seed: bytes, decks: int, **more: Any) -> Shoe:
        return Shoe(parse_cards(shoes[seed])) if seed in shoes else honest(cls, seed, decks, **more)

    monkeypatch.setattr(Shoe, "from_seed", classmethod(from_seed))


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


def round_pages(page: history.GamePage) -> list[history.RoundPage]:
    """Every round of the game of a page, as its own page tells it."""
    game = Game.objects.get(pk=page.id)
    players, shoes = list(game.players.all()), list(game.shoes.all())
    return [
        history.told(page.rules, shoes, history.replayed_round(game, page.rules, players, shoes, row))
        for row in game.played.all()
    ]


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

    def ask(self, guest: str, box: int | None = None) -> AskView:
        """What that person is asked first, or at that box."""
        return next(ask for ask in self.own(guest).asks if box in (None, ask.box))

    def answer(self, guest: str, action: str, box: int | None = None, /, **fields: object) -> None:
        self.send(guest, action=action, ask=self.ask(guest, box).ask, **fields)

    def bet(self, guest: str, amount: int = 100, box: int | None = None) -> None:
        self.answer(guest, "bet", box, amount=str(amount))

    def sit(self, guest: str, seat: int) -> None:
        self.command(guest, "sit", seat=str(seat))

    def here(self, *guests: str) -> None:
        """Their pages are open."""
        for guest in guests:
            presence.arrive(self.code, guest)

    def seated(self) -> dict[int, str]:
        return {seat.seat: seat.name for seat in self.view.seats if seat.player}

    def stand(self) -> None:
        """Everybody declines and stands until the round is over."""
        while self.view.phase not in ("betting", "over"):
            number = self.view.waiting_for[0]
            player = self.view.seats[number - 1].player
            guest = Participant.objects.get(table__code=self.code, player=player).guest_id
            self.answer(guest, "stand" if self.ask(guest).kind == "turn" else "decline")

    def round(self, *guests: str, amount: int = 10) -> None:
        """A round in which each of them bets on every seat and stands; others sit out by the clock."""
        number = self.view.round_number
        for guest in guests:
            for ask in self.own(guest).asks:
                if ask.kind == "bet":
                    self.send(guest, action="bet", ask=ask.ask, amount=str(amount))
        if self.view.round_number == number and self.view.phase == "betting":
            self.run_out()
        self.stand()

    def run_out(self) -> None:
        """The time is up for whoever is asked."""
        deadline = self.row.deadline
        assert deadline is not None
        self.clock.now = deadline
        assert services.expire(self.code)

    def forget(self) -> None:
        """As after a restart: the process remembers nothing."""
        codec.remembered.clear()
        people.remembered.clear()

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
        assert game.shoe.dealt == 0, "the cards that were dealt follow from its seed"
        game = replace(game, shoe=replace(game.shoe, seed=seed_for(cards, game.rules.decks)))
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


def opened_as(
    seeds: Seeds,
    clock: FrozenClock,
    kind: Kind,
    preset: str,
    *guests: str,
    cards: str = "",
    listed: bool = True,
    **switches: Any,
) -> Friends:
    """A table of Alice's at which `guests` have seats too and everybody is here. `cards` come first."""
    rules = replace(PRESETS[preset], **switches)
    if kind is Kind.OPEN:
        rules = with_clock(rules, on=True)
    if cards:
        seeds.next_deal(cards, rules.decks)
    table = Friends(services.open_table(ALICE, "Alice", rules, kind, 10, listed=listed), seeds, clock)
    for guest in guests:
        services.join(table.code, guest, NAMES[guest], sit=True)
    table.here(ALICE, *guests)
    return table
