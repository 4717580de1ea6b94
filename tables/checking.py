"""Whether what is stored of games still follows from its rounds.

The rounds are exported and played again. What the rows say beside them is worked out anew with what wrote
it: `summary` for the columns of lists, `figures` for the sums of a round. So each new column is compared.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from engine.errors import Differs
from engine.export import Json, Played, canonical, write
from engine.game import Game as GameState
from engine.game import Kind, Reason
from engine.round import Round as RoundState
from engine.rules import Rules
from engine.shoe import commitment
from engine.verify import verify
from tables import clock, codec, export, figures, nicknames, stored, summary
from tables.export import Kept
from tables.failures import is_of_the_database
from tables.models import GamePlayer, Round

logger = logging.getLogger(__name__)

# A server's clock may have been set back, by some hours where it went by another zone, but by no more.
SET_BACK = timedelta(days=1)
# A game that goes on while it is looked at is looked at anew.
ATTEMPTS = 5

# A row of a hand: box, place, whose it is, cards, bet, result, chips paid.
Told = tuple[Any, ...]


def difference(key: Any) -> str:
    """The first thing in a stored game that is not as its rounds say, with the round; "" where all is.

    It answers whatever the rows hold, and "" where there is no such game any more; of a database that is busy
    or gone it raises the error.
    """
    if not isinstance(key, str):
        return "its id can not be read"
    found = _difference(key)
    for _ in range(ATTEMPTS):
        again = _difference(key) if found else ""
        if again == found:
            break
        found = again
    return found


def _difference(key: str) -> str:
    try:
        rows = export.kept(key)
        if rows is not None:
            _check(rows)
    except Differs as differs:
        number = differs.params.pop("round", None)
        if differs.code == "record":
            return _said(number, _record(key, number, differs))
        return _said(number, differs)
    except _FoundError as found:
        return str(found)
    # A damaged value may break anything.
    except Exception as error:
        if is_of_the_database(error):
            raise
        logger.debug("Game %s can not be checked", key, exc_info=True)
        return stored.first_unreadable(key) or "what is stored of it does not fit together"
    return ""


class _FoundError(Exception):
    """A difference in words."""


def _said(number: Any, what: object) -> str:
    return f"round {number}: {what}" if number else f"{what}"


def _record(key: str, number: Any, differs: Differs) -> str:
    row = Round.objects.filter(game=key, number=number).first()
    why = stored.record_form(row.schema, row.record) if row else ""
    return f"its record can not be read: {why or differs.params['reason']}"


def _check(rows: Kept) -> None:
    game = rows.game
    table = GameState(Rules.from_json(game.rules), 0, None, Kind(game.kind))
    replayed: dict[int, _Replayed] = {}

    def seen(played: Played, last: RoundState | None) -> None:
        record = played.record
        over = replace(table, record=record, round=last, notes=tuple(played.notes))
        replayed[record.number] = _Replayed(codec.write_record(record), figures.of_round(over))

    told = export.told(rows, seen)
    answer = verify("".join(write(told)))
    if not answer.get("ok"):
        raise _FoundError(_said(answer.get("round"), answer.get("detail")))
    for row in (rows.game, *rows.players, *rows.shoes, *rows.rounds):
        wrong = stored.misshapen(row)
        if wrong:
            raise _FoundError(_said(row.number if isinstance(row, Round) else None, wrong))
    for check in (_players, _columns, _result, _shoes, _times):
        check(rows, told)
    for row in rows.rounds:
        _round(row, replayed[row.number])


@dataclass(frozen=True, slots=True)
class _Replayed:
    """How a round would be written today."""

    record: Json
    figures: Json


def _schema(rows: Kept) -> int:
    """In which its first round was written."""
    return rows.rounds[0].schema if rows.rounds else codec.SCHEMA


def _differ(what: str, said: object, follows: object, **where: object) -> None:
    if said != follows:
        raise Differs(what, **where, said=said, follows=follows)


def _players(rows: Kept, told: Json) -> None:
    people = {one["stack"]: one for one in (*told["players"], *told["backers"])}
    _differ("players", sorted(one.stack for one in rows.players), sorted(people))
    winner = told["result"]["winner"] if told["result"] else None
    for row in rows.players:
        one = people[row.stack]
        follows = {
            **{name: one[name] for name in ("chips", "highest", "refills", "backed", "won_behind")},
            "seat": one.get("seat", 0),
            "place": one.get("place"),
            "won": row.stack == winner,
            "nickname_key": nicknames.key(row.nickname),
        }
        for name in _unknown(row, one, rows, runs=told["result"] is None):
            del follows[name]
        for name, value in follows.items():
            _differ(name, getattr(row, name), value, stack=row.stack)


def _unknown(row: GamePlayer, one: Json, rows: Kept, *, runs: bool) -> set[str]:
    """What the row of a player need not say as the rounds do."""
    # Once it was written when a game began and ended alone, and the first ones did not know the highest.
    unknown = {"highest"} if _schema(rows) == 1 else set()
    if runs and _schema(rows) < codec.SCHEMA:
        unknown |= {"chips", "highest", "refills"}
    # Since the last round of theirs, which wrote the row, they may have begun anew.
    poor = row.chips < Rules.from_json(rows.game.rules).min_bet
    if runs and poor and row.refills + 1 == one["refills"]:
        unknown |= {"chips", "refills"}
    return unknown


def _columns(rows: Kept, told: Json) -> None:
    game = rows.game
    follows = summary.columns(game, rows.players, ((one.record, one.finished) for one in rows.rounds))
    follows["reason"] = told["reason"] or ""
    if game.kind == Kind.OPEN.value and rows.rounds and game.dated == rows.rounds[0].finished:
        # The clock was set back since.
        follows["dated"] = game.dated
    if game.kind != Kind.MATCH.value:
        follows["rounds"] = 0
    if rows.code is not None:
        follows["table_code"] = rows.code
    for name, value in follows.items():
        _differ(name, getattr(game, name), value)
    rules = Rules.from_json(game.rules).to_json()
    _same("rules", game.rules, {name: rules[name] for name in game.rules})


def _same(what: str, said: object, follows: object, **where: object) -> None:
    if canonical(said) != canonical(follows):
        raise Differs(what, **where)


def _result(rows: Kept, told: Json) -> None:
    result = rows.game.result
    if told["result"] is None:
        _differ("result", result, None)
        return
    if result is None:
        raise Differs("result", said=None)
    wrong = stored.result_form(result)
    if wrong:
        raise _FoundError(f"its result can not be read: {wrong}")
    read = codec.read_result(result)
    if result["schema"] == codec.SCHEMA:
        _same("result", result, codec.write_result(read))
    by_stack = {one.stack: one for one in rows.players}
    for place in read.places:
        row = by_stack[place.stack]
        follows: Json = {"name": row.nickname, "player": row.player}
        if rows.game.kind == Kind.MATCH.value:
            follows["seat"] = row.seat
        if _schema(rows) > 1:
            follows |= {"highest": row.highest, "refills": row.refills}
        for name, value in follows.items():
            _differ(f"result {name}", getattr(place, name), value, stack=place.stack)


def _shoes(rows: Kept, told: Json) -> None:
    used: dict[int, Round] = {}
    for row in rows.rounds:
        if "seed" not in row.record:
            used[row.record["shoe"]["number"]] = row
    _differ("shoes", sorted(one.number for one in rows.shoes), sorted(used))
    for shoe in rows.shoes:
        for seed in (shoe.seed, *([shoe.spare] if shoe.spare else [])):
            if not stored.is_seed(seed):
                raise Differs("seed", shoe=shoe.number)
        spare = commitment(bytes.fromhex(shoe.spare)) if shoe.spare else ""
        _differ("commitment", shoe.commitment, commitment(bytes.fromhex(shoe.seed)), shoe=shoe.number)
        _differ("spare_commitment", shoe.spare_commitment, spare, shoe=shoe.number)
        # It is put away with a round or with its game.
        over = (used[shoe.number].finished, rows.game.finished)
        if shoe.finished is not None and shoe.finished not in over:
            raise Differs("time", shoe=shoe.number, said=shoe.finished, follows=over[0])


def _times(rows: Kept, told: Json) -> None:
    game = rows.game
    moments: list[tuple[int | None, datetime]] = [(None, game.started)]
    moments += [(row.number, row.finished) for row in rows.rounds]
    if game.finished is not None:
        moments.append((None, game.finished))
        last = told["rounds"][-1] if told["rounds"] else None
        if last and (last["broken_off"] or game.reason == Reason.ROUNDS.value):
            # What ended the round ended the game.
            _differ("finished", game.finished, rows.rounds[-1].finished)
    moments.append((None, clock.now()))
    for (_, before), (number, moment) in pairwise(moments):
        if moment < before - SET_BACK:
            raise Differs("time", round=number, said=moment, not_before=before)


def _round(row: Round, replayed: _Replayed) -> None:
    """Its record must be written as it is read, with the figures that follow."""
    record = row.record
    if row.schema == codec.SCHEMA:
        beside = {name: record[name] for name in ("chips_after", "notes", "figures") if name in record}
        said, follows = ({**one, **beside} for one in (record, replayed.record))
        _same("record", said, follows, round=row.number, reason="not_as_written")
    if not isinstance(record["notes"], list) or any(note[0] != row.number for note in record["notes"]):
        raise Differs("notes", round=row.number)
    # Those of before there were figures are summed up when they are looked at.
    if "figures" in record:
        _same("figures", record["figures"], replayed.figures, round=row.number)
