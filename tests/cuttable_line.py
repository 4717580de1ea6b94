"""A line between browser and site that can be cut and frozen; a browser's offline switch does neither."""

import contextlib
import socket
import threading
from dataclasses import dataclass, field


@dataclass(slots=True)
class CuttableLine:
    """Listens on `port` and passes every byte on to `target` and back.

    `cut()` ends all connections and refuses new ones until `mend()`. `freeze()` keeps them open and lets no
    byte through, as for a phone in a tunnel, until `thaw()`.
    """

    target: int
    listener: socket.socket = field(init=False)
    flowing: threading.Event = field(default_factory=threading.Event)
    whole: bool = True
    ends: set[socket.socket] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.flowing.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        port: int = self.listener.getsockname()[1]
        return port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        self.whole = False
        for end in list(self.ends):
            hang_up(end)

    def mend(self) -> None:
        self.whole = True

    def freeze(self) -> None:
        self.flowing.clear()

    def thaw(self) -> None:
        self.flowing.set()

    def close(self) -> None:
        self.cut()
        self.thaw()
        hang_up(self.listener)

    def _accept(self) -> None:
        while True:
            try:
                near, _address = self.listener.accept()
            except OSError:
                return
            if not self.whole:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            self.ends |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.flowing.wait()
                sink.sendall(data)
        for end in (source, sink):
            hang_up(end)
            self.ends.discard(end)


def hang_up(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
