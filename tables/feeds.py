"""The finished games of one table as an Atom feed, for who follows its friends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from django.contrib.syndication.views import Feed
from django.db.models import Max
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables import archive, summary, words
from tables.models import Game

NEWEST = 30
# Of a table at which no game was ever finished.
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def changed(code: str) -> datetime | None:
    """When the last game of the table was finished."""
    newest: datetime | None = Game.objects.filter(table_code=code).aggregate(at=Max("finished"))["at"]
    return newest


def _name(kind: str, of: str) -> str:
    """An id that stays whatever the site's address is."""
    return uuid5(NAMESPACE_URL, f"openseat:{kind}:{of}").urn


class _Atom(Atom1Feed):
    def latest_post_date(self) -> datetime:
        # Without entries the time is not to be that of the asking.
        return super().latest_post_date() if self.items else LONG_AGO


if TYPE_CHECKING:
    FeedOfGames = Feed[Game, str]
else:  # generic for the type checker alone
    FeedOfGames = Feed


class TableFeed(FeedOfGames):
    feed_type = _Atom
    author_name = "openseat"

    def get_object(self, request: HttpRequest, code: str) -> str:
        return code

    def title(self, code: str) -> str:
        return _("Games of table %(code)s") % {"code": code}

    def subtitle(self, code: str) -> str:
        return _("Every game that is over, with its result.")

    def link(self, code: str) -> str:
        return reverse("table_games", args=[code])

    def feed_url(self, code: str) -> str:
        return reverse("table_feed", args=[code])

    def feed_guid(self, code: str) -> str:
        return _name("table", code)

    def items(self, code: str) -> Sequence[Game]:
        over = Game.objects.filter(table_code=code, finished__isnull=False).order_by("-finished", "-id")
        return list(archive.with_names(over)[:NEWEST])

    def item_title(self, item: Game) -> str:
        return f"{_result(item)} · {summary.title(item.rule_set)}"

    def item_description(self, item: Game) -> str:
        """A reader shows it as HTML, so names are escaped once more than in the title."""
        names = ", ".join(archive.names(item))
        rounds = ngettext("%(count)s round", "%(count)s rounds", item.length) % {
            "count": words.chips(item.length)
        }
        return escape(f"{names} · {rounds}")

    def item_link(self, item: Game) -> str:
        return reverse("game", args=[item.id])

    def item_guid(self, item: Game) -> str:
        return _name("game", item.id)

    def item_pubdate(self, item: Game) -> datetime | None:
        return item.finished

    def item_updateddate(self, item: Game) -> datetime | None:
        return item.finished


def _result(game: Game) -> str:
    match game.outcome:
        case summary.WON:
            return _("%(name)s won with %(chips)s") % {
                "name": game.winner,
                "chips": words.chips(game.winner_chips or 0),
            }
        case summary.DRAWN:
            return _("A drawn match")
        case summary.ABANDONED:
            return _("An abandoned match")
        case _over:
            return _("A game is over")
