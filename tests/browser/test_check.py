"""Anybody checks a shuffle in their own browser: with its own cryptography, and where it gives none."""

from __future__ import annotations

import hashlib
import hmac
import random
import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from engine import shoe as engine_shoe
from engine.cards import DECK
from engine.notation import format_cards
from engine.shoe import Shoe, commitment, shuffle
from tests.browser.conftest import Guest, NewGuest
from tests.browser.players import DESK, PHONE, TABLET, answer_all, expect_accessible, play_alone
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
        b"This is a test using a larger than block-size key and a larger than block-size data. The key"
        b" needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]


def at_home(guest: Guest, server: RunningSite) -> None:
    """This browser finds the site at an address of a home network."""

    def answer(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(AT_HOME, server.url)))

    guest.context.route(f"{AT_HOME}/**", answer)


@pytest.fixture(params=["with", "without"])
def page(request: pytest.FixtureRequest, new_guest: NewGuest, server: RunningSite) -> Page:
    """The page that explains it, in a browser with Web Crypto and in one without."""
    has_it = request.param == "with"
    guest = new_guest(base_url=None if has_it else AT_HOME)
    at_home(guest, server)
    guest.page.goto("/how-to-check/")
    assert guest.page.evaluate("Boolean(globalThis.crypto?.subtle)") is has_it
    assert guest.page.evaluate("isSecureContext") is has_it
    return guest.page


# The module

HASHES = """
async ([of, messages]) => {
  const by = of === "plain" ? Shuffle.plain : Shuffle;
  const found = [];
  for (const message of messages) found.push(Shuffle.toHex(await by.sha256(Shuffle.fromHex(message))));
  return found;
}
"""
MACS = """
async ([of, pairs]) => {
  const by = of === "plain" ? Shuffle.plain : Shuffle;
  const found = [];
  for (const pair of pairs) found.push(Shuffle.toHex(await by.hmac(...pair.map(Shuffle.fromHex))));
  return found;
}
"""
SHOES = """
async ([decks, seeds]) => {
  const shoes = [];
  for (const seed of seeds) shoes.push((await Shuffle.shoe(decks, Shuffle.fromHex(seed))).join(" "));
  return shoes;
}
"""
DISCARDS = """
async ([cards, seed]) => {
  const orders = [];
  for (let few = 0; few <= cards.length; few++) {
    orders.push((await Shuffle.order(cards.slice(0, few), Shuffle.fromHex(seed))).join(" "));
  }
  return orders;
}
"""
SWAPS = "async ([cards, words]) => (await Shuffle.swapped(cards, words.values())).join(' ')"


