"""The case format, in and out exactly."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.cases import settle
from engine.rules import PRESETS

ROOT = Path(__file__).parent.parent.parent

EXAMPLE: dict[str, Any] = {
    "rules": "openseat",
    "shoe": "Th 8h As 9d 8d 7c Kc 3s",
    "bets": {"1": 100, "3": 50},
    "pairs": {"3": 10},
    "behind": [{"backer": "carol", "box": 3, "bet": 50, "pair": 10}],
    "chips": {"1": 1000, "carol": 1000},
    "actions": [
        "1 insure", "3 decline", "carol@3 insure", "1 stand",
        "3 split", "carol@3 follow", "3 stand", "expire",
    ],
}  # fmt: skip
ANSWER: dict[str, Any] = {
    "phase": "settled",
    "dealer": {"cards": "As 7c", "total": 18, "soft": True},
    "boxes": {
        "1": {
            "hands": [{"cards": "Th 9d", "bet": 100, "result": "win", "paid": 200}],
            "insurance": {"bet": 50, "paid": 0},
            "pair": None,
            "net": 50,
        },
        "3": {
            "hands": [
                {"cards": "8h Kc", "bet": 50, "result": "push", "paid": 50},
                {"cards": "8d 3s", "bet": 50, "result": "lose", "paid": 0},
            ],
            "insurance": None,
            "pair": {"bet": 10, "paid": 120},
            "net": 60,
        },
    },
    "backers": {
        "carol": {
            "hands": [
                {"box": 3, "hand": 1, "bet": 50, "result": "push", "paid": 50},
                {"box": 3, "hand": 2, "bet": 50, "result": "lose", "paid": 0},
            ],
            "insurance": [{"box": 3, "bet": 25, "paid": 0}],
            "pairs": [{"box": 3, "bet": 10, "paid": 120}],
            "net": 35,
        }
    },
    "legal": [],
    "drawn": 8,
}


def answer(**changes: Any) -> dict[str, Any]:
    """The answer to the example with some fields changed; None leaves a field out."""
    case = {**EXAMPLE, **changes}
    return settle(json.dumps({name: value for name, value in case.items() if value is not None}))


def one_box(**changes: Any) -> dict[str, Any]:
    """The answer to a case of one box, without the example's other bets."""
    return answer(
        **{
            "shoe": "Th 9h 6d 5c 2s 3s Kd",
            "bets": {"1": 100},
            "pairs": None,
            "behind": None,
            "chips": None,
            "actions": None,
            **changes,
        }
    )


def test_the_documented_example() -> None:
    assert answer() == ANSWER


@pytest.mark.parametrize("steps", range(len(EXAMPLE["actions"]) + 1))
def test_the_example_at_every_step_shows_the_hole_card_only_at_the_end(steps: int) -> None:
    told = answer(actions=EXAMPLE["actions"][:steps])
    settled = steps == len(EXAMPLE["actions"])
    assert told["dealer"] == (ANSWER["dealer"] if settled else {"cards": "As ??", "total": 11, "soft": True})
    assert (told["phase"] == "settled") is settled
    assert (told["legal"] == []) is settled
    assert "7c" not in json.dumps(told) or settled


def test_while_the_round_is_open_undecided_bets_are_null() -> None:
    told = answer(actions=["1 insure"])
    assert told["boxes"]["1"] == {
        "hands": [{"cards": "Th 9d", "bet": 100, "result": None, "paid": None}],
        "insurance": {"bet": 50, "paid": None},
        "pair": None,
        "net": -150,
    }
    assert sorted(told["legal"]) == ["3 decline", "3 insure", "carol@3 decline", "carol@3 insure"]
    assert (told["phase"], told["drawn"]) == ("insurance", 6)
    # The pair was decided at the deal.
    assert told["boxes"]["3"]["pair"] == {"bet": 10, "paid": 120}
    assert told["boxes"]["3"]["net"] == -50 + 110


def test_a_hidden_hole_card() -> None:
    told = one_box()
    assert told["dealer"] == {"cards": "9h ??", "total": 9, "soft": False}
    assert told["drawn"] == 4


def test_without_a_hole_card_the_dealer_shows_one_card() -> None:
    told = one_box(rules={"preset": "openseat", "hole_card": "none"})
    assert told["dealer"] == {"cards": "9h", "total": 9, "soft": False}
    assert told["drawn"] == 3


