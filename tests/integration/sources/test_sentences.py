"""Where sentences begin, against a set read by hand.

Each row of ``tests/golden/sentences`` names a norm, the text it was read from, a unit of it and the
offsets at which the sentences of that unit begin.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fundstelle.law.norms import Fassung
from fundstelle.lookup.library import Library
from tests.integration.sources.sentence_units import read_units

_GOLDEN = Path(__file__).parents[2] / "golden" / "sentences"
_LEAST_RIGHT = 0.99
_MOST_CHANGED = 0.05
_SHA_DIGITS = 12


@dataclass(frozen=True, slots=True)
class _Row:
    """One unit read by hand."""

    norm_id: str
    sha12: str
    unit: str
    starts: list[int]

    @property
    def statute_id(self) -> str:
        return "/".join(self.norm_id.split("/")[:2])


def _read_rows() -> Iterator[_Row]:
    for path in sorted(_GOLDEN.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                starts = [int(start) for start in row["starts"].split(",")]
                yield _Row(row["norm_id"], row["sha12"], row["unit"], starts)


def _compare(row: _Row, fassung: Fassung) -> str:
    """What is wrong with the unit; empty if nothing is."""
    units = read_units(fassung.segments).get(row.unit, [])
    if row.starts in units:
        return ""
    if not units:
        return f"{row.norm_id} {row.unit}: no such part"
    gold = set(row.starts)
    starts = set(min(units, key=lambda unit: len(gold.symmetric_difference(unit))))
    return (
        f"{row.norm_id} {row.unit or '(whole text)'}: {len(starts)} sentences instead of"
        f" {len(gold)}, missing at {sorted(gold - starts)}, too many at {sorted(starts - gold)}"
    )


@pytest.mark.corpus
def test_sentences_begin_where_a_reader_puts_them(
    whole: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = list(_read_rows())
    held = ((row, whole.store.find_fassung(row.norm_id)) for row in rows)
    same = [
        (row, fassung)
        for row, fassung in held
        if fassung is not None
        and fassung.text_sha256.startswith(row.sha12)
        and len(row.sha12) == _SHA_DIGITS
    ]
    wrong = [problem for row, fassung in same if (problem := _compare(row, fassung))]
    changed = len(rows) - len(same)
    with capsys.disabled():
        norms = {row.norm_id for row, _ in same}
        laws = {row.statute_id for row, _ in same}
        print(  # noqa: T201 the measure is the point
            f"\n{len(same) - len(wrong)} of {len(same)} units right in {len(norms)} norms of"
            f" {len(laws)} laws; {changed} rows skipped: text is not the one they were read from",
            *wrong,
            sep="\n",
        )
    assert changed <= len(rows) * _MOST_CHANGED
    assert len(wrong) <= len(same) * (1 - _LEAST_RIGHT)
