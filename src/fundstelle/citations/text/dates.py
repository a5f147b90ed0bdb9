"""Dates as courts write them: ``15. Mai 2023``, ``15.05.2023``, ``15.5.23``, ``31. 8. 2017``."""

import re
from datetime import date

_SHORT = ["jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"]
_ENGLISH = "January|February|March|April|May|June|July|August|September|October|November|December"
MONTH = (
    r"(?:Jan(?:uar)?|Jänner|Feb(?:ruar)?|März?|Maerz|Mrz|Apr(?:il)?|Mai|Juni?|Juli?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?)(?!\w)"
)
"""The name of one, and not the beginning of a law's: ``§§ 1, 2 MaisPflSchMV``."""
DATE = (
    r"(?:\d{1,2}\.\s?\d{1,2}\.\s?(?:\d{4}|\d{2})(?!\d)"
    r"|\d{1,2}\.?\s?(?:Januar|Jänner|Februar|März|Maerz|April|Mai|Juni|Juli|August|September|Oktober"
    r"|November|Dezember|Jan\.|Feb\.|Mrz\.|Apr\.|Jun\.|Jul\.|Aug\.|Sept?\.|Okt\.|Nov\.|Dez\.)\s?\d{4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_ENGLISH})\s\d{{4}}"
    rf"|(?:{_ENGLISH})\s\d{{1,2}},?\s\d{{4}}|\d{{4}}-\d\d-\d\d)"
)
_PARTS = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?\s?(?:of\s)?"
    r"(?:(?P<month>\d{1,2})\.|(?P<word>[^\W\d]+)\.?)\s?(?P<year>\d{2,4})"
)
_MONTH_FIRST = re.compile(r"(?P<word>[A-Z]\w+)\s(?P<day>\d{1,2}),?\s(?P<year>\d{4})")
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)")
_PIVOT = 50  # two-digit years from 50 are 19xx
_OTHER_NAMES = {"mrz": 3, "mae": 3, "mar": 3, "jän": 1, "may": 5, "oct": 10, "dec": 12}


def read_date(written: str) -> str | None:
    """ISO form, ``None`` for a day that does not exist (31.02.)."""
    match = _ISO.fullmatch(written) or _PARTS.fullmatch(written) or _MONTH_FIRST.fullmatch(written)
    if match is None:
        return None
    parts = match.groupdict()
    month = int(parts["month"]) if parts.get("month") else _read_month(parts["word"])
    year = int(parts["year"])
    if len(parts["year"]) == len("23"):
        year += 1900 if year >= _PIVOT else 2000
    try:
        return date(year, month, int(parts["day"])).isoformat()
    except ValueError:
        return None


def _read_month(word: str) -> int:
    folded = word.casefold()[:3]
    return _OTHER_NAMES.get(folded) or _SHORT.index(folded) + 1
