from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from openseat_site import environment


@pytest.mark.parametrize(
    ("value", "meant"), [("1", True), ("Yes", True), (" on ", True), ("0", False), ("false", False)]
)
def test_yes_and_no_have_several_spellings(monkeypatch: pytest.MonkeyPatch, value: str, meant: bool) -> None:
    monkeypatch.setenv("SWITCH", value)
    assert environment.env_bool("SWITCH", not meant) is meant


def test_what_is_not_set_or_empty_takes_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPTY", "  ")
    for name in ("EMPTY", "NOT_SET_AT_ALL"):
        assert environment.env_str(name, "x") == ("" if name == "EMPTY" else "x")
        assert environment.env_bool(name, True) is True
        assert environment.env_int(name, 7) == 7
        assert environment.env_list(name) == []
        assert environment.env_path(name) is None
        assert environment.env_url(name) == ""


@pytest.mark.parametrize("value", ["maybe", "2", "truefalse"])
def test_a_switch_that_is_neither_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SWITCH", value)
    with pytest.raises(ImproperlyConfigured, match=rf"SWITCH='{value}' .*allowed: 1, true"):
        environment.env_bool("SWITCH")


@pytest.mark.parametrize("value", ["x", "1.5", "-1", "11", "５", "1e1"])
def test_a_number_out_of_place_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("NUMBER", value)
    with pytest.raises(ImproperlyConfigured, match="a whole number from 0 to 10"):
        environment.env_int("NUMBER", 5, most=10)


@pytest.mark.parametrize("value", ["a,,b", ",", "a b"])
def test_a_list_with_a_hole_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("NAMES", value)
    with pytest.raises(ImproperlyConfigured, match="NAMES="):
        environment.env_list("NAMES")


@pytest.mark.parametrize("value", ["http://play.example.org", "play.example.org:8000", "play.example.org/x"])
def test_a_host_is_a_name_alone(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("HOSTS", value)
    with pytest.raises(ImproperlyConfigured, match="without a port"):
        environment.env_hosts("HOSTS")


@pytest.mark.parametrize(
    "value",
    [
        "play.example.org",
        "ftp://x",
        "https://",
        "https://x/path",
        "https://x:port",
        "http://u@x",
        "https://x?q=1",
    ],
)
def test_an_address_needs_a_scheme_and_no_path(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SITE", value)
    with pytest.raises(ImproperlyConfigured, match="SITE="):
        environment.env_url("SITE")


def test_an_address_loses_its_last_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE", "https://Play.example.org:8443/")
    assert environment.env_url("SITE") == "https://play.example.org:8443"


def test_a_path_may_start_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLACE", "~/openseat")
    assert environment.env_path("PLACE") == (Path.home() / "openseat").resolve()
