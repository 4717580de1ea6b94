"""The log of a round as it is told: who was not waited for has not run out of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.shown import LogLine, PublicView

# Seen from the end of the log, which is where one knows how things stand.
_WAS_ANSWERED_FOR: Mapping[str, bool] = {"came_back": True, "stopped_waiting": False, "left": True}


def told(view: PublicView) -> tuple[LogLine, ...]:
    answered_for = {seat.seat for seat in view.seats if seat.auto or seat.gone}
    lines: list[LogLine] = []
    for line in reversed(view.log):
        if line.kind in _WAS_ANSWERED_FOR and line.seat is not None:
            (answered_for.add if _WAS_ANSWERED_FOR[line.kind] else answered_for.discard)(line.seat)
        if line.kind == "time" and line.seat in answered_for:
            line = replace(line, kind="answered_for")
        lines.append(line)
    return tuple(reversed(lines))
