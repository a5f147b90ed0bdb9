"""Dates as courts write them: ``15. Mai 2023``, ``15.05.2023``, ``15.5.23``, ``31. 8. 2017``."""

import re
from datetime import date

_SHORT = ["jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"]
DATE = (
    r"(?:\d{1,2}\.\s?(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober"
    r"|November|Dezember|Jan\.|Feb\.|Mrz\.|Apr\.|Jun\.|Jul\.|Aug\.|Sept?\.|Okt\.|Nov\.|Dez\.)"
    r"\s?\d{4}|\d{1,2}\.\s?\d{1,2}\.\s?(?:\d{4}|\d{2})(?!\d)|\d{4}-\d\d-\d\d)"
)
_PARTS = re.compile(r"(\d{1,2})\.\s?(?:(\d{1,2})\.|([^\W\d]+)\.?)\s?(\d{2,4})")
_PIVOT = 50  # two-digit years from 50 are 19xx


def read_date(written: str) -> str | None:
    """ISO form, ``None`` for a day that does not exist (31.02.)."""
    match = _PARTS.fullmatch(written)
    if match is None:
        return written if re.fullmatch(r"\d{4}-\d\d-\d\d", written) else None
    month = int(match[2]) if match[2] else _read_month(match[3])
    year = int(match[4])
    if len(match[4]) == len("23"):
        year += 1900 if year >= _PIVOT else 2000
    try:
        return date(year, month, int(match[1])).isoformat()
    except ValueError:
        return None


def _read_month(word: str) -> int:
    folded = word.casefold()
    if folded == "mrz":
        return 3
    if folded == "jänner":
        return 1
    return _SHORT.index(folded[:3]) + 1
