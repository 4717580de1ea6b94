"""A stored game for people: as a text to read, and as rows for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.game import Game as GameState
from engine.game import Kind, Status
from engine.rules import Rules, Shuffle
from engine.shown import CardView, SeatView, SideBetView
from tables import codec, history, places, replay_words, rule_sets, summary, words
from tables.crowds import BetBehind
from tables.export import iso
from tables.history import RoundPage
from tables.models import Game, GamePlayer
from tables.replay import Replay

Told = tuple[GameState, RoundPage, str]


def _rounds(game: Game, rules: Rules, players: Sequence[GamePlayer]) -> Iterator[Told]:
    """Every finished round as the table was then, what there is to tell of it, and when it ended."""
    rows = list(game.played.order_by("number"))
    shoes = list(game.shoes.all())
    for row in rows:
        state = history.replayed_round(game, rules, players, shoes, row)
        yield state, history.told(rules, shoes, state), iso(row.finished)


# To read


def text(game: Game) -> str:
    """The whole game in the language of the reader, every round card by card."""
    return "\n".join(_lines(game)) + "\n"


def _lines(game: Game) -> Iterator[str]:
    rules, players = Rules.from_json(game.rules), list(game.players.all())
    told = list(_rounds(game, rules, players))
    yield from _head(game, rules, len(told))
    yield from _stacks(game, players, told)
    for state, page, finished in told:
        yield ""
        yield _("Round %(number)s") % {"number": words.chips(page.number)} + f" · {finished}"
        yield from _round(state, page, solo=game.kind == Kind.SOLO.value)
        yield from _shoe(rules, page)


def _kind(game: Game) -> str:
    if game.kind == Kind.OPEN.value:
        return _("a game of an open table")
    if game.kind == Kind.SOLO.value:
        return _("a game played alone")
    said = ngettext("a match of %(rounds)s round", "a match of %(rounds)s rounds", game.rounds)
    return said % {"rounds": words.chips(game.rounds)}


def _head(game: Game, rules: Rules, played: int) -> Iterator[str]:
    yield f"openseat · {summary.title(rule_sets.name_of(rules))} · {_kind(game)}"
    yield _("Game %(id)s") % {"id": game.id}
    if game.finished is None:
        yield _("Begun %(time)s, not over yet.") % {"time": iso(game.started)}
    else:
        times = {"start": iso(game.started), "end": iso(game.finished)}
        yield _("From %(start)s to %(end)s.") % times
    why = render_to_string("tables/_reason.html", {"reason": game.reason, "rounds": played}).strip()
    if why:
        yield why


def _stacks(game: Game, players: Sequence[GamePlayer], told: Sequence[Told]) -> Iterator[str]:
    """What everybody holds; while the game runs that is after its last finished round."""
    held = {purse.stack: purse.chips for state, *_more in told[-1:] for purse in state.purses}
    chips = {one.stack: one.chips if game.finished else held.get(one.stack, one.chips) for one in players}
    over = codec.read_result(game.result) if game.result else None
    status = {place.stack: place.status for place in over.places} if over else {}
    ordered = sorted(players, key=lambda one: (one.place or 0, -chips[one.stack], one.seat))
    for heading, seated in ((_("Players"), True), (_("Betting behind"), False)):
        shown = [one for one in ordered if bool(one.seat) is seated]
        lines = [_standing(one, chips[one.stack], status.get(one.stack)) for one in shown]
        if lines:
            yield ""
            yield heading
            yield from (f"  {line}" for line in lines)


def _standing(one: GamePlayer, chips: int, status: Status | None) -> str:
    said = [f"{one.place}. {one.nickname}" if one.place else one.nickname, words.chips(chips)]
    if status is Status.RESIGNED:
        said.append(_("resigned"))
    elif status is Status.OUT:
        said.append(_("out"))
    if one.won:
        said.append(_("won the match"))
    if one.backed:
        behind = ngettext(
            "%(net)s behind others in %(rounds)s round",
            "%(net)s behind others in %(rounds)s rounds",
            one.backed,
        )
        said.append(behind % {"net": words.signed(one.won_behind), "rounds": words.chips(one.backed)})
    if one.refills:
        said.append(_("fresh stacks: %(count)s") % {"count": words.chips(one.refills)})
    return " · ".join(said)


def _round(state: GameState, page: RoundPage, *, solo: bool) -> Iterator[str]:
    voice = words.Voice(places.several(page), solo)
    if page.void:
        yield "  " + _("Void: every bet went back.")
    for step in Replay(state).steps:
        yield from (f"  {line}" for line in replay_words.lines(step, state, voice))
    if state.record is not None and state.record.chips:
        names = {purse.stack: (purse.name, purse.chips) for purse in state.purses}
        held = [names[stack] for stack in state.record.chips if stack in names]
        chips = ", ".join(f"{name} {words.chips(amount)}" for name, amount in held)
        yield "  " + _("Chips after it: %(chips)s") % {"chips": chips}


def _shoe(rules: Rules, page: RoundPage) -> Iterator[str]:
    place = {"shoe": words.chips(page.shoe), "card": words.chips(page.first_card)}
    yield "  " + _("Shoe %(shoe)s, from its card %(card)s on.") % place
    yield f"  SHA-256 {page.commitment}"
    yield "  " + (_("Seed %(seed)s") % {"seed": page.seed} if page.seed else _("The shoe is still in use."))
    if rules.shuffle is Shuffle.CUT_CARD:
        yield "  " + _("Of the seed for the discards: SHA-256 %(hash)s") % {"hash": page.spare_commitment}
        if page.spare:
            yield "  " + _("Seed for the discards %(seed)s") % {"seed": page.spare}


# For a spreadsheet

COLUMNS = (
    "round", "finished", "ended", "box", "role", "name", "stack", "hands", "results", "bet", "pair",
    "insurance", "paid", "net", "chips_after", "dealer",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table(game: Game) -> str:
    """A row for each box of each round and for each bet behind one. Amounts are chips; `bet` is all that lay
    on the hands in the end, `paid` all that came back."""
    file = io.StringIO()
    rows = csv.DictWriter(file, COLUMNS, restval="")
    rows.writeheader()
    for row in _rows(game):
        rows.writerow({name: as_text(value) for name, value in row.items()})
    return file.getvalue()


def as_text(value: object) -> object:
    """A text that a spreadsheet takes for a text: what begins like a formula could be one."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _rows(game: Game) -> Iterator[dict[str, object]]:
    players = list(game.players.all())
    for state, page, finished in _rounds(game, Rules.from_json(game.rules), players):
        record = state.record
        if record is None:
            continue
        ended = "void" if record.void else "broken_off" if record.broken_off else "settled"
        same = {"round": page.number, "finished": finished, "ended": ended}
        chips = {purse.stack: purse.chips for purse in state.purses}
        dealer = _cards(page.dealer.cards) if page.dealer else ""
        for seat in page.seats:
            stack = record.stacks.get(seat.seat, str(seat.seat))
            row = {**same, "box": seat.seat, "name": seat.name}
            if seat.seat not in record.bets:
                yield {**row, "role": "sat_out"}
                continue
            held = {"stack": stack, "chips_after": chips.get(stack, ""), "dealer": dealer}
            yield {**row, **held, "role": "player", **_box(seat)}
            crowd = page.crowds.get(seat.seat)
            for one in crowd.backers if crowd else ():
                held = {"stack": one.bet.stack, "chips_after": chips.get(one.bet.stack, ""), "dealer": dealer}
                yield {**row, **held, "name": one.name, "role": "backer", **_behind(one.bet)}


def _box(seat: SeatView) -> dict[str, object]:
    bet = sum(hand.bet for hand in seat.hands)
    pair, insurance = _staked(seat.pair), _staked(seat.insurance)
    net = seat.net or 0
    return {
        "hands": " / ".join(_cards(hand.cards) for hand in seat.hands),
        "results": " / ".join(hand.result or "" for hand in seat.hands),
        "bet": bet,
        "pair": pair,
        "insurance": insurance,
        "paid": bet + pair + insurance + net,
        "net": net,
    }


def _behind(bet: BetBehind) -> dict[str, object]:
    return {
        "bet": bet.bet + bet.followed,
        "pair": bet.pair,
        "insurance": bet.insurance,
        "paid": bet.paid,
        "net": bet.net,
    }


def _staked(side: SideBetView | None) -> int:
    return side.bet if side else 0


def _cards(cards: Sequence[CardView]) -> str:
    return " ".join(f"{card.rank}{card.suit}" if card.rank else "??" for card in cards)
