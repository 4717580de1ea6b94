import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pytest_django.fixtures import Settings

from tables import clock

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_the_clock_is_the_system_s_unless_a_setting_says_otherwise(settings: Settings) -> None:
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(seconds=5)
    settings.CLOCK = lambda: NOON
    assert clock.now() == NOON


def test_seeds_are_random_unless_a_setting_says_otherwise(settings: Settings) -> None:
    seeds = {clock.fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}
    settings.SEED_SOURCE = lambda: bytes(32)
    assert clock.fresh_seed() == bytes(32)


def test_a_file_moves_the_clock_while_the_site_runs(settings: Settings, tmp_path: Path) -> None:
    settings.TEST_CLOCK_FILE = tmp_path / "clock"
    settings.CLOCK = "tables.clock.file_now"
    for text, seconds in (("", 0), ("90\n", 90), ("-3600.5", -3600.5)):
        settings.TEST_CLOCK_FILE.write_text(text)
        assert abs(clock.now() - datetime.now(UTC) - timedelta(seconds=seconds)) < timedelta(seconds=5)
    settings.TEST_CLOCK_FILE.write_text(f"at {NOON.timestamp()}\n")
    assert clock.now() == NOON


def test_a_file_of_seeds_is_used_in_order_and_never_runs_dry(settings: Settings, tmp_path: Path) -> None:
    first, second = bytes([1]) * 32, bytes([2]) * 32
    settings.TEST_SEED_FILE = tmp_path / "seeds"
    settings.TEST_SEED_FILE.write_text(f"{first.hex()}\n{second.hex()}\n")
    settings.SEED_SOURCE = "tables.clock.file_seed"
    assert clock.fresh_seed() == first
    clock.put_back(first)
    assert [clock.fresh_seed() for _ in range(3)] == [first, second, hashlib.sha256(second).digest()]
