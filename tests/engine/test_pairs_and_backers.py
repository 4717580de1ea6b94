"""Bets behind somebody else's box, and bets on a pair."""

import pytest

from engine import events
from engine.bets import Behind, check_pair
from engine.errors import IllegalAction
from engine.round import deal, lay
from engine.rules import Rules
from engine.shoe import Shoe
from tests.engine.telling import backed, choices, dealer, play, refusal, side, told

# Pairs

PAIRS = [
    ("Ks 9h Kd 8c", 120),
    ("As 9h Ad 8c", 120),
    ("2s 9h 2s 8c", 120),
    ("Ks 9h Qd 8c", 0),  # equal value is no equal rank
    ("Ts 9h Kd 8c", 0),
    ("As 9h Kd 8c", 0),
]


@pytest.mark.parametrize(("shoe", "paid"), PAIRS)
def test_a_pair_bet_pays_11_to_1_on_equal_rank(shoe: str, paid: int) -> None:
    state = play(f"openseat; {shoe}; 1=100+10")
    assert side(state.box(1).pair) == (10, paid)


@pytest.mark.parametrize(("odds", "paid"), [("11:1", 120), ("25:1", 260), ("15:2", 85)])
def test_the_odds_of_a_pair_are_a_switch(odds: str, paid: int) -> None:
    state = play(f"openseat pair_pays={odds}; 8s 9h 8d 8c; 1=100+10")
    assert side(state.box(1).pair) == (10, paid)


@pytest.mark.parametrize(
    "line",
    [
        "openseat; 8s Kh 8d Ac; 1=100+10",  # the round ends at the peek
        "openseat; 8s Ah 8d Ac; 1=100+10",  # before insurance
        "openseat; 9s 8s 9h Kd 8d 9c; 1=100 2=100+10",
        "openseat surrender=any; 8s 9h 8d 7c; 1=100+10; 1 surrender",
        "openseat; Ts 9h Td 9c; 1=100+10; 1 stand",
        "openseat hole_card=none; 8s Ah 8d; 1=100+10",
    ],
)
def test_a_pair_is_settled_right_after_the_deal_whatever_follows(line: str) -> None:
    state = play(line)
    box = next(box for box in state.boxes if box.pair)
    assert side(box.pair) == (10, 120)
    kinds = [type(event) for event in state.events]
    last_deal = 2 * len(state.boxes) + (2 if "none" not in line else 1)
    assert kinds.index(events.PairSettled) == last_deal


def test_a_pair_won_is_in_the_stack_at_once_and_pays_for_a_split() -> None:
    state = play("openseat; 8s 9h 8d Tc 3s 2s; 1=100+10; chips 1=110; 1 split")
    assert state.chips["1"] == 110 - 110 + 120 - 100


BAD_PAIRS = [
    ("openseat; 8s 9h 8d 8c; 1=100+5", "pair_too_small"),
    ("openseat; 8s 9h 8d 8c; 1=100+110", "pair_too_large"),  # a fifth of 500 is 100
    ("openseat; 8s 9h 8d 8c; 1=100+15", "bet_off_step"),
    ("openseat pair_bets=false; 8s 9h 8d 8c; 1=100+10", "no_pair_bets"),
    ("openseat pair_bets=false; 8s 9h 8d 8c; 1=100 carol@1=0+10", "no_pair_bets"),
    ("openseat; 8s 9h 8d 8c; 1=100 carol@1=0+110", "pair_too_large"),
    ("openseat; 8s 9h 8d 8c; 1=100+10; chips 1=100", "not_enough_chips"),
    ("openseat; 8s 9h 8d 8c; 1=100 carol@1=50+10; chips carol=50", "not_enough_chips"),
]


@pytest.mark.parametrize(("line", "code"), BAD_PAIRS)
def test_which_pair_bets_are_refused(line: str, code: str) -> None:
    assert refusal(line) == code


def test_the_largest_pair_bet_is_a_fifth_of_the_largest_bet() -> None:
    assert side(play("openseat; 8s 9h 8d 8c; 1=100+100").box(1).pair) == (100, 1_200)
    assert refusal("openseat max_bet=550; 8s 9h 8d 8c; 1=100+120") == "pair_too_large"
    assert side(play("openseat max_bet=550; 8s 9h 8d 8c; 1=100+110").box(1).pair) == (110, 1_320)


