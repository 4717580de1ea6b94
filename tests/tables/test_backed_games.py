"""Stored games tell who bet behind whom, what it brought, and how everybody ended."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine import actions
from engine import game as play
from engine.errors import EngineError
from engine.game import GameEvent, Kind, Phase, RoundFinished, ask_id
from engine.round import Round as RoundState
from engine.rules import Rules
from tables import archive, codec, history, presence, records, services, words
from tables.crowds import BetBehind, in_words
from tables.errors import Refused
from tables.history import BackerStanding, GamePage
from tables.models import Game, GamePlayer, Guest, Round, Table
from tables.words import MINUS
from tests.engine.test_properties import net_of
from tests.tables.conftest import Play
from tests.tables.friends import (
    ALICE,
    BOB,
    CAROL,
    MALLORY,
    NAMES,
    Friends,
    FrozenClock,
    Seeds,
    opened,
    opened_as,
    record_of,
    round_pages,
    seed,
)

QUIET = "low low mid low low"
EIGHTS = "8 low mid 8 low"
ACE_UP = "low low A low low mid"
CROWD = (CAROL, MALLORY)


@pytest.fixture
def backed(playing: Friends) -> Friends:
    """A match whose first bets are open; Carol and Mallory watch."""
    return with_crowd(playing)


@pytest.fixture
def live(table_of: Play) -> Friends:
    return with_crowd(table_of(Kind.OPEN, "casino8", BOB))


def with_crowd(table: Friends, *crowd: str) -> Friends:
    for guest in crowd or CROWD:
        services.join(table.code, guest, NAMES[guest], sit=False)
    table.here(ALICE, BOB, *(crowd or CROWD))
    return table


def back(table: Friends, guest: str, seat: int, amount: int = 50, pair: int = 0) -> None:
    backing = table.own(guest).backing
    assert backing is not None
    fields = {"seat": str(seat), "amount": str(amount), "pair": str(pair)}
    table.send(guest, action="back", ask=backing.ask, **fields)


def done(table: Friends, *guests: str) -> None:
    for guest in guests or CROWD:
        backing = table.own(guest).backing
        if backing is not None and backing.waited and not backing.done:
            table.send(guest, action="done", ask=backing.ask)


def deal(table: Friends, cards: str = QUIET) -> None:
    table.deal(cards)
    done(table)
    assert table.seen().game.phase is Phase.PLAYING


def finish(table: Friends) -> None:
    """Everybody declines, passes and stands."""
    answers = {"turn": "stand", "follow_double": "pass", "follow_split": "pass"}
    while table.seen().game.phase is Phase.PLAYING:
        for guest in (ALICE, BOB, CAROL, MALLORY):
            for ask in table.own(guest).asks[:1]:
                if ask.kind != "bet":
                    table.send(guest, action=answers.get(ask.kind, "decline"), ask=ask.ask)


def a_round(table: Friends, *bets: tuple[str, int, int, int]) -> None:
    """Whoever bets behind (guest, seat, bet, pair), then Alice and Bob bet and everybody stands."""
    for bet in bets:
        back(table, *bet)
    for guest in (ALICE, BOB):
        table.bet(guest, 10)
    done(table)
    finish(table)


def page_of(table: Friends, number: int = 1) -> GamePage:
    return history.game_page(Game.objects.get(table__code=table.code, number=number), code="")


def behind(table: Friends, seat: int = 1, number: int = 1) -> dict[str, BetBehind]:
    """The bets behind a seat in a round of the first game, by name."""
    shown = next(one for one in round_pages(page_of(table)) if one.number == number)
    return {one.name: one.bet for one in shown.crowds[seat].backers}


def told(table: Friends, number: int = 1) -> str:
    """The text of the page of a game and of those of its rounds, as somebody reads it."""
    game = Game.objects.get(table__code=table.code, number=number)
    rounds = [f"{one}/" for one in game.played.values_list("number", flat=True)]
    return " ".join(text_of(f"/games/{game.id}/{part}") for part in ("", *rounds))


def text_of(path: str) -> str:
    page = Client().get(path).content.decode()
    main = re.search(r"<main.*</main>", page, re.DOTALL)
    assert main is not None
    shown = re.sub(r"<template.*?</template>", "", main[0], flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", shown)).split())


def standing(table: Friends, number: int = 1) -> dict[str, BackerStanding]:
    return {one.name: one for one in page_of(table, number).backers}


# A round


def test_a_followed_double_is_told_with_all_that_was_staked_and_paid(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 10)
    deal(backed)
    backed.answer(ALICE, "double")
    backed.answer(CAROL, "follow")
    finish(backed)
    bet = behind(backed)["Carol"]
    assert (bet.bet, bet.followed, bet.pair, bet.insurance) == (50, 50, 10, 0)
    assert bet.net == backed.seen().game.purses[-1].chips - 1_000
    assert f"behind 50, followed 50, pair 10 · paid {bet.paid}" in told(backed)


def test_a_split_that_one_follows_and_another_does_not(backed: Friends) -> None:
    for guest in CROWD:
        back(backed, guest, 1)
    deal(backed, EIGHTS)
    backed.answer(ALICE, "split")
    backed.answer(CAROL, "follow")
    backed.answer(MALLORY, "pass")
    finish(backed)
    assert {name: (bet.bet, bet.followed) for name, bet in behind(backed).items()} == {
        "Carol": (50, 50),
        "Mallory": (50, 0),
    }


def test_insurance_of_a_backer_is_told(backed: Friends) -> None:
    back(backed, CAROL, 1)
    deal(backed, ACE_UP)
    backed.answer(CAROL, "insure")
    finish(backed)
    bet = behind(backed)["Carol"]
    assert bet.insurance == 25
    assert "behind 50, insurance 25 · paid" in told(backed)


def test_a_pair_alone_needs_no_bet_behind(backed: Friends) -> None:
    back(backed, CAROL, 1, 0, 10)
    back(backed, CAROL, 2, 0, 20)
    deal(backed, EIGHTS)
    finish(backed)
    assert in_words(behind(backed)["Carol"]) == "pair 10 · paid 120"
    assert in_words(behind(backed, 2)["Carol"]).startswith("pair 20 · paid ")


def test_a_pair_wins_while_its_hand_is_bust(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 10)
    deal(backed, "8 low mid 8 low ? T")
    backed.answer(ALICE, "hit")
    finish(backed)
    (hand,) = round_pages(page_of(backed))[0].seats[0].hands
    bet = behind(backed)["Carol"]
    assert hand.result == "bust"
    assert (bet.paid, bet.net) == (120, 60)


def test_who_backs_two_seats_is_told_behind_both(backed: Friends) -> None:
    back(backed, CAROL, 1, 50)
    back(backed, CAROL, 2, 30)
    deal(backed)
    finish(backed)
    nets = [behind(backed, seat)["Carol"].net for seat in (1, 2)]
    assert standing(backed)["Carol"].net == sum(nets)


def test_nobody_is_told_behind_a_seat_that_sat_out(backed: Friends) -> None:
    back(backed, CAROL, 1)
    back(backed, CAROL, 2)
    backed.bet(ALICE)
    backed.answer(BOB, "sit_out")
    done(backed)
    finish(backed)
    (shown,) = round_pages(page_of(backed))
    assert list(shown.crowds) == [1]


def test_a_void_round_gave_the_bets_behind_back_too(backed: Friends) -> None:
    back(backed, CAROL, 1, 50, 10)
    deal(backed)
    backed.answer(ALICE, "double")
    backed.answer(CAROL, "follow")
    services.void_round(backed.code)
    bet = behind(backed)["Carol"]
    assert (bet.staked, bet.paid, bet.net, bet.returned) == (110, 110, 0, True)
    text = told(backed)
    assert "Void: every bet went back, those behind others too." in text
    assert "Carol behind 50, followed 50, pair 10 · went back" in text
    assert (standing(backed)["Carol"].chips, standing(backed)["Carol"].net) == (1_000, 0)


def test_a_void_round_without_them_does_not_name_them(backed: Friends) -> None:
    backed.deal(QUIET)
    services.void_round(backed.code)
    text = told(backed)
    assert "Void: every bet went back." in text
    assert "behind" not in text


def test_bets_behind_a_seat_that_resigns_go_on(backed: Friends) -> None:
    services.join(backed.code, CAROL, "Carol", sit=False)
    table = backed
    back(table, CAROL, 1, 50, 10)
    back(table, MALLORY, 2, 50)
    deal(table)
    table.command(ALICE, "resign")
    game = Game.objects.get()
    assert (game.reason, game.result is not None) == ("last_left", True)
    for seat, name in ((1, "Carol"), (2, "Mallory")):
        bet = behind(table, seat)[name]
        assert bet.returned
        assert bet.net in (0, -10, 110)
    assert "Mallory 0 behind 50 · went back" in told(table)


def test_a_seat_that_resigned_among_three_still_decides_for_its_backers(
    seeds: Seeds, clock: FrozenClock, friends: Friends
) -> None:
    friends.command(CAROL, "sit", seat="3")
    friends.start(BOB, CAROL)
    with_crowd(friends, MALLORY)
    back(friends, MALLORY, 1)
    for guest in (ALICE, BOB, CAROL):
        friends.bet(guest, 100)
    done(friends, MALLORY)
    while friends.view.phase == "insurance":
        guest = next(one for one in (ALICE, BOB, CAROL, MALLORY) if friends.own(one).asks)
        friends.answer(guest, "decline")
    if friends.seen().game.phase is Phase.PLAYING:
        friends.command(ALICE, "resign")
    finish(friends)
    row = Round.objects.get()
    state = record_of(row).replay(Rules.from_json(row.game.rules))
    assert state is not None
    assert behind(friends)["Mallory"].net == net_of(state, "p1")
    assert row.record["chips_after"]["p1"] == 1_000 + net_of(state, "p1")


def test_a_player_who_resigns_loses_what_lies_behind_others(table_of: Play) -> None:
    table = table_of(Kind.MATCH, "openseat", BOB, CAROL, players_may_back=True)
    table.start(BOB, CAROL)
    with_crowd(table, MALLORY)
    back(table, ALICE, 2, 50, 10)
    table.reseed("low low low mid low low low")
    for guest in (ALICE, BOB, CAROL):
        table.bet(guest, 100)
    done(table, ALICE)
    table.command(ALICE, "resign")
    finish(table)
    bet = behind(table, 2)["Alice"]
    pair = bet.paid
    assert pair in (0, 120)
    assert (bet.staked, bet.returned) == (60, False)
    alice = standing(table)["Alice"]
    assert (alice.plays, alice.net, alice.rounds) == (True, pair - 60, 1)
    assert alice.chips == 1_000 - 100 - 60 + pair


def test_a_match_that_ends_in_mid_round_gives_open_bets_behind_back(backed: Friends) -> None:
    back(backed, CAROL, 1, 50)
    deal(backed)
    backed.command(ALICE, "offer_draw")
    offer = backed.view.offer
    assert offer is not None
    backed.send(BOB, action="accept_draw", offer=offer.id, game=str(backed.view.game))
    assert in_words(behind(backed)["Carol"]) == "behind 50 · went back"
    assert standing(backed)["Carol"].chips == 1_000


def test_bets_behind_a_seat_whose_player_left_are_kept(live: Friends) -> None:
    live.seeds.next_deal(QUIET, 8)
    back(live, CAROL, 1, 50)
    live.bet(ALICE, 100)
    live.bet(BOB, 100)
    done(live)
    live.command(ALICE, "leave")
    finish(live)
    assert 1 not in live.seated()
    shown = round_pages(page_of(live))[0]
    assert [seat.name for seat, crowd in shown.boxes if crowd] == ["Alice"]
    assert behind(live)["Carol"].net == standing(live)["Carol"].net


def test_even_money_of_the_seat_changes_nothing_for_its_backer(table_of: Play) -> None:
    table = with_crowd(table_of(Kind.OPEN, "classic6", BOB, cards="A low A T low"))
    back(table, CAROL, 1, 50)
    table.bet(ALICE, 100)
    table.bet(BOB, 10)
    done(table)
    table.answer(ALICE, "even_money")
    finish(table)
    hand = round_pages(page_of(table))[0].seats[0].hands[0]
    assert (hand.result, hand.net) == ("even_money", 100)
    assert behind(table)["Carol"].net in (75, 0)


def test_names_are_told_as_they_were_typed(backed: Friends) -> None:
    services.join(backed.code, CAROL, "<b>&Carol", sit=False)
    back(backed, CAROL, 1)
    deal(backed)
    finish(backed)
    game = Game.objects.get()
    page = "".join(Client().get(f"/games/{game.id}/{part}").content.decode() for part in ("", "1/"))
    assert page.count("&lt;b&gt;&amp;Carol") > 2
    assert "<b>&" not in page


# Many


def come_behind(table: Friends, number: int, seat: int = 1, pair: int = 10) -> None:
    """So many more bet 50 behind a seat; a test's hand, which no page has."""
    row = table.row
    game = codec.game_of(row)
    for one in range(number):
        lay = actions.Back(f"b{one}", f"Backer {one}", ask_id(game, game.window), seat, 50, pair)
        game, _ = play.apply(game, lay, seed(1), seed(2))
        game, _ = play.apply(game, actions.GoAway(f"b{one}"), seed(1), seed(2))
    codec.remembered.drop(table.code)
    Table.objects.filter(pk=row.pk).update(**codec.columns(game))


