"""A stored game to take away, and the archive of all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from hashlib import sha256

from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import condition

from tables import export, export_texts
from tables.models import Game
from tables.reading import require_safe

View = Callable[..., HttpResponseBase]

# Goes up when what is written of an old game changes.
FORM = 2
# All archives are written by one thread, however many ask for them: the tables need the others.
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="archive")


def _as_file(write: Callable[[Game], str], kind: str, ending: str) -> View:
    """The view of a game as a file. One that is over never changes: who has it already is told so."""

    def view(request: HttpRequest, game_id: str) -> HttpResponse:
        game = Game.objects.filter(pk=game_id).first()
        if game is None:
            raise Http404
        answer = HttpResponse(write(game), content_type=f"{kind}; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="openseat-{game.id}.{ending}"'
        return answer

    def finished(request: HttpRequest, game_id: str) -> datetime | None:
        return Game.objects.filter(pk=game_id).values_list("finished", flat=True).first()

    def etag(request: HttpRequest, game_id: str) -> str | None:
        moment = finished(request, game_id)
        if moment is None:
            return None
        named = f"{FORM} {game_id} {ending} {moment.isoformat()} {get_language()}"
        return f'"{sha256(named.encode()).hexdigest()[:32]}"'

    checked = condition(etag_func=etag, last_modified_func=finished)(view)
    return require_safe(cache_control(no_cache=True)(checked))


game_json = _as_file(export.text, "application/json", "json")
game_text = _as_file(export_texts.text, "text/plain", "txt")
game_table = _as_file(export_texts.table, "text/csv", "csv")


@never_cache
@require_safe
def archive(request: HttpRequest) -> HttpResponseBase:
    # Whoever asks for the head alone is told no length either: nobody knows it before the end.
    lines = nothing() if request.method == "HEAD" else archive_lines()
    body = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    body["Content-Disposition"] = 'attachment; filename="openseat-games.jsonl"'
    return body


async def nothing() -> AsyncIterator[bytes]:
    lines: tuple[bytes, ...] = ()
    for line in lines:
        yield line


async def archive_lines() -> AsyncIterator[bytes]:
    """The archive line by line, written while it is sent and no faster."""
    loop, lines = asyncio.get_running_loop(), export.archive()
    try:
        while True:
            began = time.monotonic()
            line = await loop.run_in_executor(_thread, next, lines, None)
            if line is None:
                return
            yield line.encode()
            # Playing games again is hard work, and the tables are to be served meanwhile.
            await asyncio.sleep(min(1, time.monotonic() - began))
    finally:
        await loop.run_in_executor(_thread, _close, lines)


def _close(lines: Generator[str, None, None]) -> None:
    lines.close()
    connection.close()
