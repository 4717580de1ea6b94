"""A request becomes the engine's action: whose question it answers, at which box, in which game."""

from __future__ import annotations

from dataclasses import replace

from engine import actions
from engine.actions import Move, TableAction
from engine.game import Game
from engine.notation import MOVES_BEHIND, OWN_MOVES
from engine.questions import ask_id, questions_behind, questions_of
from engine.round import Question
from engine.rules import PRESETS, Rules
from tables.errors import Refused
from tables.messages import ANSWERS, Request


def action(game: Game, player: str, name: str, asked: Request) -> TableAction:
    if asked.action in ANSWERS:
        return _answer(game, player, name, asked)
    if asked.offer is not None:
        return (actions.AcceptDraw if asked.action == "accept_draw" else actions.RefuseDraw)(
            player, asked.offer
        )
    if asked.game != game.number:
        raise Refused("stale_game")
    match asked.action:
        case "sit" if asked.seat is not None:
            return actions.Sit(player, asked.seat, name)
        case "leave":
            return actions.Leave(player, asked.seat)
        case "deal":
            return actions.Deal(player)
        case "new_game":
            return actions.NewGame(player)
        case "ready":
            return actions.Ready(player, asked.ready)
        case "start":
            return actions.Start(player)
        case "remove" if asked.seat is not None:
            return actions.Remove(player, asked.seat)
        case "configure" if asked.rounds is not None:
            return actions.Configure(player, _rules(game.rules, asked), asked.rounds)
        case "back_to_lobby":
            return actions.BackToLobby(player)
        case "resign":
            return actions.Resign(player)
        case "offer_draw":
            return actions.OfferDraw(player)
        case "stop_waiting" if asked.seat is not None:
            return actions.StopWaiting(player, asked.seat)
    raise Refused("unknown_action")


def _answer(game: Game, player: str, name: str, asked: Request) -> TableAction:
    ask = asked.ask or ""
    if asked.action == "bet" and asked.amount is not None:
        return actions.Bet(player, ask, asked.amount, asked.pair)
    if asked.action == "take_back":
        return actions.TakeBack(player, ask)
    if asked.action == "sit_out":
        return actions.SitOut(player, ask)
    if asked.action == "back" and asked.seat is not None:
        return actions.Back(player, name, ask, asked.seat, asked.amount or 0, asked.pair)
    if asked.action == "done":
        return actions.Done(player, ask)
    own = [question for seat in game.seats_of(player) for question in questions_of(game, seat)]
    for question in (*own, *questions_behind(game, player)):
        if ask_id(game, question.number) == ask:
            return actions.Answer(player, ask, _move(question, asked))
    raise Refused("stale_question")


def _move(question: Question, asked: Request) -> Move:
    if asked.action == "insure":
        return actions.Insure(question.box, question.backer, asked.amount)
    if question.backer is not None and asked.action in MOVES_BEHIND:
        return MOVES_BEHIND[asked.action](question.box, question.backer)
    if question.backer is None and asked.action in OWN_MOVES:
        return OWN_MOVES[asked.action](question.box)
    raise Refused("wrong_answer")


def _rules(rules: Rules, asked: Request) -> Rules:
    if asked.clock is not None:
        return with_clock(rules, on=asked.clock)
    return rules


def with_clock(rules: Rules, *, on: bool) -> Rules:
    own = PRESETS["openseat"]
    return replace(
        rules,
        bet_seconds=(rules.bet_seconds or own.bet_seconds) if on else None,
        decision_seconds=(rules.decision_seconds or own.decision_seconds) if on else None,
    )
