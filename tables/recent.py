"""The values used last, so many and no more; for any thread."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[str, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Value | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: str, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self.most:
                self._values.popitem(last=False)

    def drop(self, key: str) -> None:
        with self._lock:
            self._values.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
