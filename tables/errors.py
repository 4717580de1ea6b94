"""A request that changes nothing. The code is stable; `words` makes the sentence."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818
    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params
