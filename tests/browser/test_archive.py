"""Lists of games in a real browser: times of the reader's own zone, filters with and without a script."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewGuest
from tests.browser.players import (
    DESK,
    answer_all,
    bet_all,
    expect_accessible,
    join,
    open_table,
    start,
)
from tests.browser.test_check import told
from tests.running_site import ROOT, RunningSite
from tests.tables.friends import seed_for

SIZES = [(360, 640), (768, 1024), (1440, 900)]
SHIFTS = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(one => { sum += one.value; }))
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 300);
})"""


@pytest.fixture
def archive(server: RunningSite) -> RunningSite:
    """A site with 45 games of every kind, of which a few were really played; the same ones for every test.

    It is down meanwhile: to its clock the tables of last year are long due to be tidied up.
    """
    assert server.stop() == 0
    server.give_seeds([bytes([5]) * 32])
    command = [sys.executable, "manage.py", "copy_games", "--to", "45", "--play", "6", "--seed", "4"]
    subprocess.run(command, cwd=ROOT, env=server.environment, check=True, capture_output=True)
    server.start()
    return server


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_times_are_those_of_the_reader_and_move_nothing(
    archive: RunningSite, new_guest: NewGuest, width: int, height: int
) -> None:
    guest = new_guest(timezone_id="Asia/Tokyo", locale="en-GB", viewport={"width": width, "height": height})
    for path in ("/games/", "/"):
        guest.page.goto(path)
        time = guest.page.locator("time[data-when]").first
        moment = datetime.fromisoformat(time.get_attribute("datetime") or "")
        local = moment.astimezone(ZoneInfo("Asia/Tokyo"))
        expect(time).to_have_text(re.compile(rf"^{local.day} {local:%b}t? {local:%Y, %H:%M}$"))
        expect(time).to_have_attribute("title", f"{moment:%Y-%m-%d %H:%M} UTC")
        assert guest.page.evaluate(SHIFTS) < 0.01
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect_accessible(guest.page)
    guest.page.goto("/games/?kind=open&result=over")
    for range_ in guest.page.locator(".game-when [data-first]").all():
        first, last = (
            datetime.fromisoformat(range_.get_attribute(name) or "").astimezone(ZoneInfo("Asia/Tokyo"))
            for name in ("data-first", "data-last")
        )
        one_day = first.date() == last.date()
        expect(range_).to_contain_text(f"{last:%H:%M}" if one_day else f"{last.day} {last:%b}")
        expect(range_).not_to_contain_text("UTC")
    assert guest.page.evaluate(SHIFTS) < 0.01
    expect(guest.page.locator(".game-when [data-first]")).not_to_have_count(0)
    guest.page.goto("/games/?kind=open&result=won")
    expect_accessible(guest.page)


def test_a_list_is_filtered_and_turned_over_without_any_script(
    archive: RunningSite, new_guest: NewGuest
) -> None:
    page = new_guest(java_script_enabled=False, viewport={"width": 360, "height": 640}).page
    page.goto("/games/")
    rows = page.locator(".game-row")
    expect(rows).to_have_count(20)
    expect(page.locator("time").first).to_have_text(re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d UTC$"))
    first = rows.first.get_attribute("href")
    page.get_by_role("link", name="Next").click()
    expect(rows.first).not_to_have_attribute("href", first or "")
    page.get_by_role("link", name="Previous").click()
    expect(rows.first).to_have_attribute("href", first or "")

    name = page.locator(".row-main bdi").first.inner_text()
    page.get_by_text("Filter and sort").click()
    page.get_by_label("Nickname").fill(name.upper())
    page.get_by_label("Order").select_option("length")
    page.get_by_role("button", name="Show").click()
    for row in rows.all():
        expect(row).to_contain_text(name)
    expect(page.locator(".narrowed")).to_contain_text(name.upper())
    page.get_by_role("link", name="Clear").click()
    expect(rows).to_have_count(20)
    rows.first.click()
    expect(page).to_have_url(re.compile(r"/games/[\w-]+/$"))


def test_a_wide_screen_has_the_filters_open(archive: RunningSite, new_guest: NewGuest) -> None:
    page = new_guest(viewport={"width": 1440, "height": 900}).page
    page.goto("/games/")
    page.get_by_label("Kind of table").select_option("solo")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("kind=solo"))
    for row in page.locator(".game-row").all():
        expect(row).to_contain_text("Alone")


def test_days_are_those_of_the_times_that_the_reader_sees(archive: RunningSite, new_guest: NewGuest) -> None:
    zone = "Pacific/Kiritimati"
    page = new_guest(viewport={"width": 1440, "height": 900}, timezone_id=zone).page
    page.goto("/games/")
    expect(page.locator(".filter-since small")).to_have_text("A day where you are.")
    game = page.locator(".game-row").first.get_attribute("href") or ""

    def days() -> list[str]:
        times = page.locator(".game-row .when")
        moments = times.evaluate_all("all => all.map(one => one.dateTime ?? one.dataset.first)")
        return [f"{datetime.fromisoformat(one).astimezone(ZoneInfo(zone)):%Y-%m-%d}" for one in moments]

    day = days()[0]
    page.get_by_label("From").fill(day)
    page.get_by_label("To", exact=True).fill(day)
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"zone=Pacific%2FKiritimati"))
    expect(page.locator(".narrowed")).to_contain_text(f"Time zone: {zone}")
    expect(page.locator(f'.game-row[href="{game}"]')).to_be_visible()
    assert set(days()) == {day}


