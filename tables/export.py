"""A stored game in the form that anybody may take away (`engine.export`), whatever form it is stored in."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime

from django.db.models import Max, Q

from engine import export
from engine.errors import Differs, EngineError
from engine.export import Json, KeptGame, KeptShoe, Played
from engine.game import Kind
from engine.rules import Rules
from engine.shoe import SealedShoe
from tables import codec, history, rule_sets
from tables.models import PUBLIC, Game, Round

logger = logging.getLogger(__name__)

# Games of the archive whose rows are read at once.
AT_ONCE = 20


def exported(game: Game) -> Json:
    """All finished rounds of a game; raises `Differs` where what is stored can not be played again.

    A running game goes on meanwhile: it is read anew in one moment with the number of its last round, up to
    which all shoes are there.
    """
    found = Game.objects.filter(pk=game.pk).annotate(last=Max("played__number")).first()
    # One in which nothing was played may be gone by now.
    game, last = (found, found.last or 0) if found else (game, 0)
    shoes = list(game.shoes.all())
    sealed = history.sealed_shoes(shoes)
    names = dict(game.players.values_list("stack", "nickname"))
    rows = game.played.filter(number__lte=last).order_by("number")
    played = [_played(row, sealed) for row in rows.iterator()]
    rules = Rules.from_json(game.rules)
    kept = KeptGame(
        id=game.id,
        kind=Kind(game.kind),
        preset=rule_sets.name_of(rules),
        rules=rules,
        rounds=game.rounds,
        started=iso(game.started),
        finished=iso(game.finished) if game.finished else None,
        result=codec.read_result(game.result) if game.result else None,
        names=names,
    )
    # The oldest rounds hold their shoes themselves, each of which was finished with its round.
    used = {one.record.shoe.number: replace(one.record.shoe, dealt=0) for one in played}
    in_use = {shoe.number for shoe in shoes if shoe.finished is None}
    kept_shoes = [KeptShoe(shoe, number not in in_use) for number, shoe in used.items()]
    return export.export(kept, kept_shoes, played)


def _played(row: Round, shoes: dict[int, SealedShoe]) -> Played:
    try:
        record = codec.read_round(row.schema, row.record, shoes)
        notes = [codec.read_note(note) for note in row.record["notes"]]
        return Played(record, row.record["chips_after"], notes, iso(row.finished))
    except (EngineError, LookupError, TypeError, ValueError) as error:
        raise Differs("record", round=row.number, reason=repr(error)) from None


def iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def text(game: Game) -> str:
    """As a file of its own, a line for each round."""
    return "".join(export.write(exported(game)))


def archive() -> Generator[str, None, None]:
    """Every listed game that is over, one JSON a line, the one that ended first first.

    As many are in memory as are read at once, however long the archive is, and a game that ends while it is
    written comes at its end.
    """
    games = Game.objects.filter(PUBLIC, finished__isnull=False).order_by("finished", "id")
    after = None
    while True:
        rows = list((games.filter(after) if after else games)[:AT_ONCE])
        for game in rows:
            try:
                yield json.dumps(exported(game), separators=(",", ":")) + "\n"
            except Differs:
                # One that is damaged is no reason to keep back all others; `verify_games` tells more.
                logger.exception("Game %s can not be exported", game.id)
        if len(rows) < AT_ONCE:
            return
        last = rows[-1]
        after = Q(finished__gt=last.finished) | Q(finished=last.finished, id__gt=last.id)
