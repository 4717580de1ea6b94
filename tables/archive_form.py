"""What somebody asks of a list of games, as it stands in the address of the page."""

from __future__ import annotations

import re
from datetime import UTC, date, tzinfo
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.game import Kind
from tables import archive, codes, cursors, nicknames, rule_sets, summary, words
from tables.cursors import Place
from tables.errors import Refused

# What is longer is not read to its end: nothing that can be meant is.
LONGEST = 500
UNPRINTED = re.compile(r"[\x00-\x1f\x7f]")
MOST_PLAYERS = 7

ANY = ("", pgettext_lazy("filter", "Any"))
RULE_SETS = [(name, summary.TITLES[name]) for name in rule_sets.KINDS]
KINDS = [
    (Kind.MATCH.value, gettext_lazy("Match")),
    (Kind.OPEN.value, gettext_lazy("Open table")),
    (Kind.SOLO.value, gettext_lazy("Alone")),
]
RESULTS = [
    (summary.WON, gettext_lazy("Won by somebody")),
    (summary.DRAWN, gettext_lazy("Drawn")),
    (summary.ABANDONED, gettext_lazy("Abandoned")),
    (summary.OVER, gettext_lazy("Over, without a winner")),
    (summary.RUNNING, gettext_lazy("Still running")),
]
SORTS = [
    (archive.DATE, gettext_lazy("Newest first")),
    (archive.SWING, gettext_lazy("Biggest swing first")),
    (archive.LENGTH, gettext_lazy("Longest first")),
]
NO_CHOICE = {"invalid_choice": gettext_lazy("There is no such choice.")}
NO_DAY = {"invalid": gettext_lazy("A day is written like 2026-11-30.")}


def _choice(label: Any, choices: list[Any], **more: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, required=False, error_messages=NO_CHOICE, **more)


def _day(label: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    formats = ["%Y-%m-%d"]
    return forms.DateField(
        label=label,
        required=False,
        input_formats=formats,
        widget=widget,
        error_messages=NO_DAY,
    )


# Files beside those of the zones: what they hold is the server's own affair.
NO_ZONES = frozenset({"localtime", "posixrules", "Factory"})


def _zone(name: str) -> tzinfo | None:
    """The time zone of that name, None where there is none."""
    if name in NO_ZONES:
        return None
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, OSError, ValueError):
        return None


class FilterForm(forms.Form):
    """Each field may be left out. `after` and `before` are the cursors of a page.

    `zone` names the time zone of the days, which a script fills in with that of the reader; without it they
    are those of UTC.
    """

    rules = _choice(gettext_lazy("Rules"), [ANY, *RULE_SETS])
    kind = _choice(gettext_lazy("Kind of table"), [ANY, *KINDS])
    result = _choice(gettext_lazy("Result"), [ANY, *RESULTS])
    players = _choice(gettext_lazy("Players"), [ANY, *((str(n), str(n)) for n in range(1, MOST_PLAYERS + 1))])
    player = forms.CharField(
        label=gettext_lazy("Nickname"),
        help_text=gettext_lazy("In full; played or bet behind."),
        required=False,
        widget=forms.TextInput(
            attrs={"maxlength": nicknames.LONGEST, "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    table = forms.CharField(
        label=gettext_lazy("Table"),
        help_text=gettext_lazy("Its code or link."),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )
    since = _day(gettext_lazy("From"))
    until = _day(gettext_lazy("To"))
    sort = _choice(gettext_lazy("Order"), SORTS)
    zone = forms.Field(
        label=gettext_lazy("Time zone"),
        required=False,
        widget=forms.HiddenInput(attrs={"autocomplete": "off", "data-zone": True}),
    )

    def __init__(self, sent: QueryDict, *, of_one_table: bool) -> None:
        names = (*self.base_fields, "after", "before")
        self.sent = {name: sent.get(name, "")[:LONGEST] for name in names}
        super().__init__(self.sent)
        self.after: Place | None = None
        self.before: Place | None = None
        self.days_of: tzinfo = UTC
        if of_one_table:
            del self.fields["table"]

    def clean_player(self) -> str:
        typed: str = self.cleaned_data["player"]
        try:
            return nicknames.clean(typed) if typed else ""
        except Refused as refused:
            raise forms.ValidationError(words.refusal(refused.code, refused.params)) from None

    def clean_table(self) -> str:
        typed: str = self.cleaned_data["table"]
        code = codes.find_table_code(typed)
        if typed and code is None:
            raise forms.ValidationError(words.refusal("no_such_table"))
        return code or ""

    def clean(self) -> None:
        # What can not be read is shown again for mending; nothing of it is to be more than text.
        for name, text in self.sent.items():
            self.sent[name] = UNPRINTED.sub("\N{REPLACEMENT CHARACTER}", text)
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day is before the first one."))
        if self.sent["since"] or self.sent["until"]:
            self._find_zone(self.cleaned_data["zone"])
        else:
            self.sent["zone"] = ""
        after, before = self.data["after"], self.data["before"]
        try:
            self.after = cursors.read(after, self.order) if after else None
            self.before = cursors.read(before, self.order) if before else None
            if after and before:
                raise ValueError("two places at once")
        except ValueError:
            lost = _("There is no such page of this list; its address may have been cut short.")
            self.add_error(None, lost)

    def _find_zone(self, name: str) -> None:
        found = _zone(name)
        if found is not None:
            self.days_of = found
            return
        self.add_error(None, _("This time zone is not known here. Press “Show” for days in UTC."))
        # Nor does a script fill in the same one again.
        self.sent["zone"] = ""
        del self.fields["zone"].widget.attrs["data-zone"]

    @property
    def days(self) -> str:
        """Which days are meant, in words."""
        if self.days_of is UTC:
            return _("A day in UTC.")
        return _("A day in the time zone %(zone)s.") % {"zone": self.days_of}

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or archive.DATE

    @property
    def filters(self) -> archive.Filters:
        chosen = self.cleaned_data
        return archive.Filters(
            rule_set=chosen["rules"],
            kind=chosen["kind"],
            player=chosen["player"],
            table=chosen.get("table", ""),
            since=chosen["since"],
            until=chosen["until"],
            zone=self.days_of,
            players=int(chosen["players"]) if chosen["players"] else None,
            outcome=chosen["result"],
            sort=self.order,
        )

    @property
    def chosen(self) -> dict[str, str]:
        """What is filtered and sorted by, in the form of an address; what was left open is left out."""
        texts = {name: self.cleaned_data.get(name) for name in self.fields}
        if not (texts["since"] or texts["until"]):
            texts["zone"] = ""
        return {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in texts.items()
            if value and (name, value) != ("sort", archive.DATE)
        }

    @property
    def narrowed(self) -> list[str]:
        """What is filtered by, in words."""
        chosen = {name: value for name, value in self.chosen.items() if name not in ("sort", "zone")}
        told = [self._words(name, value) for name, value in chosen.items()]
        if "since" in chosen or "until" in chosen:
            told.append(self._words("zone", str(self.days_of)))
        return told

    def _words(self, name: str, value: str) -> str:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            value = str(dict(field.choices)[value])  # type: ignore[arg-type]
        return _("%(field)s: %(value)s") % {"field": field.label, "value": value}

    def address(self, **more: str) -> str:
        return "?" + urlencode({**self.chosen, **more})