def test_while_backers_are_asked_a_split_shows_two_hands_of_one_card() -> None:
    told = answer(actions=EXAMPLE["actions"][:5])
    assert told["phase"] == "follow"
    assert [hand["cards"] for hand in told["boxes"]["3"]["hands"]] == ["8h", "8d"]
    assert [hand["bet"] for hand in told["boxes"]["3"]["hands"]] == [50, 50]
    assert told["drawn"] == 6
    assert sorted(told["legal"]) == ["carol@3 follow", "carol@3 pass"]


def test_while_backers_are_asked_a_doubled_hand_shows_its_doubled_bet_and_two_cards() -> None:
    told = one_box(behind=[{"backer": "carol", "box": 1, "bet": 50}], actions=["1 double"])
    assert told["phase"] == "follow"
    assert told["boxes"]["1"]["hands"] == [{"cards": "Th 6d", "bet": 200, "result": None, "paid": None}]
    assert (told["drawn"], told["boxes"]["1"]["net"]) == (4, -200)


def test_the_phase_of_a_surrender_asked_at_once() -> None:
    told = one_box(rules={"surrender": "any", "surrender_until": "first_draw"})
    assert (told["phase"], sorted(told["legal"])) == ("surrender", ["1 decline", "1 surrender"])


def test_the_phase_of_turns() -> None:
    told = one_box()
    assert (told["phase"], sorted(told["legal"])) == ("turns", ["1 double", "1 hit", "1 stand"])


def test_a_backer_with_a_pair_alone_has_no_hands() -> None:
    told = one_box(behind=[{"backer": "carol", "box": 1, "pair": 10}])
    assert told["backers"]["carol"] == {
        "hands": [], "insurance": [], "pairs": [{"box": 1, "bet": 10, "paid": 0}], "net": -10,
    }  # fmt: skip


def test_bets_decided_early_are_told_at_once() -> None:
    told = answer(
        shoe="As 2s 9h Kd 3s 8c", bets={"1": 100, "2": 100}, pairs=None, behind=None, chips=None, actions=None
    )
    assert told["boxes"]["1"]["hands"] == [{"cards": "As Kd", "bet": 100, "result": "blackjack", "paid": 250}]
    assert told["boxes"]["1"]["net"] == 150


def test_a_shared_stack() -> None:
    told = answer(
        rules="classic6",
        shoe="Th 9h 2d 6d 5c 2s 3s Kd",
        bets={"1": 100, "3": 100},
        stacks={"1": "ann", "3": "ann"},
        chips={"ann": 250},
        pairs=None,
        behind=None,
        actions=["1 decline", "3 decline"],
    )
    assert "1 double" not in told["legal"]
    assert told["phase"] == "turns"


def test_a_player_behind_another_box_only_where_the_rules_say_so() -> None:
    case = {
        "shoe": "Th 9h 2d 6d 5c 2s 3s Kd",
        "bets": {"1": 100, "3": 100},
        "stacks": {"1": "ann"},
        "behind": [{"backer": "ann", "box": 3, "bet": 50}],
        "pairs": None,
        "chips": None,
        "actions": None,
    }
    assert answer(rules={"players_may_back": True}, **case)["backers"]["ann"]["net"] == -50
    assert answer(**case)["error"] == "players_may_not_back"
    # Whoever has a box is a player, with a bet on it this round or without.
    without = {**case, "bets": {"3": 100}}
    assert answer(**without)["error"] == "players_may_not_back"
    assert answer(rules={"players_may_back": True}, **without)["backers"]["ann"]["net"] == -50


# Refused


REFUSED_ACTIONS = [
    (["1 insure", "3 decline", "carol@3 insure", "1 split"], "not_a_pair", 3),
    (["1 insure", "1 insure"], "not_asked", 1),
    (["1 hit"], "wrong_answer", 0),
    (["1 insure 51"], "insurance_amount", 0),
    (["1 insure", "fold"], "unknown_move", 1),
    (["1 insure", "3  decline"], "unknown_move", 1),
    (["1 insure", 5], "not_text", 1),
    (["1 insure", None], "not_text", 1),
    (["2 hit"], "box_has_no_bet", 0),
    (["dave@3 insure"], "not_a_backer", 0),
    ([*EXAMPLE["actions"], "expire"], "round_settled", 8),
    (["1 insure", "3 decline", "carol@3 insure", "1 hit", "1 hit"], "not_asked", 4),
    # The first action refused is told, whatever is wrong with a later one.
    (["1 hit", "fold"], "wrong_answer", 0),
    (["1 insure", "1 insure", 5], "not_asked", 1),
]


