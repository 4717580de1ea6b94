"""Rules of one's own, made in the form, differ at the table from those of the game they started from."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine.shoe import Shoe
from tests.browser.conftest import NewGuest
from tests.browser.players import PHONE, Player, choose_game, play_alone
from tests.running_site import RunningSite

# Found by search: what six decks deal to one box and the dealer by turns, then the next cards.
SOFT_SEVENTEEN, FIVE_LOW_CARDS, EIGHTS = 3672, 2556, 34468
DEALS = {
    SOFT_SEVENTEEN: "Jc 6d 9h Ac 7d Tc",  # a dealer who draws on A-6 busts
    FIVE_LOW_CARDS: "3c 7s 6d 7d 2d 3s 4c",  # 3-6 and three cards more: eighteen
    EIGHTS: "8c 6d 8d 7s 3s Jh",  # split eights become eleven and eighteen
}


@pytest.mark.parametrize("own", [True, False])
def test_each_rule_that_was_changed_is_played(new_guest: NewGuest, server: RunningSite, own: bool) -> None:
    for number, deal in DEALS.items():
        assert " ".join(map(str, Shoe.from_seed(seed(number), 6).cards)).startswith(deal)
    server.give_seeds(map(seed, DEALS))
    ann = play_alone_by_own_rules(new_guest) if own else play_alone(new_guest)
    expect(ann.page.locator("#status")).to_contain_text("Your own rules" if own else "House game")

    # The dealer draws on a soft seventeen, or stands.
    dealer = ann.page.locator("#dealer [data-card]")
    ann.answer("stand")
    expect(dealer.nth(1)).to_have_attribute("data-card", "Ac")
    expect(dealer).to_have_count(4 if own else 2)
    expect(ann.page.locator("#dealer .total")).to_contain_text("24" if own else "soft 17")

    # Five cards win at once, or are a hand like any other.
    ann.page.locator("#chip-100").click()
    ann.answer("bet")
    for count in (3, 4, 5):
        ann.answer("hit")
        expect(ann.seat.locator("[data-card]")).to_have_count(count)
    if own:
        ann.expect_round(3)
        expect(ann.seat.locator(".outcome-charlie")).to_have_text("Charlie +100")
    else:
        ann.expect_phase("turns")
        ann.answer("stand")
        ann.expect_round(3)

    # After a split there is no double, or there is.
    ann.repeat()
    ann.expect_phase("turns")
    ann.answer("split")
    expect(ann.seat.locator(".hand")).to_have_count(2)
    expect(ann.seat.locator(".hand-in-turn .total")).to_have_text("11")
    if own:
        ann.tap("#do-double", force=True)
        expect(ann.page.locator("#why-double")).to_be_visible()
        expect(ann.page.locator("#why-double")).to_have_text("No doubling after a split at this table.")
        expect(ann.seat.locator("[data-card]")).to_have_count(4)
    else:
        ann.answer("double")
        expect(ann.seat.locator(".hand").first.locator("[data-card]")).to_have_count(3)


def test_rules_that_can_not_be_played_are_refused_next_to_their_field(new_guest: NewGuest) -> None:
    page = new_guest(viewport=PHONE).page
    to_own_rules(page)
    for wrong, switches, words in (
        ("min_bet", {"min_bet": "600"}, "The least bet is over the highest bet, 500."),
        ("max_bet", {"min_bet": "10", "max_bet": "505"}, "That is no multiple of the step, 10."),
        ("starting_chips", {"max_bet": "500", "starting_chips": "5"}, "That is too little to bet even once"),
        ("decks", {"starting_chips": "1,000", "decks": "1", "boxes": "7"}, "This could run out of cards"),
        ("pair_bets", {"decks": "6", "max_bet": "40"}, "No pair bet fits"),
        (
            "box_limit",
            {"max_bet": "10", "pair_bets": "no", "box_limit": "shared"},
            "10 is too little for two bets of 10 on one box.",
        ),
    ):
        fill_in(page, switches)
        page.locator("#play-alone").click()
        expect(page.locator(".rule-wrong")).to_have_count(1)
        expect(page.locator(f".rule-wrong:has(#rule-{wrong}) .error")).to_contain_text(words)
        expect(page.locator(".form-errors")).to_contain_text(words)
    fill_in(page, {"box_limit": "each"})
    page.locator("#play-alone").click()
    expect(page.locator("#felt [data-card]").first).to_be_attached()


def play_alone_by_own_rules(new_guest: NewGuest) -> Player:
    player = Player("Guest", new_guest(viewport=PHONE))
    to_own_rules(player.page)
    fill_in(player.page, {"soft_17": "hit", "charlie": "5", "double_after_split": "no"})
    player.page.locator("#play-alone").click()
    player.expect_connected()
    return player


def to_own_rules(page: Page) -> None:
    page.goto("/")
    choose_game(page, "custom")
    page.locator("#play-alone").click()
    expect(page.locator(".rules-form")).to_be_visible()


def fill_in(page: Page, switches: dict[str, str]) -> None:
    for switch, value in switches.items():
        field = page.locator(f"#rule-{switch}")
        if field.evaluate("field => field.matches('select')"):
            field.select_option(value)
        else:
            field.fill(value)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")
