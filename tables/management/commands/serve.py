"""The whole site in one process: everything it needs is made on the first start."""

import asyncio
import logging
import os
import signal
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path
from typing import Any

from channels.routing import get_default_application
from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server, twisted_loop
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from tables.addresses import is_loopback, network_addresses
from tables.presence import end_process
from tables.thread import submit

logger = logging.getLogger(__name__)

EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104
# daphne looks every 2 s, so a silent socket gets its ping within 5 s and is gone 4 s later: under 10 in all.
# Longer than one round of pings, the time-out of one ping would outlive the answer to the next.
PING_AFTER = 3
GONE_AFTER = 4


class Command(BaseCommand):
    help = "Start the site. Makes the database, the signing key and the static files on the first start."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")  # noqa: S104
        parser.add_argument("--port", default="8000", help="port to listen on (default: 8000)")

    def handle(self, *args: Any, host: str, port: str, **options: Any) -> None:
        number = port_number(port)
        if settings.TEST_MODE and not is_loopback(host):
            raise CommandError("TEST_MODE is for this machine alone: start with --host 127.0.0.1.")
        try:
            prepare()
            # Imported after the checks above: it keeps the signing key.
            application = get_default_application()
        except (OSError, DatabaseError) as error:
            raise CommandError(f"Can not use DATA_DIR={settings.DATA_DIR}: {reason(error)}.") from None
        networks = network_addresses() if host in EVERYWHERE else []
        let_in([*networks, *([] if host in EVERYWHERE else [host])], number)
        server = SiteServer(
            application,
            endpoints=build_endpoint_description_strings(host=host, port=number),
            ping_interval=PING_AFTER,
            ping_timeout=GONE_AFTER,
            proxy_forwarded_address_header="X-Forwarded-For" if settings.BEHIND_PROXY else None,
            proxy_forwarded_proto_header="X-Forwarded-Proto" if settings.BEHIND_PROXY else None,
            server_name="openseat",
            ready_callable=lambda: self.say_where(host, number),
        )
        stop_on_hangup(server)
        server.run()
        if server.listen_failure:
            raise CommandError(f"Can not listen on {host} port {number}: {server.listen_failure}.")
        finish_tasks()
        say_goodbye()
        self.stdout.write("Stopped.")

    def say_where(self, host: str, port: int) -> None:
        here = "localhost" if host in EVERYWHERE else host
        self.stdout.write(f"openseat is open: {settings.PUBLIC_URL or url(here, port)}")
        if settings.NETWORK_URL:
            self.stdout.write(f"On phones in the same network: {settings.NETWORK_URL}")
        self.stdout.write("Ctrl-C stops it.")
        self.stdout.flush()


class SiteServer(Server):
    """daphne, remembering why it could not listen instead of logging it as a critical fault."""

    listen_failure = ""

    def listen_error(self, failure: Any) -> None:
        error = failure.value
        self.listen_failure = reason(getattr(error, "socketError", error))
        self.stop()


def port_number(port: str) -> int:
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        raise CommandError(f"--port {port!r} is not a port: give a whole number from 1 to 65535.")
    return int(port)


def prepare() -> None:
    """Whatever a fresh machine lacks; nothing on a machine that has it."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    if not os.access(settings.DATA_DIR, os.W_OK | os.X_OK):
        raise PermissionError(13, "it is not writable")
    call_command("migrate", interactive=False, verbosity=0)
    connection.close()
    collect_static()


def collect_static() -> None:
    """It takes seconds; a restart with people at the tables should not wait for what has not changed."""
    mark = settings.STATIC_ROOT / ".collected"
    found = fingerprint()
    if mark.exists() and mark.read_text() == found:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    mark.write_text(found)


def fingerprint() -> str:
    files = sorted(
        (path, storage.path(path)) for finder in get_finders() for path, storage in finder.list(None)
    )
    stats = [(path, Path(place).stat()) for path, place in files]
    return sha256(repr([(path, stat.st_size, stat.st_mtime_ns) for path, stat in stats]).encode()).hexdigest()


def let_in(hosts: list[str], port: int) -> None:
    for host in hosts:
        if host not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(host)
    outside = [host for host in hosts if not is_loopback(host)]
    settings.NETWORK_URL = url(outside[0], port) if outside else ""


def url(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"


def stop_on_hangup(server: Server) -> None:
    """The window it runs in was closed: as good a stop as Ctrl-C, unless `nohup` says to go on."""
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) is signal.SIG_DFL:
        signal.signal(hangup, lambda *_: twisted_loop.call_soon_threadsafe(server.stop))


def finish_tasks() -> None:
    """Let the tasks of the site end in order; the loop would complain of them when it is thrown away."""
    tasks = asyncio.all_tasks(twisted_loop)
    for task in tasks:
        task.cancel()
    twisted_loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))


def say_goodbye() -> None:
    """Without it the next start takes this stop for a failure of the machine."""
    try:
        submit(end_process).result(timeout=5)
    except (DatabaseError, TimeoutError) as error:
        logger.warning("The stop could not be noted: %s", error)


def reason(error: BaseException) -> str:
    """What the system says of it, without the number."""
    text = getattr(error, "strerror", None) or str(error)
    return (text[:1].lower() + text[1:]).rstrip(".")
