"""Whoever comes, or comes back, in whatever phase: page and socket show the same whole table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends
from tests.tables.sockets import Page, ids
from tests.tables.test_pages import browser
from tests.tables.test_socket import EVERYTHING, later


def dealt(table: Friends, cards: str) -> None:
    table.start()
    table.deal(cards)


def over(table: Friends) -> None:
    table.start()
    table.command(ALICE, "resign")


PHASES: dict[str, Callable[[Friends], None]] = {
    "lobby": lambda table: None,
    "betting": lambda table: table.start(),
    "insurance": lambda table: dealt(table, "low low A low low"),
    "turns": lambda table: dealt(table, "low low mid low low"),
    "over": over,
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("phase", PHASES)
async def test_joining_and_reloading(friends: Friends, phase: str) -> None:
    await later(PHASES[phase])(friends)
    seats = [(seat.name, seat.chips) for seat in (await later(lambda: friends.view)()).seats]
    for guest in (ALICE, BOB, CAROL, MALLORY, ALICE):
        html = (await later(browser(guest).get)(f"/t/{friends.code}/")).content.decode()
        assert f'data-phase="{phase}"' in html
        async with Page(friends.code, guest) as page:
            assert ids(page.frames[0]) == EVERYTHING
            assert f'data-phase="{phase}"' in page.frames[0]
    assert [(seat.name, seat.chips) for seat in (await later(lambda: friends.view)()).seats] == seats


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("phase", ["betting", "insurance", "turns"])
async def test_a_line_that_is_cut_costs_nothing(friends: Friends, phase: str) -> None:
    await later(PHASES[phase])(friends)
    before = await later(lambda: friends.row)()
    async with Page(friends.code, ALICE):
        pass
    after = await later(lambda: friends.row)()
    assert (after.state, after.deadline) == (before.state, before.deadline)
    asked = ALICE if (await later(friends.own)(ALICE)).asks else BOB
    async with Page(friends.code, asked) as page:
        action = {"betting": {"action": "bet", "amount": "50"}, "insurance": {"action": "decline"}}.get(phase)
        ask = (await later(friends.ask)(asked)).ask
        frames = await page.say(ask=ask, **(action or {"action": "stand"}))
        assert 'class="toast"' not in "".join(frames)
