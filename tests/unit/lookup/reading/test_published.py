"""Laws by their place in a gazette: each publication is read once, however many are asked for."""

from dataclasses import replace

import pytest

from fundstelle.law.citations import GazetteCitation
from fundstelle.lookup.reading import published
from fundstelle.lookup.reading.published import PublishedLaws
from tests.unit.lookup.invented import build_statute

LAW = build_statute("EinsG", "Erstes Gesetz")
ONE = replace(LAW, statute_id="de/one", publication="BGBl I 2003, 102")
TWO = replace(LAW, statute_id="de/two", publication="BGBl I 2003, 102")
OLD = replace(LAW, statute_id="de/old", publication="RGBl 1896, 195")
NOWHERE = replace(LAW, statute_id="de/nowhere", publication=None)


@pytest.mark.parametrize(
    ("gazette", "part", "year", "page", "expected"),
    [
        ("BGBl", "I", "2003", "102", ["de/one", "de/two"]),
        ("BGBl", None, "2003", "102", ["de/one", "de/two"]),
        ("BGBl", "II", "2003", "102", []),
        ("RGBl", "I", "1896", "195", ["de/old"]),  # in its time there was one part
        ("BGBl", "I", "2003", "10", []),
        ("BGBl", "I", "1896", "195", []),
    ],
)
def test_a_law_is_found_by_all_that_its_publication_says(
    gazette: str, part: str | None, year: str, page: str, expected: list[str]
) -> None:
    laws = PublishedLaws([ONE, OLD, NOWHERE, TWO])
    found = laws.find(GazetteCitation(gazette, year, part, page))
    assert [statute.statute_id for statute in found] == expected


def test_no_publication_is_read_for_a_citation(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = PublishedLaws([ONE, TWO, OLD])
    read = []
    original = published._Publication.read

    def count(written: str) -> published._Publication:
        read.append(written)
        return original(written)

    monkeypatch.setattr(published._Publication, "read", count)
    for page in range(50):
        laws.find(GazetteCitation("BGBl", "2003", "I", str(page)))
    assert len(read) == 50
