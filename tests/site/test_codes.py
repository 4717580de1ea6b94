import math
import re

import pytest

from tables import codes


def test_codes_hold_the_bits_they_promise() -> None:
    assert math.log2(len(codes.ALPHABET)) * codes.TABLE_CODE_LETTERS >= 64
    assert math.log2(len(codes.ALPHABET)) * codes.SEAT_SECRET_LETTERS >= 128
    assert len(codes.new_game_id()) == 11
    assert len(codes.new_guest_id()) == 22


def test_no_letter_looks_like_another() -> None:
    assert len(set(codes.ALPHABET)) == len(codes.ALPHABET) == 31
    assert not set("0o1il") & set(codes.ALPHABET)


def test_codes_are_new_each_time_and_use_the_whole_alphabet() -> None:
    made = [codes.new_table_code() for _ in range(500)]
    assert len(set(made)) == 500
    assert set("".join(made)) == set(codes.ALPHABET)
    assert all(re.fullmatch(codes.TABLE_CODE, code) for code in made)


@pytest.mark.parametrize(
    "typed",
    [
        "abcdefghjkmn23",
        "  ABCDEFGHJKMN23\n",
        "abcd-efgh jkmn-23",
        "https://play.example.org/t/abcdefghjkmn23/",
        "Come and play: http://192.168.1.5:8000/t/abcdefghjkmn23/?x=1 !",
        "/t/abcdefghjkmn23",
        "t/abcdefghjkmn23",
        "abcdefghjkmn23/",
        "/abcdefghjkmn23/",
        "ABCD-EFGH JKMN 23/games/",
        "abcdefghjkmn23/games/?kind=match",
        "“abcdefghjkmn23”.",
    ],
)
def test_a_code_is_found_in_whatever_was_pasted(typed: str) -> None:
    assert codes.find_table_code(typed) == "abcdefghjkmn23"


@pytest.mark.parametrize(
    "typed",
    ["", "hello", "abcdefghjkmn2", "abcdefghjkmn234", "abcdefghjkmn2o", "abc/defghjkmn23", "x" * 10_000],
)
def test_what_is_no_code_is_none(typed: str) -> None:
    assert codes.find_table_code(typed) is None
