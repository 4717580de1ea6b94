"""The line the browser tests cut and freeze does what it says."""

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest

from tests.cuttable_line import CuttableLine


@pytest.fixture
def line() -> Iterator[CuttableLine]:
    """To somebody who says everything back."""

    def echo() -> None:
        with contextlib.suppress(OSError):
            while True:
                end, _address = listener.accept()
                threading.Thread(target=answer, args=(end,), daemon=True).start()

    def answer(end: socket.socket) -> None:
        with end, contextlib.suppress(OSError):
            while data := end.recv(1024):
                end.sendall(data)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=echo, daemon=True).start()
        line = CuttableLine(listener.getsockname()[1])
        yield line
        line.close()
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def caller(line: CuttableLine) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", line.port), timeout=5) as caller:
        caller.sendall(b"hello")
        assert caller.recv(1024) == b"hello"
        yield caller


def test_a_frozen_line_holds_everything_back_until_it_thaws(
    line: CuttableLine, caller: socket.socket
) -> None:
    line.freeze()
    caller.sendall(b"are you there?")
    caller.settimeout(0.3)
    with pytest.raises(TimeoutError):
        caller.recv(1024)
    line.thaw()
    caller.settimeout(5)
    assert caller.recv(1024) == b"are you there?"


def test_a_cut_line_ends_and_nobody_gets_through_until_it_is_mended(
    line: CuttableLine, caller: socket.socket
) -> None:
    line.cut()
    assert caller.recv(1024) == b""
    with socket.create_connection(("127.0.0.1", line.port), timeout=5) as again:
        assert again.recv(1024) == b""
    line.mend()
    with socket.create_connection(("127.0.0.1", line.port), timeout=5) as again:
        again.sendall(b"back")
        assert again.recv(1024) == b"back"
