"""An open table of the live game: people come, let rounds pass, lose their line, leave and come back."""

from __future__ import annotations

import re
import sqlite3

from playwright.sync_api import expect

from tests.browser.conftest import NewGuest
from tests.browser.players import (
    Player,
    answer_all,
    bet_all,
    catch_up,
    join,
    let_time_run_out,
    open_to_all,
)
from tests.cuttable_line import CuttableLine
from tests.running_site import RunningSite

# Found by search, for the bets below and hands that always stand: in twelve rounds no dealer shows an ace,
# and in the third Bob has 4d 2c, to which the shoe adds 4d and 8s.
SEED = (379).to_bytes(32, "big")
SPARE = bytes(32)
BETS = {"Ann": 50, "Bob": 20, "Cyd": 100, "Dee": 30}
MOVES = ("decline", "stand")


def play_round(*players: Player) -> None:
    """All who sit bet, and every hand stands."""
    catch_up(players)
    number = players[0].round
    bet_all({player: BETS[player.name] for player in players})
    answer_all(players, *MOVES)
    players[0].expect_round(number + 1)


def test_people_come_and_go_over_twelve_rounds_and_no_chip_is_lost(
    new_guest: NewGuest, server: RunningSite, line: CuttableLine
) -> None:
    server.give_seeds([SEED, SPARE])
    ann = open_to_all(new_guest, "Ann", "casino8", listed=True)
    link = ann.page.url
    bob = join(new_guest, link.replace(server.url, line.url), "Bob", base_url=line.url)
    bob.guest.allow_lost_connection()
    cyd = join(new_guest, link, "Cyd")

    # The first bet starts the countdown.
    prompt = ann.page.locator("#prompt")
    expect(prompt).to_have_text("Bets open: the countdown starts with the first bet.")
    assert not ann.seconds_left
    bet_all({ann: BETS["Ann"]})
    assert 0 < ann.seconds_left <= 15
    expect(ann.page.locator(".clock-digits")).to_have_text(re.compile(r"^\d+$"))
    bet_all({bob: BETS["Bob"], cyd: BETS["Cyd"]})

    # A fourth comes in mid-round: a seat after it.
    dee = join(new_guest, link, "Dee", watch=True)
    expect(dee.page.locator("#actions")).to_contain_text(
        "Cards are on the table: take a seat after this round."
    )
    expect(dee.page.locator("#actions")).to_contain_text(
        "You are watching. Seats can be taken between rounds."
    )
    assert not dee.can("sit")
    answer_all([ann, bob, cyd], *MOVES)
    dee.press("sit")
    dee.expect_connected()
    assert dee.boxes == [4]

    # Cyd lets a round pass, and the seat is free again.
    held = {"Cyd": cyd.chips}
    bet_all({ann: BETS["Ann"], bob: BETS["Bob"], dee: BETS["Dee"]})
    let_time_run_out(server, ann, bob, cyd, dee)
    answer_all([ann, bob, dee], *MOVES)
    ann.expect_log("idle", "Cyd")
    expect(ann.place(3)).to_have_attribute("data-status", "free")
    catch_up([ann, cyd])
    assert cyd.boxes == []

    # Bob's line goes in mid-hand: the clock draws to more than eleven, then stands.
    bet_all({ann: BETS["Ann"], bob: BETS["Bob"], dee: BETS["Dee"]})
    catch_up([ann, bob, dee])
    line.cut()
    expect(ann.place(2)).to_have_class(re.compile(r"\bseat-away\b"))
    answer_all_but_bob(server, ann, dee)
    cards = ann.place(2).locator("[data-card]")
    assert [card.get_attribute("data-card") for card in cards.all()] == ["4d", "2c", "4d", "8s"]
    ann.expect_log("time", "Bob")
    held["Bob"] = int(ann.place(2).get_attribute("data-chips") or 0)
    # And one idle round later his seat is free.
    bet_all({ann: BETS["Ann"], dee: BETS["Dee"]})
    let_time_run_out(server, ann, dee)
    answer_all([ann, dee], *MOVES)
    ann.expect_log("idle", "Bob")
    expect(ann.place(2)).to_have_attribute("data-status", "free")
    line.mend()
    catch_up([ann, bob])

    # Both come back, with what they had.
    for player, number in ((cyd, 3), (bob, 2)):
        player.tap(f"#sit-{number}")
        player.expect_connected()
        assert player.chips == held[player.name]
    play_round(ann, bob, cyd, dee)

    # Dee leaves between rounds and comes back to the same chips.
    catch_up([ann, dee])
    held["Dee"] = dee.chips
    dee.menu("leave")
    expect(ann.place(4)).to_have_attribute("data-status", "free")
    ann.expect_log("left", "Dee")
    play_round(ann, bob, cyd)
    play_round(ann, bob, cyd)
    dee.tap("#sit-4")
    dee.expect_connected()
    assert dee.chips == held["Dee"]
    while ann.round <= 12:
        play_round(ann, bob, cyd, dee)

    everybody = [ann, bob, cyd, dee]
    catch_up(everybody)
    final = {player.name: player.chips for player in everybody}
    assert final == stored_chips(server)
    for player in everybody:
        player.menu("leave")
        expect(player.page.locator("#own")).not_to_have_attribute("data-seats", re.compile("."))
    server.let_pass(601)
    expect(ann.page.locator("#version")).to_have_attribute("data-game", "2")
    assert archived_chips(ann) == final


def answer_all_but_bob(server: RunningSite, *players: Player) -> None:
    while catch_up(players) and players[0].phase != "betting":
        asked = next((one for one in players if one.can("stand")), None)
        if asked is None:
            expect(players[0].page.locator("#prompt")).to_have_text("Bob is away. The clock decides.")
            let_time_run_out(server, *players)
        else:
            asked.answer("stand")


def stored_chips(server: RunningSite) -> dict[str, int]:
    """What everybody should hold by the rounds that are kept: all that these brought."""
    rounds = """
        select
            players.nickname,
            1000 + sum(json_extract(rounds.record, '$.chips_after.' || held.key) - held.value)
        from tables_round rounds, json_each(rounds.record, '$.chips') held
        join tables_gameplayer players on players.game_id = rounds.game_id and players.stack = held.key
        group by players.nickname
    """
    with sqlite3.connect(server.data_dir / "openseat.sqlite3") as database:
        return dict(database.execute(rounds).fetchall())


def archived_chips(reader: Player) -> dict[str, int]:
    """What the page of the finished game says, whose twelve rounds are all there."""
    page = reader.page
    page.goto("/games/")
    page.locator(".game-row", has_text="Ann").first.click()
    expect(page.locator(".round-lines [data-round]")).to_have_count(12)
    rows = page.locator("section > table.figures tbody tr")
    return {
        row.locator("bdi").inner_text(): int(row.locator(".number").first.inner_text().replace(",", ""))
        for row in rows.all()
    }
