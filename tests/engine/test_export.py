"""A game that is exported is accepted, and refused when anything in it was changed."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from engine import actions, cases
from engine.__main__ import main
from engine.errors import NotationError
from engine.export import Json, checksum, write
from engine.notation import parse_cards
from engine.rules import PRESETS, Rules
from engine.streams import members
from engine.table import Kind, Phase
from engine.verify import verify
from tests.engine.kept import Kept, games_of
from tests.engine.mutations import Path as Place
from tests.engine.mutations import at, changed, leaves, names, others, renamed
from tests.engine.test_crowds import Crowd, any_crowd
from tests.engine.test_properties import Watched, any_table, go_on

# So many games are exported and checked; OPENSEAT_GAMES=500 plays more of them.
GAMES = int(os.environ.get("OPENSEAT_GAMES", "20"))
# What is told nowhere else, and follows from nothing: only the checksum knows when it was changed.
TOLD_ONCE = {"id", "preset", "name", "started", "finished"}


def tables() -> Iterator[Watched]:
    """Tables of every rule set and kind, one after the other, each played for a while."""
    for number in count():
        choose = random.Random(number)
        table: Watched
        if number % 3 == 0:
            table, choose = any_crowd(number)
        elif number % 3 == 1:
            table, choose = any_table(number)
        else:
            preset = list(PRESETS.values())[number // 3 % len(PRESETS)]
            kind = list(Kind)[number % 2 * 2] if number % 5 else Kind.SOLO
            table = Crowd(kind, 3, preset, crowd=choose.randint(1, 4))
        quiet = number % 3 == 2
        for _ in range(400 if quiet else 120):
            (quiet_step if quiet else step)(table, choose)
        yield table


def quiet_step(table: Watched, choose: random.Random) -> None:
    """Nobody gives up or goes away, and there is one match only."""
    if table.game.phase is Phase.OVER:
        return
    asked = table.game.round.questions if table.game.phase is Phase.PLAYING and table.game.round else ()
    if isinstance(table, Crowd) and table.crowd and table.may_stir() and choose.random() < 0.3:
        table.somebody_stirs(choose)
    elif (asked and all(one.backer for one in asked)) or (table.game.closing and choose.random() < 0.5):
        table.take(actions.Expire())
    else:
        table.somebody_plays_on(choose)


def step(table: Watched, choose: random.Random) -> None:
    if isinstance(table, Crowd):
        table.something_happens(choose)
    else:
        go_on(table, choose, 0.15)


@cache
def some(many: int) -> tuple[Kept, ...]:
    return tuple(islice((kept for table in tables() for kept in games_of(table)), many))


def text_of(exported: Json) -> str:
    return "".join(write(exported))


def with_checksum(exported: Json) -> Json:
    """As somebody makes it who wants the change to be believed."""
    return {**exported, "checksum": checksum(exported, exported["rounds"])}


def answer(exported: object) -> Json:
    return verify(json.dumps(exported))


def refused(exported: object) -> bool:
    return answer(exported).get("ok") is not True


# What is exported is accepted


def test_games_of_every_rule_set_are_accepted() -> None:
    seen: set[tuple[str, str]] = set()
    presets: set[Rules] = set()
    behind = 0
    for kept in some(GAMES):
        exported = kept.exported()
        assert answer(exported) == {"rounds": len(kept.played), "ok": True}
        assert verify(text_of(exported)) == {"rounds": len(kept.played), "ok": True}
        seen.add((exported["kind"], str(exported["reason"])))
        presets.add(kept.game.rules)
        behind += len(exported["backers"])
    assert {kind for kind, _ in seen} == {"match", "solo", "open"}
    assert behind
    if GAMES >= 500:
        assert set(PRESETS.values()) <= presets
        assert seen >= {
            ("match", "last_left"),
            ("match", "rounds"),
            ("open", "day_over"),
            ("solo", "new_game"),
        }


def test_every_round_of_an_export_is_a_case_with_its_answer() -> None:
    for kept in some(8):
        for played in kept.exported()["rounds"]:
            if played["case"] is not None:
                assert cases.settle(json.dumps(played["case"])) == played["result"]
                assert len(parse_cards(played["case"]["shoe"])) == played["result"]["drawn"]


def test_an_export_is_written_the_same_way_each_time_and_may_be_written_another_way() -> None:
    exported = some(1)[0].exported()
    assert json.loads(text_of(exported)) == exported
    assert verify(json.dumps(exported, indent=7, sort_keys=True, ensure_ascii=False))["ok"]


def test_seeds_of_a_shoe_in_use_are_not_told() -> None:
    running = next(kept for kept in some(GAMES) if kept.result is None and kept.shoes.keys() - kept.finished)
    exported = running.exported()
    text = text_of(exported)
    for number, shoe in running.shoes.items():
        told = next(one for one in exported["shoes"] if one["number"] == number)
        assert told["commitment"] == shoe.commitment
        assert (told["seed"] is None) is (number not in running.finished)
        assert (shoe.seed.hex() in text) is (number in running.finished)
        assert shoe.spare is None or (shoe.spare.hex() in text) is (number in running.finished)


# What was changed is refused


def short_games(many: int) -> list[Json]:
    """Games of few rounds, of every kind, with and without people who bet behind."""
    games = [kept.exported() for kept in some(max(GAMES, 20))]
    short = [one for one in games if len(one["rounds"]) <= 4]
    short.sort(key=lambda one: (one["result"] is None, not one["backers"], len(one["rounds"])))
    return short[:many]


def only_told_there(exported: Json, place: Place) -> bool:
    """Nothing else in the export says so, and it follows from nothing."""
    if place[-1] in TOLD_ONCE or "notes" in place:
        return True
    return place[-1] in ("commitment", "spare_commitment") and at(exported, (*place[:-1], "seed")) is None


def test_any_single_change_is_found_even_when_the_checksum_was_made_again() -> None:
    choose = random.Random(5)
    for exported in short_games(4):
        places = [place for place in leaves(exported) if place[-1] != "checksum"]
        for place in places if GAMES >= 500 else choose.sample(places, min(70, len(places))):
            for other in others(at(exported, place)):
                if only_told_there(exported, place) and isinstance(other, type(at(exported, place))):
                    continue
                forged = changed(exported, place, other)
                if isinstance(forged["rounds"], list):
                    forged = with_checksum(forged)
                assert refused(forged), (place, at(exported, place), other)


def test_any_change_at_all_is_found_by_the_checksum() -> None:
    choose = random.Random(6)
    for exported in short_games(3):
        places = [*leaves(exported)]
        for place in places if GAMES >= 500 else choose.sample(places, min(40, len(places))):
            other = choose.choice(others(at(exported, place)))
            assert refused(changed(exported, place, other)), (place, at(exported, place), other)


def test_another_name_of_a_stack_or_anything_else_is_found() -> None:
    choose = random.Random(7)
    for exported in short_games(3):
        places = [*names(exported)]
        for place in places if GAMES >= 500 else choose.sample(places, min(40, len(places))):
            forged = renamed(exported, place, f"{place[-1]}x")
            if isinstance(forged.get("rounds"), list):
                forged = with_checksum(forged)
            assert refused(forged), place


def whole(many: int = 3) -> Json:
    """A finished game of so many rounds in which cards were dealt."""
    for kept in some(max(GAMES, 20)):
        exported = kept.exported()
        if exported["result"] and sum(one["case"] is not None for one in exported["rounds"]) >= many:
            return exported
    raise AssertionError("no such game")


def differs(exported: Json, place: Place, other: Any) -> tuple[Any, ...]:
    told = answer(with_checksum(changed(exported, place, other)))
    return told.get("ok"), told.get("round"), told.get("what")


def dealt(exported: Json) -> int:
    return next(index for index, one in enumerate(exported["rounds"]) if one["case"] is not None)


def test_it_is_said_what_differs_and_in_which_round() -> None:
    exported = whole()
    index = dealt(exported)
    number = index + 1
    inside: Place = ("rounds", index)
    played = exported["rounds"][index]
    stack = next(iter(played["case"]["chips"]))
    box = next(iter(played["case"]["bets"]))
    shoe = next(place for place, one in enumerate(exported["shoes"]) if one["seed"])
    chips, net = played["case"]["chips"][stack], played["result"]["boxes"][box]["net"]
    seed = exported["shoes"][shoe]["seed"]
    assert [
        differs(exported, (*inside, "case", "chips", stack), chips + 1),
        differs(exported, (*inside, "chips_after", stack), played["chips_after"][stack] + 1),
        differs(exported, (*inside, "result", "boxes", box, "net"), net + 1),
        differs(exported, (*inside, "case", "actions"), ["9 hit"]),
        differs(exported, (*inside, "case", "rules", "soft_17"), "hit"),
        differs(exported, (*inside, "number"), 40),
        differs(exported, (*inside, "shoe", "first"), 3),
        differs(exported, ("shoes", shoe, "seed"), seed[::-1]),
        differs(exported, ("players", 0, "chips"), exported["players"][0]["chips"] + 1),
    ] == [
        (False, number, "chips_before"),
        (False, number, "chips_after"),
        (False, number, "result"),
        (False, number, "case"),
        (False, number, "rules"),
        (False, number, "number"),
        (False, number, "shoe"),
        (False, None, "commitment"),
        (False, None, "chips"),
    ]
    told = verify(text_of({**exported, "id": "another"}))
    assert (told["ok"], told["round"], told["what"]) == (False, None, "checksum")


def test_a_round_that_was_dealt_other_cards_is_found() -> None:
    """All is right about it: the result, the chips; but its seed gives other cards."""
    exported = whole()
    for index, played in enumerate(exported["rounds"]):
        if played["case"] is None or played["broken_off"] or played["void"]:
            continue
        cards = played["case"]["shoe"].split()
        twin = {"s": "h", "h": "s", "d": "c", "c": "d"}
        case = {**played["case"], "shoe": " ".join(card[0] + twin[card[1]] for card in cards)}
        forged = {**played, "case": case, "result": cases.settle(json.dumps(case))}
        assert differs(exported, ("rounds", index), forged) == (False, index + 1, "cards")
        return
    raise AssertionError("no round to forge")


def test_a_round_that_is_missing_or_comes_twice_is_found() -> None:
    exported = whole()
    rounds = exported["rounds"]
    for forged in (rounds[1:], [*rounds[:1], *rounds[2:]], [rounds[0], *rounds], rounds[::-1]):
        assert refused(with_checksum({**exported, "rounds": forged}))


def test_chips_out_of_nowhere_are_found() -> None:
    """Both the round before and the one after agree, but nobody refilled the stack."""
    exported = whole()
    index = dealt(exported)
    stack = next(iter(exported["rounds"][index]["case"]["chips"]))
    forged = json.loads(json.dumps(exported))
    forged["rounds"][index]["case"]["chips"][stack] += 500
    forged["rounds"][index]["chips_after"][stack] += 500
    assert answer(with_checksum(forged))["what"] == "chips_before"


# Any text


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{", "{}", "{]", '{"format"}', '{"format": "openseat-game"', '"openseat"', "\xff",
        '{"format": "openseat-game", "version": 2}', '{"format": "openseat-game", "version": true}',
        '{"format": "openseat-game", "version": 1}', '{"format": "openseat-game", "version": 1, "rounds": [',
        '{"format": "openseat-game", "format": "openseat-game"}', '{"rounds": [1, 2,]}', '{"rounds": [] x}',
        '{"rounds": {"a": NaN}}', '{"a": ' + "[" * 100_000, '{"a": 1' + "0" * 2_000 + "}", "{} {}",
    ],
)  # fmt: skip
def test_what_is_no_exported_game_is_an_error(text: str) -> None:
    told = verify(text.encode("latin-1"))
    assert set(told) == {"error", "at", "detail"}


def test_a_game_that_was_cut_off_is_refused_wherever() -> None:
    text = text_of(short_games(1)[0])
    for end in range(0, len(text.rstrip()) - 1, max(1, len(text) // 150)):
        assert "error" in verify(text[:end])


def test_anything_in_any_place_is_refused_in_words() -> None:
    exported = short_games(1)[0]
    deep: Any = 0
    for _ in range(400):
        deep = [deep]
    choose = random.Random(8)
    for place in choose.sample([*leaves(exported)], 60):
        for other in (deep, [], {}, {"a": 1}, [None], "\ud800", "x" * 5_000, -1, 10**30, 1e300, True):
            if json.dumps(other) == json.dumps(at(exported, place)):
                continue
            told = answer(changed(exported, place, other))
            assert told.get("ok") is False or set(told) == {"error", "at", "detail"}, place


class Slow(io.BytesIO):
    """Gives a few bytes at a time."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 3, 3) if size != -1 else 3)


