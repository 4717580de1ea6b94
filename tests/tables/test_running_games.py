"""A game of an open table lasts for hours: it is listed while it runs, with its finished rounds."""

from collections.abc import Callable

import pytest
from django.test import Client

from engine.game import Kind
from tables import archive, history
from tables.models import Game
from tests.tables.friends import ALICE, Friends


@pytest.fixture
def live(table_of: Callable[..., Friends]) -> Friends:
    return table_of(Kind.OPEN, "casino8")


def play_one(live: Friends) -> None:
    live.bet(ALICE, 10)
    if live.view.phase == "betting":
        live.command(ALICE, "deal")
    while live.view.phase != "betting":
        asked = live.ask(ALICE).kind
        live.answer(ALICE, "stand" if asked == "turn" else "decline")


def test_a_running_game_is_listed_once_a_round_of_it_is_finished(live: Friends, client: Client) -> None:
    assert archive.newest(archive.public(), 1) == []
    play_one(live)
    (line,) = archive.newest(archive.public(), 1)
    assert (line.rounds, line.outcome, line.players) == (1, "running", ("Alice",))
    assert "Still running" in client.get("/games/").content.decode()


def test_its_page_says_what_everybody_holds_by_now(live: Friends, client: Client) -> None:
    play_one(live)
    play_one(live)
    game = Game.objects.get()
    (standing,) = history.game_page(game, code="").standings
    chips = next(seat.chips for seat in live.view.seats if seat.player)
    assert (standing.name, standing.chips, standing.refills) == ("Alice", chips, 0)
    assert standing.highest >= 1_000
    assert client.get(f"/games/{game.id}/").status_code == 200


def test_the_link_of_a_table_says_what_kind_it_is(
    table_of: Callable[..., Friends], live: Friends, client: Client
) -> None:
    assert "seats are free" in client.get(f"/t/{live.code}/").content.decode()
    alone = table_of(Kind.SOLO, "openseat")
    page = client.get(f"/t/{alone.code}/").content.decode()
    assert "Alice plays blackjack alone" in page
    assert "The match is on" not in page
