"""A quote tells in which language its text is to be compared."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.lookup.comparing.languages import choose_language
from fundstelle.lookup.library import Library
from fundstelle.lookup.verdicts.check import check_draft
from tests.unit.lookup.invented import (
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

ENGLISH = "Any bird which has suffered damage shall have the right to a new nest."
GERMAN = "Jeder Vogel, dem ein Schaden entstanden ist, hat das Recht auf ein neues Nest."
TODAY = date(2026, 5, 1)


@pytest.mark.parametrize(
    ("asked", "quotes", "chosen"),
    [
        ("de", [ENGLISH], "en"),
        ("de", [GERMAN], "de"),
        ("de", [""], "de"),
        ("de", [], "de"),
        ("de", [ENGLISH, GERMAN], "de"),
        ("de", ["Die Art der Person war in der Hand"], "de"),
        ("en", [GERMAN], "de"),
        ("en", [ENGLISH, GERMAN], "en"),
        ("en", ["§ 823 BGB"], "en"),
    ],
)
def test_the_language_of_all_quotes_is_chosen(asked: str, quotes: list[str], chosen: str) -> None:
    assert choose_language(asked, quotes) == chosen


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_quote_of_a_draft_is_compared_with_the_text_in_its_language(language: str) -> None:
    german = replace(build_statute("NestVO", "Nestverordnung"), statute_id="eu/32016R0679")
    english = replace(german, statute_id="eu/32016R0679:en", language="en")
    contents = [
        (replace(build_norm(law, "Art 82"), norm_id=f"{law.statute_id}/art_82"), words)
        for law, words in ((german, GERMAN), (english, ENGLISH))
    ]
    held = [(norm, (build_fassung(norm, words),)) for norm, words in contents]
    store = InventedStore([german, english], held)
    plain = build_library()
    library = Library(store, plain.index, plain.names)

    drafts = [f"Art. 82 GDPR: “{ENGLISH}”", f"Art. 82 DSGVO: „{GERMAN}“"]
    for draft in drafts:
        (place,) = check_draft(library, draft, TODAY, language=language).judged
        assert place.verdict.verdict == "ok"
        assert place.verdict.check is not None
        assert place.verdict.check.status == "verbatim"