def test_the_module_does_what_the_standards_and_the_engine_do(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = random.Random(4231)
    texts = [source.randbytes(length) for length in range(260)]
    pairs = [(source.randbytes(length), source.randbytes(200 - length)) for length in range(200)]
    for of in ("plain", "whatever there is"):
        assert page.evaluate(HASHES, [of, [text.hex() for text in SHA256]]) == list(SHA256.values())
        hashes = page.evaluate(HASHES, [of, [text.hex() for text in texts]])
        assert hashes == [hashlib.sha256(text).hexdigest() for text in texts]
        macs = page.evaluate(MACS, [of, [[key.hex(), text.hex()] for key, text, _ in HMAC]])
        assert [found[: len(mac)] for found, (_, _, mac) in zip(macs, HMAC, strict=True)] == [
            mac for _, _, mac in HMAC
        ]
        macs = page.evaluate(MACS, [of, [[key.hex(), text.hex()] for key, text in pairs]])
        assert macs == [hmac.digest(key, text, "sha256").hex() for key, text in pairs]

    seeds = [source.randbytes(32) for _ in range(50)]
    for decks in range(1, 9):
        shoes = page.evaluate(SHOES, [decks, [seed.hex() for seed in seeds]])
        assert shoes == [format_cards(Shoe.from_seed(seed, decks).cards) for seed in seeds]
    cards = [str(card) for card in DECK]
    orders = page.evaluate(DISCARDS, [cards, seeds[0].hex()])
    assert orders == [format_cards(shuffle(DECK[:few], seeds[0])) for few in range(53)]

    # Words that would favour some places come once in many millions: here are such, and the last that do not.
    words = []
    for places in range(52, 1, -1):
        limit = 2**32 - 2**32 % places
        words += [word for word in (2**32 - 1, limit) if limit <= word < 2**32]
        words.append(source.choice([limit - 1, source.randrange(limit)]))
    assert len(words) > 100
    monkeypatch.setattr(engine_shoe, "_words", lambda seed: iter(words))
    assert page.evaluate(SWAPS, [cards, words]) == format_cards(shuffle(DECK, b""))


# The button


def told(place: Locator) -> dict[str, str]:
    """What was said: the sentences by what they are."""
    place.locator("[data-check-shuffle]").click()
    expect(place).to_have_attribute("data-found", "right" if right_of(place) else "wrong")
    lines = place.locator(".check-said p")
    return dict(lines.evaluate_all("all => all.map(one => [one.dataset.say, one.textContent])"))


def right_of(place: Locator) -> bool:
    verdict = place.locator(".check-verdict")
    expect(verdict).to_be_visible()
    return verdict.get_attribute("data-say") != "all-wrong"


def change(place: Locator, **attributes: object) -> None:
    """Put other things in the page, and forget what was said of those before."""
    texts = {name: str(value) for name, value in attributes.items()}
    place.evaluate("(place, texts) => Object.assign(place.dataset, texts)", texts)
    place.evaluate("place => { place.querySelector('.check-said').replaceChildren(); }")


ONE_BY_ONE = "of that shuffle are the cards of this round, one by one:"


def test_the_example_is_right_and_any_change_of_it_is_found(page: Page) -> None:
    place = page.locator("[data-check]")
    right = told(place)
    assert list(right) == ["all-fits", "hash-right", "cards-right"]
    assert right["hash-right"] == "The SHA-256 of the seed is the one told here: yes."
    assert right["cards-right"] == f"Cards 1–18 {ONE_BY_ONE} yes."

    names = ("commitment", "seed", "decks", "first", "cards")
    was: dict[str, str] = {name: place.get_attribute(f"data-{name}") or "" for name in names}
    cards = was["cards"].split()
    wrong: list[tuple[dict[str, object], set[str]]] = [
        ({"commitment": was["commitment"].replace("6", "7", 1)}, {"hash-wrong", "cards-right"}),
        ({"seed": was["seed"].replace("1f", "1e")}, {"hash-wrong", "cards-wrong"}),
        ({"seed": "not a seed"}, {"unreadable"}),
        ({"seed": was["seed"].upper()}, {"unreadable"}),
        ({"decks": 2}, {"hash-right", "cards-wrong"}),
        ({"first": 2}, {"hash-right", "cards-wrong"}),
        ({"first": 0}, {"unreadable"}),
        ({"first": 52}, {"hash-right", "cards-wrong", "too-many"}),
        ({"cards": " ".join([*cards[:-1], "9s"])}, {"hash-right", "cards-wrong"}),
        ({"cards": " ".join([cards[1], cards[0], *cards[2:]])}, {"hash-right", "cards-wrong"}),
        ({"cards": " ".join(cards[1:])}, {"hash-right", "cards-wrong"}),
        ({"spareCommitment": "0" * 64}, {"hash-right", "spare-wrong", "cards-right"}),
        ({"spare": was["seed"]}, {"hash-right", "spare-wrong", "cards-right"}),
    ]
    for changes, lines in wrong:
        change(place, **changes)
        assert told(place).keys() == {"all-wrong", *lines}, changes
        change(place, spareCommitment="", spare="", **was)
    assert told(place) == right

    change(place, cards=" ".join([*cards[:4], "Ah", *cards[5:]]))
    assert told(place)["cards-wrong"] == f"Cards 1–18 {ONE_BY_ONE} no. Its card 5 is 8d, and Ah was dealt."
    change(place, seed="00" * 32)
    assert told(place)["hash-wrong"].endswith(f"no. It is {commitment(bytes(32))}")
    change(place, **{**was, "cards": ""})
    assert told(place).keys() == {"hash-alone-fits", "hash-right", "no-cards"}

    # A round that ran into the discards.
    seed, spare = random.Random(1).randbytes(32), random.Random(2).randbytes(32)
    whole = Shoe.from_seed(seed, 1).cards
    dealt = [*whole[45:], *shuffle(whole[:45], spare)[:6]]
    seeds = {"seed": seed.hex(), "commitment": commitment(seed)}
    spares = {"spare": spare.hex(), "spareCommitment": commitment(spare)}
    change(place, **seeds, **spares, first=46, cards=format_cards(dealt))
    said = told(place)
    assert list(said) == ["all-fits", "hash-right", "spare-right", "cards-right", "discards-right"]
    assert said["cards-right"] == f"Cards 46–52 {ONE_BY_ONE} yes."
    assert "Its cards 1–45, shuffled" in said["discards-right"]
    change(place, cards=format_cards([*dealt[:-1], dealt[-2]]))
    assert f"Card 6 of them is {dealt[-1]}, and {dealt[-2]} was dealt." in told(place)["discards-wrong"]
    change(place, cards=format_cards(dealt), spare=seed.hex(), spareCommitment=commitment(seed))
    assert {"spare-right", "cards-right", "discards-wrong"} <= told(place).keys()
    change(place, spare="", spareCommitment="")
    assert {"cards-right", "too-many"} <= told(place).keys()


def test_the_page_is_for_every_language_and_screen_and_for_no_scripts_too(new_guest: NewGuest) -> None:
    for locale in ("en-US", "uk-UA", "ru-RU", "bg-BG"):
        page = new_guest(locale=locale).page
        page.goto("/how-to-check/")
        for size in (PHONE, TABLET, DESK):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        said = told(page.locator("[data-check]"))
        assert all("{" not in line for line in said.values())
        expect_accessible(page)
    page = new_guest(java_script_enabled=False).page
    page.goto("/how-to-check/")
    expect(page.locator("[data-check-shuffle]")).to_be_hidden()
    expect(page.locator("#snippet")).to_contain_text("hashlib.sha256")
    expect(page.locator("[data-check] code")).to_contain_text("5c Qc 9c")


def test_rounds_are_checked_against_what_the_own_browser_saw_at_the_table(new_guest: NewGuest) -> None:
    ann = play_alone(new_guest)
    for _ in range(2):
        answer_all([ann], "stand", "decline")
        ann.page.locator("#amount").fill("10")
        ann.answer("bet")
    answer_all([ann], "stand", "decline")
    ann.page.locator("#toggle-side").click()
    ann.page.locator("#proofs-summary").click()
    said = told(ann.page.locator("#proofs [data-check]"))
    assert list(said) == ["hash-alone-right", "hash-right", "seen", "elsewhere"]
    expect_accessible(ann.page)
    ann.page.locator("#toggle-side").click()
    games = ann.page.url + "games/"
    ann.menu("new_game")
    expect(ann.page.locator("#version")).to_have_attribute("data-game", "2")

    ann.page.goto(games)
    ann.page.locator('main a[href^="/games/"]:not([href="/games/"])').first.click()
    expect(ann.page).to_have_url(re.compile(r"/games/[\w-]+/$"))
    game = ann.page.url
    bob = new_guest()
    for page, sight, verdict in ((bob.page, "unseen", "all-fits"), (ann.page, "seen", "all-right")):
        # The first one may have been over, by a blackjack, before the table was seen at all.
        for number in (2, 3):
            page.goto(f"{game}{number}/")
            place = page.locator("[data-check]")
            open_what_hides(place)
            assert list(told(place)) == [verdict, "hash-right", sight, "cards-right"]
    expect_accessible(ann.page)

    # Seed, hash and cards can all be swapped afterwards; what was told before can not, nor is it forgotten
    # where a table tells something else later.
    place = ann.page.locator("[data-check]")
    cards = (place.get_attribute("data-cards") or "").split()
    was, shoe = (place.get_attribute(f"data-{name}") or "" for name in ("commitment", "shoe"))
    change(
        place,
        seed=bytes(32).hex(),
        commitment=commitment(bytes(32)),
        cards=format_cards(Shoe.from_seed(bytes(32), 6).cards[: len(cards)]),
    )
    said = told(place)
    assert list(said) == ["all-wrong", "hash-right", "swapped", "cards-right"]
    assert f": {was}. " in said["swapped"]
    ann.page.goto(games.removesuffix("games/"))
    later = ann.page.locator("#proofs [data-promised]").first
    later.evaluate("(shown, shoe) => { shown.dataset.promised = shoe; shown.textContent = '0'; }", shoe)
    assert [told_before for key, told_before in kept(ann.page) if key == shoe] == [was]
    bob.page.bring_to_front()
    change(bob.page.locator("[data-check]"), seed=bytes(32).hex(), commitment=commitment(bytes(32)))
    assert list(told(bob.page.locator("[data-check]")))[:3] == ["all-wrong", "hash-right", "unseen"]


def test_what_was_kept_without_its_shoe_says_nothing_and_the_oldest_goes_first(new_guest: NewGuest) -> None:
    page = new_guest().page
    page.goto("/how-to-check/")
    page.evaluate("localStorage.setItem('shuffles', JSON.stringify(['a'.repeat(64), ['old', 'b'], 7]))")
    page.evaluate(PROMISED, 401)
    page.add_script_tag(url=page.locator("script[src*='check']").get_attribute("src") or "")
    assert kept(page) == [[f"key{number}", f"hash{number}"] for number in range(1, 401)]


PROMISED = """
many => {
  for (let i = 0; i < many; i++) {
    const code = document.createElement("code");
    code.dataset.promised = `key${i}`;
    code.textContent = `hash${i}`;
    document.body.append(code);
  }
}
"""


def kept(page: Page) -> list[list[str]]:
    pairs: list[list[str]] = page.evaluate("JSON.parse(localStorage.getItem('shuffles'))")
    return pairs


def open_what_hides(place: Locator) -> None:
    details = place.locator("xpath=ancestor::details")
    if details.count() and details.get_attribute("open") is None:
        details.locator("summary").click()
