"""How a text notes that a corrigendum was applied to it: both wordings, and where it is printed."""

import re
from dataclasses import dataclass
from datetime import date

_ANNOUNCED = "Berichtigung "
_ISSUED = re.compile(rf"{_ANNOUNCED}\S+ vom (\d{{4}}-\d\d-\d\d)")
_NOT_IN_TEXT = ", in den Text nicht eingearbeitet"
_INSTEAD, _READS = ": anstatt „", "“ muss es heißen „"
_AROUND = 2  # words before those that differ, which tell the place
_NOTE = re.compile(
    r"Berichtigung (?P<source>[^:]*?), zu (?P<place>[^:]*)"
    + re.escape(_INSTEAD)
    + "(?P<old>.*)"
    + re.escape(_READS)
    + "(?P<new>.*)“",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class AppliedCorrection:
    """Words of the Official Journal, those that a corrigendum put in their place, and its name."""

    source: str  # "32016R0679R(02) vom 2018-05-23 (ABl. L 127, 2018, S. 2)"
    place: str
    old: str
    new: str


def format_correction(  # noqa: PLR0913, PLR0917 what a corrigendum is called, and what it says
    number: str,
    publication: str | None,
    place: str,
    old: str,
    new: str,
    issued_on: date | None = None,
) -> str:
    """The note on one place that was put right."""
    source = _name(number, publication, issued_on)
    source, place = source.replace(":", " "), place.replace(":", " ")
    return f"Berichtigung {source}, zu {place}{_INSTEAD}{old}{_READS}{new}“"


def format_announced(
    number: str, publication: str | None, issued_on: date | None = None, place: str = ""
) -> str:
    """The note on a corrigendum, or a place of one, that is known but not in the text."""
    source = _name(number, publication, issued_on)
    return f"{_ANNOUNCED}{source}{_NOT_IN_TEXT}" + (f": {place}" if place else "")


def _name(number: str, publication: str | None, issued_on: date | None) -> str:
    named = f"{number} vom {issued_on.isoformat()}" if issued_on else number
    return f"{named} ({publication})" if publication else named


def is_announced(note: str) -> bool:
    """Whether a note speaks of a corrigendum that is not, or not wholly, in the text."""
    return note.startswith(_ANNOUNCED) and _NOT_IN_TEXT in note


def announce(note: str) -> str | None:
    """What a text notes that lacks the corrigendum which ``note`` names, be it applied or not.

    ``None`` for a note on anything else.
    """
    if is_announced(note):
        return note.partition(_NOT_IN_TEXT)[0] + _NOT_IN_TEXT
    correction = read_correction(note)
    return f"{_ANNOUNCED}{correction.source}{_NOT_IN_TEXT}" if correction is not None else None


def read_number(note: str) -> str:
    """The corrigendum that such a note speaks of: "32016R0679R(02)"."""
    return note.removeprefix(_ANNOUNCED).partition(" ")[0].partition(",")[0]


def read_announced_day(note: str) -> date | None:
    """When the corrigendum of such a note was issued, where the note says it."""
    found = _ISSUED.match(note)
    return date.fromisoformat(found[1]) if found else None


def read_correction(note: str) -> AppliedCorrection | None:
    """The inverse of ``format_correction``; ``None`` for any other note."""
    found = _NOTE.fullmatch(note)
    if found is None:
        return None
    return AppliedCorrection(found["source"], found["place"], found["old"], found["new"])


def find_difference(correction: AppliedCorrection) -> tuple[str, str]:
    """The words that differ on both sides, with some around them."""
    old, new = correction.old.split(), correction.new.split()
    shorter = min(len(old), len(new))
    same = 0
    while same < shorter and old[same] == new[same]:
        same += 1
    last = 0
    while last < shorter - same and old[-1 - last] == new[-1 - last]:
        last += 1
    is_replaced = same + last < shorter  # else a word was put in or taken out between two
    start, after = max(0, same - _AROUND), last if is_replaced else max(0, last - 1)
    return (
        " ".join(old[start : len(old) - after]),
        " ".join(new[start : len(new) - after]),
    )


def shorten_correction(note: str) -> str | None:
    """The note with the words that differ alone; ``None`` for any other note."""
    correction = read_correction(note)
    if correction is None:
        return None
    old, new = find_difference(correction)
    return f"Berichtigung {correction.source}, zu {correction.place}{_INSTEAD}{old}{_READS}{new}“"
