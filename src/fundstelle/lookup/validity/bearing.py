"""What a decision of the Constitutional Court on a part of a provision makes of the part shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from fundstelle.citations.text.dates import read_date
from fundstelle.law.citations import PathStep
from fundstelle.law.norms import NormStatus, Segment, Statute
from fundstelle.lookup.parts.following import NoUnit, find_units
from fundstelle.lookup.validity.declared import VOID, Declaration

# the gravest first
DECLARED = (
    NormStatus.VOID,
    NormStatus.PARTLY_VOID,
    NormStatus.INCOMPATIBLE,
    NormStatus.PARTLY_INCOMPATIBLE,
)
_DAY = re.compile(r"\bv\. (?P<day>\d{1,2}\.\d{1,2}\.\d{4})\b")


class About(StrEnum):
    """Which text a note on a decision of the Constitutional Court is about."""

    THIS = "this_text"
    PART = "part_of_this_text"
    UNKNOWN = "unknown_part"  # of the provision: it may be this one
    NAMED = "named_fassung"  # older than the law as promulgated anew; its words may be today's
    OTHER = "other_part"  # of the provision
    FORMER = "former_text"  # of the provision: by the note's own words it was changed since


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a provision: all of it, or what lies between two offsets of its text."""

    segments: Sequence[Segment] = ()
    span: tuple[int, int] | None = None


WHOLE = Shown()


def weigh(
    declaration: Declaration, statute: Statute, shown: Shown = WHOLE
) -> tuple[NormStatus | None, About]:
    """The status that the part shown has by a declaration, and which text that is about.

    ``None``: another part, or an earlier text. What cannot be told for certain is warned of.
    """
    if not declaration.kind:
        return None, About.THIS
    if declaration.is_former:
        return None, About.FORMER
    is_void = declaration.kind == VOID
    fully = NormStatus.VOID if is_void else NormStatus.INCOMPATIBLE
    partly = NormStatus.PARTLY_VOID if is_void else NormStatus.PARTLY_INCOMPATIBLE
    about = _find_about(declaration.paths, shown)
    if about is About.OTHER:
        return None, about
    if about is not About.UNKNOWN and _precedes(declaration, statute):
        return partly, About.NAMED
    return fully if about is About.THIS and not declaration.is_limited else partly, about


def _find_about(paths: Sequence[tuple[PathStep, ...]] | None, shown: Shown) -> About:
    if paths is None:
        return About.UNKNOWN
    if not paths:
        return About.THIS
    if shown.span is None:
        return About.PART
    start, end = shown.span
    found = {
        about
        for path in paths
        for low, high, about in _locate(shown.segments, path, shown.span)
        if max(low, start) < min(high, end)
        for about in [about if low <= start and end <= high else About.PART]
    }
    return next((each for each in About if each in found), About.OTHER)


def _locate(
    segments: Sequence[Segment], path: tuple[PathStep, ...], shown: tuple[int, int]
) -> Iterator[tuple[int, int, About]]:
    """Where the parts lie that a path names, and what it says of what is shown inside them.

    A part that the text does not mark lies somewhere in the part above it; where that has others
    of its level, it is none of them. ``shown`` is where the part shown lies.
    """
    units = find_units(segments, path, complete=True)
    if isinstance(units, NoUnit):
        above = _span(segments, units.parent)
        beside = (_span(segments, each) for each in units.existing)
        if not any(low <= shown[0] and shown[1] <= high for low, high in beside):
            yield *above, About.UNKNOWN
        return
    about = About.PART if units.rest else About.THIS
    for unit in (*units.found, *units.others):
        yield *_span(segments, unit), about


def _span(segments: Sequence[Segment], unit: int) -> tuple[int, int]:
    if unit >= 0:
        return segments[unit].start, segments[unit].end
    return 0, max((segment.end for segment in segments), default=1)


def _precedes(declaration: Declaration, statute: Statute) -> bool:
    """Whether the law was promulgated anew after the day of the Fassung that was judged."""
    return declaration.judged is not None and any(
        date.fromisoformat(day) > declaration.judged
        for note in statute.stand_notes
        if note.kind == "Neuf"
        for written in _DAY.findall(note.text)
        if (day := read_date(written))
    )
