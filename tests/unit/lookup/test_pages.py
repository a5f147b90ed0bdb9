"""The address of a page of this server is read as what the page shows."""

from dataclasses import replace

import pytest

from fundstelle.lookup.addresses import find_page, norm_path
from fundstelle.lookup.answers import LawHit, Miss, ProvisionHit
from fundstelle.lookup.reading.pages import Page, read_page
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import STAND, build_library

BASE = "https://law.test"
LIBRARY = replace(build_library(), base_url=BASE)


def list_hits() -> list[ProvisionHit]:
    """Every norm that is held, and each of its parts."""
    hits = []
    for statute_id in LIBRARY.store.statutes:
        for norm in LIBRARY.store.list_norms(statute_id):
            whole = resolve(LIBRARY, norm.norm_id, STAND).outcomes[0]
            if isinstance(whole, ProvisionHit):
                parts = enumerate(whole.segments)
                hits += [
                    whole,
                    *(replace(whole, unit=n, start=one.start, end=one.end) for n, one in parts),
                ]
    return hits


@pytest.mark.parametrize("before", [BASE, ""])
def test_every_page_reads_back_to_what_it_is_the_page_of(before: str) -> None:
    hits = list_hits()
    assert any(hit.unit > 0 for hit in hits)
    for hit in hits:
        written = before + find_page(hit)
        found = resolve(LIBRARY, written, STAND)
        (one,) = found.outcomes
        assert found.written == written
        if isinstance(one, Miss):
            assert one.status == "repealed", written  # a number without words
            continue
        assert isinstance(one, ProvisionHit)
        read = (one.norm.norm_id, one.unit, one.start, one.end)
        assert read == (hit.norm.norm_id, hit.unit, hit.start, hit.end)
        assert (find_page(one), before + find_page(one)) == (find_page(hit), written)


def test_the_page_of_a_law_is_the_law() -> None:
    for statute_id in LIBRARY.store.statutes:
        (found,) = resolve(LIBRARY, BASE + norm_path(statute_id), STAND).outcomes
        assert isinstance(found, LawHit)
        assert found.statute.statute_id == statute_id


def test_the_day_of_a_page_goes_before_that_of_the_call() -> None:
    found = resolve(LIBRARY, f"{BASE}/n/de/musterg/1?as_of=2000-01-01", STAND)
    assert found.on.isoformat() == "2000-01-01"


@pytest.mark.parametrize(
    "written",
    [
        "https://elsewhere.test/n/de/musterg/1",
        f"{BASE}.elsewhere.test/n/de/musterg/1",
        f"{BASE}/n/de/musterg/1#abs-99",
        f"{BASE}/n/de/musterg/1?as_of=2000-13-01",
        f"{BASE}/n/de/musterg/1?compare_to=2000-01-01",
        f"{BASE}/n/musterg",
        f"{BASE}/keys",
    ],
)
def test_what_is_no_page_of_a_text_here_is_not_read_as_one(written: str) -> None:
    assert isinstance(resolve(LIBRARY, written, STAND).outcomes[0], Miss)


def test_a_decision_is_read_with_its_passage() -> None:
    page = read_page(f"{BASE}/d/ECLI:DE:BGH:2024:010124UXZR1.24.0#rn-12_a", BASE)
    assert page == Page("ECLI:DE:BGH:2024:010124UXZR1.24.0", None, "rn-12_a")
    assert page.reference == "ECLI:DE:BGH:2024:010124UXZR1.24.0 Rn. 12 a"
