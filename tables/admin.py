"""Looking at what is stored: read-only, and without the state of a table, which holds a running seed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from tables.models import Game, GamePlayer, Hand, Participant, Round, Table


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


class GamePlayerRows(ReadOnlyRows):
    model = GamePlayer
    fields = ("seat", "nickname", "chips", "place", "won")


class HandRows(ReadOnlyRows):
    model = Hand
    fields = ("seat", "number", "cards", "bet", "result", "paid")


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


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = ("id", "started", "finished", "reason", "rounds", "listed")
    list_filter = ("reason", "listed")
    search_fields = ("id", "players__nickname")
    fields = ("id", "number", "kind", "rules", "rounds", "listed", "started", "finished", "reason", "result")
    inlines = (GamePlayerRows,)


@admin.register(Round)
class RoundAdmin(ReadOnly):
    list_display = ("game", "number", "finished")
    search_fields = ("game__id",)
    fields = ("game", "number", "schema", "finished", "record")
    inlines = (HandRows,)
