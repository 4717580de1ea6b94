"""Lists of games: of all listed tables, of one table, of one browser. Each is a page and a form of links."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import last_modified

from tables import archive, feeds, identity
from tables.archive_form import FilterForm
from tables.door import at_games
from tables.models import Game
from tables.reading import require_safe


@never_cache
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    return _list(request, archive.public(), "all", title=_("Games"))


@never_cache
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    guest = identity.guest_id_of(request)
    mine = archive.of_guest(guest) if guest else Game.objects.none()
    return _list(request, mine, "mine", guest=guest, title=_("My games"))


@never_cache
@require_safe
@at_games
def table_games(request: HttpRequest, code: str, *, open_still: bool) -> HttpResponse:
    context: dict[str, Any] = {"title": _("Games of this table"), "code": code, "open_still": open_still}
    return _list(request, archive.of_table(code), "table", **context)


@cache_control(private=True, no_cache=True)
@require_safe
@at_games
def table_feed(request: HttpRequest, code: str, *, open_still: bool) -> HttpResponse:
    newest = last_modified(lambda *_args: feeds.changed(code))
    answer: HttpResponse = newest(feeds.TableFeed())(request, code)
    return answer


def _list(
    request: HttpRequest, games: QuerySet[Game], scope: str, *, guest: str | None = None, **context: Any
) -> HttpResponse:
    form = FilterForm(request.GET, of_one_table=scope == "table")
    context |= {"scope": scope, "form": form}
    if not form.is_valid():
        return render(request, "tables/games.html", context, status=400)
    found = archive.page(games, form.filters, after=form.after, before=form.before, guest=guest)
    context |= {
        "games": found.lines,
        "before": form.address(before=found.before) if found.before else "",
        "after": form.address(after=found.after) if found.after else "",
        "first": form.address() if form.after or form.before else "",
    }
    return render(request, "tables/games.html", context)
