"""What the game of a table is called, for lists of tables and games."""

from __future__ import annotations

from django import template

from engine.rules import Rules
from tables import rule_sets

register = template.Library()


@register.filter
def game_title(rules: Rules) -> str:
    return rule_sets.title(rule_sets.name_of(rules))