def test_the_bound_that_is_told_of_a_pair_bet_is_one_that_is_taken() -> None:
    rules = Rules(max_bet=270)
    with pytest.raises(IllegalAction) as refused:
        check_pair(rules, 60)
    assert refused.value.params == {"bet": 60, "max": 50}
    check_pair(rules, 50)


# Bets behind


def test_a_spectator_may_bet_behind_several_boxes_and_on_pairs_with_or_without() -> None:
    state = play("openseat; 8s 9s 9h 8d 7d 8c; 1=100 2=100 carol@1=50+10 carol@2=0+20 dave@2=10")
    assert (backed(state, "carol", 1), backed(state, "carol", 2)) == ("1 open 50", "")
    assert [side(backer.pair) for backer in state.box(1).backers] == [(10, 120)]
    assert [side(backer.pair) for backer in state.box(2).backers] == [(20, 0), None]
    assert state.chips["carol"] == 1_000 - 80 + 120


BAD_BEHIND = [
    ("openseat; 8s 9h 8d 8c; 1=100 carol@2=50", "box_has_no_bet"),
    ("openseat; 8s 9h 8d 8c; 1=100 carol@1=50 carol@1=10", "backed_twice"),
    ("openseat; 8s 9h 8d 8c; 1=100 carol@1=5", "bet_too_small"),
    ("openseat; 8s 9h 8d 8c; 1=100 carol@1=510", "bet_too_large"),
    ("openseat; 8s 9h 8d 8c; 1=100 carol@1=15", "bet_off_step"),
    ("openseat; 8s 9h 8d 8c; 1=100 carol@1=0", "bet_too_small"),
    ("openseat; 8s 9s 9h 8d 7d 8c; 1=100 2=100 carol@1=50 carol@2=60; chips carol=100", "not_enough_chips"),
    ("openseat backing=false; 8s 9h 8d 8c; 1=100 carol@1=50", "no_backing"),
    # Who plays a box may bet behind others only where the rules say so, and never behind the own box.
    ("openseat; 8s 9s 9h 8d 7d 8c; 1=100 2=100 ann@2=50; stacks 1=ann", "players_may_not_back"),
    ("openseat players_may_back=true; 8s 9h 8d 8c; 1=100 ann@1=50; stacks 1=ann", "own_box"),
]


@pytest.mark.parametrize(("line", "code"), BAD_BEHIND)
def test_which_bets_behind_are_refused(line: str, code: str) -> None:
    assert refusal(line) == code


def test_a_stack_that_is_not_named_has_no_chips() -> None:
    behind = (Behind("carol", 1, 50),)
    for how in (lay, deal):
        with pytest.raises(IllegalAction) as own:
            how(Rules(), Shoe.from_seed(bytes(32), 6), {1: 50}, chips={})
        assert (own.value.code, own.value.params) == (
            "not_enough_chips", {"need": 50, "have": 0, "stack": "1"},
        )  # fmt: skip
        with pytest.raises(IllegalAction) as backer:
            how(Rules(), Shoe.from_seed(bytes(32), 6), {1: 50}, chips={"1": 50}, behind=behind)
        assert backer.value.params == {"need": 50, "have": 0, "stack": "carol"}


FOLLOWS = [
    # hand, dealer: the backer's stake follows the seat's hand.
    ("openseat; As 9h Kd 8c; 1=100 carol@1=50", "1 blackjack 125"),
    ("openseat blackjack_pays=6:5; As 9h Kd 8c; 1=100 carol@1=50", "1 blackjack 110"),
    ("openseat; Ts 9h 9d 9c; 1=100 carol@1=50; 1 stand", "1 win 100"),
    ("openseat; Ts 9h 9d Tc; 1=100 carol@1=50; 1 stand", "1 push 50"),
    ("openseat; Ts 9h 8d Tc; 1=100 carol@1=50; 1 stand", "1 lose 0"),
    ("openseat surrender=any; Ts 9h 6d Tc; 1=100 carol@1=50; 1 surrender", "1 surrender 25"),
    ("openseat; Ts 9h 6d Tc Td; 1=100 carol@1=50; 1 hit", "1 bust 0"),
]


@pytest.mark.parametrize(("line", "stake"), FOLLOWS)
def test_the_stake_follows_the_seats_hand(line: str, stake: str) -> None:
    assert backed(play(line), "carol") == stake


