from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from django.db import OperationalError, connection

from tables import hub as hubs
from tables import services, thread
from tables.fragments import Reader, Showing
from tables.hub import Room
from tables.limits import Bucket, Guesses
from tests.tables.friends import ALICE, BOB, Friends
from tests.tables.sockets import Page
from tests.tables.test_socket import later


class Tab:
    """A socket that is written to; a slow one does not come to an end."""

    code = base = ""
    language = "en"

    def __init__(self, slow: bool = False) -> None:
        self.guest: str | None = None
        self.reader: Reader | None = None
        self.shown = 0
        self.slow = slow
        self.frames: list[str] = []
        self.evicted = False

    async def show(self, html: str) -> None:
        if self.slow:
            await asyncio.Event().wait()
        self.frames.append(html)

    async def evict(self) -> None:
        self.evicted = True


@pytest.mark.django_db(transaction=True)
async def test_a_tab_that_does_not_read_delays_the_others_once(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "FAN_OUT_SECONDS", 0.05)
    seen = await later(friends.seen)()
    room = Room(friends.code)
    tabs = [Tab(slow=number in (1, 3)) for number in range(6)]
    for tab in tabs:
        room.sockets.add(tab)
    room.showing = Showing(seen)
    await room._fan_out(room.showing)
    await asyncio.sleep(0)
    assert [len(tab.frames) for tab in tabs] == [1, 0, 1, 0, 1, 1]
    assert [tab.evicted for tab in tabs] == [False, True, False, True, False, False]
    assert len(room.sockets) == 4


