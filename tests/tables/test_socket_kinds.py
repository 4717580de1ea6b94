"""The sockets of open and solo tables: players, spectators and strangers all see the newest version."""

from __future__ import annotations

import re

import pytest

from engine.game import Kind
from tables import services
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends
from tests.tables.sockets import Page, ids, toast
from tests.tables.test_socket import EVERYTHING, later

pytestmark = pytest.mark.django_db(transaction=True)

QUIET = "low low mid low low"
SEVEN_SEATS = EVERYTHING | {"seat-5", "seat-6", "seat-7"}
ONE_SEAT = EVERYTHING - {"seat-2", "seat-3", "seat-4"}


@pytest.fixture
def live(table_of: Play) -> Friends:
    table = table_of(Kind.OPEN, "casino8", BOB, cards=QUIET)
    services.join(table.code, CAROL, "Carol", sit=False)
    return table


@pytest.fixture
def alone(table_of: Play) -> Friends:
    return table_of(Kind.SOLO, "openseat", cards="low mid low")


async def version(table: Friends) -> int:
    newest: int = await later(lambda: table.row.version)()
    return newest


async def test_everybody_at_an_open_table_sees_each_version(live: Friends) -> None:
    asked = {guest: (await later(live.ask)(guest)).ask for guest in (ALICE, BOB)}
    async with Page(live.code, ALICE) as alice, Page(live.code, CAROL) as carol, Page(live.code) as stranger:
        pages = (alice, carol, stranger)
        assert [ids(page.frames[0]) for page in pages] == [SEVEN_SEATS] * 3
        await alice.say(action="bet", ask=asked[ALICE], amount="50")
        async with Page(live.code, BOB) as bob:
            await bob.say(action="bet", ask=asked[BOB], amount="50")
            for page in (*pages, bob):
                await page.settle()
                assert page.version() == await version(live)
                assert re.findall(r'data-phase="(\w+)"', page.frames[-1])[0] == "turns"
        for page, secret in ((carol, "own of Alice"), (stranger, "own of Alice")):
            assert asked[ALICE] not in page.text, secret


async def test_a_seat_that_is_taken_is_shown_to_all(live: Friends) -> None:
    async with Page(live.code, BOB) as bob, Page(live.code, CAROL) as carol:
        before = len(bob.frames)
        await carol.say(action="sit", game="1", seat="7")
        await bob.settle()
        news = "".join(bob.frames[before:])
        assert "seat-7" in ids(news)
        assert "Carol" in news
        await carol.say(action="leave", game="1")
        await bob.settle()
        assert bob.version() == carol.version() == await version(live)
    assert sorted((await later(live.seated)()).values()) == ["Alice", "Bob"]


async def test_who_comes_in_mid_round_is_shown_the_whole_table(live: Friends) -> None:
    for guest in (ALICE, BOB):
        await later(live.bet)(guest)
    for visitor in (CAROL, MALLORY, None, ALICE):
        async with Page(live.code, visitor) as page:
            assert ids(page.frames[0]) == SEVEN_SEATS
            assert 'data-phase="turns"' in page.frames[0]
            assert page.version() == await version(live)
    async with Page(live.code, CAROL) as carol:
        assert toast(await carol.say(action="sit", game="1", seat="3"))


async def test_the_clock_deals_before_everybodys_eyes(live: Friends) -> None:
    await later(live.bet)(ALICE)
    async with Page(live.code, CAROL) as carol:
        live.clock.advance(15)
        news = await carol.shown_after(later(services.expire)(live.code))
        assert {"seat-1", "seat-2", "dealer"} <= ids(news)
        assert carol.version() == await version(live)


async def test_who_plays_alone_and_who_looks_on_see_each_version(alone: Friends) -> None:
    async with Page(alone.code, ALICE) as alice, Page(alone.code) as stranger:
        assert ids(alice.frames[0]) == ids(stranger.frames[0]) == ONE_SEAT
        asked = (await later(alone.ask)(ALICE)).ask
        assert f'value="{asked}"' in alice.text
        await alice.say(action="stand", ask=asked)
        await stranger.settle()
        assert alice.version() == stranger.version() == await version(alone)
        assert asked not in stranger.text
        await alice.say(action="new_game", game="1")
        await stranger.settle()
        assert stranger.version() == await version(alone)
        assert 'data-game="2"' in stranger.frames[-1]


async def test_a_void_round_is_shown_to_all(live: Friends) -> None:
    for guest in (ALICE, BOB):
        await later(live.bet)(guest)
    async with Page(live.code, ALICE) as alice, Page(live.code, CAROL) as carol:
        await carol.shown_after(later(services.void_round)(live.code))
        await alice.settle()
        for page in (alice, carol):
            assert page.version() == await version(live)
            assert 'data-phase="betting"' in page.frames[-1]


async def test_two_tabs_at_two_tables_are_two_people(live: Friends, alone: Friends) -> None:
    asked = (await later(alone.ask)(ALICE)).ask
    async with Page(live.code, ALICE) as one, Page(alone.code, ALICE) as other:
        assert toast(await one.say(action="stand", ask=asked))
        before = await version(live)
        await other.say(action="stand", ask=asked)
        assert await version(live) == before
    assert (await later(lambda: live.seen().away())()) == {1}


async def test_no_frame_of_a_shoe_in_use_tells_its_seeds(live: Friends) -> None:
    pages = [Page(live.code, guest) for guest in (ALICE, BOB, CAROL, None)]
    for page in pages:
        await page.connect()
    for _ in range(2):
        await later(live.round)(ALICE, BOB)
    for guest in (ALICE, BOB):
        await later(live.bet)(guest)
    state = (await later(lambda: live.row)()).state
    secrets = set(re.findall(r'"(?:seed|spare)":"([0-9a-f]{64})"', state))
    assert len(secrets) == 2
    for page in pages:
        await page.settle()
        assert page.version() == await version(live)
        assert not [secret for secret in secrets if secret in page.text]
        await page.disconnect()
