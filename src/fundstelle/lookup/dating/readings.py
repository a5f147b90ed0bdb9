"""Texts of an act that different programs read: what differs between them may be the reading.

An update notes from which text on (``eu.reread``).
"""

import re
from collections.abc import Iterator
from datetime import date

from fundstelle.law.norms import READ_ANEW, Statute

_ANEW = re.compile(rf"{READ_ANEW}(?P<day>\d{{4}}-\d\d-\d\d): ")


def warn_of_readings(statute: Statute, first: date, last: date) -> tuple[str, ...]:
    """A sentence if the text of one of two days was read by another program than the other's."""
    days = [day for day in _iter_days(statute) if first < day <= last]
    if not days:
        return ()
    differs = (
        f"Texts of {statute.abbreviation} of before {max(days).isoformat()} were read by another"
        " version of Fundstelle: what differs from those since may be the reading alone."
    )
    return (differs,)


def _iter_days(statute: Statute) -> Iterator[date]:
    for note in statute.stand_notes:
        if (found := _ANEW.match(note.text)) is not None:
            yield date.fromisoformat(found["day"])
