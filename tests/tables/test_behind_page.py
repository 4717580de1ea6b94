"""What the table page shows of bets behind and on pairs, and to whom."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client

from engine.bets import largest_pair
from engine.game import Kind
from engine.rules import PRESETS
from engine.shown import BehindView, SideBetView
from tables import behind, services, words
from tables.fragments import Reader, Showing
from tables.identity import COOKIE, cookie_of
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, NAMES, Friends
from tests.tables.test_backing import ACE_UP, EIGHTS, QUIET, back, deal, done, with_crowd
from tests.tables.test_table_page import buttons, page, text_of


@pytest.fixture
def backed(playing: Friends) -> Friends:
    """A match whose first bets are open; Carol and Mallory watch."""
    return with_crowd(playing)


def prompt(table: Friends, guest: str) -> str:
    return text_of(page(table, guest), "prompt")


def stakes(html: str) -> dict[str, str]:
    found = re.findall(
        r'<span class="own-stake" hidden(?: data-open)? data-stake="(\d)"[^>]*>(.*?)</span>', html
    )
    return dict(found)


# The tray


def test_who_watches_has_a_tray_while_bets_are_open(backed: Friends) -> None:
    assert 'id="tray" class="tray" data-open="true"' in page(backed, CAROL)
    assert {"do-back", "do-done", "pick-pair", "pick-1", "pick-2"} <= buttons(page(backed, CAROL))
    assert prompt(backed, CAROL) == "Tap a player to bet behind."
    deal(backed)
    assert 'id="tray" class="tray" data-open="false"' in page(backed, CAROL)
    assert not {"do-back", "do-done"} & buttons(page(backed, CAROL))


def test_who_plays_bets_on_the_own_pair_and_not_behind(backed: Friends) -> None:
    assert {"do-bet", "pick-pair"} <= buttons(page(backed, ALICE))
    assert not {"do-back", "do-done"} & buttons(page(backed, ALICE))
    backed.send(ALICE, action="bet", ask=backed.ask(ALICE).ask, amount="50", pair="10")
    assert "Pair 10" in text_of(page(backed, BOB), "seat-1")


def test_who_plays_where_players_may_bet_behind_has_both(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "classic6", BOB)
    assert {"do-bet", "do-back", "pick-pair"} <= buttons(page(table, ALICE))
    shown = page(table, ALICE)
    assert re.search(r'id="behind-form" hidden', shown)
    assert re.findall(r'class="tray-behind" hidden data-box="(\d)"', shown) == ["2"]


@pytest.mark.parametrize(
    ("switches", "missing"),
    [({"pair_bets": False}, {"pick-pair"}), ({"backing": False}, {"do-back", "do-done", "behind-1"})],
)
def test_what_the_rules_do_not_allow_is_not_there(
    table_of: Play, switches: dict[str, bool], missing: set[str]
) -> None:
    table = with_crowd(table_of(Kind.OPEN, "casino8", BOB, **switches))
    for guest in (ALICE, CAROL):
        assert not missing & buttons(page(table, guest))


def test_a_pair_bet_needs_room_under_a_fifth_of_the_highest_bet() -> None:
    rules = PRESETS["openseat"]
    assert largest_pair(rules) == 100
    assert largest_pair(replace(rules, max_bet=260)) == 50
    assert largest_pair(replace(rules, max_bet=50)) == 10
    assert largest_pair(replace(rules, max_bet=40)) == 0
    assert largest_pair(replace(rules, pair_bets=False)) == 0


def test_the_tray_knows_what_lies_and_what_lay_last(backed: Friends) -> None:
    back(backed, CAROL, 2, 50, 10)
    assert 'data-box="2" data-bet="50" data-pair="10" data-last="0" data-last-pair="0"' in page(backed, CAROL)
    backed.deal(QUIET)
    done(backed, CAROL)
    backed.stand()
    assert 'data-box="2" data-bet="0" data-pair="0" data-last="50" data-last-pair="10"' in page(backed, CAROL)
    assert 'data-box="1" data-bet="0" data-pair="0" data-last="0" data-last-pair="0"' in page(backed, CAROL)


def test_done_is_for_who_has_bet(backed: Friends) -> None:
    assert re.search(r'id="do-done"[^>]*aria-disabled="true"', page(backed, CAROL))
    back(backed, CAROL, 1)
    assert not re.search(r'id="do-done"[^>]*aria-disabled="true"', page(backed, CAROL))
    assert prompt(backed, CAROL) == "Press Done when your bets are placed."
    done(backed, CAROL)
    assert "do-back" not in buttons(page(backed, CAROL))
    assert prompt(backed, CAROL) == "Your bets are placed. Waiting for Alice, Bob."


def test_the_last_seconds_are_said_to_be_for_bets_behind(backed: Friends) -> None:
    back(backed, CAROL, 1)
    backed.deal(QUIET)
    assert backed.view.phase == "betting"
    for guest in (ALICE, BOB):
        assert prompt(backed, guest) == "The deal waits a moment for bets behind."


# What lies


def test_chips_behind_a_seat_are_counted_and_summed_for_all(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 10)
    back(backed, MALLORY, 1, 100)
    for guest in (ALICE, BOB, CAROL):
        assert re.search(r'data-behind="1" data-count="2" data-sum="160"', page(backed, guest))
    assert stakes(page(backed, CAROL)) == {"1": "50 + 10"}
    assert stakes(page(backed, MALLORY)) == {"1": "100"}
    assert stakes(page(backed, ALICE)) == {}


def test_results_are_on_the_own_page_and_in_the_standing(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 10)
    back(backed, CAROL, 2, 100)
    backed.deal(QUIET)
    done(backed, CAROL)
    assert text_of(page(backed, CAROL), "actions").startswith("Alice 50, pair ")
    backed.stand()
    nets = {one.name: one.net for seat in backed.view.seats for one in seat.behind}
    assert nets.keys() == {"Carol"}
    net = backed.own(CAROL).backing.net  # type: ignore[union-attr]
    assert net is not None
    said = f"Bets behind: {words.signed(net)}."
    assert prompt(backed, CAROL).startswith(said)
    row = re.search(r'<tr data-backer="Carol".*?</tr>', page(backed, ALICE), re.DOTALL)
    assert row
    assert [words.chips(1_000 + net), words.signed(net)] == re.findall(
        r'<td class="number">(.*?)</td>', row[0]
    )


def test_what_is_decided_is_told_while_others_still_play(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 10)
    back(backed, MALLORY, 2, 30)
    backed.deal("A low mid T low")
    done(backed, CAROL)
    done(backed, MALLORY)
    assert backed.view.phase == "turns"
    # A blackjack at 3:2, paid at once, and no pair.
    assert stakes(page(backed, CAROL)) == {"1": "+65"}
    assert text_of(page(backed, CAROL), "actions") == "Alice 50, pair −10 · in all +65"
    assert stakes(page(backed, MALLORY)) == {"2": "30"}
    assert [one.net for one in backed.view.backers] == [None, None], "the round is not over"
    assert "behind 1 · 60" in text_of(page(backed, ALICE), "seat-1")
    assert "last round" not in page(backed, ALICE)


def test_the_end_of_a_match_tells_a_backer_what_the_last_round_brought(backed: Friends) -> None:
    back(backed, CAROL, 1, 50)
    backed.deal(QUIET)
    done(backed, CAROL)
    backed.stand()
    (net,) = (one.net for one in backed.view.backers)
    assert net is not None
    backed.send(BOB, action="resign", game=str(backed.view.game))
    assert backed.view.phase == "over"
    said = f"Bets behind: {words.signed(net)}. The match is over. Free seats can be taken now. "
    assert prompt(backed, CAROL).startswith(said)


def test_bets_behind_who_has_left_are_told_at_the_end_too(backed: Friends) -> None:
    back(backed, CAROL, 1, 50)
    back(backed, CAROL, 2, 30)
    backed.deal(QUIET)
    done(backed, CAROL)
    backed.stand()
    (backer,) = backed.view.backers
    assert backer.net is not None
    backed.send(BOB, action="leave", game=str(backed.view.game))
    assert backed.view.phase == "over"
    assert backed.view.seats[1].player is None
    assert prompt(backed, CAROL).startswith(f"Bets behind: {words.signed(backer.net)}.")
    assert list(stakes(page(backed, CAROL))) == ["1", "2"]
    told = text_of(page(backed, CAROL), "actions")
    assert "Alice 50" in told
    assert "Bob 30" in told


def test_who_follows_sees_it_at_once_and_nobody_else_does(backed: Friends) -> None:
    back(backed, CAROL, 1, 50)
    back(backed, MALLORY, 1, 30)
    backed.deal(QUIET)
    done(backed, CAROL)
    done(backed, MALLORY)
    backed.answer(ALICE, "double")
    before = page(backed, ALICE)
    backed.answer(CAROL, "follow")
    assert stakes(page(backed, CAROL)) == {"1": "100"}
    assert stakes(page(backed, MALLORY)) == {"1": "30"}
    for guest in (ALICE, MALLORY):
        assert "behind 2 · 80" in text_of(page(backed, guest), "seat-1")
    assert text_of(before, "seat-1") == text_of(page(backed, ALICE), "seat-1")
    backed.answer(MALLORY, "pass")
    assert "behind 2 · 130" in text_of(page(backed, ALICE), "seat-1")


def test_what_is_lost_already_lies_behind_no_seat(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 20)
    assert "behind 1 · 70" in text_of(page(backed, ALICE), "seat-1")
    backed.deal(QUIET)
    done(backed, CAROL)
    assert backed.view.phase == "turns"
    assert "behind 1 · 50" in text_of(page(backed, ALICE), "seat-1")
    backed.stand()
    assert "last round 1 · 70" in text_of(page(backed, ALICE), "seat-1")


def test_a_void_round_brought_nothing_and_says_so(backed: Friends) -> None:
    back(backed, CAROL, 1, 50)
    backed.deal(QUIET)
    done(backed, CAROL)
    services.void_round(backed.code)
    assert prompt(backed, CAROL).startswith("Void: your bets behind came back.")


def test_a_new_bet_stands_alone_without_what_the_last_side_bets_brought(backed: Friends) -> None:
    backed.reseed(QUIET)
    backed.send(ALICE, action="bet", ask=backed.ask(ALICE).ask, amount="50", pair="10")
    backed.bet(BOB, 50)
    backed.stand()
    assert "Pair −10" in text_of(page(backed, BOB), "seat-1")
    backed.bet(ALICE, 50)
    assert "Pair" not in text_of(page(backed, BOB), "seat-1")


def test_where_nobody_sits_there_is_nobody_to_bet_behind(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8")
    services.join(table.code, CAROL, "Carol", sit=False)
    assert "tap a player to bet behind" in prompt(table, CAROL)
    table.send(ALICE, action="leave", game=str(table.view.game))
    assert prompt(table, CAROL) == "Nobody sits here now. Take a seat to play."


def test_of_several_boxes_of_one_player_it_is_said_which_one(table_of: Play) -> None:
    table = with_crowd(table_of(Kind.OPEN, "classic6"))
    table.send(ALICE, action="sit", game=str(table.view.game), seat="2")
    html = page(table, CAROL)
    assert re.findall(r'data-name="(Alice[^"]*)"', html) == ["Alice, box 1", "Alice, box 2"]
    for number in (1, 2):
        labels = text_of(html, f"seat-{number}")
        assert f"Bet behind Alice, box {number}" in labels
        assert f"Take your bet behind Alice, box {number} back" in labels
    back(table, CAROL, 2, 50)
    assert "Behind Alice, box 2" in get(table, "behind/2/", CAROL)[1]
    table.reseed("low 5 T mid 6")
    for ask in table.own(ALICE).asks:
        table.send(ALICE, action="bet", ask=ask.ask, amount="50")
    done(table, CAROL)
    assert text_of(page(table, CAROL), "actions").startswith("Alice, box 2 50")
    while (ask := table.own(ALICE).asks[0]).box == 1 or ask.kind == "surrender":
        table.send(ALICE, action="decline" if ask.kind == "surrender" else "stand", ask=ask.ask)
    table.send(ALICE, action="double", ask=ask.ask)
    assert prompt(table, CAROL) == "Alice, box 2 doubles. Add 50 to your bet?"
    assert re.search(r'id="own"[^>]* data-behind="2"', page(table, CAROL))


def test_who_is_out_of_chips_reads_of_the_fresh_stack(backed: Friends) -> None:
    back(backed, CAROL, 1, 500)
    back(backed, CAROL, 2, 500)
    backed.deal("T T T T T A", 10, 10)
    done(backed, CAROL)
    assert backed.view.phase == "betting"
    assert prompt(backed, CAROL).startswith("Out of chips: here is a fresh stack of 1,000.")
    assert "Out of chips" not in prompt(backed, MALLORY)
    assert re.search(
        r'seat-behind-past"[^>]*data-behind="1"[^>]*><span class="behind-word">last round<', page(backed, BOB)
    )
    back(backed, MALLORY, 1, 50)
    assert 'class="seat-behind" type="button" id="behind-1"' in page(backed, BOB)
    back(backed, CAROL, 1, 50)
    assert prompt(backed, CAROL) == "Press Done when your bets are placed."


@pytest.mark.parametrize(
    ("bets", "told", "still_open"),
    [
        (BehindView("p", "P", 50, None, None, None), "50", (50,)),
        (BehindView("p", "P", 50, SideBetView(10, None), None, None), "50, pair 10", (50, 10)),
        (BehindView("p", "P", 50, SideBetView(10, 120), None, None), "50, pair +110", (50,)),
        (BehindView("p", "P", 0, SideBetView(10, 0), None, -10), "pair 10", ()),
        (BehindView("p", "P", 50, None, SideBetView(25, None), None), "50, insurance 25", (50, 25)),
    ],
)
def test_bets_behind_in_words(bets: BehindView, told: str, still_open: tuple[int, ...]) -> None:
    assert words.bets_behind(bets) == told
    assert words.open_behind(bets) == still_open


# Questions


def test_a_backer_is_asked_by_name_and_the_others_learn_nothing(backed: Friends) -> None:
    deal(backed, QUIET, CAROL)
    backed.answer(ALICE, "double")
    assert prompt(backed, CAROL) == "Alice doubles. Add 50 to your bet?"
    assert {"do-follow", "do-pass"} <= buttons(page(backed, CAROL))
    for guest in (ALICE, BOB, MALLORY):
        assert prompt(backed, guest) == "Somebody who bets behind is deciding."
        assert not {"do-follow", "do-pass"} & buttons(page(backed, guest))


def test_a_split_is_asked_as_one(backed: Friends) -> None:
    deal(backed, EIGHTS, CAROL)
    backed.answer(ALICE, "split")
    assert prompt(backed, CAROL) == "Alice splits. 50 on the second hand too?"


def test_even_money_is_asked_with_the_name_of_the_hand(table_of: Play) -> None:
    table = with_crowd(table_of(Kind.OPEN, "classic6", BOB))
    deal(table, "A low A T low", CAROL)
    assert table.ask(CAROL).kind == "even_money"
    assert prompt(table, CAROL) == "Alice has a blackjack. Take even money for your bet?"


def test_insurance_behind_several_seats_is_asked_seat_by_seat(backed: Friends) -> None:
    back(backed, CAROL, 1)
    back(backed, CAROL, 2)
    backed.deal(ACE_UP)
    done(backed, CAROL)
    assert prompt(backed, CAROL) == "Behind Alice: the dealer shows an ace. Insurance?"
    backed.answer(CAROL, "insure")
    assert prompt(backed, CAROL) == "Behind Bob: the dealer shows an ace. Insurance?"
    backed.answer(CAROL, "decline")
    assert not {"do-insure", "do-decline"} & buttons(page(backed, CAROL))


# Who bets behind a seat


def get(table: Friends, path: str, guest: str = ALICE, **headers: str) -> tuple[int, str]:
    client = Client()
    client.cookies[COOKIE] = cookie_of(guest)
    answer = client.get(f"/t/{table.code}/{path}", headers=headers)
    return answer.status_code, answer.content.decode()


def test_the_names_behind_a_seat_come_on_tap_and_have_a_page(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 10)
    back(backed, MALLORY, 1, 100)
    status, piece = get(backed, "behind/1/", **{"HX-Request": "true"})
    assert status == 200
    assert "<html" not in piece
    assert re.findall(r'data-backer="(\w+)"', piece) == ["Mallory", "Carol"]
    assert "2 backers, 160 chips" in piece
    status, whole = get(backed, "behind/1/")
    assert status == 200
    assert "<html" in whole
    assert "Nobody bets behind this seat." in get(backed, "behind/2/")[1]


@pytest.mark.parametrize("path", [f"behind/{seat}/" for seat in (3, 0, 99, -1, "01", "x")])
def test_behind_a_seat_that_nobody_holds_there_is_no_page(backed: Friends, path: str) -> None:
    assert get(backed, path)[0] == 404


def test_a_name_is_text_wherever_a_backer_shows(backed: Friends) -> None:
    services.join(backed.code, "dave".ljust(22, "-"), "<b>&'\"</b>", sit=False)
    dave = "dave".ljust(22, "-")
    back(backed, dave, 1)
    for _, shown in (get(backed, "behind/1/"), get(backed, "backers/"), get(backed, "")):
        assert "<b>&'" not in shown
        assert "&lt;b&gt;&amp;&#x27;&quot;&lt;/b&gt;" in shown


def test_many_backers_are_a_short_list_with_a_way_to_the_whole(backed: Friends) -> None:
    crowd = [f"guest{number}".ljust(22, "-") for number in range(60)]
    for number, guest in enumerate(crowd):
        services.join(backed.code, guest, f"Guest {number}", sit=False)
        backed.here(guest)
        back(backed, guest, number % 2 + 1)
    shown = page(backed, ALICE)
    assert shown.count("data-backer=") == behind.LEADERS
    assert "All 60" in shown
    assert 'data-count="30" data-sum="1500"' in shown
    assert "and 22 more" in text_of(shown, "people")
    assert get(backed, "backers/")[1].count("data-backer=") == 60
    assert get(backed, "behind/1/")[1].count("data-backer=") == 30


def test_anothers_bet_behind_makes_nothing_of_ones_own_again(backed: Friends) -> None:
    back(backed, CAROL, 1)
    seen = backed.seen()
    first = Showing(seen)
    readers = {guest: Reader("en", seen.player_of(guest)) for guest in (ALICE, CAROL, MALLORY)}
    for reader in readers.values():
        first.frame(reader, since=0)
    back(backed, MALLORY, 2)
    second = Showing(backed.seen(), first)
    frames = {guest: second.frame(reader, since=first.serial) for guest, reader in readers.items()}

    def pieces(frame: str) -> set[str]:
        return set(re.findall(r'<\w+ id="([\w-]+)"[^>]* hx-swap-oob="true"', frame))

    common = {"version", "status", "seat-2", "backers"}
    assert pieces(frames[ALICE]) == common
    assert pieces(frames[CAROL]) == common
    assert pieces(frames[MALLORY]) == common | {"own", "tray"}


def test_the_way_in_says_that_one_may_bet(table_of: Play, backed: Friends) -> None:
    stranger = "stranger".ljust(22, "-")
    assert "Watch and bet" in page(backed, stranger)
    assert "Watch and bet" in page(table_of(Kind.SOLO, "openseat", cards="low mid low"), stranger)
    without = table_of(Kind.SOLO, "openseat", cards="low mid low", backing=False)
    assert "Just watch" in page(without, stranger)
    assert NAMES[ALICE] in page(backed, stranger)


def test_own_rules_without_bets_behind_are_marked_as_such(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, backing=False, decks=6)
    shown = get(table, "rules/")[1]
    row = re.search(
        r'<tr class="differs"><th scope="row">Spectators bet behind</th>.*?</tr>', shown, re.DOTALL
    )
    assert row
    assert "instead of: yes" in row[0]


@pytest.mark.parametrize("backing", [True, False])
def test_alone_a_game_keeps_its_name_with_bets_behind_and_without(table_of: Play, backing: bool) -> None:
    """Games that were kept when nobody could bet behind who plays alone have them turned off."""
    alone = table_of(Kind.SOLO, "casino8", cards="low mid low", backing=backing)
    shown = get(alone, "rules/")[1]
    assert 'class="differs"' not in shown
    assert "Live table. One player, alone." in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", shown))
