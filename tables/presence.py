"""Who is here: a guest is present while any process holds a socket of theirs, away when the last closes."""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Set
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TookTooLong
from datetime import timedelta

from django.db import transaction

from tables import clock, services
from tables.models import Participant, Presence, Process
from tables.thread import submit

logger = logging.getLogger(__name__)

TOKEN = secrets.token_hex(8)
MACHINE = socket.gethostname()[:255]
# Three missed heartbeats.
SILENT = timedelta(seconds=10)

_beginning: Future[None] | None = None


def arrive(code: str, guest: str) -> None:
    with transaction.atomic():
        table = services.locked_if_any(code)
        if table is None:
            return
        _, new = Presence.objects.get_or_create(table=table, guest=guest, process=_this_process())
        first = new and Presence.objects.filter(table=table, guest=guest).count() == 1
        person = Participant.objects.filter(table=table, guest=guest).first()
        if person is not None and person.away_since is not None:
            person.away_since = None
            person.save(update_fields=["away_since"])
            services.welcome_back(table, person)
        elif first:
            services.people_changed(table)


def depart(code: str, guest: str) -> None:
    with transaction.atomic():
        table = services.locked_if_any(code)
        if table is None:
            return
        Presence.objects.filter(table=table, guest=guest, process=TOKEN).delete()
        if not Presence.objects.filter(table=table, guest=guest).exists():
            Participant.objects.filter(table=table, guest=guest).update(away_since=clock.now())
            services.people_changed(table)


# Processes


def begin() -> None:
    """Once a process, before its timers and its first page: see what a predecessor left behind."""
    global _beginning
    if _beginning is None or _began_badly():
        _beginning = submit(start_process)
        _beginning.add_done_callback(_report)


def _began_badly() -> bool:
    return _beginning is not None and _beginning.done() and _beginning.exception() is not None


def _report(beginning: Future[None]) -> None:
    error = beginning.exception()
    if error is not None:
        logger.warning("What an earlier process left behind was not looked at yet: %s", error)


def wait_until_begun() -> None:
    """For pages, which do their work in other threads."""
    if _beginning is not None and not _beginning.done():
        try:
            _beginning.exception(timeout=5)
        except TookTooLong:
            logger.warning("The start takes long; a page goes on without it")


def start_process() -> None:
    now = clock.now()
    others = list(Process.objects.exclude(token=TOKEN))
    # A process that stopped cleanly has taken its row away.
    dead = [process for process in others if not lives(process)]
    _this_process()
    if len(dead) == len(others):
        if dead:
            services.void_failed(now)
        # Nobody kept the time: whoever had to decide gets the whole clock again.
        services.fresh_clocks(now)
    # Last: who dies on the way here leaves the failure to be seen by the next start.
    for process in dead:
        bury(process)


def end_process() -> None:
    """A clean stop: the next start finds nobody dead, and the rounds in play go on."""
    own = Process.objects.filter(token=TOKEN).first()
    if own is None or _began_badly():
        # It never began, perhaps because nobody came: what was before is for the next start to judge.
        return
    for process in Process.objects.exclude(token=TOKEN):
        if not lives(process):
            bury(process)
    bury(own)


def lives(process: Process) -> bool:
    if clock.now() - process.beat > SILENT:
        return False
    return process.machine != MACHINE or (process.pid != os.getpid() and _runs(process.pid))


def bury(process: Process) -> None:
    """Its sockets are gone; the guests who had no other one are away."""
    left = list(Presence.objects.filter(process=process).values_list("table__code", "guest"))
    with transaction.atomic():
        process.delete()
    for code, guest in left:
        depart(code, guest)


def beat(here: Set[tuple[str, str]]) -> None:
    """The heartbeat. `here` are the tables and guests with a socket in this process; what differs is put
    right: a note may have failed, or others took this process for dead.
    """
    if _began_badly():
        # Who died before the start is still to be judged, not to be buried.
        return
    Process.objects.filter(pk=_this_process().pk).update(beat=clock.now())
    noted = set(Presence.objects.filter(process=TOKEN).values_list("table__code", "guest"))
    for code, guest in here - noted:
        arrive(code, guest)
    for code, guest in noted - here:
        depart(code, guest)
    for process in Process.objects.exclude(token=TOKEN):
        if not lives(process):
            bury(process)


def _this_process() -> Process:
    process, _ = Process.objects.get_or_create(
        token=TOKEN, defaults={"machine": MACHINE, "pid": os.getpid(), "beat": clock.now()}
    )
    return process


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
