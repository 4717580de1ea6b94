"""The engine's game as text in a column, and back.

A running round is kept by its causes (seed, bets, moves) and rebuilt by playing it again; the process
remembers what it rebuilt for as long as the version is the same. Each text names its schema; `MIGRATIONS`
brings older ones forward.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.bets import Behind
from engine.game import (
    Game,
    Kind,
    Note,
    NoteKind,
    Offer,
    Phase,
    Place,
    Reason,
    Result,
    Score,
    Seat,
    Status,
)
from engine.notation import format_move, parse_move
from engine.record import Record
from engine.rules import Rules
from tables.models import Table
from tables.recent import Recent

SCHEMA = 1
# From a schema to the next one: a function for each number below SCHEMA.
MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}

Json = dict[str, Any]

remembered: Recent[tuple[int, Game]] = Recent(500)


def game_of(table: Table) -> Game:
    """What the row says, from memory where the version is known."""
    game = known(table.code, table.version)
    if game is not None:
        return game
    return read_game(json.loads(table.state))


def known(code: str, version: int) -> Game | None:
    kept = remembered.get(code)
    return kept[1] if kept is not None and kept[0] == version else None


def remember(code: str, version: int, game: Game) -> None:
    """Only what is committed: a version that was rolled back is somebody else's next time."""
    kept = remembered.get(code)
    if kept is None or kept[0] <= version:
        remembered.put(code, (version, game))


def columns(game: Game) -> Json:
    """The columns of a table that follow from its game."""
    return {
        "state": json.dumps(write_game(game), separators=(",", ":")),
        "phase": game.phase.value,
        "rounds": game.rounds,
        "game_number": game.number,
        "round_number": game.round_number,
        "seated": len(game.seats),
        "host_player": game.host or "",
    }


def new_player_id() -> str:
    return secrets.token_urlsafe(6)


# The whole game


def write_game(game: Game) -> Json:
    return {
        "schema": SCHEMA,
        "rules": game.rules.to_json(),
        "rounds": game.rounds,
        "host": game.host,
        "kind": game.kind.value,
        "number": game.number,
        "phase": game.phase.value,
        "seats": [_write_seat(seat) for seat in game.seats],
        "sat_down": game.sat_down,
        "round_number": game.round_number,
        "seed": game.seed.hex() if game.seed else None,
        "published": [game.published[0], game.published[1].hex()] if game.published else None,
        "record": write_record(game.record, game.round.moves if game.round else ()) if game.record else None,
        "asked": game.asked,
        "offers": game.offers,
        "offer": [game.offer.id, game.offer.seat, list(game.offer.accepted)] if game.offer else None,
        "notes": [write_note(note) for note in game.notes],
        "result": write_result(game.result) if game.result else None,
        "score": [[one.player, one.name, one.wins] for one in game.score],
        "draws": game.draws,
    }


def read_game(stored: Json) -> Game:
    stored = newest(stored)
    rules = Rules.from_json(stored["rules"])
    phase = Phase(stored["phase"])
    record = read_record(stored["record"]) if stored["record"] else None
    played = record.replay(rules) if record else None
    if record is not None and phase is Phase.PLAYING:
        # The moves of a running round are the round's; the record gets them when it is over.
        record = replace(record, moves=())
    return Game(
        rules=rules,
        rounds=stored["rounds"],
        host=stored["host"],
        kind=Kind(stored["kind"]),
        number=stored["number"],
        phase=phase,
        seats=tuple(_read_seat(seat) for seat in stored["seats"]),
        sat_down=stored["sat_down"],
        round_number=stored["round_number"],
        seed=bytes.fromhex(stored["seed"]) if stored["seed"] else None,
        published=(stored["published"][0], bytes.fromhex(stored["published"][1]))
        if stored["published"]
        else None,
        record=record,
        round=played,
        asked=stored["asked"],
        offers=stored["offers"],
        offer=Offer(stored["offer"][0], stored["offer"][1], tuple(stored["offer"][2]))
        if stored["offer"]
        else None,
        notes=tuple(read_note(note) for note in stored["notes"]),
        result=read_result(stored["result"]) if stored["result"] else None,
        score=tuple(Score(*one) for one in stored["score"]),
        draws=stored["draws"],
    )


def newest(stored: Json) -> Json:
    while stored["schema"] < SCHEMA:
        stored = MIGRATIONS[stored["schema"]](stored)
    if stored["schema"] > SCHEMA:
        raise ValueError(f"schema {stored['schema']} was written by a newer program")
    return stored


# Its parts


def _write_seat(seat: Seat) -> Json:
    return {
        "number": seat.number,
        "player": seat.player,
        "name": seat.name,
        "since": seat.since,
        "status": seat.status.value,
        "ready": seat.ready,
        "chips": seat.chips,
        "ask": seat.ask,
        "bet": seat.bet,
        "pair": seat.pair,
        "sitting_out": seat.sitting_out,
        "last_bet": seat.last_bet,
        "offered_draw": seat.offered_draw,
        "auto": seat.auto,
        "gone": seat.gone,
        "fell": seat.fell,
    }


def _read_seat(stored: Json) -> Seat:
    return Seat(**{**stored, "status": Status(stored["status"])})


def write_note(note: Note) -> list[Any]:
    return [note.round, note.after, note.kind.value, note.seat]


def read_note(stored: list[Any]) -> Note:
    return Note(stored[0], stored[1], NoteKind(stored[2]), stored[3])


def write_record(record: Record, moves: tuple[Any, ...] | None = None) -> Json:
    return {
        "number": record.number,
        "seed": record.seed.hex(),
        "bets": {str(box): bet for box, bet in record.bets.items()},
        "pairs": {str(box): bet for box, bet in record.pairs.items()},
        "behind": [[one.backer, one.box, one.bet, one.pair] for one in record.behind],
        "stacks": {str(box): stack for box, stack in record.stacks.items()},
        "chips": dict(record.chips),
        "moves": [format_move(move) for move in (record.moves if moves is None else moves)],
        "sat_out": list(record.sat_out),
        "resigned": [list(one) for one in record.resigned],
        "broken_off": record.broken_off,
        "first_question": record.first_question,
    }


def read_record(stored: Json) -> Record:
    return Record(
        number=stored["number"],
        seed=bytes.fromhex(stored["seed"]),
        bets={int(box): bet for box, bet in stored["bets"].items()},
        pairs={int(box): bet for box, bet in stored["pairs"].items()},
        behind=tuple(Behind(*one) for one in stored["behind"]),
        stacks={int(box): stack for box, stack in stored["stacks"].items()},
        chips=dict(stored["chips"]),
        moves=tuple(parse_move(move) for move in stored["moves"]),
        sat_out=tuple(stored["sat_out"]),
        resigned=tuple((seat, moves) for seat, moves in stored["resigned"]),
        broken_off=stored["broken_off"],
        first_question=stored["first_question"],
    )


def write_result(result: Result) -> Json:
    return {
        "schema": SCHEMA,
        "reason": result.reason.value,
        "winner": result.winner,
        "places": [
            [place.seat, place.player, place.name, place.chips, place.place, place.status.value]
            for place in result.places
        ],
    }


def read_result(stored: Json) -> Result:
    places = tuple(
        Place(seat, player, name, chips, place, Status(status))
        for seat, player, name, chips, place, status in stored["places"]
    )
    return Result(Reason(stored["reason"]), stored["winner"], places)
