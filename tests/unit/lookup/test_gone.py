"""What is quoted of a provision that is gone: only what its publisher prints."""

from dataclasses import replace
from datetime import timedelta

import pytest

from fundstelle.law.norms import Norm, NormStatus
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    FLOOR,
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
)


class RangedStore(InventedStore):
    """Ids inside a range lead to it, too."""

    def find_range(self, norm_id: str) -> Norm | None:
        is_inside = norm_id in {"de/musterg/11", "de/musterg/12"}
        return self.find_norm("de/musterg/10") if is_inside else None


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


def test_a_range_printed_later_does_not_hide_the_older_text_of_its_numbers() -> None:
    plain = build_library()
    assert isinstance(plain.store, InventedStore)
    law = plain.store.statutes["de/musterg"]
    shown = replace(build_norm(law, "§§ 10 und 12", "(weggefallen)"), number_end="12")
    norms = [build_norm(law, f"§ {number}") for number in (11, 12)]
    ended = replace(build_fassung(norms[0], "Der Hobel ist scharf."), in_force_until=FLOOR)
    contents = [
        *plain.store.contents,
        (shown, [replace(build_fassung(shown, ""), status=NormStatus.REPEALED)]),
        *((norm, [replace(ended, norm_id=norm.norm_id)]) for norm in norms),
        (build_norm(law, "§ 13"), [build_fassung(build_norm(law, "§ 13"), "Es gilt.")]),
    ]
    store = RangedStore(plain.store.laws, contents)
    library = Library(store, InventedIndex(store), plain.names)

    [miss] = resolve(library, "§ 11 MusterG", TODAY).outcomes
    assert isinstance(miss, Miss)
    assert miss.status == "repealed"
    assert [each.citation for each in miss.suggestions] == ["§ 11 MusterG", "§ 13 MusterG"]
    assert miss.suggestions[0].why.startswith("older text")


def test_the_last_text_with_words_is_one_call_away_and_an_empty_one_is_none() -> None:
    plain = build_library()
    assert isinstance(plain.store, InventedStore)
    norm = build_norm(plain.store.statutes["de/musterg"], "§ 11")
    days = [FLOOR + timedelta(days=100), FLOOR + timedelta(days=200)]
    held = replace(build_fassung(norm, "Der Hobel ist glatt."), stand=FLOOR, in_force_until=days[0])
    dash = replace(
        build_fassung(norm, "-"),
        status=NormStatus.REPEALED,
        stand=days[0],
        in_force_from=days[0],
        in_force_until=days[1],
    )
    gone = replace(dash, in_force_from=days[1], in_force_until=None, stand=TODAY)
    gone = replace(gone, text="(weggefallen)")

    for texts, older in (([held, dash, gone], [FLOOR.isoformat()]), ([dash, gone], [])):
        store = InventedStore(plain.store.laws, [*plain.store.contents, (norm, texts)])
        library = Library(store, InventedIndex(store), plain.names)
        [miss] = resolve(library, "§ 11 MusterG", TODAY).outcomes
        assert isinstance(miss, Miss)
        named = [each.why for each in miss.suggestions if each.why.startswith("older text")]
        assert named == [f"older text, last seen on {day}" for day in older]
        assert ("no older text is held" in "".join(miss.advice)) == (not older)
        if older:
            assert miss.hint is not None
            assert miss.hint.on == FLOOR
            assert resolve(library, miss.hint.of, FLOOR).hits
