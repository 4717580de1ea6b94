"""A whole game as JSON that anybody may take away and check (`python -m engine verify`). This is version 1.

    {"format": "openseat-game", "version": 1, "id": "…",
     "kind": "match" | "solo" | "open", "preset": "openseat", "rules": {every switch},
     "rounds_planned": 10 (null unless it is a match),
     "started": "2026-05-01T12:00:00.000Z", "finished": "…" (null while it runs),
     "reason": "rounds" (null while it runs),
     "players": [{"stack", "name", "seat", "chips", "highest", "refills", "backed", "won_behind", "place"}],
     "backers": [{"stack", "name", "chips", "highest", "refills", "backed", "won_behind"}],
     "shoes": [{"number", "commitment", "seed", "spare_commitment", "spare"}],
     "result": {"reason", "winner": a stack or null, "places": [{"place", "stack", "chips", "status"}]},
     "rounds": [{"number", "finished", "void", "broken_off", "sat_out": [2],
                 "resigned": [{"seat", "actions"}],
                 "shoe": {"number", "first", "discards"},
                 "case": {…}, "result": {…}, "chips_after": {"1": 1150},
                 "notes": [{"kind", "actions", "seat", "name"}]}],
     "checksum": "…"}

- A time is a moment in UTC in that one form. The game, its rounds in their order and its end come one after
  the other or at once: where the clock of a site was set back, the time before is written again.
- `preset` is what the game is called: lower-case letters, digits and hyphens, 20 at most. It is "custom" for
  any rules, or a preset, whatever its clocks and side bets (`FREE_SWITCHES`). What a preset says may change;
  the `rules` are those that were played. The rules of a preset never go by the name of another one.
- A *stack* is somebody's chips in this game, by a name that the case format allows (`engine.cases`). Whose it
  is stand in `players` (who had a seat) and `backers` (who only bet behind others). There are `chips` at the
  end, or now; the `highest` after any round; `refills`, the fresh stacks; `backed`, the rounds with bets
  behind others, and `won_behind`, what these brought. A `name` has 1 to 20 characters that can be seen, no
  two spaces in a row and none at its ends; two people may have the same.
- Between two rounds nothing changes but this: whoever has less than the least bet begins anew with the
  `starting_chips`, except the seats of a match. A stack that is new holds the `starting_chips` too.
- A *shoe* has the hash of its seed, both 64 lower-case hex digits; the seeds are null while it is in use.
  Shoes with a cut card, and they alone, have a `spare`, the seed for the discards. `engine.shoe` says how the
  cards follow from a seed.
- `case` is the round as the case format takes it: its `shoe` are the cards that were dealt, in that order,
  and only they. `result` is what the case format answers (`python -m engine settle`). Both are null where
  nobody bet. A round that is `void` (every bet went back) or was `broken_off` with its game stops there.
- `first` is the index of the round's first card in its shoe, from 0. Where the shoe ran out in the middle of
  the round, `discards` is the index in `case.shoe` of the first card out of the shuffled discards.
- `reason` is why the game ended: a match that was played to its last round by `rounds` and for no other
  reason, one with a single seat left by `last_left`, one that everybody lost at once by `all_out`; only
  before its last round was settled by `agreed_draw` or `abandoned`. A solo game ends by `new_game` or
  `abandoned`, one of an open table `empty` or, with a shoe, by `day_over`.
- `notes` are what people did beside the cards, in order, each after so many `actions`. About no seat (0, with
  no name) are `cut_card`, `discards`, and `void_staff` or `void_failure`, one for a void round at its end.
  Before the first action are `sat_out`, for each seat of that list, and `sat_down`. A seat that comes into a
  round was `sat_down` on, and one that is missed has `left`, is `idle` (after a round without a bet), or in a
  match `resigned` if it has the chips for a bet. The name is that of the stack, but who never bet has none.
  In a match there are `draw_offered`, `draw_refused`, `draw_cancelled`, `stopped_waiting` and `came_back`
  besides.
- `resigned` tells after how many of the actions a seat of a match gave up: its stack keeps what it held then.
- `checksum` is the SHA-256 of everything else: the game without `rounds` and `checksum`, then each round,
  each as JSON with sorted names, no spaces and ASCII alone, followed by a line feed. It finds what got
  damaged or edited by mistake, times and nicknames too; who changes a game on purpose can make a new one.

What is stored may take another form in time; what is written here does not change within version 1.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cases import report
from engine.errors import Differs, EngineError
from engine.ledger import Ledger, replayed
from engine.notation import format_cards, format_move
from engine.record import Record
from engine.round import Round
from engine.rules import Rules
from engine.shoe import SealedShoe, Shoe
from engine.table import Kind, Note, Reason, Result

FORMAT, VERSION = "openseat-game", 1
# A table goes by the name of a preset whatever clock and side bets were chosen for it.
FREE_SWITCHES = frozenset({"bet_seconds", "decision_seconds", "pair_bets", "backing"})

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A finished round: its record, what each stack held after it, what else happened, and when it ended."""

    record: Record
    chips: Mapping[str, int]
    notes: Sequence[Note]
    finished: str


