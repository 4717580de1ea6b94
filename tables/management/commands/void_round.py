"""For the staff: a fault in a running round. Every bet of it goes back, what was paid is taken back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.errors import EngineError
from tables import codes, services
from tables.errors import Refused


class Command(BaseCommand):
    help = "Void the running round of a table: every bet of it goes back and the shoe is shuffled."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("table", help="the table's code or its whole link")

    def handle(self, *args: Any, table: str, **options: Any) -> None:
        code = codes.find_table_code(table)
        try:
            number = services.void_round(code or "")
        except Refused:
            raise CommandError(f"There is no table {table!r}.") from None
        except EngineError:
            raise CommandError(f"No round is running at {code}: there is nothing to void.") from None
        self.stdout.write(f"Round {number} of table {code} is void; every bet of it went back.")
