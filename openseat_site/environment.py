"""Settings from the environment. A value that can not be meant stops the program and says why."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


def env_str(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def env_bool(name: str, default: bool = False) -> bool:
    value = env_str(name)
    if not value:
        return default
    if value.lower() in TRUE:
        return True
    if value.lower() in FALSE:
        return False
    raise refused(name, value, "1, true, yes, on or 0, false, no, off")


def env_int(name: str, default: int, *, least: int = 0, most: int = 2**31 - 1) -> int:
    value = env_str(name)
    if not value:
        return default
    if not (value.isascii() and value.lstrip("-").isdigit()) or not least <= int(value) <= most:
        raise refused(name, value, f"a whole number from {least} to {most}")
    return int(value)


def env_list(name: str) -> list[str]:
    """Comma-separated; an empty place between commas is a slip of the pen and is refused."""
    value = env_str(name)
    if not value:
        return []
    items = [item.strip() for item in value.split(",")]
    if not all(items) or any(any(map(str.isspace, item)) for item in items):
        raise refused(name, value, "names with commas between them, such as play.example.org,192.168.1.5")
    return items


def env_hosts(name: str) -> list[str]:
    hosts = env_list(name)
    for host in hosts:
        if "/" in host or (":" in host and not host.startswith("[")):
            raise refused(name, ",".join(hosts), "host names without http:// and without a port")
    return hosts


def env_path(name: str, default: Path | None = None) -> Path | None:
    value = env_str(name)
    return Path(value).expanduser().resolve() if value else default


def env_url(name: str) -> str:
    """An address of this site as seen from outside, such as `https://play.example.org`, or nothing."""
    value = env_str(name)
    if not value:
        return ""
    wanted = "an address such as https://play.example.org, without a path"
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        raise refused(name, value, wanted) from None
    bare = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0 or not bare:
        raise refused(name, value, wanted)
    return f"{parts.scheme}://{parts.netloc}".lower()


def refused(name: str, value: str, allowed: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name}={value!r} is not understood; allowed: {allowed}.")
