"""What comes back for every kind of bet: a golden table."""

from fractions import Fraction

import pytest

from engine.bets import Result, half, winnings
from engine.hand import Hand
from engine.notation import parse_cards
from engine.rules import Rules
from engine.settlement import insurance_payout, outcome, pair_payout, payout
from tests.engine.telling import backed, play, told

GOLDEN = [
    # result, and what comes back for 100, 15, 11, 1
    (Result.BLACKJACK, (250, 37, 27, 2)),
    (Result.WIN, (200, 30, 22, 2)),
    (Result.CHARLIE, (200, 30, 22, 2)),
    (Result.EVEN_MONEY, (200, 30, 22, 2)),
    (Result.PUSH, (100, 15, 11, 1)),
    (Result.LOSE, (0, 0, 0, 0)),
    (Result.BUST, (0, 0, 0, 0)),
    (Result.SURRENDER, (50, 7, 5, 0)),
]


@pytest.mark.parametrize(("result", "paid"), GOLDEN)
def test_what_comes_back_for_a_main_bet(result: Result, paid: tuple[int, ...]) -> None:
    assert tuple(payout(Rules(), bet, result) for bet in (100, 15, 11, 1)) == paid


def test_the_table_names_every_result() -> None:
    assert {result for result, _ in GOLDEN} == set(Result)


@pytest.mark.parametrize(("odds", "paid"), [(Fraction(3, 2), 27), (Fraction(6, 5), 24), (Fraction(1), 22)])
def test_a_blackjack_pays_what_the_rules_say(odds: Fraction, paid: int) -> None:
    assert payout(Rules(blackjack_pays=odds), 11, Result.BLACKJACK) == paid


def test_side_bets() -> None:
    assert (insurance_payout(50, True), insurance_payout(50, False)) == (150, 0)
    assert (insurance_payout(1, True), insurance_payout(7, True)) == (3, 21)
    assert (pair_payout(Rules(), 10, True), pair_payout(Rules(), 10, False)) == (120, 0)
    assert pair_payout(Rules(pair_pays=Fraction(15, 2)), 5, True) == 5 + 37
    assert (half(15), half(1), winnings(15, Fraction(3, 2))) == (7, 0, 22)


OUTCOMES = [
    # hand, dealer, result
    ("Ts 9h", "Td 8c", Result.WIN),
    ("Ts 9h", "Td 9c", Result.PUSH),
    ("Ts 9h", "Td Kc", Result.LOSE),
    ("Ts 2h", "Td 6c Kh", Result.WIN),
    ("Ts 6h 7d", "Td 6c Kh", Result.BUST),  # lost whatever the dealer has
    ("As Kh", "Td 6c 5h", Result.BLACKJACK),
    ("As Kh", "Ad Kc", Result.PUSH),
    ("7s 7h 7d", "Ad Kc", Result.LOSE),
    ("7s 7h 7d", "Td 6c 5h", Result.PUSH),
]


@pytest.mark.parametrize(("hand", "dealer", "result"), OUTCOMES)
def test_who_wins(hand: str, dealer: str, result: Result) -> None:
    assert outcome(Hand(parse_cards(hand), (), ()), parse_cards(dealer)) is result


def test_a_split_blackjack_is_a_plain_21() -> None:
    hand = Hand(parse_cards("As Kh"), (), (), from_split=True)
    assert outcome(hand, parse_cards("Td 6c 5h")) is Result.PUSH
    assert outcome(hand, parse_cards("Ad Kc")) is Result.LOSE
    assert outcome(hand, parse_cards("Td 9c")) is Result.WIN


ROUNDS = [
    # Everything of one round: hands, the backer's, and both nets.
    ("Ts 9h 9d 9c; 1=100 carol@1=50; 1 stand", "Ts 9d win 200", "1 win 100", 100, 50),
    ("Ts 9h 9d Tc; 1=100 carol@1=50; 1 stand", "Ts 9d push 100", "1 push 50", 0, 0),
    ("Ts 9h 7d 9c; 1=100 carol@1=50; 1 stand", "Ts 7d lose 0", "1 lose 0", -100, -50),
    ("Ts 9h 6d 9c Td; 1=100 carol@1=50; 1 hit", "Ts 6d Td bust 0", "1 bust 0", -100, -50),
    ("As 9h Kd 9c; 1=100 carol@1=50", "As Kd blackjack 250", "1 blackjack 125", 150, 75),
    ("As Ah Kd Kc; 1=100 carol@1=50; 1 decline, carol@1 decline", "As Kd push 100", "1 push 50", 0, 0),
    ("As Ah Kd Kc; 1=100 carol@1=50; 1 decline, carol@1 insure", "As Kd push 100", "1 push 50", 0, 50),
    ("9s Ah 9d Kc; 1=100 carol@1=50; 1 insure, carol@1 insure", "9s 9d lose 0", "1 lose 0", 0, 0),
    ("6s 9h 5d 9c Td; 1=100 carol@1=50; 1 double, carol@1 follow", "6s 5d Td win 400", "1 win 200", 200, 100),
    ("6s 9h 5d 9c Td; 1=100 carol@1=50; 1 double, carol@1 pass", "6s 5d Td win 400", "1 win 100", 200, 50),
    ("6s 9h 5d Tc 8d; 1=100 carol@1=50; 1 double, carol@1 follow", "6s 5d 8d push 200", "1 push 100", 0, 0),
    (
        "8s 9h 8d Tc Td Ah; 1=100 carol@1=50; 1 split, carol@1 follow, 1 stand, 1 stand",
        "8s Td lose 0, 8d Ah push 100",
        "1 lose 0, 2 push 50",
        -100,
        -50,
    ),
]


@pytest.mark.parametrize(("case", "hands", "carols", "net", "carols_net"), ROUNDS)
def test_a_ledger_of_stake_and_return(case: str, hands: str, carols: str, net: int, carols_net: int) -> None:
    state = play(f"openseat; {case}")
    assert state.settled
    assert (told(state), backed(state, "carol")) == (hands, carols)
    assert (state.chips["1"] - 1_000, state.chips["carol"] - 1_000) == (net, carols_net)


ODD = [
    ("openseat bet_step=5; As 9h Kd 8c; 1=15", 22),
    ("openseat bet_step=5 surrender=any; Ts 9h 6d 8c; 1=15; 1 surrender", -8),
    ("openseat bet_step=5; 9s Ah 9d Kc; 1=15; 1 insure", -1),
    ("openseat bet_step=5; 9s Ah 9d 9c; 1=15; 1 insure, 1 stand", -15 - 7),
    ("openseat bet_step=5; Ks Ah Ad Kc; 1=15; 1 insure", 14),
    ("openseat bet_step=1 min_bet=1 surrender=any; Ts 9h 6d 8c; 1=1; 1 surrender", -1),
    ("openseat bet_step=1 min_bet=1; As 9h Kd 8c; 1=1", 1),
]


@pytest.mark.parametrize(("line", "net"), ODD)
def test_odd_bets_round_down_for_the_payout(line: str, net: int) -> None:
    assert play(line).chips["1"] - 1_000 == net
