"""The parts of an index of decisions: each of some time, so that new decisions touch few of them.

Of a corpus that is brought up to date day by day, nearly all that is new is a few months old. A
part costs each search some microseconds, so that there are some thirty of them and no more.
"""

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from fundstelle.corpus.ingestion import WholeDecisions

_FEW = 3_000  # decisions that are one part
_FEW_OF_A_YEAR = 2_000  # ... and of a year that is not divided
_RECENT = 2  # years that come in quarters
_YEARS = 20  # those before come one by one, still older ones by the ten
_SHARE = 50  # one in so many is of the last year; a slip may date a decision ahead
_ALL, _UNDATED, _DECADE = 0, 1, 9

Parts = Mapping[int, "array[int]"]
"""The numbers of the decisions of each part, ascending; parts by their own numbers."""


def divide(days: Sequence[int]) -> Parts:
    """The parts of decisions by their days, YYYYMMDD, 0 = unknown, in the order of numbers."""
    if len(days) < _FEW:
        return {_ALL: array("I", range(len(days)))} if days else {}
    name = _Names(days)
    parts: dict[int, array[int]] = {}
    for number, day in enumerate(days):
        parts.setdefault(name.find(day), array("I")).append(number)
    return dict(sorted(parts.items()))


class _Names:
    """``20253`` is the third quarter of 2025, ``20240`` that year, ``19909`` its decade."""

    def __init__(self, days: Iterable[int]) -> None:
        self._of_year = Counter(day // 10_000 for day in days if day)
        total = self._of_year.total()
        filled = (year for year, count in self._of_year.items() if count * _SHARE >= total)
        self._last = max(filled, default=0)

    def find(self, day: int) -> int:
        if not day:
            return _UNDATED
        year = day // 10_000
        if year <= self._last - _YEARS:
            return year // 10 * 100 + _DECADE
        is_whole = year <= self._last - _RECENT or self._of_year[year] < _FEW_OF_A_YEAR
        return year * 10 + (0 if is_whole else (day // 100 % 100 + 2) // 3)


def find_held(parts: Parts, decisions: WholeDecisions, before: WholeDecisions) -> frozenset[int]:
    """The parts that have just the same decisions in another build."""
    known = _hash_parts(divide(before.list_days()), before)
    return frozenset(
        one for one, of in _hash_parts(parts, decisions).items() if known.get(one) == of
    )


def _hash_parts(parts: Parts, decisions: WholeDecisions) -> dict[int, bytes]:
    """SHA-256 of all decisions of each part, in their order."""
    part_of = array("I", bytes(4 * sum(map(len, parts.values()))))
    for part, numbers in parts.items():
        for number in numbers:
            part_of[number] = part
    digests = {part: hashlib.sha256() for part in parts}
    for number, digest in enumerate(decisions.iter_hashes()):
        digests[part_of[number]].update(digest)
    return {part: digest.digest() for part, digest in digests.items()}
