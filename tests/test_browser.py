"""Runs tests/browser in a process of its own: Playwright's event loop and pytest-asyncio's clash in one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chromium import CHILD, HOW_TO_GET_ONE, REQUIRED, find_chromium

ROOT = Path(__file__).parent.parent
MINUTES = 18


def test_the_site_in_real_browsers() -> None:
    if find_chromium() is None:
        if os.environ.get(REQUIRED):
            pytest.fail(HOW_TO_GET_ONE)
        pytest.skip(HOW_TO_GET_ONE)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tests/browser",
        "-v",
        "-p",
        "no:cacheprovider",
        "--durations=10",
    ]
    child = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, CHILD: "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=MINUTES * 60,
        text=True,
        check=False,
    )
    print(child.stdout)  # noqa: T201
    if child.returncode:
        pytest.fail(f"{' '.join(command)} failed, see its output", pytrace=False)
