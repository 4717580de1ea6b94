"""What lists of tables and games and the page of a stored game say."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from engine.rules import Rules
from tables import crowds, rule_sets, shuffle_checks, summary

register = template.Library()

register.filter("behind_words", crowds.in_words)
register.filter("shoe_key", shuffle_checks.shoe_key)
register.filter("rule_set_title", summary.title)


@register.simple_tag
def when(moment: datetime) -> SafeString:
    """A time in UTC, which times.js shows in the zone of the reader."""
    moment = moment.astimezone(UTC)
    return format_html(
        '<time class="when" datetime="{}" data-when>{} UTC</time>', _iso(moment), f"{moment:%Y-%m-%d %H:%M}"
    )


@register.simple_tag
def when_from_to(first: datetime, last: datetime) -> SafeString:
    """From one time to another of the same day, or from day to day."""
    first, last = first.astimezone(UTC), last.astimezone(UTC)
    one_day = first.date() == last.date()
    return format_html(
        '<span class="when" data-first="{}" data-last="{}">{} – {} UTC</span>',
        _iso(first),
        _iso(last),
        f"{first:%Y-%m-%d %H:%M}" if one_day else f"{first:%Y-%m-%d}",
        f"{last:%H:%M}" if one_day else f"{last:%Y-%m-%d}",
    )


def _iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


@register.filter
def game_title(rules: Rules) -> str:
    return rule_sets.title(rule_sets.name_of(rules))
