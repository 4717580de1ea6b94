"""What lay behind the boxes of a finished round, and what it brought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.bets import Stake
from engine.brought import Brought
from engine.round import Backer as BoxBacker
from engine.table import Game
from tables import words


@dataclass(frozen=True, slots=True)
class BetBehind:
    """All that one stack had behind one box (chips): laid before the deal, followed, on the pair, insured.

    `paid` is everything that came back, `returned` says that some of it was never decided.
    """

    box: int
    stack: str
    bet: int
    followed: int
    pair: int
    insurance: int
    paid: int
    returned: bool

    @property
    def staked(self) -> int:
        return self.bet + self.followed + self.pair + self.insurance

    @property
    def net(self) -> int:
        return self.paid - self.staked


@dataclass(frozen=True, slots=True)
class Backer:
    name: str
    bet: BetBehind


@dataclass(frozen=True, slots=True)
class Crowd:
    """Everybody behind one box, by name."""

    backers: tuple[Backer, ...]

    @property
    def staked(self) -> int:
        return sum(one.bet.staked for one in self.backers)

    @property
    def net(self) -> int:
        return sum(one.bet.net for one in self.backers)


def crowds(game: Game) -> dict[int, Crowd]:
    """Who was behind which box of the round that `game` shows, which is over."""
    names = {purse.stack: purse.name for purse in game.purses}
    behind: dict[int, list[Backer]] = defaultdict(list)
    for bet in bets_behind(game):
        behind[bet.box].append(Backer(names.get(bet.stack, ""), bet))
    return {
        box: Crowd(tuple(sorted(backers, key=lambda one: (one.name.casefold(), one.bet.stack))))
        for box, backers in behind.items()
    }


def won_behind(game: Game) -> Mapping[str, int]:
    """What the bets behind others brought to each stack in that round, or cost it."""
    won: Counter[str] = Counter()
    for bet in bets_behind(game):
        won[bet.stack] += bet.net
    return won


def bets_behind(game: Game) -> Iterator[BetBehind]:
    """Every bet behind a box of that round."""
    brought = Brought(game.rules, game.record, game.round)
    for box in game.round.boxes if game.round else ():
        stakes: dict[str, list[tuple[int, Stake]]] = defaultdict(list)
        for place, hand in enumerate(box.hands):
            for stake in hand.stakes[1:]:
                stakes[stake.stack].append((place, stake))
        for backer in box.backers:
            yield _bet_behind(brought, box.number, backer, stakes[backer.stack])


def _bet_behind(brought: Brought, box: int, backer: BoxBacker, stakes: list[tuple[int, Stake]]) -> BetBehind:
    pair = brought.pair(box, backer.stack, backer.pair)
    insurance = brought.insurance(box, backer.stack, backer.insurance)
    staked = sum(stake.bet for _, stake in stakes)
    paid = sum(brought.stake(box, place, stake) or 0 for place, stake in stakes)
    undecided = any(stake.paid is None and not brought.given_up(box, place, stake) for place, stake in stakes)
    for side in (pair, insurance):
        if side is not None:
            paid += side.bet if side.paid is None else side.paid
            undecided |= side.paid is None
    return BetBehind(
        box=box,
        stack=backer.stack,
        bet=backer.bet,
        followed=staked - backer.bet,
        pair=pair.bet if pair else 0,
        insurance=insurance.bet if insurance else 0,
        paid=paid,
        returned=brought.void or undecided,
    )


def in_words(bet: BetBehind) -> str:
    """What somebody had behind a box and what came back: "behind 50, followed 50, pair 10 · paid 130"."""
    amounts = (
        (_("behind %(amount)s"), bet.bet),
        (_("followed %(amount)s"), bet.followed),
        (_("pair %(amount)s"), bet.pair),
        (_("insurance %(amount)s"), bet.insurance),
    )
    staked = ", ".join(said % {"amount": words.chips(amount)} for said, amount in amounts if amount)
    if bet.returned and not bet.net:
        return f"{staked} · {_('went back')}"
    return f"{staked} · {_('paid %(amount)s') % {'amount': words.chips(bet.paid)}}"
