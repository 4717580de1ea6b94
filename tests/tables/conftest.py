from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tables import codec
from tables.limits import guesses
from tests.tables.friends import Friends, FrozenClock, Seeds, opened


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    # A file, as in production: several threads write to it.
    from django.conf import settings

    path = tmp_path_factory.mktemp("database") / "test.sqlite3"
    settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(path)


@pytest.fixture(autouse=True)
def clock(settings: Any) -> FrozenClock:
    frozen = FrozenClock()
    settings.CLOCK = frozen
    return frozen


@pytest.fixture(autouse=True)
def seeds(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Seeds:
    known = Seeds()
    settings.SEED_SOURCE = known
    monkeypatch.setattr("tables.clock.put_back", known.put_back)
    return known


@pytest.fixture(autouse=True)
def _fresh_process(settings: Any) -> Iterator[None]:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    guesses.forget()
    codec._remembered.clear()
    yield
    codec._remembered.clear()


@pytest.fixture
def friends(db: None, seeds: Seeds, clock: FrozenClock) -> Friends:
    """Alice opened a table with a clock, Bob sits, Carol watches."""
    return opened(seeds, clock)


@pytest.fixture
def playing(friends: Friends) -> Friends:
    """The first bets are open."""
    friends.start()
    return friends


Play = Callable[..., Friends]


@pytest.fixture
def open_friends(db: None, seeds: Seeds, clock: FrozenClock) -> Play:
    def opening(**how: Any) -> Friends:
        return opened(seeds, clock, **how)

    return opening
