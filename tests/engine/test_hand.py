from itertools import permutations

import pytest

from engine.hand import Hand, evaluate, is_natural, is_pair
from engine.notation import parse_cards
from engine.rules import Rules, SplitBy


@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [
        ("2s 2h", 4, False),
        ("As 2h", 13, True),
        ("As Kh", 21, True),
        ("5s As Ah 5d", 12, False),  # not 22, and not soft: the ten would be too much
        ("5s As Ah 4d", 21, True),
        ("As Ah Kd", 12, False),
        ("As Ah", 12, True),
        ("As Ah Ad", 13, True),
        ("As 4h 7d", 12, False),  # the dealer's A-4-7 is not 22
        ("As 6h", 17, True),
        ("As 2h 4d", 17, True),
        ("As Ah 5d", 17, True),
        ("As 6h Td", 17, False),
        ("As 9h Ad", 21, True),
        ("As 9h Ad Ac", 12, False),
        ("Ts 6h 5d", 21, False),
        ("Ts 6h 6d", 22, False),
        ("Ks Qh Jd", 30, False),
        ("Ks Qh Ad", 21, False),
        ("Ks Qh Ad Ac", 22, False),
    ],
)
def test_a_hand_counts_its_best_total_in_any_order(cards: str, total: int, soft: bool) -> None:
    for order in permutations(parse_cards(cards)):
        assert evaluate(order) == (total, soft)


@pytest.mark.parametrize("aces", range(1, 22))
def test_any_number_of_aces_counts_one_of_them_eleven_while_it_may(aces: int) -> None:
    expected = (aces + 10, True) if aces + 10 <= 21 else (aces, False)
    assert evaluate(parse_cards(" ".join(["As"] * aces))) == expected


def test_every_pair_of_cards_is_worth_the_same_to_dealer_and_player() -> None:
    for first in "A23456789TJQK":
        for second in "A23456789TJQK":
            cards = parse_cards(f"{first}s {second}h")
            assert Hand(cards, (0, 1), ()).value == evaluate(cards) == evaluate(cards[::-1])


@pytest.mark.parametrize(
    ("cards", "natural", "pair"),
    [
        ("As Kh", True, False),
        ("Ts Ah", True, False),
        ("As Ah", False, True),
        ("Ks Kh", False, True),
        ("Ks Qh", False, False),
        ("7s 7h 7d", False, False),
        ("As 9h Ad", False, False),
        ("As", False, False),
    ],
)
def test_naturals_and_pairs_are_two_cards(cards: str, natural: bool, pair: bool) -> None:
    assert (is_natural(parse_cards(cards)), is_pair(parse_cards(cards))) == (natural, pair)


def test_a_split_hand_is_never_a_natural() -> None:
    cards = parse_cards("As Kh")
    assert Hand(cards, (0, 1), ()).natural
    assert not Hand(cards, (0, 1), (), from_split=True).natural


@pytest.mark.parametrize(
    ("cards", "by_value", "by_rank"),
    [
        ("Ks Jh", True, False),
        ("Ts Th", True, True),
        ("8s 8h", True, True),
        ("8s 9h", False, False),
        ("4s 4h Kd", False, False),
        ("As Ah", True, True),
    ],
)
def test_what_may_be_split_is_a_switch(cards: str, by_value: bool, by_rank: bool) -> None:
    hand = Hand(parse_cards(cards), (), ())
    assert hand.splittable(Rules()) is by_value
    assert hand.splittable(Rules(split_by=SplitBy.RANK)) is by_rank
