"""A finished round is stepped through by keys, buttons and links, and every step has its address."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser import full_round
from tests.browser.conftest import NewGuest
from tests.browser.players import DESK, PHONE, TABLET, Player, answer_all, expect_accessible, play_alone
from tests.running_site import ROOT, RunningSite
from tests.tables.friends import seed_for

# The eights of who plays alone are split, and the first new card is one more.
SPLIT = "8 mid 8 ? 8"

FELT = "document.querySelector('.replay-felt').outerHTML.replace(/\\s+/g, ' ').replace(/> </g, '><')"


def picture(page: Page) -> str:
    """All that lies on the felt, and which part of it is lit."""
    return str(page.evaluate(FELT))


def step_of(page: Page) -> int:
    return int(page.locator("#replay").get_attribute("data-step") or -1)


def last_of(page: Page) -> int:
    return int(page.locator("#scrubber").get_attribute("max") or -1)


def a_split_hand(server: RunningSite, new_guest: NewGuest) -> tuple[Player, str]:
    """Somebody who has played one round alone and split, and the address of that round."""
    server.give_seeds([seed_for(SPLIT)])
    ann = play_alone(new_guest)
    while ann.can("split"):
        ann.answer("split")
    answer_all([ann], "stand", "decline")
    ann.menu("new_game")
    expect(ann.page.locator("#version")).to_have_attribute("data-game", "2")
    code = ann.page.locator("#table").get_attribute("data-code")
    ann.page.goto(f"/t/{code}/games/")
    ann.page.locator('main a[href^="/games/"]:not([href="/games/"])').first.click()
    ann.page.get_by_role("link", name="Round 1").first.click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Round 1")
    # Its script has come.
    expect(ann.page.locator("#play-on")).to_be_visible()
    return ann, ann.page.url


def address_of(page: Page) -> str:
    """As the page itself has it: the browser tells of a change a moment later."""
    return str(page.evaluate("location.href"))


def test_a_split_hand_is_stepped_through_both_ways_by_keys(server: RunningSite, new_guest: NewGuest) -> None:
    ann, address = a_split_hand(server, new_guest)
    page, last = ann.page, last_of(ann.page)
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    assert step_of(page) == 0
    forwards = [picture(page)]
    for number in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        assert address_of(page) == f"{address}{number}/"
        forwards.append(picture(page))
    assert all(one != other for one, other in pairwise(forwards))
    page.keyboard.press("ArrowRight")
    assert (address_of(page), picture(page)) == (f"{address}{last}/", forwards[last])
    assert page.locator("[data-piece] .hand").count() >= 3
    expect(page.locator(".replay-felt .outcome")).not_to_have_count(0)
    for number in range(last - 1, -1, -1):
        page.keyboard.press("ArrowLeft")
        assert (address_of(page), picture(page)) == (f"{address}{number}/", forwards[number])
    page.keyboard.press("End")
    assert (step_of(page), picture(page)) == (last, forwards[last])
    page.keyboard.press("Home")
    assert (step_of(page), picture(page)) == (0, forwards[0])
    # The way by keys is no way of its own back through the browser.
    assert page.evaluate("history.length") < last
    for number in (0, last // 2, last):
        page.goto(f"{address}{number}/")
        assert picture(page) == forwards[number]
        page.reload()
        assert (step_of(page), picture(page)) == (number, forwards[number])
    assert not sockets


def test_buttons_list_and_scrubber_lead_to_the_same(server: RunningSite, new_guest: NewGuest) -> None:
    ann, address = a_split_hand(server, new_guest)
    page, last = ann.page, last_of(ann.page)
    following = page.locator("#to-next")
    following.focus()
    for number in range(1, 4):
        page.keyboard.press("Enter")
        assert step_of(page) == number
        expect(following).to_be_focused()
    third = picture(page)
    page.locator("#to-last").click()
    expect(page.locator("#to-last")).to_have_attribute("aria-disabled", "true")
    expect(following).to_have_attribute("aria-disabled", "true")
    page.locator("#to-previous").click()
    assert step_of(page) == last - 1
    page.locator('#steps [data-step="3"]').click()
    assert (step_of(page), picture(page)) == (3, third)
    words = page.locator("#step-words")
    expect(words).to_have_text(page.locator('#steps [aria-current="step"]').inner_text())
    scrubber = page.locator("#scrubber")
    scrubber.fill("5")
    assert step_of(page) == 5
    scrubber.press("ArrowLeft")
    scrubber.press("ArrowLeft")
    assert (step_of(page), picture(page), page.url) == (3, third, f"{address}3/")
    page.locator("#to-first").click()
    expect(page.locator("#to-first")).to_have_attribute("aria-disabled", "true")


def test_the_space_bar_plays_on_and_stops(server: RunningSite, new_guest: NewGuest) -> None:
    ann, _ = a_split_hand(server, new_guest)
    page, last = ann.page, last_of(ann.page)
    playing = page.locator("#play-on")
    place = playing.bounding_box()
    page.keyboard.press("Space")
    expect(playing).to_have_accessible_name("Pause")
    expect(page.locator("#step-number")).to_have_text("2")
    assert playing.bounding_box() == place
    page.keyboard.press("Space")
    expect(playing).to_have_accessible_name("Play")
    stopped = step_of(page)
    page.wait_for_timeout(1_300)
    assert step_of(page) == stopped
    page.locator(f'#steps [data-step="{last - 1}"]').click()
    playing.click()
    expect(page.locator("#step-number")).to_have_text(str(last))
    expect(playing).to_have_accessible_name("Play")


def test_each_step_is_a_link_where_scripts_are_off(server: RunningSite, new_guest: NewGuest) -> None:
    ann, address = a_split_hand(server, new_guest)
    bob = new_guest(java_script_enabled=False, viewport=PHONE)
    bob.page.goto(address)
    expect(bob.page.locator("#play-on")).to_be_hidden()
    for number in range(1, 4):
        bob.page.locator("#to-next").click()
        ann.page.keyboard.press("ArrowRight")
        assert address_of(bob.page) == address_of(ann.page) == f"{address}{number}/"
        cards, same = (one.page.locator(".replay-felt [data-card]").all_inner_texts() for one in (ann, bob))
        assert cards == same
        assert len(cards) >= number
    bob.page.locator("#steps a").last.click()
    expect(bob.page.locator("#to-next")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK], ids=["phone", "tablet", "desk"])
def test_a_game_and_its_rounds_fit_and_can_be_read(
    server: RunningSite, new_guest: NewGuest, size: dict[str, int]
) -> None:
    ann, address = a_split_hand(server, new_guest)
    page, last = ann.page, last_of(ann.page)
    page.set_viewport_size(size)  # type: ignore[arg-type]
    game = re.sub(r"\d+/$", "", address)
    for path in (address, f"{address}{last // 2}/", f"{address}{last}/", game, f"{game}rules/"):
        page.goto(path)
        expect(page.locator("main")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect_accessible(page)
    page.goto(f"{address}{last}/")
    for name in ("first", "previous", "next", "last"):
        box = page.locator(f"#to-{name}").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size["height"]
        assert min(box["width"], box["height"]) >= 44


@pytest.fixture
def full_game(server: RunningSite) -> str:
    """The address of a game whose second of three rounds has all that a round can have."""
    command = [sys.executable, "-m", full_round.__name__]
    run = subprocess.run(
        command, cwd=ROOT, env=server.environment, check=True, capture_output=True, text=True
    )
    return run.stdout.rpartition(full_round.ADDRESS)[2].strip()


PLACES = """() => {
  const box = name => document.querySelector(name).getBoundingClientRect();
  const bar = box(".replay-bar");
  const place = name => { const {x, y, width, height} = box(name); return [x, y, width, height].join(); };
  return {
    buttons: ["#to-first", "#to-previous", "#to-next", "#to-last", "#play-on", "#scrubber"]
      .map(place).join(" "),
    rounds: [...document.querySelectorAll(".replay-rounds a")].map(
      one => [one.getBoundingClientRect().x, one.getBoundingClientRect().width].join()).join(" "),
    felt: box(".replay-felt").height,
    page: document.documentElement.scrollHeight,
  };
}"""

HIDDEN = """() => {
  const bar = document.querySelector(".replay-bar").getBoundingClientRect();
  const words = document.querySelector("#step-words");
  const lit = document.querySelector("[data-lit]")?.getBoundingClientRect();
  const seats = [...document.querySelectorAll(".replay-piece .seat")];
  const parts = ".outcome, .seat-foot > *, .replay-behind span";
  const cut = seats.flatMap(seat => [...seat.querySelectorAll(parts)].filter(one => {
    const {right, bottom} = one.getBoundingClientRect(), whole = seat.getBoundingClientRect();
    return one.checkVisibility() && (right > whole.right + 1 || bottom > whole.bottom + 1 ||
      one.clientWidth && one.scrollWidth > one.clientWidth + 1);
  }));
  const covered = seats.flatMap(seat => [...seat.querySelectorAll(".hand:not(:only-child) .outcome")].filter(
    pill => [...seat.querySelectorAll(".card-body")].some(card => {
      const one = pill.getBoundingClientRect(), other = card.getBoundingClientRect();
      return one.left < other.right && other.left < one.right && one.top < other.bottom - 1 &&
        other.top < one.bottom;
    })));
  const shown = [...words.children].filter(one => one.checkVisibility()).length;
  const more = [...document.querySelectorAll(".more-narrow, .more-wide")].find(one => one.checkVisibility());
  const told = shown + Number(more?.textContent.replace(/\\D/g, "") ?? 0);
  return [
    lit && lit.height < bar.top && (lit.top < 0 || lit.bottom > bar.top) ? "the lit seat" : "",
    ...[...document.querySelectorAll(lit ? "none" : ".replay-seats .replay-piece .net")].filter(one => {
      const {top, bottom} = one.getBoundingClientRect();
      return one.checkVisibility() && (top < 0 || bottom > bar.top);
    }).map(one => `a result, ${one.textContent}`),
    words.scrollHeight > words.clientHeight + 1 ? "words" : "",
    told !== words.children.length ? `${words.children.length - told} lines` : "",
    ...[...cut, ...covered].map(one => `${one.className} ${one.textContent}`),
  ].filter(Boolean);
}"""


def test_nothing_moves_and_nothing_is_hidden_through_whole_rounds(
    new_guest: NewGuest, full_game: str
) -> None:
    page = new_guest().page
    for size in (PHONE, TABLET, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        step_through(page, full_game)


def step_through(page: Page, full_game: str) -> None:
    places: list[dict[str, object]] = []
    page.goto(f"{full_game}1/")
    for number in (1, 2, 3):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Round {number}")
        expect(page.locator("#play-on")).to_be_visible()
        last = last_of(page)
        of_round = []
        for step in range(last + 1):
            assert step_of(page) == step
            of_round.append(page.evaluate(PLACES))
            assert page.evaluate(HIDDEN) == [], (number, step)
            if step < last:
                page.keyboard.press("ArrowRight")
        assert all(one == of_round[0] for one in of_round)
        places.append(of_round[0])
        if number < 3:
            page.keyboard.press("ArrowRight")
            page.wait_for_url(f"**/{number + 1}/0/")
    # From round to round, too, what is pressed stays where it is.
    assert len({(one["buttons"], one["rounds"]) for one in places}) == 1
    # A step that is opened by its address shows whom it is about.
    page.goto(f"{full_game}2/")
    words = page.locator("#steps a").all_inner_texts()
    for told in ("splits", ": pair +", "insurance", "Behind Alice: followed"):
        assert any(told in one for one in words), told
    for step in range(0, last_of(page) + 1, 5):
        page.goto(f"{full_game}2/{step}/")
        assert page.evaluate(HIDDEN) == [], step
        assert page.evaluate(PLACES)["buttons"] == places[1]["buttons"]


def test_what_a_phone_shows_at_once_and_where_the_ends_of_a_round_lead(
    new_guest: NewGuest, full_game: str
) -> None:
    page = new_guest(viewport=PHONE).page
    unfold(page, full_game)
    leave_at_the_ends(page, full_game)
    go_on_by_keys(page, full_game)
    page.goto(f"{full_game}1/")
    page.locator(f'#steps [data-step="{last_of(page) - 1}"]').click()
    page.locator("#play-on").click()
    expect(page.locator("#step-number")).to_have_text(str(last_of(page)))
    page.wait_for_timeout(1_200)
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")
    page.goto(f"{full_game}2/")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")
    assert step_of(page) == last_of(page)
    leave_at_the_ends(new_guest(java_script_enabled=False, viewport=PHONE).page, full_game)
    see_results(page, full_game)


def see_results(page: Page, full_game: str) -> None:
    """However little room is left above the bar, the end of a round shows what it brought to everybody."""
    page.set_viewport_size({"width": 360, "height": 440})
    page.goto(f"{full_game}2/")
    expect(page.locator("#play-on")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("End")
    assert page.evaluate(HIDDEN) == []
    page.keyboard.press("ArrowLeft")
    page.locator("#to-next").click()
    assert page.evaluate(HIDDEN) == []
    last = page.url
    page.goto("about:blank")
    page.goto(last)
    page.wait_for_function(f"({HIDDEN})().length === 0")


def unfold(page: Page, full_game: str) -> None:
    page.goto(f"{full_game}2/")
    expect(page.locator("#play-on")).to_be_visible()
    before = page.evaluate(PLACES)["buttons"]
    # Two bets and what lies behind each of them: two lines and their title are shown.
    more = page.locator("#all-words summary")
    expect(more).to_contain_text("+2")
    more.click()
    unfolded = page.locator("#all-words > div")
    expect(unfolded).to_contain_text("Behind Bob: 180")
    expect(unfolded).to_be_in_viewport(ratio=1)
    assert page.evaluate(PLACES)["buttons"] == before
    expect_accessible(page)
    # The longest names leave every figure where it can be read, and take no more room.
    page.goto(f"{full_game}2/")
    heights = page.evaluate(LINES)
    assert page.evaluate(CUT_FIGURES, "W" * 20) == []
    assert page.evaluate(LINES) == heights
    page.keyboard.press("ArrowRight")
    expect(page.locator("#all-words")).to_be_hidden()
    expect(unfolded).to_be_hidden()


LINES = "() => [...document.querySelectorAll('#step-words > *')].map(one => one.offsetHeight)"
CUT_FIGURES = """name => {
  const lines = [...document.querySelectorAll("#step-words .step-line")].filter(one => one.checkVisibility());
  for (const one of document.querySelectorAll("#step-words bdi")) one.textContent = name;
  return lines.filter(line => {
    const room = line.getBoundingClientRect();
    return [...line.children].some(one => {
      const {left, right} = one.getBoundingClientRect();
      const cut = one.scrollWidth > one.clientWidth + 1 && one.localName !== "bdi";
      return cut || left < room.left - 1 || right > room.right + 1;
    });
  }).map(line => line.textContent);
}"""


def go_on_by_keys(page: Page, full_game: str) -> None:
    scripted = page.locator("#play-on")
    page.goto(f"{full_game}1/")
    page.keyboard.press("End")
    page.locator("#to-next").press("Enter")
    page.wait_for_url("**/2/0/")
    expect(scripted).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "to-next"
    page.keyboard.press("Enter")
    assert step_of(page) == 1


def leave_at_the_ends(page: Page, full_game: str) -> None:
    page.goto(f"{full_game}2/")
    back, on = page.locator("#to-previous"), page.locator("#to-next")
    expect(on).to_have_accessible_name("Next step")
    expect(back).to_have_accessible_name("Round 1")
    back.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")
    expect(page).to_have_title(re.compile("^Round 1 "))
    assert step_of(page) == last_of(page) > 0
    expect(page.locator("#to-last")).to_have_attribute("aria-disabled", "true")
    expect(on).to_have_accessible_name("Round 2")
    back.click()
    expect(on).to_have_accessible_name("Next step")
    on.click()
    on.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 2")
    assert step_of(page) == 0
    page.goto(f"{full_game}1/")
    expect(back).to_have_attribute("aria-disabled", "true")
    expect(back).to_have_accessible_name("Previous step")


def test_a_step_that_is_none_is_told_in_words(server: RunningSite, new_guest: NewGuest) -> None:
    ann, address = a_split_hand(server, new_guest)
    ann.guest.allow("404")
    ann.page.goto(f"{address}999/")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("This round has no such step")
    ann.page.get_by_role("link", name="To the round").click()
    assert ann.page.url == address
