"""What is kept for good of a step that was just made. Called by `services`, inside its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from engine.game import Game as GameState
from engine.game import GameEvent, GameOver, GameStarted, Kind, Purse, RoundFinished, ShoeFinished
from engine.notation import format_cards
from tables import codec, codes
from tables.models import Game, GamePlayer, Hand, Participant, Round, Shoe, Table


def keep(
    table: Table, before: GameState, after: GameState, happened: Iterable[GameEvent], now: datetime
) -> None:
    # One step may end a game and open the next: what happened until then belongs to the one before.
    number = before.number
    for event in happened:
        match event:
            case GameStarted():
                number = event.number
                _start(table, after, now)
            case RoundFinished():
                _round(_game(table, number), before, event, now)
            case ShoeFinished():
                Shoe.objects.filter(game=_game(table, number), number=event.shoe.number).update(finished=now)
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
    if after.kind is Kind.MATCH:
        _players(game, after.purses, {seat.stack: seat.number for seat in after.seats})


def _players(game: Game, purses: Iterable[Purse], seats: Mapping[str, int]) -> None:
    """Rows for who has joined the game since. Who only bets behind others has seat 0."""
    rows = GamePlayer.objects.filter(game=game)
    known = dict(rows.values_list("stack", "seat"))
    for stack, seat in seats.items():
        if known.get(stack) == 0:
            rows.filter(stack=stack).update(seat=seat)
    new = [purse for purse in purses if purse.stack not in known]
    guests = dict(
        Participant.objects.filter(table=game.table, player__in=[purse.player for purse in new]).values_list(
            "player", "guest_id"
        )
    )
    GamePlayer.objects.bulk_create(
        GamePlayer(
            game=game,
            stack=purse.stack,
            seat=seats.get(purse.stack, 0),
            player=purse.player,
            nickname=purse.name,
            guest_id=guests.get(purse.player),
            chips=purse.chips,
            highest=purse.highest,
        )
        for purse in new
    )


def _round(game: Game, before: GameState, finished: RoundFinished, now: datetime) -> None:
    record, shoe = finished.record, finished.record.shoe
    notes = [codec.write_note(note) for note in finished.notes]
    seats = {record.stacks.get(box, str(box)): box for box in sorted(record.bets, reverse=True)}
    staking = [purse for purse in before.purses if purse.stack in record.chips]
    _players(game, staking, seats)
    for purse in staking:
        # A game that runs is listed too, with what everybody holds by now.
        chips = finished.chips[purse.stack]
        GamePlayer.objects.filter(game=game, stack=purse.stack).update(
            chips=chips, highest=max(purse.highest, chips), refills=purse.refills
        )
    Shoe.objects.get_or_create(
        game=game,
        number=shoe.number,
        defaults={"seed": shoe.seed.hex(), "spare": shoe.spare.hex() if shoe.spare else ""},
    )
    played = Round.objects.create(
        game=game,
        number=record.number,
        schema=codec.SCHEMA,
        record={**codec.write_record(record), "chips_after": finished.chips, "notes": notes},
        finished=now,
    )
    state = finished.round
    if state is None or record.void:
        return
    owners = dict(GamePlayer.objects.filter(game=game).values_list("stack", "player"))
    Hand.objects.bulk_create(
        Hand(
            round=played,
            seat=box.number,
            number=place,
            player=owners.get(box.stack, ""),
            cards=format_cards(hand.cards),
            bet=stake.bet,
            # A game that ends in mid-round gives back what is not decided.
            result=stake.result.value if stake.result else "returned",
            paid=stake.bet if stake.paid is None else stake.paid,
        )
        for box in state.boxes
        for place, hand in enumerate(box.hands, 1)
        for stake in hand.stakes
        if stake.stack == box.stack
    )


def _finish(table: Table, over: GameOver, now: datetime) -> None:
    game = _game(table, over.number)
    if game.kind != Kind.MATCH.value and not game.played.exists():
        # A bet was laid and taken back, and nothing was ever played.
        game.delete()
        return
    game.finished = now
    game.reason = over.result.reason.value
    game.result = codec.write_result(over.result)
    game.save(update_fields=["finished", "reason", "result"])
    for purse in over.purses:
        GamePlayer.objects.filter(game=game, stack=purse.stack).update(
            chips=purse.chips, highest=purse.highest, refills=purse.refills
        )
    for place in over.result.places:
        GamePlayer.objects.filter(game=game, stack=place.stack).update(
            place=place.place,
            won=place.seat == over.result.winner,
        )


def _game(table: Table, number: int) -> Game:
    return Game.objects.get(table=table, number=number)
