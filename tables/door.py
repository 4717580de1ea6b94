"""The way into the pages of one table: its code is found, or the visitor is told why not."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from tables import identity, services, words
from tables.limits import guesses
from tables.models import Game, Table

NOTICES = {
    "not_host": gettext_lazy("Only for the host"),
    "not_in_lobby": gettext_lazy("Not right now"),
    "too_many_guesses": gettext_lazy("Too many tries"),
}
WAIT_SECONDS = 60


def at_table(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give `view` the table of a code. Whoever is known there does not guess, whatever others at the same
    address do."""

    @wraps(view)
    def found(request: HttpRequest, code: str, **more: Any) -> HttpResponse:
        refused = _guesses_too_much(request, code)
        if refused is not None:
            return refused
        row = Table.objects.filter(code=code).first()
        if row is None:
            guesses.missed(address(request))
            raise Http404
        return view(request, row, **more)

    return found


def at_games(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give `view` the code of a table that there is, or was: its games outlive it."""

    @wraps(view)
    def found(request: HttpRequest, code: str) -> HttpResponse:
        refused = _guesses_too_much(request, code)
        if refused is not None:
            return refused
        open_still = services.exists(code)
        if not open_still and not Game.objects.filter(table_code=code).exists():
            guesses.missed(address(request))
            raise Http404
        return view(request, code, open_still=open_still)

    return found


def _guesses_too_much(request: HttpRequest, code: str) -> HttpResponse | None:
    """The same for a code that is one and for a code that is none: the answer must not tell which."""
    if guesses.allowed(address(request)) or services.belongs(identity.guest_id_of(request), code):
        return None
    return notice(request, "too_many_guesses", 429)


def notice(request: HttpRequest, code: str, status: int, table: str = "") -> HttpResponse:
    """A page that says why not, and leads on."""
    context = {"title": NOTICES[code], "text": words.refusal(code), "code": table}
    answer = render(request, "tables/notice.html", context, status=status)
    if status == 429:
        answer["Retry-After"] = str(WAIT_SECONDS)
    return answer


def address(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))
