"""A page of another site must not open a socket here with the visitor's cookie."""

import logging
from collections.abc import Mapping
from urllib.parse import urlsplit

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope, WebSocketCloseEvent
from django.conf import settings

logger = logging.getLogger(__name__)

DEFAULT_PORTS = {"http": 80, "https": 443}


class SameOrigin:
    def __init__(self, application: ASGI3Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "websocket":
            raise ValueError(f"Only sockets have an origin to check, not {scope['type']}")
        reason = why_refused({name.lower(): value for name, value in scope["headers"]})
        if reason:
            logger.warning("Socket %.80r refused: %s", scope["path"], reason)
            await send(WebSocketCloseEvent(type="websocket.close", code=1000, reason=""))
            return
        await self.application(scope, receive, send)


def why_refused(headers: Mapping[bytes, bytes]) -> str:
    """An empty text for a socket opened by our own page, else the reason in a few words for the log."""
    origin = headers.get(b"origin", b"").decode("latin1")
    host = headers.get(b"host", b"").decode("latin1")
    if not origin:
        return "no Origin header"
    own = [f"{scheme}://{host}" for scheme in DEFAULT_PORTS]
    if settings.PUBLIC_URL:
        # Behind a proxy the Host that arrives here may be an inner one.
        own.append(settings.PUBLIC_URL)
    if place(origin) not in {place(address) for address in own} - {None}:
        return f"Origin {origin[:80]!r} is not {host[:80]!r}"
    return ""


def place(address: str) -> tuple[str, str, int | None] | None:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port or DEFAULT_PORTS[parts.scheme]
