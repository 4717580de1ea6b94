"""What is said of each step of a replayed round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.game import Game
from tables import words
from tables.replay import Behind, Laid, Line, Step
from tables.words import Voice

# So many backers are named; more are counted.
A_FEW = 3
# Stands before and behind a name in a sentence. It is for private use: no nickname has it.
NAME = "\ue000"

BEHIND: Mapping[str, object] = {
    "laid": gettext_lazy("Behind %(name)s: %(amount)s (%(who)s)"),
    "pair": gettext_lazy("Behind %(name)s: pair %(net)s (%(who)s)"),
    "insured": gettext_lazy("Behind %(name)s: insurance for %(amount)s (%(who)s)"),
    "declined": gettext_lazy("Behind %(name)s: no, thanks (%(who)s)"),
    "insurance": gettext_lazy("Behind %(name)s: insurance %(net)s (%(who)s)"),
    "followed": gettext_lazy("Behind %(name)s: followed with %(amount)s (%(who)s)"),
    "passed": gettext_lazy("Behind %(name)s: not followed (%(who)s)"),
    "settled": gettext_lazy("Behind %(name)s: %(net)s (%(who)s)"),
}


def title(step: Step) -> str:
    """The headline of a step that tells several things; the others need none."""
    if step.kind == "bets":
        return _("Bets")
    return _("Result") if step.kind == "over" else ""


def lines(step: Step, game: Game, voice: Voice) -> list[str]:
    """All that a step tells, the first thing first."""
    said = [_line(line, voice) for line in step.lines]
    if step.kind == "over" and game.record is not None:
        if not game.record.bets:
            said.append(_("Nobody bet in this round."))
        elif game.record.broken_off:
            said.append(_("The game ended here: the bets that were open went back."))
        elif not said:
            said.append(_("Everything is paid."))
    return said


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: a name, or what stands between names."""

    text: str
    name: bool


def marked(step: Step) -> Step:
    """The same with every name fit for a sentence of a page and found again there by `parts`. A file has the
    names as they are."""
    return replace(step, lines=tuple(map(_marked, step.lines)))


def _marked(line: Line) -> Line:
    if isinstance(line, Behind):
        line = replace(line, backers=tuple(map(mark, line.backers)))
    return replace(line, name=mark(line.name))


def mark(name: str) -> str:
    return f"{NAME}{words.isolated(name)}{NAME}" if name else ""


def parts(line: str) -> list[Part]:
    """A sentence with marked names, piece by piece."""
    pieces = enumerate(line.split(NAME))
    return [Part(text, name=place % 2 == 1) for place, text in pieces if text]


def plain(line: str) -> str:
    return line.replace(NAME, "")


def _line(line: Line, voice: Voice) -> str:
    match line:
        case Laid():
            return _laid(line, voice)
        case Behind():
            figures = {
                "name": _named(line.name, line.box, voice),
                "who": _who(line.backers),
                "amount": words.chips(line.amount),
                "net": words.signed(line.amount),
            }
            return str(BEHIND[line.kind]) % figures
    return words.log_line(line, voice)


def _laid(line: Laid, voice: Voice) -> str:
    figures = {
        "name": words.box(line.box) if voice.alone else _named(line.name, line.box, voice),
        "amount": words.chips(line.bet),
        "pair": words.chips(line.pair),
    }
    if voice.alone and line.name not in voice.several:
        said = _("Bet %(amount)s, pair %(pair)s") if line.pair else _("Bet %(amount)s")
    else:
        said = _("%(name)s: bet %(amount)s, pair %(pair)s") if line.pair else _("%(name)s: bet %(amount)s")
    return said % figures


def _named(name: str, box: int, voice: Voice) -> str:
    return _("%(name)s, box %(box)s") % {"name": name, "box": box} if name in voice.several else name


def _who(names: tuple[str, ...]) -> str:
    if len(names) <= A_FEW:
        return ", ".join(names)
    return ngettext("%(count)s backer", "%(count)s backers", len(names)) % {"count": words.chips(len(names))}