def test_the_seats_owner_alone_decides() -> None:
    state = play("openseat; Ts 9h 6d Tc; 1=100 carol@1=50")
    assert choices(state) == {"1 hit", "1 stand", "1 double"}


def test_a_backer_is_asked_for_insurance_on_the_own_stake_in_the_same_window() -> None:
    line = "openseat; Ts Ah 9d Kc; 1=100 carol@1=50 dave@1=30"
    state = play(line)
    assert choices(state) == {
        f"{who} {verb}" for who in ("1", "carol@1", "dave@1") for verb in ("insure", "decline")
    }
    state = play(f"{line}; dave@1 decline, 1 decline, carol@1 insure 25")
    assert [side(backer.insurance) for backer in state.box(1).backers] == [(25, 75), None]
    assert (state.chips["carol"], state.chips["dave"], state.chips["1"]) == (1_000, 970, 900)


def test_a_backer_with_a_pair_alone_is_asked_nothing() -> None:
    assert choices(play("openseat; Ts Ah 9d Kc; 1=100 carol@1=0+10")) == {"1 insure", "1 decline"}


def test_a_backer_of_two_boxes_who_can_insure_one_loses_the_other_question() -> None:
    line = "openseat; 9s 8s Ah 9d 7d 5c; 1=100 2=100 carol@1=100 carol@2=100; chips carol=260"
    assert {"carol@1 insure", "carol@2 insure"} <= choices(play(line))
    state = play(f"{line}; carol@2 insure")
    assert not any(move.startswith("carol") for move in choices(state))
    assert refusal(f"{line}; carol@2 insure, carol@1 decline") == "not_asked"


def test_up_to_half_leaves_the_other_question_open_while_a_chip_is_left() -> None:
    line = (
        "openseat insurance=up_to_half; 9s 8s Ah 9d 7d 5c; 1=100 2=100 carol@1=100 carol@2=100; "
        "chips carol=210; carol@1 insure 9"
    )
    assert "carol@2 insure" in choices(play(line))
    assert refusal(f"{line}, carol@2 insure 2") == "insurance_amount"
    assert side(play(f"{line}, carol@2 insure").box(2).backers[0].insurance) == (1, None)
    assert "carol@2 insure" not in choices(play(line.replace("insure 9", "insure 10")))


SPLIT = "openseat; 8s 9h 8h Tc 8d Ts 3s Th Td 2s; 1=100 carol@1=50 dave@1=30"


def test_backers_are_asked_before_the_cards_of_a_split_come() -> None:
    state = play(f"{SPLIT}; 1 split")
    assert choices(state) == {f"{who}@1 {verb}" for who in ("carol", "dave") for verb in ("follow", "pass")}
    assert (state.drawn, told(state), state.chips["1"]) == (4, "8s open 100, 8h open 100", 800)
    assert refusal(f"{SPLIT}; 1 split, 1 stand") == "not_asked"
    assert refusal(f"{SPLIT}; 1 split, erin@1 follow") == "not_a_backer"
    assert refusal(f"{SPLIT}; 1 split, carol@1 follow, carol@1 follow") == "not_asked"


def test_the_stake_stays_on_the_first_hand_and_a_follower_lays_the_same_on_the_second() -> None:
    state = play(f"{SPLIT}; 1 split, dave@1 pass, carol@1 follow")
    assert (backed(state, "carol"), backed(state, "dave")) == ("1 open 50, 2 open 50", "1 open 30")
    assert (state.chips["carol"], state.chips["dave"], state.drawn) == (900, 970, 6)


def test_a_later_split_asks_those_with_a_stake_on_that_hand_alone() -> None:
    # The left hand 8s-8d is split again: both have a stake there.
    line = f"{SPLIT}; 1 split, carol@1 follow, dave@1 pass, 1 split"
    assert {q.stack for q in play(line).questions} == {"carol", "dave"}
    state = play(f"{line}, carol@1 pass, dave@1 follow")
    assert told(state) == "8s 3s open 100, 8d Th open 100, 8h Ts open 100"
    assert backed(state, "carol") == "1 open 50, 3 open 50"
    assert backed(state, "dave") == "1 open 30, 2 open 30"
    # The right hand gets the pair: dave, who passed, has nothing on it.
    right = (
        "openseat; 8s 9h 8h Tc Ts 8d 3s 2s; 1=100 carol@1=50 dave@1=30; 1 split, carol@1 follow, dave@1 pass"
    )
    assert {q.stack for q in play(f"{right}, 1 stand, 1 split").questions} == {"carol"}


