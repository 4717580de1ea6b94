"""The one thread of a process in which sockets and timers touch the database.

It keeps its own connection, so that neither a slow page nor a page's connection handling can hold up a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from django.db import DatabaseError, InterfaceError, connection

T = TypeVar("T")

_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tables")


async def in_table_thread(work: Callable[..., T], *args: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(_thread, _reconnecting, work, args)


def submit(work: Callable[..., T], *args: object) -> Future[T]:
    return _thread.submit(_reconnecting, work, args)


def _reconnecting(work: Callable[..., T], args: tuple[object, ...]) -> T:
    try:
        return work(*args)
    except (DatabaseError, InterfaceError):
        # Work is one transaction, and each is guarded by a version or a question: doing it again is safe.
        if not _drop_if_broken():
            raise
    return work(*args)


def _drop_if_broken() -> bool:
    broken = connection.connection is not None and not connection.is_usable()
    if broken:
        connection.close()
    return broken
