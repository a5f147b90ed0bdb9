from typing import Any

import pytest

from fundstelle.lookup.provisions import MOST_TARGETS
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import TODAY, build_library


def test_a_missing_annex_is_looked_for_among_annexes(monkeypatch: pytest.MonkeyPatch) -> None:
    library = build_library()
    asked: list[Any] = []
    list_norms = library.store.list_norms

    def note(statute_id: str, kind: Any = None) -> Any:
        asked.append(kind)
        return list_norms(statute_id, kind)

    monkeypatch.setattr(library.store, "list_norms", note)
    assert not resolve(library, "Anlage 99 MusterG", TODAY).hits
    assert asked
    assert None not in asked


@pytest.mark.parametrize("written", ["§§ 1 bis 8 MusterG", "§§ 1 ff. MusterG", "§§ 1 f. MusterG"])
def test_a_range_reads_no_provision_that_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    library = build_library()
    expected = list(resolve(library, written, TODAY).outcomes)
    monkeypatch.delattr(type(library.store), "list_provisions")
    assert list(resolve(library, written, TODAY).outcomes) == expected
    assert len(expected) > 1


def test_what_a_citation_means_beyond_what_is_shown_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = build_library()
    asked: list[str] = []
    find_neighbours = library.store.find_neighbours

    def note(statute_id: str, number: str, kind: Any = None) -> Any:
        asked.append(number)
        return find_neighbours(statute_id, number, kind)

    monkeypatch.setattr(library.store, "find_neighbours", note)
    written = ", ".join(f"§ {number} MusterG" for number in range(101, 131))
    found = resolve(library, written, TODAY)
    assert len(found.outcomes) == len(set(asked)) == MOST_TARGETS
    assert found.total == 30
    assert found.warnings == (
        "At least 30 provisions are meant; the first 20 are given. Ask for the rest separately.",
    )


def test_missing_numbers_of_a_law_read_none_of_its_norms(monkeypatch: pytest.MonkeyPatch) -> None:
    library = build_library()
    expected = list(resolve(library, "§§ 101, 102, 103 MusterG", TODAY).outcomes)
    for name in ("list_provisions", "list_norms"):
        monkeypatch.delattr(type(library.store), name)
    assert list(resolve(library, "§§ 101, 102, 103 MusterG", TODAY).outcomes) == expected
    assert len(expected) == 3
