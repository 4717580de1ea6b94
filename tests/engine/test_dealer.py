"""The dealer draws to 17, and draws nothing when nothing depends on it."""

from fractions import Fraction
from functools import cache

import pytest

from engine.cards import Card
from engine.dealer import draws, peeks
from engine.hand import evaluate
from engine.notation import parse_cards
from engine.rules import HoleCard, Rules, Soft17
from tests.engine.telling import dealer, play, told

S17, H17 = Rules(), Rules(soft_17=Soft17.HIT)


@pytest.mark.parametrize(
    ("cards", "s17", "h17"),
    [
        ("Ts 6h", True, True),
        ("Ts 7h", False, False),
        ("As 6h", False, True),
        ("As 2h 4d", False, True),
        ("As Ah 5d", False, True),
        ("As 6h Td", False, False),  # hard 17
        ("As 7h", False, False),
        ("As 5h", True, True),
        ("As 4h 7d", True, True),  # hard 12
        ("Ts Kh", False, False),
        ("Ts 6h 5d", False, False),
        ("Ts 6h 8d", False, False),  # over 21
        ("As", True, True),
        ("9s 4h", True, True),
    ],
)
def test_when_the_dealer_draws(cards: str, s17: bool, h17: bool) -> None:
    assert (draws(S17, parse_cards(cards)), draws(H17, parse_cards(cards))) == (s17, h17)


@pytest.mark.parametrize(
    ("soft_17", "shoe", "final"),
    [
        ("stand", "Ts 6h 9d Ac Kd 2d", "6h Ac"),
        ("hit", "Ts 6h 9d Ac Kd 2d", "6h Ac Kd"),
        ("stand", "Ts 2h 9d Ac 4d 2d", "2h Ac 4d"),
        ("hit", "Ts 2h 9d Ac 4d 2d", "2h Ac 4d 2d"),
        ("stand", "Ts 5h 9d Ac Ad 2d", "5h Ac Ad"),
        ("hit", "Ts 5h 9d Ac Ad 2d", "5h Ac Ad 2d"),
        ("hit", "Ts 6h 9d Ac Td 2d", "6h Ac Td"),
        ("stand", "Ts 6h 9d 5c 5d 2d 4c 9c", "6h 5c 5d 2d"),
    ],
)
def test_the_dealer_plays_it_so(soft_17: str, shoe: str, final: str) -> None:
    assert dealer(play(f"openseat soft_17={soft_17}; {shoe}; 1=100; 1 stand")) == final


@pytest.mark.parametrize(
    ("up", "peek", "none"), [("As", True, False), ("Ks", True, False), ("9s", False, False)]
)
def test_who_peeks(up: str, peek: bool, none: bool) -> None:
    card = Card.parse(up)
    assert (peeks(Rules(), card), peeks(Rules(hole_card=HoleCard.NONE), card)) == (peek, none)


# In each the dealer would have to draw if anything depended on it: 2-3, or a lone card.
NOTHING_OPEN = [
    ("openseat; Ts 2h 6d 3c Td; 1=100; 1 hit", "2h 3c"),  # bust
    ("openseat; Ts 2h 6d 3c Td; 1=100; 1 double", "2h 3c"),  # a double that busts
    ("openseat; As 2h Kd 3c; 1=100", "2h 3c"),  # a blackjack, paid already
    ("openseat surrender=any; Ts 2h 6d 3c; 1=100; 1 surrender", "2h 3c"),
    ("openseat; Ts As 2h 6d Kd 3c Td; 1=100 2=100; 1 hit", "2h 3c"),  # one bust, one blackjack
    ("openseat; 8s 2h 8d 3c 6h 7s Th Kh; 1=100; 1 split, 1 hit, 1 hit", "2h 3c"),
    ("openseat charlie=5; 2s 2h 2d 3c 2c 3s 4s; 1=100; 1 hit, 1 hit, 1 hit", "2h 3c"),
    ("openseat hole_card=none; Ts 2h 6d Td; 1=100; 1 hit", "2h"),
    ("openseat hole_card=none; As 2h Kd; 1=100", "2h"),
    ("openseat hole_card=none surrender=any; Ts 2h 6d; 1=100; 1 surrender", "2h"),
    # Backers follow the hand: nothing of theirs is open either.
    ("openseat; Ts 2h 6d 3c Td; 1=100 carol@1=50; 1 hit", "2h 3c"),
]


