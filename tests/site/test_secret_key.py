from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from openseat_site import secret_key


def test_a_key_is_drawn_until_one_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "data" / "secret.key"
    first, second = secret_key.read_or_draw(file), secret_key.read_or_draw(file)
    assert first != second
    assert not file.exists()
    assert secret_key.keep(file, first) == first
    assert secret_key.read_or_draw(file) == first


def test_of_two_first_starts_at_once_the_later_takes_the_key_of_the_other(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    secret_key.keep(file, "the first key")
    assert secret_key.keep(file, "the second key") == "the first key"


def test_a_key_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="Can not read"):
        secret_key.read_or_draw(tmp_path)
