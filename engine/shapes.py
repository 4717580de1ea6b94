"""What JSON must look like: a shape is a type, or a list, an object or a choice of shapes.

`int` is a whole number, `dict` any object, `list` any list, and a `Text` text of one form; `[shape]` is a
list of them, `{"name": shape}` an object with exactly these names, and `(shape, None)` may also be null.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import NotationError

Shape = Any

LONGEST_NICKNAME = 20
# Controls, marks that show nothing, halves of characters, separators of lines and paragraphs.
_NEVER_IN_A_NICKNAME = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Text:
    """Text that `fits`; any other is refused with `code`."""

    code: str
    fits: Callable[[str], object]


_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# In this form alone what comes later is also greater as text. There was no year 0.
_TIME = re.compile(
    r"(?!0000)([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z"
)


def _is_time(text: str) -> bool:
    found = _TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day = (int(digits) for digits in found.groups()[:3])
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _DAYS[month - 1] + leap


def _is_nickname(text: str) -> bool:
    return (
        0 < len(text) <= LONGEST_NICKNAME
        and text == " ".join(text.split())
        and not any(unicodedata.category(sign) in _NEVER_IN_A_NICKNAME for sign in text)
    )


# A moment in UTC to the thousandth, such as 2026-05-01T12:00:00.000Z.
TIME = Text("not_a_time", _is_time)
NICKNAME = Text("not_a_nickname", _is_nickname)
# A seed or its hash.
HEX = Text("not_64_hex_digits", re.compile("[0-9a-f]{64}").fullmatch)
# What a rule set may be called.
RULE_SET = Text("not_a_rule_set", re.compile("(?=.{1,20}$)[a-z0-9]+(-[a-z0-9]+)*").fullmatch)


def check(value: object, shape: Shape, where: str) -> None:
    """Refuse `value` where it has not that shape; raises `NotationError` that names the place."""
    if isinstance(shape, tuple):
        if value is not None:
            check(value, shape[0], where)
    elif isinstance(shape, Mapping):
        _check_object(value, shape, where)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise NotationError("not_a_list", field=where)
        for index, one in enumerate(value):
            check(one, shape[0], f"{where}[{index}]")
    elif isinstance(shape, Text):
        if not isinstance(value, str) or not shape.fits(value):
            raise NotationError(shape.code, field=where)
    elif not isinstance(value, shape) or (shape is int and isinstance(value, bool)):
        raise NotationError("wrong_type", field=where, wanted=shape.__name__)


def _check_object(value: object, shape: Mapping[str, Shape], where: str) -> None:
    if not isinstance(value, dict):
        raise NotationError("not_an_object", field=where)
    for name in value:
        if name not in shape:
            raise NotationError("unknown_field", field=f"{where}.{name}"[:200])
    for name, inner in shape.items():
        if name not in value:
            raise NotationError("missing_field", field=f"{where}.{name}")
        check(value[name], inner, f"{where}.{name}")
