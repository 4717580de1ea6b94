"""People at a table in real browsers: what they see on the page and what they press."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Guest, NewGuest
from tests.running_site import RunningSite

PHONE = {"width": 360, "height": 640}
TABLET = {"width": 768, "height": 1024}
DESK = {"width": 1440, "height": 900}
PATIENCE = 15
BREATH = 0.35


@dataclass(slots=True, eq=False)
class Player:
    """Somebody at a table. All that is read here is what the page shows."""

    name: str
    guest: Guest
    pressed_at: float = 0.0

    @property
    def page(self) -> Page:
        return self.guest.page

    @property
    def phase(self) -> str:
        return self.page.locator("#version").get_attribute("data-phase") or ""

    @property
    def version(self) -> int:
        return int(self.page.locator("#version").get_attribute("data-version") or 0)

    @property
    def seat(self) -> Locator:
        """The own place at the table."""
        return self.page.locator(".seat", has=self.page.locator("bdi", has_text=self.name))

    @property
    def chips(self) -> int:
        return int(self.seat.get_attribute("data-chips") or -1)

    @property
    def purse(self) -> int:
        """What the own stack can still lay, from however many boxes it is played."""
        return int(self.page.locator("#own").get_attribute("data-chips") or -1)

    @property
    def boxes(self) -> list[int]:
        """The numbers of the own places at the table."""
        return [int(one) for one in (self.page.locator("#own").get_attribute("data-seats") or "").split()]

    @property
    def round(self) -> int:
        return int(self.page.locator(".status-round b").inner_text().replace(",", ""))

    @property
    def seconds_left(self) -> float:
        """Until the clock answers, as the server told it; 0 where no clock runs."""
        status = self.page.locator("#status")
        deadline = status.get_attribute("data-deadline")
        return (int(deadline) - int(status.get_attribute("data-now") or 0)) / 1000 if deadline else 0.0

    def place(self, number: int) -> Locator:
        """Any place at the table."""
        return self.page.locator(f"#seat-{number}")

    def button(self, action: str) -> Locator:
        """A button of the action bar or the tray, only where it may be pressed."""
        return self.page.locator(f'.dock [data-action="{action}"]:not([aria-disabled])')

    def can(self, action: str) -> bool:
        return self.button(action).is_visible()

    def cards(self) -> list[str]:
        """Every card that lies on the felt, the dealer's first."""
        return list(
            self.page.locator("#felt [data-card]").evaluate_all(
                "cards => cards.map(card => card.id + '=' + card.dataset.card)"
            )
        )

    def all_chips(self) -> list[str]:
        return list(
            self.page.locator("#felt [data-chips]").evaluate_all(
                "seats => seats.map(seat => seat.id + '=' + seat.dataset.chips)"
            )
        )

    def bet(self, amount: int) -> None:
        self.page.locator("#amount").fill(str(amount))
        self.press("bet")

    def pick(self, number: int) -> None:
        """Choose what the bet is for: an own box, or somebody to bet behind. Chips lie below the name."""
        self.page.locator(f"#pick-{number}").click(position={"x": 40, "y": 10})

    def type_bet(self, amount: int, pair: int = 0) -> None:
        """Into the one field: a main bet, a bet that the first two cards are a pair, or both."""
        button, field = self.page.locator("#pick-pair"), self.page.locator("#amount")
        if button.get_attribute("aria-pressed") == "false":
            button.click()
        field.fill(str(pair or ""))
        button.click()
        field.fill(str(amount or ""))

    def back(self, number: int, amount: int, pair: int = 0) -> None:
        """Bet behind the seat of that number."""
        self.pick(number)
        self.type_bet(amount, pair)
        self.answer("back")

    @property
    def behind(self) -> dict[int, list[int]]:
        """What this person has behind others, as the seats show it: ``{1: [50, 10]}`` with 10 on a pair."""
        words = self.page.locator(".seat .seat-mine:visible [data-mine]").evaluate_all(
            "all => all.map(one => [Number(one.closest('.seat').dataset.seat), one.textContent])"
        )
        return {seat: [int(sum_) for sum_ in re.findall(r"\d+", text)] for seat, text in words}

    @property
    def backers(self) -> dict[str, int]:
        """Who has bet behind in this game, with their chips."""
        rows = self.page.locator("#backers [data-backer]")
        return dict(
            rows.evaluate_all("rows => rows.map(row => [row.dataset.backer, Number(row.dataset.chips)])")
        )

    def press(self, action: str) -> None:
        self.tap(self.button(action))

    def tap(self, button: Locator | str, *, force: bool = False) -> None:
        """Press a button as a person does: not so soon that it is the second half of a double click."""
        self.breathe()
        place = self.page.locator(button) if isinstance(button, str) else button
        place.click(force=force)
        self.pressed_at = time.monotonic()

    @property
    def ask(self) -> str:
        """The question that the buttons answer; empty where nothing is asked."""
        return str(self.page.evaluate("document.querySelector('.dock input[name=ask]')?.value ?? ''"))

    def ask_of(self, action: str) -> str:
        """The question that this button answers; empty where there is none."""
        find = "action => document.querySelector(`.dock form:has([data-action=${action}]) [name=ask]`)?.value"
        return self.page.evaluate(find, action) or ""

    def answer(self, action: str) -> None:
        """Press a button and wait until the question has its answer, whatever else happens at the table."""
        before = self.ask_of(action)
        self.press(action)
        end = time.monotonic() + PATIENCE
        while self.ask_of(action) == before:
            assert time.monotonic() < end, f"{self.name} is still asked {before}: {self.toast}"
            self.page.wait_for_timeout(10)

    @property
    def toast(self) -> str:
        """What the table has just refused, and why."""
        return " ".join(self.page.locator("#toast").inner_text().split())

    def breathe(self) -> None:
        since = time.monotonic() - self.pressed_at
        if since < BREATH:
            self.page.wait_for_timeout(1000 * (BREATH - since))

    def expect_phase(self, phase: str) -> None:
        expect(self.page.locator("#version")).to_have_attribute("data-phase", phase)

    def expect_connected(self) -> None:
        """Whoever sits is shown as away until the page's line is there and its first snapshot has come."""
        expect(self.seat).not_to_have_class(re.compile(r"\bseat-away\b"))

    def expect_lost(self) -> None:
        expect(self.page.locator("#connection")).to_have_text("Connection lost, trying again…")

    def expect_back(self, since: int) -> None:
        """Connected anew, and shown something later than that version: coming back is news by itself."""
        expect(self.page.locator("#connection")).not_to_have_text("Connection lost, trying again…")
        self.expect_news(since)
        self.expect_connected()

    def expect_version(self, version: int) -> None:
        """Wait until the page shows this version of the table, or a later one."""
        end = time.monotonic() + PATIENCE
        while self.version < version:
            assert time.monotonic() < end, f"{self.name} still sees version {self.version}, not {version}"
            self.page.wait_for_timeout(10)

    def expect_news(self, version: int) -> None:
        """Wait until the page shows something later than this version."""
        self.expect_version(version + 1)

    def expect_round(self, number: int) -> None:
        expect(self.page.locator(".status-round b")).to_have_text(f"{number:,}")

    def expect_log(self, kind: str, words: str = "") -> None:
        """A line of that kind, with those words, in the log of the round."""
        expect(self.page.locator(f"#log .log-{kind}", has_text=words)).not_to_have_count(0)

    def repeat(self) -> None:
        """The same bet again."""
        self.tap("#repeat-bet")

    def menu(self, command: str) -> None:
        """Through the menu behind ⋯ and the question in words."""
        self.page.locator("#open-menu").click()
        self.page.locator(f"#ask-{command}").click()
        self.tap(f"#{command}-dialog #do-{command}")
        self.pressed_at = time.monotonic()


