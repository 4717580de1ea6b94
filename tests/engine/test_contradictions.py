"""What contradicts the rest of an exported game is refused, even when the checksum was made again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine import actions, shapes, verify
from engine.export import Json, checksum
from engine.game import GameEvent, Kind, Phase
from engine.rules import PRESETS, Rules
from tests.engine.backing import Backed
from tests.engine.kept import Keeper
from tests.engine.mutations import Path, at
from tests.engine.mutations import changed as anything_changed

UNTIMED = replace(Rules(), bet_seconds=None, decision_seconds=None)
SHOE = replace(PRESETS["casino8"], decks=2, boxes=3)
EARLIER, LATER = "2026-05-01T11:59:59.999Z", "2026-05-01T12:00:00.001Z"


class Told(Backed):
    """A table whose games are kept."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.keeper = Keeper()
        super().__init__(*args, **options)

    def do(self, action: actions.TableAction) -> tuple[GameEvent, ...]:
        before = self.game
        happened = super().do(action)
        self.keeper.take(before, happened, self.game)
        return happened

    def exported(self) -> Json:
        """The last game in which a round was finished."""
        exported: Json = json.loads(json.dumps(self.keeper.games[-1].exported()))
        return exported

    def close_bets(self) -> None:
        self.do(actions.Expire())
        self.rest()


def over() -> Told:
    """A match of two that was played to its last round and has a winner."""
    table = Told(2, rules=UNTIMED)
    for _ in range(9):
        table.play_round(10)
    table.bet("alice", 20)
    table.bet("bob", 10)
    table.finish_round()
    if table.game.result and table.game.result.winner is None:
        raise AssertionError("other bets are needed")
    return table


def running() -> Told:
    """A match of three in its sixth round: somebody sat out, was away, offered a draw; Dave gave up."""
    table = Told(3, rules=UNTIMED)
    table.do(actions.OfferDraw("alice"))
    offer = table.game.offer
    assert offer is not None
    table.do(actions.RefuseDraw("bob", offer.id))
    table.play_round(10)
    table.sit_out("bob")
    for who in ("alice", "dave"):
        table.bet(who, 10)
    table.finish_round()
    table.do(actions.StopWaiting("alice", 2))
    for who in ("alice", "dave"):
        table.bet(who, 10)
    table.finish_round()
    table.do(actions.ComeBack("bob"))
    table.do(actions.Resign("dave"))
    table.play_round(10)
    for who in ("alice", "bob"):
        table.bet(who, 10)
    table.do(actions.Void())
    return table


def drawn() -> Told:
    """A match of two that was drawn after its second round."""
    table = Told(2, rules=UNTIMED)
    for _ in range(2):
        table.play_round(10)
    table.do(actions.OfferDraw("alice"))
    offer = table.game.offer
    assert offer is not None
    table.do(actions.AcceptDraw("bob", offer.id))
    return table


def left() -> Told:
    """A match in which everybody but Bob has given up, Alice in the middle of the third round."""
    table = Told(3, rules=UNTIMED)
    table.play_round(10)
    table.do(actions.Resign("dave"))
    table.play_round(10)
    table.bet("alice", 10)
    table.bet("bob", 10)
    assert table.game.phase is Phase.PLAYING
    table.do(actions.Resign("alice"))
    return table


def live() -> Told:
    """An open table with a cut card, its shoe in use: people come, idle, leave with cards and without."""
    table = Told(2, rules=SHOE, kind=Kind.OPEN)
    table.play_round(10)
    table.sit("dave", 3)
    for who in ("alice", "bob"):
        table.bet(who, 10)
    table.close_bets()
    table.bet("alice", 10)
    table.close_bets()
    assert table.seated() == {1: "alice"}
    table.sit("bob", 2)
    table.sit("dave", 3)
    table.bet("alice", 10)
    table.bet("dave", 10)
    table.do(actions.Expire())
    table.do(actions.Leave("bob"))
    table.do(actions.Leave("dave"))
    table.rest()
    assert table.seated() == {1: "alice"}
    for _ in range(12):
        table.play_round(10)
    return table


