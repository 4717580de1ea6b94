from io import StringIO

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings
from django.core.management import CommandError, call_command

from tables.management.commands import messages

LANGUAGES = [language for language, _name in settings.LANGUAGES if language != settings.LANGUAGE_CODE]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_compiled(language: str) -> None:
    faults = list(messages.faults(language, messages.collect(settings.ROOT)))
    assert not faults, f"{len(faults)} faults; run `manage.py messages`, translate, run it again"


def test_the_command_fails_exactly_when_there_are_faults() -> None:
    collected = messages.collect(settings.ROOT)
    faults = [fault for language in LANGUAGES for fault in messages.faults(language, collected)]
    said = StringIO()
    try:
        call_command("messages", "--check", stdout=said)
    except CommandError:
        assert faults
    assert said.getvalue().splitlines() == faults


@pytest.mark.parametrize(("language", "forms"), [("uk", 3), ("ru", 3), ("bg", 2)])
def test_a_language_has_its_own_plural_forms(language: str, forms: int) -> None:
    assert messages.catalogue(language).num_plurals == forms


def test_texts_are_found_in_every_form_a_template_may_give_them() -> None:
    template = """
      {% translate "Plain" %} {% translate 'Quoted' %} {% translate "Place" context "a seat" as place %}
      {{ _("In a variable") }} {% include "x.html" with title=_("In a tag") %}
      <p title="it's">{% blocktranslate trimmed with name=guest.name %}
        {{ name }} sits
        "here" (50%)
      {% endblocktranslate %}
      {% blocktranslate count n=rounds %}{{ n }} round{% plural %}{{ n }} rounds{% endblocktranslate %}
    """
    assert set(messages.texts_of_template(template)) == {
        ("Plain", None),
        ("Quoted", None),
        ("Place", "a seat"),
        ("In a variable", None),
        ("In a tag", None),
        ('%(name)s sits "here" (50%%)', None),
        (("%(n)s round", "%(n)s rounds"), None),
    }


def test_an_unfinished_plural_is_not_compiled() -> None:
    catalogue = Catalog(locale="uk", fuzzy=False)
    catalogue.add(("%(n)s round", "%(n)s rounds"), ("%(n)s раунд", "", ""))
    catalogue.add("Deal", "Роздати")
    assert [message.id for message in messages.texts(messages.spoken(catalogue))] == ["Deal"]
