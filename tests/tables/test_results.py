"""However a bet on a hand ends, it is counted and called something."""

from engine.bets import Result
from tables.figures import COUNTED_AS, SUMS
from tables.words import OUTCOMES

# Beside how it ends: what was lost by giving up a match, and what went back undecided.
RESULTS = {*(result.value for result in Result), "resigned", "returned"}


def test_every_result_is_counted() -> None:
    assert set(COUNTED_AS) == RESULTS
    assert {*COUNTED_AS.values()} - {"returned"} <= {*SUMS}


def test_every_result_has_its_word() -> None:
    assert set(OUTCOMES) == RESULTS
