"""Token buckets in memory: how fast one socket may speak, and how often one address may guess."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic

from tables.recent import Recent

MOST_ADDRESSES = 10_000


@dataclass(slots=True)
class Bucket:
    size: float
    per_second: float
    level: float = field(init=False)
    filled: float = field(init=False)

    def __post_init__(self) -> None:
        self.level = self.size
        self.filled = monotonic()

    def take(self) -> bool:
        now = monotonic()
        self.level = min(self.size, self.level + (now - self.filled) * self.per_second)
        self.filled = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Guesses:
    """Wrong codes and seat links by address. Only misses count: a busy household is not locked out."""

    def __init__(self, size: float = 20, per_second: float = 0.2) -> None:
        self.size = size
        self.per_second = per_second
        self._buckets: Recent[Bucket] = Recent(MOST_ADDRESSES)

    def allowed(self, address: str) -> bool:
        bucket = self._buckets.get(address)
        return bucket is None or bucket.level + (monotonic() - bucket.filled) * bucket.per_second >= 1

    def missed(self, address: str) -> None:
        bucket = self._buckets.get(address) or Bucket(self.size, self.per_second)
        bucket.take()
        self._buckets.put(address, bucket)

    def forget(self) -> None:
        self._buckets.clear()


guesses = Guesses()
