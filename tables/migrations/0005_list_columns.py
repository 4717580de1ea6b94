from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery

from tables import nicknames, summary

AT_ONCE = 500


def fill(apps: Any, schema_editor: Any) -> None:
    """What lists say of the games of until now, from their rows and rounds."""
    Game, Table = apps.get_model("tables", "Game"), apps.get_model("tables", "Table")
    GamePlayer, Round = apps.get_model("tables", "GamePlayer"), apps.get_model("tables", "Round")
    codes = Table.objects.filter(pk=OuterRef("table")).values("code")[:1]
    Game.objects.filter(table__isnull=False).update(table_code=Subquery(codes))
    for game in Game.objects.iterator(AT_ONCE):
        players = list(GamePlayer.objects.filter(game=game))
        rounds = Round.objects.filter(game=game).values_list("record", "finished")
        Game.objects.filter(pk=game.pk).update(**summary.columns(game, players, rounds.iterator(AT_ONCE)))
        for player in players:
            player.nickname_key = nicknames.key(player.nickname)
        GamePlayer.objects.bulk_update(players, ["nickname_key"], AT_ONCE)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0004_games_outlive_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='table_code',
            field=models.CharField(default='', max_length=32),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='game',
            name='rule_set',
            field=models.CharField(default='', max_length=20),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='game',
            name='dated',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='outcome',
            field=models.CharField(default='running', max_length=10),
        ),
        migrations.AddField(
            model_name='game',
            name='player_count',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='game',
            name='backer_count',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='game',
            name='length',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='game',
            name='swing',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='game',
            name='winner',
            field=models.CharField(blank=True, default='', max_length=20),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='game',
            name='winner_chips',
            field=models.PositiveBigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='gameplayer',
            name='nickname_key',
            field=models.CharField(default='', max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
