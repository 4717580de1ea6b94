"""A page's socket in a test."""

from __future__ import annotations

import asyncio
import json
import re
from types import TracebackType
from typing import Any, Self

from channels.testing import WebsocketCommunicator

from tables.hub import hub
from tables.identity import cookie_of
from tables.thread import in_table_thread

HOST = "localhost"


class Page(WebsocketCommunicator):  # type: ignore[misc]
    """What one tab sends and is shown; `frames` are all that came."""

    def __init__(self, code: str, guest: str | None = None, *, language: str = "en", **headers: str) -> None:
        from openseat_site.asgi import application

        sent = {"host": HOST, "origin": f"http://{HOST}", "accept-language": language, **headers}
        if guest is not None:
            sent["cookie"] = f"guest={cookie_of(guest)}"
        super().__init__(
            application,
            f"/ws/t/{code}/",
            headers=[(name.encode(), value.encode()) for name, value in sent.items() if value],
        )
        self.frames: list[str] = []
        self.closed_with: int | None = None

    async def __aenter__(self) -> Self:
        connected, _ = await self.connect(timeout=5)
        assert connected
        await self.settle()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.disconnect(timeout=5)

    async def say(self, **payload: Any) -> list[str]:
        """Send a frame and return what it is answered with."""
        return await self.say_text(json.dumps(payload))

    async def say_text(self, text: str) -> list[str]:
        seen = len(self.frames)
        await self.send_to(text_data=text)
        await self.settle()
        return self.frames[seen:]

    async def settle(self) -> None:
        """Everything on its way has arrived: table thread, hub and socket have nothing to do."""
        quiet = 0
        while quiet < 3 and self.closed_with is None:
            await asyncio.sleep(0.002)
            await in_table_thread(int)
            busy = [
                room.task for room in hub.rooms.values() if room.task is not None and not room.task.done()
            ]
            if busy:
                await asyncio.wait(busy, timeout=5)
            quiet = 0 if self.take() or busy or not self.input_queue.empty() else quiet + 1

    def take(self) -> bool:
        """Whether anything had come."""
        came = not self.output_queue.empty()
        while not self.output_queue.empty():
            message = self.output_queue.get_nowait()
            if isinstance(message, Exception):
                raise message
            if message["type"] == "websocket.close":
                self.closed_with = message.get("code")
            else:
                self.frames.append(message["text"])
        return came

    async def shown_after(self, action: Any) -> str:
        seen = len(self.frames)
        await action
        await self.settle()
        return "".join(self.frames[seen:])

    @property
    def text(self) -> str:
        return "".join(self.frames)

    def version(self) -> int:
        return int(re.findall(r'data-version="(\d+)"', self.text)[-1])


def ids(html: str) -> set[str]:
    """The fragments in a frame."""
    return set(re.findall(r'<\w+ id="([\w-]+)"[^>]* hx-swap-oob="true"', html))


def toast(frames: list[str]) -> str:
    """The words of the refusals in these frames."""
    return " ".join(re.findall(r'<p class="toast">(.*?)</p>', "".join(frames)))
