"""Names nobody can guess: of tables, of seats on their way to another device, of games, of guests."""

import re
import secrets

# No 0 and o, no 1, i and l: a code is read out over the phone now and then.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
TABLE_CODE_LETTERS = 14
SEAT_SECRET_LETTERS = 28

TABLE_CODE = re.compile(f"[{ALPHABET}]{{{TABLE_CODE_LETTERS}}}")


def new_table_code() -> str:
    """69 random bits; whoever has it may watch the table and sit down."""
    return _letters(TABLE_CODE_LETTERS)


def new_seat_secret() -> str:
    """138 random bits; whoever has it may take the seat over, so only its owner ever sees it."""
    return _letters(SEAT_SECRET_LETTERS)


def new_game_id() -> str:
    """64 random bits as eleven characters that need no quoting in an address."""
    return secrets.token_urlsafe(8)


def new_guest_id() -> str:
    """128 random bits; it lives in the signed cookie and in no page."""
    return secrets.token_urlsafe(16)


def find_table_code(typed: str) -> str | None:
    """The code in what a person typed or pasted: bare, in capitals, with gaps, or in a link or a part of one.

    >>> find_table_code("ABCD-EFGH JKMN 23")
    'abcdefghjkmn23'
    >>> find_table_code("http://192.168.1.5:8000/t/abcdefghjkmn23/")
    'abcdefghjkmn23'
    >>> find_table_code("abcdefghjkmn23/")
    'abcdefghjkmn23'
    >>> find_table_code("hello") is None
    True
    """
    text = typed[:500].lower()
    if linked := re.search(rf"\bt/({TABLE_CODE.pattern})(?![{ALPHABET}])", text):
        return linked[1]
    # What stands around it, and what comes behind it in a link.
    inner = re.split(r"[/?#]", re.sub(r"^\W+|\W+$", "", text))[0]
    bare = re.sub(r"[\s-]", "", inner)
    return bare if TABLE_CODE.fullmatch(bare) else None


def _letters(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))