def test_a_few_are_named_beside_the_cards(backed: Friends) -> None:
    come_behind(backed, 3)
    deal(backed)
    finish(backed)
    assert list(behind(backed)) == ["Backer 0", "Backer 1", "Backer 2"]
    felt, _, listed = told(backed).partition("Who bet behind whom")
    for name in behind(backed):
        assert f"{name} 50, pair " in felt
        assert name in listed


def test_many_are_summed_beside_the_cards_and_listed_in_a_closed_list(backed: Friends) -> None:
    come_behind(backed, 200)
    back(backed, CAROL, 2, 20)
    deal(backed, EIGHTS)
    finish(backed)
    bets = behind(backed)
    net = sum(bet.net for bet in bets.values())
    assert (len(bets), sum(bet.staked for bet in bets.values())) == (200, 12_000)
    text = told(backed)
    assert f"200 backers, 12,000 chips · {'+' if net > 0 else ''}{net:,}" in text.replace(MINUS, "-")
    page = Client().get(f"/games/{Game.objects.get().id}/1/").content.decode()
    before, rest = page.split("Who bet behind whom")
    assert before.endswith("<summary>")
    assert "Carol" in before
    assert "Backer 150" not in before
    assert rest.count("data-backer=") == 201
    assert "<details open" not in page
    assert "191 more" in text


