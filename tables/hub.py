"""The live side of a process: which sockets watch which tables, and what they are shown.

One receiver owns one channel and is in the group of every table with a socket here. It only marks tables;
one task a table shows the newest version. A janitor repairs what got lost, a sweeper and one timer a table
move time forward.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import DatabaseError

from tables import broadcast, clock, presence, services, snapshot
from tables.fragments import Reader, Showing
from tables.thread import in_table_thread

logger = logging.getLogger(__name__)

FAN_OUT_SECONDS = 0.2
JANITOR_SECONDS = 3.0
SWEEP_SECONDS = 1.0
# asyncio's timers may fire a hair early against the wall clock.
TIMER_SLACK = 0.005
NOTHING = 0


class Socket(Protocol):
    code: str
    guest: str | None
    language: str
    base: str
    reader: Reader | None
    shown: int

    async def show(self, html: str) -> None: ...

    async def evict(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Frame:
    """What a socket is to be sent if it is still at the showing `since`: a redraw in between wants more."""

    socket: Socket
    reader: Reader
    since: int
    html: str


class Room:
    """A table as this process shows it. `shown` of a socket is the serial number of the showing it has."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.sockets: set[Socket] = set()
        self.guests: dict[str, int] = {}
        self.showing: Showing | None = None
        self.outdated = True
        self.task: asyncio.Task[None] | None = None
        self.timers: list[asyncio.TimerHandle] = []

    @property
    def empty(self) -> bool:
        return not self.sockets and not self.guests

    def mark(self, version: int) -> None:
        if self.showing is None or version > self.showing.seen.version:
            self.look_again()

    def look_again(self) -> None:
        self.outdated = True
        self.wake()

    def wake(self) -> None:
        if self.task is None or self.task.done():
            self.task = broadcast.keep(self._show_newest())

    async def _show_newest(self) -> None:
        while self.sockets and (self.outdated or self._behind()):
            try:
                if self.outdated or self.showing is None:
                    self.outdated = False
                    seen = await in_table_thread(snapshot.take, self.code)
                    if seen is None:
                        return
                    if self.showing is None or seen.version >= self.showing.seen.version:
                        self.showing = Showing(seen, self.showing)
                        self._set_timers(seen.deadline, seen.next_long_away())
                await self._fan_out(self.showing)
            except Exception:
                # The janitor looks at it again; one table that can not be shown must not cost the others.
                logger.exception("Table %s could not be shown", self.code)
                return

    def _behind(self) -> list[Socket]:
        serial = self.showing.serial if self.showing else NOTHING
        return [socket for socket in self.sockets if socket.shown != serial]

    async def _fan_out(self, showing: Showing) -> None:
        # All are made before the first is sent: for a crowd that takes longer than a socket may.
        frames = iter([frame async for frame in self._frames(showing)])
        current: list[Socket] = []
        done = False
        while not done:
            try:
                async with asyncio.timeout(FAN_OUT_SECONDS):
                    for frame in frames:
                        current[:] = [frame.socket]
                        if frame.socket in self.sockets and frame.socket.shown == frame.since:
                            frame.socket.reader, frame.socket.shown = frame.reader, showing.serial
                            await self._show(frame.socket, frame.html)
                done = True
            except TimeoutError:
                for socket in current:
                    self.evict(socket)

    async def _frames(self, showing: Showing) -> AsyncIterator[Frame]:
        for socket in self._behind():
            # Other tables are not to wait for this one's crowd.
            await asyncio.sleep(0)
            since = socket.shown
            reader = Reader(socket.language, showing.seen.player_of(socket.guest), socket.base)
            # Who has become somebody else (a seat that moved) needs everything of that person.
            known = since if socket.reader == reader else NOTHING
            try:
                html = showing.frame(reader, since=known)
            except Exception:
                # What is wrong with one page is not to stop the table for the others.
                logger.exception("A page of table %s could not be made", self.code)
                self.evict(socket)
            else:
                yield Frame(socket, reader, since, html)

    async def _show(self, socket: Socket, html: str) -> None:
        try:
            await socket.show(html)
        except Exception as error:
            # Gone while we were writing to it; the others are not to wait for that.
            logger.warning("A socket of table %s could not be written to: %r", self.code, error)
            self.evict(socket)

    def evict(self, socket: Socket) -> None:
        """It reads too slowly for the others; it comes back to a snapshot."""
        self.sockets.discard(socket)
        broadcast.keep(socket.evict())

    def _set_timers(self, deadline: datetime | None, change: datetime | None) -> None:
        self.stop_timers()
        now = clock.now()
        for moment, work in ((deadline, self._time_is_up), (change, self.look_again)):
            if moment is not None:
                delay = max(0.0, (moment - now).total_seconds()) + TIMER_SLACK
                loop = asyncio.get_running_loop()
                self.timers.append(loop.call_later(delay, work, context=contextvars.Context()))

    def stop_timers(self) -> None:
        for timer in self.timers:
            timer.cancel()
        self.timers = []

    def _time_is_up(self) -> None:
        broadcast.keep(expire(self.code))


