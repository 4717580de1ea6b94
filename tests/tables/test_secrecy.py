"""Two tables whose shoes differ only in what nobody may know send the same bytes to everybody."""

from __future__ import annotations

import re
from itertools import count

import pytest
from django.test import Client

from engine.game import Kind
from tables import codec, people, services
from tables.fragments import Reader, Showing
from tables.identity import COOKIE, cookie_of
from tables.models import Game, Table
from tests.tables.friends import (
    ALICE,
    BOB,
    CAROL,
    MALLORY,
    Friends,
    FrozenClock,
    Seeds,
    deal_from,
    opened,
    opened_as,
)

ONE, OTHER, SPARE = b"1" * 32, b"2" * 32, b"3" * 32
# Alice, Bob, the dealer, Alice, Bob, the hole card; what is drawn; what nobody draws before the reveal.
SHOES = {
    "turns": ("8h 8c 9s 2d 3d Kd 4c 5c 2h 3h 6h 7h", "8h 8c 9s 2d 3d 7c 4c 5c As Ad Ac Th"),
    "an ace up": ("8h 8c As 2d 3d 9d 4c 5c 2h 3h 6h 7h", "8h 8c As 2d 3d 2c 4c 5c Ks Ad Ac Th"),
    "a ten up": ("8h 8c Ks 2d 3d 9d 4c 5c 2h 3h 6h 7h", "8h 8c Ks 2d 3d 2c 4c 5c As Ad Ac Th"),
    "a split": ("8h 8c 9s 8d 3d Kd 4c 5c 6h 2h 3h 7h", "8h 8c 9s 8d 3d 7c 4c 5c 6h As Ad Ac"),
}
# Without a hole card there is nothing to hide but what comes: the dealer's second card is the first of it.
NO_HOLE_CARD = {
    "an ace up": ("8h 8c As 2d 3d 4c 9d 5c 2h 3h 6h 7h", "8h 8c As 2d 3d 4c Ks As Ad Ac Th 2s"),
    "a ten up": ("8h 8c Ks 2d 3d 4c 9d 5c 2h 3h 6h 7h", "8h 8c Ks 2d 3d 4c As Ks Ad Ac Th 2s"),
}
CASES = [
    ("match", True, SHOES["turns"]),
    *[("match", False, shoes) for shoes in SHOES.values()],
    *[("casino8", True, SHOES[name]) for name in ("an ace up", "a split")],
    *[("classic6", True, NO_HOLE_CARD[name]) for name in ("an ace up", "a ten up")],
]


@pytest.mark.parametrize(("table", "clock_on", "shoes"), CASES)
def test_nobody_can_tell_the_shoes_apart_before_the_reveal(
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    settings: object,
    table: str,
    clock_on: bool,
    shoes: tuple[str, str],
) -> None:
    deal_from(monkeypatch, dict(zip((ONE, OTHER), shoes, strict=True)))
    seen = [everything_sent(seed, monkeypatch, settings, table, clock_on) for seed in (ONE, OTHER)]
    for (before, after), (other_before, other_after) in zip(*seen, strict=True):
        assert before == other_before
        assert after is other_after is False or after != other_after


def everything_sent(
    seed: bytes, monkeypatch: pytest.MonkeyPatch, settings: object, how: str, clock_on: bool
) -> list[tuple[list[str], list[str] | bool]]:
    """Page and frames of each role after each step; the last step shows the dealer's second card."""
    Game.objects.all().delete()
    Table.objects.all().delete()
    codec.remembered.clear()
    people.remembered.clear()
    numbers = count()
    for name in ("new_table_code", "new_seat_secret", "new_game_id"):
        monkeypatch.setattr(f"tables.codes.{name}", lambda: f"{next(numbers):014}")
    monkeypatch.setattr(codec, "new_player_id", lambda: f"p{next(numbers)}")
    seeds, clock = Seeds(), FrozenClock()
    settings.CLOCK, settings.SEED_SOURCE = clock, seeds  # type: ignore[attr-defined]
    monkeypatch.setattr("tables.clock.put_back", seeds.put_back)
    if how == "match":
        table = opened(seeds, clock, on=clock_on)
        table.command(BOB, "ready", ready="1")
        seeds.coming = [seed]
        table.command(ALICE, "start")
    else:
        seeds.coming = [seed, SPARE]
        table = opened_as(seeds, clock, Kind.OPEN, how, BOB)
        services.join(table.code, CAROL, "Carol", sit=False)
    sent: list[tuple[list[str], list[str] | bool]] = []
    last: Showing | None = None

    def look() -> list[str]:
        nonlocal last
        last = Showing(table.seen(), last)
        texts = []
        for guest in (ALICE, BOB, CAROL, MALLORY, None):
            client = Client(headers={"user-agent": "Mozilla/5.0"})
            if guest is not None:
                client.cookies[COOKIE] = cookie_of(guest)
            texts.append(client.get(f"/t/{table.code}/").content.decode())
            for game in Game.objects.all():
                texts.append(client.get(f"/games/{game.pk}/").content.decode())
            reader = Reader("en", last.seen.player_of(guest), "http://testserver")
            texts += [last.frame(reader, since=0), last.frame(reader, since=last.serial - 1)]
        assert not [text for text in texts for secret in (seed, SPARE) if secret.hex() in text]
        return [neutral(text) for text in texts]

    sent.append((look(), False))
    for guest in (ALICE, BOB):
        table.bet(guest)
        sent.append((look(), False))
    while table.view.phase in ("insurance", "surrender"):
        guest = next(one for one in (BOB, ALICE) if table.own(one).asks)
        insured = guest == BOB and table.view.phase == "insurance"
        table.answer(guest, "insure" if insured else "decline")
        sent.append((look(), False))
    if any(option.action == "split" and option.enabled for option in table.own(ALICE).actions):
        table.answer(ALICE, "split")
        sent.append((look(), False))
        table.answer(ALICE, "stand")
    else:
        table.answer(ALICE, "hit")
    sent.append((look(), False))
    table.answer(ALICE, "stand")
    sent.append((look(), False))
    if clock_on:
        table.run_out()
    else:
        table.answer(BOB, "stand")
    assert table.view.phase == "betting"
    seeds.coming = []
    last = None
    final = Showing(table.seen(), None)
    revealed = [final.frame(Reader("en", None), since=0)]
    if how != "match":
        # The shoe goes on: its seeds are as secret as before.
        look()
    return [*sent[:-1], (sent[-1][0], revealed)]


def neutral(text: str) -> str:
    """Without the hash of the seed and what is random in each answer."""
    text = re.sub(r"[0-9a-f]{64}", "HASH", text)
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"[^"]*"', r"\1", text)


def test_the_check_itself_can_fail(playing: Friends) -> None:
    playing.deal("low low mid low low")
    game = playing.seen().game
    assert game.round is not None
    assert game.round.dealer_open != game.round.dealer