def alone() -> Told:
    """A game alone that is over."""
    table = Told(1, rules=UNTIMED, kind=Kind.SOLO)
    for _ in range(2):
        table.play_round(10)
    table.bet("alice", 10)
    table.do(actions.NewGame("alice"))
    return table


GAMES: Mapping[str, Callable[[], Told]] = {
    one.__name__: one for one in (over, running, drawn, left, live, alone)
}


@cache
def game(name: str) -> Json:
    return GAMES[name]().exported()


def with_checksum(exported: Json) -> Json:
    return {**exported, "checksum": checksum(exported, exported["rounds"])}


def answer(exported: Json) -> Json:
    return verify.verify(json.dumps(exported))


@pytest.mark.parametrize("name", GAMES)
def test_what_was_played_is_accepted(name: str) -> None:
    assert answer(game(name)) == {"rounds": len(game(name)["rounds"]), "ok": True}


def noted(exported: Json, kind: str, seat: int | None = None) -> Path:
    """Where the first such note is."""
    return next(
        ("rounds", index, "notes", place)
        for index, one in enumerate(exported["rounds"])
        for place, note in enumerate(one["notes"])
        if note["kind"] == kind and seat in (None, note["seat"])
    )


def changed(exported: Json, path: Path, new: Any) -> Json:
    other: Json = anything_changed(exported, path, new)
    return other


Change = Callable[[Json], Json]


def put(*path: str | int, to: Any) -> Change:
    return lambda exported: changed(exported, path, to)


def note(kind: str, seat: int | None = None, /, **to: Any) -> Change:
    def change(exported: Json) -> Json:
        place = noted(exported, kind, seat)
        return changed(exported, place, {**at(exported, place), **to})

    return change


def without(kind: str, seat: int | None = None) -> Change:
    def change(exported: Json) -> Json:
        *place, index = noted(exported, kind, seat)
        notes = at(exported, tuple(place))
        return changed(exported, tuple(place), [one for other, one in enumerate(notes) if other != index])

    return change


def added(
    number: int, kind: str, seat: int = 0, name: str = "", *, actions: int = 0, last: bool = False
) -> Change:
    """One note more in that round, before or after the others."""

    def change(exported: Json) -> Json:
        new = {"kind": kind, "actions": actions, "seat": seat, "name": name}
        notes = exported["rounds"][number - 1]["notes"]
        return changed(exported, ("rounds", number - 1, "notes"), [*notes, new] if last else [new, *notes])

    return change


def both(*changes: Change) -> Change:
    def change(exported: Json) -> Json:
        for one in changes:
            exported = one(exported)
        return exported

    return change


def ended(reason: str) -> Change:
    """For another reason, for which nobody wins."""
    return both(
        put("reason", to=reason), put("result", "reason", to=reason), put("result", "winner", to=None)
    )


def goes_on(exported: Json) -> Json:
    players = [{**one, "place": None} for one in exported["players"]]
    return {**exported, "finished": None, "reason": None, "result": None, "players": players}


def swapped(number: int) -> Change:
    """The notes of a round in the other order."""

    def change(exported: Json) -> Json:
        return changed(
            exported, ("rounds", number - 1, "notes"), exported["rounds"][number - 1]["notes"][::-1]
        )

    return change


