"""The site as an operator runs it: `manage.py serve` as a process, on a database file of its own."""

import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
START_SECONDS = 60
STOP_SECONDS = 20
# Ours is not to be mixed with what the person running the tests has set.
OUR_VARIABLES = (
    "DATA_DIR",
    "DEBUG",
    "PUBLIC_URL",
    "ALLOWED_HOSTS",
    "SECRET_KEY",
    "BEHIND_PROXY",
    "HSTS_SECONDS",
    "TEST_MODE",
    "TEST_CLOCK_FILE",
    "TEST_SEED_FILE",
)
WORSE_THAN_A_WARNING = re.compile(
    r"^\S+ \S+ (?:ERROR|CRITICAL) |^Traceback|^\w*(?:Error|Exception)\b|Task was destroyed"
)


def seed_of_this_test() -> bytes:
    name = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    return hashlib.sha256(name.encode()).digest()


class RunningSite:
    """Starts, kills and restarts one site on one port.

    With `movable` the site runs in test mode: `move_clock` and `let_pass` move its time, `give_seeds` fixes
    its next shoes. Before that each test has shoes of its own, the same ones in every run.
    """

    def __init__(
        self, directory: Path, *, movable: bool = True, environment: dict[str, str] | None = None
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.data_dir = directory / "data"
        self.log_file = directory / "serve.log"
        self.clock_file = directory / "clock"
        self.seed_file = directory / "seeds"
        self.port = free_port()
        self.allowed: list[re.Pattern[str]] = []
        self.process: subprocess.Popen[bytes] | None = None
        self.moved = 0.0
        self.said_before = 0
        self.environment = {name: value for name, value in os.environ.items() if name not in OUR_VARIABLES}
        self.environment |= {"DATA_DIR": str(self.data_dir), "PYTHONUNBUFFERED": "1"}
        if movable:
            self.move_clock(0)
            self.give_seeds([seed_of_this_test()])
            self.environment |= {
                "TEST_MODE": "1",
                "TEST_CLOCK_FILE": str(self.clock_file),
                "TEST_SEED_FILE": str(self.seed_file),
            }
        self.environment |= environment or {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return self.log_file.read_text() if self.log_file.exists() else ""

    def start(self, *arguments: str, wait: bool = True) -> None:
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        command += arguments or ("--host", "127.0.0.1")
        self.said_before = len(self.log)
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # A shell's background job ignores Ctrl-C, one under nohup the hangup, and so would we.
                preexec_fn=default_signals,
            )
        if wait:
            self.wait_until_open()

    def wait_until_open(self) -> None:
        self._wait_until(self._answers)

    def wait_until_said(self, text: str) -> None:
        """Until the site has written this since its last start; it is asked for no page meanwhile."""
        self._wait_until(lambda: text in self.log[self.said_before :])

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5):  # noqa: S310
                return True
        except (urllib.error.URLError, OSError):
            return False

    def _wait_until(self, started: Callable[[], bool]) -> None:
        end = time.monotonic() + START_SECONDS
        while not started():
            alive = self.process is not None and self.process.poll() is None
            assert alive and time.monotonic() < end, f"The site did not start:\n{self.log}"  # noqa: PT018
            time.sleep(0.05)

    def kill(self) -> None:
        """As when the machine loses power: nothing is said to anybody."""
        self._signal(signal.SIGKILL)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """As an operator stops it; the exit code."""
        return self._signal(number)

    def restart(self) -> None:
        """On the same port and data. After `kill()`, or instead of it."""
        if self.process is not None:
            self.stop()
        self.start()

    def move_clock(self, seconds: float) -> None:
        """From now on it is that many seconds later than the system says (not added to an earlier move)."""
        self.moved = seconds
        replace(self.clock_file, f"{seconds}\n")

    def stop_clock(self) -> None:
        """No time passes until the clock is moved, however long the machine takes."""
        replace(self.clock_file, f"at {time.time() + self.moved}\n")

    def let_pass(self, seconds: float) -> None:
        """So many seconds pass at once; then the clock goes on."""
        self.move_clock(self.moved + seconds)

    def give_seeds(self, seeds: Iterable[bytes]) -> None:
        """The next shoes, in order; after the last one each seed is the hash of the one before."""
        replace(self.seed_file, "".join(f"{seed.hex()}\n" for seed in seeds))

    def allow(self, pattern: str) -> None:
        """A line of the log that a test provokes on purpose."""
        self.allowed.append(re.compile(pattern))

    def check_log(self) -> None:
        bad = [
            line
            for line in self.log.splitlines()
            if WORSE_THAN_A_WARNING.search(line) and not any(pattern.search(line) for pattern in self.allowed)
        ]
        assert not bad, f"The site's log has more than warnings:\n{self.log}"

    def _signal(self, number: int) -> int:
        assert self.process is not None, "the site is not running"
        self.process.send_signal(number)
        code = self.process.wait(STOP_SECONDS)
        self.process = None
        return code


def default_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def replace(file: Path, text: str) -> None:
    """In one step: the site may be reading it."""
    new = file.with_name(file.name + ".new")
    new.write_text(text)
    new.replace(file)
