"""What lay behind the boxes of a finished round, and what it brought."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.brought import Brought, BroughtBehind
from engine.table import Game
from tables import words


@dataclass(frozen=True, slots=True)
class BetBehind:
    """All that one stack had behind one box (chips): laid before the deal, followed, on the pair, insured.

    `net` is what all of it brought, `returned` says that some of it was never decided.
    """

    box: int
    stack: str
    bet: int
    followed: int
    pair: int
    insurance: int
    net: int
    returned: bool

    @property
    def staked(self) -> int:
        return self.bet + self.followed + self.pair + self.insurance

    @property
    def paid(self) -> int:
        """Everything that came back."""
        return self.staked + self.net


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


def bets_behind(game: Game) -> Iterator[BetBehind]:
    """Every bet behind a box of that round."""
    brought = Brought(game.rules, game.record, game.round)
    return (_bet_behind(brought, bet) for bet in brought.behind)


def _bet_behind(brought: Brought, behind: BroughtBehind) -> BetBehind:
    box, bet, pair, insurance = behind.box, behind.backer.bet, behind.pair, behind.insurance
    undecided = any(
        stake.paid is None and not brought.given_up(box, place, stake) for place, stake in behind.stakes
    ) or any(side is not None and side.paid is None for side in (pair, insurance))
    return BetBehind(
        box=box,
        stack=behind.stack,
        bet=bet,
        followed=behind.staked - bet,
        pair=pair.bet if pair else 0,
        insurance=insurance.bet if insurance else 0,
        net=behind.net or 0,
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
