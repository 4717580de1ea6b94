"""The command line of the engine: `python -m engine settle|rules|simulate|strategy|verify`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from engine import cases
from engine.errors import EngineError
from engine.rules import PRESETS, Rules
from engine.simulation import simulate
from engine.strategy import chart_for
from engine.verify import rereadable, verify


def main(argv: Sequence[str] | None = None) -> int:
    parser = _Parser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    settle = commands.add_parser("settle", help="play one round from a stacked shoe")
    settle.add_argument("file", metavar="FILE", help="a case in JSON, or - for standard input")
    settle.add_argument("--lines", action="store_true", help="one case a line, one answer a line")
    settle.set_defaults(run=run_settle)

    rules = commands.add_parser("rules", help="every switch of a rule set and its value")
    rules.add_argument("rules", metavar="NAME", help=f"one of {', '.join(PRESETS)}, a file or a JSON object")
    rules.set_defaults(run=run_rules)

    simulation = commands.add_parser("simulate", help="play basic strategy over many rounds")
    simulation.add_argument("--rules", default="openseat", help="a preset, a file or a JSON object")
    simulation.add_argument("--rounds", type=_count, required=True)
    simulation.add_argument("--seed", type=int, required=True)
    simulation.set_defaults(run=run_simulate)

    strategy = commands.add_parser("strategy", help="the basic-strategy chart of a rule set")
    strategy.add_argument("--rules", default="openseat", help="a preset, a file or a JSON object")
    strategy.set_defaults(run=run_strategy)

    verifying = commands.add_parser("verify", help="play an exported game again and check all that it says")
    verifying.add_argument("file", metavar="FILE", help="an exported game, or - for standard input")
    verifying.add_argument("--lines", action="store_true", help="one game a line, one answer a line")
    verifying.set_defaults(run=run_verify)

    args = parser.parse_args(argv)
    try:
        status: int = args.run(args)
    except EngineError as error:
        return refuse(error.code, str(error))
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return status


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SystemExit(refuse("usage", message))


def run_settle(args: argparse.Namespace) -> int:
    try:
        with sys.stdin.buffer if args.file == "-" else Path(args.file).open("rb") as stream:
            if args.lines:
                for line in stream:
                    print(json.dumps(cases.settle(line)), flush=True)
                return 0
            answer = cases.settle(stream.read())
    except OSError as error:
        return refuse("unreadable", str(error))
    print(json.dumps(answer))
    return 2 if "error" in answer else 0


def run_rules(args: argparse.Namespace) -> int:
    print(json.dumps(read_rules(args.rules).to_json(), indent=2))
    return 0


def run_simulate(args: argparse.Namespace) -> int:
    started = time.perf_counter()
    estimate = simulate(read_rules(args.rules), args.rounds, args.seed)
    seconds = time.perf_counter() - started
    answer = {
        "rounds": estimate.rounds,
        "mean": estimate.mean,
        "stderr": estimate.stderr,
        "rounds_per_second": round(estimate.rounds / seconds),
    }
    print(json.dumps(answer))
    return 0


def run_strategy(args: argparse.Namespace) -> int:
    print(json.dumps(chart_for(read_rules(args.rules)).to_json()))
    return 0


def run_verify(args: argparse.Namespace) -> int:
    """0 where all is as it says, 1 where something differs, 2 for what is no exported game; the worst."""
    statuses = [0]
    try:
        with sys.stdin.buffer if args.file == "-" else Path(args.file).open("rb") as stream:
            games = stream if args.lines else [stream if stream.seekable() else rereadable(stream)]
            for game in games:
                answer = verify(game)
                if answer.get("error") == "several_games" and not args.lines:
                    answer["detail"] += ": --lines checks one game a line"
                print(json.dumps(answer), flush=True)
                statuses.append(2 if "error" in answer else int(not answer["ok"]))
        if len(statuses) == 1:
            print("There is no game to check.", file=sys.stderr)
            statuses.append(2)
    except OSError as error:
        return refuse("unreadable", str(error))
    return max(statuses)


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise ValueError
    return count


def read_rules(text: str) -> Rules:
    """Rules named by a preset, a file or an inline JSON object; raises `EngineError`."""
    if text in PRESETS:
        return Rules.from_json(text)
    if text.lstrip().startswith(("{", '"')):
        return Rules.from_json(cases.load(text))
    path = Path(text)
    try:
        if path.is_file():
            return Rules.from_json(cases.load(path.read_bytes()))
    except OSError as error:
        raise EngineError("unreadable", reason=str(error)) from None
    return Rules.from_json(text)


def refuse(code: str, detail: str) -> int:
    print(json.dumps({"error": code, "at": None, "detail": detail}))
    return 2


if __name__ == "__main__":
    sys.exit(main())
