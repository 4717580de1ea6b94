from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from engine.errors import EngineError
from engine.rules import PRESETS, Rules
from tables import (
    codec,
    codes,
    fragments,
    history,
    identity,
    links,
    presence,
    rules_words,
    services,
    snapshot,
    words,
)
from tables.errors import Refused
from tables.forms import JoinForm, OpenTableForm
from tables.limits import guesses
from tables.models import Game, Guest, Participant, Table
from tables.moves import with_clock


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    error = ""
    if request.method == "POST":
        guest = identity.ensure_guest(request)
        form = OpenTableForm(request.POST)
        try:
            if guest is None or not form.is_valid():
                raise Refused("malformed")
            code = services.open_table(
                guest,
                form.cleaned_data["name"],
                with_clock(PRESETS["openseat"], on=form.cleaned_data["clock"] == "on"),
                form.cleaned_data["rounds"],
                listed=form.cleaned_data["listed"] == "on",
                language=get_language() or "",
            )
            return redirect("table", code)
        except (Refused, EngineError) as refused:
            error = words.refusal(refused.code, refused.params)
    return render(request, "tables/home.html", _home(request, error=error))


def _home(request: HttpRequest, **more: str) -> dict[str, Any]:
    guest = identity.guest_id_of(request)
    known = Guest.objects.filter(pk=guest).values_list("nickname", flat=True).first() if guest else None
    return {
        "name": request.POST.get("name", known or "")[:100],
        "watch": history.open_to_watch(),
        "recent": history.listed_games()[0][:5],
        "mine": history.tables_of(guest),
        **more,
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """By a code or a whole link that somebody typed or pasted."""
    typed = (request.POST if request.method == "POST" else request.GET).get("code", "")
    code = codes.find_table_code(typed)
    if not guesses.allowed(_address(request)):
        return _too_many(request)
    if code is not None and services.exists(code):
        return redirect("table", code)
    if typed:
        guesses.missed(_address(request))
    context = _home(request, join_error=words.refusal("no_such_table", {}) if typed else "")
    return render(request, "tables/home.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, code: str) -> HttpResponse:
    _table_or_404(request, code)
    presence.wait_until_begun()
    error = ""
    if request.method == "POST":
        try:
            _join(request, code)
            return redirect("table", code)
        except (Refused, EngineError) as refused:
            error = words.refusal(refused.code, refused.params)
    guest = identity.ensure_guest(request)
    services.expire(code)
    seen = snapshot.take(code)
    if seen is None:
        raise Http404
    base = links.base_of(request)
    share = links.table_url(code, base)
    context = {
        **fragments.public_context(seen),
        **fragments.personal_context(seen, seen.player_of(guest), base),
        "share_url": share,
        "qr_svg": links.qr(share),
        "error": error,
        **_preview(seen),
    }
    context["nickname"] = context["name"]
    return render(request, "tables/table.html", context)


def _join(request: HttpRequest, code: str) -> None:
    guest = identity.ensure_guest(request)
    form = JoinForm(request.POST)
    if guest is None or not form.is_valid():
        raise Refused("malformed")
    services.join(
        code,
        guest,
        form.cleaned_data["name"],
        sit=form.cleaned_data["join"] == "sit",
        language=get_language() or "",
    )


def _preview(seen: snapshot.Snapshot) -> dict[str, str]:
    seats = [seat for seat in seen.view.seats if seat.player is not None]
    host = next((seat.name for seat in seats if seat.host), "")
    free = len(seen.view.seats) - len(seats)
    title = _("%(name)s invites you to blackjack") % {"name": host} if host else _("A blackjack table")
    if seen.game.in_match:
        text = _("The match is on: watch it live.")
    elif free:
        text = ngettext("%(count)d seat is free.", "%(count)d seats are free.", free) % {"count": free}
    else:
        text = _("All seats are taken; you may watch.")
    return {"og_title": title, "og_text": f"{text} " + _("Play chips only, no sign-up.")}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seat_move(request: HttpRequest, secret: str) -> HttpResponse:
    if not guesses.allowed(_address(request)):
        return _too_many(request)
    error = ""
    if request.method == "POST":
        guest = identity.ensure_guest(request)
        try:
            if guest is None:
                raise Refused("malformed")
            return redirect("table", services.move_seat(secret, guest, get_language() or ""))
        except Refused as refused:
            error = words.refusal(refused.code, refused.params)
    person = Participant.objects.filter(seat_secret=secret).select_related("table").first()
    seat = codec.game_of(person.table).seat_of(person.player) if person else None
    if person is None or seat is None:
        guesses.missed(_address(request))
        return render(request, "tables/seat_move.html", {"valid": False}, status=404)
    context = {
        "valid": True,
        "code": person.table.code,
        "name": person.nickname,
        "seat": seat.number,
        "error": error,
    }
    return render(request, "tables/seat_move.html", context)


@never_cache
@require_safe
def table_games(request: HttpRequest, code: str) -> HttpResponse:
    row = _table_or_404(request, code)
    page = _page(request)
    games, more = history.games_of(row, page)
    return _games(request, games, more, page, title=_("Games of this table"), code=code)


@never_cache
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    page = _page(request)
    lines, more = history.listed_games(page)
    return _games(request, lines, more, page, title=_("Games"), code="")


def _games(
    request: HttpRequest, lines: list[history.GameLine], more: bool, page: int, **context: str
) -> HttpResponse:
    pages = {"page": page, "has_next": page + 1 if more else 0, "has_previous": page - 1}
    return render(request, "tables/games.html", {"games": lines, **pages, **context})


@never_cache
@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    row = Game.objects.filter(pk=game_id).select_related("table").first()
    if row is None:
        raise Http404
    return render(request, "tables/game.html", {"game": history.game_page(row, code=_code_for(request, row))})


def _code_for(request: HttpRequest, row: Game) -> str:
    """Who was sent only the game of a link-only table does not thereby get the way to the table."""
    guest = identity.guest_id_of(request)
    if row.listed or (guest and Participant.objects.filter(table=row.table, guest=guest).exists()):
        return row.table.code
    return ""


@never_cache
@require_safe
def table_rules(request: HttpRequest, code: str) -> HttpResponse:
    return _rules(request, codec.game_of(_table_or_404(request, code)).rules, code)


@require_safe
def preset_rules(request: HttpRequest, preset: str) -> HttpResponse:
    if preset not in PRESETS:
        raise Http404
    return _rules(request, PRESETS[preset], "")


def _rules(request: HttpRequest, rules: Rules, code: str) -> HttpResponse:
    context = {"title": rules_words.title(rules), "sections": rules_words.sections(rules), "code": code}
    return render(request, "tables/rules.html", context)


def _table_or_404(request: HttpRequest, code: str) -> Table:
    address = _address(request)
    row = Table.objects.filter(code=code).first()
    if row is None:
        guesses.missed(address)
        raise Http404
    if not guesses.allowed(address) and not services.belongs(identity.guest_id_of(request), code):
        # Whoever is known at the table does not guess, whatever others at the same address do.
        raise Http404
    return row


def _too_many(request: HttpRequest) -> HttpResponse:
    context = _home(request, join_error=words.refusal("too_many_guesses", {}))
    return render(request, "tables/home.html", context, status=429)


def _address(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))


def _page(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 and int(text) > 0 else 1