@pytest.mark.parametrize(("actions", "code", "at"), REFUSED_ACTIONS)
def test_the_first_action_refused_is_told_by_its_index(actions: list[Any], code: str, at: int) -> None:
    told = answer(actions=actions)
    assert set(told) == {"error", "at", "detail"}
    assert (told["error"], told["at"]) == (code, at)
    assert isinstance(told["detail"], str)


def test_a_shoe_that_runs_out() -> None:
    assert one_box(shoe="Th 9h 6d")["error"] == "shoe_empty"
    assert one_box(shoe="Th 9h 6d")["at"] is None
    told = one_box(shoe="2h 9h 3d 5c 2s", actions=["1 hit", "1 hit"])
    assert (told["error"], told["at"]) == ("shoe_empty", 1)
    assert one_box(shoe="")["error"] == "shoe_empty"


BAD_AMOUNTS: list[Any] = [10.0, 100.5, True, False, None, "100", "", [], {}, -5, -100, 1e309]
BAD_CASES: list[dict[str, Any]] = [
    *({"bets": {"1": amount}} for amount in BAD_AMOUNTS),
    *({"pairs": {"1": amount}} for amount in BAD_AMOUNTS),
    *({"chips": {"1": amount}} for amount in BAD_AMOUNTS),
    *({"behind": [{"backer": "carol", "box": 1, "bet": amount}]} for amount in BAD_AMOUNTS),
    *({"behind": [{"backer": "carol", "box": 1, "bet": 50, "pair": amount}]} for amount in BAD_AMOUNTS),
    *({"bets": {box: 100}} for box in ("0", "5", "8", "01", "1.0", "-1", "one", "", "１", " 1", "1e0")),
    *({"behind": [{"backer": "carol", "box": box, "bet": 50}]} for box in ("1", 1.0, True, None, 0, 2, 5)),
    *({"behind": [{"backer": name, "box": 1, "bet": 50}]} for name in (
        "", "1", "1carol", "-carol", "car ol", "c" * 31, "кароль", 5, None, ["carol"],
    )),
    *({"stacks": {"1": name}} for name in ("", "1", "c" * 31, None, 5)),
    {"stacks": {"9": "ann"}},
    {"stacks": {"1": "ann", "2": "ann"}, "bets": {"1": 100, "2": 100}},  # one box each
    {"stacks": []},
    {"chips": {"2": 1000}},
    {"chips": {"carol": 1000}},
    {"chips": {"1": 90}},
    {"stacks": {"1": "ann"}, "chips": {"1": 1000}},
    {"bets": {}},
    {"bets": []},
    {"bets": 100},
    {"pairs": {"2": 10}},
    {"pairs": []},
    {"behind": {}},
    {"behind": [5]},
    {"behind": [{"backer": "carol", "bet": 50}]},
    {"behind": [{"box": 1, "bet": 50}]},
    {"behind": [{"backer": "carol", "box": 1}]},
    {"behind": [{"backer": "carol", "box": 1, "bet": 0, "pair": 0}]},
    {"behind": [{"backer": "carol", "box": 1, "bet": 50, "name": "x"}]},
    {"behind": [{"backer": "carol", "box": 1, "bet": 50}, {"backer": "carol", "box": 1, "pair": 10}]},
    {"behind": [{"backer": "carol", "box": 1, "bet": 50}], "chips": {"carol": 40}},
    {"shoe": ["Th", "9h", "6d", "5c"]},
    {"shoe": "Th 9h 6d 5c 10h"},
    {"shoe": "Th  9h 6d 5c"},
    {"shoe": "th 9h 6d 5c"},
    {"shoe": 5},
    {"rules": "roulette"},
    {"rules": {"soft_17": "sometimes"}},
    {"rules": {"luck": 5}},
    {"rules": {"decks": 0}},
    {"rules": {"cut_card": 10**400}},
    {"rules": 5},
    {"rules": None},
    {"actions": "1 stand"},
    {"actions": {"0": "1 stand"}},
    {"luck": 5},
    {"Bets": {"1": 100}},
]  # fmt: skip


@pytest.mark.parametrize("changes", BAD_CASES, ids=lambda changes: json.dumps(changes)[:60])
def test_a_malformed_case_is_refused(changes: dict[str, Any]) -> None:
    told = one_box(**changes)
    assert set(told) == {"error", "at", "detail"}
    assert told["at"] is None


