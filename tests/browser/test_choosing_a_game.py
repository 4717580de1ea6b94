"""The home page on a phone, with and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewGuest
from tests.browser.players import PHONE


def choose(page: Page, game: str) -> None:
    page.locator("label.game-choice", has_text=game).click()


def test_a_newcomer_sees_the_nickname_and_the_button_without_scrolling(new_guest: NewGuest) -> None:
    page = new_guest(viewport=PHONE).page
    page.goto("/")
    for field in ("#nickname", "#open-table", "#play-alone"):
        box = page.locator(field).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= PHONE["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("scripts", [True, False])
def test_one_tap_leads_to_the_first_cards(new_guest: NewGuest, scripts: bool) -> None:
    page = new_guest(viewport=PHONE, java_script_enabled=scripts).page
    page.goto("/")
    choose(page, "Single deck")
    page.locator("#play-alone").click()
    expect(page.locator("#felt [data-card]").first).to_be_attached()


@pytest.mark.parametrize("scripts", [True, False])
def test_own_rules_are_found_from_home_and_wrong_ones_keep_the_rest(
    new_guest: NewGuest, scripts: bool
) -> None:
    page = new_guest(viewport=PHONE, java_script_enabled=scripts).page
    page.goto("/")
    page.locator("#nickname").fill("Alice")
    choose(page, "Your own rules")
    page.get_by_role("button", name="Set the rules").click()
    page.locator("#rule-soft_17").select_option("hit")
    page.locator("#rule-max_bet").fill("lots")
    page.locator("#open-table").click()
    expect(page.locator("#rule-max_bet_error")).to_have_text("Type a whole number, such as 500.")
    expect(page.locator("#rule-soft_17")).to_have_value("hit")
    page.locator("#rule-max_bet").fill("1,000")
    page.locator("#open-table").click()
    expect(page.locator("#version")).to_have_attribute("data-phase", "lobby")


def test_what_a_game_does_not_offer_is_said_before_it_is_asked_for(new_guest: NewGuest) -> None:
    page = new_guest(viewport=PHONE).page
    page.goto("/")
    page.locator('[name="kind"][value="open"] + span').click()
    expect(page.locator(".ways-note-none")).to_be_visible()
    choose(page, "Live table")
    expect(page.locator(".ways-note-none")).to_be_hidden()
    expect(page.locator(".ways-note-open")).to_be_visible()
