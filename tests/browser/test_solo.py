"""An evening alone: sixty rounds, a fresh stack, a restart in mid-round, and a new game."""

from __future__ import annotations

import sqlite3
from itertools import count

from playwright.sync_api import expect

from engine.rules import PRESETS
from engine.shoe import Shoe
from engine.strategy import chart_for
from tests.browser.conftest import NewGuest
from tests.browser.players import Player, play_alone
from tests.browser.quick_hand import play_quickly
from tests.running_site import RunningSite

# Found by search: what six decks deal to one box and the dealer by turns, then the next card.
SIXTEEN_BUSTS, NATURAL, TWELVE_AGAINST_THREE = 186, 7, 369
DEALER_BLACKJACKS = (5, 9, 12, 19)
DEALS = {
    SIXTEEN_BUSTS: "Qs Ts 6c 6s Jd",
    NATURAL: "Qc 8d Ah 9c",
    5: "6s Jc 5c Ac",
    9: "8d Jc Ts Ad",
    12: "8s Qh Qc Ad",
    19: "Qc Qd 8c Ad",
    TWELVE_AGAINST_THREE: "2c 3d Kh 8c 2d",
}
ROUNDS = 60


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_an_evening_of_sixty_rounds_alone(new_guest: NewGuest, server: RunningSite) -> None:
    for number, deal in DEALS.items():
        assert " ".join(map(str, Shoe.from_seed(seed(number), 6).cards)).startswith(deal)
    server.give_seeds(
        map(seed, (SIXTEEN_BUSTS, NATURAL, *DEALER_BLACKJACKS, TWELVE_AGAINST_THREE, 1_000_000))
    )
    ann = play_alone(new_guest)  # one click, no nickname
    ann.guest.allow_lost_connection()
    expect(ann.page.locator("#felt [data-card]").first).to_be_visible()
    assert ann.page.locator("#nickname").count() == 0
    ann.expect_phase("turns")
    assert ann.chips == 990

    # The switch shows the chart's move, and stays on.
    hint = ann.page.locator("#prompt .hint")
    expect(hint).to_be_hidden()
    ann.page.locator("#toggle-hints").click()
    assert chart_for(PRESETS["openseat"]).to_json()["hard"]["16"]["T"] == "H"
    for _ in range(2):
        expect(hint).to_have_text("Basic strategy: Hit")
        expect(hint).to_be_visible()
        expect(ann.page.locator("#do-hit")).to_have_attribute("data-hinted", "")
        expect(ann.page.locator("#toggle-hints")).to_have_attribute("aria-pressed", "true")
        ann.page.reload()
        ann.expect_connected()
    ann.answer("hit")
    expect_stack(ann, round_number=2, chips=990, highest=1_000, refills=0)

    # Chips, Clear and Deal.
    amount = ann.page.locator("#amount")
    ann.page.locator("#chip-500").click()
    ann.page.locator("#chip-100").click()
    expect(amount).to_have_value("500")  # the most
    ann.page.locator("#clear-bet").click()
    expect(amount).to_have_value("")
    ann.page.locator("#chip-500").click()
    expect(ann.page.locator("#do-bet")).to_contain_text("Deal 500")
    ann.answer("bet")
    expect_stack(ann, round_number=3, chips=1_740, highest=1_740, refills=0)

    # Repeat, until nothing is left: there is a fresh stack, and it is counted.
    for number, chips in zip(count(4), (1_240, 740, 240, 1_000), strict=False):
        ann.repeat()
        ann.expect_round(number)
        assert ann.chips == chips
        if number == 7:
            break
    expect_stack(ann, round_number=7, chips=1_000, highest=1_740, refills=1)
    ann.expect_log("refilled")

    # In the middle of a round: the page loaded again, the server stopped and started, twice.
    amount.fill("100")
    ann.answer("bet")
    expect(hint).to_have_text("Basic strategy: Hit")
    before = what_lies(ann)
    assert [card.split("=")[1] for card in ann.cards()] == ["3d", "", "2c", "Kh"]
    ann.page.reload()
    ann.expect_connected()
    assert what_lies(ann) == before
    for _ in range(2):
        version = ann.version
        assert server.stop() == 0
        ann.expect_lost()
        server.start()
        ann.expect_back(version)
        assert what_lies(ann) == before
    ann.answer("hit")
    expect(ann.seat.locator("[data-card]").last).to_have_attribute("data-card", "2d")
    ann.answer("stand")
    ann.expect_round(8)

    # The rest of the evening, and what it came to.
    play_quickly(ann, 10, until_round=ROUNDS + 1)
    ann.expect_round(ROUNDS + 1)
    chips, highest, refills = stored(server)
    assert highest >= 1_740
    expect_stack(ann, round_number=ROUNDS + 1, chips=chips, highest=highest, refills=refills)

    # A new game begins anew; the old one is kept with all its rounds.
    games = ann.page.url + "games/"
    ann.menu("new_game")
    expect(ann.page.locator("#version")).to_have_attribute("data-game", "2")
    expect_stack(ann, round_number=1, chips=1_000, highest=1_000, refills=0)
    ann.page.goto(games)
    ann.page.locator(".game-row").first.click()
    kept = ann.page.locator("section > table.figures tbody tr")
    expect(kept.locator(".number")).to_have_text(f"{chips:,}")
    expect(kept).to_contain_text(f"highest stack {highest:,}")
    assert refills
    expect(kept).to_contain_text(f"{refills} fresh stack")
    ann.page.locator(".jump-page").last.click()
    expect(ann.page.locator(".round-lines [data-round]").last).to_have_attribute("data-round", str(ROUNDS))


def expect_stack(player: Player, *, round_number: int, chips: int, highest: int, refills: int) -> None:
    player.expect_round(round_number)
    expect(player.seat).to_have_attribute("data-chips", str(chips))
    expect(player.page.locator("[data-highest]")).to_have_text(f"{highest:,}")
    expect(player.page.locator("[data-refills]")).to_have_text(str(refills))


def what_lies(player: Player) -> tuple[object, ...]:
    """All that must be as it was: the cards, the stack and what is asked, with the hint."""
    return player.cards(), player.chips, player.ask, player.page.locator("#prompt").inner_text().split()


def stored(server: RunningSite) -> tuple[int, int, int]:
    """Chips, highest stack and fresh stacks by the rounds that are kept, one after the other."""
    rounds = """
        select json_extract(record, '$.chips_after.p1') - json_extract(record, '$.chips.p1')
        from tables_round order by number
    """
    chips = highest = 1_000
    refills = 0
    with sqlite3.connect(server.data_dir / "openseat.sqlite3") as database:
        for (won,) in database.execute(rounds):
            chips += won
            highest = max(highest, chips)
            if chips < 10:
                chips, refills = 1_000, refills + 1
    return chips, highest, refills
