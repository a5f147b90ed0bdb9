"""An act that is held in two languages: every way of asking for it gives the one wanted."""

from typing import Any

import pytest

from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.resolve import resolve
from fundstelle.tools import search
from fundstelle.tools.inputs.references import find_laws
from tests.unit.lookup.invented import TODAY
from tests.unit.tools.test_going_on import ENGLISH, GERMAN, LIBRARY, TOOLS, call

WRITTEN = (
    "Art. 1 DSGVO",
    "Art. 1 GDPR",
    "eu/32016R0679/art_1",
    "eu/32016R0679/art_1/",
    "eu/32016r0679/Art_1",
    "32016R0679 Art. 1",
)
EDITION = "eu/32016R0679:en/art_1"
BEGINNINGS = {"de": GERMAN[:30], "en": ENGLISH[:30]}
ARGUMENT = {"legal_lookup": "citation", "legal_get_context": "norm_id"}


def read(name: str, written: str, **arguments: Any) -> tuple[str, list[str]]:
    """The text that a tool gives, and all its warnings."""
    asked = {"citations": [written]} if name not in ARGUMENT else {ARGUMENT[name]: written}
    answer = call(TOOLS[name], {**asked, **arguments})
    norm = answer.get("norm") or answer.get("center") or answer["results"][0]["norm"]
    return norm["content"], answer["warnings"]


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("language", BEGINNINGS)
def test_an_act_is_given_in_the_language_asked_for_however_it_is_named(
    name: str, written: str, language: str
) -> None:
    content, warnings = read(name, written, language=language)
    assert content.startswith(BEGINNINGS[language])
    assert not any("text" in warning and "given" in warning for warning in warnings)


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("language", BEGINNINGS)
def test_an_id_that_names_an_edition_gives_it_and_denies_no_other(name: str, language: str) -> None:
    content, warnings = read(name, EDITION, language=language)
    assert content.startswith(BEGINNINGS["en"])
    assert not any("There is no" in warning for warning in warnings)
    assert any(warning.startswith("The id names") for warning in warnings) == (language == "de")


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize(
    ("quote", "language"), [("Of the law that shall be section 3", "en"), (GERMAN[:28], "de")]
)
def test_a_quote_is_compared_with_the_text_in_its_language(
    written: str, quote: str, language: str
) -> None:
    answer = call(TOOLS["legal_lookup"], {"citation": written, "quote": quote})
    assert answer["quote_check"]["status"] == "verbatim"
    assert answer["norm"]["content"].startswith(BEGINNINGS[language])


def test_a_part_behind_the_id_of_an_edition_is_one_of_that_edition() -> None:
    for written, held in (("eu/32016R0679/art_1", "eu/32016R0679"), (EDITION, f"{EDITION[:-6]}")):
        [outcome] = resolve(LIBRARY, f"{written} Halbsatz 1", TODAY).outcomes
        assert isinstance(outcome, ProvisionHit)
        assert outcome.statute.statute_id == held


@pytest.mark.parametrize("written", ["DSGVO", "GDPR", "eu/32016R0679", "32016R0679"])
def test_a_search_is_limited_to_the_edition_in_the_language_asked_for(written: str) -> None:
    for language, held in (("de", "eu/32016R0679"), ("en", "eu/32016R0679:en")):
        found = find_laws(LIBRARY, written, TODAY, language)
        assert isinstance(found, list)
        assert [statute.statute_id for statute in found] == [held]


@pytest.mark.parametrize(
    ("query", "language", "is_told"),
    [("Vorschrift", "en", True), ("Vorschrift", "de", False), ("Art. 1 GDPR", "en", False)],
)
def test_a_search_in_english_says_where_its_texts_are_german(
    query: str, language: str, *, is_told: bool
) -> None:
    asked = {"query": query, "language": language, "top_k": 1}
    answer = call(search.build_tool(LIBRARY, lambda: TODAY), asked)
    assert answer["hits"]
    assert is_told == any("texts are German" in warning for warning in answer["warnings"])