def test_a_double_asks_likewise_and_who_does_not_follow_keeps_the_single_stake() -> None:
    line = "openseat; 6s 9h 5d Tc Td; 1=100 carol@1=50 dave@1=30; 1 double"
    state = play(line)
    assert (state.phase.value, state.drawn, told(state)) == ("follow", 4, "6s 5d open 200")
    state = play(f"{line}, carol@1 follow, dave@1 pass")
    assert (backed(state, "carol"), backed(state, "dave")) == ("1 win 200", "1 win 60")


def test_no_answer_is_no() -> None:
    state = play("openseat; 6s 9h 5d Tc Td; 1=100 carol@1=50 dave@1=30; 1 double, carol@1 follow, expire")
    assert (backed(state, "carol"), backed(state, "dave")) == ("1 win 200", "1 win 60")


def test_only_backers_with_chips_for_the_same_stake_are_asked() -> None:
    line = "openseat; 6s 9h 5d Tc Td; 1=100 carol@1=50 dave@1=30; chips carol=99 dave=60; 1 double"
    assert choices(play(line)) == {"dave@1 follow", "dave@1 pass"}


def test_if_no_backer_can_be_asked_the_cards_come_at_once() -> None:
    state = play("openseat; 6s 9h 5d Tc Td; 1=100 carol@1=50; chips carol=99; 1 double")
    assert (state.settled, backed(state, "carol")) == (True, "1 win 100")


def test_a_backer_who_followed_one_hand_may_lack_the_chips_for_the_next() -> None:
    line = "openseat; 8s 9h 8h Tc 3s 3d Ts Th; 1=100 carol@1=50; chips carol=149; 1 split, carol@1 follow"
    state = play(f"{line}, 1 double")
    # 49 left: nobody to ask, the card comes at once.
    assert told(state).startswith("8s 3s Ts open 200")
    assert backed(state, "carol") == "1 open 50, 2 open 50"


def test_a_backer_plays_on_from_a_pair_that_was_won() -> None:
    line = "openseat; 8s 9h 8h Tc 3s 3d; 1=100 carol@1=50+10; chips carol=60; 1 split, carol@1 follow"
    assert play(line).chips["carol"] == 60 - 60 + 120 - 50


# A player behind another box, from the same stack

SHARED = "openseat players_may_back=true boxes_per_player=2"


def test_a_player_may_back_a_box_that_is_not_theirs() -> None:
    state = play(f"{SHARED}; Ts 9s 9h 9d 8d Tc; 1=100 2=100 ann@2=50; stacks 1=ann; 1 stand, 2 stand")
    assert (told(state, 1), backed(state, "ann", 2), state.chips["ann"]) == (
        "Ts 9d push 100",
        "1 lose 0",
        950,
    )


def test_a_player_with_a_bet_behind_is_asked_as_a_backer_there() -> None:
    line = f"{SHARED}; Ts 6s 9h 9d 5d Tc Td; 1=100 2=100 ann@2=50; stacks 1=ann; 1 stand, 2 double"
    assert choices(play(line)) == {"ann@2 follow", "ann@2 pass"}
    assert play(f"{line}, ann@2 follow").chips["ann"] == 1_000 + 100


def test_two_boxes_of_one_stack_spend_the_same_chips() -> None:
    line = f"{SHARED}; 6s 6d 9h 5s 5d Tc Td; 1=100 2=100; stacks 1=ann 2=ann; chips ann=300"
    assert refusal(f"{line}; 1 double, 2 double") == "not_enough_chips"
    assert refusal(line.replace("ann=300", "ann=199")) == "not_enough_chips"
    assert refusal(line.replace("boxes_per_player=2", "boxes_per_player=1")) == "too_many_boxes"


def test_the_dealer_draws_nothing_for_backers_of_a_decided_hand() -> None:
    assert dealer(play("openseat; Ts 2h 6d 3c Td; 1=100 carol@1=50 dave@1=10; 1 hit")) == "2h 3c"
