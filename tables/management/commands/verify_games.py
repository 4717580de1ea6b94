"""Replays everything that is stored and compares it, card by card and chip by chip."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError

from tables import checking
from tables.models import Game, Round

# After so many games it says how far it has come.
AT_ONCE = 100


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
        games = Game.objects.all()
        if game is not None:
            games = games.filter(pk=game)
            if not games.exists():
                raise CommandError(f"There is no game {game!r}.")
        if since is not None:
            games = games.filter(started__gte=since)
        checked = rounds = 0
        # The oldest first. No query stays open meanwhile: a difference ends the command wherever it is found.
        for key in list(games.order_by("started", "id").values_list("pk", flat=True)):
            if checked and checked % AT_ONCE == 0:
                self.stdout.write(f"{checked} games, {rounds} rounds looked at so far")
            try:
                found = checking.difference(key)
            except (OperationalError, InterfaceError) as error:
                raise CommandError(f"The database can not be read: {error}.", returncode=2) from None
            if found:
                raise CommandError(f"Game {key}, {found}", returncode=1)
            checked += 1
            rounds += Round.objects.filter(game=key).count()
        if checked:
            self.stdout.write(f"{checked} games, {rounds} rounds: all is as it was played.")
        else:
            self.stdout.write("There is no game to check.")
