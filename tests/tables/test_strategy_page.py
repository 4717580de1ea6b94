"""The chart of a game as a page: every cell of the engine's chart, under its column, in its row."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.errors import IllegalAction
from engine.rules import PRESETS, SplitBy
from engine.strategy import chart_for
from tables import codec, hints
from tables.models import Table
from tests.tables.friends import ALICE, Friends
from tests.tables.test_pages import browser

COLUMNS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"]


def hands_of(name: str, shown: str) -> list[str]:
    """The keys of the chart that a row of the page stands for."""
    if name == "pairs":
        return [one.split("-")[0].replace("10", "T") for one in shown.split(", ")]
    aces = 11 if name == "soft" else 0
    first, *last = shown.removeprefix("A, ").split("–")
    return [str(total + aces) for total in range(int(first), int(last[0] if last else first) + 1)]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_tables_are_the_chart(preset: str) -> None:
    chart = chart_for(PRESETS[preset]).to_json()
    for name, table in zip(hints.TITLES, hints.tables(chart), strict=True):
        told = {
            hand: dict(zip(COLUMNS, (cell.letters for cell in row.cells), strict=True))
            for row in table.rows
            for hand in hands_of(name, row.hand)
        }
        assert told == chart[name]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_cell_is_a_word_in_the_legend(preset: str) -> None:
    html = browser().get(f"/strategy/{preset}/").content.decode()
    legend = dict(re.findall(r'<dt class="move move-\w">(\w+)</dt><dd>([^<]+)</dd>', html))
    cells = re.findall(
        r'<td class="move move-\w"><span aria-hidden="true">(\w+)</span>'
        r'<span class="visually-hidden">([^<]+)</span></td>',
        html,
    )
    assert len(cells) > 200
    assert dict(cells) == legend
    assert html.count("<caption>") == 3


@pytest.mark.parametrize(
    ("preset", "hand", "up", "word"),
    [
        ("openseat", "11", "10", "D"),
        ("openseat", "13–16", "10", "H"),
        ("openseat", "A, 7", "9", "H"),
        ("casino8", "16", "9", "RH"),
        ("classic6", "10–11", "10", "H"),
        ("single-standard", "A, 7", "6", "S"),
    ],
)
def test_what_every_book_says_is_found_where_it_is_looked_for(
    preset: str, hand: str, up: str, word: str
) -> None:
    html = browser().get(f"/strategy/{preset}/").content.decode()
    rows = re.findall(r'<tr>\s*<th scope="row">([^<]+)</th>(.*?)</tr>', html, re.DOTALL)
    row = next(cells for shown, cells in rows if shown == hand)
    moves = re.findall(r'aria-hidden="true">(\w+)<', row)
    assert moves[list(hints.UPCARDS).index(up)] == word


def test_a_table_shows_the_hints_for_its_own_rules(friends: Friends) -> None:
    html = browser().get(f"/t/{friends.code}/strategy/").content.decode()
    assert "Hints for this table" in html
    assert "House game" in html
    assert f'href="/t/{friends.code}/"' in html


def test_rules_without_a_chart_say_what_they_wait_for(friends: Friends) -> None:
    rules = replace(PRESETS["classic6"], decks=3, split_by=SplitBy.RANK, charlie=5)
    with pytest.raises(IllegalAction, match="no_chart"):
        chart_for(rules)
    game = replace(friends.seen().game, rules=rules)
    codec.remembered.drop(friends.code)
    Table.objects.filter(code=friends.code).update(**codec.columns(game))
    page = browser(ALICE).get(f"/t/{friends.code}/strategy/")
    html = page.content.decode()
    assert page.status_code == 200
    assert "no hints for rules of your own yet" in html
    assert 'href="/strategy/classic6/"' in html
    assert "<caption>" not in html


def test_there_are_no_hints_for_a_game_that_does_not_exist(db: None) -> None:
    assert browser().get("/strategy/nonesuch/").status_code == 404


def test_the_page_needs_neither_script_nor_style(db: None) -> None:
    html = browser().get("/strategy/openseat/").content.decode()
    assert "style=" not in html
    assert html.count("<script src=") == 3
