from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tables import presence
from tables.identity import COOKIE, cookie_of
from tables.limits import guesses
from tables.models import Guest, Participant, Presence
from tests.tables.friends import ALICE, BOB, CAROL, MALLORY, Friends

PREVIEW = "TelegramBot (like TwitterBot)"


def browser(guest: str | None = None, agent: str = "Mozilla/5.0") -> Client:
    client = Client(headers={"user-agent": agent})
    if guest is not None:
        client.cookies[COOKIE] = cookie_of(guest)
    return client


def test_the_table_page_works_from_its_link_alone(friends: Friends) -> None:
    page = browser().get(f"/t/{friends.code}/")
    assert page.status_code == 200
    assert page.context["nickname"] == ""
    assert 'name="join"' in page.content.decode()


@pytest.mark.parametrize(("join", "seat"), [("sit", 3), ("watch", None)])
def test_a_friend_gives_a_name_and_sits_or_watches(friends: Friends, join: str, seat: int | None) -> None:
    client = browser(MALLORY)
    answer = client.post(f"/t/{friends.code}/", {"name": "Ira", "join": join})
    assert answer.status_code == 302
    assert friends.own(MALLORY).seat == seat


@pytest.mark.parametrize("name", ["", "Bob", "x" * 21, "a\u200bb", "\u202eevil"])
def test_a_name_that_will_not_do_is_refused_on_the_page(friends: Friends, name: str) -> None:
    page = browser(MALLORY).post(f"/t/{friends.code}/", {"name": name, "join": "sit"})
    assert page.context["error"]
    assert friends.seen().player_of(MALLORY) is None


def test_a_name_shows_as_text(friends: Friends) -> None:
    name = "<svg/onload=alert()>"
    client = browser(MALLORY)
    client.post(f"/t/{friends.code}/", {"name": name, "join": "sit"})
    for path in (f"/t/{friends.code}/", "/"):
        html = browser(BOB).get(path).content.decode()
        assert name not in html
    assert "&lt;svg/onload=alert()&gt;" in browser(BOB).get(f"/t/{friends.code}/").content.decode()


def test_the_page_comes_whole_from_the_server(playing: Friends) -> None:
    playing.deal("low low mid low low")
    html = browser(ALICE).get(f"/t/{playing.code}/").content.decode()
    for number in range(1, 5):
        assert f'id="seat-{number}"' in html
    assert playing.ask(ALICE).ask in html
    assert 'data-phase="turns"' in html


def test_a_page_that_is_opened_late_shows_what_is_overdue_as_done(playing: Friends) -> None:
    playing.clock.advance(60)
    page = browser(CAROL).get(f"/t/{playing.code}/")
    assert page.context["view"].round_number == 2


def test_a_preview_makes_no_guest_and_no_presence(friends: Friends) -> None:
    guests = Guest.objects.count()
    for client, method in (
        (browser(agent=PREVIEW), "get"),
        (browser(agent=PREVIEW), "head"),
        (browser(), "head"),
    ):
        page = getattr(client, method)(f"/t/{friends.code}/")
        assert page.status_code == 200
        assert COOKIE not in page.cookies
    html = browser(agent=PREVIEW).get(f"/t/{friends.code}/").content.decode()
    assert re.search(r'property="og:title" content="Alice invites you to blackjack"', html)
    assert (Guest.objects.count(), Presence.objects.count()) == (guests, 0)


def test_looking_makes_no_guest_either(friends: Friends) -> None:
    before = Guest.objects.count()
    page = browser().get(f"/t/{friends.code}/")
    assert COOKIE in page.cookies
    assert Guest.objects.count() == before


@pytest.mark.parametrize(
    "path", ["/t/{}/", "/t/{}/games/", "/t/{}/rules/", "/t/{}/strategy/", "/t/{}/settings/"]
)
def test_an_unknown_table_is_not_found(db: None, path: str) -> None:
    assert browser().get(path.format("2" * 14)).status_code == 404
    assert browser().get(path.format("no-table")).status_code == 404


