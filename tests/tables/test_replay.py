"""A stored round step by step: what a step shows and says, the same however one comes to it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.game import Game as GameState
from engine.game import RoundFinished
from engine.shown import CardView, LogLine, PublicView
from engine.views import public_view
from tables import codec, history, nicknames, replay_pages, replay_words, services
from tables.models import Game, GamePlayer
from tables.replay import Replay, Step
from tables.words import Voice
from tests.engine.evenings import evenings
from tests.tables.friends import ALICE, BOB, CAROL, Friends
from tests.tables.test_backed_games import back, backed, come_behind, deal, done, finish, live

__all__ = ["backed", "live"]

EIGHTS = "8 low mid 8 low"


def as_stored(before: GameState, finished: RoundFinished) -> GameState:
    """The round as it is read from what is stored of it."""
    players = [
        GamePlayer(
            stack=one.stack, player=one.player, nickname=one.name, chips=one.chips, highest=one.highest
        )
        for one in before.purses
    ]
    game = Game(kind=before.kind.value, rounds=before.rounds, number=before.number)
    notes = [codec.write_note(note) for note in finished.notes]
    stored = {"notes": notes, "chips_after": finished.chips}
    return history.replayed(game, before.rules, players, finished.record, stored)


def rounds(number: int) -> Iterator[GameState]:
    for told in evenings(number, 80):
        for before, finished in told.rounds:
            yield as_stored(before, finished)


def cards(view: PublicView) -> list[CardView]:
    hands = [hand.cards for seat in view.seats for hand in seat.hands]
    return [card for hand in [*hands, view.dealer.cards if view.dealer else ()] for card in hand]


def test_a_step_is_the_same_by_stepping_jumping_and_going_back() -> None:
    dice = random.Random(5)
    kinds: Counter[str] = Counter()
    for state in rounds(100):
        replay = Replay(state)
        forwards = list(replay.views())
        backwards = [replay.view(number) for number in reversed(range(len(replay.steps)))]
        assert forwards == backwards[::-1]
        jump = dice.randrange(len(forwards))
        assert Replay(state).view(jump) == forwards[jump]
        assert forwards[-1] == public_view(state)
        kinds.update(step.kind for step in replay.steps)
        check_steps(replay, forwards)
    assert kinds["over"] > 300
    assert min(kinds.values()) > 3, kinds


def check_steps(replay: Replay, views: list[PublicView]) -> None:
    steps = replay.steps
    assert steps[-1].kind == "over"
    assert steps[-1].notes == len(replay.game.notes)
    assert [step.after for step in steps] == sorted(step.after for step in steps)
    for step, (earlier, later) in zip(steps[1:], pairwise(views), strict=True):
        known = {card.id: card for card in cards(earlier)}
        now = {card.id: card for card in cards(later)}
        assert known.keys() <= now.keys()
        # One card at a time; a hole card that is turned over is the same card.
        assert len(now) - len(known) <= 1
        new = {card.id for card in now.values() if card.rank} - {c.id for c in known.values() if c.rank}
        assert len(new) <= 1
        assert step.kind == "over" or all(seat.net is None for seat in later.seats)
    for seat in views[-1].seats:
        assert not seat.hands or seat.net is not None
    voice = Voice()
    for step in steps:
        assert step.kind == "over" or replay_words.lines(step, replay.game, voice), step
        assert all(replay_words.lines(step, replay.game, voice)), step


def test_the_pieces_of_a_page_make_every_other_step_of_it() -> None:
    for state in list(rounds(12))[::9]:
        told = history.told(state.rules, [], state)
        last = len(Replay(state).steps) - 1
        pages = [replay_pages.page_of(state, told, number) for number in range(last + 1)]
        first = pages[0]
        assert first is not None
        for number, page in enumerate(pages):
            assert page is not None
            for piece, other in zip(page.pieces, first.pieces, strict=True):
                assert piece.variants == other.variants
                assert piece.now == [one for one in other.variants if one.step <= number][-1]
        assert replay_pages.page_of(state, told, last + 1) is None
        assert replay_pages.page_of(state, told, -1) is None


def steps_of(table: Friends, number: int = 1) -> list[str]:
    """What the page of a round says, step by step."""
    game = Game.objects.get(table__code=table.code, number=1)
    page = Client().get(f"/games/{game.id}/{number}/").context["replay"]
    return [" | ".join([step.title] * bool(step.title) + step.lines) for step in page.steps]


def test_a_round_in_words(playing: Friends) -> None:
    playing.deal("8 low mid 8 low mid ? ?")
    playing.answer(ALICE, "split")
    while playing.view.waiting_for == (1,):
        playing.answer(ALICE, "stand")
    playing.stand()
    said = steps_of(playing)
    assert said[0] == "Bets | Alice: bet 100 | Bob: bet 100"
    assert said[1].startswith("Alice gets 8")
    assert said[6] == "Dealer takes a face-down card"
    assert said[7] == "Alice splits"
    assert said[-1].startswith("Result | Alice, hand 1: ")


def test_what_backers_do_alike_is_one_step(backed: Friends) -> None:
    come_behind(backed, 12)
    back(backed, CAROL, 1, 50, 10)
    deal(backed, EIGHTS)
    backed.answer(ALICE, "split")
    backed.answer(CAROL, "follow")
    finish(backed)
    said = steps_of(backed)
    assert "Behind Alice: 780 (13 backers)" in said[0]
    assert any("Behind Alice: pair +" in line and "(13 backers)" in line for line in said)
    followed = next(line for line in said if "followed" in line)
    assert "Behind Alice: followed with 50 (Carol)" in followed
    assert "Behind Alice: not followed (12 backers)" in followed
    assert "Behind Alice: " in said[-1]


def test_a_void_round_ends_with_every_bet_back(playing: Friends) -> None:
    playing.deal("low low mid low low")
    services.void_round(playing.code)
    game = Game.objects.get()
    page = Client().get(f"/games/{game.id}/1/").context["replay"]
    assert page.steps[-1].lines == ["The staff made the round void: every bet went back"]
    assert "Returned" in page.seats[0].variants[-1].html
    assert "Returned" not in "".join(one.html for one in page.seats[0].variants[:-1])


def test_a_round_that_its_game_broke_off(playing: Friends) -> None:
    playing.deal("low low mid low low")
    playing.command(ALICE, "resign")
    said = steps_of(playing)
    assert said[-1] == "Result | Alice resigned | The game ended here: the bets that were open went back."


def test_a_round_that_everybody_sat_out(playing: Friends) -> None:
    for guest in (ALICE, BOB):
        playing.answer(guest, "sit_out")
    (said,) = steps_of(playing)
    assert said.endswith("Nobody bet in this round.")


def test_who_resigned_is_not_told_a_win(friends: Friends) -> None:
    friends.command(CAROL, "sit", seat="3")
    friends.start(BOB, CAROL)
    friends.reseed("low low low mid low low low")
    for guest in (ALICE, BOB, CAROL):
        friends.bet(guest, 100)
    friends.command(ALICE, "resign")
    friends.stand()
    said = steps_of(friends)
    assert "Alice resigned" in said
    assert "Alice: Resigned \N{MINUS SIGN}100" in said[-1]


def test_every_step_is_a_page_of_its_own(playing: Friends) -> None:
    playing.deal("8 low mid 8 low mid ? ?")
    playing.answer(ALICE, "split")
    playing.stand()
    game = Game.objects.get()
    last = Client().get(f"/games/{game.id}/1/").context["replay"].last
    for step in range(last + 1):
        page = Client().get(f"/games/{game.id}/1/{step}/")
        html = page.content.decode()
        assert page.status_code == 200
        assert f'data-step="{step}" data-url="/games/{game.id}/1/"' in html
        assert len(re.findall('aria-current="step"', html)) == 1
        assert "ws-connect" not in html
        assert "<form" not in html.split("<footer")[0]


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("1/999/", "This round has no such step"),
        ("1/99999999999999999999999999/", "This round has no such step"),
        ("2/", "This game has no such round"),
        ("0/", "This game has no such round"),
        ("99999999999999999999999999/", "This game has no such round"),
        ("2/0/", "This game has no such round"),
        ("-1/", "There is nothing at this address"),
        ("1/-1/", "There is nothing at this address"),
        ("1/x/", "There is nothing at this address"),
        ("01/", "There is nothing at this address"),
        ("01/0/", "There is nothing at this address"),
        ("1/0001/", "There is nothing at this address"),
        ("1/00/", "There is nothing at this address"),
        ("01/last/", "There is nothing at this address"),
        ("1/\N{DIGIT ONE}\N{SUPERSCRIPT TWO}/", "There is nothing at this address"),
    ],
)
def test_what_there_is_not_is_said_in_words(playing: Friends, path: str, says: str) -> None:
    playing.round(ALICE, BOB)
    playing.deal("low low mid low low")
    game = Game.objects.get()
    page = Client().get(f"/games/{game.id}/{path}")
    assert page.status_code == 404
    assert says in page.content.decode()


def test_nothing_of_a_running_round_and_no_seed_of_a_shoe_in_use(live: Friends) -> None:
    live.round(ALICE, BOB)
    live.bet(ALICE)
    live.bet(BOB)
    done(live)
    state = live.seen().game
    assert state.shoe is not None
    assert state.shoe.spare is not None
    game = Game.objects.get()
    for path in ("", "1/", "1/5/", "2/", "2/1/"):
        html = Client().get(f"/games/{game.id}/{path}").content.decode()
        assert state.shoe.seed.hex() not in html
        assert state.shoe.spare.hex() not in html
        assert state.round is not None
        for box in state.round.boxes:
            for place in box.hands[0].places:
                assert f's{state.shoe.number}c{state.shoe.dealt + place}"' not in html


def test_the_queries_of_a_round_do_not_grow(playing: Friends) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            playing.round(ALICE, BOB)
        game = Game.objects.get()
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(f"/games/{game.id}/2/3/").status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1] < 10


def test_names_are_told_as_they_were_typed(backed: Friends) -> None:
    services.join(backed.code, CAROL, "<b>&Carol", sit=False)
    back(backed, CAROL, 1)
    deal(backed)
    finish(backed)
    html = Client().get(f"/games/{Game.objects.get().id}/1/").content.decode()
    assert "&lt;b&gt;&amp;Carol" in html
    assert "<b>&" not in html


def test_a_name_from_the_right_turns_no_sentence_around(backed: Friends) -> None:
    name = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET} 7"
    services.join(backed.code, CAROL, name, sit=False)
    back(backed, CAROL, 1)
    deal(backed)
    finish(backed)
    game = Game.objects.get().id
    isolated = f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    assert f"Behind Alice: 50 ({isolated})" in steps_of(backed)[0]
    assert "\N{FIRST STRONG ISOLATE}" not in Client().get(f"/games/{game}.txt").content.decode()


def test_a_name_with_two_boxes_is_told_with_its_box_however_it_is_written() -> None:
    name = "\N{HEBREW LETTER ALEF}"
    step = replay_words.marked(Step("Stood", 0, 0, (LogLine("stood", 2, name, total=17),)))
    voice = Voice(frozenset({replay_words.mark(name)}))
    assert [replay_words.plain(line) for line in replay_words.lines(step, next(rounds(1)), voice)] == [
        "\N{FIRST STRONG ISOLATE}\N{HEBREW LETTER ALEF}\N{POP DIRECTIONAL ISOLATE}, box 2 stands on 17"
    ]


def test_the_names_of_a_sentence_stand_apart_from_its_figures(backed: Friends) -> None:
    """A long name gets shorter where there is no room, and the figure behind it does not."""
    back(backed, CAROL, 1)
    deal(backed)
    finish(backed)
    html = Client().get(f"/games/{Game.objects.get().id}/1/").content.decode()
    for line in (
        "<bdi>Alice</bdi><span>: bet 100</span>",
        "<span>Behind </span><bdi>Alice</bdi><span>: 50 (</span><bdi>Carol</bdi><span>)</span>",
    ):
        assert f'<span class="step-line">{line}</span>' in html
    assert replay_words.NAME not in html
    assert nicknames.forbidden(replay_words.NAME)


def test_every_shape_of_a_piece_has_its_room_from_the_first_step_on() -> None:
    for state in list(rounds(12))[::9]:
        page = replay_pages.page_of(state, history.told(state.rules, [], state), 0)
        assert page is not None
        for piece in page.pieces:
            for variant in piece.variants:
                for said in re.findall(r'class="(?:seat-side|net|outcome)[^>]*>([^<]+)', variant.html):
                    assert any(f'data-text="{said}"' in mould for mould in piece.moulds)
            # Nothing of it is found, read or jumped to.
            assert not re.search(r' id=| data-card| aria-|class="card ', "".join(piece.moulds))
            assert not re.search(r">[^<>]*[^<>\s]", "".join(piece.moulds))


def test_what_a_step_has_no_room_for_is_counted() -> None:
    def line(*said: str) -> tuple[str, str]:
        step = replay_pages.StepLine(0, "Bets", list(said), "", 0)
        return step.more, step.more_wide

    assert line("one", "two") == ("", "")
    assert line("one", "w" * 50) == ("\N{HORIZONTAL ELLIPSIS}", "")
    assert line("one", "two", "three") == ("+1", "")
    assert line(*"123456789") == ("+7", "+3")


def test_the_ends_of_a_round_and_of_a_game(playing: Friends) -> None:
    for _ in range(3):
        playing.round(ALICE, BOB)
    game = Game.objects.get().id
    last = [Client().get(f"/games/{game}/{number}/").context["replay"].last for number in (1, 2, 3)]
    for number, end in enumerate(last, 1):
        response = Client().get(f"/games/{game}/{number}/last/")
        assert (response.status_code, response["location"]) == (302, f"/games/{game}/{number}/{end}/")
    assert Client().get(f"/games/{game}/4/last/").status_code == 404

    def links(number: int, step: int) -> dict[str, str]:
        html = Client().get(f"/games/{game}/{number}/{step}/").content.decode()
        found = re.findall(r'<a [^>]*id="to-(\w+)"[^>]*>', html), re.findall(r'<a [^>]*id="to-[^>]*>', html)
        return {
            name: re.search(r' href="([^"]*)"', tag)[1]  # type: ignore[index]
            + (" dim" if 'aria-disabled="true"' in tag else "")
            for name, tag in zip(*found, strict=True)
        }

    first, end = links(2, 0), links(2, last[1])
    assert first["previous"] == f"/games/{game}/1/last/"
    assert first["next"] == f"/games/{game}/2/1/"
    assert end["next"] == f"/games/{game}/3/0/"
    assert end["previous"] == f"/games/{game}/2/{last[1] - 1}/"
    assert links(1, 0)["previous"].endswith(" dim")
    assert links(3, last[2])["next"].endswith(" dim")


def test_both_ways_between_rounds_are_always_there(playing: Friends) -> None:
    for _ in range(3):
        playing.round(ALICE, BOB)
    game = Game.objects.get().id
    for number, ways in ((1, (False, True)), (2, (True, True)), (3, (True, False))):
        html = Client().get(f"/games/{game}/{number}/").content.decode()
        nav = html.partition('class="replay-rounds"')[2].partition("</nav>")[0]
        found = re.findall(r"<a [^>]*>", nav)
        assert tuple(" href=" in one for one in found) == ways
        assert tuple('aria-disabled="true"' not in one for one in found) == ways
