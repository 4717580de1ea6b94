"""What time it is, and the randomness of a new shoe. Both are settings, so that a test may hold them.

`now()` and `fresh_seed()` are the only sources of either in the whole site. Outside a test they are the
system's clock and the operating system's random bytes. A test in this process sets `settings.CLOCK` and
`settings.SEED_SOURCE` to functions of its own; a test that starts the site names two files
(TEST_CLOCK_FILE, TEST_SEED_FILE with TEST_MODE=1), which a site open to others refuses.
"""

import secrets
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

Source = TypeVar("Source")
SEED_BYTES = 32

_seed_file = threading.Lock()


def now() -> datetime:
    return _called(settings.CLOCK)


def fresh_seed() -> bytes:
    """32 bytes for the next shoe. What turns out not to be needed goes to `put_back`."""
    return _called(settings.SEED_SOURCE)


def put_back(seed: bytes) -> None:
    """This seed opened no shoe. It matters only where a test fixed the seeds: the next shoe gets it."""
    if settings.TEST_SEED_FILE is not None:
        with _seed_file:
            _write(settings.TEST_SEED_FILE, seed.hex() + "\n" + settings.TEST_SEED_FILE.read_text())


def system_now() -> datetime:
    return datetime.now(UTC)


def random_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def file_now() -> datetime:
    """The system's clock moved by the seconds in the file, which a running test may change; after "at" they
    are a moment (seconds since 1970) at which it stands still."""
    word, _, moment = (text := _file(settings.TEST_CLOCK_FILE).read_text().strip()).partition(" ")
    if word == "at":
        return datetime.fromtimestamp(float(moment), UTC)
    return system_now() + timedelta(seconds=float(text or 0))


def file_seed() -> bytes:
    """Takes the first seed off the file. The last one leaves its hash behind, so the file never runs dry."""
    file = _file(settings.TEST_SEED_FILE)
    with _seed_file:
        first, *others = file.read_text().split()
        seed = bytes.fromhex(first)
        left = others or [sha256(seed).hexdigest()]
        _write(file, "\n".join(left) + "\n")
    return seed


def _write(file: Path, text: str) -> None:
    """In one step: a site that is killed on the way must find the seeds again."""
    new = file.with_name(file.name + ".next")
    new.write_text(text)
    new.replace(file)


def _file(named: Path | None) -> Path:
    if named is None:
        raise ImproperlyConfigured("This source reads a file, and no file is named.")
    return named


def _called(source: str | Callable[[], Source]) -> Source:
    function: Callable[[], Source] = import_string(source) if isinstance(source, str) else source
    return function()
