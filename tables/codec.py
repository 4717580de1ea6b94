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
    Backer,
    Game,
    Kind,
    Note,
    NoteKind,
    Offer,
    Phase,
    Place,
    Purse,
    Reason,
    Result,
    Score,
    Seat,
    Status,
)
from engine.notation import format_move, parse_move
from engine.record import Record
from engine.rules import Rules
from engine.shoe import SealedShoe
from tables.models import Table
from tables.recent import Recent

SCHEMA = 3

Json = dict[str, Any]
Migration = Callable[[Json], Json]

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
        "kind": game.kind.value,
        "running": game.in_match if game.kind is Kind.MATCH else game.begun,
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
        "begun": game.begun,
        "ending": game.ending,
        "seats": [_write_seat(seat) for seat in game.seats],
        "purses": [_write_purse(purse) for purse in game.purses],
        "opened_purses": game.opened_purses,
        "backers": [_write_backer(backer) for backer in game.backers],
        "window": game.window,
        "closing": game.closing,
        "sat_down": game.sat_down,
        "round_number": game.round_number,
        "shoes": game.shoes,
        "shoe": _write_shoe(game.shoe) if game.shoe else None,
        "published": _write_shoe(game.published) if game.published else None,
        "record": _write_running(game.record, game) if game.record else None,
        "asked": game.asked,
        "offers": game.offers,
        "offer": [game.offer.id, game.offer.seat, list(game.offer.accepted)] if game.offer else None,
        "notes": [write_note(note) for note in game.notes],
        "result": write_result(game.result) if game.result else None,
        "score": [[one.player, one.name, one.wins] for one in game.score],
        "draws": game.draws,
    }


def read_game(stored: Json) -> Game:
    stored = newest(stored, TABLE_MIGRATIONS)
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
        begun=stored["begun"],
        ending=stored["ending"],
        seats=tuple(_read_seat(seat) for seat in stored["seats"]),
        purses=tuple(Purse(**purse) for purse in stored["purses"]),
        opened_purses=stored["opened_purses"],
        backers=tuple(_read_backer(backer) for backer in stored["backers"]),
        window=stored["window"],
        closing=stored["closing"],
        sat_down=stored["sat_down"],
        round_number=stored["round_number"],
        shoes=stored["shoes"],
        shoe=_read_shoe(stored["shoe"]) if stored["shoe"] else None,
        published=_read_shoe(stored["published"]) if stored["published"] else None,
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


def newest(stored: Json, migrations: Mapping[int, Migration]) -> Json:
    while stored["schema"] < SCHEMA:
        stored = {**migrations[stored["schema"]](stored), "schema": stored["schema"] + 1}
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
        "stack": seat.stack,
        "status": seat.status.value,
        "ready": seat.ready,
        "ask": seat.ask,
        "bet": seat.bet,
        "pair": seat.pair,
        "sitting_out": seat.sitting_out,
        "last_bet": seat.last_bet,
        "offered_draw": seat.offered_draw,
        "auto": seat.auto,
        "gone": seat.gone,
        "fresh": seat.fresh,
        "fell": seat.fell,
    }


def _read_seat(stored: Json) -> Seat:
    return Seat(**{**stored, "status": Status(stored["status"])})


def _write_purse(purse: Purse) -> Json:
    return {
        "stack": purse.stack,
        "player": purse.player,
        "name": purse.name,
        "chips": purse.chips,
        "highest": purse.highest,
        "refills": purse.refills,
        "rounds": purse.rounds,
        "backed": purse.backed,
    }


def _write_backer(backer: Backer) -> Json:
    return {
        "player": backer.player,
        "name": backer.name,
        "stack": backer.stack,
        "ask": backer.ask,
        "laid": [[one.backer, one.box, one.bet, one.pair] for one in backer.laid],
        "done": backer.done,
        "away": backer.away,
        "idle": backer.idle,
    }


def _read_backer(stored: Json) -> Backer:
    return Backer(**{**stored, "laid": tuple(Behind(*one) for one in stored["laid"])})


def _write_shoe(shoe: SealedShoe) -> Json:
    """With its seeds: only in the state of a table, which nobody but the services reads."""
    return {
        "number": shoe.number,
        "dealt": shoe.dealt,
        "seed": shoe.seed.hex(),
        "spare": shoe.spare.hex() if shoe.spare else None,
    }


def _read_shoe(stored: Json) -> SealedShoe:
    spare = bytes.fromhex(stored["spare"]) if stored["spare"] else None
    return SealedShoe(stored["number"], bytes.fromhex(stored["seed"]), spare, stored["dealt"])


def write_note(note: Note) -> list[Any]:
    return [note.round, note.after, note.kind.value, note.seat, note.name]


def read_note(stored: list[Any]) -> Note:
    number, after, kind, seat, *name = stored
    return Note(number, after, NoteKind(kind), seat, *name)


def _write_running(record: Record, game: Game) -> Json:
    moves = game.round.moves if game.round else ()
    return {**write_record(replace(record, moves=moves)), "shoe": _write_shoe(record.shoe)}


