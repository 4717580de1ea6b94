"""Surrender: half the bet, first two cards, before anything else is done with the box."""

import pytest

from engine.events import Declined
from tests.engine.telling import backed, choices, dealer, play, refusal, side, told, verbs

OWN = "openseat surrender=any"
FIRST = "openseat surrender=any surrender_until=first_draw"

OFFERED = [
    ("none", "9h", False), ("none", "Th", False), ("none", "Ah", False),
    ("any", "9h", True), ("any", "Th", True), ("any", "Ah", True),
    ("not_ace_ten", "9h", True), ("not_ace_ten", "Th", False), ("not_ace_ten", "Kh", False),
    ("not_ace_ten", "Ah", False), ("not_ace_ten", "2h", True),
]  # fmt: skip


@pytest.mark.parametrize(("surrender", "up", "offered"), OFFERED)
def test_against_which_upcard(surrender: str, up: str, offered: bool) -> None:
    line = f"openseat insurance=none surrender={surrender}; Ts {up} 6d 5c; 1=100"
    assert ("surrender" in verbs(play(line))) is offered
    at_once = play(line.replace(";", " surrender_until=first_draw;", 1))
    assert (at_once.phase.value == "surrender") is offered


def test_half_comes_back_to_the_seat_and_its_backers_who_are_not_asked() -> None:
    state = play(f"{OWN}; Ts 9h 6d 5c; 1=100 carol@1=50; 1 surrender")
    assert (told(state), backed(state, "carol"), dealer(state)) == (
        "Ts 6d surrender 50",
        "1 surrender 25",
        "9h 5c",
    )


REFUSED = [
    ("openseat; Ts 9h 6d 5c; 1=100; 1 surrender", "no_surrender"),
    ("openseat surrender=not_ace_ten; Ts Kh 6d 5c; 1=100; 1 surrender", "no_surrender_against_ace_ten"),
    (f"{OWN}; 2s 9h 6d 5c 3c; 1=100; 1 hit, 1 surrender", "surrender_first_two_cards"),
    (f"{OWN}; 8s 9h 8d 5c 3c 4c; 1=100; 1 split, 1 surrender", "surrender_first_two_cards"),
    (f"{OWN}; 8s 9h 8d 5c 3c 4c; 1=100; 1 split, 1 stand, 1 surrender", "surrender_first_two_cards"),
    (f"{OWN}; Ts 9h 6d 5c 3c; 1=100; 1 stand, 1 surrender", "round_settled"),
    (f"{FIRST}; Ts 9h 6d 5c; 1=100; 1 decline, 1 surrender", "surrender_closed"),
    (f"{FIRST}; Ts 9h 6d 5c; 1=100; 1 hit", "wrong_answer"),
    (f"{FIRST}; Ts 9h 6d 5c; 1=100; 1 stand", "wrong_answer"),
    # While somebody is still asked nobody plays.
    (f"{FIRST}; Ts 9s 9h 6d 7d 5c; 1=100 2=100; 1 decline, 1 hit", "not_asked"),
]


@pytest.mark.parametrize(("line", "code"), REFUSED)
def test_when_it_is_refused(line: str, code: str) -> None:
    assert refusal(line) == code


def test_in_a_peek_game_it_comes_after_the_peek() -> None:
    for until in (OWN, FIRST):
        assert play(f"{until}; Ts Kh 6d Ac; 1=100").settled
        state = play(f"{until}; Ts Ah 6d 5c; 1=100; 1 insure, 1 surrender")
        assert (told(state), side(state.box(1).insurance)) == ("Ts 6d surrender 50", (50, 0))


def test_insurance_of_a_surrendered_box_stays_on_the_table() -> None:
    line = "openseat hole_card=none surrender=any; Ts Ah 6d Kc; 1=100; 1 insure, 1 surrender"
    state = play(line)
    # The dealer draws one card for the insurance alone.
    assert (dealer(state), side(state.box(1).insurance), state.chips["1"]) == ("Ah Kc", (50, 150), 1_050)


def test_insurance_does_not_close_it() -> None:
    assert "surrender" in verbs(play(f"{OWN}; Ts Ah 6d 5c; 1=100; 1 decline"))


def test_everyone_is_asked_at_once_before_the_first_card_and_nobody_later() -> None:
    line = f"{FIRST}; Ts 9s 3s 9h 6d 7d 4d 5c Tc; 1=100 2=100 3=100"
    assert choices(play(line)) == {f"{box} {verb}" for box in (1, 2, 3) for verb in ("surrender", "decline")}
    state = play(f"{line}; 2 surrender, 3 decline, 1 decline")
    assert (state.phase.value, told(state, 2)) == ("turns", "9s 7d surrender 50")
    assert verbs(state) == {"hit", "stand", "double"}


def test_a_blackjack_is_never_asked() -> None:
    for hole in ("peek", "none"):
        line = f"{FIRST} hole_card={hole}; As 9s Kh Kd 7d; 1=100 2=100".replace("7d", "7d 5c")
        assert choices(play(line)) == {"2 surrender", "2 decline"}
    assert play("openseat surrender=any hole_card=none; As 9s Kh Kd 7d; 1=100 2=100").questions[0].box == 2


def test_when_all_surrender_the_dealer_draws_nothing() -> None:
    state = play(f"{FIRST}; Ts 9s 2h 6d 7d 3c; 1=100 2=100; 2 surrender, 1 surrender")
    assert (state.settled, dealer(state)) == (True, "2h 3c")


def test_who_does_not_surrender_plays_on_and_is_told_so() -> None:
    ace = f"{FIRST}; Ts 9s Ah 6d 7d 3c; 1=100 2=100; 1 decline, 2 decline"
    state = play(f"{ace}, 2 decline, expire")
    said = [(one.box, one.surrender) for one in state.events if isinstance(one, Declined)]
    assert said == [(1, False), (2, False), (2, True), (1, True)]


def test_when_the_clock_runs_out_nobody_surrenders() -> None:
    state = play(f"{FIRST}; Ts 9s 2h 6d 7d 3c; 1=100 2=100; 1 surrender, expire")
    assert (state.phase.value, told(state, 1), told(state, 2)) == (
        "turns",
        "Ts 6d surrender 50",
        "9s 7d open 100",
    )
