"""Somebody whose phone has died says nothing, so the site has to ask."""

import base64
import http.cookiejar
import re
import secrets
import socket
import struct
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running_site import RunningSite

NOTICED_WITHIN = 10
PING, PONG, CLOSE = 0x9, 0xA, 0x8


class Line:
    """The least of a socket of a page: it opens, reads frames, and answers pings if told to."""

    def __init__(self, site: RunningSite, path: str, cookies: str, *, answers: bool) -> None:
        self.answers = answers
        self.alive = True
        self.socket = socket.create_connection(("127.0.0.1", site.port))
        self.socket.settimeout(0.2)
        self.unread = b""
        host = f"127.0.0.1:{site.port}"
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookies}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.unread:
            self.receive()
        head, self.unread = self.unread.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head

    def receive(self) -> None:
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            return
        except ConnectionError:
            data = b""
        self.unread += data
        self.alive = bool(data)

    def listen(self) -> None:
        self.receive()
        while (frame := self.frame()) is not None:
            opcode, payload = frame
            assert opcode != CLOSE, payload
            if opcode == PING and self.answers:
                # Masked with zeros, which leaves the payload as it is.
                self.socket.sendall(bytes([0x80 | PONG, 0x80 | len(payload), 0, 0, 0, 0]) + payload)

    def frame(self) -> tuple[int, bytes] | None:
        if len(self.unread) < 2:
            return None
        size, start = self.unread[1] & 0x7F, 2
        if size == 126:
            size, start = struct.unpack("!H", self.unread[2:4])[0], 4
        elif size == 127:
            size, start = struct.unpack("!Q", self.unread[2:10])[0], 10
        if len(self.unread) < start + size:
            return None
        opcode, payload = self.unread[0] & 0x0F, self.unread[start : start + size]
        self.unread = self.unread[start + size :]
        return opcode, payload


@pytest.fixture
def site(tmp_path: Path) -> Iterator[RunningSite]:
    site = RunningSite(tmp_path)
    site.start()
    yield site
    if site.process is not None:
        site.kill()
    site.check_log()


def open_table(site: RunningSite) -> tuple[str, str]:
    """The socket's path of a new table, and the cookies of whoever opened it."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    home = browser.open(site.url).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', home)
    assert token
    fields = {
        "csrfmiddlewaretoken": token[1],
        "name": "Alice",
        "rules": "openseat",
        "kind": "match",
        "rounds": "10",
        "clock": "off",
        "listed": "off",
    }
    with browser.open(site.url, urllib.parse.urlencode(fields).encode()) as table:
        path = urllib.parse.urlsplit(table.url).path
    return f"/ws{path}", "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


def test_a_silent_socket_is_closed_within_ten_seconds_and_one_that_answers_is_not(site: RunningSite) -> None:
    path, cookies = open_table(site)
    dead = Line(site, path, cookies, answers=False)
    living = Line(site, path, cookies, answers=True)
    begin = time.monotonic()
    while dead.alive and time.monotonic() < begin + NOTICED_WITHIN + 1:
        dead.listen()
        living.listen()
    assert time.monotonic() - begin < NOTICED_WITHIN
    while time.monotonic() < begin + NOTICED_WITHIN:
        living.listen()
    assert living.alive
    # People at the tables do not keep the site from stopping in order.
    assert site.stop() == 0
    assert site.log.endswith("Stopped.\n")
    living.socket.close()
    dead.socket.close()
