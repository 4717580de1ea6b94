from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tables import codec, people
from tables.limits import guesses
from tests.tables.friends import Friends, FrozenClock, Seeds, opened, opened_as


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
def _fresh_process() -> Iterator[None]:
    guesses.forget()
    codec.remembered.clear()
    people.remembered.clear()
    yield
    codec.remembered.clear()
    people.remembered.clear()


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


@pytest.fixture
def table_of(db: None, seeds: Seeds, clock: FrozenClock) -> Play:
    """A table of any kind: `table_of(Kind.OPEN, "casino8", BOB)`."""
    return partial(opened_as, seeds, clock)
