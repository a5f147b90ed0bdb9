""" "f" written to a number is its letter where the law has such a section, else what follows."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

NUMBERS = ("5", "5a", "5b", "5f", "5g", "6", "7", "8")


def _build_library() -> Library:
    """LetterG: §§ 5 to 8, with §§ 5a, 5b, 5f, 5g; each with two Absätze."""
    law = build_statute("LetterG", "Letterngesetz")
    norms = [build_norm(law, f"§ {number}") for number in NUMBERS]
    text = "{abs 1|(1) Eine Letter ist aus Blei.}\n{abs 2|(2) Sie ist schwer.}"
    store = InventedStore([law], [(norm, [build_fassung(norm, text)]) for norm in norms], [])
    return Library(store, InventedIndex(store), LawNames.build([law]), sources=SOURCES)


LETTERS = _build_library()


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("§§ 5g, 5f LetterG", "5g | 5f"),
        ("§§ 5f und 5g LetterG", "5f | 5g"),
        ("§§ 5 a, 5 f LetterG", "5a | 5f"),
        ("§§ 5f Abs. 2, 5g LetterG", "5f Abs. 2 | 5g"),
        ("§§ 5f II, 7 LetterG", "5f Abs. 2 | 7"),
        ("§§ 5f bis 6 LetterG", "5f | 5g | 6"),
        ("LetterG §§ 5f Abs. 1, 8", "5f Abs. 1 | 8"),
        ("§§ 5a, 6f LetterG", "5a | 6 | 7"),
        ("§§ 5f. LetterG", "5 | 5a"),
        ("§§ 5 f. LetterG", "5 | 5a"),
        ("§§ 7f LetterG", "7 | 8"),
    ],
)
def test_the_letter_wins_where_that_section_exists_and_no_dot_follows(
    written: str, found: str
) -> None:
    hits = resolve(LETTERS, written, TODAY).hits
    assert [hit.citation for hit in hits] == [f"§ {one} LetterG" for one in found.split(" | ")]


@pytest.mark.parametrize(
    ("written", "others"),
    [
        ("§§ 5f LetterG", ["§ 5 LetterG", "§ 5a LetterG"]),
        ("§§ 7f LetterG", []),
        ("§§ 5f. LetterG", []),
        ("§§ 5f Abs. 1 LetterG", []),
    ],
)
def test_what_else_it_can_mean_is_an_alternative(written: str, others: list[str]) -> None:
    first = resolve(LETTERS, written, TODAY).hits[0]
    assert isinstance(first, ProvisionHit)
    assert [place.citation for place in first.alternatives] == others
