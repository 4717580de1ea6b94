"""Replays everything that is stored and compares it, card by card and chip by chip."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables import checking
from tables.models import Game

# So many games are read at once, and after so many it says how far it has come.
CHUNK = 100


def day(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day such as 2026-05-01") from None


class Command(BaseCommand):
    help = "Replay every stored game and report the first difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--game", metavar="ID", help="only this one (--game=ID where it begins with a dash)"
        )
        parser.add_argument("--since", type=day, metavar="DATE", help="only those begun on that day or later")

    def handle(self, *args: Any, game: str | None, since: datetime | None, **options: Any) -> None:
        games = Game.objects.order_by("started", "id")
        if game is not None:
            games = games.filter(pk=game)
            if not games.exists():
                raise CommandError(f"There is no game {game!r}.")
        if since is not None:
            games = games.filter(started__gte=since)
        ids = games.values_list("id", flat=True).iterator(chunk_size=2_000)
        checked = rounds = 0
        while chunk := list(islice(ids, CHUNK)):
            for row in Game.objects.filter(pk__in=chunk).order_by("started", "id"):
                found = checking.difference(row)
                if found:
                    raise CommandError(f"Game {row.pk}, {found}", returncode=1)
                checked += 1
                rounds += row.played.count()
            self.stdout.write(f"{checked} games, {rounds} rounds: all is as it was played.")
        if not checked:
            self.stdout.write("There is no game to check.")