# Called with a round and how it stood after its last move, None where nobody bet.
Seen = Callable[[Played, Round | None], None]


@dataclass(frozen=True, slots=True)
class KeptShoe:
    """A shoe that rounds were dealt from. Its seeds are told only when it is finished.

    `hashes` are its commitments as they were shown before the bets; without them those of its seeds are told.
    """

    shoe: SealedShoe
    finished: bool
    hashes: tuple[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game as it was kept. `names` are everybody's nicknames by stack; all times are moments in UTC in the
    form "2026-05-01T12:00:00.000Z"."""

    id: str
    kind: Kind
    preset: str
    rules: Rules
    rounds: int
    started: str
    finished: str | None = None
    result: Result | None = None
    names: Mapping[str, str] = field(default_factory=dict)


def export(
    game: KeptGame, shoes: Iterable[KeptShoe], played: Iterable[Played], seen: Seen | None = None
) -> Json:
    """The exported form of a game, from its rounds in order and the shoes that these were dealt from.

    Each round is shown to `seen` as it was played again. Raises `Differs` for one that can not be.
    """
    ledger = Ledger(game.rules, game.kind)
    rounds, time = [], game.started
    for one in played:
        ledger.open_bets()
        # A clock that was set back does not turn the order round.
        time = max(time, one.finished)
        try:
            rounds.append(_round(ledger, one, time, seen))
        except EngineError as error:
            raise Differs("record", round=one.record.number, reason=str(error)) from None
    if plays_on(game.kind, game.result.reason if game.result else None):
        ledger.open_bets()
    exported: Json = {
        "format": FORMAT,
        "version": VERSION,
        "id": game.id,
        "kind": game.kind.value,
        "preset": game.preset,
        "rules": game.rules.to_json(),
        "rounds_planned": game.rounds if game.kind is Kind.MATCH else None,
        "started": game.started,
        "finished": max(time, game.finished) if game.finished else None,
        "reason": game.result.reason.value if game.result else None,
        **_people(game, ledger),
        "shoes": [_shoe(one) for one in shoes],
        "result": _result(game.result) if game.result else None,
        "rounds": rounds,
    }
    return {**exported, "checksum": checksum(exported, rounds)}


def plays_on(kind: Kind, reason: Reason | None) -> bool:
    """Whether bets opened after the last round of a game that ended for this reason (None: it runs)."""
    return reason is None or (kind is not Kind.MATCH and reason is not Reason.DAY_OVER)


def checksum(game: Mapping[str, Any], rounds: Iterable[Any]) -> str:
    """The checksum of an exported game: all but its rounds, then each of these."""
    total = hashlib.sha256()
    total.update(canonical({name: game[name] for name in game if name not in ("rounds", "checksum")}))
    for one in rounds:
        total.update(canonical(one))
    return total.hexdigest()


def canonical(value: object) -> bytes:
    """JSON in the one form that checksums are made of."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def write(exported: Json) -> Iterator[str]:
    """The text of an exported game, piece by piece: a line for each part of it and each round."""
    before = "{"
    for name, value in exported.items():
        yield f"{before}\n {json.dumps(name)}: "
        if name == "rounds" and value:
            yield "[\n  " + ",\n  ".join(json.dumps(one) for one in value) + "\n ]"
        else:
            yield json.dumps(value)
        before = ","
    yield "\n}\n"


# Its parts


def _round(ledger: Ledger, played: Played, finished: str, seen: Seen | None) -> Json:
    record, rules = played.record, ledger.rules
    states = replayed(record.deal(rules), record)
    if seen is not None:
        seen(played, states[-1] if states else None)
    # What happened after so many events happened after so many actions.
    events = [len(state.events) for state in states]
    if not record.chips.keys() <= played.chips.keys():
        raise Differs("chips_after", stacks=sorted(played.chips))
    after = {stack: played.chips[stack] for stack in record.chips}
    ledger.enter(record, states, after)
    shoe, discards = _dealt(record, rules, states[-1]) if states else ("", None)
    return {
        "number": record.number,
        "finished": finished,
        "void": record.void,
        "broken_off": record.broken_off,
        "sat_out": list(record.sat_out),
        "resigned": [{"seat": seat, "actions": actions} for seat, actions in record.resigned],
        "shoe": {"number": record.shoe.number, "first": record.shoe.dealt, "discards": discards},
        "case": _case(record, rules, shoe) if states else None,
        "result": report(states[-1]) if states else None,
        "chips_after": after,
        "notes": [_note(note, events) for note in played.notes],
    }


def _dealt(record: Record, rules: Rules, state: Round) -> tuple[str, int | None]:
    """The cards of a round in the order in which they were dealt, and where the discards begin."""
    sealed = record.shoe
    shoe = Shoe.from_seed(sealed.seed, rules.decks, played=sealed.dealt, spare=sealed.spare)
    left, cards = shoe.left, []
    for _ in range(state.drawn):
        card, shoe = shoe.draw()
        cards.append(card)
    return format_cards(cards), left if state.drawn > left else None


def _case(record: Record, rules: Rules, shoe: str) -> Json:
    case: Json = {
        "rules": rules.to_json(),
        "shoe": shoe,
        "bets": {str(box): bet for box, bet in sorted(record.bets.items())},
        "pairs": {str(box): bet for box, bet in sorted(record.pairs.items())},
        "behind": [
            {"backer": one.backer, "box": one.box, "bet": one.bet, "pair": one.pair} for one in record.behind
        ],
        "stacks": {str(box): stack for box, stack in sorted(record.stacks.items())},
        "chips": dict(record.chips),
        "actions": [format_move(move) for move in record.moves],
    }
    return {name: value for name, value in case.items() if value or name == "actions"}


def _note(note: Note, events: Sequence[int]) -> Json:
    return {
        "kind": note.kind.value,
        "actions": max(0, sum(count <= note.after for count in events) - 1),
        "seat": note.seat,
        "name": note.name,
    }


def _people(game: KeptGame, ledger: Ledger) -> Json:
    """Everybody that the rounds tell of, and whoever began a match."""
    for stack in game.names:
        if stack in ledger.seats:
            ledger.holding(stack)
    places = {one.stack: one.place for one in game.result.places} if game.result else {}
    players, backers = [], []
    for stack, one in sorted(ledger.holdings.items(), key=lambda item: (item[1].seat, item[0])):
        who = {"stack": stack, "name": game.names.get(stack, "")}
        chips = {"chips": one.chips, "highest": one.highest, "refills": one.refills}
        behind = {"backed": one.backed, "won_behind": one.won_behind}
        if one.seat:
            players.append({**who, "seat": one.seat, **chips, **behind, "place": places.get(stack)})
        else:
            backers.append({**who, **chips, **behind})
    return {"players": players, "backers": backers}


def _shoe(kept: KeptShoe) -> Json:
    shoe, open_to_all = kept.shoe, kept.finished
    commitment, spare_commitment = kept.hashes or (shoe.commitment, shoe.spare_commitment)
    return {
        "number": shoe.number,
        "commitment": commitment,
        "seed": shoe.seed.hex() if open_to_all else None,
        "spare_commitment": spare_commitment,
        "spare": shoe.spare.hex() if open_to_all and shoe.spare else None,
    }


def _result(result: Result) -> Json:
    return {
        "reason": result.reason.value,
        "winner": next((one.stack for one in result.places if one.seat == result.winner), None),
        "places": [
            {"place": one.place, "stack": one.stack, "chips": one.chips, "status": one.status.value}
            for one in result.places
        ],
    }