CONTRADICTIONS: Mapping[str, tuple[str, str, Change]] = {
    "it ended before it began": ("over", "time", put("finished", to=EARLIER)),
    "it began after its first round": ("over", "time", put("started", to=LATER)),
    "a round ended before the one before it": ("over", "time", put("rounds", 4, "finished", to=EARLIER)),
    "a round ended after the next one": ("over", "time", put("rounds", 4, "finished", to=LATER)),
    "the last round ended after the game": ("over", "time", put("rounds", 9, "finished", to=LATER)),
    "30 February": ("over", "not_a_time", put("finished", to="2027-02-30T13:00:00.000Z")),
    "the year 0": ("over", "not_a_time", put("finished", to="0000-02-03T13:00:00.000Z")),
    "the 25th hour": ("over", "not_a_time", put("finished", to="2027-02-03T24:00:00.000Z")),
    "no thousandths": ("over", "not_a_time", put("finished", to="2027-02-03T13:00:00Z")),
    "another zone": ("over", "not_a_time", put("finished", to="2027-02-03T13:00:00.000+02:00")),
    "a round with another form of time": (
        "over", "not_a_time", put("rounds", 9, "finished", to="2026-05-01T12:00:00.000+00:00"),
    ),
    "a win turned into an agreed draw": ("over", "reason", ended("agreed_draw")),
    "a win turned into an abandoned match": ("over", "reason", ended("abandoned")),
    "a win turned into the last one left": ("over", "reason", ended("last_left")),
    "a match played out that goes on": ("over", "reason", goes_on),
    "a match broken off that goes on": ("left", "reason", goes_on),
    "the last one left turned into a draw": ("left", "reason", ended("agreed_draw")),
    "the last one left turned into an abandoned match": ("left", "reason", ended("abandoned")),
    "a drawn match turned into its rounds": ("drawn", "reason", ended("rounds")),
    "a game alone that was broken off goes on": ("alone", "reason", goes_on),
    "a game alone ended like one of an open table": ("alone", "reason", ended("empty")),
    "another preset's rules": ("over", "preset", put("preset", to="casino8")),
    "the rules of the house with the name of the hall": ("alone", "preset", put("preset", to="single-vip")),
    "a preset that is a tag": ("over", "not_a_rule_set", put("preset", to="<script>")),
    "a preset in capitals": ("over", "not_a_rule_set", put("preset", to="Openseat")),
    "a preset without a name": ("over", "not_a_rule_set", put("preset", to="")),
    "a preset with a long name": ("over", "not_a_rule_set", put("preset", to="x" * 21)),
    "a hash that is too short": ("live", "not_64_hex_digits", put("shoes", 0, "commitment", to="0" * 63)),
    "a hash in capitals": ("live", "not_64_hex_digits", put("shoes", 0, "commitment", to="A" * 64)),
    "a second hash that is none": ("live", "not_64_hex_digits", put("shoes", 0, "spare_commitment", to="x")),
    "a cut card without a second hash": (
        "live", "spare_commitment", put("shoes", -1, "spare_commitment", to=None),
    ),
    "a second hash without a cut card": (
        "running", "spare_commitment", put("shoes", -1, "spare_commitment", to="0" * 64),
    ),
    "a shoe below the first": ("over", "shoes", put("shoes", 0, "number", to=0)),
    "nobody's name": ("over", "not_a_nickname", put("players", 0, "name", to="")),
    "a name of spaces": ("over", "not_a_nickname", put("players", 0, "name", to="  ")),
    "a long name": ("over", "not_a_nickname", put("players", 0, "name", to="x" * 21)),
    "a name with a line feed": ("over", "not_a_nickname", put("players", 0, "name", to="Al\nice")),
    "a name with a bell": ("over", "not_a_nickname", put("players", 0, "name", to="Al\x07ice")),
    "a name written backwards": ("over", "not_a_nickname", put("players", 0, "name", to="\u202eecilA")),
    "half a character": ("over", "not_a_nickname", put("players", 0, "name", to="Al\ud800ice")),
    "a name that is not that of the seat": ("running", "note", put("players", 1, "name", to="Robert")),
    "somebody sat out after an action": ("running", "note", note("sat_out", actions=1)),
    "another name sat out": ("running", "note", note("sat_out", name="Zed")),
    "nobody is said to have sat out": ("running", "note", without("sat_out")),
    "a seat that is none sat out": ("running", "note", note("sat_out", seat=5)),
    "another seat sat out": ("running", "note", note("sat_out", seat=1, name="Alice")),
    "a void round without its note": ("running", "note", without("void_staff")),
    "a void round twice": ("running", "note", added(5, "void_failure", last=True)),
    "a void round with a seat": ("running", "note", note("void_staff", seat=1, name="Alice")),
    "a void round with a name": ("running", "note", note("void_staff", name="Alice")),
    "a round that is no void one": ("running", "note", added(1, "void_staff", actions=0)),
    "somebody gave up without a word": ("running", "note", without("resigned")),
    "somebody gave up who plays on": ("running", "note", added(2, "resigned", 2, "Bob")),
    "somebody gave up later than is said": ("left", "note", note("resigned", 1, actions=1)),
    "somebody gave up twice": ("running", "note", added(5, "resigned", 3, "Dave")),
    "a note of nothing": ("running", "note", note("sat_out", kind="danced")),
    "a stack is told in a round": ("running", "note", added(2, "refilled", 2, "Bob")),
    "who is out is told in a round": ("running", "note", added(2, "eliminated", 2, "Bob")),
    "somebody sits down in a match": ("running", "note", added(2, "sat_down", 2, "Bob")),
    "nobody offered what is refused": ("running", "note", without("draw_offered")),
    "somebody refuses the own offer": ("running", "note", note("draw_refused", seat=1, name="Alice")),
    "an offer is made before the last one has an answer": (
        "running", "note", both(without("draw_refused"), added(2, "draw_offered", 2, "Bob")),
    ),
    "who was there comes back": ("running", "note", without("stopped_waiting")),
    "nobody waits for somebody twice": ("running", "note", added(3, "stopped_waiting", 2, "Bob")),
    "the table stops waiting for nobody": ("running", "note", note("stopped_waiting", seat=4)),
    "a note in a round that is over": ("running", "note", note("draw_offered", actions=90)),
    "a note before the first action": ("running", "note", note("draw_offered", actions=-1)),
    "the notes are in another order": ("live", "note", swapped(4)),
    "the cut card never came": ("live", "note", without("cut_card")),
    "the cut card came another time": ("live", "note", added(1, "cut_card")),
    "the cut card has a seat": ("live", "note", note("cut_card", seat=1)),
    "discards that were not dealt": ("live", "note", added(1, "discards")),
    "nobody sat down where somebody plays": ("live", "note", without("sat_down", 3)),
    "somebody sat down where somebody sits": ("live", "note", added(2, "sat_down", 1, "Zed")),
    "somebody sat down twice": ("live", "note", added(2, "sat_down", 3, "Dave")),
    "somebody else plays than sat down": ("live", "note", added(5, "sat_down", 1, "Zed", last=True)),
    "somebody sat down on no seat": ("live", "note", note("sat_down", 3, seat=4)),
    "somebody sat down at no table": ("live", "note", note("sat_down", 3, seat=0)),
    "somebody sat down after the deal": ("live", "note", note("sat_down", 3, actions=1)),
    "somebody without a name sat down": ("live", "note", note("sat_down", 3, name="")),
    "who left without a word": ("live", "note", without("left", 3)),
    "who left with cards did so at once": ("live", "note", note("left", 3, actions=0)),
    "somebody else left": ("live", "note", note("left", 3, name="Zed")),
    "who played lost the seat": ("live", "note", note("left", 3, kind="idle")),
    "who idled left early": ("live", "note", note("idle", actions=0)),
    "somebody idle plays on": ("live", "note", added(3, "idle", 1, "Alice", last=True)),
    "somebody gave up at an open table": ("live", "note", note("left", 3, kind="resigned")),
    "a seat that nobody may have alone": ("alone", "note", added(1, "sat_down", 2, "Alice", last=True)),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_refused(name: str) -> None:
    of, what, change = CONTRADICTIONS[name]
    contradicting = change(game(of))
    assert contradicting != game(of)
    told = answer(with_checksum(contradicting))
    assert told.get("ok") is not True
    assert told.get("what", told.get("error")) == what


@pytest.mark.parametrize(
    ("day", "there"),
    [
        ("2026-02-28", True), ("2026-02-29", False), ("2028-02-29", True), ("2028-02-30", False),
        ("2100-02-29", False), ("2000-02-29", True), ("2026-04-31", False), ("2026-12-31", True),
        ("2026-13-01", False), ("2026-00-10", False), ("2026-01-00", False), ("2026-01-32", False),
    ],
)  # fmt: skip
def test_which_days_there_are(day: str, there: bool) -> None:
    assert shapes.TIME.fits(f"{day}T23:59:59.999Z") is there


# What is no contradiction


def test_an_older_preset_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a preset says may change, and what was played under its name is still right."""
    exported = with_checksum({**game("alone"), "preset": "openseat"})
    assert answer(exported)["ok"]
    newer = {**PRESETS, "openseat": replace(PRESETS["openseat"], max_hands=3)}
    monkeypatch.setattr("engine.verify.PRESETS", newer)
    assert answer(exported)["ok"]


@pytest.mark.parametrize("preset", ["custom", "openseat", "house-2030"])
def test_what_rules_may_be_called(preset: str) -> None:
    assert answer(with_checksum({**game("over"), "preset": preset}))["ok"]


def test_two_people_may_have_the_same_name() -> None:
    exported = changed(game("drawn"), ("players", 1, "name"), "Alice")
    forged = json.loads(json.dumps(exported).replace('"Bob"', '"Alice"'))
    assert answer(with_checksum(forged))["ok"]


def test_times_are_written_in_order_though_the_clock_was_set_back() -> None:
    kept = Told(2, rules=UNTIMED)
    for _ in range(2):
        kept.play_round(10)
    rounds = [replace(kept.keeper.games[-1].played[0], finished=LATER), kept.keeper.games[-1].played[1]]
    kept.keeper.games[-1].played[:] = rounds
    exported = kept.exported()
    assert [one["finished"] for one in exported["rounds"]] == [LATER, LATER]
    assert answer(exported)["ok"]


# What is said, and how soon


def test_the_first_switch_that_differs_is_named_with_both_values() -> None:
    told = answer(with_checksum(changed(game("drawn"), ("rules", "soft_17"), "hit")))
    assert (told["round"], told["what"]) == (1, "rules")
    assert told["detail"] == 'rules (at=soft_17, said="stand", follows="hit")'


def test_the_first_round_that_is_none_ends_the_reading() -> None:
    class Endless(io.RawIOBase):
        """A game whose rounds are numbers, on and on."""

        read_so_far = 0

        def read(self, size: int = -1) -> bytes:
            self.read_so_far += size
            assert self.read_so_far < 1 << 20
            begun = self.read_so_far == size
            return (
                b'{"format": "openseat-game", "version": 1, "rounds": [1' if begun else b", 1" * (size // 3)
            )

    assert verify.verify(Endless())["error"] == "not_an_object"  # type: ignore[arg-type]


def test_another_format_ends_the_reading_at_once() -> None:
    text = '{"format": "openseat-table", "rounds": [1, 2, 3'
    assert verify.verify(text)["error"] == "not_a_game"


def test_whoever_holds_several_seats_is_called_the_same_on_all() -> None:
    table = Told(1, rules=replace(UNTIMED, boxes_per_player=2), kind=Kind.SOLO)
    table.do(actions.Sit("alice", 2, "Somebody"))
    table.play_round(10)
    told = table.exported()
    assert {one["name"] for one in told["rounds"][0]["notes"]} == {"Alice"}
    assert answer(told)["ok"]
