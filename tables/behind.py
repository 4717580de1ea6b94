"""Bets behind and on pairs as the table page shows them: what may be laid, what lies, and who leads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.game import Game, NoteKind, Phase
from engine.shown import BehindView, OwnView, PublicView
from tables import words
from tables.places import named

# The states of a viewer who has no hand of the own to play.
WATCHING = frozenset({"spectator", "resigned", "out"})

# As many as the page itself tells; all of them have a page of their own.
LEADERS = 5


@dataclass(frozen=True, slots=True)
class BackableBox:
    """A box that the viewer may bet behind: what lies there, what lay last, why nothing may be laid."""

    number: int
    name: str
    bet: int
    pair: int
    last_bet: int
    last_pair: int
    why: str


@dataclass(frozen=True, slots=True)
class OwnStake:
    """What the viewer has behind one box, of the open window or of the shown round."""

    seat: int
    name: str
    behind: BehindView


def boxes(game: Game, you: OwnView | None, several: frozenset[str]) -> tuple[BackableBox, ...]:
    """The boxes behind which the viewer may bet now; `several` are the names with more than one."""
    if you is None or you.backing is None or not you.backing.open:
        return ()
    purse = game.backing_purse_of(you.player)
    last = (
        {one.box: one for one in game.record.behind if purse and one.backer == purse.stack}
        if game.record
        else {}
    )
    return tuple(
        BackableBox(
            box.box,
            named(box.name, box.box, several),
            box.bet,
            box.pair,
            last[box.box].bet if box.box in last else 0,
            last[box.box].pair if box.box in last else 0,
            words.refusal(box.reason) if box.reason else "",
        )
        for box in you.backing.boxes
    )


def purse(you: OwnView | None) -> int:
    """The chips that the viewer may lay now: as a backer a stack of their own, apart from a match's seat."""
    if you is None:
        return 0
    return you.backing.chips if you.backing is not None and you.status in WATCHING else you.chips


def fresh_stack(game: Game, you: OwnView | None) -> bool:
    """Whether the viewer had too few chips to bet behind again and got a new stack for this window."""
    if you is None or you.backing is None or you.backing.laid or game.phase is not Phase.BETTING:
        return False
    purse = game.backing_purse_of(you.player)
    told = NoteKind.REFILLED, 0, purse.name if purse else "", game.round_number - 1
    return any((note.kind, note.seat, note.name, note.round) == told for note in game.notes)


def largest_first(bets: Iterable[BehindView]) -> list[BehindView]:
    """The bets behind one box as a list of many is read."""
    return sorted(bets, key=lambda one: (-one.bet, -(one.pair.bet if one.pair else 0), one.name.casefold()))


def as_backer(you: OwnView | None) -> bool:
    """Whether the viewer is spoken to as somebody who bets behind."""
    return you is not None and you.backing is not None and (you.status in WATCHING or you.backing.waited)


def asked(view: PublicView, you: OwnView | None, several: frozenset[str]) -> str:
    """Whose hand the viewer is asked about as a backer."""
    ask = you.asks[0] if you and you.asks else None
    return named(view.seats[ask.box - 1].name, ask.box, several) if ask is not None and ask.behind else ""


def last_pair(game: Game, you: OwnView | None) -> int:
    """The pair bet (chips) that lay on the viewer's own box in the shown round."""
    pairs = game.record.pairs if game.record else {}
    return pairs.get(you.seat, 0) if you and you.seat else 0


def stakes(you: OwnView | None, several: frozenset[str]) -> tuple[OwnStake, ...]:
    """What the viewer has behind others."""
    bets = you.behind if you is not None else ()
    return tuple(OwnStake(one.box, named(one.name, one.box, several), one.behind) for one in bets)
