"""Whether the text of an act that serves a day was read whole.

The notes on an EU act tell its texts one after the other (``eu.editions``): each consolidated one
begins with its day, and behind it stands that files of it could not be read, or that it is an
excerpt. An older text goes on lacking what it lacks when a later one is whole.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from functools import lru_cache

from fundstelle.law.norms import EXCERPTS, GAPS, NormKind, StandNote, Statute
from fundstelle.lookup.reading.years import read_consolidated

_EARLIER_EXCERPTS = "Nur Auszüge dieses Rechtsakts"  # as versions before noted it, without a day
_LACKS = re.compile(rf"(?:(?P<gaps>{GAPS})|{EXCERPTS}|{_EARLIER_EXCERPTS})(?: |$)")
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
    Recitals are those of the first text, as a rule the act as published, on any day.
    """
    if not statute.stand_notes and statute.complete:
        return None
    texts = _list_texts(statute.stand_notes, statute.first_look)
    is_recital = kind is NormKind.RECITAL
    served = texts[:1] if is_recital else tuple(text for text in texts if text[0] <= on)
    if served == texts:
        return _find_newest(statute)
    lack = None
    for _, lack in reversed(served):
        if lack is not Lack.EXCERPT:
            break
    return None if lack is None else TextLack(lack, is_newest=False)


def _find_newest(statute: Statute) -> TextLack | None:
    if statute.complete:
        return None
    return TextLack(Lack.GAPS if statute.has_gaps else Lack.EXCERPT, is_newest=True)


@lru_cache(maxsize=2_000)
def _list_texts(
    notes: tuple[StandNote, ...], first_look: date | None
) -> tuple[tuple[date, Lack | None], ...]:
    """The texts that are held, oldest first, each with its day and what it lacks.

    The act as published is one of them where the first day held is not that of a consolidated text.
    """
    (_, lack), *consolidated = _iter_texts(notes)
    if lack is None and consolidated and consolidated[0][0] == first_look:
        return tuple(consolidated)
    return (_PUBLISHED, lack), *consolidated


def _iter_texts(notes: tuple[StandNote, ...]) -> Iterator[tuple[date, Lack | None]]:
    """The act as published, held or not, and each consolidated text."""
    text: tuple[date, Lack | None] = (_PUBLISHED, None)
    for note in notes:
        if (day := read_consolidated(note)) is not None:
            yield text
            text = day, None
        elif (lack := read_lack(note)) is not None:
            text = text[0], lack
    yield text


def read_lack(note: StandNote) -> Lack | None:
    """What the text lacks that the note is of, where it is one that tells of this."""
    found = _LACKS.match(note.text)
    if found is None:
        return None
    return Lack.GAPS if found["gaps"] else Lack.EXCERPT
