"""Who a browser is: a guest with a random id in a signed cookie. No account, no session.

The cookie is set on the answer to a page, never in a socket, whose answer the browser does not keep. A guest
comes into being when a browser opens a page that asks for one or posts a form. The robots that fetch a link
to show its preview in a chat, and HEAD requests, stay nobody.

In a view:    guest_id = ensure_guest(request)     # the middleware sets the cookie
              guest_id = guest_id_of(request)      # look only; None for a stranger
In a socket:  guest_id = guest_id_from_scope(scope)
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.http.cookie import parse_cookie

from tables.codes import new_guest_id

COOKIE = "guest"
COOKIE_AGE = 365 * 24 * 60 * 60
SALT = "tables.identity"

GUEST_ID = re.compile(r"[A-Za-z0-9_-]{22}")
# Whatever shows a page calls itself Mozilla; previews either do not, or add one of these words.
ROBOT = re.compile(r"bot\b|bot/|crawl|spider|preview|externalhit|facebot|slurp", re.IGNORECASE)


def guest_id_of(request: HttpRequest) -> str | None:
    """The guest this request comes from, also when the guest was made by this very request."""
    made: str | None = getattr(request, "_guest_id", None)
    return made or guest_id_from_cookie(request.COOKIES.get(COOKIE, ""))


def ensure_guest(request: HttpRequest) -> str | None:
    """The guest this request comes from, made now if need be; None for a robot or a HEAD request.

    A form that was posted always has a guest.
    """
    guest_id = guest_id_of(request)
    if guest_id is None and (request.method == "POST" or opened_by_a_browser(request)):
        guest_id = new_guest_id()
    if guest_id is not None:
        request._guest_id = guest_id  # type: ignore[attr-defined]
    return guest_id


def guest_id_from_scope(scope: Mapping[str, Any]) -> str | None:
    """The guest a socket belongs to, from the Cookie header it was opened with."""
    headers = [value.decode("latin1") for name, value in scope["headers"] if name == b"cookie"]
    return guest_id_from_cookie(parse_cookie("; ".join(headers)).get(COOKIE, ""))


def guest_id_from_cookie(value: str) -> str | None:
    try:
        guest_id = signing.Signer(salt=SALT).unsign(value)
    except signing.BadSignature:
        return None
    return guest_id if GUEST_ID.fullmatch(guest_id) else None


def cookie_of(guest_id: str) -> str:
    """The value of the cookie of this guest; also what a test's browser or socket has to carry."""
    return signing.Signer(salt=SALT).sign(guest_id)


def opened_by_a_browser(request: HttpRequest) -> bool:
    agent = request.headers.get("User-Agent", "")
    return request.method == "GET" and agent.startswith("Mozilla/") and not ROBOT.search(agent)


class GuestMiddleware:
    """Sets the cookie when the view asked for a guest; each such visit renews its year."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        guest_id: str | None = getattr(request, "_guest_id", None)
        if guest_id is not None:
            response.set_cookie(
                COOKIE,
                cookie_of(guest_id),
                max_age=COOKIE_AGE,
                httponly=True,
                samesite="Lax",
                secure=settings.GUEST_COOKIE_SECURE,
            )
        return response
