"""Every code has a sentence of its own, and no sentence breaks on its figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.game import NoteKind
from engine.shown import LogLine
from tables import words

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "engine").glob("*.py"), *(ROOT / "tables").glob("*.py")]
RAISED = re.compile(r'(?:IllegalAction|Refused)\(\s*"(\w+)"')

# Only a program that leaves the page aside, or one of our own, meets these.
GENERAL = {
    "backed_twice",
    "no_chart",
    "no_such_box",
    "not_a_backer",
    "not_a_day_old",
    "not_an_answer",
    "not_betting",
    "not_empty",
    "too_few_seats",
}


def test_every_refusal_a_person_can_meet_has_its_own_sentence() -> None:
    raised = {code for source in SOURCES for code in RAISED.findall(source.read_text())}
    assert raised - set(words.REFUSALS) <= GENERAL


def test_an_unknown_code_still_gets_a_sentence() -> None:
    assert words.refusal("no_such_code") == "That is not possible right now."


def test_a_refusal_names_what_is_needed_and_what_is_there() -> None:
    sentence = words.refusal("not_enough_chips", {"need": 1000, "have": 60})
    assert sentence == "Not enough chips: need 1,000, you have 60."


@pytest.mark.parametrize("code", sorted(words.REFUSALS))
def test_a_refusal_without_figures_has_no_gap(code: str) -> None:
    assert "%" not in words.refusal(code)


VOICES = [words.Voice(), words.Voice(frozenset({"Alice"})), words.Voice(frozenset({"Alice"}), alone=True)]


@pytest.mark.parametrize("voice", VOICES, ids=["one box", "two boxes", "alone"])
@pytest.mark.parametrize("kind", sorted({*words.LOG_LINES, *(kind.value for kind in NoteKind)}))
def test_a_line_of_the_log_has_no_gap(kind: str, voice: words.Voice) -> None:
    line = words.log_line(LogLine(kind, 1, "Alice", rank="T", suit="h", total=20, result="win"), voice)
    assert line
    assert "%" not in line


def test_the_log_names_the_box_of_who_has_several() -> None:
    line = LogLine("stood", 4, "Bob", 1, total=17)
    assert words.log_line(line, words.Voice(frozenset({"Bob"}))) == "Bob, box 4 stands on 17"
    assert words.log_line(line, words.Voice(frozenset({"Alice"}))) == "Bob stands on 17"


def test_who_plays_alone_is_not_named_all_the_time() -> None:
    card = LogLine("card", 2, "Bob", 1, rank="6", suit="s", total=17)
    assert words.log_line(card, words.Voice(alone=True)) == "6♠\ufe0e makes 17"
    boxed = words.Voice(frozenset({"Bob"}), alone=True)
    assert words.log_line(card, boxed) == "Box 2: 6♠\ufe0e makes 17"


def test_who_bets_behind_somebody_alone_is_named() -> None:
    """Else a fresh stack would seem to be that of who plays."""
    alone = words.Voice(alone=True)
    assert words.log_line(LogLine("refilled", 0, "Carol"), alone) == "Carol gets a fresh stack"
    assert words.log_line(LogLine("refilled", 1, "Alice"), alone) == "A fresh stack"


def test_insurance_is_told_by_what_it_brought() -> None:
    line = LogLine("insurance", 2, "Bob", amount=50, paid=0, net=-50)
    assert words.log_line(line) == "Bob: insurance −50"


def test_the_log_says_what_a_card_makes() -> None:
    line = LogLine("card", 2, "Bob", 1, rank="6", suit="s", total=17, soft=True)
    assert words.log_line(line) == "Bob gets 6♠\ufe0e: soft 17"


def test_the_log_names_the_hand_of_a_split_box() -> None:
    line = LogLine("settled", 2, "Bob", 2, 3, amount=100, paid=200, net=100, result="win")
    assert words.log_line(line) == "Bob, hand 2: Win +100"


def test_a_loss_has_a_true_minus() -> None:
    assert words.outcome("bust", -1200) == "Bust −1,200"


def test_a_push_says_no_number() -> None:
    assert words.outcome("push", 0) == "Push"


def test_a_face_down_card_is_called_just_that() -> None:
    assert words.card(None, None) == "face-down card"
    assert words.card("T", "h") == "10 of hearts"
    assert words.card("A", "s") == "ace of spades"
