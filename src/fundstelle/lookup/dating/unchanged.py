"""A text before the first look at its law, where the law's own notes name no change since.

The notes give the days of the acts that changed a law, and such a change may come into force years
later: the acts of 2019 and 2021 on social compensation did in 2024 and 2025. Against five years of
looks .34 % of the texts given so would be wrong a year after the act, .19 % after two years and
.06 % after four, nearly all of these put right by the publisher without a change
(``benches.accuracy.before_first_look``). So four years are left out, and the answer names what it
rests on.
"""

import re
from datetime import date, timedelta

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import Fassung, NormStatus, Statute

_MOST_READ = 40_000  # characters of a note; the publisher's longest has 17,908
_UNTIL_IN_FORCE = timedelta(days=4 * 365 + 1)
_LAST = date.max - _UNTIL_IN_FORCE  # a later day stands for none: "31.12.9999"
_BEGINS = re.compile(
    rf"\b(?:mWv|[Gg]eltung ab|[Ii]nkraft|[Ii]n Kraft)\b[^+]{{0,80}}?(?P<day>{DATE})"
)


def is_unchanged(statute: Statute, fassung: Fassung, on: date) -> bool:
    """Whether the oldest text held of a norm may be given for a day before it was first seen."""
    since = find_unchanged_since(statute, fassung)
    return since is not None and since <= on


def find_unchanged_since(statute: Statute, fassung: Fassung) -> date | None:
    """The first day for which that is so; ``None`` if it never is."""
    if statute.last_change is None or fassung.in_force_from is not None:
        return None
    if fassung.status is not NormStatus.IN_FORCE or statute.last_change > _LAST:
        return None
    notes = (note[:_MOST_READ] for note in fassung.notes)
    begun = (read_date(match["day"]) for note in notes for match in _BEGINS.finditer(note))
    days = (date.fromisoformat(day) for day in begun if day is not None)
    return max([statute.last_change + _UNTIL_IN_FORCE, *days])


def find_named_change(statute: Statute, fassung: Fassung, first: date, on: date) -> date | None:
    """The last change that the notes name, where a text of ``on`` rests on that.

    It does for a day before ``first``, the first look at its law.
    """
    return statute.last_change if on < first and fassung.in_force_from is None else None


def say_named_change(statute: Statute, named: date, first: date, on: date) -> str:
    """What such a text rests on."""
    return (
        f"No look shows what applied on {on.isoformat()}: this text was first seen on"
        f" {first.isoformat()}, and the notes of {statute.abbreviation} then named no change after"
        f" {named.isoformat()}."
    )
