"""What is remembered of strangers' texts is bounded by length, too."""

import tracemalloc
from collections.abc import Callable

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.law.identifiers import number_key, to_id
from fundstelle.lookup.reading import written
from fundstelle.memo import remember_short
from fundstelle.search.words.compounds import CompoundSplitter
from fundstelle.search.words.everyday import Everyday
from fundstelle.search.words.german import GermanAnalyzer

_CALLS, _LETTERS = 50, 20_000
_ANALYZER = GermanAnalyzer(CompoundSplitter({}))
_EVERYDAY = Everyday(())
_NAMES = LawNames.build(())


def test_short_texts_are_worked_out_once_and_long_ones_each_time() -> None:
    made: list[str] = []

    @remember_short(maxsize=2, longest=3)
    def measure(text: str) -> int:
        made.append(text)
        return len(text)

    assert [measure(text) for text in ("abc", "abc", "abcd", "abcd", "")] == [3, 3, 4, 4, 0]
    assert made == ["abc", "abcd", "abcd", ""]


@pytest.mark.parametrize(
    "take",
    [
        pytest.param(lambda word: find(f"§ 1 {word}"), id="drafts"),
        pytest.param(_ANALYZER.analyse, id="searches"),
        pytest.param(_EVERYDAY.knows, id="everyday words"),
        pytest.param(to_id, id="ids"),
        pytest.param(number_key, id="numbers"),
        pytest.param(lambda word: written._parse(f"§ 1 {word}", _NAMES), id="lookups"),
    ],
)
def test_long_words_do_not_stay_in_memory(take: Callable[[str], object]) -> None:
    take("warm")
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(_CALLS):
            take(f"{number}" + "a" * _LETTERS)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < _CALLS * _LETTERS / 4, "less than a quarter of what was sent"
