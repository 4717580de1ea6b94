"""The case format: one round in JSON, from a stacked shoe, and what came of it.

Bug reports, rule tests and exported games use it, so its form is fixed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine import actions
from engine.bets import Behind, SideBet
from engine.cards import Card
from engine.errors import EngineError, NotationError
from engine.hand import evaluate
from engine.notation import BACKER, Case, format_cards, format_move, parse_cards, parse_move
from engine.round import Round, apply, legal_actions
from engine.rules import HoleCard, Rules


def settle(text: str | bytes) -> dict[str, Any]:
    """Play the case that `text` (JSON) says and report the table after its last action.

    A case that is malformed or illegal gives ``{"error", "at", "detail"}``: a code, the index of the first
    action refused (None where the case itself is at fault) and the figures behind it.
    """
    at: int | None = None
    try:
        case = _object(load(text), "case")
        state = read_case(case).deal()
        for index, said in enumerate(_list(case.get("actions", []), "actions")):
            at = index
            state = apply(state, _read_move(said))
    except EngineError as error:
        return {"error": error.code, "at": at, "detail": str(error)}
    return report(state)


def load(text: str | bytes) -> object:
    """JSON as Python values; raises `NotationError` for what is no JSON, and for a name given twice."""

    try:
        if isinstance(text, bytes):
            text = text.decode()
        value: object = json.loads(text, object_pairs_hook=named_once, parse_int=whole)
    except (ValueError, RecursionError) as error:
        raise NotationError("not_json", reason=str(error)) from None
    return value


def named_once(items: list[tuple[str, object]]) -> dict[str, object]:
    """The object of these pairs; raises `NotationError` where a name comes twice."""
    names = [name for name, _ in items]
    if len(set(names)) != len(names):
        raise NotationError("name_twice")
    return dict(items)


def whole(digits: str) -> int:
    """A whole number of JSON; raises `ValueError` for one that is too long."""
    # Longer numbers are no chips; and payouts of some thousand digits could not be printed.
    if len(digits) > 1000:
        raise ValueError("number too long")
    return int(digits)


_FIELDS = ("rules", "shoe", "bets", "pairs", "behind", "stacks", "chips", "actions")


def read_case(case: Mapping[str, object]) -> Case:
    """The case that a JSON object says, without its actions; raises `EngineError` where its form is wrong.

    Whether the bets are allowed is not looked at here.
    """
    for name in case:
        if name not in _FIELDS:
            raise NotationError("unknown_field", field=name)
    for name in ("rules", "shoe", "bets"):
        if name not in case:
            raise NotationError("missing_field", field=name)
    rules = Rules.from_json(case["rules"])
    bets = _by_box(rules, case["bets"], "bets")
    _list(case.get("actions", []), "actions")
    behind = tuple(_read_behind(rules, entry) for entry in _list(case.get("behind", []), "behind"))
    stacks = _read_stacks(rules, case.get("stacks", {}))
    for laid in behind:
        if laid.backer in stacks.values() and not rules.players_may_back:
            raise NotationError("players_may_not_back", backer=laid.backer)
    return Case(
        rules=rules,
        shoe=_read_shoe(case["shoe"]),
        bets=bets,
        pairs=_by_box(rules, case.get("pairs", {}), "pairs"),
        behind=behind,
        stacks=stacks,
        chips=_read_chips(case.get("chips", {}), bets, behind, stacks),
    )


def report(state: Round) -> dict[str, Any]:
    """The table as the case format shows it; a hidden hole card is ``??``."""
    shown = state.dealer_open
    total, soft = evaluate(shown)
    hidden = " ??" if state.rules.hole_card is HoleCard.PEEK and not state.hole_shown else ""
    return {
        "phase": state.phase.value,
        "dealer": {"cards": format_cards(shown) + hidden, "total": total, "soft": soft},
        "boxes": {str(box.number): _report_box(state, box.number) for box in state.boxes},
        "backers": {
            backer: _report_backer(state, backer)
            for backer in sorted({laid.stack for box in state.boxes for laid in box.backers})
        },
        "legal": [format_move(move) for move in legal_actions(state)],
        "drawn": state.drawn,
    }


def _report_box(state: Round, number: int) -> dict[str, Any]:
    box = state.box(number)
    hands = []
    for hand in box.hands:
        own = hand.stakes[0]
        hands.append(
            {
                "cards": format_cards(hand.cards),
                "bet": own.bet,
                "result": own.result.value if own.result else None,
                "paid": own.paid,
            }
        )
    bets = [(hand.stakes[0].bet, hand.stakes[0].paid) for hand in box.hands]
    return {
        "hands": hands,
        "insurance": _report_side(box.insurance),
        "pair": _report_side(box.pair),
        "net": _net(bets, [box.insurance, box.pair]),
    }


def _report_backer(state: Round, backer: str) -> dict[str, Any]:
    hands: list[dict[str, Any]] = []
    insurance: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    bets: list[tuple[int, int | None]] = []
    sides: list[SideBet | None] = []
    for box in state.boxes:
        for number, hand in enumerate(box.hands, start=1):
            for stake in hand.stakes[1:]:
                if stake.stack == backer:
                    bets.append((stake.bet, stake.paid))
                    hands.append(
                        {
                            "box": box.number,
                            "hand": number,
                            "bet": stake.bet,
                            "result": stake.result.value if stake.result else None,
                            "paid": stake.paid,
                        }
                    )
        for laid in box.backers:
            if laid.stack == backer:
                for side, entries in ((laid.insurance, insurance), (laid.pair, pairs)):
                    if side:
                        sides.append(side)
                        entries.append({"box": box.number, "bet": side.bet, "paid": side.paid})
    return {"hands": hands, "insurance": insurance, "pairs": pairs, "net": _net(bets, sides)}


def _report_side(bet: SideBet | None) -> dict[str, Any] | None:
    return None if bet is None else {"bet": bet.bet, "paid": bet.paid}


def _net(bets: list[tuple[int, int | None]], sides: list[SideBet | None]) -> int:
    laid = [*bets, *((side.bet, side.paid) for side in sides if side)]
    return sum((paid or 0) - bet for bet, paid in laid)


# Reading


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise NotationError("not_an_object", field=what)
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise NotationError("not_a_list", field=what)
    return value


def _amount(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise NotationError("bad_amount", field=what, value=value)
    return value


def _box(rules: Rules, value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= rules.boxes:
        raise NotationError("no_such_box", field=what, box=value, boxes=rules.boxes)
    return value


def _box_name(rules: Rules, name: str, what: str) -> int:
    if len(name) != 1 or name not in "123456789":
        raise NotationError("no_such_box", field=what, box=name, boxes=rules.boxes)
    return _box(rules, int(name), what)


def _by_box(rules: Rules, value: object, what: str) -> dict[int, int]:
    return {
        _box_name(rules, name, what): _amount(amount, what) for name, amount in _object(value, what).items()
    }


def _name(value: object, what: str) -> str:
    if not isinstance(value, str) or not BACKER.fullmatch(value):
        raise NotationError("bad_name", field=what, name=value)
    return value


def _read_shoe(value: object) -> tuple[Card, ...]:
    if not isinstance(value, str):
        raise NotationError("not_text", field="shoe")
    return parse_cards(value)


def _read_behind(rules: Rules, value: object) -> Behind:
    entry = _object(value, "behind")
    for name in entry:
        if name not in ("backer", "box", "bet", "pair"):
            raise NotationError("unknown_field", field=name)
    for name in ("backer", "box"):
        if name not in entry:
            raise NotationError("missing_field", field=name)
    return Behind(
        _name(entry["backer"], "backer"),
        _box(rules, entry["box"], "behind"),
        _amount(entry.get("bet", 0), "bet"),
        _amount(entry.get("pair", 0), "pair"),
    )


def _read_stacks(rules: Rules, value: object) -> dict[int, str]:
    stacks = {
        _box_name(rules, box, "stacks"): _name(name, "stacks")
        for box, name in _object(value, "stacks").items()
    }
    for name, boxes in Counter(stacks.values()).items():
        if boxes > rules.boxes_per_player:
            raise NotationError("too_many_boxes", field="stacks", player=name, max=rules.boxes_per_player)
    return stacks


def _read_chips(
    value: object, bets: Mapping[int, int], behind: tuple[Behind, ...], stacks: Mapping[int, str]
) -> dict[str, int]:
    chips = {name: _amount(held, "chips") for name, held in _object(value, "chips").items()}
    known = {stacks.get(box, str(box)) for box in bets} | {laid.backer for laid in behind}
    for name in chips:
        if name not in known:
            raise NotationError("stack_has_no_bet", field="chips", stack=name)
    return chips


def _read_move(value: object) -> actions.Move:
    if not isinstance(value, str):
        raise NotationError("not_text", field="actions")
    return parse_move(value)