def open_table(
    new_guest: NewGuest, name: str = "Alice", *, rounds: int = 10, clock: bool = True, listed: bool = False
) -> Player:
    """From the home page to the own table."""
    host = Player(name, new_guest(viewport=PHONE))
    host.page.goto("/")
    host.page.locator("#nickname").fill(name)
    host.page.locator(f'input[name="rounds"][value="{rounds}"] + span').click()
    host.page.locator(f'input[name="clock"][value="{"on" if clock else "off"}"] + span').click()
    host.page.locator(f'input[name="listed"][value="{"on" if listed else "off"}"] + span').click()
    host.page.locator("#open-table").click()
    host.expect_phase("lobby")
    host.expect_connected()
    return host


def expect_accessible(page: Page) -> None:
    """No complaint of axe, once nothing is half faded in."""
    page.wait_for_function("""() => document.getAnimations().every(animation => {
      const { progress, iterations } = animation.effect.getComputedTiming();
      return progress === null || progress === 1 || iterations === Infinity;
    })""")
    found = Axe().run(page).response["violations"]
    assert not found, "\n".join(f"{one['help']}: {[node['html'] for node in one['nodes']]}" for one in found)


def choose_game(page: Page, game: str) -> None:
    page.locator(f"label.game-choice:has(#rules-{game})").click()


