"""Who watches bets behind who plays: two play, three bet behind one or both, and every chip is counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.shoe import Shoe
from tests.browser.conftest import NewGuest
from tests.browser.players import (
    BREATH,
    DESK,
    PHONE,
    TABLET,
    Player,
    answer_all,
    catch_up,
    join,
    open_table,
    open_to_all,
    play_alone,
    start,
)
from tests.browser.test_one_effect import twice
from tests.browser.test_secrecy import Ear
from tests.cuttable_line import CuttableLine
from tests.running_site import RunningSite

# Found by search: what six decks deal to two boxes and the dealer by turns, the last one face down.
SPLITS, NATURAL, INSURED = 56674, 5008, 5004
# To two boxes of the shoe game, without a hole card; to one box of the live game, and to one who plays alone.
EVEN_MONEY, LIVE, SIXTEEN, PAIR, NO_PAIR = 8217, 35, 186, 123, 41
ELEVEN = 392
DEALS = {
    # Alice splits: 2c to the first nine, 9s to the second. She doubles the first: Qs. She splits the second:
    # 6d, 9h. Bob doubles: 9c. The dealer draws 8c.
    SPLITS: "9h 9d 7s 9s 2c 4h 2c 9s Qs 6d 9h 9c 8c",
    NATURAL: "Qd Tc 9c As Jh Ad",
    INSURED: "Js Td Ac Ah 7s Jc",
    EVEN_MONEY: "Qd Td Ad Ac Jc Th",
    ELEVEN: "3d Tc 6c 8c 3h Js 7c 6h",
    LIVE: "Jh 6h Th Tc Jc",
    SIXTEEN: "Qs Ts 6c 6s Jd",
    PAIR: "Ks 3c Kd 9c 7s",
    NO_PAIR: "Qs 9d Kc Ts",
}
# Found by search: in seven rounds no dealer shows an ace or a ten, and nobody has a blackjack.
QUIET = (16).to_bytes(32, "big")
# What nobody who plays is to read while others decide: their names, and sums that lie nowhere else.
SECRETS = re.compile(r"\b(?:Carol|Dave|Erin|70|90|30|40|140|60|80|180)\b")
# How many are behind a seat, with how much, lies open on the table since the bets.
WHAT_LIES = re.compile(r'<button class="seat-behind".*?</button>', re.DOTALL)
MINUTE = 60


def give_shoes(server: RunningSite, *numbers: int, decks: int = 6) -> None:
    seeds = [number.to_bytes(32, "big") for number in numbers]
    for number, seed in zip(numbers, seeds, strict=True):
        assert " ".join(map(str, Shoe.from_seed(seed, decks).cards)).startswith(DEALS[number])
    server.give_seeds(seeds)


def bet(player: Player, amount: int, pair: int = 0) -> None:
    player.type_bet(amount, pair)
    player.answer("bet")


def expect_stacks(people: Sequence[Player], players: Mapping[str, int], backers: Mapping[str, int]) -> None:
    """Everybody's page shows the same chips of all."""
    catch_up(people)
    for person in people:
        seats = person.page.locator("#felt .seat[data-chips]")
        shown = seats.evaluate_all(
            "all => all.map(one => [one.querySelector('bdi').textContent, one.dataset.chips])"
        )
        assert {name: int(chips) for name, chips in shown} == players, person.name
        assert person.backers == backers, person.name
        if person.phase != "over":
            assert person.purse == {**players, **backers}[person.name], person.name


def expect_behind(people: Sequence[Player], seats: Mapping[int, tuple[int, int]]) -> None:
    """Everybody sees how many are behind each seat, and with how much."""
    catch_up(people)
    for person in people:
        for number, (count, chips) in seats.items():
            shown = person.place(number).locator(".seat-behind")
            expect(shown).to_have_attribute("data-count", str(count))
            expect(shown).to_have_attribute("data-sum", str(chips))


def ask_backers(
    server: RunningSite, people: Sequence[Player], players: Players, mover: Player, move: str
) -> list[list[str]]:
    """Make a move that backers are asked about: the players' pages, which tell nothing of who is asked."""
    catch_up(people)
    before = players.pages()
    players.heard()
    # Five seconds are few for five pages on a busy machine.
    server.stop_clock()
    mover.answer(move)
    assert 0 < mover.seconds_left <= 5
    server.let_pass(-MINUTE)
    catch_up(people)
    for player in players.all:
        expect(player.page.locator("#prompt")).to_have_text("Somebody who bets behind is deciding.")
    during = players.pages()
    for page, asking in zip(before, during, strict=True):
        new = " ".join((Counter(asking) - Counter(page)).elements())
        assert not SECRETS.findall(new)
    for heard in players.heard():
        assert not SECRETS.findall(WHAT_LIES.sub("", " ".join(heard)))
    return during