@pytest.mark.parametrize(("line", "final"), NOTHING_OPEN)
def test_the_dealer_draws_nothing_when_nothing_depends_on_it(line: str, final: str) -> None:
    state = play(line)
    assert (state.settled, dealer(state)) == (True, final)
    assert state.shoe.dealt == state.drawn == len(state.shoe.cards)


def test_one_open_hand_is_enough_for_the_dealer_to_draw() -> None:
    state = play("openseat; Ts 9s 2h 6d 9d 3c Td 7c 8c; 1=100 2=100; 1 hit, 2 stand")
    assert dealer(state) == "2h 3c 7c 8c"
    assert told(state, 2) == "9s 9d lose 0"


def test_an_open_stake_of_a_backer_is_enough_too() -> None:
    # The seat has taken even money; the backer waits for the dealer's second card, exactly one.
    line = "openseat hole_card=none even_money=ace; As Ah Kd 4c 5c; 1=100 carol@1=50"
    state = play(f"{line}; 1 even_money, carol@1 decline")
    assert (told(state), dealer(state), state.drawn) == ("As Kd even_money 200", "Ah 4c", 4)


# The dealer's final totals, counted exactly: an oracle for `draws` and `evaluate` together.

RANKS = tuple("A23456789T")


@cache
def _final(rules: Rules, cards: tuple[str, ...], decks: int) -> dict[str, Fraction]:
    """Chances of the dealer's final totals; `decks` 0 stands for an endless shoe."""
    hand = parse_cards(" ".join(f"{rank}s" for rank in cards))
    total = evaluate(hand).total
    if len(cards) == 2 and total == 21:
        return {"blackjack": Fraction(1)}
    if len(cards) > 1 and not draws(rules, hand):
        return {"bust" if total > 21 else str(total): Fraction(1)}
    chances: dict[str, Fraction] = {}
    for rank in RANKS:
        copies = (16 if rank == "T" else 4) * (decks or 1)
        left = (
            Fraction(copies - cards.count(rank), 52 * decks - len(cards)) if decks else Fraction(copies, 52)
        )
        # The order of the cards does not matter to what comes, but where the first two are a blackjack.
        after = (cards[0], rank) if len(cards) == 1 else tuple(sorted((*cards, rank)))
        for end, chance in _final(rules, after, decks).items():
            chances[end] = chances.get(end, Fraction(0)) + left * chance
    return chances


@pytest.mark.parametrize("upcard", RANKS)
def test_the_dealers_totals_come_as_often_as_exact_analysis_says(
    upcard: str, dealer_chances: dict[str, dict[str, float]]
) -> None:
    found = _final(S17, (upcard,), 6)
    for end, chance in dealer_chances[upcard].items():
        assert float(found.get(end, 0)) == pytest.approx(chance, abs=1e-9), end


def test_the_dealer_with_an_ace_goes_over_more_often_when_hitting_soft_17() -> None:
    # Exact figures for six decks.
    assert float(_final(S17, ("A",), 6)["bust"]) == pytest.approx(0.1154729659, abs=1e-9)
    assert float(_final(H17, ("A",), 6)["bust"]) == pytest.approx(0.1391490307, abs=1e-9)
    assert float(_final(H17, ("A",), 6)["17"]) == pytest.approx(0.0572704589, abs=1e-9)


def test_an_endless_shoe_gives_the_textbook_figures() -> None:
    chances: dict[str, Fraction] = {}
    for rank in RANKS:
        for end, chance in _final(S17, (rank,), 0).items():
            chances[end] = chances.get(end, Fraction(0)) + chance * (16 if rank == "T" else 4) / 52
    assert sum(chances.values()) == 1
    assert float(chances["blackjack"]) == pytest.approx(2 * 4 / 13 / 13)
    assert float(chances["bust"]) == pytest.approx(0.2816, abs=5e-5)
