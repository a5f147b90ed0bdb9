"""Which of several laws of one name can be the one that it means on a day.

A name goes on to another law on the day on which that one comes into force. This may lie months
behind its promulgation, which an issued law bears as its date, and before or behind the look that
showed it first; so a law has the name by what the publisher says of its beginning and its end, and
where that says nothing by the looks that showed it.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from enum import Enum, auto

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import Statute
from fundstelle.lookup.dating.commencement import find_commencement, find_recorded
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.library import Library

# "V aufgeh. durch Art. 5 Abs. 1 Satz 2 V v. 9.7.2021 I 2598 mWv 1.8.2023"; nothing stands behind
# the day of what ends as a whole
_ENDS = re.compile(
    rf"\b(?:[Aa]ufgeh\.|tritt\b).*?\b(?:(?P<last>mit Ablauf d(?:es|\.))|mWv) (?P<day>{DATE})"
    r"(?: außer Kraft)?\.?$",
    re.DOTALL,
)
_PARTLY = re.compile(r"Ausnahme|Maßgabe|teilweise|\bsoweit\b|\bfür\b|;")


class _Standing(Enum):
    """What a day is to a law."""

    APPLIES = auto()  # as far as anything is known
    UNKNOWN = auto()  # the looks had not shown it yet, or no longer, and nobody says a day
    OUT = auto()  # it has not begun, or has ended


def choose_bearers(library: Library, statutes: Sequence[Statute], on: date) -> list[Statute]:
    """Those of the laws of one name that can be meant on that day; all where none can.

    One that is known to have applied goes before one of which that is not known.
    """
    standings = [(_judge(library, each, on), each) for each in statutes]
    for wanted in (_Standing.APPLIES, _Standing.UNKNOWN):
        chosen = [each for standing, each in standings if standing is wanted]
        if chosen:
            return chosen
    return [each for each in statutes if not each.issued_on or each.issued_on <= on] or [*statutes]


def is_undecided(library: Library, statutes: Sequence[Statute], on: date) -> bool:
    """Whether of these laws one was seen no longer on that day, and another not yet."""
    unseen = [each for each in statutes if _judge(library, each, on) is _Standing.UNKNOWN]
    earlier = [each for each in unseen if each.stand < on]
    return len(unseen) == len(statutes) and 0 < len(earlier) < len(unseen)


def _judge(library: Library, statute: Statute, on: date) -> _Standing:
    if statute.issued_on is not None and on < statute.issued_on:
        return _Standing.OUT
    begins = find_commencement(library, statute) or find_recorded(library, statute)
    ends = find_end(statute)
    if (begins is not None and on < begins) or (ends is not None and ends <= on):
        return _Standing.OUT
    if not statute.listed and statute.stand < on:
        return _Standing.APPLIES if ends is not None else _Standing.UNKNOWN
    was_looked_for = library.store.manifest.archive_floor <= on < find_floor(library, statute)
    return _Standing.UNKNOWN if was_looked_for and begins is None else _Standing.APPLIES


def find_end(statute: Statute) -> date | None:
    """The first day without a law, where the publisher's note says that it ends as a whole."""
    for note in statute.stand_notes:
        found = _ENDS.search(note.text) if note.kind == "Aufh" else None
        day = read_date(found["day"]) if found and not _PARTLY.search(note.text) else None
        if found is not None and day is not None:
            return date.fromisoformat(day) + timedelta(days=1 if found["last"] else 0)
    return None
