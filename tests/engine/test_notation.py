from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import actions
from engine.bets import Behind
from engine.cards import DECK, Card
from engine.errors import EngineError, NotationError
from engine.notation import (
    Case,
    format_cards,
    format_move,
    format_round,
    parse_cards,
    parse_move,
    parse_round,
)
from engine.rules import PRESETS, Rules

cards = st.lists(st.sampled_from(DECK)).map(tuple)
boxes = st.integers(1, 9)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,29}", fullmatch=True)
amounts = st.none() | st.integers(0, 10**9)
own_moves = st.sampled_from(
    [actions.Hit, actions.Stand, actions.Double, actions.Split, actions.Surrender]
).flatmap(lambda kind: boxes.map(kind))
moves: Any = (
    own_moves
    | st.builds(actions.Insure, boxes, st.none() | names, amounts)
    | st.builds(actions.Decline, boxes, st.none() | names)
    | st.builds(actions.EvenMoney, boxes, st.none() | names)
    | st.builds(actions.Follow, boxes, names)
    | st.builds(actions.Pass, boxes, names)
    | st.just(actions.Expire())
)
chips = st.integers(0, 10**6)
rules = st.sampled_from(list(PRESETS)).flatmap(
    lambda preset: st.fixed_dictionaries(
        {"preset": st.just(preset)},
        optional={
            "soft_17": st.sampled_from(["stand", "hit"]),
            "charlie": st.sampled_from([None, 5, 6, 7]),
            "blackjack_pays": st.sampled_from(["3:2", "6:5", "1:1"]),
            "split_aces": st.booleans(),
            "cut_card": st.sampled_from([0.4, 0.55, 0.9]),
            "bet_seconds": st.sampled_from([None, 10, 60]),
        },
    ).map(Rules.from_json)
)
cases = st.builds(
    Case,
    rules=rules,
    shoe=cards,
    bets=st.dictionaries(boxes, chips, min_size=1),
    pairs=st.just({}),
    behind=st.lists(st.builds(Behind, names, boxes, chips, chips)).map(tuple),
    stacks=st.dictionaries(boxes, names),
    chips=st.dictionaries(names, chips),
    moves=st.lists(moves).map(tuple),
)


@given(cards)
def test_cards_survive_their_text(hand: tuple[Card, ...]) -> None:
    assert parse_cards(format_cards(hand)) == hand


@given(moves)
def test_moves_survive_their_text(move: actions.Move) -> None:
    assert parse_move(format_move(move)) == move


@given(cases, st.data())
def test_rounds_survive_their_line(case: Case, data: st.DataObject) -> None:
    pairs = data.draw(st.dictionaries(st.sampled_from(sorted(case.bets)), st.integers(1, 100)))
    values: dict[str, Any] = {field.name: getattr(case, field.name) for field in fields(case)}
    case = Case(**{**values, "pairs": pairs})
    assert parse_round(format_round(case)) == case


def test_every_kind_of_move_has_its_text() -> None:
    said = [
        "1 insure", "1 insure 20", "1 decline", "1 even_money", "1 hit", "1 stand", "1 double", "1 split",
        "1 surrender", "carol@3 insure", "carol@3 insure 5", "carol@3 decline", "carol@3 even_money",
        "carol@3 follow", "carol@3 pass", "expire",
    ]  # fmt: skip
    assert [format_move(parse_move(text)) for text in said] == said


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "hit", "1", "1  hit", " 1 hit", "1 hit ", "1 Hit", "1 HIT", "0 hit", "10 hit", "01 hit",
        "-1 hit", "1 hit 5", "1 insure -5", "1 insure 05", "1 insure 1e3", "1 insure 5.0", "1 insure ５",
        "1 follow", "1 pass", "carol@1 hit", "carol@1 stand", "carol@1 surrender", "@1 follow",
        "3carol@1 follow", "car ol@1 follow", "carol@1 follow 5", "expire 1", "1 expire", "1\thit", "1 hit\n",
        "１ hit", f"{'c' * 31}@1 follow", "Expire", "1 fold",
    ],
)  # fmt: skip
def test_text_that_says_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_move(text)
    assert refused.value.code == "unknown_move"


@pytest.mark.parametrize("text", [" As", "As ", "As  Kd", "As,Kd", "As\nKd", "AsKd", "1s"])
def test_cards_are_separated_by_single_spaces(text: str) -> None:
    with pytest.raises(NotationError):
        parse_cards(text)


@pytest.mark.parametrize(
    "line",
    [
        "", "openseat", "openseat; As 9h", "roulette; As; 1=10", "openseat; As; 0=10", "openseat; As; 1=x",
        "openseat; As; 1=-10", "openseat; As; carol=10", "openseat; Xx; 1=10", "openseat; As; 1=10; 1 jump",
        "openseat; As; 1=10; chips 1=x", "openseat; As; 1=10; stacks x=ann", "openseat; As; 1=10; stacks 1=2",
        "openseat decks=0; As; 1=10", "openseat luck=9; As; 1=10",
    ],
)  # fmt: skip
def test_a_line_that_says_no_round_is_refused(line: str) -> None:
    with pytest.raises(EngineError):
        parse_round(line)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_cards, parse_move, parse_round):
        with suppress(EngineError):
            parse(text)


def test_the_documented_line_reads_as_it_says() -> None:
    case = parse_round(
        "openseat; Th 8h As 9d 8d 7c Kc 3s; 1=100 3=50+10 carol@3=50+10; "
        "chips carol=60; stacks 1=ann; 1 insure, expire"
    )
    assert (case.bets, case.pairs) == ({1: 100, 3: 50}, {3: 10})
    assert case.behind == (Behind("carol", 3, 50, 10),)
    assert (case.chips, case.stacks) == ({"carol": 60}, {1: "ann"})
    assert case.moves == (actions.Insure(1), actions.Expire())
