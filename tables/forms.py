from __future__ import annotations

from django import forms

from engine.game import MATCH_ROUNDS

ON_OFF = [("on", "on"), ("off", "off")]


class OpenTableForm(forms.Form):
    """The name is checked where tables are opened, as every other name."""

    name = forms.CharField(required=False, strip=False, max_length=1000)
    rounds = forms.TypedChoiceField(choices=[(number, number) for number in MATCH_ROUNDS], coerce=int)
    clock = forms.ChoiceField(choices=ON_OFF)
    listed = forms.ChoiceField(choices=ON_OFF)


class JoinForm(forms.Form):
    name = forms.CharField(required=False, strip=False, max_length=1000)
    join = forms.ChoiceField(choices=[("sit", "sit"), ("watch", "watch")])
