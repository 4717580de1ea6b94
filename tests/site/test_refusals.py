import logging

import pytest

from openseat_site.refusals import RefusalsAreWarnings


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("django.security.DisallowedHost", "WARNING"),
        ("django.request", "ERROR"),
        ("tables.services", "ERROR"),
    ],
)
def test_only_what_was_refused_for_its_content_is_no_error(name: str, level: str) -> None:
    record = logging.LogRecord(name, logging.ERROR, __file__, 1, "message", None, None)
    assert RefusalsAreWarnings().filter(record)
    assert record.levelname == level
