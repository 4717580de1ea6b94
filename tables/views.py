from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.errors import EngineError
from engine.game import MATCH_ROUNDS, Kind
from engine.rules import PRESETS, Rules
from tables import (
    archive,
    codec,
    codes,
    fragments,
    history,
    identity,
    links,
    opening,
    places,
    presence,
    rule_sets,
    services,
    snapshot,
    words,
)
from tables.behind import largest_first
from tables.door import address, at_table
from tables.errors import Refused
from tables.forms import HomeForm, JoinForm
from tables.limits import guesses
from tables.models import Participant, Table
from tables.moves import with_clock
from tables.reading import require_safe

# So many games are on the home page.
RECENT = 5


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    refused: Refused | EngineError | None = None
    if request.method == "POST":
        form = HomeForm(request.POST)
        try:
            if not form.is_valid():
                raise Refused("malformed")
            if form.cleaned_data["rules"] == rule_sets.CUSTOM:
                return redirect(f"{reverse('own_rules')}?{form.carried()}")
            return redirect("table", opening.open_table(request, form, _rules(**form.cleaned_data)))
        except (Refused, EngineError) as error:
            refused = error
    return render(request, "tables/home.html", _home(request, **opening.error(refused)))


def _rules(rules: str, kind: Kind, clock: str, **_more: object) -> Rules:
    """A preset as one plays it: nobody hurries who plays alone, and an open table always has its clock."""
    if kind not in rule_sets.KINDS[rules]:
        raise Refused("kind_not_played")
    return with_clock(PRESETS[rules], on=kind is Kind.OPEN or (kind is Kind.MATCH and clock == "on"))


def _home(request: HttpRequest, **more: str) -> dict[str, Any]:
    return {
        "cards": rule_sets.cards(),
        "chosen": HomeForm(opening.sent(request)).chosen,
        "rounds_choices": [str(rounds) for rounds in MATCH_ROUNDS],
        "name": opening.nickname(request),
        "watch": history.open_to_watch(),
        "recent": archive.newest(archive.public(), RECENT),
        "mine": history.tables_of(identity.guest_id_of(request)),
        **more,
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """By a code or a whole link that somebody typed or pasted."""
    typed = (request.POST if request.method == "POST" else request.GET).get("code", "")
    code = codes.find_table_code(typed)
    if not guesses.allowed(address(request)):
        return _too_many(request)
    if code is not None and services.exists(code):
        return redirect("table", code)
    if typed:
        guesses.missed(address(request))
    context = _home(request, join_error=words.refusal("no_such_table", {}) if typed else "")
    return render(request, "tables/home.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@at_table
def table(request: HttpRequest, row: Table) -> HttpResponse:
    code = row.code
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
    shared = fragments.public_context(seen)
    context = {
        **shared,
        **fragments.personal_context(seen, shared, seen.player_of(guest), base),
        "share_url": share,
        "qr_svg": links.qr(share),
        "error": error,
        **_preview(seen),
    }
    context["nickname"] = context["name"]
    context["typed"] = request.POST.get("name", "")[:100]
    return render(request, "tables/table.html", context)


@never_cache
@require_safe
@at_table
def behind(request: HttpRequest, row: Table, seat: int) -> HttpResponse:
    """Who bets behind a seat: what the page shows on tap, and a page of its own."""
    view = snapshot.of(row).view
    shown = next((one for one in view.seats if one.seat == seat and one.player), None)
    if shown is None:
        raise Http404
    template = "tables/_behind.html" if request.headers.get("HX-Request") else "tables/behind.html"
    bets = largest_first(shown.behind)
    name = places.named(shown.name, seat, places.several(view))
    return render(request, template, {"seat": shown, "name": name, "bets": bets, "code": row.code})


@never_cache
@require_safe
@at_table
def backers(request: HttpRequest, row: Table) -> HttpResponse:
    """The standing of all who bet behind in the table's current game."""
    return render(request, "tables/behind.html", {"backers": snapshot.of(row).view.backers, "code": row.code})


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
    if seen.game.kind is Kind.SOLO:
        title = _("%(name)s plays blackjack alone") % {"name": host} if host else title
        text = _("Watch it live.")
    elif seen.game.kind is Kind.MATCH and seen.game.in_match:
        text = _("The match is on: watch it live.")
    elif free:
        text = ngettext("%(count)d seat is free.", "%(count)d seats are free.", free) % {"count": free}
    else:
        text = _("All seats are taken; you may watch.")
    return {"og_title": title, "og_text": f"{text} " + _("Play chips only, no sign-up.")}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seat_move(request: HttpRequest, secret: str) -> HttpResponse:
    if not guesses.allowed(address(request)):
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
        guesses.missed(address(request))
        return render(request, "tables/seat_move.html", {"valid": False}, status=404)
    context = {
        "valid": True,
        "code": person.table.code,
        "name": person.nickname,
        "seat": seat.number,
        "error": error,
    }
    return render(request, "tables/seat_move.html", context)


def _too_many(request: HttpRequest) -> HttpResponse:
    context = _home(request, join_error=words.refusal("too_many_guesses", {}))
    return render(request, "tables/home.html", context, status=429)