def test_the_queries_of_the_pages_do_not_grow_with_the_crowd(table_of: Play) -> None:
    asked = []
    for number in (2, 200):
        table = table_of(Kind.OPEN, "casino8", BOB)
        table.bet(ALICE)
        come_behind(table, number)
        table.round(ALICE, BOB)
        game = Game.objects.get(table__code=table.code)
        assert game.players.filter(backed=1).count() == number
        queries = []
        for path in (f"/games/{game.id}/", f"/games/{game.id}/1/", f"/t/{table.code}/games/"):
            with CaptureQueriesContext(connection) as captured:
                assert Client().get(path).status_code == 200
            queries.append(len(captured))
        asked.append(queries)
    assert asked[0] == asked[1]


def test_a_round_of_a_crowd_is_kept_with_few_statements(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, cards="low low mid low low")
    table.bet(ALICE)
    come_behind(table, 200)
    table.bet(BOB)
    table.answer(ALICE, "stand")
    with CaptureQueriesContext(connection) as captured:
        table.answer(BOB, "stand")
    assert GamePlayer.objects.filter(backed=1).count() == 200
    assert len(captured) < 30


# How everybody ended


def test_there_is_no_standing_where_nobody_bet_behind(backed: Friends) -> None:
    backed.round(ALICE, BOB)
    assert page_of(backed).backers == []
    assert "Betting behind" not in told(backed)


