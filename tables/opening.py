"""Opening a table from a page, whichever page it is."""

from __future__ import annotations

from django.http import HttpRequest, QueryDict
from django.utils.translation import get_language

from engine.errors import EngineError
from engine.rules import Rules
from tables import identity, services, words
from tables.errors import Refused
from tables.forms import TableForm
from tables.models import Guest


def open_table(request: HttpRequest, form: TableForm, rules: Rules) -> str:
    """The code of the new table; raises `Refused` and `EngineError`."""
    guest = identity.ensure_guest(request)
    if guest is None or not form.is_valid():
        raise Refused("malformed")
    chosen = form.cleaned_data
    return services.open_table(
        guest,
        chosen["name"],
        rules,
        chosen["kind"],
        chosen["rounds"],
        listed=chosen["listed"] == "on",
        language=get_language() or "",
    )


def sent(request: HttpRequest) -> QueryDict:
    """A form as it was posted, or what a link to it has chosen already."""
    return request.POST if request.method == "POST" else request.GET


def nickname(request: HttpRequest) -> str:
    """As it was typed, else the one this browser had last."""
    guest = identity.guest_id_of(request)
    known = Guest.objects.filter(pk=guest).values_list("nickname", flat=True).first() if guest else None
    return sent(request).get("name", known or "")[:100]


def error(refused: Refused | EngineError | None) -> dict[str, str]:
    """The sentence for a page, and which of its fields it is about."""
    if refused is None:
        return {"error": "", "error_at": ""}
    about_name = refused.code.startswith("nickname")
    return {
        "error": words.refusal(refused.code, refused.params),
        "error_at": "name" if about_name else "game",
    }
