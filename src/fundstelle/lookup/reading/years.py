"""Years behind a law: ``VVG 1908`` is an edition, ``EStG 2024`` the time that is asked about."""

import re
from collections.abc import Sequence
from datetime import date
from enum import Enum, auto

from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import NormStatus, StandNote, Statute

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=: )")  # as ``eu.editions`` notes them
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


def read_year(version: str | None) -> int | None:
    """The year that a version consists of, if it is one."""
    return int(version) if version is not None and _YEAR.fullmatch(version) else None


class Meaning(Enum):
    """What a year behind the name of a law held says."""

    NAME = auto()  # it belongs to the name that the law has today: "EEG 2023"
    EDITION = auto()  # in it the law was issued or, since, promulgated anew: "BGB 2002"
    TIME = auto()  # any other, also that of a former name: "EStG 2024", "KWKG 2023"


def read_meaning(statute: Statute, year: int) -> Meaning:
    """What that year says behind the name of that law."""
    named, former = _list_named(statute)
    if year in named:
        return Meaning.NAME
    # a law that is renamed by the year is no longer that of the year in which it was issued
    return Meaning.EDITION if not former and year in _list_issued(statute) else Meaning.TIME


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


def is_changed_since(heads: Sequence[FassungHead], year: int) -> bool:
    """Whether the texts held tell of a change since that year, whose own may not be among them."""
    held = [head for head in heads if head.status is not NormStatus.FUTURE]
    begun = [head.in_force_from for head in held if head.in_force_from is not None]
    # what was promulgated in a year may be in force from the next on
    is_later = any(day > date(year + 1, 1, 1) for day in begun)
    return is_later or any(head.in_force_until is not None for head in held)


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


def _list_named(statute: Statute) -> tuple[set[int], set[int]]:
    """The years in the names of today, and those in former ones, which the publisher keeps."""
    kept = [_read_years(name) for name in statute.abbreviations_juris]
    newest = max(kept, key=lambda years: max(years, default=0), default=set())
    named = _read_years(statute.abbreviation_official or "") or newest
    named = named | _read_years(statute.abbreviation)  # which ids have, though nobody else
    return named, set().union(*kept) - named


def _read_years(name: str) -> set[int]:
    return {int(year) for year in _YEAR.findall(name)}


def _list_issued(statute: Statute) -> set[int]:
    """The year of the newest promulgation: the first of its note, as pages are behind it."""
    anew = [note.text for note in statute.stand_notes if note.kind == "Neuf"]
    years = [int(found[0]) for text in anew if (found := _YEAR.search(text))]
    if years:
        return {max(years)}
    printed = _YEAR.search(statute.publication or "")
    issued = {statute.issued_on.year} if statute.issued_on is not None else set()
    return issued | ({int(printed[0])} if printed else set())