def test_guessing_codes_is_limited_by_address(friends: Friends) -> None:
    client = browser()
    for number in range(int(guesses.size) + 5):
        client.get(f"/t/{number:014}/")
    for code in (friends.code, "2" * 14):  # the answer does not tell which of them is one
        for path in ("", "games/", "rules/", "strategy/", "settings/"):
            page = client.get(f"/t/{code}/{path}")
            assert page.status_code == 429
            assert "Too many tries" in page.content.decode()
    assert browser().get(f"/t/{friends.code}/", REMOTE_ADDR="10.9.8.7").status_code == 200
    assert browser(BOB).get(f"/t/{friends.code}/").status_code == 200  # he is known at this table


def test_joining_by_code_or_by_a_whole_link(friends: Friends) -> None:
    for typed in (friends.code, friends.code.upper(), f"http://localhost/t/{friends.code}/"):
        for method in ("get", "post"):
            answer = getattr(browser(), method)("/join/", {"code": typed})
            assert answer["Location"] == f"/t/{friends.code}/"


@pytest.mark.parametrize("typed", ["hello", "2" * 14, "http://evil.example/", "💥" * 1000])
def test_a_code_that_is_none_says_so(db: None, typed: str) -> None:
    page = browser().post("/join/", {"code": typed})
    assert page.context["join_error"]


def test_the_seat_link_moves_nothing_by_being_opened(playing: Friends) -> None:
    secret = playing.person(ALICE).seat_secret
    page = browser(MALLORY).get(f"/seat/{secret}/")
    assert page.context["seat"] == 1
    assert playing.own(ALICE).seat == 1


def test_a_press_of_the_button_moves_the_seat(playing: Friends) -> None:
    secret = playing.person(ALICE).seat_secret
    client = browser()
    answer = client.post(f"/seat/{secret}/")
    assert answer["Location"] == f"/t/{playing.code}/"
    page = client.get(answer["Location"])
    assert page.context["you"].seat == 1
    assert browser(ALICE).get(f"/t/{playing.code}/").context["nickname"] == ""
    assert browser().post(f"/seat/{secret}/").status_code == 404


def test_a_seat_link_that_is_none_is_not_found(db: None) -> None:
    page = browser().get(f"/seat/{'x' * 28}/")
    assert (page.status_code, page.context["valid"]) == (404, False)


def test_only_the_owner_sees_the_seat_link(playing: Friends) -> None:
    secret = playing.person(ALICE).seat_secret
    assert secret in browser(ALICE).get(f"/t/{playing.code}/").content.decode()
    for other in (BOB, CAROL, MALLORY, None):
        assert secret not in browser(other).get(f"/t/{playing.code}/").content.decode()


@pytest.mark.parametrize(
    ("public", "network", "host", "link"),
    [
        ("", "", "localhost:8000", "http://localhost:8000"),
        ("", "http://192.168.1.5:8000", "localhost:8000", "http://192.168.1.5:8000"),
        ("", "http://192.168.1.5:8000", "127.0.0.1:8000", "http://192.168.1.5:8000"),
        ("https://play.example", "http://192.168.1.5:8000", "localhost:8000", "https://play.example"),
    ],
)
def test_a_link_made_on_localhost_is_one_that_others_can_open(
    friends: Friends, settings: object, public: str, network: str, host: str, link: str
) -> None:
    settings.PUBLIC_URL, settings.NETWORK_URL = public, network  # type: ignore[attr-defined]
    page = browser(ALICE).get(f"/t/{friends.code}/", HTTP_HOST=host)
    assert page.context["share_url"] == f"{link}/t/{friends.code}/"


def test_the_qr_code_needs_no_style(friends: Friends) -> None:
    html = browser(ALICE).get(f"/t/{friends.code}/").content.decode()
    assert "<svg" in html
    assert "style=" not in html


# Lists


