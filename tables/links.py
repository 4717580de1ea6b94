"""Addresses to send to others. Those made on localhost carry one that others can reach, where we know it."""

from __future__ import annotations

import functools
import io
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def base_of(request: HttpRequest) -> str:
    return base(request.scheme or "http", request.get_host())


def base_of_scope(scope: Mapping[str, Any]) -> str:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    origin = urlsplit(headers.get(b"origin", ""))  # checked against the Host before we are called
    return base("https" if origin.scheme == "https" else "http", headers.get(b"host", "localhost"))


def base(scheme: str, host: str) -> str:
    if settings.PUBLIC_URL:
        return settings.PUBLIC_URL.rstrip("/")
    if settings.NETWORK_URL and urlsplit(f"//{host}").hostname in LOOPBACK:
        return settings.NETWORK_URL.rstrip("/")
    return f"{scheme}://{host}"


def table_url(code: str, base_url: str) -> str:
    return base_url + reverse("table", args=[code])


def seat_url(secret: str, base_url: str) -> str:
    return base_url + reverse("seat_move", args=[secret])


@functools.lru_cache(maxsize=256)
def qr(text: str) -> SafeString:
    """An SVG without style attributes, as our content security policy wants it."""
    out = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, dark="#13201b", light="#fffdf7",
        svgclass="qr", lineclass=None,
    )  # fmt: skip
    return mark_safe(out.getvalue().decode())  # noqa: S308
