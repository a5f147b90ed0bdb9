"""Counted sentences against the sentence numbers that nine laws print.

The same text is divided with the printed numbers and without them. The printed ones win in the
stored segments; that the count agrees shows how well it does where none are printed.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.gii.outline import read_outline
from fundstelle.ingest.sources.gii.xml import parse_document
from fundstelle.ingest.text.lines import Draft
from fundstelle.ingest.text.segments import build_segments
from fundstelle.law.norms import Level, NormKind, Segment
from tests.integration.corpora.gii_archive import iter_files, skip_without_archive
from tests.integration.sources.sentence_units import name_units

_PRINTED = b'<SUP class="Rec">'
_LEAST_RIGHT = 0.99
_FEWEST_UNITS = 1_200


def _drop_numbers(draft: Draft) -> Draft:
    return replace(draft, lines=tuple(replace(line, marks=()) for line in draft.lines))


def _read_starts(segments: tuple[Segment, ...]) -> dict[tuple[str, int], list[int]]:
    """Where the sentences of each divided unit begin, by the unit's name and first character."""
    names = name_units(segments)
    starts: dict[tuple[str, int], list[int]] = {}
    for at, segment in enumerate(segments):
        if segment.level is Level.SATZ:
            unit = segments[segment.parent].start if segment.parent >= 0 else 0
            starts.setdefault((names[at], unit), []).append(segment.start)
    return starts


def _compare(draft: Draft, *, is_annex: bool) -> Iterator[tuple[str, int, set[int], set[int]]]:
    """Each unit with printed numbers: its sentences, those missing and those too many."""
    numbers = {at for line in draft.lines for at, _ in line.marks}
    printed = _read_starts(build_segments(draft, is_annex=is_annex))
    counted = _read_starts(build_segments(_drop_numbers(draft), is_annex=is_annex))
    for unit, starts in printed.items():
        if numbers.isdisjoint(starts):
            continue
        found = set(counted.get(unit, starts[:1]))  # an item that is not divided is one sentence
        yield unit[0], len(starts), set(starts) - found, found - set(starts)


def _compare_law(file: SourceFile) -> Iterator[tuple[int, str]]:
    """For each unit with printed numbers: its sentences, and what is wrong with the count."""
    for entry in read_outline(file, parse_document(file)).entries:
        is_annex = entry.designation.kind is NormKind.ANNEX
        for unit, sentences, missing, extra in _compare(entry.draft, is_annex=is_annex):
            problem = ""
            if missing or extra:
                place = f"{file.slug} {entry.designation.label} {unit}"
                problem = f"{place}: missing at {sorted(missing)}, too many at {sorted(extra)}"
            yield sentences, problem


@pytest.mark.corpus
def test_counting_finds_the_sentences_that_the_publisher_numbered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    skip_without_archive()
    laws = units = sentences = 0
    wrong: list[str] = []
    for file in iter_files():
        if _PRINTED not in file.data:
            continue
        laws += 1
        for count, problem in _compare_law(file):
            units += 1
            sentences += count
            wrong += [problem] if problem else []
    with capsys.disabled():
        print(  # noqa: T201 the measure is the point
            f"\n{units - len(wrong)} of {units} units with {sentences} sentences in {laws} laws"
            " divided as numbered",
            *wrong,
            sep="\n",
        )
    assert units > _FEWEST_UNITS
    assert len(wrong) <= units * (1 - _LEAST_RIGHT)
