"""What lists of tables and games and the page of a stored game say."""

from __future__ import annotations

from django import template

from engine.rules import Rules
from tables import crowds, rule_sets

register = template.Library()

register.filter("behind_words", crowds.in_words)


@register.filter
def game_title(rules: Rules) -> str:
    return rule_sets.title(rule_sets.name_of(rules))
