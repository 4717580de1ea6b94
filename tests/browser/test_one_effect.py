"""A double click does what one click does, whatever the button."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewGuest
from tests.browser.players import BREATH, Player, catch_up, join, open_table, start
from tests.running_site import RunningSite

# Found by search. To two boxes six decks deal 3h As, the dealer's ace, 5h 9d, a hole card that makes no
# blackjack, and then low cards: whoever hits once may hit again.
SEED = (8663).to_bytes(32, "big")


def twice(player: Player, action: str) -> None:
    """As a finger does it: the second press comes when the page has already changed."""
    button = player.button(action)
    expect(button).to_be_visible()
    # What others do may swap the bar at this very moment; it is in the same place a moment later.
    while (place := button.bounding_box()) is None:
        expect(button).to_be_visible()
    player.page.mouse.dblclick(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, delay=60)
    player.pressed_at = time.monotonic()
    player.page.wait_for_timeout(1000 * BREATH)


@pytest.fixture
def alice_and_bob(server: RunningSite, new_guest: NewGuest) -> tuple[Player, Player]:
    server.give_seeds([SEED])
    alice = open_table(new_guest, clock=False)
    return alice, join(new_guest, alice.page.url, "Bob")


def test_every_button_of_a_round_pressed_twice_has_one_effect(alice_and_bob: tuple[Player, Player]) -> None:
    alice, bob = alice_and_bob
    twice(bob, "ready")
    expect(bob.seat).to_contain_text("Ready")
    twice(alice, "start")
    alice.expect_phase("betting")
    alice.page.locator("#amount").fill("50")
    twice(alice, "bet")
    expect(alice.seat).to_have_attribute("data-chips", "950")
    expect(alice.page.locator("#toast")).to_have_text(re.compile(r"^\s*$"))
    bob.bet(100)
    for player in (alice, bob):
        player.expect_phase("insurance")
    twice(bob, "insure")
    expect(bob.seat).to_have_attribute("data-chips", "850")
    twice(alice, "decline")
    alice.expect_phase("turns")
    twice(alice, "hit")
    catch_up([alice, bob])
    expect(alice.seat.locator("[data-card]")).to_have_count(3)
    twice(alice, "stand")
    expect(bob.seat).to_have_class(re.compile(r"\bseat-in-turn\b"))
    expect(bob.seat.locator("[data-card]")).to_have_count(2)


def test_sitting_out_twice_is_sitting_out_one_round(alice_and_bob: tuple[Player, Player]) -> None:
    alice, bob = alice_and_bob
    start([alice, bob])
    twice(alice, "sit_out")
    expect(alice.page.locator("#status")).to_contain_text("1")
    twice(bob, "sit_out")
    expect(alice.page.locator("#status")).to_contain_text("2 / 10")
    catch_up([alice, bob])
    # The round that both sat out is over; the second press did not sit out the next one too.
    expect(alice.page.locator("#do-sit_out:not([aria-disabled])")).to_be_visible()
    expect(bob.page.locator("#do-sit_out:not([aria-disabled])")).to_be_visible()


def test_resigning_and_offering_a_draw_twice(alice_and_bob: tuple[Player, Player]) -> None:
    alice, bob = alice_and_bob
    start([alice, bob])
    alice.breathe()
    alice.page.locator("#open-menu").click()
    alice.page.locator("#ask-offer_draw").click()
    alice.page.locator("#offer_draw-dialog #do-offer_draw").dblclick()
    expect(bob.page.locator("#offer")).to_contain_text("Alice")
    bob.page.wait_for_timeout(1_100)  # an offer takes no click in its first second
    bob.page.locator("#do-refuse_draw").dblclick()
    expect(bob.page.locator("#offer")).to_be_hidden()
    bob.menu("resign")
    alice.expect_phase("over")
    expect(alice.page.locator("#result")).to_contain_text("Alice wins the match")
    expect(alice.page.locator("#standings, #result").first).not_to_contain_text("NaN")