# What of a page's panels reaches beyond the edge of its panel. What is scrolled or cut inside may be wider.
OUTSIDE = """() => {
  const kept = (one, panel) => {
    for (let box = one; box !== panel; box = box.parentElement) {
      if (box.matches(".visually-hidden") || getComputedStyle(box.parentElement).overflowX !== "visible") {
        return true;
      }
    }
    return false;
  };
  const found = [];
  for (const panel of document.querySelectorAll("main .panel")) {
    const { left, right } = panel.getBoundingClientRect();
    for (const one of panel.querySelectorAll("*")) {
      const box = one.getBoundingClientRect();
      if (box.width && (box.right > right + 0.5 || box.left < left - 0.5) && !kept(one, panel)) {
        found.push(`${one.localName}.${one.getAttribute("class")}: ${one.textContent.trim().slice(0, 40)}`);
      }
    }
  }
  return found;
}"""
# The longest names and large amounts in the place of those that were played for.
LARGE = """() => {
  for (const one of document.querySelectorAll("main .panel bdi")) one.textContent = "W".repeat(20);
  document.querySelector("h1").prepend("W".repeat(20));
  for (const one of document.querySelectorAll(".figures .number, .figures-card dd, .net")) {
    if (!one.querySelector("*")) one.textContent = "−1,234,567";
  }
}"""


def test_everything_stays_in_its_panel_on_the_narrowest_screens_in_every_language(
    archive: RunningSite, new_guest: NewGuest
) -> None:
    pages = ["/games/", "/how-to-check/"]
    page = new_guest().page
    for kind in ("open", "match", "solo"):
        page.goto(f"/games/?kind={kind}&sort=length")
        pages.append(page.locator(".game-row").first.get_attribute("href") or "")
    page.goto(pages[-3])
    pages += [page.locator(".ways a").last.get_attribute("href") or "", f"{pages[-3]}1/"]
    for locale in ("en-US", "uk-UA", "ru-RU", "bg-BG"):
        page = new_guest(locale=locale).page
        for path in pages:
            page.set_viewport_size({"width": 360, "height": 640})
            page.goto(path)
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            assert page.evaluate(OUTSIDE) == [], (locale, path, 360)
            if locale == "en-US":
                expect_accessible(page)
            page.set_viewport_size({"width": 320, "height": 640})
            assert page.evaluate(OUTSIDE) == [], (locale, path, 320)
            page.evaluate(LARGE)
            assert page.evaluate(OUTSIDE) == [], (locale, path, "large")
            assert page.evaluate("document.documentElement.scrollWidth") == 320, (locale, path, "large")


# The first player's eights are split under a low card of the dealer's.
EIGHTS = "8 ? low 8 ?"
WEEK = 7 * 24 * 3600


def play_a_match(server: RunningSite, new_guest: NewGuest, first: str, second: str) -> None:
    """One round of a listed match, in which the first player splits; then it is given up."""
    server.give_seeds([seed_for(EIGHTS)])
    host = open_table(new_guest, first, clock=False, listed=True)
    friend = join(new_guest, host.page.url, second)
    start([host, friend])
    bet_all({host: 100, friend: 50})
    answer_all([host, friend], "split", "stand", "decline")
    friend.menu("resign")
    for player in (host, friend):
        player.expect_phase("over")
    # The result has room for the widest name.
    host.page.set_viewport_size({"width": 360, "height": 640})
    host.page.evaluate(
        "for (const one of document.querySelectorAll('#result bdi, #result-title')) {"
        " one.textContent = 'W'.repeat(20); }"
    )
    assert host.page.evaluate("[felt.scrollWidth, result.scrollWidth - result.clientWidth]") == [360, 0]


def test_last_weeks_game_is_found_stepped_through_checked_and_taken_away(
    server: RunningSite, new_guest: NewGuest, tmp_path: Path
) -> None:
    server.let_pass(-WEEK)
    play_a_match(server, new_guest, "Wanda", "Otto")
    server.let_pass(WEEK)
    play_a_match(server, new_guest, "Wanda", "Ira")

    page = new_guest(viewport=DESK).page
    page.goto("/games/")
    rows = page.locator(".game-row")
    expect(rows).to_have_count(2)
    page.get_by_label("Nickname").fill("wanda")
    page.get_by_label("To", exact=True).fill(f"{datetime.now(UTC) - timedelta(days=3):%Y-%m-%d}")
    page.get_by_role("button", name="Show").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Otto")
    rows.click()

    with page.expect_download() as download:
        page.get_by_role("link", name="JSON").click()
    file = tmp_path / "game.json"
    download.value.save_as(file)
    check = [sys.executable, "-m", "engine", "verify", str(file)]
    verified = subprocess.run(check, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (verified.returncode, verified.stdout) == (0, '{"rounds": 1, "ok": true}\n')

    page.set_viewport_size({"width": 360, "height": 640})
    page.locator(".round-line").click()
    expect(page.locator("#play-on")).to_be_visible()
    hands = page.locator(".replay-felt .seat").first.locator(".hand")
    pictures = [page.locator(".replay-felt").inner_text()]
    last = int(page.locator("#scrubber").get_attribute("max") or 0)
    for _ in range(last):
        page.keyboard.press("ArrowRight")
        pictures.append(page.locator(".replay-felt").inner_text())
    assert hands.count() >= 2
    for number in range(last - 1, -1, -1):
        page.keyboard.press("ArrowLeft")
        assert page.locator(".replay-felt").inner_text() == pictures[number]
    place = page.locator("[data-check]")
    assert {"all-fits", "hash-right", "cards-right"} <= set(told(place))
    expect_accessible(page)
