"""The last change that a law's own notes name.

"Zuletzt geändert durch Art. 3 Abs. 3 G v. 20.4.2013 I 868": the note gives the day of the act, not
the day on which the change came into force (``lookup.unchanged`` leaves room for that).
"""

import re
from datetime import date

from fundstelle.law.norms import Statute

_DAY = re.compile(r"(?<!\d)(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)")
_OF_CHANGES = frozenset({"Stand", "Neuf", "Hinweis"})


def find_last_change(statute: Statute) -> date | None:
    """The newest day that the notes name, else that of the law itself.

    ``None`` where a note tells of a change without its day, or of a day that there is not.
    """
    days = [statute.issued_on] if statute.issued_on else []
    for note in statute.stand_notes:
        found = [_read(match) for match in _DAY.finditer(note.text)]
        if None in found or (not found and note.kind in _OF_CHANGES):
            return None
        days += [day for day in found if day is not None]
    return max(days, default=None)


def _read(match: re.Match[str]) -> date | None:
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None
