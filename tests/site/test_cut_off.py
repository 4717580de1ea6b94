"""A visitor goes, or the server stops, while a page is on its way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from openseat_site.asgi import Pages

SCOPE: dict[str, Any] = {
    "type": "http",
    "asgi": {"version": "3.0"},
    "http_version": "1.1",
    "method": "GET",
    "path": "/healthz",
    "query_string": b"",
    "headers": [(b"host", b"localhost")],
}


@pytest.mark.django_db(transaction=True)
async def test_a_page_ends_with_the_visitor_who_goes() -> None:
    sending = asyncio.Event()
    asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        for message in asked:
            return message
        await sending.wait()
        return {"type": "http.disconnect"}

    async def send(message: Mapping[str, Any]) -> None:
        sending.set()
        await asyncio.Event().wait()

    await asyncio.wait_for(Pages()(SCOPE, receive, send), 10)


async def test_who_goes_is_nobodys_failure() -> None:
    """A server that stops has dropped the page by then, and nothing asks how its tasks ended."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    await Pages().listen_for_disconnect(receive)
