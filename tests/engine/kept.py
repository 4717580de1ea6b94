"""Games as a site keeps them, made of nothing but what the engine says has happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.export import Json, KeptGame, KeptShoe, Played, export
from engine.game import Game, GameEvent, GameOver, GameStarted, RoundFinished, ShoeFinished, apply
from engine.shoe import SealedShoe
from engine.table import Kind, Result
from tests.engine.test_properties import Watched

WHEN = "2026-05-01T12:00:00.000Z"


@dataclass
class Kept:
    """One game as it is kept."""

    game: Game
    names: dict[str, str] = field(default_factory=dict)
    played: list[Played] = field(default_factory=list)
    shoes: dict[int, SealedShoe] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)
    result: Result | None = None

    def exported(self) -> Json:
        game = self.game
        kept = KeptGame(
            id=f"game{game.number}",
            kind=game.kind,
            preset="custom",
            rules=game.rules,
            rounds=game.rounds,
            started=WHEN,
            finished=WHEN if self.result else None,
            result=self.result,
            names=self.names,
        )
        shoes = [KeptShoe(shoe, number in self.finished) for number, shoe in sorted(self.shoes.items())]
        return export(kept, shoes, self.played)


@dataclass
class Keeper:
    """Keeps the games of a table; `games` are those in which a round was finished."""

    kept: list[Kept] = field(default_factory=list)

    def take(self, before: Game, happened: Iterable[GameEvent], after: Game) -> None:
        current = self.kept[-1] if self.kept else None
        for event in happened:
            match event:
                case GameStarted():
                    current = Kept(after)
                    self.kept.append(current)
                    if after.kind is Kind.MATCH:
                        current.names = {purse.stack: purse.name for purse in after.purses}
                case RoundFinished(record, _, chips, notes):
                    assert current is not None
                    current.played.append(Played(record, chips, notes, WHEN))
                    current.shoes[record.shoe.number] = record.shoe
                    purses = (*before.purses, *after.purses)
                    names = {purse.stack: purse.name for purse in purses if purse.stack in record.chips}
                    current.names |= names
                case ShoeFinished(shoe):
                    if current is not None:
                        current.finished.add(shoe.number)
                case GameOver(_, result, _):
                    assert current is not None
                    current.result = result

    @property
    def games(self) -> list[Kept]:
        return [kept for kept in self.kept if kept.played]


def games_of(table: Watched) -> list[Kept]:
    """Every game that was played at a table, of which at least one round was finished."""
    keeper, game = Keeper(), table.opened
    for action, seed, spare in table.taken:
        before = game
        game, happened = apply(before, action, seed, spare)
        keeper.take(before, happened, game)
    return keeper.games
