"""Rounds are kept with the number of their shoe; its seeds are told when it is finished, and never before."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.test import Client

from engine.game import Kind
from engine.rules import Rules
from engine.shoe import Shoe as Cards
from engine.shown import PublicView
from tables import codec, history, services
from tables.fragments import Reader, Showing
from tables.identity import COOKIE, cookie_of
from tables.models import Game, Round, Shoe, Table
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends, record_of, round_pages

FEW_CARDS = {"decks": 2, "boxes": 2, "cut_card": 0.4}


@pytest.fixture
def live(table_of: Play) -> Friends:
    """Two people at a table with a small shoe, and Carol who watches."""
    table = table_of(Kind.OPEN, "casino8", BOB, **FEW_CARDS)
    services.join(table.code, CAROL, "Carol", sit=False)
    return table


def play_until_shuffled(table: Friends) -> list[PublicView]:
    """The table after each round of its first shoe."""
    seen = []
    for _ in range(40):
        table.round(ALICE, BOB)
        seen.append(table.view)
        if table.view.published is not None:
            return seen
    raise AssertionError("the cut card never came")


def seeds_of(table: Friends) -> tuple[str, str]:
    shoe = table.seen().game.shoe
    assert shoe is not None
    assert shoe.spare is not None
    return shoe.seed.hex(), shoe.spare.hex()


def test_every_round_of_a_shoe_replays_from_its_seed(live: Friends) -> None:
    seen = play_until_shuffled(live)
    assert len(seen) > 1
    page = history.game_page(Game.objects.get(), code="")
    for view, row, kept in zip(seen, Round.objects.all(), round_pages(page), strict=True):
        assert row.record["shoe"].keys() == {"number", "dealt"}
        state = record_of(row).replay(Rules.from_json(row.game.rules))
        assert state is not None
        assert kept.dealer == view.dealer
        shown = [(seat.name, seat.hands, seat.net) for seat in view.seats if seat.player]
        assert [(seat.name, seat.hands, seat.net) for seat in kept.seats] == shown
        assert kept.log == list(view.log)


def test_the_cards_of_a_shoe_come_one_round_after_the_other(live: Friends) -> None:
    play_until_shuffled(live)
    shoe = Shoe.objects.get(number=1)
    cards = Cards.from_seed(bytes.fromhex(shoe.seed), 2).cards
    at = 0
    for row in Round.objects.all():
        record = record_of(row)
        assert record.shoe.dealt == at
        state = record.replay(Rules.from_json(row.game.rules))
        assert state is not None
        at += state.drawn
        dealt = [card for box in state.boxes for hand in box.hands for card in hand.cards]
        assert sorted(map(str, [*dealt, *state.dealer])) == sorted(map(str, cards[record.shoe.dealt : at]))


def test_the_hashes_stand_from_the_first_bet_and_fit_the_seeds_told_at_the_end(live: Friends) -> None:
    shoe = live.view.shoe
    assert shoe is not None
    promised = (shoe.commitment, shoe.spare_commitment)
    published = play_until_shuffled(live)[-1].published
    assert published is not None
    assert published.spare is not None
    told = (published.seed, published.spare)
    assert tuple(sha256(bytes.fromhex(one)).hexdigest() for one in told) == promised
    kept = round_pages(history.game_page(Game.objects.get(), code=""))
    assert {(one.seed, one.spare, one.commitment, one.spare_commitment) for one in kept} == {
        (*told, *promised)
    }


def test_a_running_game_can_be_read_round_by_round_without_its_seed(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.round(ALICE, BOB)
    live.bet(ALICE)
    page = history.game_page(Game.objects.get(), code="")
    assert (page.ended, page.reason, page.played, page.kind) == (None, "", 2, "open")
    assert [one.number for one in round_pages(page)] == [1, 2]
    assert {(one.seed, one.spare) for one in round_pages(page)} == {("", "")}
    assert [one.commitment for one in round_pages(page)] == [live.view.shoe and live.view.shoe.commitment] * 2
    assert round_pages(page)[1].first_card > round_pages(page)[0].first_card == 1
    held = {
        live.own(guest).player: live.seen().game.purse_of(live.own(guest).player) for guest in (ALICE, BOB)
    }
    assert {line.player: line.chips for line in page.standings} == {
        player: purse.chips for player, purse in held.items() if purse
    }


def everything_shown(table: Friends) -> list[str]:
    """Every page, frame and list that there is, for everybody there is."""
    texts = []
    showing = Showing(table.seen(), None)
    for guest in (ALICE, BOB, CAROL, MALLORY, None):
        client = Client(headers={"user-agent": "Mozilla/5.0"})
        if guest is not None:
            client.cookies[COOKIE] = cookie_of(guest)
        paths = ["/", "/games/", f"/t/{table.code}/", f"/t/{table.code}/games/"]
        paths += [f"/games/{game.pk}/" for game in Game.objects.all()]
        for path in paths:
            answer = client.get(path)
            assert answer.status_code == 200, path
            texts.append(answer.content.decode())
        texts.append(showing.frame(Reader("en", showing.seen.player_of(guest), "http://x"), since=0))
    return texts + admin_pages()


def admin_pages() -> list[str]:
    User.objects.filter(username="staff").delete()
    client = Client()
    client.force_login(User.objects.create_superuser("staff", "", "secret"))
    texts = []
    shown = [model for model in apps.get_app_config("tables").get_models() if site.is_registered(model)]
    assert {Table, Game, Round} <= set(shown)
    for model in shown:
        name = model._meta.model_name
        paths = [f"/admin/tables/{name}/{one.pk}/change/" for one in model._default_manager.all()]
        for path in (f"/admin/tables/{name}/", *paths):
            answer = client.get(path)
            assert answer.status_code == 200, path
            texts.append(answer.content.decode())
    return texts


def test_the_seeds_of_a_running_shoe_are_nowhere(live: Friends) -> None:
    seeds = seeds_of(live)
    for step in range(3):
        for text in everything_shown(live):
            assert not [seed for seed in seeds if seed in text]
        live.bet(ALICE)
        if step:
            live.bet(BOB)
            for text in everything_shown(live):
                assert not [seed for seed in seeds if seed in text]
            live.stand()


def test_when_the_shoe_was_shuffled_away_its_seeds_are_told(live: Friends) -> None:
    seeds = seeds_of(live)
    play_until_shuffled(live)
    shown = "".join(everything_shown(live))
    assert [seed in shown for seed in seeds] == [True, True]
    coming = seeds_of(live)
    assert not [seed for seed in coming if seed in shown]
    assert Shoe.objects.get(number=1).finished is not None


def test_a_round_that_ran_into_the_discards_replays(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, decks=1, boxes=2, cut_card=0.9)
    for _ in range(40):
        table.round(ALICE, BOB)
        if any(line.kind == "discards" for line in table.view.log):
            break
    view = table.view
    kept = round_pages(history.game_page(Game.objects.get(), code=""))[-1]
    assert [line.kind for line in kept.log].count("discards") == 1
    assert [line.kind for line in kept.log].count("cut_card") == 1
    assert kept.dealer == view.dealer
    assert [seat.hands for seat in kept.seats] == [seat.hands for seat in view.seats]
    assert kept.spare


def test_the_stored_table_reads_as_it_was_at_any_point_of_a_shoe(live: Friends) -> None:
    for _ in range(3):
        live.round(ALICE, BOB)
    live.bet(ALICE)
    for _ in range(2):
        stored = json.loads(live.row.state)
        live.forget()
        assert codec.write_game(live.seen().game) == stored
        before = live.seen()
        live.forget()
        assert live.seen().view == before.view
        assert live.seen().game == before.game
        if live.view.phase == "betting":
            live.bet(BOB)
