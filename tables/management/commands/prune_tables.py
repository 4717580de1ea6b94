"""Clears away tables that nobody has used for long. Their games stay, with their pages and their exports."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from tables import clock, pruning

# However far back: a longer time than any site has been there.
MOST_DAYS = 36_500


def days(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_DAYS:
        raise ArgumentTypeError(f"{text!r} is no number of days from 1 to {MOST_DAYS}")
    return int(text)


class Command(BaseCommand):
    help = "Clear away tables where no game runs and nobody is, untouched for so many days. Games stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--older-than", type=days, required=True, metavar="DAYS")
        parser.add_argument("--dry-run", action="store_true", help="only say which they are")

    def handle(self, *args: Any, older_than: int, dry_run: bool, **options: Any) -> None:
        before = clock.now() - timedelta(days=older_than)
        if dry_run:
            codes = list(pruning.dead(before).order_by("touched").values_list("code", flat=True))
        else:
            codes = list(pruning.prune(before))
        for code in codes:
            self.stdout.write(code)
        said = "would be cleared away" if dry_run else "cleared away"
        self.stdout.write(f"{len(codes)} table{'' if len(codes) == 1 else 's'} {said}; their games stay.")
