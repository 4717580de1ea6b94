"""A whole match in real browsers: four play, one watches, and the game is found again."""

from __future__ import annotations

import random
import re

from playwright.sync_api import expect

from tests.browser.conftest import NewGuest
from tests.browser.players import (
    Player,
    catch_up,
    join,
    open_table,
    play_once,
    play_until,
    playable,
    start,
)
from tests.cuttable_line import CuttableLine
from tests.running_site import RunningSite


def test_four_play_ten_rounds_with_the_clock_while_one_watches(
    new_guest: NewGuest, server: RunningSite, line: CuttableLine
) -> None:
    source = random.Random(7)
    alice = open_table(new_guest, listed=True)
    link = alice.page.url
    bob = join(new_guest, link.replace(server.url, line.url), "Bob", base_url=line.url)
    ira, oleh = join(new_guest, link, "Ira"), join(new_guest, link, "Олег")
    carol = join(new_guest, link, "Carol", watch=True)
    bob.guest.allow_lost_connection()
    players = [alice, bob, ira, oleh]
    for player in players:
        expect(player.page.locator("#people")).to_have_attribute("data-spectators", "1")
    start(players)

    reloaded_in: set[str] = set()
    dropped = resigned = False
    while alice.phase != "over":
        if carol.phase not in reloaded_in:
            reload(carol, alice)
            reloaded_in.add(carol.phase)
        if not dropped and playable(bob):
            drop_and_come_back(bob, alice, line)
            dropped = True
        if not resigned and "4 / 10" in " ".join(alice.page.locator("#status").inner_text().split()):
            ira.menu("resign")
            expect(alice.page.locator(".seat", has_text="Ira")).to_have_attribute("data-status", "resigned")
            players.remove(ira)
            resigned = True
        play_once(players, source)

    assert dropped
    assert resigned
    assert {"betting", "turns"} <= reloaded_in
    reload(carol, alice)
    for player in (*players, ira, carol):
        player.expect_phase("over")
        expect(player.page.locator("#result")).to_be_visible()
    final = {player.name: player.chips for player in players}
    read_the_game(carol, final)


def reload(watcher: Player, player: Player) -> None:
    """After a reload the page shows what everybody else sees."""
    watcher.page.reload()
    expect(player.page.locator("#people")).to_have_attribute("data-spectators", "1")
    catch_up([watcher, player])
    watcher.expect_phase(player.phase)
    assert watcher.cards() == player.cards()
    assert watcher.all_chips() == player.all_chips()


def drop_and_come_back(bob: Player, alice: Player, line: CuttableLine) -> None:
    """In the own turn: the others see who is away, and the seat and the question are there afterwards."""
    cards, chips, moves = bob.cards(), bob.chips, playable(bob)
    line.cut()
    expect(bob.page.locator("#connection")).to_have_text("Connection lost, trying again…")
    expect(alice.page.locator(".seat", has_text="Bob")).to_have_class(re.compile(r"\bseat-away\b"))
    line.mend()
    expect(alice.page.locator(".seat", has_text="Bob")).not_to_have_class(re.compile(r"\bseat-away\b"))
    expect(bob.page.locator("#connection")).not_to_have_text("Connection lost, trying again…")
    bob.expect_version(alice.version)
    assert bob.cards() == cards
    assert bob.chips == chips
    assert playable(bob) == moves


def read_the_game(reader: Player, final: dict[str, int]) -> None:
    """The listed game is found in the archive, with the chips with which it ended."""
    page = reader.page
    page.goto("/games/")
    page.locator('a[href^="/games/"]', has_text="Alice").first.click()
    expect(page).to_have_url(re.compile(r"/games/[\w-]+/$"))
    words = page.locator("main").inner_text()
    for name, chips in final.items():
        assert name in words
        assert f"{chips:,}" in words
    for number in range(1, 11):
        assert f"Round {number}" in words
    assert "resigned" in words.lower()


def test_a_killed_server_loses_no_card_no_chip_and_no_seat(new_guest: NewGuest, server: RunningSite) -> None:
    source = random.Random(11)
    alice = open_table(new_guest)
    bob = join(new_guest, alice.page.url, "Bob")
    carol = join(new_guest, alice.page.url, "Carol", watch=True)
    everybody = [alice, bob, carol]
    for person in everybody:
        person.guest.allow_lost_connection()
    start([alice, bob])
    assert play_until([alice, bob], source, "turns") == "turns"
    carol.expect_version(alice.version)
    before = [(person.cards(), person.all_chips(), playable(person)) for person in everybody]

    server.kill()
    for person in everybody:
        expect(person.page.locator("#connection")).to_have_text("Connection lost, trying again…")
    server.start()

    for person in everybody:
        expect(person.page.locator("#connection")).not_to_have_text("Connection lost, trying again…")
        expect(person.page.locator(".seat-away")).to_have_count(0)
    catch_up(everybody)
    assert [(person.cards(), person.all_chips(), playable(person)) for person in everybody] == before

    # And the match goes on to its end.
    play_until([alice, bob], source)
    for person in everybody:
        person.expect_phase("over")