@pytest.mark.parametrize("missing", ["rules", "shoe", "bets"])
def test_what_must_be_there(missing: str) -> None:
    assert answer(**{missing: None})["error"] == "missing_field"


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "5", '"openseat"', "{", "{}", "nonsense", "\ufeff{}", "[" * 100_000,
        '{"rules": "openseat", "rules": "openseat", "shoe": "Th 9h 6d 5c", "bets": {"1": 100}}',
        '{"rules": "openseat", "shoe": "Th 9h 6d 5c", "bets": {"1": 100, "1": 200}}',
        '{"rules": "openseat", "shoe": "Th 9h 6d 5c", "bets": {"1": NaN}}',
        '{"rules": "openseat", "shoe": "Th 9h 6d 5c", "bets": {"1": Infinity}}',
        '{"rules": "openseat", "shoe": "Th 9h 6d 5c", "bets": {"1": ' + "9" * 5_000 + "}}",
        '{"rules": {"decks": 6, "decks": 6}, "shoe": "Th 9h 6d 5c", "bets": {"1": 100}}',
        '{"rules": "openseat", "shoe": "\\ud800", "bets": {"1": 100}}',
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_what_is_no_case_is_refused(text: str) -> None:
    told = settle(text)
    assert set(told) == {"error", "at", "detail"}
    assert told["at"] is None
    json.dumps(told)


# The command line


def engine(*args: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *args],
        input=given,
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        # As on a desk, where bytes that are no text are an error and not passed through.
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )


def test_settle_reads_standard_input_and_answers_on_standard_output() -> None:
    done = engine("settle", "-", given=json.dumps(EXAMPLE).encode())
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, ANSWER, b"")


def test_settle_of_a_bad_case_exits_2_with_the_error_on_standard_output() -> None:
    done = engine("settle", "-", given=json.dumps({**EXAMPLE, "actions": ["1 hit"]}).encode())
    told = json.loads(done.stdout)
    assert (done.returncode, told["error"], told["at"], done.stderr) == (2, "wrong_answer", 0, b"")


def test_settle_reads_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "case.json"
    file.write_text(json.dumps(EXAMPLE))
    assert main(["settle", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == ANSWER
    assert main(["settle", str(tmp_path / "none.json")]) == 2
    assert set(json.loads(capsys.readouterr().out)) == {"error", "at", "detail"}


def test_settle_lines_gives_one_answer_a_line_and_exits_0() -> None:
    good = json.dumps(EXAMPLE).encode()
    lines = [good, b"nonsense", b"{}", b'"\xff"', b'{"x": "\xff\xfe"}', good]
    done = engine("settle", "--lines", "-", given=b"\n".join(lines) + b"\n")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(told) == len(lines)
    assert [set(one) == {"error", "at", "detail"} for one in told] == [False, True, True, True, True, False]
    assert told[0] == told[-1] == ANSWER


def test_settle_of_bytes_that_are_no_text_is_an_error() -> None:
    done = engine("settle", "-", given=b"\xff\xfe{}")
    assert (done.returncode, done.stderr) == (2, b"")
    assert set(json.loads(done.stdout)) == {"error", "at", "detail"}


@pytest.mark.parametrize("name", PRESETS)
def test_rules_prints_every_switch(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    assert json.loads(capsys.readouterr().out) == PRESETS[name].to_json()


def test_rules_of_a_name_that_is_none_exits_2() -> None:
    done = engine("rules", "roulette")
    assert (done.returncode, json.loads(done.stdout)["error"]) == (2, "unknown_preset")


@pytest.mark.parametrize("name", ["x" * 5_000, "", ".", "/", "\x01", "{", '{"luck": 5}', "[]"])
def test_rules_that_can_not_be_read_are_an_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 2
    assert set(json.loads(capsys.readouterr().out)) == {"error", "at", "detail"}


def test_a_rules_file_that_is_no_text_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rules.json"
    file.write_bytes(b'{"preset": "\xff"}')
    assert main(["rules", str(file)]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "not_json"


def test_simulate_takes_rules_from_a_name_a_file_or_inline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.json"
    file.write_text('{"preset": "openseat", "min_bet": 20}')
    for rules in ("openseat", str(file), '{"preset": "openseat"}'):
        assert main(["simulate", "--rules", rules, "--rounds", "50", "--seed", "7"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert set(told) == {"rounds", "mean", "stderr", "rounds_per_second"}
        assert told["rounds"] == 50
    assert main(["simulate", "--rules", "roulette", "--rounds", "50", "--seed", "7"]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "unknown_preset"


def test_settle_lines_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(EXAMPLE) + "\n\n" + json.dumps(EXAMPLE))
    assert main(["settle", "--lines", str(file)]) == 0
    first, blank, last = (json.loads(line) for line in io.StringIO(capsys.readouterr().out))
    assert (first, blank["error"], last) == (ANSWER, "not_json", ANSWER)
