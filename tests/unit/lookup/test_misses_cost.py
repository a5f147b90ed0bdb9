from typing import Any

import pytest

from fundstelle.lookup.misses import gaps
from fundstelle.lookup.parts import following
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


def count_calls(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[None]:
    """One entry for each call of that function."""
    calls: list[None] = []
    called = getattr(owner, name)

    def note(*arguments: Any) -> Any:
        calls.append(None)
        return called(*arguments)

    monkeypatch.setattr(owner, name, note)
    return calls


def test_missing_parts_of_a_long_provision_do_not_go_through_all_of_it_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts = "\n".join(f"{{nr {number}|{number}. Nagel,}}" for number in range(1, 301))
    library = build_library(parts)
    grown = count_calls(monkeypatch, following._Tree, "__init__")
    named = count_calls(monkeypatch, gaps, "get_steps")
    written = ", ".join(f"§ 9 Nr. {number} MusterG" for number in range(401, 421))
    found = resolve(library, written, TODAY)
    assert len(found.misses) == MOST_TARGETS
    assert {miss.reason.partition(": ")[2] for miss in found.misses} == {
        "§ 9 MusterG has Nr. 1 to 300, 300 in all."
    }
    assert len(grown) == 1
    assert len(named) <= 5 * MOST_TARGETS


@pytest.mark.parametrize("written", ["§ 77 GrundMG", "Art. 77 GrundMG", "§ 77 SGB V"])
def test_a_missing_number_reads_no_list_of_norms(
    monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    library = build_library()
    expected = list(resolve(library, written, TODAY).outcomes)
    for name in ("list_provisions", "list_norms"):
        monkeypatch.delattr(type(library.store), name)
    assert list(resolve(library, written, TODAY).outcomes) == expected
