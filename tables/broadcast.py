"""Saying that a table has a new version, and hearing it.

An announcement is a hint: code, version and nothing else. It may be lost; whoever shows tables compares
versions from time to time. It is made after the commit and never fails what was committed.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

logger = logging.getLogger(__name__)


class Listener(Protocol):
    """The side of the process that shows tables, `hub`: it is above this module and says itself who it is."""

    def ensure_started(self) -> None: ...

    def heard(self, code: str, version: int) -> None: ...


_loop: asyncio.AbstractEventLoop | None = None
_listener: Listener | None = None
_kept: set[asyncio.Task[Any]] = set()


def listen(listener: Listener) -> None:
    global _listener
    _listener = listener


def ensure_started() -> None:
    """For every scope of the ASGI application, and at each join."""
    global _loop
    _loop = asyncio.get_running_loop()
    if _listener is not None:
        _listener.ensure_started()


def group(code: str) -> str:
    return f"table.{code}"


def announce_after_commit(code: str, version: int) -> None:
    transaction.on_commit(lambda: announce(code, version), robust=True)


def announce(code: str, version: int) -> None:
    """From any thread. A process without a loop (a command) says nothing; the others compare versions."""
    if _loop is None or _loop.is_closed():
        return
    _loop.call_soon_threadsafe(_said, code, version, context=contextvars.Context())


def _said(code: str, version: int) -> None:
    if _listener is not None:
        _listener.heard(code, version)
    layer = get_channel_layer()
    if layer is not None and not isinstance(layer, InMemoryChannelLayer):
        keep(_tell_others(layer, code, version))


async def _tell_others(layer: Any, code: str, version: int) -> None:
    try:
        await layer.group_send(group(code), {"type": "table.version", "code": code, "version": version})
    except Exception as error:
        logger.warning(
            "Table %s at version %s was not announced to other processes: %s", code, version, error
        )


def keep(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Start what nobody waits for: held, or it may vanish half way, and without its starter's context."""
    task = asyncio.get_running_loop().create_task(work, context=contextvars.Context())
    _kept.add(task)
    task.add_done_callback(_kept.discard)
    return task
