"""Anybody checks a shuffle in their own browser: with its own cryptography, and where it gives none."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from engine import shoe as engine_shoe
from engine.cards import DECK
from engine.notation import format_cards
from engine.shoe import Shoe, commitment, shuffle
from tests.browser.conftest import Guest, NewGuest
from tests.browser.players import DESK, PHONE, answer_all, expect_accessible, play_alone
from tests.running_site import RunningSite

# A page of a home network has no crypto.subtle; this one is answered by the site all the same.
AT_HOME = "http://192.168.7.7:8000"

# FIPS 180-4 and the examples that NIST publishes with it.
SHA256 = {
    b"": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    b"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
    b"nopqrstu": "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    b"a" * 1_000_000: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    b"\xd3": "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1",
    b"\x11\xaf": "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98",
    b"\xbd": "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b",
    b"\xc9\x8c\x8e\x55": "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504",
    bytes(55): "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7",
    bytes(56): "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb",
    bytes(57): "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785",
    bytes(64): "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
    bytes(1000): "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53",
}

# RFC 4231; its fifth case cuts the result short.
HMAC = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. The key needs to"
        b" be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]


def at_home(guest: Guest, server: RunningSite) -> None:
    """This browser finds the site at an address of a home network."""

    def answer(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(AT_HOME, server.url)))

    guest.context.route(f"{AT_HOME}/**", answer)


@pytest.fixture(params=["the browser's cryptography", "none of the browser's"])
def page(request: pytest.FixtureRequest, new_guest: NewGuest, server: RunningSite) -> Iterator[Page]:
    """The page that explains it, with and without Web Crypto."""
    plain = request.param == "none of the browser's"
    guest = new_guest(base_url=AT_HOME if plain else None)
    at_home(guest, server)
    guest.page.goto("/how-to-check/")
    has_it = guest.page.evaluate("Boolean(globalThis.crypto?.subtle)")
    assert (has_it, guest.page.evaluate("isSecureContext")) == (not plain, not plain)
    yield guest.page


def ask(page: Page, function: str, *arguments: Any) -> Any:
    return page.evaluate(function, list(arguments))


# The module


@pytest.mark.parametrize("of", ["Shuffle", "Shuffle.plain"])
def test_sha256_is_that_of_the_standard(page: Page, of: str) -> None:
    hashed = f"async ([all]) => Promise.all(all.map(async (one) => Shuffle.toHex(await {of}.sha256(Uint8Array.from(one)))))"
    assert ask(page, hashed, [list(message) for message in SHA256]) == list(SHA256.values())
    source = random.Random(256)
    messages = [source.randbytes(length) for length in range(260)]
    expected = [hashlib.sha256(message).hexdigest() for message in messages]
    assert ask(page, hashed, [list(message) for message in messages]) == expected


@pytest.mark.parametrize("of", ["Shuffle", "Shuffle.plain"])
def test_hmac_is_that_of_the_standard(page: Page, of: str) -> None:
    signed = (
        "async ([all]) => Promise.all(all.map(async ([key, message]) =>"
        f" Shuffle.toHex(await {of}.hmac(Uint8Array.from(key), Uint8Array.from(message)))))"
    )
    found = ask(page, signed, [[list(key), list(message)] for key, message, _ in HMAC])
    assert [one[: len(mac)] for one, (_, _, mac) in zip(found, HMAC, strict=True)] == [
        mac for *_, mac in HMAC
    ]
    source = random.Random(4231)
    pairs = [(source.randbytes(length), source.randbytes(200 - length)) for length in range(200)]
    expected = [hmac.digest(key, message, "sha256").hex() for key, message in pairs]
    assert ask(page, signed, [[list(key), list(message)] for key, message in pairs]) == expected


def test_fifty_seeds_give_the_shoes_of_the_engine_from_one_deck_to_eight(page: Page) -> None:
    source = random.Random(8)
    seeds = [source.randbytes(32) for _ in range(50)]
    shoes = """
    async ([seeds, decks]) => {
      const shoes = [];
      for (const seed of seeds) shoes.push((await Shuffle.shoe(decks, Shuffle.fromHex(seed))).join(" "));
      return shoes;
    }
    """
    for decks in range(1, 9):
        found = ask(page, shoes, [seed.hex() for seed in seeds], decks)
        assert found == [format_cards(Shoe.from_seed(seed, decks).cards) for seed in seeds]


def test_discards_of_any_number_are_shuffled_as_the_engine_does(page: Page) -> None:
    cards = [str(card) for card in DECK]
    orders = """
    async ([cards, seed]) => {
      const orders = [];
      for (let few = 0; few <= cards.length; few++) {
        orders.push((await Shuffle.order(cards.slice(0, few), Shuffle.fromHex(seed))).join(" "));
      }
      return orders;
    }
    """
    seed = random.Random(52).randbytes(32)
    found = ask(page, orders, cards, seed.hex())
    assert found == [format_cards(shuffle(DECK[:few], seed)) for few in range(53)]


def test_words_that_would_favour_some_places_are_thrown_away(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of a seed in many millions is: here are words that are, and the greatest that are not."""
    source = random.Random(32)
    words = []
    for places in range(52, 1, -1):
        limit = 2**32 - 2**32 % places
        words += [word for word in (2**32 - 1, limit) if word >= limit and word < 2**32]
        words.append(source.choice([limit - 1, source.randrange(limit)]))
    assert len(words) > 100
    monkeypatch.setattr(engine_shoe, "_words", lambda seed: iter(words))
    order = "async ([cards, words]) => (await Shuffle.swapped(cards, words.values())).join(' ')"
    assert ask(page, order, [str(card) for card in DECK], words) == format_cards(shuffle(DECK, b""))


