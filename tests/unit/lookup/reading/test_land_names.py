"""An abbreviation that laws of Länder bear, too, denies nothing of theirs."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

SHARED = build_statute("LwG", "Lattenwerksgesetz")
OTHER = build_statute("LattG", "Lattengesetz")


@pytest.fixture(scope="module")
def library() -> Library:
    norms = [build_norm(law, f"§ {number}") for law in (SHARED, OTHER) for number in (1, 2)]
    store = InventedStore(
        [SHARED, OTHER], [(norm, [build_fassung(norm, "Das gilt.")]) for norm in norms]
    )
    return Library(store, InventedIndex(store), LawNames.build([SHARED, OTHER]))


@pytest.mark.parametrize(
    ("written", "verdict"),
    [
        ("§ 2 LwG", "unclear"),
        ("§ 2 LWG", "unclear"),
        ("§ 58 LWG", "not_held"),
        ("§ 2 LattG", "ok"),
        ("§ 58 LattG", "wrong"),
    ],
)
def test_what_the_law_of_the_bund_has_or_lacks_is_not_said_of_the_other(
    library: Library, written: str, verdict: str
) -> None:
    assert judge(library, resolve(library, written, TODAY)).verdict == verdict


def test_the_text_of_the_law_of_the_bund_comes_with_a_warning(library: Library) -> None:
    (hit,) = resolve(library, "§ 2 LWG", TODAY).hits
    assert any("Laws of Länder are called LwG, too" in each for each in hit.warnings)
    (hit,) = resolve(library, "§ 2 LattG", TODAY).hits
    assert not hit.warnings
    [miss] = resolve(library, "§ 58 LWG", TODAY).misses
    assert tell(miss.reason, "de").language == "de"


@pytest.mark.parametrize(
    ("written", "notes"),
    [
        ("§ 2 LWG", ("LWG was read as LwG",)),
        ("§ 2 LATTG", ("LATTG was read as LattG",)),
        ("§ 2 lattg", ()),
        ("§ 2 LattG", ()),
    ],
)
def test_an_abbreviation_in_other_letters_is_said(
    library: Library, written: str, notes: tuple[str, ...]
) -> None:
    assert resolve(library, written, TODAY).normalised == notes
