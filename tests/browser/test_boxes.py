"""One person on three boxes of the shoe game, and a shoe that comes to its cut card."""

from __future__ import annotations

import hashlib
import re
import time

from playwright.sync_api import Locator, expect

from engine.shoe import Shoe
from tests.browser.conftest import NewGuest
from tests.browser.players import Player, expect_accessible, open_to_all
from tests.browser.quick_hand import play_quickly
from tests.running_site import RunningSite

# Found by search. To three boxes six decks deal Kd Jd 8d, the dealer's Ad, Td 5s 3h; then 9s, and the dealer
# draws 7h.
SEED = (3967).to_bytes(32, "big")
SPARE = bytes(32)
DEALT = "Kd Jd 8d Ad Td 5s 3h 9s 7h"
CARDS = 312
CUT = 209


def test_three_boxes_are_asked_and_played_one_by_one_from_one_purse(
    new_guest: NewGuest, server: RunningSite
) -> None:
    server.give_seeds([SEED, SPARE])
    assert " ".join(map(str, Shoe.from_seed(SEED, 6).cards)).startswith(DEALT)
    ann = open_with_three_boxes(new_guest)
    table_shows_hash_of(ann, SEED, SPARE)

    # Bets on each box; the purse is one.
    for number, (amount, rest) in enumerate([(100, 900), (50, 850), (20, 830)], 1):
        expect(ann.page.locator("#do-bet [data-box-name]")).to_have_text(f"Box {number}")
        ann.page.locator("#amount").fill(str(amount))
        ann.answer("bet")
        assert ann.purse == rest
        if number == 1:
            expect_accessible(ann.page)
    ann.expect_phase("insurance")
    expect_accessible(ann.page)
    expect(ann.page.locator("#seat-1 .seat-chips")).to_have_text(re.compile(r"\b830\s*$"))
    for number in (2, 3):
        expect(ann.place(number).locator(".seat-chips")).to_have_count(0)

    # Insurance, box by box, of up to half the bet.
    expect_asked(ann, 1, "insurance")
    expect(ann.page.locator("#insurance")).to_have_value("50")
    ann.page.locator("#insurance").fill("30")
    ann.answer("insure")
    assert ann.purse == 800
    for number in (2, 3):
        expect_asked(ann, number, "insurance")
        ann.answer("decline")

    # Then surrender, box by box, before any card is drawn.
    expect_asked(ann, 1, "surrender")
    expect_accessible(ann.page)
    ann.answer("decline")
    expect_asked(ann, 2, "surrender")
    ann.answer("surrender")
    assert ann.purse == 825
    expect_asked(ann, 3, "surrender")
    ann.answer("decline")

    # Then the turns, in order, without the box that was given up.
    expect_asked(ann, 1, "turn")
    expect_accessible(ann.page)
    expect(ann.place(1)).to_have_class(re.compile(r"\bseat-in-turn\b"))
    assert ann.can("double")
    assert not ann.can("surrender")
    ann.answer("stand")
    expect_asked(ann, 3, "turn")
    expect(ann.place(3)).to_have_class(re.compile(r"\bseat-in-turn\b"))
    ann.answer("hit")
    expect_asked(ann, 3, "turn")
    ann.answer("stand")

    # Twenty against a soft eighteen, twice; half of fifty and the insurance are lost.
    ann.expect_round(2)
    assert ann.purse == 1_000 + 100 - 25 + 20 - 30
    ann.expect_log("settled", "−25")
    ann.expect_log("insurance", "−30")

    # A box that is not bet on sits out; one may be given up without the others.
    ann.page.locator("#pick-2").click()
    ann.repeat()
    expect(ann.page.locator("#seat-2 .seat-foot")).to_contain_text("50")
    ann.press("deal")
    expect(ann.page.locator("#version")).not_to_have_attribute("data-phase", "betting")
    assert ann.place(2).locator("[data-card]").count() == 2
    assert ann.place(1).locator("[data-card]").count() == 0
    play_quickly(ann, 10, until_round=3)
    # The quick hand takes no time; the page takes a press so soon after another one for its echo.
    ann.pressed_at = time.monotonic()
    ann.page.locator("#open-menu").click()
    ann.tap("#do-leave-2")
    expect(ann.place(2)).to_have_attribute("data-status", "free")
    assert ann.boxes == [1, 3]


