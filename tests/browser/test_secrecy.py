"""Two sites whose shoes differ only in the hole card and the undealt cards tell nobody the difference."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import WebSocket

from tables.shuffle_checks import shoe_key
from tests.browser.conftest import Guest, NewGuest
from tests.browser.players import Player, catch_up, join, open_table, start
from tests.running_site import RunningSite

# Two seeds found by search. In six decks both deal, to two boxes: 3h As, the dealer's ace, 5h 9d, a hole
# card, 6c. The hole card is a nine with the first and a two with the second; the cards after differ too.
SEEDS = tuple(number.to_bytes(32, "big") for number in (8663, 1719785))
VISIBLE = {"3h", "As", "Ad", "5h", "9d", "6c"}


@dataclass
class Ear:
    """Everything one person's browser is sent, as text without what is random on purpose."""

    person: Player
    names: dict[str, str]
    frames: list[str] = field(default_factory=list)

    def listen(self) -> None:
        def opened(socket: WebSocket) -> None:
            socket.on("framereceived", lambda payload: self.frames.append(str(payload)))

        self.person.page.on("websocket", opened)
        self.person.page.reload()

    def heard(self) -> set[str]:
        """The fragments since the last time, each once: how often one comes is a matter of timing."""
        parts = {
            self.plain(part)
            for frame in self.frames
            for part in re.split(r'(?=<\w+ id="[\w-]+"[^>]* hx-swap-oob=)', frame)
        }
        self.frames.clear()
        # The line's own heartbeat comes when it comes.
        return {part for part in parts if part and not part.startswith('<div id="pong"')}

    def plain(self, text: str) -> str:
        for value, name in self.names.items():
            text = text.replace(value, name)
        text = re.sub(r"\b[0-9a-f]{64}\b", "<hash>", text)
        text = re.sub(r'data-(now|deadline)="\d+"', r'data-\1="<time>"', text)
        text = re.sub(r'data-version="\d+"', r'data-version="<number>"', text)
        text = re.sub(r"/seat/[\w-]+/", "/seat/<secret>/", text)
        text = re.sub(r'<svg[^>]*class="[^"]*qr.*?</svg>', "<qr>", text, flags=re.DOTALL)
        text = re.sub(r'<path[^>]* d="[^"]*"', "<path", text)
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "<token>", text).strip()


class Site:
    """One of the two sites, with two who play, one who watches and one who came without a name."""

    def __init__(self, server: RunningSite, new_guest: NewGuest) -> None:
        def guest(*, base_url: str | None = None, **context: Any) -> Guest:
            return new_guest(base_url=base_url or server.url, **context)

        self.alice = open_table(guest)
        self.link = self.alice.page.url
        self.code = self.link.rstrip("/").rsplit("/", 1)[1]
        self.bob = join(guest, self.link, "Bob")
        self.carol = join(guest, self.link, "Carol", watch=True)
        self.mallory = Player("Mallory", guest())
        self.mallory.page.goto(self.link)
        self.people = [self.alice, self.bob, self.carol, self.mallory]
        # By the code and the number alone, as everybody may work out.
        shoes = {shoe_key(self.code, number): f"<shoe {number}>" for number in (1, 2)}
        names = {server.url: "<site>", self.code: "<code>", f":{server.port}": "<port>", **shoes}
        self.ears = [Ear(person, names) for person in self.people]
        for ear in self.ears:
            ear.listen()
        for person in self.people:
            person.expect_phase("lobby")

    def everything(self) -> list[set[str] | str]:
        """What everybody was sent, and what every page says to who asks for it now."""
        catch_up(self.people)
        told: list[set[str] | str] = [ear.heard() for ear in self.ears]
        for ear in self.ears:
            for address in (
                f"/t/{self.code}/",
                f"/t/{self.code}/games/",
                f"/t/{self.code}/rules/",
                "/games/",
                "/",
                "/healthz",
            ):
                told.append(ear.plain(ear.person.page.request.get(address).text()))
        return told


def moves(site: Site) -> list[tuple[str, Callable[[], None]]]:
    """The round up to the reveal, step by step."""
    alice, bob = site.alice, site.bob
    return [
        ("the bets are open", lambda: start([alice, bob])),
        ("one has bet", lambda: alice.bet(50)),
        ("insurance is asked", lambda: bob.bet(100)),
        ("one declines", lambda: alice.press("decline")),
        ("the other insures", lambda: bob.press("insure")),
        ("a card is drawn", lambda: alice.press("hit")),
        ("the next one's turn", lambda: alice.press("stand")),
    ]


def differences(one: set[str] | str, other: set[str] | str) -> list[str]:
    if isinstance(one, set) and isinstance(other, set):
        return sorted(one ^ other)
    if one == other:
        return []
    start = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return [str(told)[max(0, start - 100) : start + 100] for told in (one, other)]


def test_the_hole_card_and_the_shoe_are_told_to_nobody_before_they_are_shown(
    new_server: Callable[..., RunningSite], new_guest: NewGuest
) -> None:
    sites = []
    for seed in SEEDS:
        server = new_server()
        server.give_seeds([seed])
        sites.append(Site(server, new_guest))
    for site in sites:
        site.everything()
    steps = list(zip(moves(sites[0]), moves(sites[1]), strict=True))
    for (label, act), (_, act_too) in steps:
        seen = []
        for site, move in zip(sites, (act, act_too), strict=True):
            before = catch_up(site.people)
            move()
            for person in site.people:
                person.expect_news(before)
            seen.append(site.everything())
        for one, other in zip(*seen, strict=True):
            assert differences(one, other) == [], label
        for told, seed in zip(seen, SEEDS, strict=True):
            text = " ".join(" ".join(part) if isinstance(part, set) else part for part in told)
            assert seed.hex() not in text, label
            dealt = set(re.findall(r'data-card="(\w+)"', text))
            assert dealt <= VISIBLE, label
    # And then the difference shows: the test looked at two different shoes.
    shown = []
    for site in sites:
        before = catch_up(site.people)
        site.bob.press("stand")
        site.alice.expect_news(before)
        shown.append(site.alice.page.locator("#dealer [data-card]").nth(1).get_attribute("data-card"))
    assert [card[0] for card in shown if card] == ["9", "2"]
