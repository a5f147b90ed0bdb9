"""On which day a law came into force, by its own words.

"Diese Verordnung tritt am 1. Januar 2026 in Kraft." dates every provision of a law that was never
changed. Of one that was changed, and of a provision with a day of its own, it proves nothing.
Beside it stands from which day its publisher records the text: "Textnachweis ab: 1.1.2023". Of all
97 laws since June 2021 whose own words name a day it is that day; single provisions may have begun
before it.
"""

import re
from collections.abc import Iterator
from datetime import date

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import Fassung, NormStatus, Statute
from fundstelle.lookup.library import Library

_LAST = 3  # provisions at the end of a law among which the one on its commencement stands
_CHANGED = re.compile(r"geänd|Neugefasst|Änderung|ersetzt|aufgeh", re.IGNORECASE)
_COMMENCES = re.compile(
    r"(?:^|\n|[.;] )(?:\(\d\) )?(?:Dieses Gesetz|Diese (?:Verordnung|Anordnung|Satzung))"
    r" tritt (?:mit Wirkung )?(?:am|vom) (?P<day>\d{1,2}\. ?(?:Januar|Februar|März|April|Mai|Juni"
    r"|Juli|August|September|Oktober|November|Dezember) \d{4}) in Kraft\."
)
_IN_FORCE = re.compile(r"\bin Kraft\b(?! getreten)")
_LONGEST = 4_000  # characters of such a provision
# "(+++ § 23 Abs. 1 bis 3: Treten gem. Art. 16 Abs. 1 G v. 4.5.2021 I 882 zukünftig mWv 1.1.2023 in
# Kraft +++)"
_NOTED = re.compile(
    r"\(\+\+\+ (?P<words>(?:(?!\+\+\+).){0,200}?\b(?:Tritt|Treten|Inkraft) gem\b"
    rf"(?:(?!\+\+\+|;).){{0,400}}?\bmWv (?P<day>{DATE})(?: in Kraft)?) \+\+\+\)",
    re.DOTALL,
)
_MOST_READ = 40_000  # characters of a note; the publisher's longest has 17,908
_RECORDED = re.compile(rf"\(\+\+\+ Textnachweis(?:\s+Geltung)? ab:? (?P<day>{DATE}) \+\+\+\)")


def find_commencement(library: Library, statute: Statute) -> date | None:
    """The day for all provisions of that law; ``None`` where its words do not tell one."""
    known = library.commencements
    if statute.statute_id not in known:
        known[statute.statute_id] = _find(library, statute)
    return known[statute.statute_id]


def _find(library: Library, statute: Statute) -> date | None:
    if statute.jurisdiction != "de" or any(
        _CHANGED.search(note.text) or note.kind == "Neuf" for note in statute.stand_notes
    ):
        return None
    store = library.store
    days: set[date | None] = set()
    _, norm = store.find_ends(statute.statute_id)
    for _ in range(_LAST):
        if norm is None:
            break
        fassungen = store.list_fassungen(norm.norm_id)
        fassung = store.find_fassung(norm.norm_id)
        if fassung is not None and len(fassungen) == 1:
            days.add(_read_day(fassung.text))
        norm, _ = store.find_neighbours(statute.statute_id, norm.number, norm.kind)
    days.discard(None)
    return days.pop() if len(days) == 1 else None


def _read_day(text: str) -> date | None:
    """The only day that the text names for the whole law."""
    if len(text) > _LONGEST or len(_IN_FORCE.findall(text)) != 1:
        return None
    found = _COMMENCES.search(text)
    day = read_date(found["day"]) if found else None
    return date.fromisoformat(day) if day else None


def find_recorded(library: Library, statute: Statute) -> date | None:
    """From which day its publisher records the text of a law; ``None`` where its head is silent."""
    known = library.recorded
    if statute.statute_id not in known:
        head = library.store.find_fassung(f"{statute.statute_id}/vorspann")
        said = (_RECORDED.search(note) for note in head.notes) if head is not None else ()
        days = [read_date(found["day"]) for found in said if found]
        day = next(filter(None, days), None)
        known[statute.statute_id] = date.fromisoformat(day) if day else None
    return known[statute.statute_id]


def warn_of_commencement(
    library: Library, statute: Statute, fassung: Fassung, on: date
) -> tuple[str, ...]:
    """A sentence where by its publisher a text, or a part of it, commences behind that day.

    Of what is printed ahead only its heading as a rule is marked as such.
    """
    if statute.jurisdiction != "de" or fassung.status is not NormStatus.IN_FORCE:
        return ()
    day = on.isoformat()
    noted = tuple(
        f"Publisher's note: {words}; on {day} that was still to come."
        for words, begins in _iter_noted(fassung)
        if on < begins
    )
    recorded = None if noted else find_recorded(library, statute)
    if recorded is None or recorded <= on:
        return noted
    unsure = (
        f"The publisher records the text of {statute.abbreviation} from {recorded.isoformat()} on;"
        f" whether this was in force on {day} is not known here."
    )
    return (unsure,)


def _iter_noted(fassung: Fassung) -> Iterator[tuple[str, date]]:
    for note in fassung.notes:
        for found in _NOTED.finditer(note[:_MOST_READ]) if "mWv" in note else ():
            day = read_date(found["day"])
            if day is not None:
                yield " ".join(found["words"].split()), date.fromisoformat(day)
