"""The catalogues of translations, kept with Babel: no GNU gettext is needed.

`manage.py messages` collects every text of the site into the catalogues and compiles them. Translate what it
names in `tables/locale/<language>/LC_MESSAGES/django.po`, run it again, commit both files. `--check` changes
nothing and fails when a text has no translation or a compiled catalogue is stale.
"""

import ast
import io
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

LOCALE = Path(__file__).resolve().parents[2] / "locale"
PYTHON = ["openseat_site", "tables"]
TEMPLATES = ["templates"]

KEYWORDS: dict[str, Any] = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "_": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
# Django turns a template into such calls; their arguments are always plain literals.
LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
CALL = re.compile(
    rf"(?<!\w)(gettext|ngettext|pgettext|npgettext|_)\(({LITERAL}(?:, {LITERAL})*)(?:, ?count)?\)"
)


class Command(BaseCommand):
    help = "Collect the texts of the site into the catalogues and compile them."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail if anything is missing"
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        collected = collect(settings.ROOT)
        left: list[str] = []
        for language, _name in settings.LANGUAGES:
            if language == settings.LANGUAGE_CODE:
                continue
            if not check:
                write(update(catalogue(language), collected), language)
            left += faults(language, collected)
        for fault in left:
            self.stdout.write(fault)
        if check and left:
            raise CommandError(f"{len(left)} texts need a translator, or `manage.py messages` was not run.")


def collect(root: Path) -> Catalog:
    collected = Catalog()
    for folder in PYTHON:
        for file in sorted((root / folder).rglob("*.py")):
            for line, message, _comments, context in extract_from_file("python", file, keywords=KEYWORDS):
                collected.add(message, locations=[(str(file.relative_to(root)), line)], context=context)
    for folder in TEMPLATES:
        for file in sorted((root / folder).rglob("*.html")):
            for message, context in texts_of_template(file.read_text()):
                collected.add(message, locations=[(str(file.relative_to(root)), 0)], context=context)
    return collected


def texts_of_template(source: str) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    for function, arguments in CALL.findall(templatize(source)):
        words = list(ast.literal_eval(f"({arguments},)"))
        context = words.pop(0) if "pgettext" in function else None
        yield (words[0], words[1]) if "ngettext" in function or "npgettext" in function else words[0], context


def po_file(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def catalogue(language: str) -> Catalog:
    file = po_file(language)
    if not file.exists():
        return Catalog(
            locale=language,
            header_comment="# openseat",
            project="openseat",
            version="1",
            msgid_bugs_address="openseat",
            last_translator="openseat",
            language_team=language,
            creation_date=datetime(2026, 1, 1, tzinfo=UTC),
            fuzzy=False,
        )
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def update(kept: Catalog, collected: Catalog) -> Catalog:
    # A date that changes with each run would be a difference without a meaning.
    collected.creation_date = kept.revision_date = kept.creation_date
    kept.update(collected, no_fuzzy_matching=True, update_header_comment=False)
    kept.obsolete.clear()
    return kept


def write(kept: Catalog, language: str) -> None:
    file = po_file(language)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        write_po(opened, kept, width=110, sort_by_file=True, include_lineno=False)
    with file.with_suffix(".mo").open("wb") as opened:
        write_mo(opened, spoken(kept))


def faults(language: str, collected: Catalog) -> Iterator[str]:
    """What keeps a reader of this language from reading the whole site in it."""
    kept = catalogue(language)
    for message in texts(collected):
        found = kept.get(message.id, message.context)
        if found is None or not translated(found, kept.num_plurals):
            yield f"{language}: no translation of {message.id!r}"
            continue
        for error in found.check(kept):
            yield f"{language}: {message.id!r}: {error}"
    for message in texts(kept):
        if collected.get(message.id, message.context) is None:
            yield f"{language}: {message.id!r} is no longer on the site"
    if compiled(language) != {text: message.string for text, message in said(kept).items()}:
        yield f"{language}: django.mo does not match django.po"


def texts(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def translated(message: Message, forms: int) -> bool:
    strings = [message.string] if isinstance(message.string, str) else list(message.string or ())
    wanted = 1 if isinstance(message.id, str) else forms
    return not message.fuzzy and len(strings) == wanted and all(text and text.strip() for text in strings)


def said(catalog: Catalog) -> dict[Any, Message]:
    """The messages that a compiled catalogue holds."""
    return {key(message): message for message in texts(catalog) if translated(message, catalog.num_plurals)}


def compiled(language: str) -> dict[Any, Any]:
    file = po_file(language).with_suffix(".mo")
    if not file.exists():
        return {}
    catalog = read_mo(io.BytesIO(file.read_bytes()))
    # Babel reads plural forms as a list here and as a tuple from the other kind of file.
    return {
        key(message): tuple(message.string) if isinstance(message.string, list) else message.string
        for message in texts(catalog)
    }


def spoken(kept: Catalog) -> Catalog:
    """The finished translations alone: an empty plural would be compiled and show as nothing."""
    finished = Catalog(locale=kept.locale, fuzzy=False)
    finished.mime_headers = kept.mime_headers
    for message in said(kept).values():
        finished.add(message.id, message.string, context=message.context)
    return finished


def key(message: Message) -> tuple[str | None, str]:
    return message.context, message.id if isinstance(message.id, str) else message.id[0]
