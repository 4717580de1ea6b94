"""What a page gives to check a shuffle with, and that the page which explains it by hand is right."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from django.test import Client

from engine.cards import DECK
from engine.game import Kind
from engine.notation import format_cards, parse_cards
from engine.shoe import Shoe as Cards
from engine.shoe import commitment, shuffle
from tables import export, history, services
from tables.models import Game, Shoe, Table
from tables.shuffle_checks import ShuffleCheck, shoe_key
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, Friends, round_pages

EXAMPLE = bytes(range(32))


def checks() -> list[ShuffleCheck]:
    return [one.check for one in round_pages(history.game_page(Game.objects.get(), code=""))]


# What the check of a round has


def test_the_rounds_of_a_finished_shoe_give_its_cards_one_after_the_other(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, decks=2, boxes=2, cut_card=0.4)
    while table.view.published is None:
        table.round(ALICE, BOB)
    found = checks()
    assert len(found) > 1
    cards = " ".join(one.cards for one in found)
    whole = Cards.from_seed(bytes.fromhex(found[0].seed), 2).cards
    assert parse_cards(cards) == whole[: len(cards.split())]
    firsts = [1]
    for one in found[:-1]:
        firsts.append(firsts[-1] + len(one.cards.split()))
    assert [one.first for one in found] == firsts
    assert {(one.decks, one.cut_card) for one in found} == {(2, True)}
    for one in found:
        assert commitment(bytes.fromhex(one.seed)) == one.commitment
        assert commitment(bytes.fromhex(one.spare)) == one.spare_commitment


def test_a_round_that_ran_into_the_discards_gives_both_parts_of_its_cards(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, decks=1, boxes=2, cut_card=0.9)
    while not any(line.kind == "discards" for line in table.view.log):
        table.round(ALICE, BOB)
    last = checks()[-1]
    cards = parse_cards(last.cards)
    whole = Cards.from_seed(bytes.fromhex(last.seed), 1).cards
    rest = whole[last.first - 1 :]
    assert len(cards) > len(rest)
    again = shuffle(whole[: last.first - 1], bytes.fromhex(last.spare))
    assert cards == rest + again[: len(cards) - len(rest)]


def test_a_shoe_in_use_gives_its_hashes_alone(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, boxes=2)
    table.round(ALICE, BOB)
    (one,) = checks()
    assert (one.seed, one.spare, one.cards) == ("", "", "")
    assert table.view.shoe is not None
    assert (one.commitment, one.spare_commitment) == (
        table.view.shoe.commitment,
        table.view.shoe.spare_commitment,
    )
    page = Client().get(f"/games/{Game.objects.get().pk}/1/").content.decode()
    assert "when the cut card has come" in page
    assert "data-check-shuffle" not in page


def test_the_hashes_of_a_shoe_have_its_key_at_the_table_and_in_the_archive(
    table_of: Play, open_friends: Play
) -> None:
    """By the key a browser knows which hash it was shown for which shoe, long after."""
    table = table_of(Kind.OPEN, "casino8", BOB, decks=2, boxes=2, cut_card=0.4)
    shown: dict[str, str] = {}
    while table.view.published is None:
        page = Client().get(f"/t/{table.code}/").content.decode()
        shown |= re.findall(r'<code data-promised="([^"]+)">(\w{64})</code>', page)
        table.round(ALICE, BOB)
    page = Client().get(f"/t/{table.code}/").content.decode()
    found = checks()
    (key,) = {one.key for one in found}
    assert shown == {key: found[0].commitment, f"{key}-spare": found[0].spare_commitment}
    assert f'data-check data-shoe="{key}"' in page
    assert f'data-promised="{key}"' not in page
    for number in range(1, len(found) + 1):
        of_round = Client().get(f"/games/{Game.objects.get().pk}/{number}/").content.decode()
        assert f'data-check data-shoe="{key}"' in of_round
    # Nobody finds the way to the table by it.
    assert re.fullmatch("[0-9a-f]{16}", key)
    other = open_friends()
    assert len({shoe_key(code, shoe) for code in (table.code, other.code) for shoe in range(1, 50)}) == 98


def test_the_key_of_a_shoe_is_that_of_no_shoe_of_the_next_game_and_outlives_the_table(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat")
    found = []
    for game in (1, 2):
        table.round(ALICE)
        found += round_pages(history.game_page(Game.objects.get(number=game), code=""))
        page = Client().get(f"/t/{table.code}/").content.decode()
        assert f'data-check data-shoe="{found[-1].check.key}"' in page
        table.command(ALICE, "new_game")
    first, second = found
    assert first.check.key != second.check.key
    Table.objects.all().delete()
    assert round_pages(history.game_page(Game.objects.get(number=1), code="")) == [first]


def test_the_hashes_of_a_round_are_those_that_were_shown_whatever_the_seeds_are_now(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, decks=2, boxes=2, cut_card=0.4)
    while table.view.published is None:
        table.round(ALICE, BOB)
    before = checks()
    Shoe.objects.update(spare="00" * 32)
    for one, was in zip(checks(), before, strict=True):
        assert one == replace(was, spare="00" * 32)
    (told,) = json.loads(export.text(Game.objects.get()))["shoes"]
    assert told["spare_commitment"] == before[0].spare_commitment != commitment(bytes(32))


def test_a_split_hand_comes_in_the_order_of_the_deal(playing: Friends) -> None:
    playing.deal("8 low mid 8 low mid")
    playing.answer(ALICE, "split")
    playing.stand()
    (one,) = checks()
    cards = parse_cards(one.cards)
    assert [card.rank.symbol for card in (cards[0], cards[3])] == ["8", "8"]
    assert cards == Cards.from_seed(bytes.fromhex(one.seed), 6).cards[: len(cards)]
    page = Client().get(f"/games/{Game.objects.get().pk}/1/").content.decode()
    assert f'data-cards="{one.cards}"' in page
    assert page.count("data-check-shuffle") == 1


def test_a_round_without_a_bet_gives_no_cards(playing: Friends) -> None:
    playing.run_out()
    (one,) = checks()
    assert (one.cards, one.first, one.decks) == ("", 1, 6)
    assert one.seed


def test_a_void_round_gives_the_cards_that_were_dealt(playing: Friends) -> None:
    playing.deal("low low mid low low")
    services.void_round(playing.code)
    (one,) = checks()
    cards = parse_cards(one.cards)
    assert cards == Cards.from_seed(bytes.fromhex(one.seed), 6).cards[:6]


# By hand


@pytest.fixture
def page(db: None) -> str:
    answer = Client().get("/how-to-check/")
    assert answer.status_code == 200
    return answer.content.decode()


def code_of(page: str, attribute: str) -> list[str]:
    return [html.unescape(one) for one in re.findall(rf"<code {attribute}>(.*?)</code>", page, re.DOTALL)]


def test_the_example_is_right(page: str) -> None:
    assert code_of(page, 'id="example-seed"') == [EXAMPLE.hex()]
    assert code_of(page, 'id="example-hash"') == [
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    ]
    assert code_of(page, 'id="example-six"') == ["Ts Jd Ts Js 4h Tc 2s 8h 6s 2s"]
    assert 'data-cards="5c Qc 9c Ts 8d 6d Kd 3s Jc Jd 4d 4c Th Js Qd 8s 6s 9h"' in page


def run(snippet: str) -> list[str]:
    """What it prints, in a Python that has nothing but itself."""
    whole = [sys.executable, "-I", "-c", snippet]
    said = subprocess.run(whole, capture_output=True, text=True, check=True)
    # Pasted at a prompt it is read line by line: there a block ends with an empty line.
    prompt = [sys.executable, "-I", "-i", "-q"]
    pasted = subprocess.run(prompt, input=f"{snippet}\n\n", capture_output=True, text=True, check=True)
    assert pasted.stdout == said.stdout, pasted.stderr
    return said.stdout.splitlines()


def filled_in(snippet: str, check: ShuffleCheck) -> str:
    """The snippet of the page with what the page of a round shows in place of the example."""
    values = {
        "seed": f'bytes.fromhex("{check.seed}")',
        "spare": f'bytes.fromhex("{check.spare}")',
        "decks": check.decks,
        "first": check.first,
        "dealt": f'"{check.cards}".split()',
    }
    for name, value in values.items():
        snippet, found = re.subn(rf"^{name} = .*$", f"{name} = {value}", snippet, count=1, flags=re.MULTILINE)
        assert found, name
    return snippet


def expected(check: ShuffleCheck) -> list[str]:
    cards = check.cards.split()
    hashes = [check.commitment, *filter(None, [check.spare_commitment])]
    return [*hashes, *(f"{check.first + place} {card} yes" for place, card in enumerate(cards))]


def test_the_python_on_the_page_runs_as_it_stands(page: str) -> None:
    (snippet,) = code_of(page, 'class="snippet" id="snippet"')
    cards = format_cards(shuffle(DECK, EXAMPLE)[:18]).split()
    assert run(snippet) == [
        commitment(EXAMPLE),
        *(f"{place} {card} yes" for place, card in enumerate(cards, 1)),
    ]


def test_the_python_of_a_round_runs_as_it_stands_and_that_of_the_page_with_its_values(
    table_of: Play, page: str
) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, decks=1, boxes=2, cut_card=0.9)
    while not any(line.kind == "discards" for line in table.view.log):
        table.round(ALICE, BOB)
    (snippet,) = code_of(page, 'class="snippet" id="snippet"')
    game = Game.objects.get()
    for number, check in enumerate(checks(), 1):
        html_of_round = Client().get(f"/games/{game.pk}/{number}/").content.decode()
        (own,) = code_of(html_of_round, 'class="snippet"')
        assert "The shoe has 1 deck." in html_of_round
        assert run(own) == run(filled_in(snippet, check)) == expected(check)
    assert check.first + len(check.cards.split()) > 53


def test_the_python_of_a_round_with_a_new_shuffle_has_no_second_seed(playing: Friends) -> None:
    playing.round(ALICE, BOB)
    (check,) = checks()
    (own,) = code_of(Client().get(f"/games/{Game.objects.get().pk}/1/").content.decode(), 'class="snippet"')
    assert run(own) == expected(check)
    assert (check.spare, check.decks) == ("", 6)


def test_the_python_finds_another_card_and_one_too_many(page: str) -> None:
    (snippet,) = code_of(page, 'class="snippet" id="snippet"')
    whole = [str(card) for card in Cards.from_seed(EXAMPLE, 1).cards]
    swapped = [whole[49], whole[51], whole[50], "As"]
    check = ShuffleCheck("", EXAMPLE.hex(), decks=1, first=50, cards=" ".join(swapped))
    assert run(filled_in(snippet, check))[1:] == [
        f"50 {whole[49]} yes",
        f"51 {whole[51]} no, {whole[50]}",
        f"52 {whole[50]} no, {whole[51]}",
        "53 As no, nothing",
    ]


def test_each_line_for_the_shell_prints_the_hash(page: str) -> None:
    lines = code_of(page, 'class="one-liner"')
    assert len(lines) == 3
    for line in lines:
        programs = [part.split()[0] for part in line.split(" | ")]
        if all(map(shutil.which, programs)):
            said = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)  # noqa: S602
            assert said.stdout.split()[0] == commitment(EXAMPLE), line


@pytest.mark.parametrize("language", ["en", "uk", "ru", "bg"])
def test_every_sentence_of_the_check_keeps_its_places_in_every_language(db: None, language: str) -> None:
    def slots(page: str) -> dict[str, list[str]]:
        lines = re.findall(r'<p data-say="([\w-]+)">(.*?)</p>', page)
        return {name: sorted(re.findall(r"\{\w+\}", words)) for name, words in lines}

    english = slots(Client(headers={"accept-language": "en"}).get("/how-to-check/").content.decode())
    assert len(english) == 21
    said = Client(headers={"accept-language": language}).get("/how-to-check/").content.decode()
    assert slots(said) == english


def test_the_page_is_found_from_the_other_pages(page: str) -> None:
    for path in ("/how-to-play/", "/rules/openseat/", "/rules/casino8/"):
        assert 'href="/how-to-check/"' in Client().get(path).content.decode(), path
