"""Seven places with cards on a small phone: nothing is cut off, and no button moves between questions."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from engine.shoe import Shoe
from tests.browser.conftest import NewGuest
from tests.browser.players import PHONE, Player, expect_accessible, let_time_run_out, open_to_all
from tests.browser.strangers import NewStranger
from tests.running_site import RunningSite

SCREENS = ((360, 640), (320, 568))
NAMES = ("Ann", "Wolfeschlegelstein 2", "Jo", "Олександра", "Maximiliana von Köln", "Bo", "Katherine")
SPARE = bytes(32)
# Found by search: what seven boxes, the dealer and the boxes again are dealt, with a hole card where there is
# one; then what is drawn. The dealer shows an ace and has no blackjack; the first box may hit twice.
LIVE, SHOE_GAME = 626, 1753
DEALS = {
    (LIVE, 8): "3s 6d 4d Ts 6h 9c 9c As 5h 9h 8c 5d 9s Ad 2d 8d 3d",
    (SHOE_GAME, 6): "3d Jc 6d As 5c Kh Tc As 5s 5s 5h 7h 5s Th Js 4s",
}

MEASURE = """
() => {
  const bar = {};
  for (const button of document.querySelectorAll("#actions [data-action], #open-menu")) {
    const { x, y, width, height } = button.getBoundingClientRect();
    if (width) bar[button.id] = [x, y, width, height].map(Math.round).join(" ");
  }
  const cut = [...document.querySelectorAll(".dock button, .dock input:not([type=hidden])")].filter((one) => {
    const { left, top, right, bottom, width } = one.getBoundingClientRect();
    return width && (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5);
  });
  return {
    bar,
    cut: cut.map((one) => one.id),
    wide: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth,
    felt: document.getElementById("felt").scrollWidth - document.getElementById("felt").clientWidth,
  };
}
"""

BAR_AND_CLOCK = """
() => [true, false].map((hidden) => {
  const clock = document.querySelector(".clock");
  clock.hidden = hidden;
  clock.querySelector(".clock-digits").textContent = "5";
  document.querySelector(".status-round b").textContent = "128";
  return [...document.querySelectorAll(".bar-more")].map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(button);
    return { id: button.id, place: [x, y, width, height], lines: words.getClientRects().length };
  });
})
"""


class Screens:
    """What one page looks like on each of the screens, question after question.

    The page is one without motion: what is measured does not fly.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.bars: dict[tuple[int, int], dict[str, str]] = {}

    def look(self, what: str) -> None:
        page = self.player.page
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            seen: dict[str, Any] = page.evaluate(MEASURE)
            where = f"{what} at {width}×{height}"
            assert seen["wide"] <= 0, f"{where}: the page is {seen['wide']} wider than the screen"
            assert seen["felt"] <= 0, f"{where}: the felt is {seen['felt']} wider than its place"
            assert not seen["cut"], f"{where}: cut off are {seen['cut']}"
            assert seen["bar"], where
            bar = self.bars.setdefault((width, height), seen["bar"])
            moved = {
                button: f"{bar[button]} -> {place}"
                for button, place in seen["bar"].items()
                if button in bar and bar[button] != place
            }
            assert not moved, f"{where}: {moved}"
            bar.update(seen["bar"])


def deal(server: RunningSite, number: int, decks: int) -> None:
    seed = number.to_bytes(32, "big")
    assert " ".join(map(str, Shoe.from_seed(seed, decks).cards)).startswith(DEALS[number, decks])
    server.give_seeds([seed, SPARE])


def test_seven_people_fit_on_a_small_phone(
    new_guest: NewGuest, server: RunningSite, new_stranger: NewStranger
) -> None:
    deal(server, LIVE, 8)
    ann = open_to_all(new_guest, NAMES[0], "casino8", reduced_motion="reduce")
    others = [new_stranger(ann.page.url, name) for name in NAMES[1:]]
    expect(ann.page.locator(".seat-free")).to_have_count(0)
    screens = Screens(ann)
    screens.look("first bets")
    for other in others:
        other.bet(500)
    ann.page.locator("#amount").fill("500")
    screens.look("a bet is typed")
    ann.answer("bet")
    ann.expect_phase("insurance")
    expect(ann.page.locator("#felt .seat [data-card]")).to_have_count(14)
    screens.look("insurance")
    ann.answer("decline")
    screens.look("the others are asked for insurance")
    let_time_run_out(server, ann)
    ann.expect_phase("turns")
    screens.look("the first turn")
    expect_accessible(ann.page)
    for cards in (3, 4):
        ann.answer("hit")
        expect(ann.seat.locator("[data-card]")).to_have_count(cards)
        screens.look(f"{cards} cards")
    ann.answer("stand")
    while ann.phase != "betting":
        screens.look("the turn of another")
        let_time_run_out(server, ann)
    screens.look("the next bets, and cards on the felt")
    assert all({"do-hit", "do-insure", "do-decline"} <= bar.keys() for bar in screens.bars.values())


def test_three_own_boxes_and_four_of_others_fit_on_a_small_phone(
    new_guest: NewGuest, server: RunningSite, new_stranger: NewStranger
) -> None:
    deal(server, SHOE_GAME, 6)
    ann = open_to_all(new_guest, NAMES[0], "classic6", reduced_motion="reduce")
    for number in (2, 3):
        ann.tap(f"#sit-{number}")
        expect(ann.place(number)).to_contain_text("Ann")
    others = [new_stranger(ann.page.url, name) for name in NAMES[1:5]]
    expect(ann.page.locator(".seat-free")).to_have_count(0)
    screens = Screens(ann)
    for other in others:
        other.bet(500)
    for number in (1, 2, 3):
        ann.page.locator("#amount").fill("300")
        screens.look(f"the bet on box {number}")
        ann.answer("bet")
    ann.expect_phase("insurance")
    expect(ann.page.locator("#felt .seat [data-card]")).to_have_count(14)
    for number in (1, 2, 3):
        screens.look(f"insurance of box {number}")
        ann.answer("decline")
    let_time_run_out(server, ann)
    ann.expect_phase("surrender")
    for number in (1, 2, 3):
        screens.look(f"surrender of box {number}")
        ann.answer("decline")
    let_time_run_out(server, ann)
    ann.expect_phase("turns")
    screens.look("the turn of box 1")
    expect_accessible(ann.page)
    ann.answer("hit")
    screens.look("a third card")
    for number in (1, 2, 3):
        screens.look(f"the turn of box {number}")
        ann.answer("stand")
    while ann.phase != "betting":
        screens.look("the turn of another")
        let_time_run_out(server, ann)
    screens.look("the next bets, and cards on the felt")
    assert all({"do-hit", "do-surrender", "do-decline"} <= bar.keys() for bar in screens.bars.values())


def test_the_clock_of_somebody_alone_comes_and_goes_and_moves_no_button(new_guest: NewGuest) -> None:
    """It runs for a moment when others have bet behind."""
    page = new_guest(viewport=PHONE, locale="uk-UA").page
    page.goto("/")
    page.locator("#play-alone").click()
    expect(page.locator("#toggle-hints")).to_be_visible()
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        without, with_clock = page.evaluate(BAR_AND_CLOCK)
        assert without == with_clock, f"{width}×{height}"
        assert [button["lines"] for button in with_clock] == [1, 1], with_clock
