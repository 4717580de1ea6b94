"""The server fails in mid-round: at some tables the round is void, at others it goes on. After a clean stop
it goes on everywhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.shoe import Shoe
from tests.browser.conftest import NewGuest
from tests.browser.players import Player, open_to_all
from tests.running_site import RunningSite

# Found by search: what a shoe deals to one box and the dealer by turns, then the next cards. The shoe game
# has no hole card, and its second round begins after six cards.
FIRST_AT_LIVE, SECOND_AT_LIVE, SHOE_GAME = 1800, 5483, 1127664
DEALS = {
    (FIRST_AT_LIVE, 8): "Jd 6d 3d 2h 3s",
    (SECOND_AT_LIVE, 8): "Js 5h 2h 7d 5c",
    (SHOE_GAME, 6): "Td 6s 2c 4d Ks 5h Js 5s 2h 3d",
}
SPARE = bytes(32)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


@pytest.fixture
def tables(new_guest: NewGuest, server: RunningSite) -> tuple[Player, Player]:
    """Ann at a live table, whose rounds are void after a failure, Bea at a shoe game; both in mid-round."""
    for (number, decks), deal in DEALS.items():
        assert " ".join(map(str, Shoe.from_seed(seed(number), decks).cards)).startswith(deal)
    server.give_seeds([seed(FIRST_AT_LIVE), SPARE, seed(SHOE_GAME), SPARE, seed(SECOND_AT_LIVE), SPARE])
    ann = open_to_all(new_guest, "Ann", "casino8")
    bea = open_to_all(new_guest, "Bea", "classic6")
    for player in (ann, bea):
        player.guest.allow_lost_connection()
        begin_a_round(player)
    return ann, bea


def begin_a_round(player: Player) -> None:
    """As far as the first turn, and one card more."""
    player.page.locator("#amount").fill("100")
    player.answer("bet")
    if player.can("decline"):
        player.answer("decline")
    player.expect_phase("turns")
    player.answer("hit")
    expect(player.seat.locator("[data-card]")).to_have_count(3)


def fail_and_come_back(server: RunningSite, *players: Player, clean: bool) -> None:
    versions = {player: player.version for player in players}
    if clean:
        assert server.stop() == 0
    else:
        server.kill()
    for player in players:
        player.expect_lost()
    server.start()
    for player, version in versions.items():
        player.expect_back(version)


def test_a_failure_makes_a_round_void_where_the_rules_say_so_and_a_clean_stop_none(
    tables: tuple[Player, Player], server: RunningSite
) -> None:
    ann, bea = tables
    server.let_pass(12)
    cards, chips, ask = bea.cards(), bea.chips, bea.ask

    fail_and_come_back(server, ann, bea, clean=False)

    # The live table: every bet went back, and the page says so.
    ann.expect_phase("betting")
    expect(ann.seat).to_have_attribute("data-chips", "1000")
    void = ann.page.locator("#dealer .void")
    expect(void).to_be_visible()
    expect(void).to_have_text("The round is void: every bet went back.")
    ann.expect_log("void_failure")
    expect(ann.page.locator("#proofs")).to_contain_text(seed(FIRST_AT_LIVE).hex())
    # The shoe game: the same question, with a fresh clock.
    bea.expect_phase("turns")
    assert (bea.cards(), bea.chips, bea.ask) == (cards, chips, ask)
    assert bea.seconds_left > 15
    bea.answer("stand")
    bea.expect_round(2)
    expect(bea.seat).to_have_attribute("data-chips", "900")

    # Another round at both, and a stop that was meant.
    for player in (ann, bea):
        begin_a_round(player)
    before = [(player.cards(), player.chips, player.ask) for player in (ann, bea)]
    fail_and_come_back(server, ann, bea, clean=True)
    for player, seen in zip((ann, bea), before, strict=True):
        player.expect_phase("turns")
        assert (player.cards(), player.chips, player.ask) == seen
        player.answer("stand")
        player.expect_phase("betting")
    expect(void).to_have_count(0)
