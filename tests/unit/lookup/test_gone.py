"""What is quoted of a provision that is gone: only what its publisher prints."""

from dataclasses import replace

import pytest

from fundstelle.law.norms import NormStatus
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
)

DASH = "; the publisher prints a dash in the place of its text"


@pytest.mark.parametrize(
    ("title", "text", "told"),
    [
        ("(weggefallen)", "", " (weggefallen)"),
        ("(weggefallen)", "-", " (weggefallen)"),
        ("Altes (weggefallen)", "-", " (weggefallen)"),
        (None, "(aufgehoben)", " (aufgehoben)"),
        (None, "-", DASH),
        (None, "—", DASH),
        (None, "", ""),
    ],
)
def test_no_word_is_quoted_that_is_not_printed(title: str | None, text: str, told: str) -> None:
    plain = build_library()
    assert isinstance(plain.store, InventedStore)
    law = plain.store.statutes["de/musterg"]
    norm = build_norm(law, "§ 11", title)
    held = build_fassung(norm, text)
    held = replace(held, status=NormStatus.REPEALED)
    store = InventedStore(plain.store.laws, [*plain.store.contents, (norm, [held])])
    library = Library(store, InventedIndex(store), plain.names)

    [miss] = resolve(library, "§ 11 MusterG", TODAY).outcomes
    assert isinstance(miss, Miss)
    assert miss.status == "repealed"
    assert miss.reason == f"§ 11 MusterG is repealed{told}."


@pytest.mark.parametrize("word", ["(weggefallen)", "(aufgehoben)"])
def test_of_a_part_that_is_gone_its_own_word_is_quoted(word: str) -> None:
    library = build_library(f"{{nr 1|1. messen,}}\n{{nr 2|2. {word}}}\n{{nr 3|3. sägen.}}")

    [miss] = resolve(library, "§ 9 Nr. 2 MusterG", TODAY).outcomes
    assert isinstance(miss, Miss)
    assert miss.reason.startswith(f"§ 9 Nr. 2 MusterG is repealed {word}; since when")
