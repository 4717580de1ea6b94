"""A visitor who speaks to a running site in bytes: forms by HTTP, and the least of a page's socket."""

import base64
import http.cookiejar
import json
import re
import secrets
import socket
import struct
import urllib.parse
import urllib.request

from tests.running_site import RunningSite

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class Line:
    """The least of a page's socket: it opens, reads frames, speaks, and answers pings if told to."""

    def __init__(self, site: RunningSite, path: str, cookies: str, *, answers: bool = True) -> None:
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
                self.send(PONG, payload)

    def say(self, **payload: str) -> None:
        text = json.dumps(payload).encode()
        assert len(text) < 126
        self.send(TEXT, text)

    def send(self, opcode: int, payload: bytes) -> None:
        # Masked with zeros, which leaves the payload as it is.
        self.socket.sendall(bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload)

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


def open_table(site: RunningSite, **choices: str) -> tuple[str, str]:
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
        **choices,
    }
    with browser.open(site.url, urllib.parse.urlencode(fields).encode()) as table:
        path = urllib.parse.urlsplit(table.url).path
    return f"/ws{path}", "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)
