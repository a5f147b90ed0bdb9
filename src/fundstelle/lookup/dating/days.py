"""Which days are known of a text: when it was seen at its publisher, and when it was in force.

The two are never mixed. A look shows what the publisher had on that day; on which day a text that
is new there came into force, no look can say.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    NormStatus,
    Statute,
    choose_read_day,
    find_look_at_act,
)
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.library import Library


@dataclass(frozen=True, slots=True)
class Days:
    """The days of one text.

    ``stand`` is the day on which it was last confirmed; of an act of the Union that no look is
    known of, the day that the text itself is of. Seen: ``first_seen``, ``last_seen``, and
    ``not_seen_before``, the last look without it; where another text or none is held for a later
    day, ``gone_on`` is that day. In force: ``valid_from`` and ``valid_to`` (exclusive), only where
    something says so, which ``basis`` names: publisher, parliament, text (the law's own words), or
    treaty (Article 297 TFEU, where an act of the Union names no day).
    ``bounds``: the first and the last day that the first one in force can be, where the publisher
    dates two texts one after the other and no day between them, as consolidations of an EU act, or
    where an act only says by when it binds.
    """

    stand: date
    first_seen: date | None = None
    last_seen: date | None = None
    not_seen_before: date | None = None
    gone_on: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    basis: str | None = None
    bounds: tuple[date, date] | None = None

    @property
    def precision(self) -> str:
        """What is known of the first day in force: exact, between or unknown."""
        if self.valid_from is not None:
            return "exact"
        return "between" if self.bounds is not None else "unknown"


BASES = ("publisher", "parliament", "text", "treaty")


def find_days(library: Library, statute: Statute, fassung: Fassung) -> Days:
    """The days of a text of that statute."""
    manifest = library.store.manifest
    if fassung.in_force_from is None and fassung.in_force_until is None:
        return add_commencement(library, statute, _describe(manifest, statute, fassung, None, None))
    heads = library.store.list_fassungen(fassung.norm_id)
    key = (fassung.in_force_from, fassung.in_force_until)
    place = [(head.in_force_from, head.in_force_until) for head in heads].index(key)
    days = describe_days(manifest, statute, heads)[place]
    return add_commencement(library, statute, days) if len(heads) == 1 else days


def find_floor(library: Library, statute: Statute) -> date:
    """The oldest day that the corpus can speak for of that law."""
    return statute.first_look or library.store.manifest.archive_floor


def add_commencement(library: Library, statute: Statute, days: Days) -> Days:
    """Of a law that was never changed, the day on which by its own words it came into force."""
    if days.valid_from is not None or days.bounds is not None:
        return days
    begins = find_commencement(library, statute)
    return days if begins is None else replace(days, valid_from=begins, basis="text")


def find_stand(statute: Statute, stand: date) -> date:
    """The day on which a text was last confirmed, or that it is of (``Days.stand``).

    ``stand`` is that of the text as it is held.
    """
    if statute.jurisdiction != "eu" or stand < statute.stand:
        return stand
    return find_look_at_act(statute) or stand


def find_last_look(manifest: Manifest, statute: Statute, stand: date) -> date | None:
    """``Days.last_seen`` of a text, which alone takes less to find."""
    if statute.jurisdiction != "eu" or _find_series(manifest.sources, statute.source_type):
        return stand
    return find_look_at_act(statute) if stand >= statute.stand else None


def find_stand_of_law(statute: Statute) -> tuple[date, bool]:
    """The day of a law as ``find_stand`` of its newest text, and whether that day is a look."""
    look = find_look_at_act(statute)
    return look or statute.stand, look is not None or statute.jurisdiction != "eu"


def describe_days(manifest: Manifest, statute: Statute, heads: Sequence[FassungHead]) -> list[Days]:
    """The days of all texts of a norm, oldest first."""
    return [
        _describe(
            manifest,
            statute,
            head,
            heads[place - 1] if place else None,
            heads[place + 1] if place + 1 < len(heads) else None,
        )
        for place, head in enumerate(heads)
    ]


def _describe(
    manifest: Manifest,
    statute: Statute,
    head: Fassung | FassungHead,
    before: FassungHead | None,
    after: FassungHead | None,
) -> Days:
    begins, ends = head.in_force_from, head.in_force_until
    follows = after is not None and after.in_force_from == ends
    follower = after if follows else None
    said = follower.date_precision.is_in_force if follower is not None else statute.is_dated
    gone = None if said else ends
    if statute.jurisdiction == "eu" and _find_series(manifest.sources, statute.source_type) is None:
        look = find_last_look(manifest, statute, head.stand)
        known = Days(look or head.stand, last_seen=look, gone_on=gone)
        return (
            known if head.status is NormStatus.FUTURE else _date_act(statute, head, before, known)
        )
    if statute.is_dated:
        return _describe_dated(head, ends if said else None, gone)
    if begins is None:
        first = statute.first_look or _find_first_look(manifest, statute, head)
        without = None
    elif head.date_precision.is_in_force:
        first, without, begins = None, None, head.in_force_from
    else:
        first, begins = begins, None
        without = before.stand if before else _find_look_before(manifest, statute, first)
    return Days(
        head.stand,
        first_seen=first,
        last_seen=head.stand,
        not_seen_before=without,
        gone_on=gone,
        valid_from=begins,
        valid_to=ends if said else None,
        basis=_name_basis(head) if begins is not None else None,
    )


def _date_act(
    statute: Statute, head: Fassung | FassungHead, before: FassungHead | None, days: Days
) -> Days:
    """The days of a text of an act of the Union: by its own words, or between two texts."""
    if head.date_precision.is_in_force:
        return replace(days, valid_from=head.in_force_from, basis=_name_basis(head))
    if head.date_precision is DatePrecision.PROVEN and head.in_force_from is not None:
        earliest = statute.published_on or statute.issued_on or head.in_force_from
        return replace(days, bounds=(earliest, head.in_force_from), basis="text")
    bounds = _find_bounds(head, before)
    return replace(days, bounds=bounds, basis="publisher" if bounds is not None else None)


def _find_bounds(
    head: Fassung | FassungHead, before: FassungHead | None
) -> tuple[date, date] | None:
    """Of the later of two consolidated texts: it came after the day of the earlier one.

    A consolidated text holds the law of its day, so on the day of the later one the new words were
    in force, and on the last one that has the old words they were not.
    """
    latest = head.in_force_from
    if before is None or latest is None or before.in_force_until != latest:
        return None
    earliest = choose_read_day(before.stand, before.in_force_from) + timedelta(days=1)
    return (earliest, latest) if earliest <= latest else None


def _name_basis(head: Fassung | FassungHead) -> str:
    precision = head.date_precision
    return "publisher" if precision is DatePrecision.EXACT else precision.value


def _describe_dated(head: Fassung | FassungHead, valid_to: date | None, gone: date | None) -> Days:
    """The days of a text that its publisher dates: no look bounds it."""
    begins = head.in_force_from if head.date_precision is DatePrecision.EXACT else None
    basis = "publisher" if begins is not None or valid_to is not None else None
    return Days(
        head.stand,
        last_seen=head.stand,
        gone_on=gone,
        valid_from=begins,
        valid_to=valid_to,
        basis=basis,
    )


def _find_first_look(
    manifest: Manifest, statute: Statute, text: Fassung | FassungHead
) -> date | None:
    """The first look at its publisher: it showed every text of which no beginning is held."""
    source = _find_series(manifest.sources, statute.source_type)
    return source.snapshots[0].stand if source is not None else text.stand


def _find_series(sources: tuple[SourceState, ...], source_type: str) -> SourceState | None:
    for source in sources:  # a few: to look them up would take longer
        if source.source_type == source_type and source.snapshots:
            return source
    return None


def _find_look_before(manifest: Manifest, statute: Statute, day: date) -> date | None:
    """The last look at its publisher before that day; ``None`` where that is not known.

    A look that does not say what the publisher lists may have been at some laws only.
    """
    source = _find_series(manifest.sources, statute.source_type)
    looks = _list_looks(source) if source is not None else []
    place = bisect_left(looks, day)
    return looks[place - 1] if place else None


@lru_cache(maxsize=64)
def _list_looks(source: SourceState) -> list[date]:
    """The days of a source's looks at all that it lists, oldest first."""
    return [
        look.stand
        for number, look in enumerate(source.snapshots)
        if look.lists not in {"", "none"} or number == 0
    ]
