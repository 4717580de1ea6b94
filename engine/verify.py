"""Checking an exported game (`engine.export`): every round is played again, every card and chip followed.

What an export says twice must agree, and what follows from its rounds is worked out and compared: results,
chips, refills, standings, the winner, why it ended, who came, left or gave up. The cards of a finished shoe
must be those that its seed fixes, and the seed must have the hash that was shown before the bets.
"""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, BinaryIO, cast

from engine import cases, shapes
from engine.errors import Differs, EngineError, NotationError
from engine.export import FORMAT, FREE_SWITCHES, VERSION, canonical, plays_on
from engine.ledger import Ledger, chips_after
from engine.notation import Case, parse_move
from engine.noted import Notes
from engine.places import Course, Seats, check_result, check_runs
from engine.record import Record
from engine.round import Round, apply
from engine.rules import PRESETS, Rules, Shuffle
from engine.shoe import SealedShoe, Shoe, commitment, cut_after
from engine.streams import members
from engine.table import MATCH_ROUNDS, Kind, Reason

Json = dict[str, Any]

# Whoever has a list of games or an archive is told that one game was expected.
_NOT_ONE = {"no_object": "not_a_game", "several_objects": "several_games"}

# What is larger waits on the disk to be read a second time.
IN_MEMORY = 1 << 22

_STACK = {
    "stack": str,
    "name": shapes.NICKNAME,
    **dict.fromkeys(("chips", "highest", "refills", "backed", "won_behind"), int),
}
_GAME: shapes.Shape = {
    "format": str,
    "version": int,
    "id": str,
    "kind": str,
    "preset": shapes.RULE_SET,
    "rules": dict,
    "rounds_planned": (int, None),
    "started": shapes.TIME,
    "finished": (shapes.TIME, None),
    "reason": (str, None),
    "players": [{**_STACK, "seat": int, "place": (int, None)}],
    "backers": [_STACK],
    "shoes": [
        {
            "number": int,
            "commitment": shapes.HEX,
            "seed": (shapes.HEX, None),
            "spare_commitment": (shapes.HEX, None),
            "spare": (shapes.HEX, None),
        }
    ],
    "result": (
        {
            "reason": str,
            "winner": (str, None),
            "places": [{"place": int, "stack": str, "chips": int, "status": str}],
        },
        None,
    ),
    "rounds": list,
    "checksum": str,
}
_ROUND: shapes.Shape = {
    "number": int,
    "finished": shapes.TIME,
    "void": bool,
    "broken_off": bool,
    "sat_out": [int],
    "resigned": [{"seat": int, "actions": int}],
    "shoe": {"number": int, "first": int, "discards": (int, None)},
    "case": (dict, None),
    "result": (dict, None),
    "chips_after": dict,
    "notes": [{"kind": str, "actions": int, "seat": int, "name": str}],
}


def verify(exported: bytes | str | BinaryIO) -> Json:
    """Check an exported game: ``{"rounds": n, "ok": True}``, or the first thing that differs.

    That is ``{"ok": False, "round": n, "what": code, "detail": …}``, the round None where it is about the
    game as a whole. What is no exported game of this version, or several games, gives an error as
    `engine.cases.settle` does. A stream need not fit into memory, but it is read twice (`rereadable`).
    """
    if isinstance(exported, str):
        exported = exported.encode()
    stream = io.BytesIO(exported) if isinstance(exported, bytes) else exported
    game: _Game | None = None
    try:
        game = _Game(_header(stream))
        stream.seek(0)
        for _, value, element in members(stream, "rounds"):
            if element:
                game.enter(value)
        game.close()
    except Differs as differs:
        number = game.round if game else None
        return {"ok": False, "round": number, "what": differs.code, "detail": str(differs)}
    except EngineError as error:
        if error.code in _NOT_ONE:
            error = NotationError(_NOT_ONE[error.code], expected="one game", **error.params)
        return {"error": error.code, "at": None, "detail": str(error)}
    except RecursionError:
        return {"error": "not_json", "at": None, "detail": "not_json (reason=nested too deeply)"}
    return {"rounds": game.rounds, "ok": True}


def _header(stream: BinaryIO) -> Json:
    """All but the rounds, of which only the form is looked at: the first of another form ends the reading."""
    header: Json = {}
    rounds = 0
    for name, value, element in members(stream, "rounds"):
        if element:
            shapes.check(value, _ROUND, f"rounds[{rounds}]")
            rounds += 1
            continue
        header[name] = value
        _check_format(header, name)
    for name in ("format", "version"):
        _check_format(header, name)
    shapes.check(header, _GAME, "game")
    return header


