"""Lines that die without a word, tabs and devices: the seat stays its owner's."""

from __future__ import annotations

import random
import re

from playwright.sync_api import expect

from tests.browser.conftest import NewGuest
from tests.browser.players import (
    DESK,
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

TEN_SECONDS = 10_000
AWAY = re.compile(r"\bseat-away\b")


def test_a_line_that_dies_silently_is_noticed_on_both_ends_within_ten_seconds(
    new_guest: NewGuest, server: RunningSite, line: CuttableLine
) -> None:
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url.replace(server.url, line.url), "Bob", base_url=line.url)
    bob.guest.allow_lost_connection()
    start([alice, bob])
    line.freeze()
    expect(bob.page.locator("#connection")).to_have_text(
        "Connection lost, trying again…", timeout=TEN_SECONDS
    )
    expect(alice.page.locator(".seat", has_text="Bob")).to_have_class(AWAY, timeout=TEN_SECONDS)
    alice.bet(50)
    # What is pressed meanwhile is not kept for later.
    bob.bet(100)
    line.thaw()
    line.cut()
    line.mend()
    expect(bob.page.locator("#connection")).to_have_text(re.compile("^(You are back.)?$"))
    expect(alice.page.locator(".seat", has_text="Bob")).not_to_have_class(AWAY)
    catch_up([alice, bob])
    expect(bob.page.locator(".seat", has_text="Alice")).to_have_attribute("data-chips", "950")
    before = catch_up([alice, bob])
    assert (bob.chips, bob.can("bet")) == (1_000, True)
    bob.bet(50)
    alice.expect_news(before)


def test_two_tabs_are_one_person_and_closing_one_sends_nobody_away(new_guest: NewGuest) -> None:
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url, "Bob")
    second = bob.guest.new_page()
    second.goto(alice.page.url)
    expect(second.locator("#own")).to_have_attribute("data-seat", "2")
    start([alice, bob])
    second.close()
    before = catch_up([alice, bob])
    alice.bet(50)
    bob.expect_news(before)
    expect(alice.page.locator(".seat", has_text="Bob")).not_to_have_class(AWAY)


def test_a_seat_moves_to_another_device_by_its_private_link_and_a_button(new_guest: NewGuest) -> None:
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url, "Bob")
    start([alice, bob])
    assert play_until([alice, bob], random.Random(5), "turns", "insurance") != "over"
    bob.page.locator("#open-menu").click()
    bob.page.locator("#seat-link-summary").click()
    link = bob.page.locator("#seat-url").input_value()
    bob.page.locator("#close-menu").click()

    phone = Player("Bob", new_guest(viewport=DESK))
    phone.page.goto(link)
    expect(bob.page.locator("#own")).to_have_attribute("data-seat", "2")  # opening it moved nothing
    phone.page.locator("#move-seat").click()
    expect(phone.page.locator("#own")).to_have_attribute("data-seat", "2")
    expect(bob.page.locator("#own")).not_to_have_attribute("data-seat", re.compile("."))
    play_once([alice, phone], random.Random(6))
    assert playable(bob) == []

    # The link was good for one move.
    mallory = new_guest()
    mallory.allow("404|410")
    mallory.page.goto(link)
    expect(mallory.page.locator("#move-seat")).to_have_count(0)


def test_a_nickname_takes_no_seat_from_who_is_away(
    new_guest: NewGuest, server: RunningSite, line: CuttableLine
) -> None:
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url.replace(server.url, line.url), "Bob", base_url=line.url)
    bob.guest.allow_lost_connection()
    start([alice, bob])
    line.cut()
    expect(alice.page.locator(".seat", has_text="Bob")).to_have_class(AWAY)
    mallory = new_guest()
    mallory.page.goto(alice.page.url)
    mallory.page.locator("#nickname").fill("bob")
    mallory.page.locator("#join-watch").click()
    expect(mallory.page.locator("#nickname-error")).to_be_visible()
    mallory.page.locator("#nickname").fill("Mallory")
    mallory.page.locator("#join-watch").click()
    expect(mallory.page.locator("#join-watch")).to_have_count(0)
    expect(mallory.page.locator("#own")).not_to_have_attribute("data-seat", re.compile("."))


def test_who_is_away_for_two_minutes_is_not_waited_for_and_plays_on_after_coming_back(
    new_guest: NewGuest, server: RunningSite, line: CuttableLine
) -> None:
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url.replace(server.url, line.url), "Bob", base_url=line.url)
    bob.guest.allow_lost_connection()
    start([alice, bob])
    line.cut()
    expect(alice.page.locator(".seat", has_text="Bob")).to_have_class(AWAY)
    server.move_clock(121)
    alice.page.reload()
    alice.page.locator("#open-menu").click()
    alice.tap('[data-action="stop_waiting"]')
    alice.page.locator("#close-menu").click()
    alice.press("sit_out")
    expect(alice.page.locator("#status")).to_contain_text("2 / 10")
    line.mend()
    expect(alice.page.locator(".seat", has_text="Bob")).not_to_have_class(AWAY)
    before = catch_up([alice, bob])
    alice.press("sit_out")
    alice.expect_news(before)
    expect(alice.page.locator("#status")).to_contain_text("2 / 10")
    bob.press("sit_out")
    expect(alice.page.locator("#status")).to_contain_text("3 / 10")
