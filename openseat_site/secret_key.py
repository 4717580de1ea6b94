"""The signing key: from the environment, else from a file that the first start of the site writes."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def read_or_draw(file: Path) -> str:
    """The kept key; else a new one that lives as long as this process, which is enough for a command."""
    try:
        kept = file.read_text().strip()
    except FileNotFoundError:
        kept = ""
    except OSError as error:
        raise ImproperlyConfigured(f"Can not read {file}: {error.strerror}.") from None
    return kept or secrets.token_urlsafe(48)


def keep(file: Path, key: str) -> str:
    """Write the key for the next start, readable by its owner alone. Whoever writes first wins."""
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_or_draw(file)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(key + "\n")
    return key
