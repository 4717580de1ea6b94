"""What is kept: guests, tables, who is at them, and the record of what was played.

Rows are written by `services` alone. A live table is one row: its state is a text that `codec` reads and
writes, its version goes up by one with each step, its deadline is an absolute time.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.game import Phase

# The phases of a table at which a match is played.
IN_MATCH = (Phase.BETTING.value, Phase.PLAYING.value)


class Guest(models.Model):
    """A browser that did something here. The id is the secret of its signed cookie and is shown to nobody."""

    id = models.CharField(primary_key=True, max_length=64)
    nickname = models.CharField(max_length=20, blank=True)
    language = models.CharField(max_length=12, blank=True)
    created = models.DateTimeField()
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return self.nickname or str(_("unnamed guest"))


class Table(models.Model):
    code = models.CharField(max_length=32, unique=True)
    kind = models.CharField(max_length=12)
    listed = models.BooleanField(default=False)
    created = models.DateTimeField()
    touched = models.DateTimeField(db_index=True)

    version = models.PositiveIntegerField(default=1)
    # Goes up with each change of who is here.
    people = models.PositiveIntegerField(default=1)
    state = models.TextField()
    phase = models.CharField(max_length=12, db_index=True)
    deadline = models.DateTimeField(null=True, db_index=True)

    # Copies out of the state, so that lists need not read it.
    rounds = models.PositiveSmallIntegerField()
    game_number = models.PositiveIntegerField(default=0)
    round_number = models.PositiveIntegerField(default=0)
    seated = models.PositiveSmallIntegerField(default=1)
    # A game has begun and is not over.
    running = models.BooleanField(default=False)
    # Since when nobody has sat here.
    empty_since = models.DateTimeField(null=True)
    host_player = models.CharField(max_length=16, blank=True)

    class Meta:
        indexes = (models.Index(fields=["listed", "-touched"], name="table_listed"),)

    def __str__(self) -> str:
        return self.code


class Participant(models.Model):
    """A guest with a name at one table. `player` is what the engine and the other guests call that person."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="participants")
    guest = models.ForeignKey(Guest, models.CASCADE, related_name="participations")
    player = models.CharField(max_length=16)
    nickname = models.CharField(max_length=20)
    nickname_key = models.CharField(max_length=64)
    seat_secret = models.CharField(max_length=43, unique=True)
    joined = models.DateTimeField()
    away_since = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["table", "guest"], name="one_participant_a_guest"),
            models.UniqueConstraint(fields=["table", "player"], name="one_player_id_a_table"),
            models.UniqueConstraint(fields=["table", "nickname_key"], name="one_nickname_a_table"),
        )

    def __str__(self) -> str:
        return self.nickname


class Process(models.Model):
    """A running server process, by its heartbeat."""

    token = models.CharField(primary_key=True, max_length=32)
    machine = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    beat = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.machine}:{self.pid}"


class Presence(models.Model):
    """One process holds at least one open socket of this guest at this table."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="presences")
    guest = models.CharField(max_length=64)
    process = models.ForeignKey(Process, models.CASCADE)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "guest", "process"], name="one_presence"),)

    def __str__(self) -> str:
        return f"{self.table_id} {self.process_id}"


# The games that everybody may find in lists.
PUBLIC = models.Q(listed=True, dated__isnull=False)
FILTERED = ("rule_set", "kind", "outcome", "player_count")


class Game(models.Model):
    id = models.CharField(primary_key=True, max_length=16)
    # A game is kept when its table is cleared away.
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="games")
    table_code = models.CharField(max_length=32)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, default="match")
    rules = models.JSONField()
    rounds = models.PositiveSmallIntegerField()
    listed = models.BooleanField(default=False)
    started = models.DateTimeField()
    finished = models.DateTimeField(null=True, db_index=True)
    reason = models.CharField(max_length=16, blank=True)
    result = models.JSONField(null=True)

    # What lists say of a game, filter and sort by, so that they read this row alone (see `summary`).
    rule_set = models.CharField(max_length=20)
    # Since when it is in lists, which never changes: the end of a match or of a game played alone, the end of
    # the first round of a game that goes on for hours.
    dated = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, default="running")
    player_count = models.PositiveIntegerField(default=0)
    backer_count = models.PositiveIntegerField(default=0)
    # The rounds that are finished.
    length = models.PositiveIntegerField(default=0)
    swing = models.PositiveBigIntegerField(default=0)
    winner = models.CharField(max_length=20, blank=True)
    winner_chips = models.PositiveBigIntegerField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "number"], name="one_game_a_number"),)
        # One for each order of the public list, with all it is filtered by: a page is found in the index.
        indexes = (
            models.Index(fields=["dated", "id", *FILTERED], condition=PUBLIC, name="game_newest"),
            models.Index(fields=["swing", "dated", "id", *FILTERED], condition=PUBLIC, name="game_swing"),
            models.Index(fields=["length", "dated", "id", *FILTERED], condition=PUBLIC, name="game_longest"),
            models.Index(fields=["table_code", "dated", "id"], name="game_of_table"),
            models.Index(fields=["table_code", "finished", "id"], name="game_over_at_table"),
        )

    def __str__(self) -> str:
        return self.id


class GamePlayer(models.Model):
    """Somebody who played in a game or bet behind others in it.

    `stack` is the name of their purse in its rounds; `seat` is 0 for who only bet behind others. `backed`
    counts the rounds in which they did, `won_behind` what it brought (chips, below 0 what it cost).
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="players")
    stack = models.CharField(max_length=12)
    seat = models.PositiveSmallIntegerField()
    player = models.CharField(max_length=16)
    nickname = models.CharField(max_length=20)
    nickname_key = models.CharField(max_length=64)
    guest = models.ForeignKey(Guest, models.SET_NULL, null=True, db_index=False)
    chips = models.PositiveBigIntegerField()
    highest = models.PositiveBigIntegerField(default=0)
    refills = models.PositiveIntegerField(default=0)
    backed = models.PositiveIntegerField(default=0)
    won_behind = models.BigIntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True)
    won = models.BooleanField(default=False)

    class Meta:
        ordering = ("seat",)
        constraints = (models.UniqueConstraint(fields=["game", "stack"], name="one_player_a_stack"),)
        indexes = (
            models.Index(fields=["nickname_key", "game"], name="player_by_name"),
            models.Index(fields=["guest", "game"], name="player_by_guest"),
        )

    def __str__(self) -> str:
        return self.nickname


class Shoe(models.Model):
    """A shoe that rounds of a game were dealt from. Its seeds are shown to nobody before it is `finished`.

    The commitments are what the table showed before the bets: they are kept as they were shown, and never
    worked out again.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="shoes")
    number = models.PositiveIntegerField()
    seed = models.CharField(max_length=64)
    spare = models.CharField(max_length=64, blank=True)
    commitment = models.CharField(max_length=64)
    spare_commitment = models.CharField(max_length=64, blank=True)
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["game", "number"], name="one_shoe_a_number"),)

    def __str__(self) -> str:
        return f"{self.game_id} {self.number}"


class Round(models.Model):
    """A finished round. The record rebuilds it action by action."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="played")
    number = models.PositiveIntegerField()
    schema = models.PositiveSmallIntegerField()
    record = models.JSONField()
    finished = models.DateTimeField()

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["game", "number"], name="one_round_a_number"),)

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"
