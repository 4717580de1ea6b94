"""Every rule a host may choose, and every way to get one wrong."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest

from engine.game import Kind
from engine.rules import PRESETS, Rules, Soft17
from tables import codec
from tables.models import Table
from tables.rules_form import LARGEST, NUMBERS, SWITCHES, RulesForm, typed, values_of
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends
from tests.tables.test_pages import browser

BASE = PRESETS["classic6"]
LISTED = [switch for switch in SWITCHES if switch not in NUMBERS]
# What makes room for a value that would not go together with the rest.
ROOM: dict[tuple[str, Any], dict[str, str]] = {
    ("decks", 1): {"boxes": "3", "max_hands": "3"},
    ("decks", 2): {"boxes": "3"},
}
NONSENSE = [
    "",
    " ",
    "abc",
    "1e3",
    "0x10",
    "-5",
    "+5",
    "1.5",
    "NaN",
    "Infinity",
    "５００",
    "٥٠٠",
    "1,00",
    "1,0000",
]
NONSENSE += ["1 000 00", "on", "null", "[]", "x" * 10_000, "9" * 10_000, "1\x000", "<b>5</b>", "10;20"]


def filled(rules: Rules = BASE, /, **changed: str) -> dict[str, str]:
    """The form as a browser sends it that has changed nothing else."""
    return {**{switch: typed(switch, getattr(rules, switch)) for switch in SWITCHES}, **changed}


def form(**changed: str) -> RulesForm:
    return RulesForm(filled(**changed), base=BASE)


def test_the_form_asks_for_every_switch_in_one_of_its_groups() -> None:
    assert set(SWITCHES) == {field.name for field in fields(Rules)}
    told = [line.switch for _, lines in form().groups for line in lines]
    assert sorted(told) == sorted(SWITCHES)


@pytest.mark.parametrize("name", PRESETS)
def test_a_form_that_nobody_touches_is_the_preset(name: str) -> None:
    sent = RulesForm(filled(PRESETS[name]), base=PRESETS[name])
    assert sent.is_valid(), sent.errors
    assert sent.rules == PRESETS[name]
    assert not [line for _, lines in sent.groups for line in lines if line.changed]


@pytest.mark.parametrize(
    ("switch", "value"), [(switch, value) for switch in LISTED for value in values_of(switch)]
)
def test_every_value_of_every_list_is_accepted(switch: str, value: Any) -> None:
    sent = form(**{**ROOM.get((switch, value), {}), switch: typed(switch, value)})
    assert sent.is_valid(), sent.errors
    assert getattr(sent.rules, switch) == value


@pytest.mark.parametrize(
    ("switch", "given", "value"),
    [
        ("cut_card", "40", 0.4),
        ("cut_card", "90", 0.9),
        ("cut_card", " 67 % ", 0.67),
        ("starting_chips", "1", 1),
        ("starting_chips", "1,000,000", LARGEST),
        ("starting_chips", "12345", 12_345),
        ("starting_chips", " 12 345 ", 12_345),
        ("min_bet", "500", 500),
        ("max_bet", "1,000,000", LARGEST),
        ("max_bet", "10", 10),
        ("bet_step", "5", 5),
        ("bet_step", "01", 1),
    ],
)
def test_numbers_are_read_as_people_write_them(switch: str, given: str, value: float) -> None:
    sent = form(**{switch: given, "pair_bets": "no", "backing": "no"})
    assert sent.is_valid(), sent.errors
    assert getattr(sent.rules, switch) == value


@pytest.mark.parametrize("given", NONSENSE)
@pytest.mark.parametrize("switch", SWITCHES)
def test_what_is_no_value_is_refused_next_to_its_field(switch: str, given: str) -> None:
    sent = form(**{switch: given})
    assert not sent.is_valid()
    assert list(sent.errors) == [switch]
    assert sent.rules == BASE


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_field_that_was_not_sent_is_refused(switch: str) -> None:
    sent = filled()
    del sent[switch]
    assert list(RulesForm(sent, base=BASE).errors) == [switch]


@pytest.mark.parametrize(
    ("changed", "at", "says"),
    [
        ({"cut_card": "39"}, "cut_card", "From 40 to 90"),
        ({"cut_card": "91"}, "cut_card", "From 40 to 90"),
        ({"starting_chips": "0"}, "starting_chips", "From 1 to 1,000,000"),
        ({"starting_chips": "1000001"}, "starting_chips", "From 1 to 1,000,000"),
        ({"max_bet": "999999999"}, "max_bet", "From 1 to 1,000,000"),
        ({"max_bet": "100000000000"}, "max_bet", "From 1 to 1,000,000"),
        ({"bet_step": "0"}, "bet_step", "From 1"),
        ({"decks": "9"}, "decks", "from the list"),
        ({"boxes": "0"}, "boxes", "from the list"),
        ({"max_hands": "5"}, "max_hands", "from the list"),
        ({"charlie": "4"}, "charlie", "from the list"),
        ({"blackjack_pays": "2:1"}, "blackjack_pays", "from the list"),
        ({"bet_seconds": "5"}, "bet_seconds", "from the list"),
        ({"min_bet": "600"}, "min_bet", "over the highest bet, 500"),
        ({"min_bet": "15"}, "min_bet", "no multiple of the step, 10"),
        ({"max_bet": "505"}, "max_bet", "no multiple of the step, 10"),
        ({"decks": "1"}, "decks", "run out of cards"),
        ({"pair_pays": "0:1"}, "pair_pays", "from the list"),
        ({"pair_pays": "31:1"}, "pair_pays", "from the list"),
        ({"pair_pays": "11"}, "pair_pays", "from the list"),
        ({"backer_seconds": "20"}, "backer_seconds", "from the list"),
        ({"backing": "on"}, "backing", "from the list"),
        ({"box_limit": "both"}, "box_limit", "from the list"),
        ({"max_bet": "40"}, "pair_bets", "at least 10, and at most a fifth of the highest bet, 40"),
        (
            {"pair_bets": "no", "min_bet": "260"},
            "box_limit",
            "500 is too little for two bets of 260 on one box",
        ),
    ],
)
def test_what_can_not_be_played_is_refused_next_to_the_field_that_is_meant(
    changed: dict[str, str], at: str, says: str
) -> None:
    sent = form(**changed)
    assert list(sent.errors) == [at]
    assert says in str(sent.errors[at])


@pytest.mark.parametrize(
    "changed",
    [
        {"max_bet": "50"},
        {"max_bet": "40", "pair_bets": "no"},
        {"pair_bets": "no", "min_bet": "250"},
        {"pair_bets": "no", "min_bet": "500", "box_limit": "each"},
        {"pair_bets": "no", "min_bet": "500", "backing": "no"},
    ],
)
def test_where_the_bets_of_a_table_fit_they_are_taken(changed: dict[str, str]) -> None:
    assert not form(**changed).errors


def test_bets_that_fit_nowhere_are_all_told_at_once() -> None:
    sent = form(min_bet="500")
    assert set(sent.errors) == {"pair_bets", "box_limit"}
    assert sent.rules == BASE


def test_bets_behind_and_on_pairs_are_a_group_of_their_own() -> None:
    group = dict(form(backing="no", pair_pays="12:1").groups)["Bets behind and pairs"]
    assert [(line.switch, line.base, line.changed) for line in group] == [
        ("backing", "yes", True),
        ("players_may_back", "yes", False),
        ("backer_seconds", "5 seconds", False),
        ("pair_bets", "yes", False),
        ("pair_pays", "11:1", True),
        ("box_limit", "for all on one box", False),
    ]
    assert all(line.field.help_text for line in group)


def test_a_rule_that_nobody_knows_is_refused() -> None:
    assert form(hit_soft_18="yes").non_field_errors()


def test_the_form_says_what_the_start_has_and_marks_what_differs() -> None:
    lines = {line.switch: line for _, group in form(decks="8", min_bet="1,0").groups for line in group}
    assert (lines["decks"].base, lines["decks"].changed) == ("6", True)
    assert (lines["cut_card"].base, lines["cut_card"].changed) == ("67\N{NO-BREAK SPACE}%", False)


# The page that opens a table


def opening(**changed: str) -> dict[str, str]:
    beside = {"preset": "classic6", "name": "Alice", "kind": "match", "rounds": "20", "listed": "off"}
    return {**filled(), **beside, **changed}


@pytest.mark.parametrize("kind", Kind)
def test_own_rules_open_every_kind_of_table(db: None, kind: Kind) -> None:
    answer = browser().post("/rules/new/", opening(kind=kind.value, soft_17="hit", decks="4", charlie="7"))
    game = codec.game_of(Table.objects.get())
    assert answer["Location"] == f"/t/{Table.objects.get().code}/"
    assert game.kind is kind
    assert (game.rules.soft_17, game.rules.decks, game.rules.charlie) == (Soft17.HIT, 4, 7)


def test_the_page_starts_from_any_preset_and_keeps_what_else_was_chosen(db: None) -> None:
    page = browser().get("/rules/new/?preset=single-vip&kind=open&rounds=30&listed=on&name=Bob")
    html = page.content.decode()
    assert page.context["chosen"] == {"kind": "open", "rounds": "30", "listed": "on"}
    assert 'value="10,000"' in html
    assert "Single deck, VIP hall: 5,000" in html
    assert page.context["starts"][1]["query"] == "rounds=30&listed=on&name=Bob&kind=open&preset=casino8"


def test_the_page_has_no_need_of_a_script(db: None) -> None:
    html = browser().get("/rules/new/").content.decode()
    for switch in SWITCHES:
        assert re.search(rf'<(?:select|input)[^>]*name="{switch}"', html)
        assert f'id="rule-{switch}_helptext"' in html
    assert "style=" not in html
    assert "onclick" not in html


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_wrong_value_is_told_beside_its_field_and_the_rest_stays(db: None, switch: str) -> None:
    changed = {"soft_17": "hit", "starting_chips": "2,500", "charlie": "6", "name": "Zoë", "listed": "on"}
    page = browser().post("/rules/new/", opening(**{**changed, switch: "<b>12x"}))
    html = page.content.decode()
    assert page.status_code == 200
    assert not Table.objects.exists()
    assert f'id="rule-{switch}_error"' in html
    assert re.search(rf'<(?:select|input)[^>]*name="{switch}"[^>]*aria-invalid="true"', html)
    assert html.count('aria-invalid="true"') == 1
    shown = page.context["form"]
    kept = {name: value for name, value in changed.items() if name in SWITCHES and name != switch}
    assert {name: shown[name].value() for name in kept} == kept
    assert page.context["name"] == "Zoë"
    assert page.context["chosen"]["listed"] == "on"
    assert "<b>12x" not in html


@pytest.mark.parametrize(
    ("changed", "at"),
    [
        ({"starting_chips": "5"}, "starting_chips"),
        ({"kind": "open", "bet_seconds": "none"}, "bet_seconds"),
        ({"kind": "open", "decision_seconds": "none"}, "decision_seconds"),
        ({"kind": "match", "boxes": "1"}, "boxes"),
    ],
)
def test_what_this_kind_of_table_can_not_have_is_told_beside_its_field(
    db: None, changed: dict[str, str], at: str
) -> None:
    html = browser().post("/rules/new/", opening(**changed)).content.decode()
    assert f'id="rule-{at}_error"' in html
    assert not Table.objects.exists()


@pytest.mark.parametrize("changed", [{"bet_seconds": "none", "decision_seconds": "none"}, {"boxes": "1"}])
def test_alone_neither_a_clock_nor_a_second_box_is_needed(db: None, changed: dict[str, str]) -> None:
    browser().post("/rules/new/", opening(kind="solo", name="", **changed))
    assert codec.game_of(Table.objects.get()).kind is Kind.SOLO


@pytest.mark.parametrize("changed", [{"name": ""}, {"name": "a\u202eb"}, {"rounds": "11"}, {"kind": "x"}])
def test_what_is_wrong_beside_the_rules_is_told_too(db: None, changed: dict[str, str]) -> None:
    page = browser().post("/rules/new/", opening(charlie="6", **changed))
    assert page.context["error"]
    assert page.context["form"]["charlie"].value() == "6"
    assert not Table.objects.exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_there_is_no_start_but_the_presets(db: None, method: str) -> None:
    assert getattr(browser(), method)("/rules/new/", opening(preset="nonesuch")).status_code == 404


def test_a_form_larger_than_any_page_sends_is_refused(db: None) -> None:
    assert browser().post("/rules/new/", opening(min_bet="1" * 100_000)).status_code == 400


# The page that changes the rules in a lobby


def settings(**changed: str) -> dict[str, str]:
    return {**filled(PRESETS["casino8"]), "preset": "casino8", "rounds": "30", "listed": "on", **changed}


def test_the_host_changes_every_setting_in_the_lobby(friends: Friends) -> None:
    path = f"/t/{friends.code}/settings/"
    assert path in browser(ALICE).get(f"/t/{friends.code}/").content.decode()
    assert path not in browser(BOB).get(f"/t/{friends.code}/").content.decode()
    assert browser(ALICE).get(path).context["form"]["decks"].value() == "6"
    answer = browser(ALICE).post(path, settings(charlie="5"))
    assert answer["Location"] == f"/t/{friends.code}/"
    game = friends.seen().game
    rules = replace(PRESETS["casino8"], charlie=5)
    assert (game.rules, game.rounds, friends.row.listed) == (rules, 30, True)


def test_switches_of_the_host_s_own_outlast_every_other_setting(friends: Friends) -> None:
    own = {"backing": "no", "players_may_back": "yes", "pair_bets": "yes", "pair_pays": "15:1"}
    browser(ALICE).post(f"/t/{friends.code}/settings/", settings(**own, box_limit="shared"))
    friends.command(ALICE, "configure", rounds="10", clock="off")
    page = browser(ALICE).get(f"/t/{friends.code}/settings/").context["form"]
    assert {switch: page[switch].value() for switch in own} == own
    assert page["box_limit"].value() == "shared"
    rules = friends.seen().game.rules
    assert (rules.backing, rules.pair_pays, rules.bet_seconds) == (False, Fraction(15), None)


def test_the_page_shows_the_rules_in_force_or_those_of_another_start(friends: Friends) -> None:
    path = f"/t/{friends.code}/settings/"
    browser(ALICE).post(path, settings(soft_17="hit", rounds="20", listed="off"))
    page = browser(ALICE).get(path)
    assert (page.context["preset"], page.context["form"]["soft_17"].value()) == ("casino8", "hit")
    assert page.context["chosen"] == {"rounds": "20", "listed": "off"}
    assert "Live table: the dealer stands" in page.content.decode()
    assert browser(ALICE).get(f"{path}?preset=single-vip").context["form"]["decks"].value() == "1"


@pytest.mark.parametrize("guest", [BOB, CAROL, MALLORY, None])
@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_else_changes_anything(friends: Friends, guest: str | None, method: str) -> None:
    before = friends.seen().game
    page = getattr(browser(guest), method)(f"/t/{friends.code}/settings/", settings())
    assert page.status_code == 403
    assert "Only the host can do that." in page.content.decode()
    assert (friends.seen().game, friends.row.listed) == (before, True)


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_match_that_runs_keeps_its_rules(playing: Friends, method: str) -> None:
    before = playing.seen().game
    page = getattr(browser(ALICE), method)(f"/t/{playing.code}/settings/", settings())
    assert page.status_code == 409
    assert "Settings change in the lobby" in page.content.decode()
    assert playing.seen().game == before


@pytest.mark.parametrize(
    "changed",
    [
        {"decks": "9"},
        {"min_bet": "600"},
        {"starting_chips": "5"},
        {"boxes": "1"},
        {"rounds": "11"},
        {"x": "y"},
    ],
)
def test_wrong_settings_change_nothing(friends: Friends, changed: dict[str, str]) -> None:
    before = friends.seen().game
    page = browser(ALICE).post(f"/t/{friends.code}/settings/", settings(listed="off", **changed))
    assert page.status_code == 200
    assert page.context["form"].errors
    assert (friends.seen().game, friends.row.listed) == (before, True)


def test_odds_are_written_as_a_table_writes_them() -> None:
    assert typed("blackjack_pays", Fraction(6, 5)) == "6:5"
