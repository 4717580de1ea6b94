from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms

from engine.game import MATCH_ROUNDS, Kind
from tables import rule_sets

ON_OFF = [("on", "on"), ("off", "off")]


class ChosenForm(forms.Form):
    """A form of which the page shows what is chosen, also where it was sent wrong."""

    usual: ClassVar[Mapping[str, str]]

    @property
    def chosen(self) -> dict[str, str]:
        """What was sent, or the usual where that is nothing one can choose."""
        return {name: self._chosen(name, usual) for name, usual in self.usual.items()}

    def _chosen(self, name: str, usual: str) -> str:
        sent = self.data.get(name)
        field: Any = self.fields[name]
        return str(sent) if sent is not None and field.valid_value(sent) else usual


class SettingsForm(ChosenForm):
    """What is chosen for a match beside its rules, and changed in its lobby."""

    rounds = forms.TypedChoiceField(choices=[(number, number) for number in MATCH_ROUNDS], coerce=int)
    listed = forms.ChoiceField(choices=ON_OFF)

    usual: ClassVar[Mapping[str, str]] = {"rounds": "10", "listed": "off"}


class TableForm(SettingsForm):
    """What is chosen for a new table. The name is checked where tables are opened, as every other name."""

    name = forms.CharField(required=False, strip=False, max_length=1000)
    # "Play alone" is a button of this name, after the radio buttons: of two answers the last one counts.
    kind = forms.TypedChoiceField(choices=[(kind.value, kind.value) for kind in Kind], coerce=Kind)

    usual: ClassVar[Mapping[str, str]] = {"kind": "match", **SettingsForm.usual}


class HomeForm(TableForm):
    rules = forms.ChoiceField(choices=[(name, name) for name in rule_sets.KINDS])
    clock = forms.ChoiceField(choices=ON_OFF)

    usual: ClassVar[Mapping[str, str]] = {"rules": "openseat", "clock": "on", **TableForm.usual}

    def carried(self) -> str:
        """What a page that asks for more goes on with, as the query of its address."""
        return urlencode({name: self.data[name] for name in TableForm.base_fields})


class JoinForm(forms.Form):
    name = forms.CharField(required=False, strip=False, max_length=1000)
    join = forms.ChoiceField(choices=[("sit", "sit"), ("watch", "watch")])
