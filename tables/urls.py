from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from tables import archive_views, check_views, export_views, replay_views, rules_views, views


class Whole(IntConverter):
    """A whole number as it is written here: with zeros in front a page would have many addresses."""

    regex = "0|[1-9][0-9]*"


register_converter(Whole, "whole")

urlpatterns = [
    path("", views.home, name="home"),
    path("join/", views.join, name="join"),
    path("t/<slug:code>/", views.table, name="table"),
    path("t/<slug:code>/backers/", views.backers, name="backers"),
    path("t/<slug:code>/behind/<whole:seat>/", views.behind, name="behind"),
    path("t/<slug:code>/games/", archive_views.table_games, name="table_games"),
    path("t/<slug:code>/games.atom", archive_views.table_feed, name="table_feed"),
    path("t/<slug:code>/rules/", rules_views.table_rules, name="rules"),
    path("t/<slug:code>/strategy/", rules_views.table_strategy, name="strategy"),
    path("t/<slug:code>/settings/", rules_views.table_settings, name="settings"),
    path("seat/<slug:secret>/", views.seat_move, name="seat_move"),
    path("games/", archive_views.games, name="games"),
    path("me/games/", archive_views.my_games, name="my_games"),
    path("games.jsonl", export_views.archive, name="archive"),
    path("games/<slug:game_id>.json", export_views.game_json, name="game_json"),
    path("games/<slug:game_id>.txt", export_views.game_text, name="game_text"),
    path("games/<slug:game_id>.csv", export_views.game_table, name="game_csv"),
    path("games/<slug:game_id>/", replay_views.game, name="game"),
    path("games/<slug:game_id>/rules/", replay_views.game_rules, name="game_rules"),
    path("games/<slug:game_id>/<whole:number>/", replay_views.replay, name="round"),
    path("games/<slug:game_id>/<whole:number>/last/", replay_views.round_end, name="round_end"),
    path("games/<slug:game_id>/<whole:number>/<whole:step>/", replay_views.replay, name="step"),
    path("how-to-play/", rules_views.how_to_play, name="how_to_play"),
    path("how-to-check/", check_views.how_to_check, name="how_to_check"),
    path("rules/", rules_views.compared, name="compared"),
    path("rules/new/", rules_views.own_rules, name="own_rules"),
    path("rules/<slug:preset>/", rules_views.preset_rules, name="preset_rules"),
    path("strategy/<slug:preset>/", rules_views.preset_strategy, name="preset_strategy"),
]
