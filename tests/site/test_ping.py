"""Somebody whose phone has died says nothing, so the site has to ask."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running_site import RunningSite
from tests.site.visitor import Line, open_table

NOTICED_WITHIN = 10


@pytest.fixture
def site(tmp_path: Path) -> Iterator[RunningSite]:
    site = RunningSite(tmp_path)
    site.start()
    yield site
    if site.process is not None:
        site.kill()
    site.check_log()


def test_a_silent_socket_is_closed_within_ten_seconds_and_one_that_answers_is_not(site: RunningSite) -> None:
    path, cookies = open_table(site)
    dead = Line(site, path, cookies, answers=False)
    living = Line(site, path, cookies, answers=True)
    begin = time.monotonic()
    while dead.alive and time.monotonic() < begin + NOTICED_WITHIN + 1:
        dead.listen()
        living.listen()
    assert time.monotonic() - begin < NOTICED_WITHIN
    while time.monotonic() < begin + NOTICED_WITHIN:
        living.listen()
    assert living.alive
    # People at the tables do not keep the site from stopping in order.
    assert site.stop() == 0
    assert site.log.endswith("Stopped.\n")
    living.socket.close()
    dead.socket.close()
