"""Clearing away tables at which nobody plays any more. Their games stay."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from tables.models import Table


def dead(before: datetime) -> QuerySet[Table]:
    """Tables untouched since then where no game runs and nobody is."""
    return Table.objects.filter(touched__lt=before, running=False, presences__isnull=True)


def prune(before: datetime) -> Iterator[str]:
    """Clear away the dead tables, each by itself; their codes."""
    for pk, code in list(dead(before).order_by("touched").values_list("pk", "code")):
        with transaction.atomic():
            # Somebody may have come meanwhile.
            row = dead(before).filter(pk=pk).select_for_update(of=("self",)).first()
            if row is not None:
                row.delete()
                yield code
