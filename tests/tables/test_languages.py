from __future__ import annotations

import pytest

from tables.languages import language_of


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"accept-language": "uk"}, "uk"),
        ({"accept-language": "de, bg;q=0.8, en;q=0.5"}, "bg"),
        ({"accept-language": "ru-RU,ru;q=0.9"}, "ru"),
        ({"accept-language": "uk", "cookie": "guest=x; language=bg"}, "bg"),
        ({"accept-language": "uk", "cookie": "language=klingon"}, "uk"),
        ({"accept-language": ";;;", "cookie": "=;\x00"}, "en"),
        ({"accept-language": "x" * 5000}, "en"),
    ],
)
def test_a_socket_speaks_what_its_page_speaks(headers: dict[str, str], language: str) -> None:
    scope = {"headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    assert language_of(scope) == language
