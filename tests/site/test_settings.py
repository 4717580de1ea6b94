"""Settings are read when a process starts, so each case here is a process."""

import os
import subprocess
import sys

import pytest

from tests.running_site import OUR_VARIABLES, ROOT


def setting(name: str, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in OUR_VARIABLES}
    code = f"from openseat_site import settings; print(settings.{name})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**kept, "DATA_DIR": "/nonexistent", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr.splitlines()[-1]


def test_the_debug_mode_is_off_unless_asked_for() -> None:
    assert setting("DEBUG") == "False"


def test_the_public_address_lets_its_host_in_and_makes_the_cookies_secure() -> None:
    address = "https://play.example.org"
    assert "play.example.org" in setting("ALLOWED_HOSTS", PUBLIC_URL=address)
    assert setting("CSRF_TRUSTED_ORIGINS", PUBLIC_URL=address) == f"['{address}']"
    assert setting("GUEST_COOKIE_SECURE", PUBLIC_URL=address) == "True"
    assert setting("GUEST_COOKIE_SECURE") == "False"


def test_a_key_from_the_environment_is_not_written_down() -> None:
    assert setting("SECRET_KEY", SECRET_KEY="from outside") == "from outside"
    assert setting("KEY_FILE", SECRET_KEY="from outside") == "None"


@pytest.mark.parametrize("name", ["TEST_CLOCK_FILE", "TEST_SEED_FILE"])
def test_a_site_open_to_others_refuses_a_moved_clock_and_fixed_cards(name: str) -> None:
    refusal = "refused without TEST_MODE=1"
    assert refusal in setting("CLOCK", **{name: "/some/file"})
    assert refusal in setting("CLOCK", **{name: "/some/file", "TEST_MODE": "0"})


@pytest.mark.parametrize("opened", [{"PUBLIC_URL": "http://x.example"}, {"ALLOWED_HOSTS": "x.example"}])
def test_the_test_mode_is_refused_on_a_site_open_to_others(opened: dict[str, str]) -> None:
    assert "TEST_MODE is for this machine alone" in setting("CLOCK", TEST_MODE="1", **opened)


def test_outside_a_test_the_clock_and_the_cards_are_the_systems() -> None:
    assert setting("CLOCK") == "tables.clock.system_now"
    assert setting("SEED_SOURCE") == "tables.clock.random_seed"
