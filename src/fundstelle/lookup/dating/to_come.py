"""Until when what a publisher prints as "(zukünftig in Kraft)" was still to come.

A look shows what was to come on its day, and says nothing of the days after it. Beside most such
texts a note names the day of commencement; from that day on only a later look can tell the words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.corpus.store import FassungHead
from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Fassung, Norm, NormStatus, choose_read_day
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.following import NoUnit
from fundstelle.lookup.parts.present import find_parts

_PRINTED = re.compile(r"[(\[]?(?:zukünftig|künftig) in Kraft\.?[)\]]?[.,;]?", re.IGNORECASE)
_LONGEST = 30  # characters of it
_MOST_READ = 40_000  # characters of a note; the publisher's longest has 17,908
_COMMENCES = re.compile(r"\b(?:in Kraft|Inkraft)\b", re.IGNORECASE)
# Notes write "mWv 1.1.2024", "am 1.7.2026 in Kraft" or "zukünftig (1.1.2022) in Kraft".
_DAY = re.compile(rf"(?:\b(?:mWv|am) |zukünftig \()(?P<day>{DATE})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ToCome:
    """What is known of the commencement of such a text, or of such a part of one.

    ``shown`` is the last look that shows it as still to come, ``gone_on`` the day of what follows.
    ``begins`` is the first day that the notes name, or that of the text that follows where it is
    known; ``others``: they name later ones, too.
    """

    shown: date
    gone_on: date | None
    begins: date | None
    others: bool = False

    def is_ahead(self, on: date) -> bool:
        """Whether it was still to come on that day: nothing allows that it was in force."""
        if self.begins is not None and self.begins <= on:
            return False
        if on <= self.shown:
            return True
        if self.begins is None:
            return False
        return self.gone_on is None or self.gone_on >= self.begins


def is_printed_ahead(fassung: Fassung, unit: int) -> bool:
    """Whether all that stands at a part is that it is to come."""
    part = fassung.segments[unit]
    printed = fassung.text[part.body : part.end] if part.end - part.body < _LONGEST else ""
    return _PRINTED.fullmatch(printed.strip()) is not None


def find_to_come(library: Library, fassung: Fassung) -> ToCome:
    """What is known of a text that its publisher shows as still to come."""
    last, after = fassung, None
    for head in _list_after(library, fassung):
        after = head
        if head.status is not NormStatus.FUTURE:
            break
        last = _read(library, fassung.norm_id, head) or last
    return _describe(last, after)


def name_ahead(library: Library, fassung: Fassung, on: date) -> NormStatus:
    """What such a text is on that day: still to come, or not seen yet."""
    ahead = find_to_come(library, fassung).is_ahead(on)
    return NormStatus.FUTURE if ahead else NormStatus.NOT_SEEN


def find_part_to_come(
    library: Library, norm: Norm, fassung: Fassung, path: Sequence[PathStep]
) -> ToCome:
    """The same of a part of a text in force."""
    last, after = fassung, None
    for head in _list_after(library, fassung):
        after = head
        later = _read(library, norm.norm_id, head)
        if later is None or not _is_ahead_in(norm, later, path):
            break
        last = later
    return _describe(last, after)


def _is_ahead_in(norm: Norm, fassung: Fassung, path: Sequence[PathStep]) -> bool:
    units = find_parts(norm, fassung, path)
    if isinstance(units, NoUnit):
        return units.parent >= 0 and is_printed_ahead(fassung, units.parent)
    return all(unit >= 0 and is_printed_ahead(fassung, unit) for unit in units.found)


def _list_after(library: Library, fassung: Fassung) -> Iterator[FassungHead]:
    """The texts that follow without a gap."""
    ends = fassung.in_force_until
    for head in library.store.list_fassungen(fassung.norm_id):
        if ends is not None and head.in_force_from == ends:
            yield head
            ends = head.in_force_until


def _read(library: Library, norm_id: str, head: FassungHead) -> Fassung | None:
    return library.store.find_fassung(norm_id, choose_read_day(head.stand, head.in_force_from))


def _describe(last: Fassung, after: FassungHead | None) -> ToCome:
    gone = last.in_force_until
    if after is not None and after.in_force_from == gone and after.date_precision.is_in_force:
        return ToCome(last.stand, gone, gone)
    days = sorted(set(_iter_days(last.notes)))
    return ToCome(last.stand, gone, days[0] if days else None, others=len(days) > 1)


def _iter_days(notes: Iterable[str]) -> Iterator[date]:
    """The days on which something commences by these notes."""
    for note in notes:
        for clause in note[:_MOST_READ].split("+++"):
            for found in _DAY.finditer(clause) if _COMMENCES.search(clause) else ():
                if (day := read_date(found["day"])) is not None:
                    yield date.fromisoformat(day)
