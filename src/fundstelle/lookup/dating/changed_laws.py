"""Which laws changed in a period: by what was seen of their texts, and by their amending acts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from fundstelle.law.norms import Statute
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.library import Library


@dataclass(slots=True)
class ChangedLaw:
    """What is known of a law's changes in a period.

    ``seen`` is the newest look in it that showed another text, or none, of a provision;
    ``version_date``, of an act of which no look is known, the day of such a version;
    ``valid_from`` the newest first day in force of one, where something says so. ``is_new``: the
    law itself was first seen in it. ``ordinals`` are those of the provisions.
    """

    seen: date | None = None
    version_date: date | None = None
    valid_from: date | None = None
    is_new: bool = False
    ordinals: set[int] = field(default_factory=set)

    @property
    def newest(self) -> date:
        """The newest of its days."""
        return max(filter(None, (self.seen, self.version_date, self.valid_from)))


def list_changed_laws(library: Library, first: date, last: date) -> Mapping[str, ChangedLaw]:
    """The laws whose texts changed on a day of ``[first, last]``, by their ids."""
    laws: dict[str, ChangedLaw] = {}
    for one in library.store.list_changed(first, last):  # oldest first
        statute = library.store.statutes[one.statute_id]
        law = laws.setdefault(one.statute_id, ChangedLaw())
        if one.is_exact:
            law.valid_from = one.day
        elif not statute.has_looks:
            law.version_date = one.day
        else:
            law.seen = one.day
            if _is_new(library, statute, one.day):
                law.is_new = True
                continue  # all of it
        law.ordinals.update(one.ordinals)
    return laws


def _is_new(library: Library, statute: Statute, day: date) -> bool:
    """Whether the law itself was first seen on that day, and other laws before."""
    return library.store.manifest.archive_floor < day == find_floor(library, statute)


@dataclass(frozen=True, slots=True)
class DayOfChange:
    """What of one law became another text, or none, on one day.

    ``is_exact``: the day is the first in force. ``is_new``: the law itself was first seen then.
    """

    statute: Statute
    day: date
    is_exact: bool
    is_new: bool
    ordinals: Sequence[int]


def list_newest_changes(
    library: Library, last: date, most: int, statute_id: str | None = None
) -> list[DayOfChange]:
    """The newest changes up to a day, of all laws or of one; newest first, then by law."""
    found = [
        DayOfChange(
            statute := library.store.statutes[one.statute_id],
            one.day,
            one.is_exact,
            statute.has_looks and _is_new(library, statute, one.day),
            one.ordinals,
        )
        for one in library.store.list_changed(date.min, last)
        if statute_id in {None, one.statute_id}
    ]
    found.sort(key=lambda each: each.statute.statute_id)
    found.sort(key=lambda each: each.day, reverse=True)
    return found[:most]
