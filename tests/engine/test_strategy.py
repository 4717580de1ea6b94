"""Basic strategy: every cell of every chart against exact analysis, and every hint against the rules."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from engine import actions
from engine.__main__ import main
from engine.bets import Behind
from engine.cards import DECK, Card
from engine.errors import IllegalAction
from engine.hand import Hand, evaluate
from engine.notation import format_move, parse_cards
from engine.round import Asked, Round, apply, check, deal, legal_actions
from engine.rules import PRESETS, Rules
from engine.shoe import Shoe
from engine.strategy import UPCARDS, Chart, chart_for, expected_value, hint
from tests.engine.telling import play

# Chart, expected value and the best move of every two-card hand by rule set, from exact analysis.
EXACT: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "basic_strategy.json").read_text("utf-8")
)
NAMES = sorted(EXACT)
SYMBOLS = "A23456789T"
# Two cards that some chart has to answer for: every two ranks, and ten-valued cards of two ranks.
HANDS = [
    *(pair for pair in combinations_with_replacement(SYMBOLS, 2) if set(pair) != {"A", "T"}),
    ("J", "K"),
]


def rules_of(name: str) -> Rules:
    return Rules.from_json(EXACT[name]["rules"])


def word(name: str, symbols: tuple[str, ...], upcard: str) -> str:
    """What the exact chart says to a hand; a pair by its pair row."""
    column = UPCARDS.index(upcard)
    if len(symbols) == 2 and symbols[0] == symbols[1]:
        row = EXACT[name]["pairs"][symbols[0]]
    else:
        total, soft = evaluate(cards_of(symbols))
        row = EXACT[name]["soft" if soft else "hard"][str(total)]
    return str(row.split()[column])


def cards_of(symbols: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(Card.parse(symbol + suit) for symbol, suit in zip(symbols, "shdc", strict=False))


def dealt(rules: Rules, symbols: tuple[str, ...], upcard: str, then: str = "", chips: int = 1_000) -> Round:
    """One box with these cards against the upcard, insurance declined; no dealer blackjack."""
    first, second = cards_of(symbols[:2])
    hole = Card.parse("9c") if upcard in "AT" else Card.parse("Tc")
    shoe = [first, Card.parse(upcard + "c"), second, *cards_of(symbols[2:])]
    if rules.hole_card.value == "peek":
        shoe.insert(3, hole)
    shoe += parse_cards(then) if then else DECK
    bet = rules.min_bet
    state = deal(rules, Shoe(tuple(shoe)), {1: bet}, chips={"1": chips * bet})
    while state.questions and state.questions[0].asked in (Asked.INSURANCE, Asked.EVEN_MONEY):
        state = apply(state, actions.Decline(1))
    return state


def hinted(state: Round) -> str:
    """The hint to the first question, without the box; it is legal."""
    move = hint(state, state.questions[0])
    assert move is not None
    check(state, move)
    return format_move(move).split(" ", 1)[1]


def at_turn(state: Round) -> Round:
    if state.questions[0].asked is Asked.SURRENDER:
        state = apply(state, actions.Decline(1))
    return state


# The figures


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["hard", "soft", "pairs"])
def test_the_chart_is_the_exact_one_cell_by_cell(name: str, kind: str) -> None:
    ours = getattr(chart_for(rules_of(name)), kind)
    assert {str(key): row for key, row in ours.items()} == EXACT[name][kind]


@pytest.mark.parametrize("name", NAMES)
def test_the_expected_value_is_the_exact_one(name: str) -> None:
    assert expected_value(rules_of(name)) == EXACT[name]["expected_value"]


# Where the best move for these two cards is not the best for the others of the same total: chart, best.
ONE_DECK_EXCEPTIONS = {
    "3T 2": "S H",
    "48 3": "H S",
    "57 3": "H S",
    "2T 4": "S H",
    "26 5": "D H",
    "26 6": "D H",
    "2T 6": "S H",
}
EXCEPTIONS: dict[str, dict[str, str]] = {
    "openseat": {"2T 4": "S H"},
    "openseat-h17": {},
    "openseat-one-deck": {**ONE_DECK_EXCEPTIONS, "77 T": "H S"},
    "casino8": {},
    "classic6": {"2T 4": "S H"},
    "single": {**ONE_DECK_EXCEPTIONS, "68 T": "H R"},
}


@pytest.mark.parametrize("name", NAMES)
def test_the_chart_makes_the_best_move_for_every_two_cards_but_for_a_few(name: str) -> None:
    differ = {}
    for symbols, row in EXACT[name]["best"].items():
        for upcard, best in zip(UPCARDS, row.split(), strict=True):
            ours = word(name, tuple(symbols), upcard)[0]
            if ours != best:
                differ[f"{symbols} {upcard}"] = f"{ours} {best}"
    assert differ == EXCEPTIONS[name]


def test_a_dealer_who_hits_soft_17_changes_three_cells() -> None:
    stands, hits = (chart_for(rules_of(name)).to_json() for name in ("openseat", "openseat-h17"))
    assert {
        f"{kind} {key} {upcard}": f"{was} {hits[kind][key][upcard]}"
        for kind, rows in stands.items()
        for key, row in rows.items()
        for upcard, was in row.items()
        if hits[kind][key][upcard] != was
    } == {"hard 11 A": "H D", "soft 18 2": "S Ds", "soft 19 6": "S Ds"}


def test_eight_decks_with_surrender_play_like_six_but_for_sixteen_against_nine() -> None:
    six, eight = chart_for(rules_of("openseat")), chart_for(rules_of("casino8"))
    assert six.but(hard={16: "S S S S S H H RH H H"}) == eight


# Charts and rule sets


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_chart_and_a_value(preset: str) -> None:
    assert chart_for(PRESETS[preset])
    assert expected_value(PRESETS[preset]) is not None


@pytest.mark.parametrize(
    "switches",
    [
        {"min_bet": 50, "boxes": 2, "pair_bets": False, "bet_seconds": None, "backing": False},
        {"shuffle": "cut_card", "cut_card": 0.8, "on_timeout": "hit_to_12", "on_failure": "void"},
        {"split_by": "rank", "surrender_until": "first_draw", "even_money": "ace", "insurance": "none"},
    ],
)
def test_switches_that_change_no_move_change_no_chart(switches: dict[str, object]) -> None:
    rules = Rules.from_json(switches)
    assert chart_for(rules) is chart_for(Rules())
    assert expected_value(rules) == expected_value(Rules())


@pytest.mark.parametrize(
    "switches",
    [
        {"decks": 5},
        {"hole_card": "none"},
        {"double_on": "9-11"},
        {"double_after_split": False},
        {"max_hands": 2},
        {"split_aces": False},
        {"resplit_aces": True},
        {"surrender": "any"},
        {"charlie": 7},
    ],
)
def test_a_switch_that_changes_a_move_leaves_no_chart(switches: dict[str, object]) -> None:
    rules = Rules.from_json(switches)
    with pytest.raises(IllegalAction) as refused:
        chart_for(rules)
    assert refused.value.code == "no_chart"
    assert expected_value(rules) is None
    state = dealt(rules, ("T", "6"), "9")
    assert hint(state, state.questions[0]) is None


def test_two_hands_leave_no_aces_to_split_again() -> None:
    rules = replace(PRESETS["casino8"], resplit_aces=True)
    assert chart_for(rules) is chart_for(PRESETS["casino8"])


@pytest.mark.parametrize("odds", ["6:5", "1:1"])
def test_what_a_blackjack_pays_changes_the_value_and_not_the_chart(odds: str) -> None:
    rules = Rules.from_json({"blackjack_pays": odds})
    assert chart_for(rules) is chart_for(Rules())
    assert expected_value(rules) is None


def test_a_chart_as_json_has_a_word_for_every_hand_and_upcard() -> None:
    told = chart_for(PRESETS["classic6"]).to_json()
    assert {kind: list(rows) for kind, rows in told.items()} == {
        "hard": [str(total) for total in range(5, 22)],
        "soft": [str(total) for total in range(13, 22)],
        "pairs": list("23456789TA"),
    }
    assert all(list(row) == list(UPCARDS) for rows in told.values() for row in rows.values())
    assert (told["hard"]["16"]["T"], told["soft"]["18"]["3"], told["pairs"]["8"]["T"]) == ("RS", "Ds", "RS")
    assert (told["hard"]["16"]["A"], told["pairs"]["5"]["9"], told["pairs"]["A"]["2"]) == ("RH", "D", "P")


def test_the_command_prints_the_chart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rules.json"
    file.write_text('{"preset": "single-vip", "boxes": 2}')
    for rules in ("single-standard", str(file), '{"preset": "single-vip"}'):
        assert main(["strategy", "--rules", rules]) == 0
        assert json.loads(capsys.readouterr().out) == chart_for(PRESETS["single-vip"]).to_json()


@pytest.mark.parametrize(
    ("rules", "code"),
    [('{"decks": 2, "boxes": 1}', "no_chart"), ("roulette", "unknown_preset"), ("{", "not_json")],
)
def test_where_there_is_no_chart_the_command_says_so(
    rules: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["strategy", "--rules", rules]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == code


# Hints, hand by hand

VERBS = {"S": "stand", "H": "hit", "D": "double", "Ds": "double", "P": "split"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("upcard", UPCARDS)
def test_a_hint_is_the_chart_for_every_two_cards(name: str, upcard: str) -> None:
    """Nothing that a chart names first is ever refused where there are chips enough."""
    rules = rules_of(name)
    for symbols in HANDS:
        said = word(name, symbols, upcard)
        state = dealt(rules, symbols, upcard)
        if state.questions[0].asked is Asked.SURRENDER:
            assert hinted(state) == ("surrender" if said.startswith("R") else "decline"), symbols
            state = apply(state, actions.Decline(1))
            said = said.removeprefix("R")
        assert hinted(state) == ("surrender" if said.startswith("R") else VERBS[said]), symbols


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("upcard", UPCARDS)
def test_a_hint_for_three_cards_is_hit_or_stand_by_the_total(name: str, upcard: str) -> None:
    rules = rules_of(name)
    seen = set()
    for symbols in three_cards():
        state = apply(at_turn(dealt(rules, symbols, upcard)), actions.Hit(1))
        said = word(name, symbols, upcard).removeprefix("R")
        assert hinted(state) == ("stand" if said in ("S", "Ds") else "hit"), symbols
        seen.add(evaluate(cards_of(symbols)))
    # Every total that three cards can have, 21 and busts aside.
    assert {total for total, soft in seen if not soft} == set(range(6, 21))
    assert {total for total, soft in seen if soft} == set(range(13, 21))


def three_cards() -> Iterator[tuple[str, ...]]:
    for symbols in combinations_with_replacement("98765432AT", 3):
        if evaluate(cards_of(symbols)).total < 21 and {"A", "T"} != set(symbols[:2]):
            yield symbols


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("upcard", UPCARDS)
def test_with_no_chips_left_a_hint_is_what_can_still_be_done(name: str, upcard: str) -> None:
    rules = rules_of(name)
    for symbols in HANDS:
        state = at_turn(dealt(rules, symbols, upcard, chips=1))
        assert hinted(state) in ("hit", "stand", "surrender"), symbols


@pytest.mark.parametrize(
    ("cards", "verb"),
    [("8s 9h 8d", "hit"), ("9s 9h 9d", "stand"), ("As 9h Ad", "hit"), ("7s 6h 7d", "stand")],
)
def test_a_pair_that_may_not_be_split_is_played_by_its_total(cards: str, verb: str) -> None:
    assert hinted(play(f"openseat; {cards} 7c 2s 2h; 1=100; chips 1=100")) == verb


def test_a_fifth_eight_is_a_sixteen() -> None:
    line = "openseat; 8s 9h 8h Tc 8d Ts 8c 8s 8h Th Td; 1=100; 1 split, 1 split, 1 split"
    assert hinted(play(line)) == "hit"


def test_two_kinds_of_ten_are_a_pair_by_value_alone_and_never_split() -> None:
    for preset, upcard in (("openseat", "6"), ("single-standard", "6")):
        state = dealt(PRESETS[preset], ("J", "K"), upcard)
        assert hinted(state) == "stand"
        assert (actions.Split(1) in legal_actions(state)) is (preset == "openseat")


@pytest.mark.parametrize("upcard", UPCARDS)
def test_a_new_pair_of_split_aces_is_split_again_or_stands(upcard: str) -> None:
    """Also where the chart would never have split them."""
    rules = PRESETS["classic6"]
    aces = "As 9h Ad 2h 3h 4h 5h 6h Th 9d 8d 7d Ts"
    state = apply(at_turn(dealt(rules, ("A", "A"), upcard, then=aces)), actions.Split(1))
    assert {format_move(move) for move in legal_actions(state)} == {"1 split", "1 stand"}
    assert hinted(state) == "split"


# Surrender, insurance, even money


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("upcard", UPCARDS)
def test_surrender_is_hinted_only_where_it_is_allowed(preset: str, upcard: str) -> None:
    rules = PRESETS[preset]
    allowed = {"none": "", "any": UPCARDS, "not_ace_ten": UPCARDS[:8]}[rules.surrender.value]
    said = {hinted(dealt(rules, symbols, upcard)) for symbols in HANDS}
    assert "surrender" not in said or upcard in allowed


def test_asked_all_at_once_a_pair_to_split_is_not_given_up_as_its_total() -> None:
    rules = PRESETS["classic6"]
    sixteen, eights = dealt(rules, ("T", "6"), "9"), dealt(rules, ("8", "8"), "9")
    assert (hinted(sixteen), hinted(eights)) == ("surrender", "decline")
    assert hinted(apply(eights, actions.Decline(1))) == "split"
    assert hinted(dealt(rules, ("8", "8"), "T")) == "surrender"


def test_at_the_live_table_only_sixteen_against_nine_is_given_up() -> None:
    rules = PRESETS["casino8"]
    given_up = {
        (evaluate(cards_of(symbols)), upcard)
        for symbols in HANDS
        for upcard in UPCARDS
        if hinted(dealt(rules, symbols, upcard)) == "surrender"
    }
    assert given_up == {((16, False), "9")}
    assert hinted(dealt(rules, ("8", "8"), "9")) == "split"


def test_what_follows_surrender_is_played_after_a_hit_or_a_split() -> None:
    state = play("single-standard; 9s Th 4d 3c; 1=100; 1 hit")
    assert hinted(state) == "stand"
    assert hinted(play("single-standard; 9s Ah 4d 3c; 1=100; 1 decline, 1 hit")) == "hit"
    assert hinted(play("single-standard; 8s Th 8d 8c 7c; 1=100; 1 split")) == "stand"


@pytest.mark.parametrize("preset", PRESETS)
def test_insurance_and_even_money_are_declined(preset: str) -> None:
    for symbols in (("T", "9"), ("A", "K")):
        for upcard in "AK":
            state = play_to_insurance(PRESETS[preset], symbols, upcard)
            if state.questions and state.questions[0].asked in (Asked.INSURANCE, Asked.EVEN_MONEY):
                assert hinted(state) == "decline"


@pytest.mark.parametrize(
    ("odds", "upcard", "said"),
    [
        ("3:2", "A", "decline"),
        ("3:2", "K", "decline"),
        ("6:5", "A", "even_money"),
        ("6:5", "K", "decline"),
        ("1:1", "A", "even_money"),
        ("1:1", "K", "even_money"),
    ],
)
def test_even_money_is_taken_where_a_blackjack_pays_too_little_to_wait(
    odds: str, upcard: str, said: str
) -> None:
    rules = Rules.from_json({"preset": "single-standard", "blackjack_pays": odds})
    assert hinted(play_to_insurance(rules, ("A", "Q"), upcard)) == said


def play_to_insurance(rules: Rules, symbols: tuple[str, ...], upcard: str) -> Round:
    first, second = cards_of(symbols)
    shoe = Shoe((first, Card.parse(upcard + "c"), second, Card.parse("9c"), *DECK))
    return deal(rules, shoe, {1: rules.min_bet}, chips={"1": 10 * rules.min_bet})


def test_a_backer_is_told_nothing_about_following() -> None:
    state = play("openseat; 8s 6h 8d Tc 3s 2s; 1=100 carol@1=50; 1 split")
    assert state.questions[0].asked is Asked.FOLLOW
    assert hint(state, state.questions[0]) is None


def test_a_backer_declines_insurance_as_everyone_does() -> None:
    state = play("openseat; 8s Ah 8d 9c; 1=100 carol@1=50; 1 decline")
    assert hint(state, state.questions[0]) == actions.Decline(1, "carol")


# Whatever was played before


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_hint_is_legal_whatever_was_played_before(name: str, seed: int) -> None:
    rules = rules_of(name)
    source = random.Random(f"{name}/{seed}")
    bet = rules.min_bet
    for _ in range(60):
        cards = source.sample(DECK * rules.decks, 52)
        # Now and then many cards of one rank, for splits of splits.
        if source.random() < 0.5:
            rank = source.choice(cards).rank
            cards.sort(key=lambda card: card.rank is not rank or source.random() < 0.5)
        stacks = {"1": bet * source.randint(1, 8), "carol": bet * source.randint(1, 4)}
        behind = [Behind("carol", 1, bet, 0)] if source.random() < 0.3 else []
        if not behind:
            del stacks["carol"]
        state = deal(rules, Shoe(tuple(cards)), {1: bet}, chips=stacks, behind=behind)
        while not state.settled:
            for question in state.questions:
                move = hint(state, question)
                if move is None:
                    assert question.asked is Asked.FOLLOW
                else:
                    assert check(state, move) == question
            state = apply(state, source.choice(legal_actions(state)))


def test_a_chart_can_be_read_by_hand_and_upcard() -> None:
    chart: Chart = chart_for(Rules())
    ten = Card.parse("Kd").rank
    assert chart.cell(Hand(parse_cards("Ks Jh"), (), ()), ten, True) == "S"
    assert chart.cell(Hand(parse_cards("8s 8h"), (), ()), ten, True) == "P"
    assert chart.cell(Hand(parse_cards("8s 8h"), (), ()), ten, False) == "H"
