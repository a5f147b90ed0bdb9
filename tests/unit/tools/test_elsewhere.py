"""Questions that neither federal nor EU law answers are told whose matter they are."""

from dataclasses import replace

import pytest

from fundstelle.tools.elsewhere import _read, tell_elsewhere
from tests.unit.tools.fakes import FakeStore, build_library, build_statute

LIBRARY = build_library()
_, WORDS = _read()


@pytest.mark.parametrize("word", sorted({word for word, _ in WORDS.values()}))
@pytest.mark.parametrize("query", ["{}", "Was gilt bei {}?", "{}n"])
def test_every_word_of_the_table_is_found_as_people_write_it(word: str, query: str) -> None:
    for written in (word, word.lower()):
        told = tell_elsewhere(query.format(written), LIBRARY)
        assert told is not None
        assert told[0].startswith(f"{word} is ")


@pytest.mark.parametrize("query", ["", "Hund", "Steuer", "Chundesteuer", "VOB", "Kaufvertrag"])
def test_nothing_is_said_of_other_words(query: str) -> None:
    assert tell_elsewhere(query, LIBRARY) is None


def test_laws_of_a_land_that_are_held_are_named() -> None:
    land = replace(build_statute("HStG", "Hundesteuergesetz"), jurisdiction="de_by")
    library = replace(LIBRARY, store=FakeStore([land], []))
    told = tell_elsewhere("Hundesteuer", library)
    assert told is not None
    assert told[0].endswith("held of the Länder: Bayern.")
    told = tell_elsewhere("VOB/B", library)
    assert told is not None
    assert "nothing of that is held here" in told[0]
