"""Whether what is stored of games still follows from its rounds."""

from __future__ import annotations

from typing import Any

from engine.errors import Differs
from engine.export import Json, write
from engine.verify import verify
from tables.export import exported
from tables.models import Game, Hand


def difference(game: Game) -> str:
    """The first thing in a stored game that is not as its rounds say, with the round; "" where all is."""
    try:
        told = exported(game)
    except Differs as differs:
        return _said(differs.params.get("round"), str(differs))
    answer = verify("".join(write(told)))
    if not answer.get("ok"):
        return _said(answer.get("round"), answer.get("detail"))
    return _rows(game, told)


def _said(number: Any, what: object) -> str:
    return f"round {number}: {what}" if number else f"{what}"


def _rows(game: Game, told: Json) -> str:
    """The rows that lists read must say the same."""
    hands: dict[int, list[tuple[Any, ...]]] = {}
    for number, *hand in Hand.objects.filter(round__game=game).values_list(
        "round__number", "seat", "number", "cards", "bet", "paid"
    ):
        hands.setdefault(number, []).append(tuple(hand))
    for played in told["rounds"] if hands else ():
        follows = _hands(played)
        if sorted(hands.get(played["number"], follows)) != sorted(follows):
            return _said(played["number"], f"hands (said={hands[played['number']]}, follows={follows})")
    if game.finished is not None:
        chips = dict(game.players.values_list("stack", "chips"))
        for one in told["players"]:
            if chips[one["stack"]] != one["chips"]:
                stack, follows = one["stack"], one["chips"]
                return f"chips (stack={stack}, said={chips[stack]}, follows={follows})"
    return ""


def _hands(played: Json) -> list[tuple[Any, ...]]:
    if played["result"] is None or played["void"]:
        return []
    return [
        # What is not decided when a game ends goes back.
        (int(box), place, hand["cards"], hand["bet"], hand["bet"] if hand["paid"] is None else hand["paid"])
        for box, told in played["result"]["boxes"].items()
        for place, hand in enumerate(told["hands"], 1)
    ]