def test_the_standing_tells_backers_apart_from_the_players_of_a_match(backed: Friends) -> None:
    back(backed, CAROL, 1, 500, 100)
    deal(backed, EIGHTS)
    finish(backed)
    a_round(backed, (MALLORY, 2, 50, 0))
    held = {purse.name: purse.chips for purse in backed.seen().game.purses}
    for over in (False, True):
        if over:
            backed.command(ALICE, "resign")
        page = page_of(backed)
        assert {one.name for one in page.standings} == {"Alice", "Bob"}
        assert [(one.name, one.chips) for one in page.backers] == sorted(
            ((name, held[name]) for name in ("Carol", "Mallory")), key=lambda one: -one[1]
        )
        assert {one.net - one.chips for one in page.backers} == {-1_000}
        carol = standing(backed)["Carol"]
        assert (carol.rounds, carol.refills, carol.plays) == (1, 0, False)
        assert carol.highest == max(1_000, held["Carol"])
        assert f"Carol 1 round · highest stack {carol.highest:,}" in told(backed)


def test_fresh_stacks_are_counted_and_what_they_cost_is_told(live: Friends) -> None:
    rounds = 0
    while not (carol := standing(live).get("Carol") if rounds else None) or not carol.refills:
        backing = live.own(CAROL).backing
        assert backing is not None
        stake = min(500, backing.chips // 10 * 10)
        a_round(live, (CAROL, 1 + rounds % 2, stake, 0))
        rounds += 1
    purse = live.seen().game.purse_of(live.person(CAROL).player)
    assert purse is not None
    assert (carol.chips, carol.highest, carol.refills, carol.rounds) == (
        purse.chips, purse.highest, purse.refills, rounds,
    )  # fmt: skip
    # A rest of less than the least bet was dropped on the way.
    assert -1_000 * carol.refills <= carol.net - (carol.chips - 1_000) < -1_000 * carol.refills + 10
    assert f"{carol.refills} fresh stack" in told(live)


def test_the_standing_outlives_everything(live: Friends) -> None:
    a_round(live, (CAROL, 1, 50, 0), (MALLORY, 2, 30, 0))
    before = standing(live)
    live.forget()
    for guest in (CAROL, MALLORY):
        presence.depart(live.code, guest)
    for guest in (ALICE, BOB):
        live.command(guest, "leave")
    live.clock.advance(601)
    services.tidy()
    assert Game.objects.get().finished
    assert standing(live) == before
    services.join(live.code, CAROL, "Caro", sit=False)
    services.join(live.code, MALLORY, "Carol", sit=False)
    for guest in (ALICE, BOB):
        live.sit(guest, 1 if guest == ALICE else 2)
    live.here(CAROL, MALLORY)
    a_round(live, (CAROL, 1, 50, 0))
    Guest.objects.filter(id=MALLORY).delete()
    assert standing(live) == before
    assert {one.name for one in behind_all(live)} == {"Carol", "Mallory"}
    (caro,) = page_of(live, 2).backers
    assert caro.rounds == 1


def behind_all(table: Friends, number: int = 1) -> list[Any]:
    return [
        one
        for shown in round_pages(page_of(table, number))
        for crowd in shown.crowds.values()
        for one in crowd.backers
    ]


def test_a_new_match_has_a_standing_of_its_own(backed: Friends) -> None:
    a_round(backed, (CAROL, 1, 50, 0))
    backed.command(ALICE, "resign")
    before = standing(backed)
    backed.command(ALICE, "ready", ready="1")
    backed.command(BOB, "ready", ready="1")
    backed.command(ALICE, "start")
    a_round(backed, (MALLORY, 1, 20, 0))
    assert standing(backed) == before
    assert list(standing(backed, 2)) == ["Mallory"]


def test_who_takes_over_a_seat_by_its_link_keeps_both_lines(backed: Friends) -> None:
    back(backed, CAROL, 2)
    deal(backed)
    services.move_seat(backed.person(ALICE).seat_secret, CAROL)
    while backed.seen().game.phase is Phase.PLAYING:
        backed.run_out()
    assert {one.name for one in page_of(backed).standings} == {"Alice", "Bob"}
    assert standing(backed)["Carol"].rounds == 1
    assert GamePlayer.objects.get(nickname="Alice").guest_id == CAROL


def test_a_backer_who_sits_down_later_stays_in_the_standing(live: Friends) -> None:
    a_round(live, (CAROL, 1, 50, 0))
    won = standing(live)["Carol"].net
    live.sit(CAROL, 6)
    live.bet(CAROL, 100)
    a_round(live)
    carol = standing(live)["Carol"]
    assert (carol.net, carol.rounds, carol.plays) == (won, 1, True)
    assert carol.chips == next(one.chips for one in page_of(live).standings if one.name == "Carol")
    assert "plays too" in told(live)


# Lists and the admin


@pytest.mark.parametrize("over", [False, True])
def test_lists_name_who_played_and_nobody_who_bet_behind(live: Friends, client: Client, over: bool) -> None:
    a_round(live, (CAROL, 1, 50, 0), (MALLORY, 2, 30, 0))
    if over:
        for guest in (ALICE, BOB):
            live.command(guest, "leave")
        live.clock.advance(601)
        services.tidy()
    for path in ("/games/", f"/t/{live.code}/games/"):
        page = client.get(path).content.decode()
        assert "<bdi>Alice</bdi>, <bdi>Bob</bdi>" in page
        assert "Carol" not in page
    (line,) = archive.newest(archive.public(), 1)
    assert line.players == ("Alice", "Bob")
    if not over:
        assert [one["players"] for one in history.open_to_watch()] == [2]


def test_the_admin_tells_players_and_backers_apart(live: Friends, admin_client: Client) -> None:
    a_round(live, (CAROL, 1, 50, 10), (MALLORY, 2, 0, 20))
    game, row = Game.objects.get(), Round.objects.get()
    page = admin_client.get(f"/admin/tables/game/{game.id}/change/").content.decode()
    players, backers = page.split("Betting behind")
    assert "Alice" in players
    assert "Carol" not in players
    assert "Carol" in backers
    assert "Bob" not in backers
    page = admin_client.get(f"/admin/tables/round/{row.pk}/change/").content.decode()
    shown = {seat.seat: seat for seat in round_pages(page_of(live))[0].seats}
    for number, name in ((1, "Alice"), (2, "Bob")):
        (hand,) = shown[number].hands
        cards = " ".join(words.card(card.rank, card.suit) for card in hand.cards)
        assert hand.result is not None
        came = f"{words.chips(hand.bet)} · {words.outcome(hand.result, hand.net)}"
        assert f"Box {number}, {name}: {cards} · {came}" in page
    assert f"Box 1, Carol: {in_words(behind(live)['Carol'])}" in page
    assert f"Box 2, Mallory: {in_words(behind(live, 2)['Mallory'])}" in page
    assert User.objects.count() == 1


# Anything: what is stored rebuilds to what was played


def a_match(seeds: Seeds, clock: FrozenClock) -> Friends:
    table = opened(seeds, clock)
    table.start()
    return table


def a_match_of_all(seeds: Seeds, clock: FrozenClock) -> Friends:
    """Players may bet behind each other."""
    table = opened_as(seeds, clock, Kind.MATCH, "classic6", BOB, CAROL)
    table.start(BOB, CAROL)
    return table


TABLES: dict[str, Callable[[Seeds, FrozenClock], Friends]] = {
    "a match": a_match,
    "a match of all": a_match_of_all,
    "a live table": lambda s, c: opened_as(s, c, Kind.OPEN, "casino8", BOB),
    "a table with boxes": lambda s, c: opened_as(s, c, Kind.OPEN, "classic6", BOB),
}
PEOPLE = (ALICE, BOB, CAROL, MALLORY)


@pytest.mark.parametrize("name", TABLES)
def test_every_stored_round_is_what_was_played(
    db: None, monkeypatch: pytest.MonkeyPatch, seeds: Seeds, clock: FrozenClock, name: str
) -> None:
    played: dict[tuple[int, int], RoundFinished] = {}
    keep = records.keep

    def watch(table: Table, before: Any, after: Any, happened: tuple[GameEvent, ...], now: Any) -> None:
        for event in happened:
            if isinstance(event, RoundFinished):
                played[before.number, event.record.number] = event
        keep(table, before, after, happened, now)

    monkeypatch.setattr(records, "keep", watch)
    dice = random.Random(name)
    table = TABLES[name](seeds, clock)
    for guest in (CAROL, MALLORY):
        services.join(table.code, guest, NAMES[guest], sit=False)
    table.here(*PEOPLE)
    for _ in range(30):
        a_round_of_anything(table, dice)
        check_standing(table)
    assert any(row.record["behind"] for row in Round.objects.all())
    for game in Game.objects.all():
        check_rounds(game, played)


def a_round_of_anything(table: Friends, dice: random.Random) -> None:
    begin_again(table)
    table.seeds.next_deal(dice.choice([ACE_UP, EIGHTS, QUIET]))
    for guest in dice.choices(PEOPLE, k=6):
        lay(table, guest, dice)
    at = (table.view.game, table.view.round_number)
    while table.view.phase != "over" and (table.view.game, table.view.round_number) == at:
        with suppress(EngineError, Refused):
            step = mischief if dice.random() < 0.06 else answer
            step(table, dice)


def begin_again(table: Friends) -> None:
    if table.view.phase == "over":
        for guest in (ALICE, BOB, CAROL):
            if table.own(guest).seat is not None:
                table.command(guest, "ready", ready="1")
        table.command(next(guest for guest in PEOPLE if table.own(guest).host), "start")
    elif not table.seated():
        table.sit(ALICE, 1)
        table.sit(BOB, 2)


def mischief(table: Friends, dice: random.Random) -> None:
    guest = dice.choice(PEOPLE)
    match dice.choice(["time", "time", "away", "here", "restart", "void", "gone", "sit"]):
        case "time" if table.row.deadline:
            table.run_out()
        case "away":
            presence.depart(table.code, guest)
            table.clock.advance(3)
            services.tidy()
        case "here":
            presence.arrive(table.code, guest)
        case "restart":
            table.forget()
        case "void":
            services.void_round(table.code)
        case "gone":
            table.command(guest, "resign" if table.view.kind == "match" else "leave")
        case "sit":
            table.sit(guest, dice.choice([1, 2, 3, 5]))


def lay(table: Friends, guest: str, dice: random.Random) -> None:
    backing = table.own(guest).backing
    if backing is not None and backing.open and backing.boxes:
        box = dice.choice(backing.boxes).box
        bet, pair = dice.choice([("50", "10"), ("100", ""), ("", "20"), ("300", ""), ("10", "10")])
        with suppress(EngineError, Refused):
            table.send(guest, action="back", ask=backing.ask, seat=str(box), amount=bet, pair=pair)


def answer(table: Friends, dice: random.Random) -> None:
    """Whoever is asked answers; where nobody is the time runs out."""
    asked = [
        (guest, ask)
        for guest in PEOPLE
        for ask in table.own(guest).asks
        if ask.kind != "bet" or not any(one.action == "take_back" and one.enabled for one in ask.options)
    ]
    if not asked:
        mischief(table, dice) if table.row.deadline is None else table.run_out()
        return
    guest, ask = dice.choice(asked)
    options = [one.action for one in ask.options if one.enabled]
    likely = [one for one in ("bet", "split", "double", "follow", "insure") if one in options]
    action = dice.choice(likely) if likely and dice.random() < 0.7 else dice.choice(options)
    bet = {"amount": dice.choice(["10", "50"]), "pair": dice.choice(["", "10"])}
    table.send(guest, action=action, ask=ask.ask, **(bet if action == "bet" else {}))


def check_standing(table: Friends) -> None:
    """What the page of the running game tells is what the table holds."""
    live = table.seen().game
    game = Game.objects.filter(table__code=table.code, number=live.number).first()
    if game is None:
        return
    told = {one.stack: one for one in game.players.all()}
    for purse in live.purses:
        row = told.get(purse.stack)
        assert (row is not None) >= bool(purse.backed)
        if row is not None:
            assert (row.chips, row.highest, row.refills, row.backed) == (
                purse.chips, purse.highest, purse.refills, purse.backed,
            )  # fmt: skip


def check_rounds(game: Game, played: dict[tuple[int, int], RoundFinished]) -> None:
    rules = Rules.from_json(game.rules)
    players, shoes = list(game.players.all()), list(game.shoes.all())
    won = {one.stack: 0 for one in players}
    backed = dict(won)
    for row in game.played.all():
        event, record = played[game.number, row.number], record_of(row)
        state = record.replay(rules)
        assert state == event.round
        assert row.record["chips_after"] == event.chips
        shown = history.told(rules, shoes, history.replayed_round(game, rules, players, shoes, row))
        brought = Counter[str]()
        for crowd in shown.crowds.values():
            for one in crowd.backers:
                brought[one.bet.stack] += one.bet.net
                won[one.bet.stack] += one.bet.net
        check_chips(row, state, brought)
        for stack in {laid.backer for laid in record.behind}:
            backed[stack] += 1
    assert won == {one.stack: one.won_behind for one in players}
    assert backed == {one.stack: one.backed for one in players}


def check_chips(row: Round, state: RoundState | None, brought: Mapping[str, int]) -> None:
    """What a stack held before and after is what its bets behind and its own brought."""
    record = record_of(row)
    resigned = {record.stacks.get(seat, str(seat)) for seat, _ in record.resigned}
    for stack, had in record.chips.items():
        own = 0
        for box in state.boxes if state else ():
            if box.stack == stack and not record.void:
                stakes = [hand.stakes[0] for hand in box.hands]
                # A game that ends in mid-round gives back what is not decided.
                own += sum(stake.paid - stake.bet for stake in stakes if stake.paid is not None)
                sides = [side for side in (box.insurance, box.pair) if side and side.paid is not None]
                own += sum((side.paid or 0) - side.bet for side in sides)
        if stack not in resigned:
            assert row.record["chips_after"][stack] == had + own + brought[stack]
