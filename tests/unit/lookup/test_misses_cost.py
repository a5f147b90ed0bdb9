from typing import Any

import pytest

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
