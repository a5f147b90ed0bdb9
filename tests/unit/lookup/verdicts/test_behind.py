"""What stands behind a citation in a draft and was not read makes it unclear."""

import pytest

from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.behind import doubt
from fundstelle.lookup.verdicts.judge import Verdict, judge
from tests.unit.lookup.invented import TODAY, InventedStore, build_library, build_statute


@pytest.fixture
def library() -> Library:
    """With a MusterG 7 beside the MusterG."""
    library = build_library()
    assert isinstance(library.store, InventedStore)
    other = build_statute("MusterG 7", "Siebtes Mustergesetz")
    library.store.statutes = {**library.store.statutes, other.statute_id: other}
    return library


def ask(library: Library, citation: str, behind: str) -> Verdict:
    verdict = judge(library, resolve(library, citation, TODAY))
    return doubt(library, verdict, citation + behind, len(citation))


@pytest.mark.parametrize("citation", ["§ 4 MusterG", "§ 3 MusterG"])
def test_a_number_behind_a_name_that_other_laws_bear_with_numbers_is_not_passed_over(
    library: Library, citation: str
) -> None:
    assert ask(library, citation, "").verdict in {"ok", "repealed"}
    found = ask(library, citation, " 8 gilt.")

    assert found.verdict == "unclear"
    assert "“8”" in found.why


def test_a_number_that_counts_something_is_no_law_s(library: Library) -> None:
    assert ask(library, "§ 4 MusterG", " 1,5 Liter").verdict == "ok"
    assert ask(library, "§ 4 MusterG", " 2019").verdict == "ok"
    assert ask(build_library(), "§ 4 MusterG", " 8 Tage").verdict == "ok"
