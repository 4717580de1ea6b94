"""A large JSON object read part by part, so that it need not fit into memory as a whole."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from engine.cases import named_once, whole
from engine.errors import NotationError

CHUNK = 1 << 16
# No round of a game is as long as this.
LONGEST_PART = 1 << 26
_SPACE = " \t\n\r"


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=named_once, parse_int=whole, parse_constant=_no_number)


def members(stream: BinaryIO, listed: str) -> Iterator[tuple[str, Any, bool]]:
    """The members of the one object in `stream` in order, as (name, value, False).

    The list called `listed` comes element by element, as (name, element, True), after (name, [], False).
    Raises `NotationError` for what is no JSON object, is followed by another, or names a member twice.
    """
    parts = _Parts(stream)
    seen: set[str] = set()
    parts.open()
    if not parts.taken("}"):
        while True:
            name = parts.value()
            if not isinstance(name, str):
                raise parts.broken()
            if name in seen:
                raise NotationError("name_twice")
            seen.add(name)
            parts.take(":")
            if name == listed and parts.taken("["):
                yield name, [], False
                for element in parts.elements():
                    yield name, element, True
            else:
                yield name, parts.value(), False
            if parts.taken("}"):
                break
            parts.take(",")
    parts.end()


class _Parts:
    """What is still to be read: `text` from `at` on, then the rest of the stream."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text = ""
        self.at = 0
        self.all_read = False

    def more(self, size: int = CHUNK) -> bool:
        """Read on; whether there was anything."""
        if self.all_read:
            return False
        try:
            read = self.stream.read(size)
            self.text = self.text[self.at :] + self.decoder.decode(read, final=not read)
        except UnicodeDecodeError as error:
            raise NotationError("not_json", reason=str(error)) from None
        self.at = 0
        self.all_read = not read
        return not self.all_read

    def skip_space(self) -> None:
        while True:
            while self.at < len(self.text) and self.text[self.at] in _SPACE:
                self.at += 1
            if self.at < len(self.text) or not self.more():
                return

    def taken(self, sign: str) -> bool:
        """Whether `sign` comes next, which is then behind us."""
        self.skip_space()
        found = self.text.startswith(sign, self.at)
        self.at += found
        return found

    def take(self, sign: str) -> None:
        if not self.taken(sign):
            raise self.broken()

    def open(self) -> None:
        if self.taken("{"):
            return
        # A list, a text, a number, true, false or null.
        if re.match(r'[\["]|-?[0-9]|(true|false|null)\b', self.text[self.at :]):
            raise NotationError("no_object", found=self.text[self.at : self.at + 20])
        raise self.broken()

    def elements(self) -> Iterator[object]:
        if self.taken("]"):
            return
        while True:
            yield self.value()
            if self.taken("]"):
                return
            self.take(",")

    def value(self) -> object:
        self.skip_space()
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except (ValueError, RecursionError) as error:
                # It may go on in what was not read yet.
                self.read_longer(error)
                continue
            if end < len(self.text) or self.all_read:
                self.at = end
                return value
            # So may a number.
            self.more()

    def read_longer(self, error: Exception) -> None:
        left = len(self.text) - self.at
        if left > LONGEST_PART:
            raise NotationError("too_long", max=LONGEST_PART)
        if not self.more(max(CHUNK, left)):
            raise NotationError("not_json", reason=str(error))

    def end(self) -> None:
        self.skip_space()
        if self.text.startswith("{", self.at):
            raise NotationError("several_objects")
        if self.at < len(self.text):
            raise self.broken()

    def broken(self) -> NotationError:
        found = self.text[self.at : self.at + 20]
        return NotationError("not_json", reason=f"unexpected {found!r}" if found else "it ends too early")
