"""A blackjack is an ace and a ten as the first two cards of an unsplit hand."""

import pytest

from tests.engine.telling import dealer, play, told

ROWS = [
    # A natural is paid 3:2 at once; nobody is asked.
    ("openseat; As 9h Kd 8c; 1=100", "As Kd blackjack 250", "9h 8c"),
    ("openseat; Ts 9h Ad 8c; 1=100", "Ts Ad blackjack 250", "9h 8c"),
    ("openseat blackjack_pays=6:5; As 9h Kd 8c; 1=100", "As Kd blackjack 220", "9h 8c"),
    ("openseat blackjack_pays=1:1; As 9h Kd 8c; 1=100", "As Kd blackjack 200", "9h 8c"),
    # Odd bets: the payout is rounded down.
    ("openseat bet_step=5; As 9h Kd 8c; 1=15", "As Kd blackjack 37", "9h 8c"),
    ("openseat bet_step=1; As 9h Kd 8c; 1=11", "As Kd blackjack 27", "9h 8c"),
    ("openseat bet_step=1 blackjack_pays=6:5; As 9h Kd 8c; 1=11", "As Kd blackjack 24", "9h 8c"),
    # Two naturals push, under a ten and under an ace.
    ("openseat; As Kh Kd Ac; 1=100", "As Kd push 100", "Kh Ac"),
    ("openseat; As Ah Kd Kc; 1=100; 1 decline", "As Kd push 100", "Ah Kc"),
    # A natural beats any other 21 of the dealer's.
    ("openseat; As Th Kd 5c; 1=100", "As Kd blackjack 250", "Th 5c"),
    # A plain 21 loses to the dealer's natural; the peek ends the round at once.
    ("openseat; 7s Ah 7d Kc; 1=100; 1 decline", "7s 7d lose 0", "Ah Kc"),
    # A 21 of three cards is no blackjack and is paid 1:1.
    ("openseat; 7s 9h 7d Tc 7c; 1=100; 1 hit", "7s 7d 7c win 200", "9h Tc"),
    # Three aces and eight is 21, not a natural.
    ("openseat; As 9h 8d Tc Ad Ac; 1=100; 1 hit, 1 hit", "As 8d Ad Ac win 200", "9h Tc"),
    # An ace and a ten of a split hand are a plain 21.
    ("openseat; As 9h Ad Tc Kh 5h; 1=100; 1 split", "As Kh win 200, Ad 5h lose 0", "9h Tc"),
    ("openseat; Ks 9h Td Tc Ah 5h; 1=100; 1 split, 1 stand", "Ks Ah win 200, Td 5h lose 0", "9h Tc"),
]


@pytest.mark.parametrize(("line", "hands", "dealers"), ROWS)
def test_naturals(line: str, hands: str, dealers: str) -> None:
    state = play(line)
    assert state.settled
    assert (told(state), dealer(state)) == (hands, dealers)


def test_a_natural_is_in_the_stack_before_others_play() -> None:
    state = play("openseat; As 2s 9h Kd 3s 8c; 1=100 2=100")
    assert not state.settled
    assert told(state, 1) == "As Kd blackjack 250"
    assert state.chips["1"] == 1_150


def test_the_dealers_natural_under_a_ten_ends_the_round_before_anyone_acts() -> None:
    state = play("openseat; 9s 5s Kh 9d 6s Ac; 1=100 2=100")
    assert state.settled
    assert (told(state, 1), told(state, 2), state.drawn) == ("9s 9d lose 0", "5s 6s lose 0", 6)
