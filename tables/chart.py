"""Chips over the rounds of a game as lines of a drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.rules import Rules
from tables import words
from tables.figures import Stored, Summary

# More lines than these can not be told apart.
LINES = 7
# The drawing is so high, in the units of its lines; labels need so many of the pixels of the page.
HEIGHT, PIXELS, TOP, LABEL = 1000, 200, 12, 16
# How wide a digit is and what is left beside the amounts, in the height of their letters.
DIGIT, BESIDE = 0.62, 0.5
MOST_ROWS = 30


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across with its amount, or a round below the lines.

    `at` is the place of its label in the drawing as SVG takes it, `y` that of the line in units of the lines.
    """

    value: int
    at: str
    y: int = 0


@dataclass(slots=True)
class ChartLine:
    """What somebody held before the first round drawn and after each: `points` are those of an SVG polyline,
    `fresh` the points at which there was a fresh stack, `label_at` is where the name begins, in pixels."""

    index: int
    name: str
    held: list[int | None]
    points: str = ""
    fresh: list[str] = field(default_factory=list)
    label_at: int = 0

    @property
    def chips(self) -> list[int]:
        return [one for one in self.held if one is not None]

    @property
    def first(self) -> int:
        return self.chips[0]

    @property
    def last(self) -> int:
        return self.chips[-1]

    @property
    def highest(self) -> int:
        return max(self.chips)

    @property
    def lowest(self) -> int:
        return min(self.chips)


@dataclass(frozen=True, slots=True)
class Row:
    """The chips of everybody drawn after a round, None for who was not there yet."""

    round: int
    chips: list[int | None]


@dataclass(frozen=True, slots=True)
class Chart:
    lines: list[ChartLine]
    across: list[Tick]
    below: list[Tick]
    width: int
    rows: list[Row]
    left_out: int

    @property
    def fresh(self) -> bool:
        return any(line.fresh for line in self.lines)

    @property
    def height(self) -> int:
        return HEIGHT

    @property
    def label(self) -> int:
        return LABEL

    @property
    def gutter(self) -> str:
        """How wide the amounts beside the lines are, as SVG takes it."""
        return f"{max(len(words.chips(tick.value)) for tick in self.across) * DIGIT + BESIDE:.2f}em"


def chart(told: Summary, rules: Rules) -> Chart | None:
    """The chips of those who played most; None before a round is over."""
    rounds = told.rounds
    if not rounds or not told.players:
        return None
    busy = sorted(told.players, key=lambda stack: -told.players[stack].rounds)
    drawn = [stack for stack in told.players if stack in busy[:LINES]]
    lines = []
    jumps: list[list[tuple[int, int]]] = []
    for index, stack in enumerate(drawn):
        held, fresh = _held(rounds, stack, rules.starting_chips)
        name = told.names.get(stack, "")
        lines.append(ChartLine(index, name, held))
        jumps.append(fresh)
    low, high, ticks = _scale([chips for line in lines for chips in line.chips])

    def y(chips: int) -> int:
        return round((high - chips) * HEIGHT / (high - low))

    for line, fresh in zip(lines, jumps, strict=True):
        line.points = " ".join(f"{at},{y(chips)}" for at, chips in _corners(line.held, dict(fresh)))
        line.fresh = [f"{at},{y(chips)}" for at, chips in fresh]
    _label_apart(lines, y)
    across = [Tick(chips, str(_pixel(y(chips))), y(chips)) for chips in ticks]
    return Chart(
        lines, across, list(_rounds_below(rounds)), len(rounds), _rows(rounds, lines), len(busy) - len(drawn)
    )


def _held(
    rounds: Sequence[Stored], stack: str, starting: int
) -> tuple[list[int | None], list[tuple[int, int]]]:
    """The chips of a stack before the first round and after each, and where it got a fresh stack: after so
    many rounds, so many chips. None before it was there."""
    held: list[int | None] = [None]
    fresh = []
    for at, one in enumerate(rounds):
        if stack in one.chips:
            before = held[-1]
            if before is None:
                held[-1] = one.chips[stack]
            elif before != one.chips[stack]:
                fresh.append((at, one.chips[stack]))
        held.append(one.after.get(stack, held[-1]))
    return held, fresh


def _corners(held: Sequence[int | None], fresh: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Where the line turns; what lies between on a level is left out."""
    for at, chips in enumerate(held):
        if chips is None:
            continue
        level = 0 < at < len(held) - 1 and held[at - 1] == chips == held[at + 1]
        if not level or at in fresh:
            yield at, chips
        if at in fresh:
            yield at, fresh[at]


def _scale(chips: Sequence[int]) -> tuple[int, int, list[int]]:
    """The least and the highest amount of the drawing and a few round ones from there to there."""
    least, most = min(chips), max(chips)
    step = next(
        one
        for power in range(20)
        for one in (10**power, 2 * 10**power, 5 * 10**power)
        if most // one - least // one < 4
    )
    low = least // step * step
    high = max(-(-most // step) * step, low + step)
    return low, high, list(range(low, high + 1, step))


def _pixel(y: int) -> int:
    return TOP + round(y * PIXELS / HEIGHT)


def _label_apart(lines: Sequence[ChartLine], y: Callable[[int], int]) -> None:
    """Each label beside the end of its line, as far from the next one as it needs."""
    at = -LABEL
    for line in sorted(lines, key=lambda one: -one.last):
        at = line.label_at = max(at + LABEL, _pixel(y(line.last)) - LABEL // 2)
    # What was pushed out below moves up again.
    most = TOP + PIXELS - LABEL // 2
    for line in sorted(lines, key=lambda one: -one.label_at):
        line.label_at = most = min(line.label_at, most)
        most -= LABEL


def _rounds_below(rounds: Sequence[Stored]) -> Iterator[Tick]:
    """A few round numbers under the lines."""
    count = len(rounds)
    step = next(
        one for power in range(9) for one in (10**power, 2 * 10**power, 5 * 10**power) if count // one < 6
    )
    for at in range(step, count + 1, step):
        yield Tick(rounds[at - 1].number, f"{at * 100 / count:.2f}%")


def _rows(rounds: Sequence[Stored], lines: Sequence[ChartLine]) -> list[Row]:
    """Every round, or every second, fifth, tenth … and the last."""
    count = len(rounds)
    step = next(
        one
        for power in range(9)
        for one in (10**power, 2 * 10**power, 5 * 10**power)
        if count <= MOST_ROWS * one
    )
    shown = sorted({*range(step, count + 1, step), count})
    return [Row(rounds[at - 1].number, [line.held[at] for line in lines]) for at in shown]
