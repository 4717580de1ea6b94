"""The one transition of a table knows every action that there is."""

from typing import get_args

from engine import actions
from engine.game import HANDLERS


def test_there_is_something_to_do_for_every_action() -> None:
    assert set(HANDLERS) == set(get_args(actions.TableAction))
