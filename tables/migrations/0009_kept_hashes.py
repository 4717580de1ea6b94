from typing import Any

from django.db import migrations, models

from engine.shoe import commitment

AT_ONCE = 500
HASHES = {"seed": "commitment", "spare": "spare_commitment"}


def fill(apps: Any, schema_editor: Any) -> None:
    """The hashes of the shoes of until now, from their seeds. A seed that can not be read gets none."""
    Shoe = apps.get_model("tables", "Shoe")
    done = 0
    while shoes := list(Shoe.objects.filter(pk__gt=done).order_by("pk")[:AT_ONCE]):
        for shoe in shoes:
            for seed, hashed in HASHES.items():
                setattr(shoe, hashed, _hash(getattr(shoe, seed)))
        Shoe.objects.bulk_update(shoes, list(HASHES.values()))
        done = shoes[-1].pk


def _hash(seed: Any) -> str:
    try:
        return commitment(bytes.fromhex(seed)) if seed else ""
    except (TypeError, ValueError):
        return ""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0008_drop_hands'),
    ]

    operations = [
        migrations.AddField(
            model_name='shoe',
            name='commitment',
            field=models.CharField(default='', max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='shoe',
            name='spare_commitment',
            field=models.CharField(blank=True, default='', max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