class Players:
    """What the pages of those who play say, and what they are sent, while others decide about bets behind."""

    PAGE = """
    () => {
      const page = document.body.cloneNode(true);
      for (const one of page.querySelectorAll("#pong, #say, #connection, .clock")) one.remove();
      for (const one of page.querySelectorAll("#status, #version")) {
        for (const name of ["now", "deadline", "version"]) delete one.dataset[name];
      }
      for (const one of page.querySelectorAll(".card, .late")) {
        one.removeAttribute("style");
        one.classList.remove("card-dealt", "card-turned", "late");
      }
      return document.title + page.outerHTML.replaceAll(/\\s+/g, " ");
    }
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self.all = players
        self.ears = [Ear(player, {}) for player in players]
        for ear in self.ears:
            ear.listen()
        for player in players:
            player.expect_connected()

    def pages(self) -> list[list[str]]:
        return [re.split("(?=<)", player.page.evaluate(self.PAGE)) for player in self.all]

    def heard(self) -> list[set[str]]:
        """Since the last time, without the clock and the numbers of versions."""
        clock = re.compile(r'<div id="(?:status|version)"')
        return [{part for part in ear.heard() if not clock.match(part)} for ear in self.ears]

    def expect_told_nothing(self, during: list[list[str]]) -> None:
        """Somebody has answered, and others have not."""
        assert self.pages() == during
        assert not any(self.heard())


@pytest.fixture
def people(new_guest: NewGuest, server: RunningSite, line: CuttableLine, clock: bool) -> list[Player]:
    """Alice and Bob play; Carol watches on a phone, Dave by a line that can be cut, Erin at a desk."""
    give_shoes(server, SPLITS, NATURAL)
    alice = open_table(new_guest, clock=clock)
    link = alice.page.url
    bob = join(new_guest, link, "Bob")
    carol = join(new_guest, link, "Carol", watch=True, viewport=PHONE)
    cuttable = link.replace(server.url, line.url)
    dave = join(new_guest, cuttable, "Dave", watch=True, base_url=line.url, viewport=TABLET)
    erin = join(new_guest, link, "Erin", watch=True, viewport=DESK)
    start([alice, bob])
    return [alice, bob, carol, dave, erin]


FIRST_PLAYERS = {
    # The pair of nines at 11:1; 21, doubled, against 19, and 15 and 18.
    "Alice": 1_000 + 11 * 20 + 100 - 50 - 50,
    # 9d 2c is no pair; 20, doubled.
    "Bob": 1_000 - 10 + 200,
}
FIRST_BACKERS = {
    # The pair; 70 and 70 on the first hand, 70 on the second.
    "Carol": 1_000 + 11 * 10 + 140 - 70,
    # Bob's hand, without the double.
    "Dave": 1_000 + 90,
    # Alice's first hand, without the double; no pair, and Bob's hand with the double.
    "Erin": 1_000 + 30 - 20 + 80,
}


def play_until_dave_is_asked(server: RunningSite, people: list[Player]) -> None:
    """The first round, up to Bob's double: Erin has followed, Dave is to say whether he does."""
    alice, bob, carol, dave, erin = people
    players = Players([alice, bob])
    catch_up(people)
    carol.back(1, 70, 10)
    dave.back(2, 90)
    erin.back(1, 30)
    erin.back(2, 40, 20)
    assert carol.behind == {1: [70, 10]}
    assert dave.behind == {2: [90]}
    assert erin.behind == {1: [30], 2: [40, 20]}
    expect_behind(people, {1: (2, 110), 2: (2, 150)})
    for backer in (carol, dave, erin):
        backer.answer("done")
    bet(alice, 50, 20)
    bet(bob, 100, 10)

    expect(alice.place(1).locator(".seat-foot")).to_contain_text("Pair +220")
    expect(alice.place(2).locator(".seat-foot")).not_to_contain_text("paid")
    during = ask_backers(server, people, players, alice, "split")
    expect(carol.page.locator("#prompt")).to_have_text("Alice splits. 70 on the second hand too?")
    expect(erin.page.locator("#prompt")).to_have_text("Alice splits. 30 on the second hand too?")
    carol.answer("follow")
    catch_up(people)
    players.expect_told_nothing(during)
    erin.answer("pass")
    catch_up(people)
    assert carol.behind == {1: [140]}
    assert erin.behind[1] == [30]

    during = ask_backers(server, people, players, alice, "double")
    expect(erin.page.locator("#prompt")).to_have_text("Alice doubles. Add 30 to your bet?")
    erin.answer("pass")
    catch_up(people)
    players.expect_told_nothing(during)
    carol.answer("follow")

    ask_backers(server, people, players, alice, "split")
    assert not erin.can("follow"), "she has nothing on that hand"
    carol.answer("pass")
    for _ in range(2):
        alice.answer("stand")

    during = ask_backers(server, people, players, bob, "double")
    assert dave.can("follow")
    erin.answer("follow")
    catch_up([alice, bob, erin])
    players.expect_told_nothing(during)


