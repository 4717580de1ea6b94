from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from engine.game import Kind
from tables import fragments, services
from tables.fragments import Reader, Showing
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, Friends

TEMPLATES = [
    "_status.html", "_dealer.html", "_shoe.html", "_seat.html", "_log.html", "_standings.html",
    "_backers.html", "_proofs.html", "_people.html", "_result.html", "_offer.html", "_lobby.html",
    "_own.html", "_actions.html", "_tray.html", "_menu.html",
]  # fmt: skip


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_name_a_template_uses_is_one_it_is_given(template: str, friends: Friends) -> None:
    seen = friends.seen()
    of_one_piece = {"seat", "box", "spare", "lines"}
    shared = fragments.public_context(seen)
    given = {"view", *of_one_piece, *shared, *fragments.personal_context(seen, shared, None)}
    assert fragments.CONTEXT_NAMES | {"view"} == given
    inputs = fragments.inputs_of(template)
    assert set(inputs.names) <= given


def test_a_piece_made_of_the_same_is_not_made_again(
    playing: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader("en", playing.person(ALICE).player, "http://localhost")
    first = Showing(playing.seen())
    first.frame(reader, since=0)
    playing.bet(BOB)
    made: list[str] = []
    honest = fragments.render

    def counting(template: str, context: fragments.Context) -> str:
        made.append(template)
        return honest(template, context)

    monkeypatch.setattr(fragments, "render", counting)
    second = Showing(playing.seen(), first)
    second.frame(reader, since=first.serial)
    assert made.count("_seat.html") == 1
    assert not {"_dealer.html", "_log.html", "_people.html", "_menu.html", "_lobby.html"} & set(made)
    made.clear()
    second.frame(reader, since=first.serial)
    assert made == []


def test_taking_over_pieces_gives_the_same_page_as_making_all_of_them(playing: Friends) -> None:
    """After any step the kept pieces are those one would make anew: no template has an unknown input."""
    readers = [Reader("en", playing.seen().player_of(guest), "http://x") for guest in (ALICE, BOB, None)]
    showing: Showing | None = None
    playing.reseed("low low A low low")
    steps: list[Callable[[], None]] = [
        lambda: None,
        lambda: playing.bet(ALICE),
        lambda: playing.command(BOB, "offer_draw"),
        lambda: playing.bet(BOB),
        lambda: playing.answer(ALICE, "decline"),
        lambda: playing.answer(BOB, "insure"),
        lambda: playing.command(ALICE, "offer_draw"),
        lambda: playing.command(ALICE, "resign"),
        lambda: playing.command(ALICE, "back_to_lobby"),
        lambda: playing.command(ALICE, "configure", rounds="20", clock="off"),
    ]
    for step in steps:
        step()
        seen = playing.seen()
        showing = Showing(seen, showing)
        for reader in readers:
            showing.frame(reader, since=showing.serial - 1)
            assert showing.frame(reader, since=0) == Showing(seen).frame(reader, since=0)


def test_taking_over_pieces_gives_the_same_page_with_boxes_and_shoes(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "classic6", BOB)
    services.join(table.code, CAROL, "Carol", sit=False)
    guests = (ALICE, BOB, CAROL, None)
    readers = [Reader("en", table.seen().player_of(guest), "http://x") for guest in guests]
    showing: Showing | None = None
    steps: list[Callable[[], None]] = [
        lambda: None,
        lambda: table.sit(ALICE, 5),
        lambda: table.reseed("low low A low low"),
        lambda: table.bet(ALICE, 50, 5),
        lambda: table.answer(ALICE, "take_back", 5),
        lambda: table.bet(ALICE, 50, 5),
        lambda: table.bet(BOB),
        lambda: table.command(ALICE, "deal"),
        lambda: table.answer(ALICE, "insure", amount="20"),
        lambda: table.answer(BOB, "decline"),
        lambda: table.command(BOB, "leave"),
        lambda: table.stand(),
        lambda: table.command(ALICE, "leave", seat="1"),
        lambda: table.sit(CAROL, 1),
        lambda: table.bet(CAROL),
        lambda: table.bet(ALICE),
        lambda: void(table),
    ]
    for step in steps:
        step()
        seen = table.seen()
        showing = Showing(seen, showing)
        for reader in readers:
            showing.frame(reader, since=showing.serial - 1)
            assert showing.frame(reader, since=0) == Showing(seen).frame(reader, since=0)


def void(table: Friends) -> None:
    services.void_round(table.code)


def test_a_fragment_is_one_element_with_an_id(friends: Friends) -> None:
    seen = friends.seen()
    shared = fragments.public_context(seen)
    pieces = (*fragments.public_pieces(seen, shared), *fragments.personal_pieces(seen, shared, None))
    for _, template, context in pieces:
        html = fragments.render(template, context).strip()
        assert re.match(r'<\w+ id="[\w-]+"[^>]* hx-swap-oob="true"', html), template


def test_an_include_that_is_not_named_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "_odd.html").write_text("{% include which %}")
    templates = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]
    with override_settings(TEMPLATES=templates), pytest.raises(ValueError, match="not named"):
        fragments.source_of("_odd.html")


def test_who_is_the_same_reader_gets_the_same_text(playing: Friends) -> None:
    showing = Showing(playing.seen())
    reader = Reader("en", None, "http://localhost")
    assert showing.frame(reader, since=0) is showing.frame(replace(reader), since=0)
