"""Comparing a quote with a text costs little, whatever the quote, and tells what it leaves out."""

import time
from contextlib import suppress

import pytest

from fundstelle.lookup.comparing.alignment import align
from fundstelle.lookup.comparing.effort import Effort, EffortSpent
from fundstelle.lookup.comparing.resemblance import (
    MOST_BYTES,
    MOST_DIFFERENCES,
    find_resemblance,
)
from fundstelle.lookup.comparing.windows import find_windows
from fundstelle.lookup.comparing.wording import Wording, read_quote
from fundstelle.lookup.comparing.words import read_quoted, read_words

LINE = "{}.{} | Boje, grün, mit Toppzeichen | 53° {}' N, 8° {}' O | gilt für Schiffe, Boote\n"
ANNEX = "".join(LINE.format(n, n % 7, n % 60, n * 7 % 60) for n in range(9_000))
GENEROUS_S = 2.0  # of CPU; before it was bounded each of these took 15 to 170 seconds

HOSTILE = {
    "commas": "," * 1_990,
    "an omission and commas": "gilt [...] " + "," * 1_900,
    "one word": "gilt " * 400,
    "many omissions": "Boje [...] , [...] " * 105,
    "numbers": " ".join(str(number) for number in range(520)),
    "letters": "N O " * 500,
    "ligatures that expand": "\ufdfa" * 2_000,
    "accents": "e" + "\u0301\u0327" * 999,
    "omissions alone": "[...]" * 400,
    "blanks": "x" + " " * 1_990 + "y",
}


@pytest.mark.parametrize("quote", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_quote_of_a_large_annex_takes_long_or_answers_at_length(quote: str) -> None:
    begin = time.thread_time()
    near = Wording(ANNEX).compare(read_quote(quote))
    assert time.thread_time() - begin < GENEROUS_S

    told = near.differences if near else ()
    assert len(told) <= MOST_DIFFERENCES
    assert sum(len((each.quoted + each.stored).encode()) for each in told) <= MOST_BYTES


def test_the_differences_that_are_left_out_are_counted() -> None:
    words = [f"wort{number}" for number in range(200)]
    quote = " ".join(word if at % 3 else f"falsch{at}" for at, word in enumerate(words))
    near = Wording(" ".join(words)).compare(read_quote(quote))

    assert near is not None
    assert len(near.differences) + near.left_out == 67
    assert len(near.differences) == MOST_DIFFERENCES


def test_what_an_omission_stands_for_is_no_difference() -> None:
    text = "Der Entleiher hat das Werkzeug vor der Rückgabe sorgfältig zu reinigen."
    near = Wording(text).compare(read_quote("Der Entleiher hat [...] sorgfältig zu säubern."))

    assert near is not None
    assert [(each.quoted, each.stored) for each in near.differences] == [("säubern", "reinigen")]


def test_a_long_gap_is_told_by_its_beginning_and_end() -> None:
    gap = " ".join(f"w{number}" for number in range(40))
    before, after = (" ".join(f"{side}{at}" for at in range(100)) for side in ("vor", "nach"))
    near = Wording(f"{before} {gap} {after}").compare(read_quote(f"{before} {after}"))

    assert near is not None
    (difference,) = near.differences
    assert difference.stored.startswith("w0 w1 ")
    assert " [...] " in difference.stored
    assert difference.stored.endswith(" w39")


@pytest.mark.parametrize("parts", [["Boje , gelb"], ["Boje , gelb", "gilt nie"]])
def test_the_work_does_not_grow_with_the_text_where_a_word_is_common(parts: list[str]) -> None:
    wanted = [read_quoted(part) for part in parts]
    windows = find_windows(read_words(ANNEX), wanted)

    assert sum(high - low for low, high in windows) < 500


def test_an_altered_row_of_a_large_annex_is_found_and_named() -> None:
    row = LINE.format(7_777, 0, 37, 19).strip().replace("grün", "rot")
    near = Wording(ANNEX).compare(read_quote(row))

    assert near is not None
    assert ANNEX[near.start : near.end].startswith("7777")
    assert ("rot", "grün") in {(each.quoted, each.stored) for each in near.differences}


def test_of_equal_words_the_one_as_far_on_as_in_the_quote_is_paired() -> None:
    assert align(list("ab"), list("abxb")) == [(0, 0), (1, 1)]
    assert align(list("axb"), list("abcb")) == [(0, 0), (2, 1)]


def test_aligning_equal_words_is_linear() -> None:
    def measure(size: int) -> float:
        begin = time.thread_time()
        align(["x"] * 500, ["x"] * size)
        return time.thread_time() - begin

    measure(2_000)
    assert measure(16_000) < 16 * max(measure(4_000), 0.002)


def test_places_in_a_long_text_are_those_of_its_words() -> None:
    words = read_words(ANNEX)
    for first, last in ((0, 5), (70_000, 70_003), (len(words) - 2, len(words))):
        located = words.locate(ANNEX, first, last)
        assert [word for word, _, _ in located] == words.get_words(first, last)
        assert all(ANNEX[start:end] == word for word, start, end in located)


def test_quotes_that_take_turns_with_as_many_texts_as_a_call_can_name_read_each_once() -> None:
    texts = [f"{number} {LINE.format(number, 1, 2, 3)}" for number in range(20)]
    read_words.cache_clear()
    for _ in range(3):
        for text in texts:
            Wording(text).compare(read_quote("Boje, rot"))

    assert read_words.cache_info().misses == len(texts)


def test_the_texts_that_one_call_compares_have_some_800_000_characters_at_most() -> None:
    effort, read = Effort(), 0
    for number in range(20):
        text = str(number % 10) * (60_000 + number)
        with suppress(EffortSpent):
            effort.take_comparison(text, "Boje")
            read += len(text)

    assert 750_000 < read < 850_000


def test_one_quote_is_compared_with_a_text_of_any_length() -> None:
    effort = Effort()
    effort.take_comparison("x" * 5_000_000, "y")
    assert effort.is_spent
    with pytest.raises(EffortSpent):
        effort.take_comparison("z", "y")


def test_twenty_ordinary_quotes_that_stand_nowhere_are_looked_for_everywhere() -> None:
    effort = Effort()
    for number in range(20):
        text, quote = f"{number}{'x' * 3_000}", "y" * 120
        effort.take_unit(text)
        effort.take_comparison(text, quote)
        assert effort.take_search(quote)
        assert all(effort.take_place(text) for _ in range(20))
        assert effort.take_search(quote)


@pytest.mark.parametrize("omitted", [3, 12, 30, 150])
def test_words_left_out_without_a_word_are_named(omitted: int) -> None:
    left_out = " ".join(f"Zahl{number}" for number in range(omitted))
    head, tail = "Wer einen Hund hält,", "haftet dem Nachbarn für jeden Biss in dessen Wade."
    around = " ".join(f"Wort{number}" for number in range(400))
    text = f"{around} {head} {left_out}, {tail} {around}"

    found = find_resemblance(text, [f"{head} {tail}"])

    assert found is not None
    assert found.share == 1
    assert text[found.start : found.end] == f"{head} {left_out}, {tail}"
    (difference,) = found.differences
    assert difference.kind == "removed"
    assert "Zahl0" in difference.stored
