"""The page of a stored game: what it brought to everybody, the chips over the rounds, its rounds in lines."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from xml.etree import ElementTree

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.game import Kind, RoundFinished
from engine.rules import PRESETS
from tables import chart, figures, history, services
from tables.figures import Stored
from tables.models import Game, Round, Table
from tests.engine.evenings import evenings
from tests.tables.conftest import Play
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, START, Friends
from tests.tables.stored_games import games
from tests.tables.test_backed_games import back, backed, deal, done, finish, live
from tests.tables.test_pages import browser
from tests.tables.test_replay import as_stored

__all__ = ["backed", "live"]


def page_of(table: Friends) -> history.GamePage:
    return history.game_page(Game.objects.get(table__code=table.code, number=1), code="")


def of(table: Friends, name: str) -> figures.Player:
    return next(one for one in page_of(table).players if one.name == name)


# Figures


def test_a_split_and_a_double_by_hand(playing: Friends) -> None:
    playing.deal("8 low mid 8 low ? 3 ? T", 100, 50)
    playing.answer(ALICE, "split")
    playing.answer(ALICE, "double")
    playing.stand()
    alice = of(playing, "Alice")
    assert (alice.rounds, alice.bet) == (1, 100)
    assert alice.won + alice.lost + alice.pushed == 2
    assert alice.net == playing.chips()[0] - 1_000
    assert alice.best == alice.worst == figures.Best(alice.net, 1)


def test_a_bust_is_a_hand_lost(playing: Friends) -> None:
    playing.deal("T low mid 6 low ? T")
    playing.answer(ALICE, "hit")
    playing.stand()
    alice = of(playing, "Alice")
    assert (alice.lost, alice.busts, alice.won, alice.net) == (1, 1, 0, -100)


def test_a_blackjack_of_who_plays_alone(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "openseat", cards="A mid T")
    (alice,) = page_of(table).players
    assert (alice.won, alice.blackjacks, alice.bet, alice.net) == (1, 1, 10, 15)
    assert (alice.best, alice.worst) == (figures.Best(15, 1), figures.Best(15, 1))


def test_a_pair_is_told_apart_from_the_hand(playing: Friends) -> None:
    playing.reseed("8 low mid 8 low mid")
    playing.answer(ALICE, "bet", amount="100", pair="20")
    playing.answer(BOB, "bet", amount="50", pair="10")
    playing.stand()
    alice, bob = of(playing, "Alice"), of(playing, "Bob")
    assert (alice.pair, alice.bet, alice.net - alice.pair) == (220, 100, (alice.won - alice.lost) * 100)
    assert bob.pair in (-10, 110)


def test_a_surrender_and_insurance(table_of: Play) -> None:
    table = table_of(Kind.SOLO, "classic6", cards="T A 6")
    table.answer(ALICE, "insure")
    table.answer(ALICE, "surrender")
    (alice,) = page_of(table).players
    assert (alice.surrenders, alice.won, alice.lost, alice.pushed) == (1, 0, 0, 0)
    assert alice.insurance in (-5, 10)
    assert alice.net == alice.insurance - 5


def test_a_void_round_is_no_round_of_anybody(playing: Friends) -> None:
    playing.deal("low low mid low low")
    services.void_round(playing.code)
    page = page_of(playing)
    assert page.players == []
    assert [(one.number, one.void, one.dealer, one.nets) for one in page.rounds_list] == [(1, True, None, [])]


def test_who_resigned_lost_what_lay_there(friends: Friends) -> None:
    friends.command(CAROL, "sit", seat="3")
    friends.start(BOB, CAROL)
    friends.reseed("low low low mid low low low")
    for guest in (ALICE, BOB, CAROL):
        friends.bet(guest, 100)
    friends.command(ALICE, "resign")
    friends.stand()
    alice = of(friends, "Alice")
    assert (alice.lost, alice.won, alice.net) == (1, 0, -100)


def test_bets_behind_are_told_beside_what_was_played(live: Friends) -> None:
    back(live, CAROL, 1, 50)
    live.bet(ALICE)
    live.bet(BOB)
    done(live)
    finish(live)
    page = page_of(live)
    assert {one.name for one in page.players} == {"Alice", "Bob"}
    (line,) = page.rounds_list
    assert line.behind == page.backers[0].net
    assert line.nets == [(one.name, one.net) for one in page.players]


def chips_of(finished: RoundFinished) -> Counter[str]:
    """What a round brought to each stack by what it then held."""
    return Counter({stack: finished.chips[stack] - held for stack, held in finished.record.chips.items()})


def test_what_figures_say_is_what_the_stacks_gained_and_the_bank_lost() -> None:
    hands = Counter[str]()
    for told in evenings(60, 80):
        for before, finished in told.rounds:
            state = as_stored(before, finished)
            sums = figures.of_round(state)
            net = Counter({stack: one.get("net", 0) for stack, one in sums["played"].items()})
            net.update(sums["behind"])
            assert +net == +chips_of(finished)
            assert -net == -chips_of(finished)
            for one in sums["played"].values():
                hands.update(one)
                assert all(one.values())
            dealt = finished.round is not None and not finished.record.void
            assert (sums["dealer"] is not None) is dealt
    assert min(hands[name] for name in ("won", "lost", "pushed", "busts", "blackjacks", "surrenders")) > 5


def test_rounds_from_before_there_were_figures_are_played_again(playing: Friends) -> None:
    for _ in range(3):
        playing.round(ALICE, BOB)
    page = page_of(playing)
    for row in Round.objects.all():
        del row.record["figures"]
        row.save()
    assert page_of(playing) == page


def test_the_queries_of_a_game_do_not_grow_with_its_rounds(playing: Friends) -> None:
    counts = []
    for _ in range(2):
        for _ in range(4):
            playing.round(ALICE, BOB)
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(f"/games/{Game.objects.get().pk}/").status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1] < 8


# The chart


def stored(*chips: tuple[dict[str, int], dict[str, int]]) -> list[Stored]:
    return [
        Stored(
            number,
            False,
            before,
            after,
            {"dealer": None, "played": {stack: {} for stack in before}, "behind": {}},
        )
        for number, (before, after) in enumerate(chips, 1)
    ]


def drawn(*chips: tuple[dict[str, int], dict[str, int]]) -> chart.Chart:
    found = chart.chart(figures.summary(stored(*chips), {"1": "Ann", "2": "Bob"}), PRESETS["openseat"])
    assert found is not None
    return found


def test_a_line_goes_through_the_chips_after_each_round() -> None:
    found = drawn(({"1": 1_000, "2": 1_000}, {"1": 1_100, "2": 900}), ({"1": 1_100}, {"1": 1_000, "2": 900}))
    assert [(one.name, one.held) for one in found.lines] == [
        ("Ann", [1_000, 1_100, 1_000]),
        ("Bob", [1_000, 900, 900]),
    ]
    assert [one.value for one in found.across] == [900, 1_000, 1_100]
    assert found.lines[0].points == "0,500 1,0 2,500"
    assert [(row.round, row.chips) for row in found.rows] == [(1, [1_100, 900]), (2, [1_000, 900])]


def test_a_fresh_stack_is_marked_where_it_came() -> None:
    found = drawn(({"1": 1_000}, {"1": 0}), ({"1": 1_000}, {"1": 900}))
    (line,) = found.lines
    assert line.held == [1_000, 0, 900]
    assert line.points == "0,0 1,1000 1,0 2,100"
    assert line.fresh == ["1,0"]


def test_who_came_later_has_a_line_from_then_on() -> None:
    found = drawn(({"1": 1_000}, {"1": 1_000}), ({"1": 1_000, "2": 1_000}, {"1": 1_100, "2": 900}))
    assert [one.held for one in found.lines] == [[1_000, 1_000, 1_100], [None, 1_000, 900]]


def test_labels_keep_apart_and_inside() -> None:
    names = {str(number): f"N{number}" for number in range(7)}
    rounds = stored((dict.fromkeys(names, 1_000), {**dict.fromkeys(names, 900), "0": 2_000}))
    found = chart.chart(figures.summary(rounds, names), PRESETS["openseat"])
    assert found is not None
    places = sorted(line.label_at for line in found.lines)
    assert all(later - earlier >= chart.LABEL for earlier, later in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= chart.TOP + chart.PIXELS


def test_a_hundred_players_leave_seven_lines() -> None:
    names = {str(number): f"N{number}" for number in range(100)}
    rounds = stored((dict.fromkeys(names, 1_000), dict.fromkeys(names, 1_000)))
    found = chart.chart(figures.summary(rounds, names), PRESETS["openseat"])
    assert found is not None
    assert (len(found.lines), found.left_out) == (chart.LINES, 93)


def test_the_drawing_is_well_formed_and_has_no_style_of_its_own(playing: Friends) -> None:
    services.join(playing.code, CAROL, "<b>&", sit=False)
    for _ in range(3):
        playing.round(ALICE, BOB)
    html = (
        Client().get(f"/games/{Game.objects.get().pk}/", headers={"accept-language": "uk"}).content.decode()
    )
    drawing = re.search(r'<div class="chart".*?</div>', html, re.DOTALL)
    assert drawing is not None
    root = ElementTree.fromstring(drawing[0])  # noqa: S314
    assert not [one for one in root.iter() if "style" in one.attrib]
    assert len(root.findall(".//polyline")) == 2
    assert root.get("role") == "img"
    for name in (root.get("aria-labelledby") or "").split():
        assert html.count(f'id="{name}"') == 1
    assert [one.text for one in root.findall(".//foreignObject/bdi")] == ["Alice", "Bob"]


def test_the_amounts_beside_the_lines_have_the_room_they_need() -> None:
    few = drawn(({"1": 10}, {"1": 12}))
    many = drawn(({"1": 10}, {"1": 1_200_000}))
    assert [max(one.value for one in found.across) for found in (few, many)] == [12, 1_500_000]
    assert (few.gutter, many.gutter) == ("1.74em", "6.08em")


# The page


def test_rounds_are_lines_that_lead_to_their_replays(playing: Friends) -> None:
    playing.round(ALICE, BOB)
    for guest in (ALICE, BOB):
        playing.answer(guest, "sit_out")
    game = Game.objects.get().pk
    html = Client().get(f"/games/{game}/").content.decode()
    for number in (1, 2):
        assert f'href="/games/{game}/{number}/"' in html
    assert "Nobody bet" in html
    assert re.search(r"Dealer \d\d|Dealer: blackjack", html)


def test_a_round_says_who_sat_out_and_who_played_another_box_did_not(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, boxes=3, boxes_per_player=2)
    table.command(BOB, "sit", seat="3")
    table.round(ALICE, BOB)
    table.round(BOB)
    lines = page_of(table).rounds_list
    told = [(sorted({name for name, _ in line.nets}), line.sat_out) for line in lines]
    assert told == [(["Alice", "Bob"], []), (["Bob"], ["Alice"])]
    html = Client().get(f"/games/{Game.objects.get().pk}/").content.decode()
    assert html.count("Sat out: <bdi>Alice</bdi></span>") == html.count("Sat out:") == 1


def test_a_loss_is_marked_as_one_also_where_it_leads_to_its_round(playing: Friends) -> None:
    playing.deal("T low mid 6 low ? T")
    playing.answer(ALICE, "hit")
    playing.stand()
    html = Client().get(f"/games/{Game.objects.get().pk}/").content.decode()
    links = re.findall(r'<dd><a( class="net-down")? href="[^"]*"[^>]*>([^<]*)</a>', html)
    assert (' class="net-down"', "−100") in links
    assert all(bool(marked) == net.startswith("−") for marked, net in links)


def test_a_game_leads_back_to_its_table_and_to_its_own_rules(table_of: Play) -> None:
    table = table_of(Kind.OPEN, "casino8", BOB, min_bet=20, bet_step=20)
    table.round(ALICE, BOB, amount=20)
    game = Game.objects.get().pk
    html = Client().get(f"/games/{game}/").content.decode()
    assert f'href="/t/{table.code}/"' in html
    assert f'href="/games/{game}/rules/"' in html
    rules = Client().get(f"/games/{game}/rules/")
    assert rules.status_code == 200
    text = rules.content.decode()
    assert "Rules of this game" in text
    assert f'href="/games/{game}/"' in text
    assert "Open a table" not in text.split("<main")[1]
    assert Client().get("/games/nonesuch/rules/").status_code == 404


def test_a_running_round_changes_nothing_on_the_page(backed: Friends) -> None:
    backed.round(ALICE, BOB)
    before = page_of(backed)
    back(backed, CAROL, 1, 50)
    deal(backed)
    assert page_of(backed) == before


# Where it leads


def text_of(game: str, guest: str | None = None) -> str:
    """Its page without what is new with each request."""
    html = browser(guest).get(f"/games/{game}/").content.decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)


def test_the_names_of_a_listed_game_lead_to_the_games_of_that_nickname(db: None) -> None:
    name = "a&b=<i> Ж"
    (listed,) = games(names=(name, "Bob"), backers=("Carol",))
    (secret,) = games(names=(name, "Bob"), listed=False)
    html = text_of(listed.id)
    for path in re.findall(r'href="(/games/\?player=[^"]*)"', html):
        assert [game.id for game in Client().get(path).context["games"]] == [listed.id]
    assert html.count('href="/games/?player=') == 3
    assert "?player=" not in text_of(secret.id)


def beside(game: str, guest: str | None = None) -> list[tuple[str, str]]:
    return re.findall(r'href="/games/([\w-]+)/" rel="(prev|next)"', text_of(game, guest))


def test_a_game_leads_to_all_games_to_those_of_its_table_and_to_the_ones_beside_it(db: None) -> None:
    first, second, third = games(3)
    games(1, table_code="abcdefghjkmn22")
    (running,) = games(1, finished=None, outcome="running")
    Game.objects.filter(pk=running.pk).update(dated=None)
    assert beside(first.id) == [(second.id, "next")]
    assert beside(second.id) == [(first.id, "prev"), (third.id, "next")]
    assert beside(third.id) == [(second.id, "prev")]
    assert beside(running.id) == [(third.id, "prev")]
    html = text_of(second.id)
    assert '<a href="/games/">All games</a>' in html
    assert '<a href="/t/abcdefghjkmn23/games/">Games of this table</a>' in html


def test_a_link_only_table_is_told_to_who_took_part_alone_also_when_it_is_gone(
    table_of: Play,
) -> None:
    table = table_of(Kind.MATCH, "openseat", BOB)
    Table.objects.update(listed=False)
    table.start()
    table.round(ALICE, BOB)
    table.command(BOB, "resign")
    Game.objects.update(listed=False)
    game = Game.objects.get().pk
    (other,) = games(1, table_code=table.code, listed=False, dated=START - timedelta(days=1))
    for there in (True, False):
        if not there:
            Table.objects.all().delete()
        for guest in (ALICE, BOB):
            html = text_of(game, guest)
            assert f'href="/t/{table.code}/games/"' in html
            assert (f'href="/t/{table.code}/"' in html) is there
            assert beside(game, guest) == [(other.id, "prev")]
        for stranger in (None, MALLORY):
            html = text_of(game, stranger)
            assert table.code not in html
            assert other.id not in html
            assert '<a href="/games/">All games</a>' in html


def test_a_listed_game_leads_no_stranger_to_games_that_became_link_only(playing: Friends) -> None:
    playing.round(ALICE, BOB)
    playing.command(BOB, "resign")
    game = Game.objects.get()
    Game.objects.update(listed=True)
    later, last = games(2, table_code=playing.code, dated=START + timedelta(days=900))
    Game.objects.filter(pk=later.pk).update(listed=False)
    assert beside(game.pk, ALICE) == [(later.id, "next")]
    assert beside(game.pk, MALLORY) == [(last.id, "next")]
    assert f'href="/t/{playing.code}/games/"' in text_of(game.pk, ALICE)
    assert f'href="/t/{playing.code}/games/"' not in text_of(game.pk, MALLORY)
    # The table itself was made link-only after that game.
    Game.objects.filter(pk=later.pk).delete()
    assert playing.code in text_of(game.pk, MALLORY)
    Table.objects.update(listed=False)
    assert playing.code not in text_of(game.pk, MALLORY)
    assert f'href="/t/{playing.code}/"' in text_of(game.pk, ALICE)


def test_a_listed_table_that_is_gone_still_leads_to_its_games(playing: Friends) -> None:
    playing.round(ALICE, BOB)
    playing.command(BOB, "resign")
    game = Game.objects.get()
    Game.objects.update(listed=True)
    Table.objects.all().delete()
    html = text_of(game.pk)
    assert f'href="/t/{playing.code}/games/"' in html
    assert f'href="/t/{playing.code}/"' not in html
    assert Client().get(f"/t/{playing.code}/games/").status_code == 200


def test_the_queries_of_a_game_do_not_grow_with_those_beside_it(db: None) -> None:
    counts = []
    for _ in range(2):
        row = games(3, guests=(ALICE,))[1]
        games(40)
        with CaptureQueriesContext(connection) as captured:
            assert len(beside(row.id, ALICE)) == 2
        counts.append(len(captured))
    assert counts[0] == counts[1] < 8
