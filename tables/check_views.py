"""The page that explains how anybody can check a shuffle by hand."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.cards import DECK
from engine.notation import format_cards
from engine.shoe import commitment, shuffle
from tables.reading import require_safe
from tables.shuffle_checks import ShuffleCheck

EXAMPLE = bytes(range(32))
SHOWN = 18


@require_safe
def how_to_check(request: HttpRequest) -> HttpResponse:
    cards = format_cards(shuffle(DECK, EXAMPLE)[:SHOWN])
    example = ShuffleCheck(commitment(EXAMPLE), EXAMPLE.hex(), decks=1, cards=cards)
    context = {"example": example, "six_decks": format_cards(shuffle(DECK * 6, EXAMPLE)[:10])}
    return render(request, "tables/how_to_check.html", context)