def write_record(record: Record) -> Json:
    """Of its shoe, which may still be in use, the number and the index of the first card alone."""
    return {
        "number": record.number,
        "shoe": {"number": record.shoe.number, "dealt": record.shoe.dealt},
        "bets": {str(box): bet for box, bet in record.bets.items()},
        "pairs": {str(box): bet for box, bet in record.pairs.items()},
        "behind": [[one.backer, one.box, one.bet, one.pair] for one in record.behind],
        "stacks": {str(box): stack for box, stack in record.stacks.items()},
        "chips": dict(record.chips),
        "moves": [format_move(move) for move in record.moves],
        "sat_out": list(record.sat_out),
        "resigned": [list(one) for one in record.resigned],
        "broken_off": record.broken_off,
        "void": record.void,
        "first_question": record.first_question,
    }


def read_round(schema: int, stored: Json, shoes: Mapping[int, SealedShoe]) -> Record:
    """The record of a kept round, of whatever schema; `shoes` are the shoes of its game by their numbers."""
    stored = newest({**stored, "schema": schema}, ROUND_MIGRATIONS)
    shoe = stored["shoe"]
    if "seed" not in shoe:
        sealed = shoes[shoe["number"]]
        shoe = _write_shoe(replace(sealed, dealt=shoe["dealt"]))
    return read_record({**stored, "shoe": shoe})


def read_record(stored: Json) -> Record:
    return Record(
        number=stored["number"],
        shoe=_read_shoe(stored["shoe"]),
        bets={int(box): bet for box, bet in stored["bets"].items()},
        pairs={int(box): bet for box, bet in stored["pairs"].items()},
        behind=tuple(Behind(*one) for one in stored["behind"]),
        stacks={int(box): stack for box, stack in stored["stacks"].items()},
        chips=dict(stored["chips"]),
        moves=tuple(parse_move(move) for move in stored["moves"]),
        sat_out=tuple(stored["sat_out"]),
        resigned=tuple((seat, moves) for seat, moves in stored["resigned"]),
        broken_off=stored["broken_off"],
        void=stored["void"],
        first_question=stored["first_question"],
    )


def write_result(result: Result) -> Json:
    return {
        "schema": SCHEMA,
        "reason": result.reason.value,
        "winner": result.winner,
        "places": [
            {
                "seat": place.seat,
                "player": place.player,
                "name": place.name,
                "chips": place.chips,
                "place": place.place,
                "status": place.status.value,
                "stack": place.stack,
                "refills": place.refills,
                "highest": place.highest,
            }
            for place in result.places
        ],
    }


def read_result(stored: Json) -> Result:
    stored = newest(stored, RESULT_MIGRATIONS)
    places = tuple(Place(**{**place, "status": Status(place["status"])}) for place in stored["places"])
    return Result(Reason(stored["reason"]), stored["winner"], places)


# From a schema to the next one: a function for each number below SCHEMA.


def _table_of_schema_1(stored: Json) -> Json:
    """Chips were the seats' own, and each round had a shoe of one seed."""
    number = stored["round_number"]
    record = stored["record"]
    published = stored["published"]
    return {
        **stored,
        "begun": False,
        "ending": False,
        "seats": [_seat_of_schema_1(seat) for seat in stored["seats"]],
        "purses": [_purse_of_schema_1(seat) for seat in stored["seats"] if seat["status"] != "waiting"],
        "opened_purses": 0,
        "shoes": number,
        "shoe": _shoe_of_schema_1(number, stored["seed"]) if stored["seed"] else None,
        "published": _shoe_of_schema_1(*published) if published else None,
        "record": _round_of_schema_1(record) if record else None,
        "result": _result_of_schema_1(stored["result"]) if stored["result"] else None,
    }


def _seat_of_schema_1(seat: Json) -> Json:
    left = {name: value for name, value in seat.items() if name != "chips"}
    return {**left, "stack": str(seat["number"]), "fresh": False}


def _purse_of_schema_1(seat: Json) -> Json:
    return {
        "stack": str(seat["number"]),
        "player": seat["player"],
        "name": seat["name"],
        "chips": seat["chips"],
        "highest": seat["chips"],
        "refills": 0,
        "rounds": 0,
    }


def _shoe_of_schema_1(number: int, seed: str) -> Json:
    return {"number": number, "dealt": 0, "seed": seed, "spare": None}


def _round_of_schema_1(stored: Json) -> Json:
    return {**stored, "shoe": _shoe_of_schema_1(stored["number"], stored["seed"]), "void": False}


def _result_of_schema_1(stored: Json) -> Json:
    names = ("seat", "player", "name", "chips", "place", "status")
    places = [{**dict(zip(names, place, strict=True)), "stack": str(place[0])} for place in stored["places"]]
    return {**stored, "schema": 2, "places": places}


def _table_of_schema_2(stored: Json) -> Json:
    """Nobody bet behind others. Some of these texts already say so."""
    return {"backers": [], "window": 0, "closing": False, **stored}


def _same(stored: Json) -> Json:
    return stored


TABLE_MIGRATIONS: Mapping[int, Migration] = {1: _table_of_schema_1, 2: _table_of_schema_2}
ROUND_MIGRATIONS: Mapping[int, Migration] = {1: _round_of_schema_1, 2: _same}
RESULT_MIGRATIONS: Mapping[int, Migration] = {1: _result_of_schema_1, 2: _same}
