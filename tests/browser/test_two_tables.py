"""Two tables in two tabs of one guest, and a table at which every seat is taken."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Guest, NewGuest
from tests.browser.players import Player, bet_all, let_time_run_out, open_to_all
from tests.browser.strangers import NewStranger, found
from tests.running_site import RunningSite

# Found by search: to one box eight decks deal Jd 3d against 6d, then 3s, six decks Jc 9h against 6d.
LIVE, ALONE = 1800, 3672
SPARE = bytes(32)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_two_tables_in_two_tabs_never_touch_each_other(new_guest: NewGuest, server: RunningSite) -> None:
    server.give_seeds([seed(LIVE), SPARE, seed(ALONE), seed(ALONE)])
    ann = open_to_all(new_guest, "Ann", "casino8")
    alone = second_tab(ann)
    alone.page.goto("/")
    expect(alone.page.locator("#nickname")).to_have_value("Ann")
    alone.page.locator("#play-alone").click()
    alone.expect_phase("turns")
    alone.expect_connected()

    def acting(player: Player, other: Player, *actions: str) -> None:
        before = state(other)
        for action in actions:
            player.answer(action)
        assert state(other) == before
        expect(other.page.locator("#version")).to_have_attribute("data-version", str(before[0]))

    before = state(alone)
    bet_all({ann: 100})
    ann.expect_phase("turns")
    assert state(alone) == before
    acting(alone, ann, "stand")
    alone.expect_round(2)
    acting(ann, alone, "hit", "stand")
    ann.expect_round(2)
    assert (ann.chips, alone.chips) == (1_100, 1_010)

    # A tab that is closed leaves one table, not both.
    alone.page.close()
    bet_all({ann: 100})
    ann.expect_connected()


def second_tab(player: Player) -> Player:
    guest = player.guest
    return Player(player.name, Guest(guest.context, guest.new_page(), guest.allowed, guest.problems))


def state(player: Player) -> tuple[object, ...]:
    """Of the table as the server would show it now, and of the page."""
    version = found(
        r'id="version"[^>]* data-version="(\d+)"', player.page.request.get(player.page.url).text()
    )
    player.expect_version(int(version))
    return int(version), player.cards(), player.all_chips(), player.ask, player.phase


def test_who_comes_to_a_full_table_reads_that_it_is_and_may_watch(
    new_guest: NewGuest, server: RunningSite, new_stranger: NewStranger
) -> None:
    ann = open_to_all(new_guest, "Ann", "casino8")
    strangers = [new_stranger(ann.page.url, f"Friend {number}") for number in range(2, 8)]
    expect(ann.page.locator(".seat-free")).to_have_count(0)
    expect(ann.page.locator(".seat[data-chips]")).to_have_count(7)

    eve = Player("Eve", new_guest())
    eve.page.goto(ann.page.url)
    expect(eve.page.locator("#join-sit")).to_be_hidden()
    eve.page.locator("#nickname").fill("Eve")
    eve.page.locator("#join-watch").click()
    words = eve.page.locator("#actions")
    expect(words).to_contain_text(
        "You are watching. All seats are taken; one becomes free when somebody leaves."
    )
    assert not eve.can("sit")
    assert eve.boxes == []
    # She sees what everybody sees, and may sit where somebody leaves.
    for stranger in strangers:
        stranger.bet(10)
    bet_all({ann: 10})
    expect(eve.page.locator("#felt .seat [data-card]")).to_have_count(14)
    answer_for_all(server, ann)
    ann.menu("leave")
    eve.press("sit")
    eve.expect_connected()
    assert eve.boxes == [1]


def answer_for_all(server: RunningSite, player: Player) -> None:
    while player.phase != "betting":
        let_time_run_out(server, player)
