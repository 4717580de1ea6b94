"""What a nickname may be, and when two of them are too alike to sit at one table."""

from __future__ import annotations

import unicodedata

from tables.errors import Refused

LONGEST = 20
# Separators of lines, controls, formats (bidi and zero-width marks), surrogates, private and unassigned.
FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that draw nothing although their category says they are ordinary.
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
MOST_MARKS_IN_A_ROW = 2
LOOKALIKES = str.maketrans(
    {
        "а": "a", "в": "b", "с": "c", "е": "e", "ё": "e", "н": "h", "і": "i", "ї": "i", "ј": "j", "к": "k",
        "м": "m",
        "о": "o", "р": "p", "ѕ": "s", "т": "t", "у": "y", "х": "x", "ԁ": "d", "ԛ": "q", "ԝ": "w", "һ": "h",
        "α": "a", "β": "b", "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u",
        "χ": "x",
        "0": "o", "1": "l", "|": "l", "ı": "i",
    }
)  # fmt: skip


def clean(text: object) -> str:
    if not isinstance(text, str):
        raise Refused("nickname_empty")
    if len(text) > 4 * LONGEST:
        raise Refused("nickname_long", most=LONGEST)
    if any(forbidden(character) for character in text):
        raise Refused("nickname_characters")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not any(unicodedata.category(character)[0] not in "ZM" for character in name):
        raise Refused("nickname_empty")
    if len(name) > LONGEST:
        raise Refused("nickname_long", most=LONGEST)
    if piled(name):
        raise Refused("nickname_characters")
    return name


def key(name: str) -> str:
    """Equal for names that the others could take for one another."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(character for character in plain if unicodedata.category(character)[0] not in "ZM")
    return letters.translate(LOOKALIKES)[:64]


def forbidden(character: str) -> bool:
    if "\ufe00" <= character <= "\ufe0f":
        return character not in "\ufe0e\ufe0f"  # the two that choose how an emoji is drawn
    return unicodedata.category(character) in FORBIDDEN or character in INVISIBLE


def piled(name: str) -> bool:
    row = 0
    for character in name:
        row = row + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if row > MOST_MARKS_IN_A_ROW:
            return True
    return False
