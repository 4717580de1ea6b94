"""The socket of a table page. Thin: who it is, what it says, what it is shown."""

from __future__ import annotations

import logging
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as DatabaseFailure

from engine.errors import EngineError
from tables import fragments, identity, links, messages, services
from tables.errors import Refused
from tables.hub import hub
from tables.languages import language_of
from tables.limits import Bucket, guesses
from tables.thread import in_table_thread

logger = logging.getLogger(__name__)

# htmx comes back after 1006, 1011, 1012 and 1013 and stays away after these.
TOO_MANY_GUESSES = 4403
NO_SUCH_TABLE = 4404
FRAME_TOO_BIG = 4413
TOO_MANY_FRAMES = 4429
TRY_AGAIN_LATER = 1013

BURST, FRAMES_PER_SECOND = 20, 10
# Refusals are answers too: above this a socket only makes work.
FLOOD, FLOOD_PER_SECOND = 200, 40


class TableConsumer(AsyncWebsocketConsumer):
    channel_layer_alias = ""  # the hub listens for all of them

    code: str
    guest: str | None = None
    language: str
    base: str
    reader: fragments.Reader | None = None
    shown = 0
    joined = False
    warned = False
    closed = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # However it ended: a socket that broke must not count as somebody being here.
            await self.part()

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Channels' own hops through the thread that all synchronous code shares before every message: one
        # slow query anywhere would delay each click here.
        match message["type"]:
            case "websocket.connect":
                await self.connect()
            case "websocket.receive":
                if not self.closed:
                    await self.receive(message.get("text"), message.get("bytes"))
            case "websocket.disconnect":
                await self.disconnect(message.get("code", 1006))
                raise StopConsumer

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.language = language_of(self.scope)
        self.guest = identity.guest_id_from_scope(self.scope)
        self.base = links.base_of_scope(self.scope)
        self.bucket = Bucket(BURST, FRAMES_PER_SECOND)
        self.flood = Bucket(FLOOD, FLOOD_PER_SECOND)
        self.redraws = Bucket(BURST, FRAMES_PER_SECOND)
        # Closing before accepting looks like a lost connection to the page, which would try for ever.
        await self.accept()
        refused = await in_table_thread(self.why_not)
        if refused is not None:
            await self.refuse_for_good(refused)
            return
        self.joined = True
        await hub.join(self)

    def why_not(self) -> int | None:
        """The code to close with. After too many guesses it is the same for a table and for none."""
        address = str((self.scope.get("client") or [""])[0])
        if not guesses.allowed(address) and not services.belongs(self.guest, self.code):
            return TOO_MANY_GUESSES
        if not services.exists(self.code):
            guesses.missed(address)
            return NO_SUCH_TABLE
        return None

    async def disconnect(self, code: int) -> None:
        self.closed = True
        await self.part()

    async def part(self) -> None:
        if self.joined:
            self.joined = False
            await hub.part(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.flood.take():
            await self.refuse_for_good(TOO_MANY_FRAMES)
            return
        try:
            request = messages.read(text_data)
            if request.action == "ping":
                await self.send(fragments.pong())
                return
            if not self.bucket.take():
                await self.slow_down()
                return
            self.warned = False
            await in_table_thread(services.request, self.code, self.guest, request)
        except (Refused, EngineError) as refused:
            await self.refuse(refused.code, refused.params)
        except DatabaseFailure:
            logger.warning(
                "A request at table %s met a database that is not available", self.code, exc_info=True
            )
            await self.refuse("unavailable", {})

    async def refuse(self, code: str, params: dict[str, Any]) -> None:
        if code == "frame_too_big":
            await self.refuse_for_good(FRAME_TOO_BIG)
            return
        await self.send(fragments.toast(code, params, self.language))
        # A page is dear to draw: not one for each piece of nonsense in a flood of it.
        if self.redraws.take():
            hub.redraw(self)

    async def slow_down(self) -> None:
        """Once, until it is listened to again: answering each frame of a flood would double it."""
        if not self.warned:
            self.warned = True
            await self.send(fragments.toast("too_fast", {}, self.language))

    async def refuse_for_good(self, code: int) -> None:
        self.closed = True
        await self.close(code)

    # What the hub asks of a socket

    async def show(self, html: str) -> None:
        if not self.closed:
            await self.send(html)

    async def evict(self) -> None:
        self.closed = True
        try:
            await self.close(TRY_AGAIN_LATER)
        except Exception:
            # daphne allows an application only 1000 and 3000-4999; it also never makes a sender wait.
            logger.debug("A slow socket of table %s could not be closed with a code", self.code)
