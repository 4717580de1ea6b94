"""What is kept for good of a step that was just made. Called by `services`, inside its transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from engine.game import Game as GameState
from engine.game import GameEvent, GameOver, GameStarted, RoundFinished
from engine.notation import format_cards
from tables import codec, codes
from tables.models import Game, GamePlayer, Hand, Participant, Round, Table


def keep(table: Table, after: GameState, happened: Iterable[GameEvent], now: datetime) -> None:
    for event in happened:
        match event:
            case GameStarted():
                _start(table, after, now)
            case RoundFinished():
                _round(table, after, event, now)
            case GameOver():
                _finish(table, event, now)


def _start(table: Table, after: GameState, now: datetime) -> None:
    game = Game.objects.create(
        id=codes.new_game_id(),
        table=table,
        number=after.number,
        kind=after.kind.value,
        rules=after.rules.to_json(),
        rounds=after.rounds,
        listed=table.listed,
        started=now,
    )
    guests = dict(Participant.objects.filter(table=table).values_list("player", "guest_id"))
    GamePlayer.objects.bulk_create(
        GamePlayer(
            game=game,
            seat=seat.number,
            player=seat.player,
            nickname=seat.name,
            guest_id=guests.get(seat.player),
            chips=seat.chips,
        )
        for seat in after.seats
    )


def _round(table: Table, after: GameState, finished: RoundFinished, now: datetime) -> None:
    number = finished.record.number
    notes = [codec.write_note(note) for note in after.notes if note.round == number]
    played = Round.objects.create(
        game=_game(table, after.number),
        number=number,
        schema=codec.SCHEMA,
        record={
            **codec.write_record(finished.record),
            "commitment": finished.record.commitment,
            "chips_after": {str(seat): chips for seat, chips in finished.chips.items()},
            "notes": notes,
        },
        finished=now,
    )
    if finished.round is None:
        return
    owners = dict(GamePlayer.objects.filter(game=played.game).values_list("seat", "player"))
    Hand.objects.bulk_create(
        Hand(
            round=played,
            seat=box.number,
            number=place,
            player=owners.get(box.number, ""),
            cards=format_cards(hand.cards),
            bet=stake.bet,
            # A match that ends in mid-round gives back what is not decided.
            result=stake.result.value if stake.result else "returned",
            paid=stake.bet if stake.paid is None else stake.paid,
        )
        for box in finished.round.boxes
        for place, hand in enumerate(box.hands, 1)
        for stake in hand.stakes
        if stake.stack == box.stack
    )


def _finish(table: Table, over: GameOver, now: datetime) -> None:
    game = _game(table, over.number)
    game.finished = now
    game.reason = over.result.reason.value
    game.result = codec.write_result(over.result)
    game.save(update_fields=["finished", "reason", "result"])
    for place in over.result.places:
        GamePlayer.objects.filter(game=game, seat=place.seat).update(
            chips=place.chips, place=place.place, won=place.seat == over.result.winner
        )


def _game(table: Table, number: int) -> Game:
    return Game.objects.get(table=table, number=number)
