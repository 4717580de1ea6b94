"""The record of a round: what it follows from, and so everything that a history needs to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.actions import Move
from engine.bets import Behind
from engine.round import Round, apply, deal, lay
from engine.rules import Rules
from engine.shoe import SealedShoe, Shoe


@dataclass(frozen=True, slots=True)
class Record:
    """One round of a game by its causes.

    `bets` and `pairs` are chips by box, `chips` what each stack held before, `moves` the answers in order.
    `sat_out` names the seats without a bet, `resigned` gives for each seat that resigned in this round the
    number of moves made before it did. `broken_off` means that the game ended before the round did, `void`
    that every bet went back. `shoe` is as it was when the round began.
    """

    number: int
    shoe: SealedShoe
    bets: Mapping[int, int] = field(default_factory=dict)
    pairs: Mapping[int, int] = field(default_factory=dict)
    behind: tuple[Behind, ...] = ()
    stacks: Mapping[int, str] = field(default_factory=dict)
    chips: Mapping[str, int] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    sat_out: tuple[int, ...] = ()
    resigned: tuple[tuple[int, int], ...] = ()
    broken_off: bool = False
    void: bool = False
    first_question: int = 1

    def lay(self, rules: Rules) -> Round | None:
        """The round before its first card; None when nobody bet."""
        return self._begin(lay, rules)

    def deal(self, rules: Rules) -> Round | None:
        """The round before its first move; None when nobody bet."""
        return self._begin(deal, rules)

    def _begin(self, how: Callable[..., Round], rules: Rules) -> Round | None:
        if not self.bets:
            return None
        return how(
            rules,
            Shoe.from_seed(self.shoe.seed, rules.decks, played=self.shoe.dealt, spare=self.shoe.spare),
            self.bets,
            chips=self.chips,
            pairs=self.pairs,
            behind=self.behind,
            stacks=self.stacks,
            first_question=self.first_question,
        )

    def replay(self, rules: Rules) -> Round | None:
        """The round after all its moves, rebuilt card by card; None when nobody bet."""
        state = self.deal(rules)
        if state is not None:
            for move in self.moves:
                state = apply(state, move)
        return state
