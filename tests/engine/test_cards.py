import pytest

from engine.cards import DECK, Card, Rank, Suit
from engine.errors import NotationError


def test_a_deck_has_fifty_two_different_cards_spades_first_from_the_ace_up() -> None:
    assert len(set(DECK)) == 52
    assert " ".join(map(str, DECK[:14])) == "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks Ah"
    assert [str(card) for card in DECK[::13]] == ["As", "Ah", "Ad", "Ac"]


@pytest.mark.parametrize("card", DECK, ids=str)
def test_text_names_a_card_and_back(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert eval(repr(card)) == card  # noqa: S307


@pytest.mark.parametrize("text", ["", "A", "as", "AS", "10h", "1h", "Tx", "Th ", "??", "Ах", "５h"])
def test_text_that_names_no_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        Card.parse(text)
    assert refused.value.code == "unknown_card"


def test_a_deck_holds_340_points_with_the_ace_as_one() -> None:
    points = {rank: 1 if rank is Rank.ACE else rank.points for rank in Rank}
    assert sum(points.values()) * len(Suit) == 340
