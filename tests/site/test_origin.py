import logging

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django.fixtures import Settings

from openseat_site.asgi import NoSuchSocket
from openseat_site.origin import SameOrigin, why_refused


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8000", "localhost:8000"),
        ("http://192.168.1.5:8000", "192.168.1.5:8000"),
        ("https://play.example.org", "play.example.org"),
        ("https://play.example.org", "play.example.org:443"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("http://LOCALHOST:8000", "localhost:8000"),
    ],
)
def test_our_own_page_may_open_a_socket(origin: str, host: str) -> None:
    assert why_refused({b"origin": origin.encode(), b"host": host.encode()}) == ""


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "http://evil.example",
        "http://localhost",
        "http://localhost:8001",
        "http://localhost:8000.evil.example",
        "http://localhost:8000@evil.example",
        "file://",
        "http://localhost:port",
        "http://[::1",
        "localhost:8000",
    ],
)
def test_a_page_of_another_site_may_not(origin: str) -> None:
    assert why_refused({b"origin": origin.encode(), b"host": b"localhost:8000"})


def test_behind_a_proxy_the_public_address_is_ours_too(settings: Settings) -> None:
    headers = {b"origin": b"https://play.example.org", b"host": b"inner:8000"}
    assert why_refused(headers)
    settings.PUBLIC_URL = "https://play.example.org"
    assert not why_refused(headers)


async def test_a_refused_socket_never_reaches_the_site_and_the_log_says_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    socket = WebsocketCommunicator(SameOrigin(NoSuchSocket.as_asgi()), "/ws/t/x/", headers=[(b"host", b"x")])
    with caplog.at_level(logging.WARNING, "openseat_site.origin"):
        connected, _code = await socket.connect()
    assert not connected
    assert "'/ws/t/x/' refused: no Origin header" in caplog.text


async def test_a_socket_nobody_serves_is_accepted_and_closed_for_good() -> None:
    headers = [(b"host", b"x"), (b"origin", b"http://x")]
    socket = WebsocketCommunicator(SameOrigin(NoSuchSocket.as_asgi()), "/ws/nothing/", headers=headers)
    connected, _protocol = await socket.connect()
    assert connected
    assert await socket.receive_output() == {"type": "websocket.close", "code": 4404}
