"""Changes that the publisher's own note says are not in its text yet.

From the day on which such a change takes effect (``mWv 12.6.2026``) what the text says, or lacks,
can be told no more.
"""

import re
from collections.abc import Sequence
from datetime import date

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import Means, Miss, ProvisionHit, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.validity.notes import Validity, ValidityNote, list_currency_notes

_DENIED = frozenset({"norm_does_not_exist", "subunit_does_not_exist"})
_EFFECTIVE = re.compile(
    rf"\b(?:mWv|m\.\s?W\.\s?v\.|mit Wirkung (?:vom|zum|ab)|Fassung ab)\s(?P<day>{DATE})"
)


def tell_pending(validity: Validity, hit: ProvisionHit, on: date) -> tuple[str, bool]:
    """The notes on changes that the text of ``hit`` lacks, and whether one has taken effect."""
    if hit.fassung.in_force_until is not None:  # an older text: the change is of the newest
        return "", False
    return _tell(validity.notes, on)


def tell_pending_of_law(statute: Statute, on: date) -> tuple[str, bool]:
    """The same of a law as a whole."""
    return _tell(list_currency_notes(statute), on)


def tell_pending_of_miss(library: Library, miss: Miss, norm_id: str | None, on: date) -> str:
    """The note on a change in effect that may have brought what the law's text does not have."""
    norm = library.store.find_norm(norm_id) if norm_id else None
    statute_id = norm.statute_id if norm is not None else _find_law(miss)
    statute = library.store.statutes.get(statute_id) if statute_id else None
    if statute is None:
        return ""
    said, is_due = tell_pending_of_law(statute, on)
    return said if is_due else ""


def warn_of_pending(library: Library, resolution: Resolution) -> list[str]:
    """A sentence for each such note on a law that is said not to have what is cited."""
    told = []
    for miss in resolution.misses:
        if miss.status in _DENIED and not miss.within:
            is_part = miss.hint is not None and miss.hint.means is Means.READ
            norm_id = miss.hint.of if miss.hint is not None and is_part else None
            told.append(tell_pending_of_miss(library, miss, norm_id, resolution.get_day(miss)))
    return [
        f"{said} That change is in effect, and may have brought what the text held here lacks."
        for said in dict.fromkeys(filter(None, told))
    ]


def _find_law(miss: Miss) -> str | None:
    is_contents = miss.hint is not None and miss.hint.means is Means.CONTENTS
    return miss.hint.of if miss.hint is not None and is_contents else None


def _tell(notes: Sequence[ValidityNote], on: date) -> tuple[str, bool]:
    pending = [note.text for note in notes if note.kind == "pending_change"]
    due = [text for text in pending if _has_begun(text, on)]
    said = " ".join(f"{text.rstrip('.')}." for text in due or pending)
    return (f"Publisher's note: {said}" if said else ""), bool(due)


def _has_begun(text: str, on: date) -> bool:
    days = [read_date(found["day"]) for found in _EFFECTIVE.finditer(text)]
    return any(date.fromisoformat(day) <= on for day in days if day)