def test_it_does_not_matter_where_the_text_is_cut_while_it_is_read() -> None:
    text = '{"a": [1, {"b": "ä€😀"}], "rounds": [10, "x", [], {}, 2.5, null, 123456], "n": 17}'
    expected = [
        ("a", [1, {"b": "ä€😀"}], False), ("rounds", [], False), ("rounds", 10, True), ("rounds", "x", True),
        ("rounds", [], True), ("rounds", {}, True), ("rounds", 2.5, True), ("rounds", None, True),
        ("rounds", 123456, True), ("n", 17, False),
    ]  # fmt: skip
    assert list(members(Slow(text.encode()), "rounds")) == expected
    assert list(members(io.BytesIO(text.encode()), "rounds")) == expected
    with pytest.raises(NotationError):
        list(members(Slow(text[:-1].encode()), "rounds"))


def test_a_long_game_is_read_part_by_part() -> None:
    # A round is some kilobytes long, and there may be thousands.
    one = json.dumps({"cards": ["As"] * 200}).encode()

    class Long(io.RawIOBase):
        parts = iter([b'{"rounds": [', *[one + b","] * 2_999, one, b"]}"])

        def read(self, size: int = -1) -> bytes:
            return next(self.parts, b"")

    tracemalloc.start()
    read = sum(element for _, _, element in members(cast(BinaryIO, Long()), "rounds"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == 3_000
    assert peak < 1_000_000


# The command line


def test_verify_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported = short_games(1)[0]
    file = tmp_path / "game.json"
    for text, status, said in (
        (text_of(exported), 0, {"rounds": len(exported["rounds"]), "ok": True}),
        (text_of({**exported, "id": "x"}), 1, None),
        ("{}", 2, None),
    ):
        file.write_text(text)
        assert main(["verify", str(file)]) == status
        told = json.loads(capsys.readouterr().out)
        assert said in (None, told)
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "unreadable"


def test_verify_reads_a_pipe() -> None:
    exported = short_games(1)[0]
    done = subprocess.run(
        [sys.executable, "-m", "engine", "verify", "-"],
        input=text_of(exported).encode(),
        capture_output=True,
        cwd=Path(__file__).parent.parent.parent,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {"rounds": len(exported["rounds"]), "ok": True}


def test_verify_takes_one_game_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported = short_games(1)[0]
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(exported) + "\n" + json.dumps({**exported, "id": "x"}) + "\n")
    assert main(["verify", "--lines", str(file)]) == 1
    good, bad = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (good["ok"], bad["ok"], bad["what"]) == (True, False, "checksum")


def test_that_one_game_was_expected_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = text_of(short_games(1)[0])
    line = json.dumps(json.loads(game))
    several = "several_games (expected=one game): --lines checks one game a line"
    file = tmp_path / "games.jsonl"
    for text, error, detail in (
        (f"{line}\n{line}\n", "several_games", several),
        (game * 2, "several_games", several),
        ("[]", "not_a_game", "not_a_game (expected=one game, found=[])"),
        (f"[{line}]", "not_a_game", f"not_a_game (expected=one game, found={f'[{line}]'[:20]})"),
        ("null", "not_a_game", "not_a_game (expected=one game, found=null)"),
        (" -5", "not_a_game", "not_a_game (expected=one game, found=-5)"),
        ('"x"', "not_a_game", 'not_a_game (expected=one game, found="x")'),
        ("nullify", "not_json", "not_json (reason=unexpected 'nullify')"),
        ("", "not_json", "not_json (reason=it ends too early)"),
        (f"{line} x", "not_json", "not_json (reason=unexpected 'x')"),
    ):
        file.write_text(text)
        assert main(["verify", str(file)]) == 2
        assert json.loads(capsys.readouterr().out) == {"error": error, "at": None, "detail": detail}
    file.write_text(f"{line}\n")
    assert main(["verify", str(file)]) == 0


def test_that_there_is_no_game_in_a_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("")
    assert main(["verify", "--lines", str(file)]) == 2
    assert capsys.readouterr() == ("", "There is no game to check.\n")


def test_a_game_at_whose_seats_many_came_and_went_is_accepted() -> None:
    table = Crowd(Kind.OPEN, 3, PRESETS["casino8"])
    choose = random.Random(7)
    guests = [f"guest {number}" for number in range(5)]
    for _ in range(12):
        for _ in range(choose.randrange(12)):
            seat = choose.choice((2, 3))
            held = table.game.seat(seat)
            free = [one for one in (*guests, "bob", "dave") if table.game.seat_of(one) is None]
            if held is None:
                who = choose.choice(free)
                table.take(actions.Sit(who, seat, who.title()))
            else:
                table.take(actions.Leave(held.player))
        number = table.game.round_number
        while table.game.round_number == number:
            go_on(table, choose, 0)
    (kept,) = games_of(table)
    told = [note for value in kept.exported()["rounds"] for note in value["notes"]]
    assert {note["name"] for note in told if note["kind"] == "left"} > {"Bob", "Dave"}
    assert verify(text_of(kept.exported())) == {"rounds": 12, "ok": True}
