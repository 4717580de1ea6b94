from collections import Counter

import pytest

from engine.cards import DECK
from engine.errors import ShoeEmpty
from engine.notation import format_cards, parse_cards
from engine.shoe import SealedShoe, Shoe, commitment, cut_after, shuffle

SEED = bytes(range(32))
OTHER = bytes(range(32, 64))


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_one_deck_comes_in_the_documented_order() -> None:
    shoe = Shoe.from_seed(SEED, 1)
    assert format_cards(shoe.cards[:18]) == "5c Qc 9c Ts 8d 6d Kd 3s Jc Jd 4d 4c Th Js Qd 8s 6s 9h"


def test_six_decks_come_in_the_documented_order() -> None:
    shoe = Shoe.from_seed(SEED, 6)
    assert format_cards(shoe.cards[:10]) == "Ts Jd Ts Js 4h Tc 2s 8h 6s 2s"


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_shuffle_loses_and_adds_no_card(decks: int) -> None:
    assert Counter(Shoe.from_seed(SEED, decks).cards) == Counter(DECK * decks)


def test_another_seed_gives_another_order() -> None:
    orders = {Shoe.from_seed(bytes(31) + bytes([last]), 1).cards for last in range(256)}
    assert len(orders) == 256


def test_no_card_prefers_a_place() -> None:
    """Chi-square over every card and place. A shuffle by sorting or by `% 52` of a byte fails this by far."""
    deck, seeds = DECK[:13], 4_000
    seen: Counter[tuple[int, str]] = Counter()
    for number in range(seeds):
        for place, card in enumerate(shuffle(deck, number.to_bytes(32, "big"))):
            seen[place, str(card)] += 1
    expected = seeds / len(deck)
    for place in range(len(deck)):
        chi_square = sum((seen[place, str(card)] - expected) ** 2 / expected for card in deck)
        # 12 degrees of freedom: beyond 40 once in 14,000 places.
        assert chi_square < 40, f"place {place}"


def test_the_first_card_of_a_whole_deck_is_any_card_alike() -> None:
    seeds = 2_600
    first = Counter(shuffle(DECK, number.to_bytes(32, "big"))[0] for number in range(seeds))
    expected = seeds / 52
    # 51 degrees of freedom: beyond 100 once in 20,000 runs, and the seeds are fixed.
    assert sum((first[card] - expected) ** 2 / expected for card in DECK) < 100


def test_cards_are_drawn_in_order_and_drawing_leaves_the_shoe_as_it_was() -> None:
    shoe = Shoe(parse_cards("As Kd"))
    first, rest = shoe.draw()
    second, empty = rest.draw()
    assert (str(first), str(second), shoe.dealt, empty.dealt) == ("As", "Kd", 0, 2)


def test_an_empty_shoe_says_so() -> None:
    with pytest.raises(ShoeEmpty) as refused:
        Shoe(()).draw()
    assert refused.value.code == "shoe_empty"


def test_the_next_round_goes_on_where_the_last_one_stopped() -> None:
    whole = Shoe.from_seed(SEED, 1)
    later = Shoe.from_seed(SEED, 1, played=17)
    assert (later.cards, later.dealt, later.left) == (whole.cards, 17, 35)
    assert later.draw()[0] == whole.cards[17]


def test_a_shoe_that_runs_out_shuffles_the_discards_and_nothing_else() -> None:
    shoe = Shoe.from_seed(SEED, 1, played=20, spare=OTHER)
    drawn = []
    for _ in range(52):
        card, shoe = shoe.draw()
        drawn.append(card)
    whole = shuffle(DECK, SEED)
    assert tuple(drawn[:32]) == whole[20:]
    assert tuple(drawn[32:]) == shuffle(whole[:20], OTHER)
    assert (shoe.reshuffled, shoe.left) == (True, 0)
    # The cards of this round lie on the table: there are no others.
    with pytest.raises(ShoeEmpty):
        shoe.draw()


def test_the_discards_come_only_when_the_last_card_is_gone() -> None:
    shoe = Shoe.from_seed(SEED, 1, played=50, spare=OTHER)
    _, shoe = shoe.draw()
    _, shoe = shoe.draw()
    assert (shoe.left, shoe.reshuffled) == (0, False)
    _, shoe = shoe.draw()
    assert (shoe.left, shoe.reshuffled) == (49, True)


def test_without_a_second_seed_or_without_discards_an_empty_shoe_stays_empty() -> None:
    for shoe in (Shoe.from_seed(SEED, 1, played=52), Shoe((), spare=OTHER)):
        with pytest.raises(ShoeEmpty):
            shoe.draw()


def test_a_sealed_shoe_shows_the_hash_of_each_of_its_seeds() -> None:
    shoe = SealedShoe(3, SEED, OTHER)
    assert (shoe.commitment, shoe.spare_commitment) == (commitment(SEED), commitment(OTHER))
    assert SealedShoe(3, SEED).spare_commitment is None


@pytest.mark.parametrize(
    ("decks", "share", "cards"), [(8, 0.5, 208), (6, 0.67, 209), (6, 0.5, 156), (1, 0.9, 47), (1, 0.4, 21)]
)
def test_where_the_cut_card_lies(decks: int, share: float, cards: int) -> None:
    assert cut_after(decks, share) == cards
