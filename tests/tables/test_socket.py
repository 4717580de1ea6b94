from __future__ import annotations

import asyncio
import json
import logging
import re

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async

from tables import services
from tables.models import Presence, Table
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends
from tests.tables.sockets import Page, ids, toast

pytestmark = pytest.mark.django_db(transaction=True)

QUIET = "low low mid low low"
EVERYTHING = {
    "version", "status", "dealer", "shoe", "seat-1", "seat-2", "seat-3", "seat-4", "log", "standings",
    "backers", "proofs", "people", "result", "offer", "lobby", "own", "actions", "tray", "menu-items", "pong",
}  # fmt: skip

later = database_sync_to_async


async def test_who_connects_is_shown_everything(playing: Friends) -> None:
    async with Page(playing.code, ALICE) as page:
        assert ids(page.frames[0]) == EVERYTHING


async def test_a_click_is_shown_to_everybody(playing: Friends) -> None:
    asked = (await later(playing.ask)(ALICE)).ask
    async with Page(playing.code, ALICE) as alice, Page(playing.code, CAROL) as carol:
        before = len(carol.frames)
        await alice.say(action="bet", ask=asked, amount="50")
        await carol.settle()
        news = "".join(carol.frames[before:])
        assert "seat-1" in ids(news)
        assert "seat-3" not in ids(news)
        assert carol.version() == alice.version() == (await later(lambda: playing.row.version)())


async def test_only_what_changed_is_sent(playing: Friends) -> None:
    asked = (await later(playing.ask)(ALICE)).ask
    async with Page(playing.code, BOB) as bob, Page(playing.code, ALICE) as alice:
        news = await bob.shown_after(alice.say(action="bet", ask=asked, amount="50"))
        assert not ids(news) & {"seat-2", "seat-3", "seat-4", "dealer", "result", "lobby", "log"}


async def test_what_is_a_persons_own_goes_to_that_person(playing: Friends) -> None:
    async with (
        Page(playing.code, ALICE) as alice,
        Page(playing.code, BOB) as bob,
        Page(playing.code) as stranger,
    ):
        asked = (await later(playing.ask)(ALICE)).ask
        secret = (await later(playing.person)(ALICE)).seat_secret
        assert f'value="{asked}"' in alice.text
        assert secret in alice.text
        for other in (bob, stranger):
            assert secret not in other.text
            assert ALICE not in other.text


async def test_a_refusal_is_told_to_the_sender_alone(playing: Friends) -> None:
    async with Page(playing.code, ALICE) as alice, Page(playing.code, BOB) as bob:
        asked = (await later(playing.ask)(ALICE)).ask
        before, version = len(bob.frames), (await later(lambda: playing.row.version)())
        answer = await alice.say(action="bet", ask=asked, amount="15")
        await bob.settle()
        assert toast(answer)
        assert ids("".join(answer)) == EVERYTHING  # and the page is drawn as it is
        assert bob.frames[before:] == []
        assert (await later(lambda: playing.row.version)()) == version


async def test_a_stranger_is_told_to_take_a_name(playing: Friends) -> None:
    async with Page(playing.code, MALLORY) as mallory:
        assert toast(await mallory.say(action="sit", game="1", seat="3"))


async def test_a_click_after_the_restart_of_a_page_is_refused_quietly(playing: Friends) -> None:
    """htmx sends what was clicked while the line was down, before the snapshot comes."""
    await later(playing.deal)(QUIET)
    frame = {"action": "hit", "ask": (await later(playing.ask)(ALICE)).ask}
    async with Page(playing.code, ALICE) as page:
        await page.say(**frame)
    async with Page(playing.code, ALICE) as page:
        assert toast(await page.say(**frame))
    cards = await later(lambda: playing.view.seats[0].hands[0].cards)()
    assert len(cards) == 3


async def test_a_ping_is_answered_without_the_table(playing: Friends) -> None:
    async with Page(playing.code, ALICE) as page:
        (pong,) = await page.say(action="ping")
        assert 'id="pong"' in pong
        assert len(pong) < 200


async def test_an_unknown_table_is_refused_for_good(db: None) -> None:
    page = Page("2222222222", ALICE)
    connected, _ = await page.connect()
    assert connected  # a refusal before that would be tried again for ever
    await page.settle()
    assert page.closed_with == 4404


async def test_after_too_many_guesses_a_table_and_none_get_the_same_answer(playing: Friends) -> None:
    async def closed_with(code: str, guest: str | None) -> int | None:
        page = Page(code, guest)
        await page.connect()
        await page.settle()
        await page.disconnect()
        return page.closed_with

    assert [await closed_with("2" * 14, MALLORY) for _ in range(20)] == [4404] * 20
    for guest in (MALLORY, None):
        assert [await closed_with(code, guest) for code in (playing.code, "2" * 14)] == [4403, 4403]
    # Who is known at the table shares an address with somebody who guesses, and stays.
    for guest in (ALICE, CAROL):
        assert await closed_with(playing.code, guest) is None


