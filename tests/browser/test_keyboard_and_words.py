"""Keys on any layout, typed text that stays text, and pages that say where the way goes on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewGuest
from tests.browser.players import BREATH, Player, catch_up, join, open_table, start
from tests.running_site import RunningSite

# 3h As, the dealer's ace, 5h 9d, a nine as hole card, 6c …
SEED = (8663).to_bytes(32, "big")
UGLY = "<svg/onload=alert(1)>"[:20]


def test_a_round_by_keys_alone_on_a_cyrillic_layout(server: RunningSite, new_guest: NewGuest) -> None:
    server.give_seeds([SEED])
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url, "Bob", locale="uk-UA")
    start([alice, bob])
    alice.page.locator("#amount").focus()
    alice.page.keyboard.type("50")
    refusal = "document.getElementById('toast').innerHTML = '<p class=toast>No.</p>'"
    alice.page.evaluate(refusal)
    alice.page.wait_for_timeout(1000 * BREATH)
    alice.page.keyboard.press("Enter")
    expect(alice.seat).to_have_attribute("data-chips", "950")
    expect(alice.page.locator(".toast")).to_have_count(0)
    bob.page.locator("#chip-100").click()
    bob.page.locator("#amount").blur()
    key(bob, "KeyB", "и")
    bob.expect_phase("insurance")
    bob.page.wait_for_timeout(1000 * BREATH)
    key(bob, "KeyI", "ш")
    expect(bob.seat).to_have_attribute("data-chips", "850")
    alice.page.locator("#amount").evaluate("field => field.blur()")
    alice.press("decline")
    alice.expect_phase("turns")
    alice.page.wait_for_timeout(1000 * BREATH)
    key(alice, "KeyH", "р")
    expect(alice.seat.locator("[data-card]")).to_have_count(3)
    expect(alice.page).to_have_title(re.compile("^Your turn"))
    alice.page.wait_for_timeout(1000 * BREATH)
    key(alice, "KeyS", "і")
    expect(bob.seat).to_have_class(re.compile(r"\bseat-in-turn\b"))
    catch_up([alice, bob])
    expect(alice.page).to_have_title(re.compile("^Bob is deciding"))


def key(player: Player, code: str, letter: str) -> None:
    """A key as a browser with a Cyrillic layout tells of it: its place, and another letter."""
    player.page.evaluate(
        "([code, key]) => (document.activeElement ?? document.body).dispatchEvent("
        "new KeyboardEvent('keydown', {code, key, bubbles: true, cancelable: true}))",
        [code, letter],
    )


@pytest.mark.parametrize("name", [UGLY, "' or 1=1; --", "🂡 Ace 🂡", "&amp;"])
def test_an_odd_nickname_is_ugly_text_and_nothing_else(new_guest: NewGuest, name: str) -> None:
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url, name)
    for player in (alice, bob):
        expect(player.page.locator(".seat").nth(1)).to_contain_text(name)
        player.page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    start([alice, bob])
    alice.page.locator("#chip-10").click()
    alice.press("bet")
    expect(alice.page).to_have_title(re.compile(re.escape(name)))
    expect(alice.page.locator("#felt svg[onload]")).to_have_count(0)


@pytest.mark.parametrize("name", ["", " ", "x" * 500, "\u202egnp.exe", "a\u200bb", "tab\there"])
def test_a_nickname_that_would_mislead_is_refused_in_words(new_guest: NewGuest, name: str) -> None:
    alice = open_table(new_guest, clock=False)
    mallory = new_guest()
    mallory.allow("400|422")
    mallory.page.goto(alice.page.url)
    field = mallory.page.locator("#nickname")
    field.evaluate("field => { field.removeAttribute('maxlength'); field.removeAttribute('required') }")
    field.evaluate("(field, name) => { field.value = name }", name)
    mallory.page.locator("#join-watch").click()
    expect(mallory.page.locator("#nickname-error")).to_be_visible()
    expect(alice.page.locator("#people")).to_have_attribute("data-spectators", "1")
    assert mallory.page.locator("main").inner_text().count("x" * 30) == 0


def test_typing_a_bet_survives_what_others_do(new_guest: NewGuest) -> None:
    alice = open_table(new_guest, clock=False)
    bob = join(new_guest, alice.page.url, "Bob")
    ira = join(new_guest, alice.page.url, "Ira")
    start([alice, bob, ira])
    alice.page.locator("#amount").focus()
    alice.page.keyboard.type("1")
    before = alice.version
    bob.bet(50)
    alice.expect_news(before)
    alice.page.keyboard.type("20")
    expect(alice.page.locator("#amount")).to_have_value("120")
    expect(alice.page.locator("#amount")).to_be_focused()
    alice.page.keyboard.press("Enter")
    expect(alice.seat).to_have_attribute("data-chips", "880")
