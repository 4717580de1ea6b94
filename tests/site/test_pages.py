"""What every page has, whatever it shows."""

import logging

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client, RequestFactory
from django.views.defaults import permission_denied, server_error

POLICY = {
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


def test_the_policy_lets_nothing_in_from_elsewhere_and_nothing_inline(client: Client) -> None:
    response = client.get("/no-such-page/")
    assert set(response["Content-Security-Policy"].split("; ")) == POLICY
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    html = response.content.decode()
    assert "<style" not in html
    assert " style=" not in html
    assert "<script>" not in html
    assert html.count("<script src=") == 3


def test_a_wrong_address_is_told_in_words(client: Client) -> None:
    response = client.get("/no-such-page/")
    assert response.status_code == 404
    assert "There is nothing at this address" in response.content.decode()


def test_what_is_not_open_is_told_in_words(rf: RequestFactory) -> None:
    response = permission_denied(rf.get("/"), Exception())
    assert response.status_code == 403
    assert "not open to this browser" in response.content.decode()


def test_a_mistake_of_ours_is_told_in_words_without_any_help_from_the_site(rf: RequestFactory) -> None:
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Something went wrong on our side" in response.content.decode()


def test_a_form_from_elsewhere_is_refused_in_words() -> None:
    response = Client(enforce_csrf_checks=True).post("/language/", {"language": "uk"})
    assert response.status_code == 403
    assert "did not come through" in response.content.decode()


def test_a_strange_host_is_refused_and_is_no_error_in_the_log(
    client: Client, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger("django.security.DisallowedHost")
    with caplog.at_level(logging.WARNING, logger.name):
        response = client.get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "not understood" in response.content.decode()


def test_a_chosen_language_is_kept_in_a_cookie(client: Client) -> None:
    response = client.post("/language/", {"language": "uk", "next": "/no-such-page/"})
    assert response.status_code == 302
    assert response["Location"] == "/no-such-page/"
    assert response.cookies["language"]["httponly"]
    assert '<html lang="uk">' in client.get("/no-such-page/").content.decode()


@pytest.mark.parametrize(
    ("asked", "shown"), [("uk", "uk"), ("ru-RU,ru;q=0.9", "ru"), ("bg", "bg"), ("de", "en"), ("", "en")]
)
def test_a_browser_is_answered_in_its_own_language(client: Client, asked: str, shown: str) -> None:
    html = client.get("/no-such-page/", headers={"accept-language": asked}).content.decode()
    assert f'<html lang="{shown}">' in html


@pytest.mark.django_db
def test_healthz_says_ok(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"ok": True}
    assert "no-store" in response["Cache-Control"]


def test_healthz_says_when_the_database_is_gone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable() -> None:
        raise DatabaseError

    monkeypatch.setattr("openseat_site.health.connection.cursor", unreachable)
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["ok"] is False


@pytest.mark.django_db
def test_the_administration_opens_for_staff_alone(client: Client) -> None:
    assert client.get("/admin/").status_code == 302
    client.force_login(User.objects.create_superuser("root"))
    assert client.get("/admin/").status_code == 200
