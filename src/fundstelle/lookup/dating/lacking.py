"""Whether the text of an act that serves a day was read whole.

Each text of an EU act is noted with its day (``eu.editions``), and so is that files of it could not
be read, or that it is an excerpt. An older text goes on lacking what it lacks when a later one is
whole.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from functools import lru_cache

from fundstelle.law.norms import EXCERPTS, GAPS, NormKind, StandNote, Statute
from fundstelle.lookup.reading.years import list_consolidated

_NOTED = re.compile(rf"(?P<kind>{GAPS}|{EXCERPTS})(?: vom (?P<day>\d{{4}}-\d\d-\d\d))?(?: |$)")
_PUBLISHED = date.min  # stands for the day of the act as published


class Lack(Enum):
    """Why a text may not have all that its publisher's has."""

    GAPS = auto()  # files of it are missing, or could not be read
    EXCERPT = auto()  # it is held in parts that may be abridged


@dataclass(frozen=True, slots=True)
class TextLack:
    """What the text of a day lacks, and whether it is the newest of its act."""

    kind: Lack
    is_newest: bool


def find_lack(statute: Statute, on: date, kind: NormKind | None = None) -> TextLack | None:
    """What the text lacks that serves that day; ``None`` where it was read whole.

    Excerpts count only where there is nothing else: of what they leave out the text before speaks.
    Recitals are those of the act as published on any day.
    """
    if not statute.stand_notes and statute.complete:
        return None
    days = list_consolidated(statute)
    served = [] if kind is NormKind.RECITAL else [day for day in days if day <= on]
    if served == days:
        return _find_newest(statute)
    noted = _read_notes(statute.stand_notes, frozenset(days))
    for day in (*reversed(served), _PUBLISHED):
        if (lack := noted.get(day)) is not Lack.EXCERPT:
            break
    return None if lack is None else TextLack(lack, is_newest=False)


def _find_newest(statute: Statute) -> TextLack | None:
    if statute.complete:
        return None
    return TextLack(Lack.GAPS if statute.has_gaps else Lack.EXCERPT, is_newest=True)


@lru_cache(maxsize=2_000)
def _read_notes(notes: tuple[StandNote, ...], consolidated: frozenset[date]) -> Mapping[date, Lack]:
    """What each text lacks, by its day; what is of no consolidated text is of the published one."""
    return dict(_iter_noted(notes, consolidated))


def _iter_noted(
    notes: Iterable[StandNote], consolidated: frozenset[date]
) -> Iterable[tuple[date, Lack]]:
    for note in notes:
        found = _NOTED.match(note.text)
        if found is None:
            continue
        day = date.fromisoformat(found["day"]) if found["day"] else _PUBLISHED
        lack = Lack.GAPS if found["kind"] == GAPS else Lack.EXCERPT
        yield day if day in consolidated else _PUBLISHED, lack
