"""The tests of tests/browser, in a process beside the one pytest.

A process of its own, since Playwright's event loop and pytest-asyncio's clash in one; beside the others,
since browsers mostly wait.
"""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from tests.chromium import CHILD

ROOT = Path(__file__).parent.parent
MINUTES = 15
STOP_SECONDS = 60


class BrowserChild:
    """Started at once. Its output goes to a file: a pipe that nobody reads meanwhile would fill up."""

    def __init__(self, output: Path) -> None:
        self._output = output
        self._command = [sys.executable, "-m", "pytest", "tests/browser"]
        self._command += ["-v", "-p", "no:cacheprovider", "--durations=10"]
        with output.open("wb") as file:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env={**os.environ, CHILD: "1"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )

    def __str__(self) -> str:
        return shlex.join(self._command)

    def succeeded(self) -> bool:
        """Waits for its end, but not for ever."""
        try:
            return self._process.wait(MINUTES * 60) == 0
        except subprocess.TimeoutExpired:
            return False

    def output(self) -> str:
        return self._output.read_text(errors="replace")

    def close(self) -> None:
        """Ends it, where nobody asked how it went, as Ctrl-C would: with its servers and browsers."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
