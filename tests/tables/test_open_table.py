from __future__ import annotations

import pytest

from engine.game import Kind
from engine.rules import PRESETS
from tables import services
from tables.codes import TABLE_CODE
from tables.errors import Refused
from tables.models import Participant, Table
from tests.tables.friends import ALICE, Friends

RULES = PRESETS["openseat"]


def test_who_opens_a_table_sits_on_its_first_seat_and_is_host(friends: Friends) -> None:
    seat = friends.view.seats[0]
    assert (seat.name, seat.host, friends.view.phase) == ("Alice", True, "lobby")


def test_its_code_can_not_be_guessed(friends: Friends) -> None:
    assert TABLE_CODE.fullmatch(friends.code)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "nickname_empty"),
        ("   ", "nickname_empty"),
        ("x" * 21, "nickname_long"),
        ("x" * 500, "nickname_long"),
        ("ali\u202ece", "nickname_characters"),
        ("al\u200bice", "nickname_characters"),
        ("al\x00ice", "nickname_characters"),
        ("al\nice", "nickname_characters"),
        ("al\ud800ice", "nickname_characters"),
        ("al\u2066ice\u2069", "nickname_characters"),
        ("\u3164", "nickname_characters"),
        ("a" + "\u0301" * 5, "nickname_characters"),
    ],
)
def test_a_name_that_is_none_opens_no_table(db: None, name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        services.open_table(ALICE, name, RULES, Kind.MATCH, 10, listed=False)
    assert refused.value.code == code
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    "name", ["Алиса", "李雷", "🎲 Queen", "<svg/onload=alert()>", "O'Brien & co", "x" * 20, "  spaced  "]
)
def test_any_other_text_is_a_name(db: None, name: str) -> None:
    services.open_table(ALICE, name, RULES, Kind.MATCH, 10, listed=False)
    assert Participant.objects.get().nickname == name.strip()


def test_a_name_is_kept_composed(db: None) -> None:
    services.open_table(ALICE, "Zoe\u0308", RULES, Kind.MATCH, 10, listed=False)
    assert Participant.objects.get().nickname == "Zo\u00eb"


@pytest.mark.parametrize("rounds", [0, 1, 15, 40])
def test_only_the_three_lengths_are_played(db: None, rounds: int) -> None:
    from engine.errors import EngineError

    with pytest.raises(EngineError, match="bad_rounds"):
        services.open_table(ALICE, "Alice", RULES, Kind.MATCH, rounds, listed=False)
    assert not Table.objects.exists()
