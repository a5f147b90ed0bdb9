"""Days between two looks: which text of a norm held on one of them, no look can say."""

from dataclasses import dataclass
from datetime import date

from fundstelle.law.norms import Fassung, Statute
from fundstelle.lookup.dating.days import find_days
from fundstelle.lookup.library import Library


@dataclass(frozen=True, slots=True)
class Gap:
    """A day behind the last look at a text and before the next that is known.

    ``stand`` is the day of the text, ``gone_on`` that of what follows: the text ``newer``, or none.
    ``was_seen``: the two days are looks, else those of dated texts.
    """

    stand: date
    gone_on: date
    newer: Fassung | None
    was_seen: bool

    @property
    def known(self) -> str:
        """How what follows is known, with its day."""
        how = "was seen on" if self.was_seen else "is held for"
        return f"{how} {self.gone_on.isoformat()}"


def find_gap(library: Library, statute: Statute, fassung: Fassung, on: date) -> Gap | None:
    """The gap that a day lies in; ``fassung`` is the text that is held for it."""
    if fassung.in_force_until is None or on <= fassung.stand:
        return None
    days = find_days(library, statute, fassung)
    if days.gone_on is None:
        return None
    newer = library.store.find_fassung(fassung.norm_id, days.gone_on)
    return Gap(days.stand, days.gone_on, newer, days.last_seen is not None)


def warn_of_gap(library: Library, statute: Statute, fassung: Fassung, on: date) -> tuple[str, ...]:
    """A sentence if the day lies in one."""
    gap = find_gap(library, statute, fassung, on)
    if gap is None:
        return ()
    then = "none" if gap.newer is None else "a different one"
    unsure = (
        f"This is the text of {gap.stand.isoformat()}; {then} {gap.known},"
        " and on which day between it changed is not known here."
    )
    return (unsure,)
