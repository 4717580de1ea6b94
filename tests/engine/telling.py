"""Rounds told in words, so that a test reads like the rule it proves."""

from __future__ import annotations

import pytest

from engine.bets import SideBet, Stake
from engine.errors import EngineError
from engine.notation import format_cards, format_move, parse_round
from engine.round import Round, apply, legal_actions


def play(line: str) -> Round:
    """The round that a line of notation says."""
    return parse_round(line).play()


def refusal(line: str) -> str:
    """The code with which the last move of the line (or its deal) is refused; all before it is legal."""
    case = parse_round(line)
    if not case.moves:
        with pytest.raises(EngineError) as refused:
            case.deal()
        return refused.value.code
    *before, last = case.moves
    state = case.deal()
    for move in before:
        state = apply(state, move)
    with pytest.raises(EngineError) as refused:
        apply(state, last)
    return refused.value.code


def told(state: Round, box: int = 1) -> str:
    """The hands of a box with the seat's own stakes: ``"8h Kc push 50, 8d 3s lose 0"``."""
    hands = state.box(box).hands
    return ", ".join(f"{format_cards(hand.cards)} {_stake(hand.stakes[0])}" for hand in hands)


def backed(state: Round, backer: str, box: int = 1) -> str:
    """What a backer has on the hands of a box: ``"1 push 50, 2 lose 0"``."""
    return ", ".join(
        f"{number} {_stake(stake)}"
        for number, hand in enumerate(state.box(box).hands, start=1)
        for stake in hand.stakes[1:]
        if stake.stack == backer
    )


def _stake(stake: Stake) -> str:
    if stake.result is None:
        return f"open {stake.bet}"
    return f"{stake.result.value} {stake.paid}"


def side(bet: SideBet | None) -> tuple[int, int | None] | None:
    """A side bet as what was laid and what came back."""
    return None if bet is None else (bet.bet, bet.paid)


def dealer(state: Round) -> str:
    """The dealer's cards that are open."""
    return format_cards(state.dealer_open)


def choices(state: Round) -> set[str]:
    """Every legal move as text."""
    return {format_move(move) for move in legal_actions(state)}


def verbs(state: Round) -> set[str]:
    """Every legal move of a round that waits for one box alone, without the box."""
    return {move.split(" ", 1)[1] for move in choices(state)}
