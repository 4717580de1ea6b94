"""The way in for every request and every socket."""

import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "openseat_site.settings")

import django
from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.urls import re_path

from openseat_site import secret_key

if settings.KEY_FILE:
    settings.SECRET_KEY = secret_key.keep(settings.KEY_FILE, settings.SECRET_KEY)
django.setup(set_prefix=False)

# They need the loaded app registry.
from openseat_site.origin import SameOrigin  # noqa: E402
from tables import broadcast  # noqa: E402
from tables.routing import websocket_urlpatterns  # noqa: E402


class Pages(ASGIHandler):
    """Django's own, whose visitors may leave while the server stops: nobody asks then how it ended."""

    async def listen_for_disconnect(self, receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> None:
        with suppress(RequestAborted):
            await super().listen_for_disconnect(receive)


class NoSuchSocket(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        # Accepted first: a page whose socket is refused before that would try again for ever.
        await self.accept()
        await self.close(code=4404)


class Started:
    """Makes sure the background tasks run: daphne has no lifespan, so any scope may be the first."""

    def __init__(self, application: ASGI3Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        broadcast.ensure_started()
        await self.application(scope, receive, send)


application = Started(
    ProtocolTypeRouter(
        {
            "http": Pages(),
            "websocket": SameOrigin(
                URLRouter([*websocket_urlpatterns, re_path(r"", NoSuchSocket.as_asgi())])
            ),
        }
    )
)
