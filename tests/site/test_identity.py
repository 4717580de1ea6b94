from collections.abc import Callable

import pytest
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from tables import identity

BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
ROBOTS = [
    "",
    "curl/8.5",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Viber/13.3",
]

Visit = Callable[[HttpRequest], HttpResponse]


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(identity.ensure_guest(request)))


def visit(method: str = "GET", *, agent: str = BROWSER, cookie: str = "") -> HttpResponse:
    request = RequestFactory().generic(method, "/", headers={"User-Agent": agent})
    if cookie:
        request.COOKIES[identity.COOKIE] = cookie
    response = identity.GuestMiddleware(page)(request)
    assert isinstance(response, HttpResponse)
    return response


def test_a_browser_becomes_a_guest_and_stays_the_same_one() -> None:
    first = visit()
    cookie = first.cookies[identity.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == identity.COOKIE_AGE
    assert visit(cookie=cookie.value).content == first.content
    assert visit().content != first.content


@pytest.mark.parametrize("agent", ROBOTS)
def test_a_link_preview_stays_nobody(agent: str) -> None:
    response = visit(agent=agent)
    assert response.content == b"None"
    assert not response.cookies


def test_a_head_request_stays_nobody() -> None:
    assert not visit("HEAD").cookies


def test_who_posts_a_form_is_a_guest_whatever_it_calls_itself() -> None:
    assert visit("POST", agent="").cookies


def test_a_page_that_does_not_ask_sets_no_cookie() -> None:
    request = RequestFactory().get("/", headers={"User-Agent": BROWSER})
    response = identity.GuestMiddleware(lambda request: HttpResponse(str(identity.guest_id_of(request))))(
        request
    )
    assert isinstance(response, HttpResponse)
    assert response.content == b"None"
    assert not response.cookies


@pytest.mark.parametrize(
    "forged",
    [
        "a" * 22,
        "a" * 22 + ":" + "b" * 43,
        signing.Signer(salt="another").sign("a" * 22),
        identity.cookie_of("a" * 22)[:-1],
        identity.cookie_of("too short"),
        identity.cookie_of("a" * 21 + "/"),
    ],
)
def test_a_forged_cookie_is_nobody_and_is_replaced(forged: str) -> None:
    assert identity.guest_id_from_cookie(forged) is None
    response = visit(cookie=forged)
    assert response.content not in (b"None", b"a" * 22)
    assert response.cookies


def test_a_socket_belongs_to_the_guest_of_its_cookie() -> None:
    cookie = identity.cookie_of("a" * 22)
    headers = [(b"host", b"x"), (b"cookie", f"language=uk; guest={cookie}".encode())]
    assert identity.guest_id_from_scope({"headers": headers}) == "a" * 22
    assert identity.guest_id_from_scope({"headers": headers[:1]}) is None
    assert identity.guest_id_from_scope({"headers": [(b"cookie", b"guest=\xff\xfe; ;;=")]}) is None
