"""The pages about rules: each game, all of them side by side, one's own, and how each is played well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.errors import EngineError, IllegalAction, InvalidRules
from engine.game import MATCH_ROUNDS, Kind, Phase
from engine.rules import PRESETS, Rules
from engine.strategy import chart_for
from tables import behind_words, codec, hints, identity, opening, rule_sets, rules_words, services
from tables.door import at_table, notice
from tables.errors import Refused
from tables.forms import SettingsForm, TableForm
from tables.models import Table
from tables.reading import require_safe
from tables.rules_form import RulesForm


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/how_to_play.html")


@require_safe
def compared(request: HttpRequest) -> HttpResponse:
    apart, same = rules_words.compared()
    games = [
        {
            "name": name,
            "title": rule_sets.title(name),
            "payback": rule_sets.payback(rules),
            "open": Kind.OPEN in rule_sets.KINDS[name],
        }
        for name, rules in PRESETS.items()
    ]
    return render(request, "tables/games_compared.html", {"games": games, "apart": apart, "same": same})


@require_safe
def preset_rules(request: HttpRequest, preset: str) -> HttpResponse:
    return rules_page(request, _preset(preset), rule_sets.KINDS[preset])


@never_cache
@require_safe
@at_table
def table_rules(request: HttpRequest, row: Table) -> HttpResponse:
    return rules_page(request, codec.game_of(row).rules, [Kind(row.kind)], row.code)


def rules_page(
    request: HttpRequest, rules: Rules, kinds: Any, code: str = "", game: str = ""
) -> HttpResponse:
    """Rules as sentences: of a preset, of the table with that code, or of a stored game."""
    near = rule_sets.nearest(rules)
    context = {
        "title": rule_sets.title(near.name if near.exact else rule_sets.CUSTOM),
        "character": rule_sets.CHARACTERS[near.name],
        "exact": near.exact,
        "near": near.name,
        "near_title": rule_sets.title(near.name),
        "payback": rule_sets.payback(rules),
        "kinds": [kind.value for kind in kinds],
        "rules": rules,
        "sections": rules_words.sections(rules),
        "behind": behind_words.bets_behind(rules),
        "outcomes": behind_words.outcomes_behind(rules),
        "pairs": behind_words.pair_bets(rules),
        "code": code,
        "game": game,
    }
    return render(request, "tables/rules.html", context)


@require_safe
def preset_strategy(request: HttpRequest, preset: str) -> HttpResponse:
    return _strategy(request, _preset(preset))


@never_cache
@require_safe
@at_table
def table_strategy(request: HttpRequest, row: Table) -> HttpResponse:
    return _strategy(request, codec.game_of(row).rules, row.code)


def _strategy(request: HttpRequest, rules: Rules, code: str = "") -> HttpResponse:
    try:
        tables = hints.tables(chart_for(rules).to_json())
    except IllegalAction:
        tables = []
    near = rule_sets.nearest(rules)
    context = {
        "title": rule_sets.title(near.name if near.exact else rule_sets.CUSTOM),
        "near": near.name,
        "near_title": rule_sets.title(near.name),
        "tables": tables,
        "upcards": hints.UPCARDS,
        "legend": hints.legend(tables),
        "code": code,
    }
    return render(request, "tables/strategy.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_rules(request: HttpRequest) -> HttpResponse:
    """Every switch, starting from a preset, and a table opened with what they say."""
    sent = opening.sent(request)
    preset = sent.get("preset", "openseat")
    table = TableForm(sent)
    posted = request.POST if request.method == "POST" else None
    form = RulesForm(posted, base=_preset(preset), besides=frozenset({*table.fields, "preset"}))
    refused: Refused | EngineError | None = None
    if posted is not None and form.is_valid():
        try:
            return redirect("table", opening.open_table(request, table, form.rules))
        except InvalidRules as invalid:
            form.refuse(invalid)
        except (Refused, EngineError) as error:
            refused = error
    context = {
        "form": form,
        "preset": preset,
        "base_title": rule_sets.title(preset),
        "starts": _starts({name: sent.get(name, "") for name in table.fields if name in sent}),
        "chosen": table.chosen,
        "rounds_choices": [str(rounds) for rounds in MATCH_ROUNDS],
        "name": opening.nickname(request),
        **opening.error(refused),
    }
    return render(request, "tables/own_rules.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@at_table
def table_settings(request: HttpRequest, row: Table) -> HttpResponse:
    """The same switches for a match that has not begun, for its host."""
    game = codec.game_of(row)
    guest = identity.guest_id_of(request)
    person = services.person_of(row, guest)
    if guest is None or person is None or person.player != game.host:
        return notice(request, "not_host", 403, row.code)
    if game.phase is not Phase.LOBBY:
        return notice(request, "not_in_lobby", 409, row.code)
    sent = opening.sent(request)
    posted = request.POST if request.method == "POST" else None
    start = sent.get("preset", "")
    near = start if start in PRESETS else rule_sets.nearest(game.rules).name
    settings = SettingsForm(posted or {"rounds": game.rounds, "listed": "on" if row.listed else "off"})
    form = RulesForm(
        posted,
        base=PRESETS[near],
        shown=PRESETS[near] if start else game.rules,
        besides=frozenset({*settings.fields, "preset"}),
    )
    if posted is not None and form.is_valid():
        try:
            if not settings.is_valid():
                raise Refused("malformed")
            chosen = settings.cleaned_data
            services.configure(row.code, guest, form.rules, chosen["rounds"], listed=chosen["listed"] == "on")
            return redirect("table", row.code)
        except (Refused, EngineError) as refused:
            form.refuse(refused)
    context = {
        "form": form,
        "preset": near,
        "base_title": rule_sets.title(near),
        "starts": _starts({}),
        "chosen": settings.chosen,
        "rounds_choices": [str(rounds) for rounds in MATCH_ROUNDS],
        "code": row.code,
    }
    return render(request, "tables/settings.html", context)


def _preset(name: str) -> Rules:
    if name not in PRESETS:
        raise Http404
    return PRESETS[name]


def _starts(carried: Mapping[str, str]) -> list[dict[str, str]]:
    """The presets one may start from, as links that keep what else was chosen."""
    return [
        {"name": name, "title": rule_sets.title(name), "query": urlencode({**carried, "preset": name})}
        for name in PRESETS
    ]
