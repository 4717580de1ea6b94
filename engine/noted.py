"""Whether the notes of a game's rounds can be: each kind has its time and its place, nobody takes a seat that
somebody holds, and whoever is missed in the next round has left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import Differs
from engine.ledger import Ledger
from engine.record import Record
from engine.round import Round
from engine.rules import Shuffle
from engine.shoe import cut_after
from engine.table import Kind, NoteKind, match_stack, seat_limit

# About the cards or the whole table, and so about no seat.
NO_SEAT = frozenset({NoteKind.CUT_CARD, NoteKind.DISCARDS, NoteKind.VOID_FAILURE, NoteKind.VOID_STAFF})
VOID = frozenset({NoteKind.VOID_FAILURE, NoteKind.VOID_STAFF})
_IN_A_MATCH = frozenset(
    {
        NoteKind.RESIGNED, NoteKind.DRAW_OFFERED, NoteKind.DRAW_REFUSED, NoteKind.DRAW_CANCELLED,
        NoteKind.STOPPED_WAITING, NoteKind.CAME_BACK,
    }
)  # fmt: skip
# What is told between two rounds (who is out, who has a fresh stack) is in neither of them.
KINDS: Mapping[Kind, frozenset[NoteKind]] = {
    Kind.MATCH: NO_SEAT | {NoteKind.SAT_OUT} | _IN_A_MATCH,
    Kind.SOLO: NO_SEAT | {NoteKind.SAT_OUT, NoteKind.SAT_DOWN, NoteKind.LEFT},
    Kind.OPEN: NO_SEAT | {NoteKind.SAT_OUT, NoteKind.SAT_DOWN, NoteKind.LEFT, NoteKind.IDLE},
}


@dataclass(frozen=True, slots=True)
class Said:
    """A note as it is told: after so many of the actions of its round."""

    kind: NoteKind
    actions: int
    seat: int
    name: str

    def differs(self, **figures: object) -> Differs:
        return Differs("note", kind=self.kind.value, seat=self.seat, actions=self.actions, **figures)


class Notes:
    """The notes of a game, round by round, and what they say of its seats. `names` are nicknames by stack."""

    def __init__(self, ledger: Ledger, names: Mapping[str, str]) -> None:
        self.ledger = ledger
        self.rules = ledger.rules
        self.kind = ledger.kind
        self.names = names
        # Who holds each seat between two rounds: "" for nobody. Of other seats nothing is known yet.
        self.holders: dict[int, str] = {}
        # Of a match: who plays on after the last round, whom nobody waits for, who has offered a draw.
        self.playing = {seat for stack, seat in ledger.seats.items() if stack in names}
        self.away: set[int] = set()
        self.offer = 0

    def enter(
        self, told: Sequence[Mapping[str, Any]], record: Record, states: Sequence[Round], discards: int | None
    ) -> None:
        """Check the notes of the next round, before its chips are entered; raises `Differs`.

        `states` is as of `engine.ledger.replayed`; `discards` the index of the round's first card out of the
        discards.
        """
        notes = [self._read(note) for note in told]
        self._check_times(notes, len(record.moves))
        self._check_round(notes, record)
        self._check_cards(notes, record, states, discards)
        if self.kind is Kind.MATCH:
            self._check_match(notes, record)
        else:
            self._check_seats(notes, record)

    def _read(self, told: Mapping[str, Any]) -> Said:
        try:
            kind = NoteKind(told["kind"])
        except ValueError:
            raise Differs("note", kind=told["kind"][:100]) from None
        note = Said(kind, told["actions"], told["seat"], told["name"])
        if kind not in KINDS[self.kind]:
            raise note.differs(game=self.kind.value)
        if kind in NO_SEAT:
            fits = (note.seat, note.name) == (0, "")
        else:
            fits = 1 <= note.seat <= seat_limit(self.rules, self.kind)
        if not fits:
            raise note.differs(name=note.name)
        return note

    def _check_times(self, notes: Sequence[Said], moves: int) -> None:
        """They are in the order in which it happened."""
        before = 0
        for note in notes:
            if not before <= note.actions <= moves:
                raise note.differs(first=before, last=moves)
            before = note.actions

    def _check_round(self, notes: Sequence[Said], record: Record) -> None:
        """Whoever sits the round out is told before its first action, a void round with its end."""
        sat_out = [note for note in notes if note.kind is NoteKind.SAT_OUT]
        if sorted(note.seat for note in sat_out) != sorted(record.sat_out):
            raise Differs(
                "note", kind="sat_out", said=[note.seat for note in sat_out], follows=list(record.sat_out)
            )
        void = [note for note in notes if note.kind in VOID]
        if len(void) != record.void:
            raise Differs("note", kind="void", said=len(void), follows=int(record.void))
        for note in (*sat_out, *void):
            follows = len(record.moves) if note.kind in VOID else 0
            if note.actions != follows:
                raise note.differs(follows=follows)

    def _check_cards(
        self, notes: Sequence[Said], record: Record, states: Sequence[Round], discards: int | None
    ) -> None:
        """The cut card came, and the discards were dealt, where the cards say so."""
        first, follows = record.shoe.dealt, dict[NoteKind, int]()
        if self.rules.shuffle is Shuffle.CUT_CARD:
            cut = cut_after(self.rules.decks, self.rules.cut_card) - first
            if cut > 0:
                follows[NoteKind.CUT_CARD] = _when(states, cut)
            if discards is not None:
                follows[NoteKind.DISCARDS] = _when(states, discards + 1)
        for kind in (NoteKind.CUT_CARD, NoteKind.DISCARDS):
            said = [note.actions for note in notes if note.kind is kind]
            when = follows.get(kind, -1)
            if said != [when][: when >= 0]:
                raise Differs("note", kind=kind.value, said=said, follows=[when][: when >= 0])

    # A match: the seats are held from its beginning to its end

    def _check_match(self, notes: Sequence[Said], record: Record) -> None:
        playing = {*record.bets, *record.sat_out}
        self._check_resigned(notes, record, playing)
        resigned = {note.seat for note in notes if note.kind is NoteKind.RESIGNED}
        offered: set[int] = set()
        for note in notes:
            if note.kind in NO_SEAT:
                continue
            # The oldest notes have no names.
            name = self.names.get(match_stack(self.rules, note.seat))
            if note.name not in ("", name):
                raise note.differs(said=note.name, follows=name)
            if note.seat not in playing | resigned and note.kind is not NoteKind.CAME_BACK:
                raise note.differs()
            self._follow(note, playing, offered)
        self.playing = playing - resigned

    def _check_resigned(self, notes: Sequence[Said], record: Record, playing: Collection[int]) -> None:
        """Who gave up in the round, or before it was dealt: those are missed, and not for want of chips."""
        least = self.rules.min_bet
        missed = {
            seat
            for seat in self.playing.difference(playing)
            if self.ledger.holding(match_stack(self.rules, seat)).chips >= least
        }
        follows = sorted([*record.resigned, *((seat, 0) for seat in missed)])
        said = sorted((note.seat, note.actions) for note in notes if note.kind is NoteKind.RESIGNED)
        if said != follows:
            raise Differs("note", kind="resigned", said=said, follows=follows)

    def _follow(self, note: Said, playing: Collection[int], offered: set[int]) -> None:
        """One draw is offered at a time, and once a round by a seat; who is not waited for may come back."""
        match note.kind:
            case NoteKind.DRAW_OFFERED:
                # With a seat that is out its offer is gone.
                if note.seat in offered or self.offer in playing:
                    raise note.differs(offered_by=self.offer or note.seat)
                offered.add(note.seat)
                self.offer = note.seat
            case NoteKind.DRAW_REFUSED | NoteKind.DRAW_CANCELLED:
                if not self.offer or (note.seat == self.offer and note.kind is NoteKind.DRAW_REFUSED):
                    raise note.differs(offered_by=self.offer or None)
                self.offer = 0
            case NoteKind.STOPPED_WAITING | NoteKind.CAME_BACK:
                if (note.seat in self.away) is (note.kind is NoteKind.STOPPED_WAITING):
                    raise note.differs(away=note.seat in self.away)
                self.away ^= {note.seat}

    # Where people come and go

    def _check_seats(self, notes: Sequence[Said], record: Record) -> None:
        of_seat: defaultdict[int, list[Said]] = defaultdict(list)
        for note in notes:
            if note.kind not in NO_SEAT:
                of_seat[note.seat].append(note)
        playing = {*record.bets, *record.sat_out}
        for seat in range(1, seat_limit(self.rules, self.kind) + 1):
            before, after = _around_the_deal(of_seat[seat], record)
            self._come_and_go(seat, before)
            self._check_dealt(seat, seat in playing)
            if seat in record.bets:
                self._check_name(seat, self.names.get(record.stacks.get(seat, str(seat)), ""))
            for note in after:
                if note.kind is NoteKind.SAT_OUT:
                    self._check_name(seat, note.name)
                else:
                    self._leave(note, record)

    def _come_and_go(self, seat: int, notes: Sequence[Said]) -> None:
        """Before the deal. Of somebody who came and went again the last of it alone is told, so that whoever
        sits down is told last of all, and nobody twice."""
        for place, note in enumerate(notes, 1):
            leaves = note.kind is NoteKind.LEFT
            if note.actions or not (leaves or (note.kind is NoteKind.SAT_DOWN and place == len(notes))):
                raise note.differs(name=note.name)
        names = [note.name for note in notes]
        held_by = self.holders.get(seat)
        if len(set(names)) != len(names) or (names and held_by and held_by not in names):
            raise notes[-1].differs(names=names, held_by=held_by)
        if notes:
            self.holders[seat] = notes[-1].name if notes[-1].kind is NoteKind.SAT_DOWN else ""

    def _check_dealt(self, seat: int, plays: bool) -> None:
        """Who sits when the cards are dealt bets or sits out."""
        held_by = self.holders.get(seat)
        if held_by is not None and plays is not bool(held_by):
            raise Differs("note", kind="sat_down" if plays else "left", seat=seat, held_by=held_by or None)
        if not plays:
            self.holders[seat] = ""

    def _check_name(self, seat: int, name: str) -> None:
        if self.holders.setdefault(seat, name) != name:
            raise Differs("note", seat=seat, said=self.holders[seat], follows=name)

    def _leave(self, note: Said, record: Record) -> None:
        """After the deal. The cards of who leaves stay until the end; who has none may go at once."""
        ended = note.actions == len(record.moves)
        fits = ended or note.seat in record.sat_out
        if note.kind is NoteKind.IDLE:
            fits = ended and note.seat in record.sat_out and not record.void
        if not fits or note.kind is NoteKind.SAT_DOWN:
            raise note.differs(name=note.name)
        self._check_name(note.seat, note.name)
        self.holders[note.seat] = ""


def _when(states: Sequence[Round], cards: int) -> int:
    """After how many actions so many cards were dealt first; -1 where they never were."""
    return next((index for index, state in enumerate(states) if state.drawn >= cards), -1)


def _around_the_deal(notes: Sequence[Said], record: Record) -> tuple[Sequence[Said], Sequence[Said]]:
    """The notes about a seat from before the deal and from after it."""
    for place, note in enumerate(notes):
        if note.kind is NoteKind.SAT_OUT:
            return notes[:place], notes[place:]
    if notes and notes[-1].kind is NoteKind.LEFT and notes[-1].seat in record.bets:
        # It has cards, so that it was left at the end of the round.
        return notes[:-1], notes[-1:]
    return notes, ()
