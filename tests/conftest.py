import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from tests.browser_child import BrowserChild
from tests.chromium import CHILD, find_chromium

# Playwright's event loop and pytest-asyncio's do not share a process: see test_browser.py.
collect_ignore = [] if os.environ.get(CHILD) else ["browser"]


def pytest_configure() -> None:
    # Whoever runs the tests may have a site of their own in this directory; its key is none of our business.
    settings.KEY_FILE = None
    # Nothing was collected for a test: pages name their files as they are called in the source.
    settings.STATIC_ROOT = settings.ROOT / "tables" / "static"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What runs beside all others is asked last how it went."""
    items.sort(key=asks_the_browsers)


def asks_the_browsers(item: pytest.Item) -> bool:
    return item.path.name == "test_browser.py"


@pytest.fixture(scope="session", autouse=True)
def browser_child(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserChild | None]:
    """Begins with the first test, where it is asked for at all and there is a browser."""
    if not any(map(asks_the_browsers, request.session.items)) or find_chromium() is None:
        yield None
        return
    child = BrowserChild(tmp_path_factory.mktemp("browser") / "output")
    yield child
    child.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file, as in real life: a database in memory locks differently when several threads use it."""
    database: dict[str, Any] = settings.DATABASES["default"]
    database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Whatever language a test before this one has left behind."""
    with translation.override("en"):
        yield
