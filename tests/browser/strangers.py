"""People at a table who need no browser of their own: they sit down by a form and bet by a socket."""

from __future__ import annotations

import http.cookiejar
import re
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.running_site import RunningSite
from tests.site.visitor import Line

NewStranger = Callable[[str, str], "Stranger"]


@dataclass(slots=True)
class Stranger:
    """Somebody with a page of the table at `link`, whose answers are sent as the page would send them."""

    site: RunningSite
    link: str
    name: str
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)
    line: Line | None = None

    def page(self, **fields: str) -> str:
        """The table's page, or what comes of a form that is posted to it."""
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        browser.addheaders = [("User-Agent", "Mozilla/5.0")]
        data = urllib.parse.urlencode(fields).encode() if fields else None
        with browser.open(self.link, data) as answer:
            return str(answer.read().decode())

    def sit(self) -> None:
        token = found(r'name="csrfmiddlewaretoken" value="(\w+)"', self.page())
        self.page(csrfmiddlewaretoken=token, name=self.name, join="sit")
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)
        self.line = Line(self.site, "/ws" + urllib.parse.urlsplit(self.link).path, cookies)

    def bet(self, amount: int) -> None:
        ask = found(r'id="bet-form".*?name="ask" value="([\d.]+)"', self.page())
        assert self.line is not None
        self.line.say(action="bet", ask=ask, amount=str(amount))

    def close(self) -> None:
        if self.line is not None:
            self.line.socket.close()


def found(pattern: str, page: str) -> str:
    match = re.search(pattern, page, re.DOTALL)
    assert match, f"{pattern} is not on the page"
    return match[1]
