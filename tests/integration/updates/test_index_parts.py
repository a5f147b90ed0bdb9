"""An update makes those parts of the index anew whose decisions are others, and no more."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from fundstelle.ingest.build import workers
from fundstelle.ingest.build.workers import HeldIndex
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.ranking import periods
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.engines.tantivy.parts import DecisionParts
from fundstelle.search.index import SearchRequest
from tests.integration.corpora.building import build, find_database
from tests.integration.corpora.laws import write_laws
from tests.integration.updates.test_taken_citings import LAWS, give

OLDER, NEWER = "gii-2025-01-01", "gii-2025-01-15"
DAYS = {  # by the number of the docket
    **{number: f"{2019 + number % 6}0504" for number in range(10, 40)},
    **{number: f"2024{number % 12 + 1:02}15" for number in range(40, 70)},
}
WORDS = {
    number: f"Der Hund bellt {'laut ' * (number % 4)}. Nachbar {number % 5} klagt nach § 1 AlphaG."
    for number in DAYS
}
QUERIES = ("Hund bellt", "laut", "Nachbar 3", "AlphaG", "neu gelten", "Klage des Nachbarn")


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small numbers, so that few decisions have parts; the work is done in this process."""
    monkeypatch.setattr(periods, "_FEW", 10)
    monkeypatch.setattr(periods, "_FEW_OF_A_YEAR", 12)


def give_all(words: Mapping[int, str], name: str = "decisions-1") -> Collection:
    days = {number: {"entsch-datum": DAYS.get(number, "20241220")} for number in words}
    return give(name, words, days)


def index(database: Path, folder: Path, held: HeldIndex | None = None) -> dict[int, str]:
    """Make the index of a build; the segments of its parts."""
    folder.mkdir()
    workers.build_index(TantivyEngine(), database, folder, held)
    parts = DecisionParts.find(folder)
    assert parts is not None
    return {part: parts.find_segment(part) for part in parts.names}


def ask(folder: Path) -> list[str]:
    opened = TantivyEngine().open(folder)
    requests = [
        SearchRequest(query, limit=80, offset=offset, filters=filters, facets=True)
        for query in QUERIES
        for offset in (0, 7)
        for filters in ({}, {"court": ("BGH",)}, {"document_kind": ("statute",)})
    ]
    found = [repr(opened.search(request)) for request in requests]
    opened.close()
    return found


@pytest.mark.parametrize(
    ("laws", "words", "anew"),
    [
        pytest.param(LAWS, {}, set(), id="nothing"),
        pytest.param(
            {"AaaG": {"§ 1": "Neu.", "§ 2": "Neu."}} | LAWS, {}, set(), id="a law before all others"
        ),
        pytest.param(
            LAWS, {9: "Was heute kommt.", 70: "Nach § 2 AlphaG bellt er."}, {20244}, id="new ones"
        ),
        pytest.param(LAWS, {11: "Nun bellt ein anderer Hund."}, {20242}, id="other words"),
        pytest.param(
            {"AaaG": {"§ 1": "Neu."}} | LAWS,
            {45: "Ohne Gebell.", 12: "Er schweigt.", 71: "Neu."},
            {20244, 20190},
            id="all at once",
        ),
    ],
)
def test_parts_of_the_same_decisions_go_on_and_all_is_found_as_in_an_index_from_nothing(
    tmp_path: Path, laws: Mapping[str, Mapping[str, str]], words: Mapping[int, str], anew: set[int]
) -> None:
    given = tmp_path / "given"
    write_laws(given / OLDER, LAWS)
    write_laws(given / NEWER, laws)
    build(tmp_path / "data", [*find_snapshots(given / OLDER), give_all(WORDS)])
    before = find_database(tmp_path / "data")
    held = index(before, tmp_path / "before")
    assert len(held) > 6
    new = [give_all(words, "decisions-2")] if words else []
    build(tmp_path / "data", [*find_snapshots(given / NEWER), *new])
    after = find_database(tmp_path / "data")
    taken = index(
        after, tmp_path / "taken", HeldIndex(tmp_path / "before", before, has_same_decisions=False)
    )
    assert taken.keys() == held.keys()
    assert {part for part in taken if taken[part] != held[part]} == anew
    fresh = index(after, tmp_path / "fresh")
    assert not set(fresh.values()) & set(held.values())
    assert ask(tmp_path / "taken") == ask(tmp_path / "fresh")