def open_to_all(new_guest: NewGuest, name: str, game: str, *, listed: bool = False, **context: Any) -> Player:
    """From the home page to an open table of that game."""
    host = Player(name, new_guest(**{"viewport": PHONE, **context}))
    host.page.goto("/")
    choose_game(host.page, game)
    host.page.locator('input[name="kind"][value="open"] + span').click()
    host.page.locator(f'input[name="listed"][value="{"on" if listed else "off"}"] + span').click()
    host.page.locator("#nickname").fill(name)
    host.page.locator("#open-table").click()
    host.expect_phase("betting")
    host.expect_connected()
    return host


def play_alone(new_guest: NewGuest, game: str | None = None, **context: Any) -> Player:
    """From the home page to the first cards, without a nickname; with one click where no game is chosen."""
    player = Player("Guest", new_guest(**{"viewport": PHONE, **context}))
    player.page.goto("/")
    if game is not None:
        choose_game(player.page, game)
    player.page.locator("#play-alone").click()
    player.expect_connected()
    return player


def join(new_guest: NewGuest, link: str, name: str, *, watch: bool = False, **context: Any) -> Player:
    """By the link, with a nickname, to a seat or to watch."""
    player = Player(name, new_guest(**{"viewport": DESK, **context}))
    player.page.goto(link)
    player.page.locator("#nickname").fill(name)
    player.page.locator("#join-watch" if watch else "#join-sit").click()
    expect(player.page.locator("#join-sit")).to_have_count(0)
    if not watch:
        player.expect_connected()
    return player


def start(players: Sequence[Player]) -> None:
    """All ready, and the host, who is the first of them, starts."""
    host, *friends = players
    for friend in friends:
        friend.press("ready")
    host.press("start")
    for player in players:
        player.expect_phase("betting")


def playable(player: Player) -> list[str]:
    """What the page offers to press for the question that is open, in its order."""
    moves = ("hit", "stand", "double", "split", "insure", "even_money", "decline", "surrender")
    return [move for move in moves if player.can(move)]


def step(players: Sequence[Player], source: random.Random, most: int = 100) -> bool:
    """Whoever is asked answers; whether anybody was."""
    for player in players:
        if player.phase == "over":
            return False
        if player.can("bet") and not player.can("take_back"):
            amounts = [amount for amount in (10, 50, 100) if amount <= min(player.chips, most)]
            before = player.version
            player.bet(source.choice(amounts))
            player.expect_news(before)
            return True
        moves = playable(player)
        if moves:
            before = player.version
            player.press(source.choice(moves))
            player.expect_news(before)
            return True
    return False


def bet_all(bets: Mapping[Player, int]) -> None:
    """Everybody lays a bet, one after the other."""
    for player, amount in bets.items():
        player.page.locator("#amount").fill(str(amount))
        player.answer("bet")


def answer_all(players: Sequence[Player], *answers: str) -> None:
    """Play the round out: whoever is asked presses the first of `answers` that is offered."""
    while catch_up(players) and players[0].phase not in ("betting", "over"):
        player, move = next((one, move) for one in players for move in answers if one.can(move))
        player.answer(move)


def let_time_run_out(server: RunningSite, *players: Player) -> None:
    """Nobody answers: the clock does."""
    before = catch_up(players)
    server.let_pass(players[0].seconds_left)
    # Whoever asks for the page sees what is due; else it would be a second until the server looks.
    players[0].page.request.get(players[0].page.url)
    for player in players:
        player.expect_news(before)


def play_once(players: Sequence[Player], source: random.Random) -> None:
    """One answer of whoever is asked, seen by all; or what the table does by itself."""
    newest = catch_up(players)
    if not step(players, source) and players[0].phase != "over":
        players[0].expect_news(newest)


def play_until(players: Sequence[Player], source: random.Random, *phases: str) -> str:
    """Play on until the table is in one of `phases`, or the match is over."""
    while players[0].phase not in (*phases, "over"):
        play_once(players, source)
    catch_up(players)
    return players[0].phase


def catch_up(players: Sequence[Player]) -> int:
    """Wait until all see what one of them sees already; the version of that."""
    newest = max(player.version for player in players)
    for player in players:
        player.expect_version(newest)
    return newest
