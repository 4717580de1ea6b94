"""The package stands alone and shows how it is used."""

import ast
import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import engine

FOLDER = Path(engine.__file__).parent
MODULES = ["engine"] + [
    f"engine.{found.name}"
    for found in pkgutil.iter_modules([str(FOLDER)])
    # The analysis needs more than the standard library.
    if found.name not in ("__main__", "analysis")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_a_whole_round_is_shown_on_the_front_page() -> None:
    assert doctest.testmod(engine).attempted >= 5


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.name)
def test_the_engine_imports_the_standard_library_alone(file: Path) -> None:
    for name in imports(file):
        assert name == "engine" or name in sys.stdlib_module_names, f"{file.name} imports {name}"


def imports(file: Path) -> set[str]:
    """The packages that a file imports from."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


def test_the_engine_runs_without_any_installed_package() -> None:
    code = "import engine.__main__, engine.views, engine.record, sys; assert 'django' not in sys.modules"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=FOLDER.parent, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("word", ["random", "secrets", "time", "datetime", "socket", "sqlite3", "asyncio"])
def test_rules_know_no_clock_no_chance_and_no_wire(word: str) -> None:
    for file in FOLDER.glob("*.py"):
        if file.name not in ("__main__.py", "simulation.py"):
            assert word not in imports(file), file.name
