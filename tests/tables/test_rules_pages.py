"""What the rules pages say, and where they lead."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from engine.game import Kind
from engine.rules import PRESETS, Rules, Soft17
from tables import behind_words, codec, rule_sets
from tables.models import Table
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, Friends
from tests.tables.test_pages import browser


def text(html: str) -> str:
    """What a reader sees of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).replace("&#x27;", "'").split())


def play_by(friends: Friends, rules: Rules) -> None:
    game = replace(friends.seen().game, rules=rules)
    codec.remembered.drop(friends.code)
    Table.objects.filter(code=friends.code).update(**codec.columns(game))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_s_page_tells_all_that_one_plays_by(db: None, preset: str) -> None:
    page = browser().get(f"/rules/{preset}/")
    told = text(page.content.decode())
    assert rule_sets.title(preset) in told
    assert rule_sets.payback(PRESETS[preset]) in page.content.decode()
    assert "on 16 or less, and stands on 17 or more" in told
    assert "How a match is won" in told
    assert ("At an open table" in told) == (preset in ("casino8", "classic6"))
    for path in (f"/strategy/{preset}/", f"/rules/new/?preset={preset}", "/how-to-play/", "/rules/"):
        assert f'href="{path}"' in page.content.decode()


def test_our_own_choices_are_marked(db: None) -> None:
    told = {game: browser().get(f"/rules/{game}/").content.decode().count("Our choice.") for game in PRESETS}
    assert told == {
        "openseat": 2,
        "casino8": 11,
        "classic6": 10,
        "single-standard": 10,
        "single-vip": 10,
    }


def test_a_game_that_does_not_exist_has_no_page(db: None) -> None:
    assert browser().get("/rules/nonesuch/").status_code == 404


def test_a_table_s_page_tells_the_rules_in_force(friends: Friends) -> None:
    friends.command(ALICE, "configure", rounds="10", clock="off")
    told = text(browser().get(f"/t/{friends.code}/rules/").content.decode())
    assert "House game. Played as a match." in told
    assert "3:2" in told
    assert "no clock" in told
    assert "How a match is won" in told
    assert "At an open table" not in told


def test_rules_of_the_host_s_own_mark_what_differs(friends: Friends) -> None:
    play_by(friends, replace(PRESETS["openseat"], soft_17=Soft17.HIT, starting_chips=2_500))
    html = browser().get(f"/t/{friends.code}/rules/").content.decode()
    assert html.count('class="differs"') == 2
    assert "nearest to: House game" in text(html)
    assert "2,500 instead of: 1,000" in text(html)
    assert "Our choice." not in html


@pytest.mark.parametrize(
    ("preset", "kind", "section"),
    [("casino8", "open", "At an open table"), ("classic6", "solo", "Alone")],
)
def test_a_table_tells_of_its_own_kind_alone(db: None, preset: str, kind: str, section: str) -> None:
    sent = {"rules": preset, "kind": kind, "rounds": "10", "clock": "on", "listed": "off", "name": "Alice"}
    where = browser().post("/", sent)["Location"]
    html = browser().get(f"{where}rules/").content.decode()
    sections = {"How a match is won", "At an open table", "Alone"}
    assert {one for one in sections if f">{one}</h2>" in html} == {section}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_s_page_tells_of_bets_behind_and_on_pairs(db: None, preset: str) -> None:
    told = text(browser().get(f"/rules/{preset}/").content.decode())
    rules = PRESETS[preset]
    for sentences in (behind_words.bets_behind, behind_words.outcomes_behind, behind_words.pair_bets):
        assert all(sentence in told for sentence in sentences(rules))
    assert f"A bet behind is from {rules.min_bet:,} to {rules.max_bet:,}" in told
    assert "A pair pays 11:1" in told
    assert "Others may watch and bet behind you, with chips of their own." in told


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("backing", [True, False])
@pytest.mark.parametrize("pairs", [True, False])
def test_a_table_s_page_promises_only_the_bets_it_takes(
    table_of: Play, kind: Kind, backing: bool, pairs: bool
) -> None:
    code = table_of(kind, "classic6", backing=backing, pair_bets=pairs, pair_pays=Fraction(9)).code
    told = text(browser().get(f"/t/{code}/rules/").content.decode())
    assert ("Betting behind" in told) == backing
    assert ("What becomes of a bet behind" in told) == backing
    assert ("5 seconds" in told) == backing
    assert ("Spectators bet behind yes" in told) == backing
    assert ("Betting on a pair" in told) == pairs
    assert ("A pair bet wins 9:1" in told) == pairs
    assert ("on the pairs of several seats" in told) == (backing and pairs)
    assert ("500 together at most" in told) == (backing or pairs)
    assert ("chips of who watches are apart" in told) == (backing and kind is Kind.MATCH)
    assert ("You have one stack a game" in told) == (backing and kind is Kind.OPEN)
    assert ("Others may watch and bet behind you" in told) == (backing and kind is Kind.SOLO)
    assert ("nobody bets behind you" in told) == (not backing and kind is Kind.SOLO)


def test_side_by_side_the_games_tell_who_may_bet_behind(db: None) -> None:
    html = browser().get("/rules/").content.decode()
    players = re.search(r'<th scope="row">Players bet behind others</th>(.*?)</tr>', html, re.DOTALL)
    assert players is not None
    assert re.findall(r"<td[^>]*>(\w+)</td>", players[1]) == ["no", "no", "yes", "no", "no"]
    same = text(html.split("The same in all of them")[1])
    for line in ("Spectators bet behind yes", "Bets on a pair yes", "A pair pays 11:1"):
        assert line in same


def test_the_games_stand_side_by_side_with_the_differences_lit(db: None) -> None:
    html = browser().get("/rules/").content.decode()
    assert re.findall(r'<th scope="col"><a href="/rules/([\w-]+)/">', html) == list(PRESETS)
    decks = re.search(r'<th scope="row">Decks</th>(.*?)</tr>', html, re.DOTALL)
    assert decks is not None
    assert re.findall(r"<td( class=\"lit\")?>(\d)</td>", decks[1]) == [
        ("", "6"),
        (' class="lit"', "8"),
        ("", "6"),
        (' class="lit"', "1"),
        (' class="lit"', "1"),
    ]
    assert "5,000" in html
    assert "style=" not in html


def test_how_to_play_is_one_click_from_everywhere_outside_a_table(friends: Friends) -> None:
    for path in ("/", "/rules/", "/rules/openseat/", "/strategy/openseat/", f"/t/{friends.code}/rules/"):
        assert 'href="/how-to-play/"' in browser().get(path).content.decode()
    told = text(browser().get("/how-to-play/").content.decode())
    for subject in (
        "The aim",
        "What the cards count",
        "Your moves",
        "Insure",
        "If you watch",
        "At the table",
    ):
        assert subject in told


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_says_no_more_than_its_tables_play(name: str, db: None) -> None:
    assert browser().get(f"/rules/{name}/").context["rules"] == PRESETS[name]