def _check_format(header: Json, name: str) -> None:
    """It is an exported game of this version, which is mostly said first of all."""
    said = str(header.get(name))[:100]
    if name == "format" and header.get(name) != FORMAT:
        raise NotationError("not_a_game", format=said)
    if name == "version" and canonical(header.get(name)) != canonical(VERSION):
        raise NotationError("unknown_version", version=said, known=VERSION)


def rereadable(stream: BinaryIO) -> BinaryIO:
    """A copy of a stream that can not go back to its beginning."""
    copy = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115
    while chunk := stream.read(1 << 16):
        copy.write(chunk)
    copy.seek(0)
    return copy


class _Game:
    """An export as far as it has been checked. `round` is the one that is looked at."""

    def __init__(self, header: Json) -> None:
        self.round: int | None = None
        self.rounds = 0
        self.header = header
        self.rules = _rules(header)
        self.kind, self.reason = _kind(header), _reason(header)
        self.ledger = Ledger(self.rules, self.kind)
        self.seats = Seats()
        self.notes = Notes(
            self.ledger, {one["stack"]: one["name"] for one in (*header["backers"], *header["players"])}
        )
        self.shoes = _Shoes(header["shoes"], self.rules)
        self.broken_off = False
        self.time = header["started"]
        self.total = hashlib.sha256()
        self.total.update(
            canonical({name: header[name] for name in header if name not in ("rounds", "checksum")})
        )

    def enter(self, value: Any) -> None:
        """Check the next round."""
        self.round = self.rounds + 1
        self.total.update(canonical(value))
        if value["number"] != self.round:
            raise Differs("number", said=value["number"], follows=self.round)
        if self.broken_off:
            raise Differs("broken_off", round=self.rounds)
        self._goes_on(value["finished"])
        self.ledger.open_bets()
        case, states = self._played(value)
        record = _record(value, case, states)
        self._check_laid(record)
        if self.kind is Kind.MATCH:
            self.seats.enter(record, self.ledger)
        self._check_stopped(record, states)
        if states:
            _check_same("result", value["result"], cases.report(states[-1]))
        cards = case.shoe if case else ()
        self.shoes.deal(value["shoe"], record, cards, states)
        self.notes.enter(value["notes"], record, states, value["shoe"]["discards"])
        after = chips_after(self.rules, record, states)
        _check_same("chips_after", value["chips_after"], after)
        self.ledger.enter(record, states, after)
        self.broken_off = record.broken_off
        self.rounds, self.round = self.round, None

    def _goes_on(self, time: str) -> None:
        if time < self.time:
            raise Differs("time", said=time, not_before=self.time)
        self.time = time

    def _played(self, value: Json) -> tuple[Case | None, list[Round]]:
        """The case of a round and its states after none, one, … all of its actions."""
        if value["case"] is None:
            if value["result"] is not None:
                raise Differs("case")
            return None, []
        if value["result"] is None:
            raise Differs("result")
        said = value["case"]
        _check_same("rules", said.get("rules"), self.header["rules"])
        at: int | None = None
        try:
            case = cases.read_case(said)
            states = [case.deal()]
            for index, action in enumerate(said.get("actions", [])):
                at = index
                if not isinstance(action, str):
                    raise NotationError("not_text", field="actions")
                states.append(apply(states[-1], parse_move(action)))
        except EngineError as error:
            raise Differs("case", action=at, reason=str(error)) from None
        if len(case.shoe) != states[-1].drawn:
            raise Differs("cards", said=len(case.shoe), drawn=states[-1].drawn)
        return case, states

    def _check_laid(self, record: Record) -> None:
        """Every stack held before what it held after the last round, or was refilled, or is new."""
        stacks = {record.stacks.get(box, str(box)) for box in record.bets}
        stacks |= {one.backer for one in record.behind}
        if record.chips.keys() != stacks:
            raise Differs("chips_before", said=sorted(record.chips), follows=sorted(stacks))
        for stack, chips in record.chips.items():
            held = self.ledger.holding(stack).chips
            if chips != held:
                raise Differs("chips_before", stack=stack, said=chips, follows=held)
        sitting = record.sat_out
        if len({*sitting, *record.bets}) != len(sitting) + len(record.bets) or not {*sitting, *record.bets}:
            raise Differs("sat_out", sat_out=list(sitting))
        if any(not 1 <= seat <= self.rules.boxes for seat in sitting):
            raise Differs("sat_out", sat_out=list(sitting))

    def _check_stopped(self, record: Record, states: Sequence[Round]) -> None:
        if record.resigned and self.kind is not Kind.MATCH:
            raise Differs("resigned", kind=self.kind.value)
        if record.void and record.broken_off:
            raise Differs("void", void=record.void, broken_off=record.broken_off)
        settled = not states or states[-1].settled
        if settled == (record.void or record.broken_off):
            raise Differs("broken_off" if record.broken_off or not record.void else "void", settled=settled)
        planned = self.header["rounds_planned"]
        if planned is not None and record.number > planned:
            raise Differs("rounds_planned", planned=planned)

    def close(self) -> None:
        """Check what is told of the game as a whole."""
        if plays_on(self.kind, self.reason):
            self.ledger.open_bets()
        self._check_people()
        planned = self.header["rounds_planned"] or 0
        course = Course(
            self.kind, self.reason, self.rounds, planned, self.broken_off, shoe_over=self.shoes.over
        )
        if self.reason is None:
            check_runs(course, self.ledger, self.seats)
        else:
            check_result(course, self.header["result"], self.ledger, self.seats)
            self._goes_on(self.header["finished"])
        self.shoes.close(over=self.reason is not None)
        if self.header["checksum"] != self.total.hexdigest():
            raise Differs("checksum", said=self.header["checksum"][:100], follows=self.total.hexdigest())

    def _check_people(self) -> None:
        result = self.header["result"]
        places = {one["stack"]: one["place"] for one in result["places"]} if result else {}
        told = [*self.header["players"], *self.header["backers"]]
        for one in self.header["players"]:
            # Who gave up a match before its first round is in none of them.
            if one["stack"] in self.ledger.seats:
                self.ledger.holding(one["stack"])
        if len({one["stack"] for one in told}) != len(told):
            raise Differs("stack_twice")
        if {one["stack"] for one in told} != self.ledger.holdings.keys():
            raise Differs(
                "stacks", said=sorted(one["stack"] for one in told), follows=sorted(self.ledger.holdings)
            )
        for one in told:
            stack = one["stack"]
            held = self.ledger.holding(stack)
            follows: Json = {
                "chips": held.chips,
                "highest": held.highest,
                "refills": held.refills,
                "backed": held.backed,
                "won_behind": held.won_behind,
            }
            if held.seat:
                follows |= {"seat": held.seat, "place": places.get(stack)}
            if one.keys() - {"stack", "name"} != follows.keys():
                raise Differs("players", stack=stack)
            for name, value in follows.items():
                if one[name] != value:
                    raise Differs(name, stack=stack, said=one[name], follows=value)


