"""A socket's frame, which anyone may have written, becomes a `Request` or is refused with a code.

Nothing but the fields listed here gets through, each in its own strict type. Whether the request is allowed
in the game is for the engine to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.errors import Refused

MOST_BYTES = 4096
# htmx adds its own; tools may leave it out.
IGNORED = frozenset({"HEADERS"})
LARGEST_AMOUNT = 10**9


@dataclass(frozen=True, slots=True)
class Request:
    action: str
    ask: str | None = None
    amount: int | None = None
    pair: int = 0
    game: int | None = None
    offer: str | None = None
    seat: int | None = None
    ready: bool = True
    rounds: int | None = None
    clock: bool | None = None


DIGITS = re.compile(r"[0-9]{1,10}\Z", re.ASCII)
# A table lives for years, and each of its questions has a number of its own.
ASK = re.compile(r"[0-9]{1,18}\.[0-9]{1,18}\Z", re.ASCII)
OFFER = re.compile(r"[A-Za-z0-9_.-]{1,32}\Z", re.ASCII)


def whole_number(value: object, code: str) -> int:
    # bool is an int to Python, but `true` is no amount.
    if type(value) is int and 0 <= value <= LARGEST_AMOUNT:
        return value
    if isinstance(value, str) and DIGITS.match(value) and int(value) <= LARGEST_AMOUNT:
        return int(value)
    raise Refused(code)


def amount(value: object) -> int:
    if value == "":
        raise Refused("amount_missing")
    return whole_number(value, "amount_malformed")


def optional_amount(value: object) -> int | None:
    return None if value == "" else amount(value)


def pair(value: object) -> int:
    return 0 if value == "" else amount(value)


def number(value: object) -> int:
    return whole_number(value, "malformed")


def ask(value: object) -> str:
    if isinstance(value, str) and ASK.match(value):
        return value
    raise Refused("ask_malformed")


def offer(value: object) -> str:
    if isinstance(value, str) and OFFER.match(value):
        return value
    raise Refused("malformed")


def flag(value: object) -> bool:
    if value in ("1", "0") and isinstance(value, str):
        return value == "1"
    if isinstance(value, bool):
        return value
    raise Refused("malformed")


def on_or_off(value: object) -> bool:
    if value in ("on", "off"):
        return value == "on"
    raise Refused("malformed")


Reader = Callable[[object], Any]


@dataclass(frozen=True, slots=True)
class Shape:
    needed: Mapping[str, Reader]
    allowed: Mapping[str, Reader] = field(default_factory=dict)


ANSWER = Shape({"ask": ask})
COMMAND = Shape({"game": number})
ON_SEAT = Shape({"game": number, "seat": number})
ON_OFFER = Shape({"offer": offer}, {"game": number})

SHAPES: Mapping[str, Shape] = {
    "bet": Shape({"ask": ask, "amount": amount}, {"pair": pair}),
    "take_back": ANSWER,
    "sit_out": ANSWER,
    "insure": Shape({"ask": ask}, {"amount": optional_amount}),
    "decline": ANSWER,
    "even_money": ANSWER,
    "hit": ANSWER,
    "stand": ANSWER,
    "double": ANSWER,
    "split": ANSWER,
    "surrender": ANSWER,
    "back": Shape({"ask": ask, "seat": number}, {"amount": optional_amount, "pair": pair}),
    "done": ANSWER,
    "follow": ANSWER,
    "pass": ANSWER,
    "sit": ON_SEAT,
    "leave": Shape({"game": number}, {"seat": number}),
    "deal": COMMAND,
    "new_game": COMMAND,
    "ready": Shape({"game": number}, {"ready": flag}),
    "start": COMMAND,
    "remove": ON_SEAT,
    "configure": Shape({"game": number, "rounds": number}, {"clock": on_or_off}),
    "back_to_lobby": COMMAND,
    "resign": COMMAND,
    "offer_draw": COMMAND,
    "accept_draw": ON_OFFER,
    "refuse_draw": ON_OFFER,
    "stop_waiting": ON_SEAT,
    "ping": Shape({}),
}
ANSWERS = frozenset(action for action, shape in SHAPES.items() if "ask" in shape.needed)


def read(frame: str | bytes | None) -> Request:
    if not isinstance(frame, str):
        raise Refused("malformed")
    if len(frame) > MOST_BYTES or len(frame.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise Refused("frame_too_big")
    try:
        payload = json.loads(frame)
    except (ValueError, RecursionError):
        raise Refused("malformed") from None
    if not isinstance(payload, dict):
        raise Refused("malformed")
    return request(payload)


def request(payload: Mapping[str, object]) -> Request:
    action = payload.get("action")
    shape = SHAPES.get(action) if isinstance(action, str) else None
    if shape is None or not isinstance(action, str):
        raise Refused("unknown_action")
    fields = {name: value for name, value in payload.items() if name != "action" and name not in IGNORED}
    readers = {**shape.needed, **shape.allowed}
    if fields.keys() - readers.keys():
        raise Refused("unknown_field")
    for missing in shape.needed.keys() - fields.keys():
        raise Refused({"amount": "amount_missing", "ask": "ask_missing"}.get(missing, "malformed"))
    return Request(action, **{name: readers[name](value) for name, value in fields.items()})