async def expire(code: str) -> None:
    try:
        await in_table_thread(services.expire, code)
    except Exception:
        logger.exception("The time of table %s could not be ended", code)


class Hub:
    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.rooms: dict[str, Room] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.channel: str | None = None

    def ensure_started(self) -> None:
        loop = asyncio.get_running_loop()
        if self.loop is loop and self.tasks and not any(task.done() for task in self.tasks):
            return
        if self.loop is loop:
            for task in self.tasks:
                task.cancel()
        else:
            # Sockets and timers of another loop are gone with it.
            self.rooms = {}
            self.channel = None
            self.loop = loop
        self.tasks = [
            self._start(loop, work) for work in (self._janitor(), self._sweeper(), self._receiver())
        ]
        presence.begin()

    def _start(self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return loop.create_task(work, context=contextvars.Context())

    def heard(self, code: str, version: int) -> None:
        room = self.rooms.get(code)
        if room is not None:
            room.mark(version)

    # Sockets

    async def join(self, socket: Socket) -> None:
        broadcast.ensure_started()
        room = self.rooms.get(socket.code)
        new = room is None
        if room is None:
            room = self.rooms[socket.code] = Room(socket.code)
        # Before anything is waited for: a socket that is lost meanwhile must find itself here to part, and
        # the last one that parts takes the room with it.
        room.sockets.add(socket)
        first = False
        if socket.guest is not None:
            room.guests[socket.guest] = room.guests.get(socket.guest, 0) + 1
            first = room.guests[socket.guest] == 1
        if new:
            await self._enter(socket.code)
            room.look_again()
        else:
            room.wake()
        if first and socket.guest is not None:
            await self._note(presence.arrive, socket.code, socket.guest)

    async def part(self, socket: Socket) -> None:
        room = self.rooms.get(socket.code)
        if room is None:
            return
        room.sockets.discard(socket)
        last = False
        if socket.guest is not None and socket.guest in room.guests:
            room.guests[socket.guest] -= 1
            last = room.guests[socket.guest] <= 0
            if last:
                del room.guests[socket.guest]
        if room.empty:
            room.stop_timers()
            del self.rooms[socket.code]
        if last and socket.guest is not None:
            await self._note(presence.depart, socket.code, socket.guest)
        if socket.code not in self.rooms:
            await self._exit(socket.code)

    async def _note(self, work: Callable[[str, str], None], code: str, guest: str) -> None:
        try:
            await in_table_thread(work, code, guest)
        except DatabaseError as error:
            logger.warning("Who is at table %s is noted later: %s", code, error)  # by the janitor

    def redraw(self, socket: Socket) -> None:
        """Everything anew for one socket, after a refusal: its page may show what is no longer so."""
        socket.shown = NOTHING
        room = self.rooms.get(socket.code)
        if room is not None:
            room.wake()

    # The other processes

    async def _enter(self, code: str) -> None:
        layer = self._layer()
        if layer is not None and self.channel is not None:
            try:
                await layer.group_add(broadcast.group(code), self.channel)
            except Exception as error:
                logger.warning("Table %s hears no other process for now: %s", code, error)

    async def _exit(self, code: str) -> None:
        layer = self._layer()
        if layer is not None and self.channel is not None:
            try:
                await layer.group_discard(broadcast.group(code), self.channel)
            except Exception as error:
                logger.warning("Table %s could not leave its group: %s", code, error)

    def _layer(self) -> Any:
        layer = get_channel_layer()
        return None if isinstance(layer, InMemoryChannelLayer) else layer

    async def _receiver(self) -> None:
        layer = self._layer()
        while layer is not None:
            try:
                self.channel = await layer.new_channel()
                for code in list(self.rooms):
                    await self._enter(code)
                while True:
                    # No time-out around it: a cancelled receive gives the channel up.
                    message = await layer.receive(self.channel)
                    self.heard(message["code"], message["version"])
            except Exception as error:
                logger.warning("Not listening to other processes, trying again: %s", error)
                await asyncio.sleep(1)
        await asyncio.Event().wait()

    async def _janitor(self) -> None:
        while True:
            await asyncio.sleep(JANITOR_SECONDS)
            try:
                presence.begin()  # again, where the first time failed
                here = {(code, guest) for code, room in self.rooms.items() for guest in room.guests}
                await in_table_thread(presence.beat, here)
                await in_table_thread(services.tidy)
                for code in list(self.rooms):
                    await self._enter(code)
                await self._compare(list(self.rooms))
            except Exception:
                logger.exception("The janitor stumbled and goes on")

    async def _compare(self, codes: Iterable[str]) -> None:
        for code, version in (await in_table_thread(snapshot.versions, codes)).items():
            self.heard(code, version)
        for room in self.rooms.values():
            room.wake()

    async def _sweeper(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                for code in await in_table_thread(services.overdue):
                    await expire(code)
            except Exception:
                logger.exception("The sweeper stumbled and goes on")


hub = Hub()
broadcast.listen(hub)
