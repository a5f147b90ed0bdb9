"""A provision that goes on the day on which another comes with its words has found an heir."""

from datetime import date

import pytest

from fundstelle.corpus.ingestion import DatedText
from fundstelle.ingest.graph.heirs import find_heirs

DAY, OTHER_DAY = date(2023, 1, 4), date(2023, 1, 11)
WORDS = (
    "Wer einen Drachen hält, hat ihn so zu verwahren, dass er weder Felder noch Scheunen in Brand"
    " setzt, und der Gemeinde jeden Umzug des Drachen binnen einer Woche anzuzeigen."
)
CHANGED = WORDS.replace("binnen einer Woche", "unverzüglich")
FOREIGN = "Für Einhörner gelten die Vorschriften über Pferde, soweit nichts anderes bestimmt ist."


@pytest.mark.parametrize(
    ("begun", "heir"),
    [
        ([(7, DAY, WORDS)], 7),
        ([(6, DAY, FOREIGN), (7, DAY, CHANGED)], 7),
        ([(6, DAY, CHANGED), (7, DAY, WORDS)], 7),  # the more of its words, the better
        ([(7, DAY, f"{FOREIGN} {WORDS} {FOREIGN}")], 7),
        ([(7, OTHER_DAY, WORDS)], None),
        ([(7, DAY, FOREIGN)], None),
        ([(7, DAY, f"{WORDS[:60]} {FOREIGN}")], None),  # some of its words are too few
        ([], None),
    ],
)
def test_the_heir_has_most_of_the_words_and_comes_the_same_day(
    begun: list[DatedText], heir: int | None
) -> None:
    found = list(find_heirs([(1, DAY, WORDS)], begun))
    assert [each[1] for each in found] == ([] if heir is None else [heir])
    assert all(60 <= each[2] <= 100 for each in found)


def test_words_that_many_have_tell_nothing() -> None:
    many = [(number, DAY, WORDS) for number in range(30)]
    assert list(find_heirs([(99, DAY, WORDS)], many)) == []


def test_of_a_text_taken_over_whole_all_words_are_kept() -> None:
    assert list(find_heirs([(1, DAY, WORDS)], [(2, DAY, WORDS)])) == [(1, 2, 100)]
