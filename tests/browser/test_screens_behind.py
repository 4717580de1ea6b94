"""Bets behind on screens of four sizes and in four languages: nothing covers anything, nothing is cut off."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from engine.shoe import Shoe
from tests.browser.conftest import NewGuest
from tests.browser.players import (
    Player,
    catch_up,
    expect_accessible,
    join,
    let_time_run_out,
    open_to_all,
)
from tests.browser.strangers import NewStranger
from tests.running_site import RunningSite

SCREENS = ((360, 640), (320, 568), (768, 1024), (1440, 900))
LANGUAGES = {"Carol": "en-US", "Dave": "uk-UA", "Erin": "ru-RU", "Faye": "bg-BG"}
SEATED = ("Ann", "Jo", "Bob", "Kim", "Max", "Bo", "Kate")
# Found by search: eight decks deal 3s and 5h to the first of seven boxes, an ace to the dealer, no blackjack.
SEED = (626).to_bytes(32, "big")
DEAL = "3s 6d 4d Ts 6h 9c 9c As 5h 9h 8c 5d 9s Ad 2d 8d 3d"
SPARE = bytes(32)
HOUR = 3600

MEASURE = r"""
() => {
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    const { visibility, clipPath } = getComputedStyle(one);
    return width > 1 && height > 1 && visibility !== "hidden" && clipPath === "none";
  });
  const named = (one) => one.id || `${one.className} of ${one.closest("[id]").id}`;
  const meet = (one, other) => {
    const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  // Of a ✕ the sign itself: the room around it is for the finger.
  const chips = all(".seat-behind, .seat-mine");
  const words = ".seat-name, .seat-chips, .seat-word, .seat-side, .seat-mine, .seat-back [aria-hidden]";
  const things = all(`#felt .card, #felt .total, #felt .stack, ${words}`);
  // What sticks to the lower edge lies over what is scrolled below it.
  const sticks = (one) => getComputedStyle(one.closest(".spot") ?? one).position === "sticky";
  const lies = (one, other) => other !== one && sticks(other) === sticks(one) && meet(one, other);
  const covering = (one, others) => others.filter((other) => lies(one, other)).map(named);
  const pairs = (ones, others) =>
    ones.flatMap((one) => covering(one, others).map((other) => `${named(one)} and ${other}`));
  const covered = pairs(chips, things);
  const dock = all(".dock button, .dock input:not([type=hidden])");
  // A button may take the finger beyond its edges.
  const least = (one) => {
    const { width, height } = one.getBoundingClientRect();
    const { content, position, top, bottom } = getComputedStyle(one, "::after");
    const more = content !== "none" && position === "absolute" ? -parseFloat(top) - parseFloat(bottom) : 0;
    return Math.min(width, height + more);
  };
  const felt = document.getElementById("felt").getBoundingClientRect();
  const buttons = all(".seat-back, .seat-sit button, .seat-behind");
  const taken = buttons.filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const there = document.elementFromPoint(x, y);
    return y > felt.top && y < felt.bottom && !one.contains(there) && sticks(there) === sticks(one);
  });
  const leastOfDock = innerWidth < 360 ? 40 : 44;
  const small = [
    ...all("#felt button").filter((one) => least(one) < 23.9),
    ...dock.filter((one) => least(one) < leastOfDock - 0.1),
  ];
  const texts = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const one = walker.currentNode;
      const unseen = one.parentElement.closest(".visually-hidden, .why, [hidden]");
      if (one.textContent.trim() && !unseen) found.push(one);
    }
    return found;
  };
  const range = (node, from, to) => {
    const made = document.createRange();
    made.setStart(node, from);
    made.setEnd(node, to);
    return made;
  };
  // A name may end in an ellipsis, and the word before the chips may make way for them; nothing else.
  const isCut = (node, button) => {
    const text = range(node, 0, node.length).getBoundingClientRect();
    for (let part = node.parentElement; part !== button.parentElement; part = part.parentElement) {
      const { overflow, textOverflow } = getComputedStyle(part);
      const place = part.getBoundingClientRect();
      if (overflow === "visible") continue;
      if (part.matches("bdi") && textOverflow === "ellipsis") return false;
      if (node.parentElement.matches(".bet-word") && text.top > place.bottom - 2) return false;
      if (Math.max(place.left - text.left, text.right - place.right) > 1) return true;
      if (Math.max(place.top - text.top, text.bottom - place.bottom) > 2) return true;
    }
    return false;
  };
  const kept = all(".dock button, .seat-mine");
  const cut = kept.filter((button) => texts(button).some((node) => isCut(node, button)));
  const whole = ".dock button, .purse, .seat-chips, .seat-behind, .seat-mine, .seat-side, .stack-sum, .bar";
  const broken = all(whole).flatMap(texts).flatMap((node) =>
    [...node.textContent.matchAll(/[\p{L}\p{N},.\u00ad]+/gu)].filter(({ 0: word, index }) => {
      const parts = [...range(node, index, index + word.length).getClientRects()];
      return new Set(parts.map(({ top }) => Math.round(top))).size > 1 && !word.includes("\u00ad");
    }).map(([word]) => word));
  const prompt = document.getElementById("prompt");
  const { scrollHeight, clientHeight } = document.getElementById("felt");
  const away = dock.filter((one) => {
    const { left, right, bottom } = one.getBoundingClientRect();
    return left < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
  });
  return {
    "chips behind are covered": covered,
    "buttons are covered": [...pairs(dock, dock), ...taken.map(named)],
    "too small to tap": small.map(named),
    "text is cut off": cut.map((one) => `${named(one)}: ${one.innerText}`),
    "broken inside": broken,
    "the prompt is cut off": prompt.scrollHeight > prompt.clientHeight + 1 ? [prompt.innerText] : [],
    "the felt scrolls": innerWidth >= 768 && scrollHeight > clientHeight + 1 ? [scrollHeight] : [],
    "off the screen": away.map(named),
    "wider than the screen": document.documentElement.scrollWidth > innerWidth ? ["the page"] : [],
  };
}
"""

# As in the game with ten times the chips.
LARGE_SUMS = """
() => {
  for (const sum of document.querySelectorAll(".seat-behind b:last-child")) sum.textContent = "10,000";
  for (const sum of document.querySelectorAll("[data-mine-sum]")) sum.textContent = "5,000";
}
"""


def look(what: str, *people: Player) -> None:
    """The page of each on every screen; at last the largest one, where nothing has to be scrolled to."""
    catch_up(people)
    wrong = []
    for person in people:
        for width, height in SCREENS:
            person.page.set_viewport_size({"width": width, "height": height})
            seen: dict[str, Any] = person.page.evaluate(MEASURE)
            where = f"{what}, {person.name} at {width}×{height}"
            wrong += [f"{where}: {fault}: {which}" for fault, which in seen.items() if which]
    assert not wrong, "\n".join(wrong)


def look_closely(person: Player) -> None:
    """A phone and a desk, as whoever can not see them reads them."""
    for width, height in (SCREENS[0], SCREENS[-1]):
        person.page.set_viewport_size({"width": width, "height": height})
        expect_accessible(person.page)


def test_seven_seats_with_backers_on_every_screen_and_in_every_language(
    new_guest: NewGuest, server: RunningSite, new_stranger: NewStranger
) -> None:
    assert " ".join(map(str, Shoe.from_seed(SEED, 8).cards)).startswith(DEAL)
    server.give_seeds([SEED, SPARE])
    ann = open_to_all(new_guest, SEATED[0], "casino8", locale="uk-UA", reduced_motion="reduce")
    others = [new_stranger(ann.page.url, name) for name in SEATED[1:]]
    expect(ann.page.locator(".seat-free")).to_have_count(0)
    for other in others:
        other.bet(100)
    expect(ann.page.locator(".seat-word-good")).to_have_count(len(others))
    server.let_pass(-HOUR)
    backers = [
        join(new_guest, ann.page.url, name, watch=True, locale=locale, reduced_motion="reduce")
        for name, locale in LANGUAGES.items()
    ]
    carol = backers[0]
    everybody = [ann, *backers]
    for person in everybody:
        person.type_bet(400, 100)
    look("the tray", *everybody)
    for number in range(1, 8):
        carol.back(number, 100, 20)
    for backer in backers[1:]:
        backer.back(1, 100, 10)
        backer.back(2, 100)
    look("bets behind lie", *everybody)
    look_closely(carol)
    for backer in backers:
        backer.answer("done")
    ann.type_bet(100)
    ann.answer("bet")
    server.let_pass(-HOUR)
    ann.expect_phase("insurance")
    look("insurance", *everybody)
    server.let_pass(HOUR)
    let_time_run_out(server, ann)
    ann.expect_phase("turns")
    server.let_pass(-HOUR)
    ann.answer("double")
    server.let_pass(-HOUR)
    catch_up(everybody)
    assert all(backer.can("follow") for backer in backers)
    look("a double is followed", *everybody)
    look_closely(carol)
    for person in (ann, carol):
        person.page.locator("#behind-1").click()
        expect(person.page.locator("#behind-names [data-backer]")).to_have_count(len(backers))
        look_closely(person)
        person.page.locator("#close-behind").click()
    for backer in backers:
        backer.answer("follow")
    while ann.phase != "betting":
        let_time_run_out(server, ann)
    look("the round is settled", *everybody)
    look_closely(carol)
    carol.page.evaluate(LARGE_SUMS)
    look("the sums are large", carol)


def test_the_tray_of_a_player_who_bets_on_boxes_of_others(new_guest: NewGuest, server: RunningSite) -> None:
    name = "Maximiliana von Köln"
    ann = open_to_all(new_guest, name, "classic6", locale="bg-BG", reduced_motion="reduce")
    for number in (2, 3, 4):
        ann.tap(f"#sit-{number}")
        expect(ann.place(number)).to_contain_text(name)
    bob = join(new_guest, ann.page.url, "Bob", reduced_motion="reduce")
    ann.pick(5)
    for width, height in SCREENS:
        bob.page.set_viewport_size({"width": width, "height": height})
        box = bob.place(4).locator(".seat-box-sign" if width < 768 else ".seat-box-words")
        expect(box).to_be_visible()
        expect(box).to_have_text(re.compile(r"^(Box )?4$"))
    look("somebody else's box", ann, bob)
    ann.back(5, 100, 20)
    server.let_pass(-HOUR)
    for number in range(1, 5):
        bob.back(number, 100, 20)
    expect(bob.page.locator("#do-back [data-behind-name]")).to_have_text(name)
    expect(bob.page.locator("#do-back [data-behind-box]")).to_have_text(", box 4")
    look("bets behind lie", ann, bob)
    look_closely(ann)
    ann.pick(1)
    ann.type_bet(50, 10)
    ann.answer("bet")
    look("the own bet lies too", ann, bob)
    look_closely(ann)