@pytest.mark.parametrize("clock", [False])
def test_every_chip_is_where_it_belongs_and_a_closed_laptop_does_not_follow(
    people: list[Player], new_guest: NewGuest, server: RunningSite
) -> None:
    alice, bob, carol, dave, erin = people
    play_until_dave_is_asked(server, people)
    staying = [alice, bob, carol, erin]
    kept = dave.guest.context.storage_state()
    dave.guest.context.close()
    # He does not come back soon: nobody waits longer than the five seconds.
    server.let_pass(MINUTE + 5)
    for person in staying:
        person.expect_round(2)
    expect_stacks(staying, FIRST_PLAYERS, FIRST_BACKERS)

    dave = Player("Dave", new_guest(storage_state=kept, viewport=TABLET))
    dave.page.goto(alice.page.url)
    people = [alice, bob, carol, dave, erin]
    expect_stacks(people, FIRST_PLAYERS, FIRST_BACKERS)

    carol.back(1, 10)
    carol.back(2, 0, 20)
    dave.back(2, 50)
    erin.back(1, 30)
    erin.back(2, 30)
    for backer in (carol, dave, erin):
        backer.answer("done")
    bet(alice, 30, 10)
    bet(bob, 20)
    bob.answer("stand")
    for person in people:
        person.expect_round(3)
    # A blackjack at 3:2, and no pair; twenty against twenty, and no pair.
    players = {"Alice": FIRST_PLAYERS["Alice"] + 45 - 10, "Bob": FIRST_PLAYERS["Bob"]}
    backers = {
        "Carol": FIRST_BACKERS["Carol"] + 15 - 20,
        "Dave": FIRST_BACKERS["Dave"],
        "Erin": FIRST_BACKERS["Erin"] + 45,
    }
    expect_stacks(people, players, backers)
    alice.menu("resign")
    for person in people:
        person.expect_phase("over")
    expect_stacks(people, players, backers)
    expect_kept(carol, {**players, **backers}, {name: chips - 1_000 for name, chips in FIRST_BACKERS.items()})


@pytest.mark.parametrize("clock", [True])
def test_a_dead_line_is_asked_for_five_seconds_and_does_not_follow(
    people: list[Player], server: RunningSite, line: CuttableLine
) -> None:
    alice, bob, carol, dave, erin = people
    dave.guest.allow_lost_connection()
    play_until_dave_is_asked(server, people)
    line.freeze()
    alice.page.wait_for_timeout(300)
    assert alice.phase == "follow", "the others wait for him"
    server.let_pass(MINUTE + 5)
    staying = [alice, bob, carol, erin]
    for person in staying:
        person.expect_round(2)
    expect_stacks(staying, FIRST_PLAYERS, FIRST_BACKERS)
    line.thaw()
    expect_stacks(people, FIRST_PLAYERS, FIRST_BACKERS)
    assert not dave.can("follow")