def test_a_shoe_goes_on_to_its_cut_card_and_then_its_seed_is_told(
    new_guest: NewGuest, server: RunningSite
) -> None:
    server.give_seeds([SEED, SPARE])
    ann = open_with_three_boxes(new_guest)
    table_shows_hash_of(ann, SEED, SPARE)
    play_quickly(ann, 10, cards_left=CARDS - CUT + 25)
    before = cards_left(ann)
    expect(ann.page.locator("#shoe")).to_contain_text(f"{before} cards")
    expect(ann.page.locator("#shoe")).to_contain_text(f"cut card in {before - (CARDS - CUT)}")
    table_shows_hash_of(ann, SEED, SPARE)
    assert SEED.hex() not in ann.page.content()

    # On to the last round of this shoe: the meter follows every card.
    while cards_left(ann) > CARDS - CUT:
        before, number = cards_left(ann), ann.round
        for _ in range(3):
            ann.page.locator("#amount").fill("10")
            ann.answer("bet")
        while ann.phase != "betting":
            dealt = ann.page.locator("#felt [data-card]").count()
            assert cards_left(ann) == before - dealt
            if cards_left(ann) <= CARDS - CUT:
                expect(ann.page.locator("#shoe")).to_contain_text("new shoe next")
                ann.expect_log("cut_card")
            ann.answer("decline" if ann.can("decline") else "stand")
        ann.expect_round(number + 1)
        if cards_left(ann) == CARDS:
            break
    ann.expect_log("cut_card")
    expect(ann.page.locator("#shoe")).to_contain_text(f"cut card in {CUT}")

    # Another fingerprint now, and the seeds of the old shoe, as was promised; the cards came in their order.
    proofs = [code.inner_text() for code in shuffle_of(ann).all()]
    assert len(proofs) == 4
    assert proofs[2:] == [SEED.hex(), SPARE.hex()]
    assert proofs[0] not in (hashlib.sha256(SEED).hexdigest(), hashlib.sha256(SPARE).hexdigest())
    shoe = [str(card) for card in Shoe.from_seed(SEED, 6).cards]
    came = cards_in_order(ann)
    assert came == shoe[CARDS - before :][: len(came)]


def open_with_three_boxes(new_guest: NewGuest) -> Player:
    ann = open_to_all(new_guest, "Ann", "classic6")
    for number in (2, 3):
        ann.tap(f"#sit-{number}")
        expect(ann.place(number)).to_contain_text("Ann")
    assert ann.boxes == [1, 2, 3]
    ann.page.locator("#toggle-side").click()
    ann.page.locator("#proofs-summary").click()
    ann.page.locator("#toggle-side").click()
    return ann


def cards_left(player: Player) -> int:
    return int(player.page.locator("#shoe").get_attribute("data-left") or 0)


def cards_in_order(player: Player) -> list[str]:
    """The cards of the round that lies on the felt, as they were dealt."""
    return list(
        player.page.locator("#felt [data-card]").evaluate_all(
            "cards => cards.sort((a, b) => a.dataset.order - b.dataset.order).map(card => card.dataset.card)"
        )
    )


def shuffle_of(player: Player) -> Locator:
    return player.page.locator("#proofs code")


def table_shows_hash_of(player: Player, *seeds: bytes) -> None:
    shown = [code.text_content() for code in shuffle_of(player).all()]
    assert shown == [hashlib.sha256(seed).hexdigest() for seed in seeds]


def expect_asked(player: Player, box: int, kind: str) -> None:
    own = player.page.locator("#own")
    expect(own).to_have_attribute("data-box", str(box))
    expect(own).to_have_attribute("data-kind", kind)
    expect(player.page.locator("#prompt .prompt-box")).to_have_text(f"Box {box}")