# The button


def told(place: Locator) -> dict[str, str]:
    """What was said: the sentences by what they are."""
    place.locator("[data-check-shuffle]").click()
    expect(place.locator(".check-verdict")).to_be_visible()
    lines = place.locator(".check-said p").evaluate_all(
        "all => all.map(one => [one.dataset.say, one.textContent])"
    )
    return dict(lines)


def change(place: Locator, **attributes: object) -> None:
    for name, value in attributes.items():
        place.evaluate("(place, [name, value]) => { place.dataset[name] = value; }", [name, str(value)])


def test_the_example_is_checked_and_any_change_of_it_is_found(page: Page) -> None:
    place = page.locator("[data-check]")
    right = told(place)
    assert list(right) == ["all-right", "hash-right", "cards-right"]
    assert right["hash-right"] == "The SHA-256 of the seed is the one shown before the bets: yes."
    assert right["cards-right"] == (
        "Cards 1–18 of that shuffle are the cards of this round, one by one: yes."
    )
    expect(place).to_have_attribute("data-found", "right")
    was = {
        name: place.get_attribute(f"data-{name}") or ""
        for name in ("commitment", "seed", "decks", "first", "cards")
    }
    cards = was["cards"].split()
    wrong: list[tuple[dict[str, object], str]] = [
        ({"commitment": was["commitment"].replace("6", "7", 1)}, "hash-wrong"),
        ({"seed": was["seed"].replace("1f", "1e")}, "hash-wrong"),
        ({"seed": was["seed"].replace("1f", "1e")}, "cards-wrong"),
        ({"seed": "not a seed"}, "unreadable"),
        ({"seed": was["seed"].upper()}, "unreadable"),
        ({"decks": 2}, "cards-wrong"),
        ({"first": 2}, "cards-wrong"),
        ({"first": 0}, "unreadable"),
        ({"first": 52}, "too-many"),
        ({"cards": " ".join([*cards[:-1], "9s"])}, "cards-wrong"),
        ({"cards": " ".join([cards[1], cards[0], *cards[2:]])}, "cards-wrong"),
        ({"cards": " ".join(cards[1:])}, "cards-wrong"),
        ({"spareCommitment": "0" * 64}, "spare-wrong"),
        ({"spare": was["seed"]}, "spare-wrong"),
    ]
    for changes, line in wrong:
        change(place, **changes)
        said = told(place)
        assert "all-wrong" in said, changes
        assert line in said, changes
        expect(place).to_have_attribute("data-found", "wrong")
        change(place, spareCommitment="", spare="", **was)
    assert told(place) == right


def test_what_differs_is_named(page: Page) -> None:
    place = page.locator("[data-check]")
    cards = (place.get_attribute("data-cards") or "").split()
    change(place, cards=" ".join([*cards[:4], "Ah", *cards[5:]]), seed="00" * 32)
    assert told(place)["hash-wrong"].endswith(commitment(bytes(32)))
    change(place, seed=bytes(range(32)).hex())
    assert told(place)["cards-wrong"] == (
        "Cards 1–18 of that shuffle are the cards of this round, one by one: no. Its card 5 is 8d, and Ah was"
        " dealt."
    )


