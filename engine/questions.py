"""What is asked of whom at a table, and what its clock runs for."""

from __future__ import annotations

from engine import round as rounds
from engine.round import Question
from engine.table import Game, Kind, Phase, Seat, Status


def clock_window(game: Game) -> tuple[str | None, int | None]:
    """What the clock runs for, and its seconds (None: off).

    A new clock starts exactly when the first value changes. Where people come and go it starts with the first
    bet, so that an idle table stays idle.
    """
    at = f"{game.number}.{game.round_number}"
    if game.phase is Phase.BETTING and game.closing:
        return f"{at} closing", game.rules.backer_seconds
    if game.phase is Phase.BETTING and game.kind is not Kind.MATCH and not any(s.bet for s in game.seats):
        return None, None
    if game.phase is Phase.BETTING:
        return f"{at} bets", game.rules.bet_seconds
    if game.phase is not Phase.PLAYING or game.round is None:
        return None, None
    if all(question.backer for question in game.round.questions):
        # Only backers are left to answer: they have their own seconds, clock or not.
        return f"{at} {game.round.phase.value} backers {game.round.asked}", game.rules.backer_seconds
    match game.round.phase:
        case rounds.Phase.INSURANCE | rounds.Phase.SURRENDER:
            return f"{at} {game.round.phase.value}", game.rules.decision_seconds
        case _:
            return f"{at} turn {game.round.asked}", game.rules.decision_seconds


def ask_id(game: Game, number: int) -> str:
    """The id of a question of the present round, such as ``"7.112"``; no number comes twice at a table."""
    return f"{game.round_number}.{number}"


def questions_of(game: Game, seat: Seat) -> tuple[Question, ...]:
    """The open questions of the running round that `seat` has to answer."""
    if game.phase is not Phase.PLAYING or game.round is None or seat.status is not Status.IN:
        return ()
    return tuple(q for q in game.round.questions if q.box == seat.number and q.backer is None)


def questions_behind(game: Game, player: str) -> tuple[Question, ...]:
    """The open questions of the running round about the bets of `player` behind others."""
    backer = game.backer(player)
    if game.phase is not Phase.PLAYING or game.round is None or backer is None:
        return ()
    return tuple(q for q in game.round.questions if q.backer == backer.stack)
