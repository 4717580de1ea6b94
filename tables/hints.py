"""A basic-strategy chart as three tables that one can read: rows that are played alike are one row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext_lazy

UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
_COLUMNS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")

TITLES = {
    "hard": gettext_lazy("Hard hands"),
    "soft": gettext_lazy("Soft hands"),
    "pairs": gettext_lazy("Pairs"),
}
ABOUT = {
    "hard": gettext_lazy("No ace, or an ace that counts 1."),
    "soft": gettext_lazy("An ace that counts 11."),
    "pairs": gettext_lazy("Where you may split. If not, play the pair as its total."),
}
MOVES = {
    "H": gettext_lazy("Hit"),
    "S": gettext_lazy("Stand"),
    "D": gettext_lazy("Double; if you may not, hit"),
    "Ds": gettext_lazy("Double; if you may not, stand"),
    "P": gettext_lazy("Split"),
    "RH": gettext_lazy("Surrender; if you may not, hit"),
    "RS": gettext_lazy("Surrender; if you may not, stand"),
    "RP": gettext_lazy("Surrender; if you may not, split"),
    "RD": gettext_lazy("Surrender; if you may not, double"),
    "RDs": gettext_lazy("Surrender; if you may not, double or stand"),
    ".": gettext_lazy("Play it as its total"),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """`letters` are what is printed; `kind` is the first of them, for its colour."""

    letters: str
    words: str
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    hand: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class HintTable:
    title: str
    about: str
    rows: list[Row]


Chart = Mapping[str, Mapping[str, Mapping[str, str]]]


def tables(chart: Chart) -> list[HintTable]:
    return [HintTable(str(TITLES[name]), str(ABOUT[name]), list(_rows(name, chart[name]))) for name in TITLES]


def legend(shown: Iterable[HintTable]) -> list[Cell]:
    """Every kind of cell that these tables have, once."""
    used = {cell.letters for table in shown for row in table.rows for cell in row.cells}
    return [cell_of(letters) for letters in MOVES if letters in used]


def _rows(name: str, rows: Mapping[str, Mapping[str, str]]) -> Iterable[Row]:
    for moves, alike in groupby(rows, key=lambda hand: tuple(rows[hand][up] for up in _COLUMNS)):
        yield Row(_hands(name, list(alike)), [cell_of(letters) for letters in moves])


def _hands(name: str, alike: list[str]) -> str:
    if name == "pairs":
        return ", ".join(f"{hand}-{hand}".replace("T", "10") for hand in alike)
    aces = 11 if name == "soft" else 0
    totals = [int(total) - aces for total in (alike[0], alike[-1])]
    span = "–".join(str(total) for total in dict.fromkeys(totals))
    return f"A, {span}" if aces else span


def cell_of(letters: str) -> Cell:
    return Cell(letters, str(MOVES.get(letters, letters)), letters[:1].lower())
