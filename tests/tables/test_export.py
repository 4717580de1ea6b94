"""Stored games as files: complete, accepted by the engine's check, and silent about what is still hidden."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import random
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine import shapes
from engine.errors import NotationError
from engine.export import FREE_SWITCHES, Json
from engine.game import Kind
from engine.rules import PRESETS
from engine.verify import verify
from tables import checking, export, export_texts, export_views, nicknames, rule_sets, services
from tables.errors import Refused
from tables.models import Game, Round, Shoe, Table
from tests.tables.conftest import Play
from tests.tables.friends import (
    ALICE,
    BOB,
    CAROL,
    MALLORY,
    NAMES,
    START,
    Friends,
    FrozenClock,
    Seeds,
    opened_as,
)
from tests.tables.test_backed_games import TABLES, a_round, a_round_of_anything, with_crowd
from tests.tables.test_schema import CODE, sample, store, store_open_table

ENDINGS = ("json", "txt", "csv")


def exported(game: Game) -> Any:
    """The game as it is exported, after it was found to be all right."""
    text = export.text(game)
    assert verify(text) == {"rounds": game.played.count(), "ok": True}
    assert checking.difference(game.pk) == ""
    return json.loads(text)


def fill_columns() -> None:
    """As the migration that added the columns of lists does for the games of before."""
    import_module("tables.migrations.0005_list_columns").fill(apps, None)


def file(game: Game, ending: str, **headers: str) -> Any:
    return Client().get(f"/games/{game.pk}.{ending}", headers=headers)


def finished_match(table: Friends) -> Game:
    """Of two rounds, the second of which ended it."""
    table.round(ALICE, BOB)
    table.bet(ALICE, 20)
    table.command(BOB, "resign")
    return Game.objects.get(finished__isnull=False)


SMALL: dict[str, Any] = {"decks": 2, "boxes": 3, "max_hands": 2, "cut_card": 0.6}
KINDS: dict[str, Callable[[Seeds, FrozenClock], Friends]] = {
    **TABLES,
    "a small shoe": lambda s, c: opened_as(s, c, Kind.OPEN, "casino8", BOB, **SMALL),
}


@pytest.mark.parametrize("name", KINDS)
def test_whatever_is_played_is_exported_and_accepted(
    db: None, seeds: Seeds, clock: FrozenClock, name: str
) -> None:
    dice = random.Random(name)
    table = KINDS[name](seeds, clock)
    for guest in (CAROL, MALLORY):
        services.join(table.code, guest, NAMES[guest], sit=False)
    table.here(ALICE, BOB, CAROL, MALLORY)
    for _ in range(6):
        a_round_of_anything(table, dice)
    assert Round.objects.count() >= 5
    for game in Game.objects.all():
        told = exported(game)
        assert [one["number"] for one in told["rounds"]] == list(range(1, game.played.count() + 1))
        export_texts.text(game)
        rows = list(csv.DictReader(io.StringIO(export_texts.table(game))))
        nets: dict[tuple[str, str], int] = {}
        for row in rows:
            if row["role"] != "sat_out":
                staked = sum(int(row[bet]) for bet in ("bet", "pair", "insurance"))
                assert int(row["paid"]) - staked == int(row["net"])
                at = (row["round"], row["stack"])
                nets[at] = nets.get(at, 0) + int(row["net"])
        for played in told["rounds"]:
            for stack, chips in played["chips_after"].items():
                before = played["case"]["chips"][stack]
                assert nets[str(played["number"]), stack] == chips - before


def test_games_alone_are_exported_and_accepted(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "classic6", **SMALL)
    table.stand()
    for _ in range(19):
        table.bet(ALICE, 100)
        table.stand()
    table.command(ALICE, "new_game")
    table.bet(ALICE, 10)
    first, second = (exported(game) for game in Game.objects.order_by("number"))
    assert (len(first["rounds"]), first["reason"]) == (20, "new_game")
    assert len(first["shoes"]) > 1
    assert (second["kind"], second["result"]) == ("solo", None)


def test_a_match_is_told_with_all_that_belongs_to_it(playing: Friends) -> None:
    with_crowd(playing)
    a_round(playing, (CAROL, 1, 50, 10))
    game = finished_match(playing)
    told = exported(game)
    assert (told["kind"], told["preset"], told["rounds_planned"]) == ("match", "openseat", 10)
    assert (told["started"], told["reason"]) == ("2026-05-01T12:00:00.000Z", "last_left")
    assert [one["name"] for one in told["players"]] == ["Alice", "Bob"]
    assert [(one["name"], one["backed"]) for one in told["backers"]] == [("Carol", 1)]
    assert told["result"]["winner"] == "1"
    assert told["rounds"][0]["case"]["behind"][0]["backer"] == told["backers"][0]["stack"]
    assert {one["name"] for one in told["players"]} == {"Alice", "Bob"}


def test_a_match_that_ended_since_its_row_was_read_is_told_with_its_end(playing: Friends) -> None:
    for _ in range(9):
        playing.round(ALICE, BOB)
    found = Game.objects.get()
    playing.round(ALICE, BOB)
    assert verify(export.text(found)) == {"rounds": 10, "ok": True}


def test_a_match_is_told_before_its_first_round_is_over(playing: Friends) -> None:
    assert exported(Game.objects.get())["rounds"] == []


def test_a_clock_that_is_set_back_does_not_turn_the_order_round(playing: Friends, clock: FrozenClock) -> None:
    playing.round(ALICE, BOB)
    clock.advance(-3_600)
    playing.round(ALICE, BOB)
    playing.command(BOB, "resign")
    told = exported(Game.objects.get())
    times = [told["started"], *(one["finished"] for one in told["rounds"]), told["finished"]]
    assert times == sorted(times)


def test_what_a_table_may_be_called_is_what_an_export_allows() -> None:
    assert rule_sets.FREE == FREE_SWITCHES
    for name in (*PRESETS, rule_sets.CUSTOM):
        shapes.check(name, shapes.RULE_SET, "preset")


@pytest.mark.parametrize(
    "name", ["x" * 20, "  Алиса   и  Боб ", '<b>"&', "👩\ufe0f", "é" * 20, "Zoë", "=1+2", "名前"]
)
def test_a_nickname_that_is_taken_is_one_that_an_export_allows(name: str) -> None:
    assert nicknames.LONGEST == shapes.LONGEST_NICKNAME
    shapes.check(nicknames.clean(name), shapes.NICKNAME, "name")


@pytest.mark.parametrize("name", ["", " ", "x" * 21, "a\u200db", "a\u202eb", "a\nb", "a\u2028b"])
def test_a_nickname_that_an_export_refuses_is_taken_nowhere(name: str) -> None:
    with pytest.raises(Refused):
        nicknames.clean(name)
    with pytest.raises(NotationError):
        shapes.check(name, shapes.NICKNAME, "name")


# What earlier versions stored


def test_a_match_of_the_first_schema_is_exported(db: None) -> None:
    stored = sample(1)
    store(apps, stored["over"], stored["game"], finished=True)
    fill_columns()
    told = exported(Game.objects.get())
    assert told["version"] == 1
    assert [one["number"] for one in told["shoes"]] == [1, 2]
    assert all(one["seed"] for one in told["shoes"])


def test_a_match_that_began_in_the_first_schema_is_exported(
    db: None, seeds: Seeds, clock: FrozenClock
) -> None:
    stored = sample(1)
    store(apps, stored["playing"], stored["game"], finished=False)
    fill_columns()
    table = Friends(CODE, seeds, clock)
    exported(Game.objects.get())
    table.answer(ALICE, "stand")
    table.answer(BOB, "stand")
    while table.view.phase != "over":
        exported(Game.objects.get())
        table.round(ALICE, BOB)
    assert exported(Game.objects.get())["reason"] == "rounds"


@pytest.mark.parametrize("schema", [2, 3])
def test_games_of_later_schemas_are_exported(db: None, seeds: Seeds, clock: FrozenClock, schema: int) -> None:
    store_open_table(schema, "playing", seeds, clock)
    fill_columns()
    told = exported(Game.objects.get())
    assert [one["void"] for one in told["rounds"]].count(True) == 1
    assert [one["seed"] is None for one in told["shoes"]] == [False, True]


# While it is played


@pytest.mark.parametrize("preset", ["casino8", "classic6"])
def test_nothing_of_a_running_round_is_told(table_of: Play, preset: str) -> None:
    table = table_of(Kind.OPEN, preset, BOB)
    table.round(ALICE, BOB)
    game = Game.objects.get()
    before = [file(game, ending).content for ending in ENDINGS]
    shoe = Shoe.objects.get()
    while table.view.round_number == 2:
        asks = [(guest, ask) for guest in (ALICE, BOB) for ask in table.own(guest).asks]
        guest, ask = next(
            one for one in asks if not any(o.action == "take_back" and o.enabled for o in one[1].options)
        )
        options = [one.action for one in ask.options if one.enabled]
        action = "stand" if "stand" in options else options[0]
        table.send(guest, action=action, ask=ask.ask, **({"amount": "50"} if action == "bet" else {}))
        if table.view.round_number == 2:
            assert [file(game, ending).content for ending in ENDINGS] == before
    after = [file(game, ending).content.decode() for ending in ENDINGS]
    for old, new in zip(before, after, strict=True):
        assert len(new) > len(old)
        assert shoe.seed not in new
        assert shoe.spare not in new


def test_a_game_that_runs_is_never_said_to_be_unchanged(playing: Friends) -> None:
    playing.round(ALICE, BOB)
    answer = file(Game.objects.get(), "json")
    assert "ETag" not in answer
    assert "Last-Modified" not in answer
    assert "no-cache" in answer["Cache-Control"]


# The files


def test_files_have_names_and_kinds(playing: Friends) -> None:
    game = finished_match(playing)
    for ending, kind in (("json", "application/json"), ("txt", "text/plain"), ("csv", "text/csv")):
        answer = file(game, ending)
        assert answer.status_code == 200
        assert answer["Content-Type"] == f"{kind}; charset=utf-8"
        assert answer["Content-Disposition"] == f'attachment; filename="openseat-{game.pk}.{ending}"'
        assert Client().head(f"/games/{game.pk}.{ending}").status_code == 200
        assert Client().post(f"/games/{game.pk}.{ending}").status_code == 405


def test_who_has_a_finished_game_already_is_told_so(playing: Friends) -> None:
    game = finished_match(playing)
    for ending in ENDINGS:
        answer = file(game, ending)
        again = file(game, ending, if_none_match=answer["ETag"])
        assert (again.status_code, again.content) == (304, b"")
        assert file(game, ending, if_modified_since=answer["Last-Modified"]).status_code == 304
    tags = {file(game, ending)["ETag"] for ending in ENDINGS}
    assert len(tags) == 3


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_game_that_there_is_not_is_a_page_in_words(db: None, ending: str) -> None:
    for name in ("nosuchgame", "x" * 300, "-", "1"):
        assert Client().get(f"/games/{name}.{ending}").status_code == 404


def test_a_table_that_was_cleared_away_leaves_its_games(playing: Friends) -> None:
    game = finished_match(playing)
    before = {ending: file(game, ending).content for ending in ENDINGS}
    Table.objects.all().delete()
    assert {ending: file(game, ending).content for ending in ENDINGS} == before


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@SUM(A1)", "<svg/onload=a()>", '"x",y', "Zoë 🙂", "{{ x }}"]
)
def test_what_a_person_typed_stays_a_text(db: None, seeds: Seeds, clock: FrozenClock, name: str) -> None:
    table = opened_as(seeds, clock, Kind.MATCH, "openseat")
    services.join(table.code, BOB, name, sit=True)
    services.join(table.code, CAROL, f"{name}2", sit=False)
    services.join(table.code, MALLORY, "Mallory", sit=False)
    table.here(BOB, CAROL)
    table.start(BOB)
    a_round(table, (CAROL, 2, 50, 0))
    game = finished_match(table)
    told = exported(game)
    assert told["players"][1]["name"] == name
    assert f"\n  2. {name} · " in export_texts.text(game)
    rows = list(csv.DictReader(io.StringIO(file(game, "csv").content.decode())))
    named = {row["name"] for row in rows} - {"Alice"}
    guarded = f"'{name}" if name[0] in "=+-@" else name
    assert named == {guarded, f"{guarded}2"}


def test_the_text_says_who_resigned(playing: Friends) -> None:
    text = export_texts.text(finished_match(playing))
    standings = text.split("Players\n")[1].split("\n\n")[0].splitlines()
    assert [line.endswith(" · resigned") for line in standings] == [False, True]
    assert standings[0].endswith(" · won the match")
    assert standings[1].startswith("  2. Bob · ")


def test_the_text_tells_a_round_card_by_card(playing: Friends) -> None:
    with_crowd(playing)
    playing.reseed("low low mid low low")
    a_round(playing, (CAROL, 1, 50, 10))
    text = export_texts.text(finished_match(playing))
    for line in (
        "openseat · House game · a match of 10 rounds",
        "The last one left at the table.",
        "Players",
        "Betting behind",
        "Round 1 · 2026-05-01T12:00:00.000Z",
        "  Alice: bet 10",
        "  Behind Alice: 60 (Carol)",
        "Round 2 · ",
        "  Shoe 1, from its card 1 on.",
        f"  Seed {Shoe.objects.first().seed}",  # type: ignore[union-attr]
    ):
        assert f"\n{line}" in f"\n{text}", line
    assert "None" not in text


def test_the_text_is_in_the_language_of_the_reader(playing: Friends) -> None:
    game = finished_match(playing)
    assert "Spieler" not in file(game, "txt").content.decode()
    english, ukrainian = (file(game, "txt", accept_language=one).content.decode() for one in ("en", "uk"))
    assert english != ukrainian


def test_a_long_game_costs_no_more_questions_to_the_database(playing: Friends) -> None:
    def questions(work: Callable[[Game], object]) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            work(Game.objects.get())
        return len(asked)

    works = (export.text, export_texts.text, export_texts.table)
    playing.round(ALICE, BOB)
    few = [questions(work) for work in works]
    for _ in range(6):
        playing.round(ALICE, BOB)
    assert [questions(work) for work in works] == few
    assert max(few) <= 5


# All of them


@pytest.fixture
def several(transactional_db: None, seeds: Seeds, clock: FrozenClock) -> list[str]:
    """The ids of the listed games that are over, the first first; there are others too."""
    over: list[str] = []
    for listed in (True, True, False, True):
        table = opened_as(seeds, clock, Kind.MATCH, "openseat", BOB, listed=listed)
        table.start()
        game = finished_match_of(table)
        clock.advance(0 if len(over) == 1 else 60)
        if listed:
            over.append(game.pk)
    running = opened_as(seeds, clock, Kind.MATCH, "openseat", BOB)
    running.start()
    running.round(ALICE, BOB)
    # Two of them ended at the same moment.
    first = Game.objects.get(pk=over[0])
    Game.objects.filter(pk=over[1]).update(finished=first.finished)
    return sorted(over[:2]) + over[2:]


def finished_match_of(table: Friends) -> Game:
    table.round(ALICE, BOB)
    table.command(BOB, "resign")
    return Game.objects.get(table__code=table.code)


def downloaded() -> list[str]:
    async def read() -> bytes:
        return b"".join([part async for part in export_views.archive_lines()])

    return asyncio.run(read()).decode().splitlines()


@pytest.mark.parametrize("at_once", [1, 2, 20])
def test_the_archive_has_every_listed_game_that_is_over(
    several: list[str], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(export, "AT_ONCE", at_once)
    lines = downloaded()
    assert [json.loads(line)["id"] for line in lines] == several
    for line in lines:
        assert verify(line)["ok"]


DAMAGES: dict[str, Callable[[str], object]] = {
    "bets": lambda game: Round.objects.filter(game=game).update(record={"bets": {"9": 100}}),
    "no record": lambda game: Round.objects.filter(game=game).update(record=[]),
    "rules": lambda game: Game.objects.filter(pk=game).update(rules={"decks": "x"}),
    "no rules": lambda game: Game.objects.filter(pk=game).update(rules=[]),
    "kind": lambda game: Game.objects.filter(pk=game).update(kind="?"),
    "result": lambda game: Game.objects.filter(pk=game).update(result={"schema": 99}),
    "seed": lambda game: Shoe.objects.filter(game=game).update(seed="?"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_game_does_not_keep_back_the_others(
    several: list[str], caplog: pytest.LogCaptureFixture, damage: Callable[[str], object]
) -> None:
    damage(several[0])
    assert [json.loads(line)["id"] for line in downloaded()] == several[1:]
    assert several[0] in caplog.text


def test_a_busy_database_is_no_damage_and_ends_the_archive(
    several: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(game: Game) -> Json:
        raise OperationalError("database is locked")

    monkeypatch.setattr(export, "exported", busy)
    with pytest.raises(OperationalError):
        downloaded()


def test_who_stops_reading_the_archive_stops_its_writing(
    several: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    whole = export.exported

    def noted(game: Game) -> Json:
        written.append(game.pk)
        return whole(game)

    monkeypatch.setattr(export, "exported", noted)

    async def read_one() -> bytes:
        lines = export_views.archive_lines()
        try:
            return await anext(lines)
        finally:
            await lines.aclose()  # type: ignore[attr-defined]

    assert json.loads(asyncio.run(read_one()))["id"] == several[0]
    assert written == several[:1]


def test_the_archive_is_a_file(several: list[str], async_client: Any) -> None:
    async def fetch() -> tuple[Any, bytes]:
        answer = await async_client.get("/games.jsonl")
        return answer, b"".join([part async for part in answer.streaming_content])

    answer, body = asyncio.run(fetch())
    assert answer["Content-Type"] == "application/jsonl; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="openseat-games.jsonl"'
    assert len(body.splitlines()) == len(several)
    head = asyncio.run(async_client.head("/games.jsonl"))
    assert head.status_code == 200
    assert {name: head[name] for name in ("Content-Type", "Content-Disposition")} == {
        name: answer[name] for name in ("Content-Type", "Content-Disposition")
    }
    # Nor is it said that there is nothing.
    assert "Content-Length" not in head


def test_times_of_an_export_are_in_utc(playing: Friends, settings: Any) -> None:
    settings.TIME_ZONE = "Europe/Kyiv"
    game = finished_match(playing)
    moment = START + timedelta(hours=1, milliseconds=250)
    Game.objects.filter(pk=game.pk).update(finished=moment)
    assert json.loads(export.text(Game.objects.get()))["finished"] == "2026-05-01T13:00:00.250Z"
