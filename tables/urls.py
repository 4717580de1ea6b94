from __future__ import annotations

from django.urls import path

from tables import views

urlpatterns = [
    path("", views.home, name="home"),
    path("join/", views.join, name="join"),
    path("t/<slug:code>/", views.table, name="table"),
    path("t/<slug:code>/games/", views.table_games, name="table_games"),
    path("t/<slug:code>/rules/", views.table_rules, name="rules"),
    path("seat/<slug:secret>/", views.seat_move, name="seat_move"),
    path("games/", views.games, name="games"),
    path("games/<slug:game_id>/", views.game, name="game"),
    path("rules/<slug:preset>/", views.preset_rules, name="preset_rules"),
]
