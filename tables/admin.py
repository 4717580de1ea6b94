"""Looking at what is stored: read-only, and without the state of a table, which holds a running seed.

The one thing that staff may do is to void a round.
"""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _

from engine.errors import EngineError
from engine.game import Game as GameState
from engine.rules import Rules
from engine.shown import HandView
from engine.views import public_view
from tables import crowds, history, services, words
from tables.errors import Refused
from tables.models import Game, GamePlayer, Participant, Round, Table


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyRows(admin.TabularInline):  # type: ignore[type-arg]
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ParticipantRows(ReadOnlyRows):
    model = Participant
    # Not the guest and not the seat's secret: either is as good as the seat.
    fields = ("nickname", "joined", "away_since")


class PlayerRows(ReadOnlyRows):
    model = GamePlayer
    verbose_name_plural = _("players")
    fields = ("seat", "nickname", "stack", "chips", "highest", "refills", "place", "won")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GamePlayer]:
        return super().get_queryset(request).filter(seat__gt=0)


class BackerRows(ReadOnlyRows):
    model = GamePlayer
    verbose_name_plural = _("betting behind")
    fields = ("nickname", "stack", "chips", "won_behind", "backed", "highest", "refills")
    ordering = ("-chips", "nickname")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GamePlayer]:
        return super().get_queryset(request).filter(backed__gt=0)


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ("code", "phase", "seated", "round_number", "rounds", "listed", "touched")
    list_filter = ("phase", "listed")
    search_fields = ("code",)
    fields = (
        "code", "kind", "listed", "created", "touched", "version", "phase", "deadline",
        "game_number", "round_number", "rounds", "seated",
    )  # fmt: skip
    inlines = (ParticipantRows,)
    actions = ("void_round",)

    def has_void_permission(self, request: HttpRequest) -> bool:
        """Who may change a table; the rest of it stays as the game made it."""
        user = request.user
        return user.is_active and user.has_perm("tables.change_table")

    @admin.action(description=_("Void the running round: every bet of it goes back"), permissions=["void"])
    def void_round(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        for table in tables:
            try:
                number = services.void_round(table.code)
            except (Refused, EngineError):
                idle = _("Table %(code)s: no round is running.")
                self.message_user(request, idle % {"code": table.code}, messages.WARNING)
            else:
                done = _("Table %(code)s: round %(number)d is void, every bet of it went back.")
                self.message_user(request, done % {"code": table.code, "number": number})


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = ("id", "started", "finished", "reason", "rounds", "listed")
    list_filter = ("reason", "listed")
    search_fields = ("id", "players__nickname")
    fields = ("id", "number", "kind", "rules", "rounds", "listed", "started", "finished", "reason", "result")
    inlines = (PlayerRows, BackerRows)


@admin.register(Round)
class RoundAdmin(ReadOnly):
    list_display = ("game", "number", "finished")
    search_fields = ("game__id",)
    fields = ("game", "number", "schema", "finished", "hands", "bets_behind", "record")
    readonly_fields = ("hands", "bets_behind")

    @admin.display(description=_("hands"))
    def hands(self, row: Round) -> str:
        lines = (
            (words.box(seat.seat), seat.name, _cards(hand), words.chips(hand.bet), _result(hand))
            for seat in public_view(_replayed(row)).seats
            for hand in seat.hands
        )
        return format_html_join(mark_safe("<br>"), "{}, {}: {} · {} · {}", lines) or "-"

    @admin.display(description=_("betting behind"))
    def bets_behind(self, row: Round) -> str:
        lines = (
            (words.box(box), one.name, crowds.in_words(one.bet), words.signed(one.bet.net))
            for box, crowd in crowds.crowds(_replayed(row)).items()
            for one in crowd.backers
        )
        return format_html_join(mark_safe("<br>"), "{}, {}: {} · {}", lines) or "-"


def _replayed(row: Round) -> GameState:
    game = row.game
    return history.replayed_round(
        game, Rules.from_json(game.rules), game.players.all(), game.shoes.all(), row
    )


def _cards(hand: HandView) -> str:
    return " ".join(words.card(card.rank, card.suit) for card in hand.cards)


def _result(hand: HandView) -> str:
    return words.outcome(hand.result, hand.net) if hand.result else ""
