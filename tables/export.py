"""A stored game in the form that anybody may take away (`engine.export`), whatever form it is stored in."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.db.models import F, Max, Q

from engine import export
from engine.errors import Differs, EngineError
from engine.export import Json, KeptGame, KeptShoe, Played, Seen
from engine.game import Kind
from engine.rules import Rules
from engine.shoe import SealedShoe
from tables import codec, history, rule_sets
from tables.failures import is_of_the_database
from tables.models import PUBLIC, Game, GamePlayer, Round, Shoe

logger = logging.getLogger(__name__)

# Games of the archive whose rows are read at once.
AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Kept:
    """The rows of a game. `code` is that of its table, None where this is gone."""

    game: Game
    code: str | None
    shoes: list[Shoe]
    players: list[GamePlayer]
    rounds: list[Round]


def kept(key: str) -> Kept | None:
    """All finished rounds of a game. None where it is gone, as one is in which nothing was played.

    A running game goes on meanwhile: it is read in one moment with the number of its last round, up to which
    all shoes are there.
    """
    game = Game.objects.filter(pk=key).annotate(last=Max("played__number"), code=F("table__code")).first()
    if game is None:
        return None
    shoes, players = list(game.shoes.all()), list(game.players.all())
    rounds = list(game.played.filter(number__lte=game.last or 0).order_by("number"))
    return Kept(game, game.code, shoes, players, rounds)


def exported(game: Game) -> Json:
    """All finished rounds of a game; raises `Differs` where what is stored can not be played again."""
    return told(kept(game.pk) or Kept(game, None, [], [], []))


def told(kept: Kept, seen: Seen | None = None) -> Json:
    """The exported form of these rows; each round is shown to `seen` as it was played again."""
    game, shoes = kept.game, kept.shoes
    sealed = history.sealed_shoes(shoes)
    names = {one.stack: one.nickname for one in kept.players}
    played = [_played(row, sealed) for row in kept.rounds]
    rules = Rules.from_json(game.rules)
    header = KeptGame(
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
    shown = {shoe.number: (shoe.commitment, shoe.spare_commitment or None) for shoe in shoes}
    kept_shoes = [KeptShoe(shoe, number not in in_use, shown.get(number)) for number, shoe in used.items()]
    return export.export(header, kept_shoes, played, seen)


def _played(row: Round, shoes: dict[int, SealedShoe]) -> Played:
    try:
        record = codec.read_round(row.schema, row.record, shoes)
        notes = [codec.read_note(note) for note in row.record["notes"]]
        return Played(record, row.record["chips_after"], notes, iso(row.finished))
    except EngineError as error:
        raise Differs("record", round=row.number, reason=str(error)) from None
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Differs("record", round=row.number, reason="not_a_record") from None


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
            # A damaged value may break anything, which is no reason to keep back all other games.
            except Exception as error:
                if is_of_the_database(error):
                    raise
                logger.exception("Game %s can not be exported", game.id)
        if len(rows) < AT_ONCE:
            return
        last = rows[-1]
        after = Q(finished__gt=last.finished) | Q(finished=last.finished, id__gt=last.id)
