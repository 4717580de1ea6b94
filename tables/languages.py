"""The language of a socket: Django's middleware sees only pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.http.cookie import parse_cookie
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header


def language_of(scope: Mapping[str, Any]) -> str:
    headers: Iterable[tuple[bytes, bytes]] = scope.get("headers", ())
    asked: list[str] = []
    for name, value in headers:
        text = value.decode("latin-1")
        if name == b"cookie":
            asked.insert(0, parse_cookie(text).get(settings.LANGUAGE_COOKIE_NAME, ""))
        elif name == b"accept-language":
            asked += [language for language, _ in parse_accept_lang_header(text.lower())]
    for language in asked:
        try:
            return get_supported_language_variant(language)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
