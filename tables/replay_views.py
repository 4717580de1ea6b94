"""The pages of one stored game: what it brought, its rounds step by step, and its own rules."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from engine.game import Kind
from engine.rules import Rules
from tables import history, identity, places, replay_pages
from tables.models import Game, GamePlayer, Participant, Round, Shoe
from tables.reading import require_safe
from tables.replay import Replay
from tables.rules_views import rules_page
from tables.ways import ways

# No game has as many rounds, and no database a larger number in that column.
MOST = 2**31 - 1


@never_cache
@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Its result, what it brought to everybody, and a page of its rounds."""
    row = stored(game_id)
    page = _page(request) if "page" in request.GET else None
    shown = history.game_page(row, code=way_back(request, row), page=page)
    beside = ways(row, identity.guest_id_of(request))
    return render(request, "tables/game.html", {"game": shown, "ways": beside})


@require_safe
def game_rules(request: HttpRequest, game_id: str) -> HttpResponse:
    """The rules as they were for this game, whatever its table is played by now."""
    row = stored(game_id)
    return rules_page(request, Rules.from_json(row.rules), [Kind(row.kind)], game=row.pk)


@never_cache
@require_safe
def replay(request: HttpRequest, game_id: str, number: int, step: int = 0) -> HttpResponse:
    """A round as it was after one of its steps. Only rounds that are over are stored at all."""
    game = stored(game_id)
    row = _played(game, number)
    if row is None:
        return _none(request, game, number=number)
    rules, players, shoes = _rest_of(game, row)
    state = history.replayed_round(game, rules, players, shoes, row)
    told = history.told(rules, shoes, state)
    page = replay_pages.page_of(state, told, step)
    if page is None:
        return _none(request, game, round=number)
    context = {
        "game": {
            "id": game.pk,
            "kind": game.kind,
            "rules": rules,
            "winner": next((one.nickname for one in players if one.won), ""),
        },
        "round": told,
        "several": places.several(told),
        "replay": page,
        "ended": row.finished,
        "earlier": _neighbour(game, "-number", number__lt=number),
        "later": _neighbour(game, "number", number__gt=number),
        "code": way_back(request, game),
    }
    return render(request, "tables/replay.html", context)


@never_cache
@require_safe
def round_end(request: HttpRequest, game_id: str, number: int) -> HttpResponse:
    """The way to the last step of a round for who does not know how many it has."""
    game = stored(game_id)
    row = _played(game, number)
    if row is None:
        return _none(request, game, number=number)
    rules, players, shoes = _rest_of(game, row)
    state = history.replayed_round(game, rules, players, shoes, row)
    return redirect("step", game_id, number, len(Replay(state).steps) - 1)


def stored(game_id: str) -> Game:
    row = Game.objects.filter(pk=game_id).select_related("table").first()
    if row is None:
        raise Http404
    return row


def way_back(request: HttpRequest, game: Game) -> str:
    """The code of its table. Who was sent only the game of a table that is link-only does not thereby get the
    way to the table."""
    guest, table = identity.guest_id_of(request), game.table
    if table is None:
        return ""
    if (game.listed and table.listed) or (
        guest and Participant.objects.filter(table=table, guest=guest).exists()
    ):
        return table.code
    return ""


def _played(game: Game, number: int) -> Round | None:
    return game.played.filter(number=min(number, MOST)).first()


def _rest_of(game: Game, row: Round) -> tuple[Rules, list[GamePlayer], list[Shoe]]:
    """What a round is replayed with beside its own row. The oldest records have their shoe within."""
    shoes = game.shoes.filter(number=row.record.get("shoe", {}).get("number"))
    return Rules.from_json(game.rules), list(game.players.all()), list(shoes)


def _neighbour(game: Game, order: str, **where: int) -> int | None:
    numbers = game.played.filter(**where).order_by(order).values_list("number", flat=True)
    return numbers.first()


def _none(request: HttpRequest, game: Game, **where: int) -> HttpResponse:
    context = {"game_id": game.pk, "number": None, **where}
    return render(request, "tables/no_round.html", context, status=404)


def _page(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 and int(text) > 0 else 1