def test_listed_tables_are_offered_for_watching_and_link_only_ones_are_not(open_friends: object) -> None:
    listed = open_friends(listed=True)  # type: ignore[operator]
    secret = open_friends(listed=False)  # type: ignore[operator]
    for table in (listed, secret):
        presence.arrive(table.code, ALICE)
        presence.arrive(table.code, CAROL)
    watch = browser(MALLORY).get("/").context["watch"]
    assert [(one["code"], one["host"], one["players"], one["spectators"]) for one in watch] == [
        (listed.code, "Alice", 2, 1)
    ]


def test_a_table_where_nobody_is_any_more_is_not_offered(friends: Friends) -> None:
    assert browser(MALLORY).get("/").context["watch"] == []


def test_home_leads_back_to_where_one_was(playing: Friends) -> None:
    mine = browser(BOB).get("/").context["mine"]
    assert [(one["code"], one["seat"], one["phase"]) for one in mine] == [(playing.code, 2, "betting")]
    assert browser(MALLORY).get("/").context["mine"] == []


def test_home_knows_ones_name(friends: Friends) -> None:
    assert browser(BOB).get("/").context["name"] == "Bob"


def finish(table: Friends) -> str:
    table.start()
    table.command(ALICE, "resign")
    return table.seen().stored


def test_a_finished_game_is_found_where_it_belongs(open_friends: object) -> None:
    listed, secret = open_friends(listed=True), open_friends(listed=False)  # type: ignore[operator]
    public, private = finish(listed), finish(secret)
    client = browser(MALLORY)
    assert [game.id for game in client.get("/games/").context["games"]] == [public]
    assert [game.id for game in client.get("/").context["recent"]] == [public]
    assert [game.id for game in client.get(f"/t/{secret.code}/games/").context["games"]] == [private]
    assert secret.code not in client.get(f"/games/{private}/").content.decode()
    assert secret.code in browser(BOB).get(f"/games/{private}/").content.decode()
    page = client.get(f"/games/{public}/")
    assert page.context["game"].winner == "Bob"
    assert [one.name for one in page.context["game"].standings] == ["Bob", "Alice"]


def test_an_unknown_game_is_not_found(db: None) -> None:
    assert browser().get("/games/nonesuch/").status_code == 404


def test_a_running_game_shows_its_finished_rounds_alone(playing: Friends) -> None:
    from tables.models import Game

    playing.deal("low low mid low low")
    shoe = playing.seen().game.shoe
    assert shoe is not None
    html = browser(CAROL).get(f"/games/{Game.objects.get().pk}/").content.decode()
    assert shoe.seed.hex() not in html
    assert "data-round" not in html


def test_game_pages_need_as_many_queries_for_many_rounds_as_for_one(
    playing: Friends, django_assert_max_num_queries: object
) -> None:
    from tables.models import Game
    from tests.tables.test_records import play_match

    play_match(playing)
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        browser(CAROL).get(f"/games/{Game.objects.get().pk}/")
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        browser(CAROL).get("/games/")


# The admin


def test_the_admin_shows_no_running_seed(playing: Friends, admin_client: Client) -> None:
    playing.deal("low low mid low low")
    row, shoe = playing.row, playing.seen().game.shoe
    assert shoe is not None
    secrets = {shoe.seed.hex(), playing.person(ALICE).seat_secret, ALICE}
    for path in (
        reverse("admin:tables_table_changelist"),
        reverse("admin:tables_table_change", args=[row.pk]),
        reverse("admin:tables_game_changelist"),
        reverse("admin:tables_round_changelist"),
    ):
        page = admin_client.get(path)
        assert page.status_code == 200
        assert not [secret for secret in secrets if secret in page.content.decode()]
    assert (
        admin_client.post(reverse("admin:tables_table_change", args=[row.pk]), {"phase": "over"}).status_code
        == 403
    )


def test_nobody_but_staff_sees_the_admin(db: None) -> None:
    assert browser(MALLORY).get("/admin/tables/table/").status_code == 302


def test_participants_have_one_row_each(friends: Friends) -> None:
    assert Participant.objects.filter(table__code=friends.code).count() == 3