async def test_a_frame_of_a_megabyte_ends_the_socket(
    playing: Friends, caplog: pytest.LogCaptureFixture
) -> None:
    page = Page(playing.code, ALICE)
    await page.connect()
    await page.settle()
    await page.say_text(json.dumps({"action": "ping", "x": "y" * 1_000_000}))
    assert page.closed_with == 4413
    await page.disconnect()
    assert not [record for record in caplog.records if record.levelno > logging.WARNING]


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "{",
        "null",
        "[]",
        "1",
        '"bet"',
        "{}",
        '{"action": null}',
        '{"action": "cheat"}',
        '{"action": ["bet"]}',
        '{"action": "bet"}',
        "[" * 2000,
        '{"action": "hit", "ask": "1.1", "cards": "As"}',
        "\x00",
        "NaN",
    ],
)
async def test_nonsense_is_refused_in_words(
    playing: Friends, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = await later(lambda: playing.row.state)()
    async with Page(playing.code, ALICE) as page:
        assert toast(await page.say_text(text))
    assert (await later(lambda: playing.row.state)()) == before
    assert not [record for record in caplog.records if record.levelno > logging.WARNING]


async def test_bytes_are_no_frame(playing: Friends) -> None:
    async with Page(playing.code, ALICE) as page:
        await page.send_to(bytes_data=b"\x00\xff")
        await page.settle()
        assert toast(page.frames)


async def test_two_hundred_frames_in_a_second_reach_the_table_as_a_few(playing: Friends) -> None:
    asked = (await later(playing.ask)(ALICE)).ask
    async with Page(playing.code, BOB) as bob:
        page = Page(playing.code, ALICE)
        await page.connect()
        await page.settle()
        before = await later(lambda: playing.row.version)()
        for _ in range(300):
            await page.send_to(text_data=json.dumps({"action": "bet", "ask": asked, "amount": "50"}))
        await page.settle()
        assert page.closed_with in (None, 4429)
        await page.disconnect()
        after = await later(lambda: playing.row)()
        await bob.settle()
        assert (await later(lambda: playing.view.seats[0].bet)()) == 50
        assert after.version <= before + 2


async def test_presence_counts_sockets(playing: Friends) -> None:
    away = later(lambda: playing.seen().away())
    first = Page(playing.code, ALICE)
    async with Page(playing.code, BOB) as bob:
        await first.connect()
        async with Page(playing.code, ALICE):
            await first.disconnect()
            await bob.settle()
            assert 1 not in (await away())
        await bob.settle()
        assert 1 in (await away())
        assert "seat-away" in bob.text
    assert await later(Presence.objects.count)() == 0


async def test_a_seat_that_moved_is_gone_from_the_old_page(playing: Friends) -> None:
    secret = (await later(playing.person)(ALICE)).seat_secret
    async with Page(playing.code, ALICE) as old:
        asked = (await later(playing.ask)(ALICE)).ask
        news = await old.shown_after(later(services.move_seat)(secret, MALLORY))
        assert ids(news) == EVERYTHING
        assert asked not in news
        new_secret = (await later(playing.person)(MALLORY)).seat_secret
        assert new_secret not in old.text


async def test_time_runs_out_while_somebody_looks(playing: Friends) -> None:
    await later(playing.bet)(ALICE)
    async with Page(playing.code, BOB) as bob:
        playing.clock.advance(20)
        news = await bob.shown_after(later(services.expire)(playing.code))
        assert "seat-2" in ids(news)


async def test_each_reads_their_own_language(playing: Friends) -> None:
    async with Page(playing.code, ALICE, language="de"), Page(playing.code, BOB, language="uk"):
        pass


@pytest.mark.parametrize("headers", [{"origin": ""}, {"origin": "http://evil.example"}, {"origin": "null"}])
async def test_a_page_of_another_site_gets_no_socket(playing: Friends, headers: dict[str, str]) -> None:
    page = Page(playing.code, ALICE, **headers)
    connected, _ = await page.connect()
    assert not connected


async def test_a_hundred_announcements_at_once_end_in_the_newest_version(playing: Friends) -> None:
    async with Page(playing.code, CAROL) as carol:

        def burst() -> None:
            for _ in range(20):
                playing.answer(ALICE, "bet", amount="50")
                playing.answer(ALICE, "take_back")

        await carol.shown_after(later(burst)())
        assert carol.version() == (await later(lambda: playing.row.version)())


async def test_a_lost_announcement_is_repaired(playing: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.hub.JANITOR_SECONDS", 0.2)
    monkeypatch.setattr("tables.broadcast.announce", lambda code, version: None)
    async with Page(playing.code, CAROL) as carol:
        await later(playing.bet)(ALICE)
        await asyncio.sleep(0.5)
        await carol.settle()
        assert carol.version() == (await later(lambda: playing.row.version)())


async def test_an_announcement_that_fails_does_not_fail_the_click(
    playing: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(code: str, version: int) -> None:
        raise OSError("no line")

    monkeypatch.setattr("tables.broadcast.announce", broken)
    await later(playing.bet)(ALICE)
    assert (await later(lambda: playing.view.seats[0].bet)()) == 100


async def test_no_frame_tells_a_face_down_card_or_a_seed(playing: Friends) -> None:
    pages = [Page(playing.code, guest) for guest in (ALICE, BOB, CAROL, None)]
    for page in pages:
        await page.connect()
    await later(playing.deal)(QUIET)
    await later(playing.answer)(ALICE, "hit")
    row = await sync_to_async(Table.objects.get)(code=playing.code)
    seed = re.findall(r'"seed":"([0-9a-f]{64})"', row.state)
    assert seed
    hole = await later(lambda: playing.seen().game.round.dealer[1])()  # type: ignore[union-attr]
    for page in pages:
        await page.settle()
        text = page.text
        assert seed[0] not in text
        assert "s1c5" in text  # the hole card is on the felt, face down
        shown = re.search(r"<[^>]*s1c5[^>]*>", text)
        assert shown is not None
        assert str(hole) not in shown[0]
        await page.disconnect()
