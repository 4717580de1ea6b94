"""Every way in which one thing of some JSON can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where its texts, numbers, truths and nulls are, and its empty lists and objects."""
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    if not inner:
        yield path
    for name, one in inner:
        yield from leaves(one, (*path, name))


def names(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the names of its objects are."""
    if isinstance(value, dict | list):
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(value, dict):
                yield (*path, name)
            yield from names(one, (*path, name))


def at(value: Any, path: Path) -> Any:
    for name in path:
        value = value[name]
    return value


def changed(value: Any, path: Path, new: Any) -> Any:
    """The same with another value at that place. What is not on the way to it is shared."""
    if not path:
        return new
    name, *rest = path
    copy: Any = value.copy()
    copy[name] = changed(value[name], tuple(rest), new)
    return copy


def renamed(value: Any, path: Path, new: str) -> Any:
    """The same with another name at that place."""
    *before, old = path
    inner = {new if name == old else name: one for name, one in at(value, tuple(before)).items()}
    return changed(value, tuple(before), inner)


def others(leaf: Any) -> list[Any]:
    """Values that might stand in the place of one."""
    match leaf:
        case bool():
            return [not leaf, int(leaf), None]
        case int():
            return [leaf + 1, leaf - 1, float(leaf), str(leaf), None]
        case None:
            return [0, "", False]
        case str():
            return [*_other_texts(leaf), None, 0]
        case _:
            return [None, 0]


def _other_texts(text: str) -> Iterator[str]:
    yield text + " "
    words = text.split(" ")
    if len(words) > 1:
        yield " ".join(words[:-1])
        for index in (0, (len(words) - 1) // 2):
            yield " ".join((*words[:index], words[index + 1], words[index], *words[index + 2 :]))
            other = "Ah" if words[index] != "Ah" else "2c"
            yield " ".join((*words[:index], other, *words[index + 1 :]))
    if text:
        yield text[:-1]
        yield ("0" if text[0] != "0" else "1") + text[1:]
        yield text[:-1] + ("0" if text[-1] != "0" else "1")
