"""What is kept for good of a step that was just made. Called by `services`, inside its transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from engine.game import Game as GameState
from engine.game import GameEvent, GameOver, GameStarted, Kind, Purse, RoundFinished, ShoeFinished
from tables import codec, codes, figures, nicknames, summary
from tables.models import Game, GamePlayer, Participant, Round, Shoe, Table


def keep(
    table: Table, before: GameState, after: GameState, happened: Sequence[GameEvent], now: datetime
) -> None:
    # One step may end a game and open the next: what happened until then belongs to the one before.
    number = before.number
    over = next((event for event in happened if isinstance(event, GameOver)), None)
    purses = over.purses if over else after.purses
    for event in happened:
        match event:
            case GameStarted():
                number = event.number
                _start(table, after, now)
            case RoundFinished():
                _round(_game(table, number), before, event, purses, now)
            case ShoeFinished():
                Shoe.objects.filter(game=_game(table, number), number=event.shoe.number).update(finished=now)
            case GameOver():
                _finish(table, event, now)


def _start(table: Table, after: GameState, now: datetime) -> None:
    game = Game.objects.create(
        id=codes.new_game_id(),
        table=table,
        table_code=table.code,
        number=after.number,
        kind=after.kind.value,
        rules=after.rules.to_json(),
        rounds=after.rounds,
        listed=table.listed,
        started=now,
        rule_set=summary.rule_set(after.rules.to_json()),
    )
    if after.kind is Kind.MATCH:
        _players(game, after.purses, {seat.stack: seat.number for seat in after.seats}, {})
        game.save(update_fields=COUNTS)


# What the row of a player has from the purse, and all that changes of it while a game runs.
FROM_PURSE = ("chips", "highest", "refills", "backed")
CHANGES = ("seat", "won_behind", *FROM_PURSE)
# What `_players` counts.
COUNTS = ("player_count", "backer_count")


def _players(
    game: Game, purses: Sequence[Purse], seats: Mapping[str, int], won_behind: Mapping[str, int]
) -> None:
    """Write the rows of these purses as they are now, new ones for who has joined the game since.

    Who only bets behind others has seat 0. How many play and bet behind is counted on the game, which the
    caller saves.
    """
    known = {row.stack: row for row in game.players.all()}
    players = {purse.stack: purse.player for purse in purses}
    new = [player for stack, player in players.items() if stack not in known]
    guests = dict(
        Participant.objects.filter(table=game.table, player__in=new).values_list("player", "guest_id")
    )
    rows = {}
    for purse in purses:
        before = known.get(purse.stack, GamePlayer(seat=0))
        rows[purse.stack] = GamePlayer(
            game=game,
            stack=purse.stack,
            seat=before.seat or seats.get(purse.stack, 0),
            player=purse.player,
            nickname=purse.name,
            nickname_key=nicknames.key(purse.name),
            guest_id=guests.get(purse.player),
            won_behind=before.won_behind + won_behind.get(purse.stack, 0),
            **{name: getattr(purse, name) for name in FROM_PURSE},
        )
    # One statement for however many: two hundred may have bet behind others.
    GamePlayer.objects.bulk_create(
        rows.values(), update_conflicts=True, unique_fields=("game", "stack"), update_fields=CHANGES
    )
    everybody = (known | rows).values()
    game.player_count = sum(one.seat > 0 for one in everybody)
    game.backer_count = sum(one.backed > 0 for one in everybody)


def _round(
    game: Game, before: GameState, finished: RoundFinished, purses: Sequence[Purse], now: datetime
) -> None:
    record, shoe, state = finished.record, finished.record.shoe, finished.round
    notes = [codec.write_note(note) for note in finished.notes]
    seats = {record.stacks.get(box, str(box)): box for box in sorted(record.bets, reverse=True)}
    sums = figures.of_round(replace(before, record=record, round=state, notes=finished.notes))
    in_round = [purse for purse in purses if purse.stack in record.chips]
    _players(game, in_round, seats, sums["behind"])
    Shoe.objects.get_or_create(
        game=game,
        number=shoe.number,
        defaults={
            "seed": shoe.seed.hex(),
            "spare": shoe.spare.hex() if shoe.spare else "",
            "commitment": shoe.commitment,
            "spare_commitment": shoe.spare_commitment or "",
        },
    )
    Round.objects.create(
        game=game,
        number=record.number,
        schema=codec.SCHEMA,
        record={
            **codec.write_record(record),
            "chips_after": finished.chips,
            "notes": notes,
            "figures": sums,
        },
        finished=now,
    )
    game.length += 1
    game.swing = max(game.swing, summary.swing(record.chips, finished.chips))
    if game.kind == Kind.OPEN.value:
        game.dated = game.dated or now
    game.save(update_fields=("length", "swing", "dated", *COUNTS))


def _finish(table: Table, over: GameOver, now: datetime) -> None:
    game = _game(table, over.number)
    if game.kind != Kind.MATCH.value and not game.played.exists():
        # A bet was laid and taken back, and nothing was ever played.
        game.delete()
        return
    game.finished = now
    game.reason = over.result.reason.value
    game.result = codec.write_result(over.result)
    known = set(game.players.values_list("stack", flat=True))
    _players(game, [purse for purse in over.purses if purse.stack in known], {}, {})
    winner = next((place for place in over.result.places if place.seat == over.result.winner), None)
    game.outcome = summary.outcome(game.kind, game.reason, won=winner is not None)
    game.winner, game.winner_chips = (winner.name, winner.chips) if winner else ("", None)
    game.dated = game.dated or now
    game.save()
    for place in over.result.places:
        GamePlayer.objects.filter(game=game, stack=place.stack).update(
            place=place.place,
            won=place.seat == over.result.winner,
        )


def _game(table: Table, number: int) -> Game:
    return Game.objects.get(table=table, number=number)
