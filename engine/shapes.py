"""What JSON must look like: a shape is a type, or a list, an object or a choice of shapes.

`int` is a whole number, `TIME` a time in UTC as text, `dict` any object and `list` any list; `[shape]` is
a list of them, `{"name": shape}` an object with exactly these names, and `(shape, None)` may also be null.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.errors import NotationError

Shape = Any

# Such as 2026-05-01T12:00:00.5+00:00 or with a Z at the end.
TIME = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|\+00:00)"
)


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
    elif shape is TIME:
        if not isinstance(value, str) or not TIME.fullmatch(value):
            raise NotationError("not_a_time", field=where)
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
