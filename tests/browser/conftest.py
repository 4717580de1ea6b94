"""A running site, and guests in real browsers who complain of whatever goes wrong on their page."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Response,
    sync_playwright,
)

from tests.browser.strangers import NewStranger, Stranger
from tests.chromium import HOW_TO_GET_ONE, find_chromium
from tests.cuttable_line import CuttableLine
from tests.running_site import RunningSite

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", event =>
  console.error(`CSP: ${event.effectiveDirective} blocked ${event.blockedURI || "inline"}`));
"""


@dataclass(slots=True)
class Guest:
    """One browser of one person: its own cookies, its own page. `problems` must be empty in the end."""

    context: BrowserContext
    page: Page
    allowed: list[re.Pattern[str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        """What this test provokes: a part of a console line, or `404 GET http://…` of an answer."""
        self.allowed.append(re.compile(pattern))

    def allow_lost_connection(self) -> None:
        """What the browser itself says of a line that was cut."""
        self.allow(r"WebSocket connection to|ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_NETWORK")

    def new_page(self) -> Page:
        """Another tab of the same browser."""
        return watch(self, self.context.new_page())

    def check(self) -> None:
        bad = [
            problem
            for problem in self.problems
            if not any(pattern.search(problem) for pattern in self.allowed)
        ]
        assert not bad, "The browser had something to complain of:\n" + "\n".join(bad)


class NewGuest(Protocol):
    def __call__(self, *, base_url: str | None = None, **context: Any) -> Guest: ...


@pytest.fixture(scope="session")
def prepared_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database and collected files, made once and copied for each site."""
    site = RunningSite(tmp_path_factory.mktemp("prepared"))
    site.start()
    assert site.stop() == 0
    return site.data_dir


@pytest.fixture
def new_server(tmp_path: Path, prepared_data: Path) -> Iterator[Callable[..., RunningSite]]:
    """Makes more sites, each with its own data; keywords as of RunningSite."""
    sites: list[RunningSite] = []

    def start(**options: Any) -> RunningSite:
        site = RunningSite(tmp_path / f"site{len(sites)}", **options)
        shutil.copytree(prepared_data, site.data_dir)
        site.start()
        sites.append(site)
        return site

    yield start
    for site in sites:
        if site.process is not None:
            assert site.stop() == 0, site.log
    for site in sites:
        site.check_log()


@pytest.fixture
def server(new_server: Callable[..., RunningSite]) -> RunningSite:
    return new_server()


@pytest.fixture
def line(server: RunningSite) -> Iterator[CuttableLine]:
    """A way to the server that can be cut: `new_guest(base_url=line.url)`."""
    line = CuttableLine(server.port)
    yield line
    line.close()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip(HOW_TO_GET_ONE)
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture
def new_guest(browser: Browser, server: RunningSite) -> Iterator[NewGuest]:
    """Opens a browser of a new person; keywords as of Playwright's new_context (viewport, locale, …)."""
    guests: list[Guest] = []

    def open_browser(*, base_url: str | None = None, **context: Any) -> Guest:
        opened = browser.new_context(base_url=base_url or server.url, **{"locale": "en-US", **context})
        opened.add_init_script(REPORT_VIOLATIONS)
        opened.set_default_timeout(15_000)
        guest = Guest(opened, opened.new_page())
        watch(guest, guest.page)
        guests.append(guest)
        return guest

    yield open_browser
    for guest in guests:
        guest.context.close()
    for guest in guests:
        guest.check()


@pytest.fixture
def new_stranger(server: RunningSite) -> Iterator[NewStranger]:
    """Seats somebody without a browser at the table of a link, by a name."""
    strangers: list[Stranger] = []

    def sit(link: str, name: str) -> Stranger:
        strangers.append(Stranger(server, link, name))
        strangers[-1].sit()
        return strangers[-1]

    yield sit
    for stranger in strangers:
        stranger.close()


def watch(guest: Guest, page: Page) -> Page:
    def heard(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            guest.problems.append(f"console {message.type}: {message.text}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            guest.problems.append(f"{response.status} {response.request.method} {response.url}")

    page.on("console", heard)
    page.on("response", answered)
    page.on("pageerror", lambda error: guest.problems.append(f"page error: {error}"))
    return page
