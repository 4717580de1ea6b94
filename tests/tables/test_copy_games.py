"""The command that plays some games and copies them, for measuring lists of very many."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tables import summary
from tables.models import Game, GamePlayer, Round, Shoe
from tests.tables.friends import START
from tests.tables.test_pages import browser


def test_a_real_site_refuses_invented_games(db: None, settings: Any) -> None:
    assert not settings.TEST_MODE
    with pytest.raises(CommandError, match="TEST_MODE"):
        call_command("copy_games", to=10)
    assert not Game.objects.exists()


@pytest.fixture
def invented(db: None, settings: Any) -> list[Game]:
    settings.TEST_MODE = True
    call_command("copy_games", to=25, play=8, verbosity=0)
    return list(Game.objects.all())


def test_some_are_played_and_the_rest_are_copies_with_all_they_have(invented: list[Game]) -> None:
    assert len(invented) == 25
    copies = [game for game in invented if game.table is None]
    assert len(copies) == 17
    for game in copies:
        columns = summary.columns(game, game.players.all(), game.played.values_list("record", "finished"))
        assert columns == {name: getattr(game, name) for name in columns}
        assert START - timedelta(days=366) < game.dated <= START  # type: ignore[operator]
    for model in (GamePlayer, Shoe, Round):
        assert model.objects.filter(game__table=None).exists()


def test_a_copy_is_shown_as_any_game(invented: list[Game]) -> None:
    for game in [game for game in invented if game.table is None][:3]:
        assert browser().get(f"/games/{game.id}/").status_code == 200
        listed = browser().get(f"/t/{game.table_code}/games/").context["games"]
        assert game.id in [line.id for line in listed]


def test_what_is_there_already_counts(invented: list[Game]) -> None:
    call_command("copy_games", to=30, play=8, lists_only=True, verbosity=0)
    new = Game.objects.exclude(pk__in=[game.pk for game in invented])
    assert new.count() == 5
    assert not Round.objects.filter(game__in=new).exists()
    assert GamePlayer.objects.filter(game__in=new).exists()


@pytest.mark.parametrize(("to", "play"), [(0, 1), (-5, 1), (5, 0)])
def test_no_games_can_not_be_copied(db: None, settings: Any, to: int, play: int) -> None:
    settings.TEST_MODE = True
    with pytest.raises(CommandError):
        call_command("copy_games", to=to, play=play)