@pytest.mark.django_db(transaction=True)
async def test_a_tab_that_is_gone_delays_nobody(friends: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = await later(friends.seen)()
    room = Room(friends.code)
    tabs = [Tab() for _ in range(3)]

    async def gone(html: str) -> None:
        raise ConnectionResetError

    monkeypatch.setattr(tabs[1], "show", gone)
    for tab in tabs:
        room.sockets.add(tab)
    room.showing = Showing(seen)
    await room._fan_out(room.showing)
    await asyncio.sleep(0)
    assert [len(tab.frames) for tab in tabs] == [1, 0, 1]
    assert tabs[1].evicted


@pytest.mark.django_db(transaction=True)
async def test_no_time_of_the_sockets_goes_by_while_the_pages_of_a_crowd_are_made(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever is written to when the time is up would be taken for a slow reader."""
    seen = await later(friends.seen)()
    room = Room(friends.code)
    tabs = [Tab() for _ in range(6)]
    happened: list[str] = []

    def frame(self: Showing, reader: Reader, *, since: int) -> str:
        happened.append("made")
        return ""

    async def show(html: str) -> None:
        happened.append("shown")

    async def other_table() -> None:
        while True:
            happened.append("other")
            await asyncio.sleep(0)

    monkeypatch.setattr(Showing, "frame", frame)
    for tab in tabs:
        monkeypatch.setattr(tab, "show", show)
        room.sockets.add(tab)
    room.showing = Showing(seen)
    other = asyncio.create_task(other_table())
    await room._fan_out(room.showing)
    other.cancel()
    assert [one for one in happened if one != "other"] == ["made"] * 6 + ["shown"] * 6
    assert not any(pair == ("made", "made") for pair in pairwise(happened)), "others had their turns between"


@pytest.mark.django_db(transaction=True)
async def test_a_page_that_can_not_be_made_is_missed_by_nobody_else(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = await later(friends.seen)()
    room = Room(friends.code)
    tabs = [Tab() for _ in range(3)]
    tabs[1].language = "bg"
    honest = Showing.frame

    def frame(self: Showing, reader: Reader, *, since: int) -> str:
        if reader.language == "bg":
            raise TypeError("no such price")
        return honest(self, reader, since=since)

    monkeypatch.setattr(Showing, "frame", frame)
    room.sockets.update(tabs)
    room.showing = Showing(seen)
    await room._fan_out(room.showing)
    await asyncio.sleep(0)
    assert [len(tab.frames) for tab in tabs] == [1, 0, 1]
    assert [tab.evicted for tab in tabs] == [False, True, False]


@pytest.mark.django_db(transaction=True)
async def test_a_redraw_that_is_wanted_while_pages_are_made_is_not_lost(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(friends.code)
    room.outdated = False
    tab = Tab()
    first = Showing(await later(friends.seen)())
    room.showing = Showing(await later(friends.seen)(), first)
    tab.shown = first.serial
    room.sockets.add(tab)
    asked: list[int] = []

    def frame(self: Showing, reader: Reader, *, since: int) -> str:
        asked.append(since)
        if len(asked) == 1:
            tab.shown = hubs.NOTHING  # as Hub.redraw does after a refusal
        return "news" if since else "everything"

    monkeypatch.setattr(Showing, "frame", frame)
    tab.reader = Reader("en", None)
    await room._show_newest()
    assert asked == [first.serial, hubs.NOTHING]
    assert tab.frames == ["everything"]
    assert tab.shown == room.showing.serial


@pytest.fixture
def slow_group(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """The line to the other processes is slow: a new room waits for its group until this is set."""
    there = asyncio.Event()

    async def enter(self: hubs.Hub, code: str) -> None:
        await there.wait()

    monkeypatch.setattr(hubs.Hub, "_enter", enter)
    return there


@pytest.mark.django_db(transaction=True)
async def test_who_goes_while_another_waits_for_the_group_leaves_the_room_to_that_one(
    friends: Friends, slow_group: asyncio.Event
) -> None:
    first, second = Tab(), Tab()
    first.code = second.code = friends.code
    joining = asyncio.create_task(hubs.hub.join(first))
    await asyncio.sleep(0)
    await hubs.hub.join(second)
    await hubs.hub.part(second)
    slow_group.set()
    await joining
    room = hubs.hub.rooms[friends.code]
    assert room.sockets == {first}
    assert room.task is not None
    await room.task
    assert first.frames
    version = (await later(lambda: friends.row.version)()) + 1
    await later(friends.command)(BOB, "ready", ready="1")
    await asyncio.sleep(0)
    assert room.task is not None
    await room.task
    assert f'data-version="{version}"' in first.frames[-1]
    await hubs.hub.part(first)
    assert friends.code not in hubs.hub.rooms


@pytest.mark.django_db(transaction=True)
async def test_a_tab_lost_while_it_waits_for_the_group_costs_the_other_tab_nothing(
    friends: Friends, slow_group: asyncio.Event
) -> None:
    """Two tabs of one guest: the one that never came counts for nothing."""
    first, second = Tab(), Tab()
    for tab in (first, second):
        tab.code, tab.guest = friends.code, ALICE
    joining = asyncio.create_task(hubs.hub.join(first))
    await asyncio.sleep(0)
    await hubs.hub.join(second)
    joining.cancel()
    await hubs.hub.part(first)
    room = hubs.hub.rooms[friends.code]
    assert (room.sockets, room.guests) == ({second}, {ALICE: 1})
    await hubs.hub.part(second)
    assert friends.code not in hubs.hub.rooms


@pytest.mark.django_db(transaction=True)
async def test_a_socket_that_broke_is_nobodys_presence(
    playing: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    page = Page(playing.code, BOB)
    await page.connect()
    await page.settle()
    assert 2 not in await later(lambda: playing.seen().away())()
    monkeypatch.setattr(services, "request", broken)
    await page.say(action="leave", game="1")
    with pytest.raises(RuntimeError):
        await page.wait()
    assert 2 in await later(lambda: playing.seen().away())()
    assert not hubs.hub.rooms


@pytest.mark.django_db(transaction=True)
async def test_a_database_that_is_not_there_refuses_the_click(
    playing: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise OperationalError("database is locked")

    async with Page(playing.code, ALICE) as page:
        monkeypatch.setattr(services, "request", locked)
        frames = await page.say(action="leave", game="1")
        assert 'class="toast"' in "".join(frames)
        assert page.closed_with is None


async def test_a_broken_connection_is_opened_again() -> None:
    tries: list[bool] = []

    class Connection:
        connection = object()

        def is_usable(self) -> bool:
            return False

        def close(self) -> None:
            tries.append(False)

    def work() -> str:
        if not tries:
            raise OperationalError("server closed the connection unexpectedly")
        return "done"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thread, "connection", Connection())
        assert await thread.in_table_thread(work) == "done"


async def test_another_error_is_not_tried_again() -> None:
    calls: list[int] = []

    def work() -> None:
        calls.append(1)
        raise OperationalError("no such table")

    with pytest.raises(OperationalError):
        await thread.in_table_thread(work)
    assert len(calls) == 1


@pytest.mark.django_db(transaction=True)
async def test_the_table_thread_keeps_its_connection(playing: Friends) -> None:
    await thread.in_table_thread(services.overdue)
    first = await thread.in_table_thread(lambda: id(connection.connection))
    await thread.in_table_thread(services.overdue)
    assert await thread.in_table_thread(lambda: id(connection.connection)) == first


def test_a_bucket_gives_what_it_holds_and_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("tables.limits.monotonic", lambda: now[0])
    bucket = Bucket(3, 1)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 2
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_only_misses_count_as_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("tables.limits.monotonic", lambda: now[0])
    guesses = Guesses(2, 0.1)
    assert all(guesses.allowed("a") for _ in range(100))
    guesses.missed("a")
    guesses.missed("a")
    assert (guesses.allowed("a"), guesses.allowed("b")) == (False, True)
    now[0] = 10
    assert guesses.allowed("a")