def test_a_round_that_ran_into_the_discards_is_checked_whole(page: Page) -> None:
    place = page.locator("[data-check]")
    seed, spare = random.Random(1).randbytes(32), random.Random(2).randbytes(32)
    whole = Shoe.from_seed(seed, 1).cards
    dealt = [*whole[45:], *shuffle(whole[:45], spare)[:6]]
    change(
        place,
        seed=seed.hex(),
        commitment=commitment(seed),
        spare=spare.hex(),
        spareCommitment=commitment(spare),
        first=46,
        cards=format_cards(dealt),
    )
    said = told(place)
    assert list(said) == ["all-right", "hash-right", "spare-right", "cards-right", "discards-right"]
    assert "Cards 46–52" in said["cards-right"]
    assert "Its cards 1–45," in said["discards-right"]
    change(place, cards=format_cards([*dealt[:-1], dealt[-2]]))
    assert f"Card 6 of them is {dealt[-1]}, and {dealt[-2]} was dealt." in told(place)["discards-wrong"]
    change(place, cards=format_cards(dealt), spare=seed.hex(), spareCommitment=commitment(seed))
    assert {"spare-right", "discards-wrong"} <= told(place).keys()
    change(place, spare="", spareCommitment="")
    assert "too-many" in told(place)


@pytest.mark.parametrize("language", ["en-US", "uk-UA", "ru-RU", "bg-BG"])
def test_the_page_by_hand_works_in_every_language_and_size(new_guest: NewGuest, language: str) -> None:
    page = new_guest(locale=language).page
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto("/how-to-check/")
        said = told(page.locator("[data-check]"))
        assert all("{" not in line for line in said.values())
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        expect_accessible(page)


def test_without_scripts_there_is_no_button_and_everything_to_check_by_hand(new_guest: NewGuest) -> None:
    page = new_guest(java_script_enabled=False).page
    page.goto("/how-to-check/")
    expect(page.locator("[data-check-shuffle]")).to_be_hidden()
    expect(page.locator("#snippet")).to_contain_text("hashlib.sha256")
    expect(page.locator("[data-check] code")).to_contain_text("5c Qc 9c")


# At the table, and afterwards


def test_who_played_checks_the_rounds_against_what_the_own_browser_saw(
    new_guest: NewGuest, server: RunningSite
) -> None:
    ann = play_alone(new_guest)
    table = ann.page.url
    for _ in range(2):
        answer_all([ann], "stand", "decline")
        ann.page.locator("#amount").fill("10")
        ann.answer("bet")
    answer_all([ann], "stand", "decline")
    ann.page.locator("#toggle-side").click()
    ann.page.locator("#proofs-summary").click()
    assert list(told(ann.page.locator("#proofs [data-check]"))) == ["all-right", "hash-right", "seen"]
    expect_accessible(ann.page)

    ann.page.goto(f"{table}games/")
    ann.page.locator('a[href^="/games/"]').first.click()
    rounds = ann.page.locator("[data-round]")
    expect(rounds).to_have_count(3)
    bob = new_guest()
    bob.page.goto(ann.page.url)
    for page, sight in ((ann.page, "seen"), (bob.page, "unseen")):
        for number in range(3):
            details = page.locator("[data-round]").nth(number).locator("details.round-log").last
            details.locator("summary").click()
            place = details.locator("[data-check]")
            assert list(told(place)) == ["all-right", "hash-right", sight, "cards-right"]
    expect_accessible(ann.page)

    # A site that would swap the seed, its hash and the cards must have told another hash before.
    place = ann.page.locator("[data-check]").first
    other = bytes(32)
    cards = len((place.get_attribute("data-cards") or "").split())
    swapped = format_cards(Shoe.from_seed(other, 6).cards[:cards])
    change(place, seed=other.hex(), commitment=commitment(other), cards=swapped)
    assert list(told(place)) == ["all-right", "hash-right", "unseen", "cards-right"]


def test_a_shoe_in_use_says_when_it_can_be_checked(new_guest: NewGuest) -> None:
    ann = play_alone(new_guest, "casino8")
    answer_all([ann], "stand", "decline")
    ann.page.locator("#amount").fill("10")
    expect(ann.page.locator("#proofs [data-check]")).to_have_count(0)
    ann.page.goto(f"{ann.page.url}games/")
    ann.page.locator('a[href^="/games/"]').first.click()
    ann.page.locator("details.round-log").last.locator("summary").click()
    expect(ann.page.get_by_text("It can be checked when the cut card has come")).to_be_visible()
    expect(ann.page.locator("[data-check]")).to_have_count(0)
