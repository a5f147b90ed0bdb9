"""All of federal law: a list of provisions that there are answers these, or names them beside."""

from datetime import date

import pytest

from fundstelle.law.norms import Norm
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.integration.test_every_citation_resolves import list_sections

TODAY = date(2025, 4, 1)

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def sections(whole: Library) -> list[Norm]:
    """Every § and Artikel in force that stands for itself alone, in the order of the build."""
    return list_sections(whole)


def list_found(library: Library, written: str) -> list[str]:
    """The ids of what a list comes to, a miss by its status."""
    outcomes = resolve(library, written, TODAY).outcomes
    return [
        one.norm.norm_id if isinstance(one, ProvisionHit) else getattr(one, "status", "law")
        for one in outcomes
    ]


def test_a_section_with_the_letter_f_is_one_in_any_list(
    whole: Library, sections: list[Norm]
) -> None:
    held = {norm.norm_id: norm for norm in sections}
    wrong, tried = [], 0
    for norm_id, norm in held.items():
        before = held.get(f"{norm_id[:-1]}e")
        if not norm_id.endswith("f") or before is None or not norm.citation.startswith("§ "):
            continue
        law = whole.store.statutes[norm.statute_id].abbreviation
        if list_found(whole, norm.citation) != [norm_id]:
            continue  # it was not there on the day
        for written in (f"§§ {before.number}, {norm.number} {law}", f"§§ {norm.number} {law}"):
            tried += 1
            if norm_id not in list_found(whole, written):
                wrong.append(written)
    assert tried > 500
    assert wrong == []
