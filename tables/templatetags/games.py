"""What lists of tables and games and the page of a stored game say."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from engine.rules import Rules
from tables import crowds, rule_sets, summary

register = template.Library()

register.filter("behind_words", crowds.in_words)
register.filter("rule_set_title", summary.title)


@register.simple_tag
def when(moment: datetime) -> SafeString:
    """A time in UTC, which times.js shows in the zone of the reader."""
    moment = moment.astimezone(UTC)
    return format_html(
        '<time class="when" datetime="{}" data-when>{} UTC</time>',
        f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        f"{moment:%Y-%m-%d %H:%M}",
    )


@register.filter
def game_title(rules: Rules) -> str:
    return rule_sets.title(rule_sets.name_of(rules))
