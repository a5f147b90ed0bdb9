"""Which text of a norm a page shows, and under which status; without a day that of today."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import Fassung, Norm, NormStatus, Statute
from fundstelle.lookup.dating.on_day import Standing, find_text
from fundstelle.lookup.dating.to_come import name_ahead
from fundstelle.lookup.library import Library
from fundstelle.lookup.validity.notes import find_validity

_TOO_EARLY = (Standing.BEFORE_ENTRY, Standing.BEFORE_COMMENCEMENT)


@dataclass(frozen=True, slots=True)
class Choice:
    """The text that a page shows, and the status that it has on the day of the page.

    ``is_older``: another is that of today, and this one, or that there was none, is of before it;
    ``is_newest``: no other is held for later days; ``to_come``: the first day for which another is,
    where that day is still to come.
    """

    fassung: Fassung | None
    status: NormStatus
    is_older: bool
    is_newest: bool
    to_come: date | None


def choose_text(
    library: Library, statute: Statute, norm: Norm, on: date | None, today: date
) -> Choice:
    """The text of a day, and nothing where the corpus has none for it.

    Of no day in particular it is that of today; where there is none, the last that there was, or
    else the first that is to come.
    """
    heads = library.store.list_fassungen(norm.norm_id)
    now = find_text(library, statute, norm.norm_id, today)
    nearest = now.fassung or _find_nearest(library, heads, norm, today)
    fassung, standing, day = nearest, now.standing, today
    if on is not None:
        then = find_text(library, statute, norm.norm_id, on)
        fassung, standing, day = then.fassung, then.standing, on
    is_read = fassung is not None and (on is not None or now.fassung is not None)
    told = None
    if standing in _TOO_EARLY:
        told = NormStatus.FUTURE
    elif standing is Standing.KNOWN and not is_read:
        told = _find_gap(heads, day)
    status = told or norm.status
    if told is None and fassung is not None and (is_read or status is NormStatus.IN_FORCE):
        status = find_validity(library, statute, fassung).status
    if told is None and is_read and fassung is not None and fassung.status is NormStatus.FUTURE:
        status = name_ahead(library, fassung, day)
    is_of_today = fassung == nearest
    later = [head for head in heads if _begin(head) > max(today, _begin(nearest))]
    return Choice(
        fassung,
        status,
        is_older=not is_of_today and (fassung is None or _begin(fassung) < _begin(nearest)),
        is_newest=fassung is not None and _begin(fassung) == _begin(heads[-1]),
        to_come=_begin(later[0]) if later and is_of_today else None,
    )


def _begin(text: Fassung | FassungHead | None) -> date:
    return text.in_force_from or date.min if text is not None else date.min


def _find_nearest(
    library: Library, heads: Sequence[FassungHead], norm: Norm, today: date
) -> Fassung | None:
    """Where today has no text: the last that there was, or else the first to come."""
    if not heads:
        return None
    head = next((head for head in reversed(heads) if _begin(head) <= today), heads[0])
    if head is heads[-1]:
        return library.store.find_fassung(norm.norm_id)
    last = head.in_force_until - timedelta(days=1) if head.in_force_until else head.stand
    return library.store.find_fassung(norm.norm_id, head.in_force_from or last)


def _find_gap(heads: Sequence[FassungHead], day: date) -> NormStatus | None:
    """What a lookup says of a day before the first text, or between two; else nothing."""
    if not heads or _begin(heads[-1]) <= day:
        return None
    if _begin(heads[0]) <= day:
        return NormStatus.REPEALED
    return NormStatus.FUTURE if heads[0].date_precision.is_in_force else NormStatus.NOT_SEEN
