import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError

from tables.management.commands.serve import port_number
from tests.running_site import ROOT, RunningSite


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> RunningSite:
    """Started once on nothing, and stopped with Ctrl-C."""
    site = RunningSite(tmp_path_factory.mktemp("site"), movable=False)
    site.start("--host", "0.0.0.0")
    assert refused(site, "--port", str(site.port)).startswith("CommandError: Can not listen on 0.0.0.0 port")
    assert site.stop(signal.SIGINT) == 0, site.log
    return site


def refused(site: RunningSite, *arguments: str, **environment: str) -> str:
    """What a start that can not work says."""
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=ROOT,
        env={**site.environment, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_the_first_start_makes_everything_and_says_where_the_site_is(site: RunningSite) -> None:
    assert f"openseat is open: http://localhost:{site.port}\n" in site.log
    with sqlite3.connect(site.data_dir / "openseat.sqlite3") as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()
    key = site.data_dir / "secret.key"
    assert len(key.read_text().strip()) >= 50
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert (site.data_dir / "static" / "staticfiles.json").exists()


def test_ctrl_c_ends_it_quietly(site: RunningSite) -> None:
    assert site.log.endswith("Stopped.\n")
    site.check_log()


def test_a_restart_keeps_the_key_and_a_terminated_site_ends_well(site: RunningSite) -> None:
    key = (site.data_dir / "secret.key").read_text()
    site.start("--host", "127.0.0.1")
    assert site.stop(signal.SIGTERM) == 0
    assert (site.data_dir / "secret.key").read_text() == key


def test_a_port_that_is_none_is_named(site: RunningSite) -> None:
    assert "--port 'http' is not a port" in refused(site, "--port", "http")


@pytest.mark.parametrize("port", ["", "0", "65536", "-1", "８０", "80.0"])
def test_a_port_is_a_whole_number_of_two_bytes(port: str) -> None:
    with pytest.raises(CommandError, match="is not a port"):
        port_number(port)


def test_an_address_of_another_machine_is_named(site: RunningSite) -> None:
    assert "Can not listen on 192.0.2.77" in refused(site, "--host", "192.0.2.77", "--port", str(site.port))


def test_a_directory_that_can_not_be_used_is_named(site: RunningSite, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in refused(site, DATA_DIR=str(tmp_path / "file"))
    assert "/proc/openseat" in refused(site, DATA_DIR="/proc/openseat")


def test_a_database_that_is_none_is_named(site: RunningSite, tmp_path: Path) -> None:
    (tmp_path / "openseat.sqlite3").write_text("This is not a database. " * 100)
    assert "file is not a database" in refused(site, DATA_DIR=str(tmp_path))


def test_the_test_mode_stays_on_this_machine(site: RunningSite) -> None:
    assert "TEST_MODE is for this machine alone" in refused(site, "--host", "0.0.0.0", TEST_MODE="1")


def test_a_wrong_setting_is_one_sentence(site: RunningSite) -> None:
    assert refused(site, DEBUG="perhaps").startswith("openseat: DEBUG='perhaps' is not understood")


def test_the_port_is_free_again_at_once(site: RunningSite) -> None:
    with socket.create_server(("127.0.0.1", site.port)):
        pass


def test_the_readme_begins_with_the_two_commands() -> None:
    blocks = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(), re.DOTALL)
    start = "python3 -m venv .venv && .venv/bin/pip install -q -e "
    assert blocks[:2] == [
        start + ". && .venv/bin/python manage.py serve",
        start + "'.[dev]' && .venv/bin/python -m pytest",
    ]
