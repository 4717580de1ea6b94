"""The command line of the engine: `python -m engine settle|rules|simulate`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from engine import cases
from engine.errors import EngineError
from engine.rules import PRESETS, Rules


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    settle = commands.add_parser("settle", help="play one round from a stacked shoe")
    settle.add_argument("file", metavar="FILE", help="a case in JSON, or - for standard input")
    settle.add_argument("--lines", action="store_true", help="one case a line, one answer a line")
    settle.set_defaults(run=run_settle)

    rules = commands.add_parser("rules", help="every switch of a rule set and its value")
    rules.add_argument("rules", metavar="NAME", help=f"one of {', '.join(PRESETS)}, a file or a JSON object")
    rules.set_defaults(run=run_rules)

    args = parser.parse_args(argv)
    try:
        status: int = args.run(args)
    except EngineError as error:
        return refuse(error.code, str(error))
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return status


def run_settle(args: argparse.Namespace) -> int:
    try:
        if args.lines:
            stream = sys.stdin if args.file == "-" else open(args.file, encoding="utf-8")  # noqa: SIM115
            with stream:
                for line in stream:
                    if line.strip():
                        print(json.dumps(cases.settle(line)))
            return 0
        text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return refuse("unreadable", str(error))
    answer = cases.settle(text)
    print(json.dumps(answer))
    return 2 if "error" in answer else 0


def run_rules(args: argparse.Namespace) -> int:
    print(json.dumps(read_rules(args.rules).to_json(), indent=2))
    return 0


def read_rules(text: str) -> Rules:
    """Rules named by a preset, a file or an inline JSON object; raises `EngineError`."""
    if text in PRESETS:
        return Rules.from_json(text)
    if text.lstrip().startswith(("{", '"')):
        return Rules.from_json(cases.load(text))
    path = Path(text)
    if path.is_file():
        try:
            return Rules.from_json(cases.load(path.read_text("utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise EngineError("unreadable", reason=str(error)) from None
    return Rules.from_json(text)


def refuse(code: str, detail: str) -> int:
    print(json.dumps({"error": code, "at": None, "detail": detail}))
    return 2


if __name__ == "__main__":
    sys.exit(main())
