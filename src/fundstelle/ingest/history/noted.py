"""The day from which a new text applies, by the publisher's note beside it.

"(+++ § 154: Inkraft gem. Art. 60 Abs. 7 G v. 12.12.2019 I 2652 mWv 1.1.2024 +++)": such a note is
believed where the looks bear it out, so that the day lies between the last look without the text
and the first one with it. A note may be about an older change, or one that is still to come.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta

_CHANGE = re.compile(
    r"\b(?:Inkraft gem\.|[Ii]dF d\.|Eingef\. durch|Neugefasst durch|Aufgeh\. durch)"
    r"(?:(?!mWv|\+\+\+|;).){0,200}?\bmWv (?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
    re.DOTALL,
)
_OTHER = re.compile(r"\bAbweichung|nicht ausführbar|nicht berücksichtigt")
LONGEST = timedelta(days=70)  # between two looks; in more it may have changed several times
_MOST_READ = 40_000  # characters of a note; the publisher's longest has 17,908


def find_noted_day(notes: Sequence[str], without: date, first: date) -> date | None:
    """The only day behind ``without`` and up to ``first`` that the notes name for a change."""
    if first - without > LONGEST:
        return None
    days = {
        day
        for note in notes
        if not _OTHER.search(note)
        for match in _CHANGE.finditer(note[:_MOST_READ])
        if (day := _read(match)) is not None and without < day <= first
    }
    return days.pop() if len(days) == 1 else None


def _read(match: re.Match[str]) -> date | None:
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None
