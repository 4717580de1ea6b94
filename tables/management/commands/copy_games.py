"""For measuring lists: some games are played, as by people, and copied until there are as many as wanted."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, TypeVar

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import models, transaction

from tables import clock, codes
from tables.management.rehearsal import rehearsed
from tables.models import Game, GamePlayer, Round, Shoe

YEAR = timedelta(days=365)
AT_ONCE = 500
Row = TypeVar("Row", bound=models.Model)


class Command(BaseCommand):
    help = (
        "Play some hundred games and copy them until so many are stored, spread over a year. For measuring;"
        " only with TEST_MODE=1, and better in a DATA_DIR of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=int, required=True, help="how many games there are to be")
        parser.add_argument("--play", type=int, default=300, help="how many of them are really played")
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same people")
        parser.add_argument(
            "--lists-only", action="store_true", help="copy what lists need: no shoes and rounds"
        )

    def handle(self, *args: Any, to: int, play: int, seed: int, lists_only: bool, **options: Any) -> None:
        if not settings.TEST_MODE:
            raise CommandError("Invented games belong in no real site: this runs with TEST_MODE=1 alone.")
        if to < 1 or play < 1:
            raise CommandError("At least one game is needed.")
        dice, now = random.Random(seed), clock.now()  # noqa: S311
        missing = min(play, to) - Game.objects.count()
        if missing > 0:
            self._play(missing, dice, now - YEAR)
        originals = list(Game.objects.filter(dated__isnull=False).order_by("started", "pk")[:play])
        if not originals:
            raise CommandError("No game was finished, so there is none to copy.")
        copied = self._copy(to - Game.objects.count(), originals, dice, now, lists_only=lists_only)
        self.stdout.write(f"{Game.objects.count():,} games are stored, {copied:,} of them new copies.")

    def _play(self, how_many: int, dice: random.Random, since: datetime) -> None:
        rehearsal = rehearsed(dice, since)
        before = Game.objects.count()
        while Game.objects.count() < before + how_many:
            rehearsal.play()
        self.stdout.write(f"{how_many:,} games were played.")

    def _copy(
        self,
        how_many: int,
        originals: Sequence[Game],
        dice: random.Random,
        now: datetime,
        *,
        lists_only: bool,
    ) -> int:
        sources = [_Source(game, lists_only=lists_only) for game in originals]
        copies = (dice.choice(sources).copy(dice.random() * YEAR, now) for _ in range(how_many))
        while batch := list(islice(copies, AT_ONCE)):
            with transaction.atomic():
                Game.objects.bulk_create(copy.game for copy in batch)
                for model in (GamePlayer, Shoe, Round):
                    _create(model, (row for copy in batch for row in copy.rows if isinstance(row, model)))
        return max(how_many, 0)


def _create(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    model._default_manager.bulk_create(rows, AT_ONCE)


@dataclass
class _Copy:
    game: Game
    rows: list[models.Model]


class _Source:
    """A stored game with all its rows. Its copies belong to its table, which does not know of them."""

    def __init__(self, game: Game, *, lists_only: bool) -> None:
        self.game = game
        self.players = list(game.players.all())
        self.shoes = [] if lists_only else list(game.shoes.all())
        self.rounds = [] if lists_only else list(game.played.all())

    def copy(self, ago: timedelta, now: datetime) -> _Copy:
        moved = (now - ago) - (self.game.dated or now)
        game = _moved(self.game, moved, "started", "finished", "dated")
        # A table counts its own games: a copy takes no number from it.
        game.pk, game.table = codes.new_game_id(), None
        dated = [_moved(one, moved, "finished") for one in (*self.shoes, *self.rounds)]
        return _Copy(game, [_of(one, game) for one in (*self.players, *dated)])


def _fresh(row: Row) -> Row:
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return type(row)(**{**fields, "id": None})


def _moved(row: Row, by: timedelta, *times: str) -> Row:
    new = _fresh(row)
    for name in times:
        moment = getattr(row, name)
        setattr(new, name, moment + by if moment else None)
    return new


def _of(row: Row, game: Game) -> Row:
    new = _fresh(row)
    setattr(new, "game", game)  # noqa: B010
    return new
