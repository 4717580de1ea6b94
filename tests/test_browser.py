"""Asks how the tests of tests/browser went, which ran beside all others: see browser_child.py."""

import os

import pytest

from tests.browser_child import BrowserChild
from tests.chromium import HOW_TO_GET_ONE, REQUIRED


def test_the_site_in_real_browsers(browser_child: BrowserChild | None) -> None:
    if browser_child is None:
        if os.environ.get(REQUIRED):
            pytest.fail(HOW_TO_GET_ONE)
        pytest.skip(HOW_TO_GET_ONE)
    succeeded = browser_child.succeeded()
    print(browser_child.output())  # noqa: T201
    if not succeeded:
        pytest.fail(f"{browser_child} failed, see its output", pytrace=False)