def _rules(header: Json) -> Rules:
    said, called = header["rules"], header["preset"]
    rules = Rules.from_json(said)
    # Each switch that is there must be written as it always is.
    follows = rules.to_json()
    _check_same("rules", said, {name: follows[name] for name in said})
    # A preset may have had other rules once, but never those of another one.
    names = [name for name, preset in PRESETS.items() if _is_called(rules, preset)]
    if names and called in PRESETS and called not in names:
        raise Differs("preset", said=called, follows=names[0])
    return rules


def _is_called(rules: Rules, preset: Rules) -> bool:
    """Whether a table with these rules goes by the name of that preset."""
    free = {switch: getattr(preset, switch) for switch in FREE_SWITCHES}
    return replace(rules, **free) == preset


def _kind(header: Json) -> Kind:
    try:
        kind = Kind(header["kind"])
    except ValueError:
        raise NotationError("unknown_kind", kind=header["kind"][:100]) from None
    planned = header["rounds_planned"]
    if planned not in (MATCH_ROUNDS if kind is Kind.MATCH else (None,)):
        raise Differs("rounds_planned", kind=kind.value, said=planned)
    return kind


def _reason(header: Json) -> Reason | None:
    """Why the game is over; None while it runs."""
    result = header["result"]
    if (result is None) != (header["finished"] is None) or (result is None) != (header["reason"] is None):
        raise Differs("reason", finished=header["finished"], reason=header["reason"])
    if result is None:
        return None
    if result["reason"] != header["reason"]:
        raise Differs("reason", said=header["reason"], follows=result["reason"])
    try:
        return Reason(header["reason"])
    except ValueError:
        raise Differs("reason", said=header["reason"]) from None


def _record(value: Json, case: Case | None, states: Sequence[Round]) -> Record:
    shoe = SealedShoe(value["shoe"]["number"], b"", dealt=value["shoe"]["first"])
    resigned = tuple((one["seat"], one["actions"]) for one in value["resigned"])
    if any(not 0 <= actions < max(1, len(states)) for _, actions in resigned) or (resigned and not states):
        raise Differs("resigned", resigned=value["resigned"])
    return Record(
        number=value["number"],
        shoe=shoe,
        bets=case.bets if case else {},
        pairs=case.pairs if case else {},
        behind=case.behind if case else (),
        stacks=case.stacks if case else {},
        chips=case.chips if case else {},
        moves=states[-1].moves if states else (),
        sat_out=tuple(value["sat_out"]),
        resigned=resigned,
        broken_off=value["broken_off"],
        void=value["void"],
    )


