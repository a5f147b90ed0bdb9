"""Years behind a law: ``VVG 1908`` is an edition, ``EStG 2024`` the time that is asked about."""

import re
from collections.abc import Iterator
from datetime import date

from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import NormStatus, StandNote, Statute

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=: )")  # as ``eu.editions`` notes them
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


def read_year(version: str | None) -> int | None:
    """The year that a version consists of, if it is one."""
    return int(version) if version is not None and _YEAR.fullmatch(version) else None


def bears(statute: Statute, year: int) -> bool:
    """Whether the law held is the edition of that year: so named, issued or promulgated anew."""
    return year in _list_years(statute)


def is_before(statute: Statute, year: int) -> bool:
    """Whether there was no such law yet, so that an older one of its name is meant."""
    begun = statute.issued_on or statute.first_look
    return begun is not None and year < begun.year


def is_of_year(head: FassungHead, year: int) -> bool:
    """Whether a text held on any day of that year."""
    if head.status is NormStatus.FUTURE:
        return False
    begun = head.in_force_from is None or head.in_force_from.year <= year
    return begun and (head.in_force_until is None or head.in_force_until > date(year, 1, 1))


def choose_day(year: int, on: date) -> date:
    """The day to read the law on: ``on`` in its own year, else the last before or first behind."""
    if year == on.year:
        return on
    return date(year, 12, 31) if year < on.year else date(year, 1, 1)


def list_consolidated(statute: Statute) -> list[date]:
    """The days of the consolidated texts of an EU act that are held, oldest first."""
    said = map(read_consolidated, statute.stand_notes)
    return sorted({day for day in said if day is not None})


def read_consolidated(note: StandNote) -> date | None:
    """The day of a consolidated text, where the note is the one that tells of it."""
    found = _DAY.match(note.text) if note.kind == "Stand" else None
    return date.fromisoformat(found[0]) if found else None


def _list_years(statute: Statute) -> Iterator[int]:
    if statute.issued_on is not None:
        yield statute.issued_on.year
    anew = [note.text for note in statute.stand_notes if note.kind == "Neuf"]
    named = (statute.abbreviation, *statute.abbreviations_juris, statute.publication or "", *anew)
    for name in named:
        yield from (int(year) for year in _YEAR.findall(name))
