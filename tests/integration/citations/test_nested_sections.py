"""Sections below an Artikel: whichever of the two is written first, it is the same provision."""

import pytest

from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.integration.citations.test_relations_on_corpus import TODAY

pytestmark = pytest.mark.corpus

FORMS = (
    "§ {section} Art. {article} {law}",
    "§ {section} des Art. {article} {law}",
    "§ {section} zu Artikel {article} {law}",
    "Art. {article} {law} § {section}",
    "Art. {article} {law}, § {section}",
)


def test_a_section_of_an_article_is_found_in_every_order(library: Library) -> None:
    compared, wrong = 0, []
    for norm in library.store.list_norms("de/egbgb"):
        article, slash, section = norm.number.partition("/")
        if not slash or not section[0].isdigit() or norm.number_end or "~" in section:
            continue
        usual = resolve(library, f"Art. {article} § {section} EGBGB", TODAY).outcomes
        for form in FORMS:
            written = form.format(article=article, section=section, law="EGBGB")
            outcomes = resolve(library, written, TODAY).outcomes
            compared += 1
            if [show(one) for one in outcomes] != [show(one) for one in usual]:
                wrong.append(written)
    assert wrong == []
    assert compared > 500


def show(outcome: object) -> tuple[str, str]:
    if isinstance(outcome, ProvisionHit):
        return outcome.norm.norm_id, outcome.citation
    assert isinstance(outcome, Miss)
    return outcome.status, ""