class _Shoes:
    """The shoes of a game, and the place in them that the next round must begin at."""

    def __init__(self, told: list[Json], rules: Rules) -> None:
        self.rules = rules
        self.told = {one["number"]: one for one in told}
        if len(self.told) != len(told):
            raise Differs("shoe_twice")
        for one in told:
            if one["number"] < 1:
                raise Differs("shoes", shoe=one["number"])
            self._check_seeds(one)
        self.used: set[int] = set()
        # Whether the last round was the last one of its shoe.
        self.over = False
        self.number = min(self.told, default=1)
        self.first = 0
        self.open_cards: Counter[str] = Counter()

    def _check_seeds(self, told: Json) -> None:
        cut = self.rules.shuffle is Shuffle.CUT_CARD
        if cut == (told["spare_commitment"] is None):
            raise Differs("spare_commitment", shoe=told["number"])
        if (told["spare"] is None) != (told["seed"] is None or not cut):
            raise Differs("spare", shoe=told["number"])
        for seed, hashed in (("seed", "commitment"), ("spare", "spare_commitment")):
            if told[seed] is None:
                continue
            follows = commitment(bytes.fromhex(told[seed]))
            if told[hashed] != follows:
                raise Differs(hashed, shoe=told["number"], said=told[hashed][:100], follows=follows)

    def deal(self, place: Json, record: Record, cards: Sequence[Any], states: Sequence[Round]) -> None:
        """Check where the cards of a round came from, and go on behind them."""
        number, first = place["number"], place["first"]
        if (number, first) != (self.number, self.first) or number not in self.told:
            raise Differs("shoe", said=f"{number}, {first}", follows=f"{self.number}, {self.first}")
        self.used.add(number)
        left = 52 * self.rules.decks - first
        discards = left if len(cards) > left else None
        if place["discards"] != discards:
            raise Differs("discards", said=place["discards"], follows=discards)
        self._check_cards(self.told[number], first, cards)
        self.over = (
            self.rules.shuffle is Shuffle.EVERY_ROUND
            or record.void
            or record.broken_off
            or discards is not None
            or (bool(states) and first + len(cards) >= cut_after(self.rules.decks, self.rules.cut_card))
        )
        self.number, self.first = (number + 1, 0) if self.over else (number, first + len(cards))
        if self.over:
            self.open_cards.clear()

    def _check_cards(self, told: Json, first: int, cards: Sequence[Any]) -> None:
        if told["seed"] is None:
            # Nobody knows its order yet, but there are so many of each card and no more.
            self.open_cards.update(map(str, cards))
            if any(count > self.rules.decks for count in self.open_cards.values()):
                raise Differs("cards", shoe=told["number"])
            return
        spare = bytes.fromhex(told["spare"]) if told["spare"] else None
        shoe = Shoe.from_seed(bytes.fromhex(told["seed"]), self.rules.decks, played=first, spare=spare)
        for index, said in enumerate(cards):
            card, shoe = shoe.draw()
            if card != said:
                raise Differs("cards", shoe=told["number"], card=index, said=said, follows=card)

    def close(self, *, over: bool) -> None:
        """All that are told of were used, and only the one in use keeps its seeds."""
        if self.used != self.told.keys():
            raise Differs("shoes", said=sorted(self.told), follows=sorted(self.used))
        for number, told in self.told.items():
            if told["seed"] is None and (over or number != self.number):
                raise Differs("seed", shoe=number)


def _check_same(what: str, said: object, follows: object) -> None:
    """Refuse JSON that is not the same; the detail names the place."""
    if isinstance(said, dict) and isinstance(follows, dict) and "legal" in follows and "legal" in said:
        # They may come in any order.
        said, follows = ({**one, "legal": _sorted(one["legal"])} for one in (said, follows))
    if canonical(said) != canonical(follows):
        place, one, other = _difference(said, follows, "")
        raise Differs(what, at=place or None, said=_short(one), follows=_short(other))


def _sorted(value: object) -> object:
    return sorted(value, key=str) if isinstance(value, list) else value


def _difference(said: object, follows: object, place: str) -> tuple[str, object, object]:
    pairs: list[tuple[str, object, object]] = []
    if isinstance(said, dict) and isinstance(follows, dict):
        pairs = [(name, said.get(name), follows.get(name)) for name in sorted({*said, *follows})]
    elif isinstance(said, list) and isinstance(follows, list) and len(said) == len(follows):
        pairs = [(str(index), *both) for index, both in enumerate(zip(said, follows, strict=True))]
    for name, one, other in pairs:
        if canonical(one) != canonical(other):
            return _difference(one, other, f"{place}.{name}".lstrip("."))
    return place, said, follows


def _short(value: object) -> str:
    text = canonical(value).decode().strip()
    return text if len(text) < 200 else text[:200] + "…"
