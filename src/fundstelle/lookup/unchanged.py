"""A text before the first look at its law, where the law's own notes name no change since.

The notes give the days of the acts that changed a law, and such a change may come into force long
after: of 46 million days of norms in five years of looks, .9 % would be told wrong from the day of
the act on, and .3 % from a year later on (``benches.accuracy.before_first_look``). So a year is
left out, and the answer names what it rests on.
"""

import re
from datetime import date, timedelta

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import Fassung, NormStatus, Statute

_UNTIL_IN_FORCE = timedelta(days=365)
_BEGINS = re.compile(
    rf"\b(?:mWv|[Gg]eltung ab|[Ii]nkraft|[Ii]n Kraft)\b[^+]{{0,80}}?(?P<day>{DATE})"
)


def is_unchanged(statute: Statute, fassung: Fassung, on: date) -> bool:
    """Whether the oldest text held of a norm may be given for a day before it was first seen."""
    if statute.last_change is None or fassung.in_force_from is not None:
        return False
    if fassung.status is not NormStatus.IN_FORCE or on < statute.last_change + _UNTIL_IN_FORCE:
        return False
    begun = (read_date(match["day"]) for note in fassung.notes for match in _BEGINS.finditer(note))
    return all(day is None or date.fromisoformat(day) <= on for day in begun)


def warn_of_notes(statute: Statute, fassung: Fassung, first: date, on: date) -> tuple[str, ...]:
    """A sentence where a text is given for a day before ``first``, the first look at its law."""
    if on >= first or fassung.in_force_from is not None or statute.last_change is None:
        return ()
    said = (
        f"No look shows what applied on {on.isoformat()}: this text was first seen on"
        f" {first.isoformat()}, and the notes of {statute.abbreviation} then named no change after"
        f" {statute.last_change.isoformat()}."
    )
    return (said,)