def expect_kept(reader: Player, chips: Mapping[str, int], first_round: Mapping[str, int]) -> None:
    """The page of the game has the chips of all, and what the first round brought to who bet behind."""
    reader.page.locator('#result a[href^="/games/"]').click()
    expect(reader.page.locator("#rounds")).to_be_visible()
    read = "(all, words) => all.map(one => words.map(word => one.querySelector(word).textContent))"
    rows = reader.page.locator("section > table.figures tbody tr").evaluate_all(read, ["bdi", ".number"])
    assert {name: int(number.replace(",", "")) for name, number in rows} == chips
    reader.page.locator('#rounds a[href$="/1/"]').first.click()
    expect(reader.page.locator(".round-backers").first).to_be_attached()
    nets = reader.page.locator(".round-backers li").evaluate_all(read, ["bdi", ".net"])
    brought: Counter[str] = Counter()
    for name, net in nets:
        brought[name] += int(net.replace("−", "-"))
    assert brought == first_round


# Frames that the page's own buttons would not send, by the socket that it has opened.
SPY = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...all) { super(...all); window.sockets.push(this); }
};
"""
SEND = """
frame => window.sockets.findLast(one => one.readyState === WebSocket.OPEN).send(JSON.stringify(frame))
"""
# Every sum and every question on the page.
SUMS = """
() => {
  const sums = "#version, [data-chips], [data-sum], [data-bet], .own-stake, [name=ask]";
  const words = (one) => one.children.length ? "" : one.value ?? one.textContent;
  return [...document.querySelectorAll(sums)].map((one) => ({ ...one.dataset, words: words(one) }));
}
"""


def spy(*players: Player) -> None:
    for player in players:
        player.page.add_init_script(SPY)
        player.page.reload()


def send(player: Player, **frame: str) -> None:
    player.page.evaluate(SEND, frame)


def expect_refused(people: Sequence[Player], forger: Player, words: str, **frame: str) -> None:
    """The forger is told why, and nobody sees anything change."""

    def what_all_see() -> list[object]:
        catch_up(people)
        return [person.page.evaluate(SUMS) for person in people]

    before = what_all_see()
    forger.page.evaluate("document.getElementById('toast').replaceChildren()")
    send(forger, **frame)
    expect(forger.page.locator("#toast")).to_have_text(words)
    assert what_all_see() == before


@pytest.fixture
def alice_and_bob(new_guest: NewGuest, server: RunningSite) -> list[Player]:
    """At a match without a clock, not started yet."""
    server.give_seeds([QUIET])
    alice = open_table(new_guest, clock=False)
    return [alice, join(new_guest, alice.page.url, "Bob")]


def watching(new_guest: NewGuest, table: Player, *names: str, **context: Any) -> list[Player]:
    return [join(new_guest, table.page.url, name, watch=True, **context) for name in names]


def test_insurance_and_even_money_are_each_ones_own_business(
    alice_and_bob: list[Player], new_guest: NewGuest, server: RunningSite
) -> None:
    give_shoes(server, INSURED)
    alice, bob = alice_and_bob
    carol, erin = watching(new_guest, alice, "Carol", "Erin")
    start(alice_and_bob)
    people = [alice, bob, carol, erin]
    catch_up(people)
    for backer, on_alice, on_bob in ((carol, 40, 60), (erin, 30, 80)):
        backer.back(1, on_alice)
        backer.back(2, on_bob)
        backer.answer("done")
    server.stop_clock()
    bet(alice, 50)
    bet(bob, 100)
    server.let_pass(-MINUTE)
    catch_up(people)

    prompt, button = carol.page.locator("#prompt"), carol.button("insure")
    expect(prompt).to_have_text("Alice has a blackjack against an ace. Even money?")
    expect(button).to_have_text(re.compile(r"^\s*Even money\s+20\s*$"))
    carol.answer("insure")
    expect(prompt).to_have_text("Behind Bob: the dealer shows an ace. Insurance?")
    expect(button).to_have_text(re.compile(r"^\s*Insure\s+30\s*$"))
    carol.answer("decline")
    alice.answer("decline")
    bob.answer("insure")
    erin.answer("decline")
    catch_up([alice, erin])
    assert alice.phase == "insurance", "one answer is missing"
    erin.answer("insure")

    # The dealer has a blackjack: Alice's stands off, Bob's hand loses, insurance is paid 2:1.
    alice.expect_round(2)
    expect_stacks(
        people,
        {"Alice": 1_000, "Bob": 1_000 - 100 + 2 * 50},
        {"Carol": 1_000 + 2 * 20 - 60, "Erin": 1_000 - 80 + 2 * 40},
    )
    mine = carol.page.locator(".seat-mine:visible [data-mine]")
    assert mine.all_inner_texts() == ["+40", "−60"]


def test_the_deal_waits_for_who_bets_behind_until_done_and_for_nobody_else(
    alice_and_bob: list[Player], new_guest: NewGuest, server: RunningSite
) -> None:
    alice, bob = alice_and_bob
    carol, dave = watching(new_guest, alice, "Carol", "Dave")
    start(alice_and_bob)
    people = [alice, bob, carol, dave]

    def all_bet() -> None:
        catch_up(people)
        server.stop_clock()
        for player in (alice, bob):
            bet(player, 10)

    def play_on() -> None:
        server.let_pass(0)
        answer_all([alice, bob], "stand")
        catch_up(people)

    def expect_waiting() -> None:
        assert alice.phase == "betting"
        assert 0 < bob.seconds_left <= 5
        server.let_pass(-MINUTE)
        for player in (alice, bob):
            expect(player.page.locator("#prompt")).to_have_text("The deal waits a moment for bets behind.")
        for person in people:
            expect(person.page.locator(".clock-digits")).to_be_visible()
        assert carol.can("done")

    all_bet()
    assert bob.phase == "turns", "nobody waits for who watches"
    play_on()

    carol.back(1, 50)
    all_bet()
    expect_waiting()
    carol.answer("done")
    alice.expect_phase("turns")
    play_on()

    # Whoever has bet is waited for once more, and then not any more.
    all_bet()
    expect_waiting()
    server.let_pass(MINUTE + 5)
    alice.expect_phase("turns")
    play_on()
    all_bet()
    expect_waiting()
    carol.answer("done")
    alice.expect_phase("turns")
    play_on()
    all_bet()
    assert bob.phase == "turns", "two rounds without a bet"
    play_on()

    # What lies behind a seat that sits out goes back.
    before = carol.purse
    carol.back(1, 20)
    carol.back(2, 50, 10)
    assert carol.purse == before - 80
    carol.answer("done")
    bob.answer("sit_out")
    bet(alice, 10)
    alice.expect_phase("turns")
    catch_up(people)
    assert carol.purse == before - 20
    assert carol.behind == {1: [20]}
    expect(alice.page.locator("#seat-2 .seat-behind")).to_have_count(0)


def test_who_bets_behind_and_comes_back_finds_stack_bets_and_questions(
    alice_and_bob: list[Player], new_guest: NewGuest, server: RunningSite, line: CuttableLine
) -> None:
    give_shoes(server, SPLITS)
    alice, bob = alice_and_bob
    cuttable = alice.page.url.replace(server.url, line.url)
    carol = join(new_guest, cuttable, "Carol", watch=True, base_url=line.url, viewport=PHONE)
    start(alice_and_bob)
    people = [alice, bob, carol]
    for person in people:
        person.guest.allow_lost_connection()

    def expect_there(person: Player, chips: int, stakes: dict[int, list[int]]) -> None:
        expect(person.page.locator("#connection")).not_to_have_text("Connection lost, trying again…")
        catch_up([alice, bob, person])
        assert (person.purse, person.behind) == (chips, stakes)

    def kill_and_restart() -> None:
        server.kill()
        for person in people:
            person.expect_lost()
        server.start()
        for person in people:
            expect(person.page.locator("#table")).not_to_have_class(
                re.compile(r"\boffline\b"), timeout=15_000
            )

    laid = {1: [70, 10], 2: [30]}
    catch_up(people)
    carol.back(1, 70, 10)
    carol.back(2, 30)
    carol.page.reload()
    expect_there(carol, 890, laid)
    line.cut()
    carol.expect_lost()
    line.mend()
    expect_there(carol, 890, laid)
    kill_and_restart()
    expect_there(carol, 890, laid)
    carol.answer("done")
    bet(alice, 50)
    bet(bob, 100)

    # The pair has been paid, and what is asked is asked in every tab.
    server.stop_clock()
    alice.answer("split")
    server.let_pass(-MINUTE)
    tab = Player("Carol", replace(carol.guest, page=carol.guest.new_page()))
    tab.page.goto(carol.page.url)
    carol.page.reload()
    for page in (carol, tab):
        expect_there(page, 1_010, {1: [70], 2: [30]})
        assert page.can("follow")
    carol.page.close()
    people[2] = tab
    tab.answer("follow")
    alice.expect_phase("turns")
    expect_there(tab, 940, {1: [140], 2: [30]})
    kill_and_restart()
    expect_there(tab, 940, {1: [140], 2: [30]})


def test_bets_behind_at_an_open_table_and_a_seat_of_the_same_purse(
    new_guest: NewGuest, server: RunningSite
) -> None:
    give_shoes(server, LIVE, decks=8)
    alice = open_to_all(new_guest, "Alice", "casino8")
    bob = join(new_guest, alice.page.url, "Bob")
    (carol,) = watching(new_guest, alice, "Carol", viewport=PHONE)
    catch_up([alice, bob, carol])
    carol.back(2, 30, 10)
    assert carol.purse == 960
    bob.menu("leave")
    expect(carol.place(2)).to_have_attribute("data-status", "free")
    assert (carol.purse, carol.behind) == (1_000, {})

    carol.back(1, 50)
    carol.answer("done")
    bet(alice, 100)
    alice.answer("stand")
    alice.expect_round(2)
    catch_up([alice, carol])
    assert (alice.purse, carol.purse) == (1_100, 1_050)
    # The bet that is open goes back when she sits down herself; what the last one brought is still told.
    carol.back(1, 20)
    carol.tap("#sit-2")
    carol.expect_connected()
    assert carol.boxes == [2]
    catch_up([alice, carol])
    assert carol.purse == carol.chips == 1_050
    expect(carol.page.locator("#seat-1 [data-mine]")).to_have_text("+50")
    assert not carol.can("back")
    bet(carol, 500)
    assert carol.purse == 550


def test_players_of_the_shoe_game_bet_on_the_boxes_of_others(
    new_guest: NewGuest, server: RunningSite
) -> None:
    give_shoes(server, EVEN_MONEY)
    alice = open_to_all(new_guest, "Alice", "classic6")
    bob = join(new_guest, alice.page.url, "Bob", viewport=PHONE)
    catch_up([alice, bob])
    assert bob.can("bet")
    assert not bob.can("back")
    spy(bob)
    bob.expect_connected()
    bob.back(1, 60, 10)
    assert not bob.can("bet")
    own = {"action": "back", "ask": bob.ask_of("back"), "seat": "2", "amount": "50"}
    expect_refused([alice, bob], bob, "That is your own box. Bet behind somebody else.", **own)
    bob.pick(2)
    assert not bob.can("back")
    bet(bob, 100)
    assert bob.purse == 830
    bet(alice, 50)
    assert alice.phase == "betting"
    bob.answer("done")

    # Alice has a blackjack against the ace, and waits; Bob takes even money for what he has on her box.
    alice.answer("decline")
    expect(bob.page.locator("#prompt")).to_contain_text("The dealer shows an ace. Insurance?")
    bob.answer("decline")
    expect(bob.page.locator("#prompt")).to_have_text("Alice has a blackjack. Take even money for your bet?")
    bob.answer("even_money")
    answer_all([alice, bob], "decline", "stand")
    # The dealer has a blackjack too: Bob's twenty loses.
    catch_up([alice, bob])
    assert (alice.purse, bob.purse) == (1_000, 1_000 - 10 + 60 - 100)


def test_what_is_picked_now_has_no_part_in_what_was_laid_before(
    new_guest: NewGuest, server: RunningSite
) -> None:
    alice = open_to_all(new_guest, "Alice", "classic6")
    bob = join(new_guest, alice.page.url, "Bob")
    (carol,) = watching(new_guest, alice, "Carol", viewport=PHONE)
    catch_up([alice, bob, carol])
    carol.back(1, 50)
    bet(bob, 500)
    catch_up([alice, bob, carol])
    carol.pick(2)
    assert not carol.can("back"), "that box is full"
    carol.tap("#unback-1")
    expect(carol.page.locator("#unback-1")).to_be_hidden()
    assert (carol.purse, carol.behind) == (1_000, {})

    bob.tap(bob.page.locator("#back-2, #do-take_back").first)
    catch_up([alice, bob, carol])
    carol.pick(1)
    carol.type_bet(50)
    carol.breathe()
    before = carol.version
    # The line is slow: another box and its pair are picked before the answer comes.
    carol.page.evaluate(
        "for (const id of ['do-back', 'pick-2', 'pick-pair']) document.getElementById(id).click()"
    )
    carol.expect_news(before)
    assert carol.behind == {1: [50]}
    expect(carol.page.locator("#pick-pair")).to_have_attribute("aria-pressed", "true")
    carol.page.locator("#chip-10").click()
    expect(carol.page.locator("#do-back")).to_contain_text("50 + 10")


def test_one_alone_bets_on_pairs_and_somebody_on_a_phone_bets_behind(
    new_guest: NewGuest, server: RunningSite
) -> None:
    give_shoes(server, SIXTEEN, PAIR, NO_PAIR)
    ann = play_alone(new_guest)
    (carol,) = watching(new_guest, ann, "Carol", viewport=PHONE)
    expect(carol.page.locator(".watching")).to_contain_text("When the bets are open you may bet behind.")
    ann.answer("stand")
    foot = ann.seat.locator(".seat-foot")
    assert ann.purse == 1_010
    catch_up([ann, carol])
    expect(carol.page.locator("#prompt")).to_have_text("Guest plays alone. Bet behind, if you like.")
    for what in ("sit", "deal", "new_game", "bet"):
        assert not carol.can(what)
    carol.type_bet(50, 10)
    carol.answer("back")
    expect_behind([ann, carol], {1: (1, 60)})
    ann.page.locator("#chip-100").click()
    ann.page.locator("#pick-pair").click()
    for _ in range(2):
        ann.page.locator("#chip-10").click()
    expect(ann.page.locator("#do-bet")).to_have_text(re.compile(r"^\s*Deal 100 \+ 20\s*$"))
    server.stop_clock()
    ann.answer("bet")
    # The cards wait for who has bet behind, and another press of Deal does nothing but say so.
    server.let_pass(-MINUTE)
    catch_up([ann, carol])
    expect(ann.page.locator("#prompt")).to_have_text("The deal waits a moment for bets behind.")
    waiting = ann.version
    assert not ann.can("bet")
    ann.tap("#do-bet", force=True)
    expect(ann.page.locator("#why-bet")).to_have_text("The deal waits a moment for bets behind.")
    expect(ann.page.locator("#why-bet")).to_be_visible()
    assert (ann.phase, ann.version, ann.purse) == ("betting", waiting, 1_010 - 120)
    carol.answer("done")
    # Two kings at 11:1, and twenty against nineteen.
    ann.expect_phase("turns")
    expect(foot).to_contain_text("Pair +220")
    assert ann.purse == 1_010 + 220 - 100
    catch_up([ann, carol])
    assert carol.purse == 1_000 + 110 - 50
    ann.answer("stand")
    ann.expect_round(3)
    assert ann.purse == 1_010 + 220 + 100
    catch_up([ann, carol])
    assert (carol.purse, ann.backers) == (1_000 + 110 + 50, {"Carol": 1_160})
    expect(ann.page.locator("#repeat-bet")).to_have_text(re.compile(r"^\s*Repeat\s*100\s\+\s20\s*$"))
    # Who has bet behind lately is waited for, unless done.
    carol.answer("done")
    ann.repeat()
    ann.expect_phase("turns")
    # A queen and a king are no pair.
    expect(foot).to_contain_text("Pair −20")
    ann.expect_log("pair", "−20")
    ann.answer("stand")
    ann.expect_round(4)
    assert ann.purse == 1_330 - 20 + 100
    # A new game gives the bets behind it back.
    catch_up([ann, carol])
    carol.back(1, 50)
    ann.menu("new_game")
    expect(ann.page.locator("#version")).to_have_attribute("data-game", "2")
    catch_up([ann, carol])
    assert (carol.purse, carol.behind, ann.backers) == (1_000, {}, {})


def test_forged_frames_are_refused_in_words_and_change_nothing(
    alice_and_bob: list[Player], new_guest: NewGuest, server: RunningSite
) -> None:
    give_shoes(server, SPLITS)
    alice, bob = alice_and_bob
    carol, dave, erin = watching(new_guest, alice, "Carol", "Dave", "Erin")
    people = [alice, bob, carol, dave, erin]
    spy(alice, carol)
    start(alice_and_bob)
    catch_up(people)
    carol.back(1, 50)
    erin.back(1, 30)
    catch_up(people)

    def refused(forger: Player, words: str, **frame: str) -> None:
        expect_refused(people, forger, words, **frame)

    moved_on = "The table has moved on. Look again."
    back = {"action": "back", "ask": carol.ask_of("back"), "seat": "2", "amount": "50"}
    refused(carol, "Nobody sits there.", **back | {"seat": "3"})
    refused(carol, "The most you can bet is 500.", **back | {"amount": "510"})
    refused(carol, "The most for a pair bet is 100.", **back | {"pair": "110"})
    refused(carol, moved_on, **back | {"ask": erin.ask_of("back")})
    refused(carol, moved_on, action="done", ask=erin.ask_of("done"))
    # The question of whoever has not bet yet is the same for all.
    for seat in ("1", "2"):
        forged = back | {"ask": dave.ask_of("back"), "seat": seat}
        refused(alice, "Who plays does not bet behind others at this table.", **forged)
    before = catch_up(people)
    send(carol, **back)
    carol.expect_news(before)
    refused(carol, moved_on, **back)
    assert carol.behind == {1: [50], 2: [50]}
    late = back | {"ask": carol.ask_of("back"), "amount": "60"}
    for backer in (carol, erin):
        backer.answer("done")
    refused(carol, "You have said that you are done. Wait for the next round.", **late)
    bet(alice, 50)
    bet(bob, 50)
    refused(carol, moved_on, **late)

    server.stop_clock()
    alice.answer("split")
    server.let_pass(-MINUTE)
    catch_up(people)
    follow = {"action": "follow", "ask": carol.ask_of("follow")}
    for forger in (alice, carol):
        refused(forger, moved_on, **follow | {"ask": erin.ask_of("follow")})
    refused(carol, "That is no answer to this question.", **follow | {"action": "insure"})
    before = catch_up(people)
    send(carol, **follow)
    carol.expect_news(before)
    refused(carol, moved_on, **follow)
    refused(carol, moved_on, **follow | {"action": "pass"})
    erin.answer("pass")
    catch_up(people)
    assert carol.behind == {1: [100], 2: [50]}


def test_keys_alone_and_double_clicks_bet_behind_once(
    alice_and_bob: list[Player], new_guest: NewGuest, server: RunningSite
) -> None:
    give_shoes(server, ELEVEN)
    alice, bob = alice_and_bob
    carol, erin = watching(new_guest, alice, "Carol", "Erin")
    people = [alice, bob, carol, erin]
    start(alice_and_bob)
    catch_up(people)

    def tab_to(name: str) -> None:
        for _ in range(60):
            if carol.page.evaluate("document.activeElement.id") == name:
                return
            carol.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {name}")

    def press(key: str) -> None:
        carol.page.wait_for_timeout(1000 * BREATH)
        before = carol.version
        carol.page.keyboard.press(key)
        carol.expect_news(before)

    tab_to("pick-1")
    carol.page.keyboard.press("Enter")
    expect(carol.page.locator("#pick-1")).to_have_attribute("aria-pressed", "true")
    expect(carol.page.locator("#do-back [data-behind-name]")).to_have_text("Alice")
    tab_to("amount")
    carol.page.keyboard.type("60")
    press("Enter")
    assert (carol.purse, carol.behind) == (940, {1: [60]})
    tab_to("do-done")
    press("Enter")
    assert not carol.can("done")
    assert carol.page.evaluate("document.activeElement.id") == "dock", "what she pressed is gone"

    erin.pick(1)
    erin.type_bet(50)
    twice(erin, "back")
    catch_up(people)
    assert (erin.purse, erin.behind) == (950, {1: [50]})
    twice(erin, "done")
    assert not erin.can("done")
    bet(alice, 50)
    bet(bob, 50)
    catch_up(people)
    carol.page.locator("#behind-1").click()
    names = carol.page.locator("#behind-dialog")
    expect(names).to_contain_text("Erin")
    server.stop_clock()
    alice.answer("double")
    server.let_pass(-MINUTE)
    catch_up(people)
    expect(names, "a question of seconds lies under nothing").to_be_hidden()
    twice(erin, "follow")
    catch_up(people)
    assert erin.purse == 900
    press("f")
    alice.expect_news(carol.version - 1)
    assert (carol.purse, carol.behind) == (880, {1: [120]})
    assert erin.behind == {1: [100]}
    for person in people:
        assert not person.toast
    # Eleven and a seven, against six, ten and six.
    bob.answer("stand")
    alice.expect_round(2)
    expect_stacks(people, {"Alice": 1_100, "Bob": 1_050}, {"Carol": 1_120, "Erin": 1_100})
