"""What is in force of a norm on a day: the one gate through which texts of a day are read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum, auto

from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import Fassung, Norm, NormStatus, Statute
from fundstelle.lookup.dating.application import is_before_entry
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.dating.to_come import name_ahead
from fundstelle.lookup.dating.unchanged import is_unchanged
from fundstelle.lookup.library import Library


class Standing(Enum):
    """What a day is to a norm."""

    KNOWN = auto()  # what is held for it is what there was, be it nothing
    BEFORE_ENTRY = auto()  # of an act of the Union
    BEFORE_COMMENCEMENT = auto()  # of a law, by its own words
    OUTSIDE = auto()  # the corpus cannot say


@dataclass(frozen=True, slots=True)
class TextOfDay:
    """What is held of a norm for a day; ``fassung`` is ``None`` unless the day is ``KNOWN``."""

    standing: Standing
    fassung: Fassung | None = None


def find_text(library: Library, statute: Statute, norm_id: str, on: date) -> TextOfDay:
    """The text of a norm of that statute for a day; it may say that it is repealed."""
    if is_before_entry(statute, on):
        return TextOfDay(Standing.BEFORE_ENTRY)
    fassung = library.store.find_fassung(norm_id, on)
    if not speaks_for(library, statute, fassung, on):
        return TextOfDay(Standing.OUTSIDE)
    begins = find_commencement(library, statute)
    if begins is not None:
        heads = library.store.list_fassungen(norm_id)
        if on < begins and len(heads) == 1:
            return TextOfDay(Standing.BEFORE_COMMENCEMENT)
        if fassung is None and begins <= on and is_only(heads):
            fassung = library.store.find_fassung(norm_id)
    return TextOfDay(Standing.KNOWN, fassung)


def set_to_day(library: Library, statute: Statute, norm: Norm, on: date) -> Norm:
    """A norm with its status on a day that the corpus speaks for; it comes with that of its text.

    It says what ``find_text`` does, and reads no text for it unless that is to come.
    """
    status = _find_status(library, statute, norm, on)
    return norm if status is norm.status else replace(norm, status=status)


def _find_status(library: Library, statute: Statute, norm: Norm, on: date) -> NormStatus:
    if is_before_entry(statute, on):
        return NormStatus.FUTURE
    if norm.status is NormStatus.FUTURE and statute.has_looks:
        ahead = library.store.find_fassung(norm.norm_id, on)
        if ahead is not None and ahead.status is NormStatus.FUTURE:
            return name_ahead(library, ahead, on)
    begins = find_commencement(library, statute)
    if begins is None:
        return norm.status
    heads = library.store.list_fassungen(norm.norm_id)
    if on < begins:
        return NormStatus.FUTURE if len(heads) == 1 else norm.status
    is_shown_later = norm.status is NormStatus.NOT_SEEN and is_only(heads)
    return heads[0].status if is_shown_later else norm.status


def is_only(heads: Sequence[FassungHead]) -> bool:
    """Whether a norm never changed, so that what a look showed first held from the beginning.

    A text that came to an end did not hold for all days since.
    """
    return len(heads) == 1 and heads[0].in_force_until is None


def speaks_for(library: Library, statute: Statute, fassung: Fassung | None, on: date) -> bool:
    """Whether the corpus knows what a norm said on that day; ``fassung`` is what it has for it."""
    if on >= find_floor(library, statute):
        return True
    if fassung is None or fassung.in_force_from is not None:
        return fassung is not None
    return is_unchanged(statute, fassung, on)
