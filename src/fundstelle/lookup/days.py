"""Which days are known of a text: when it was seen at its publisher, and when it was in force.

The two are never mixed. A look shows what the publisher had on that day; on which day a text that
is new there came into force, no look can say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import DatePrecision, Fassung, Statute
from fundstelle.lookup.library import Library


@dataclass(frozen=True, slots=True)
class Days:
    """The days of one text.

    Seen: ``first_seen``, ``last_seen``, and ``not_seen_before``, the last look without it; where
    a later look had another text or none, ``gone_on`` is the day of that look. In force:
    ``valid_from`` and ``valid_to`` (exclusive), only where something says so.
    """

    first_seen: date | None
    last_seen: date
    not_seen_before: date | None = None
    gone_on: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None


def find_days(library: Library, statute: Statute, fassung: Fassung) -> Days:
    """The days of a text of that statute."""
    if fassung.in_force_from is None and fassung.in_force_until is None:
        return Days(_find_first_look(library.store.manifest, statute, fassung), fassung.stand)
    heads = library.store.list_fassungen(fassung.norm_id)
    key = (fassung.in_force_from, fassung.in_force_until)
    place = [(head.in_force_from, head.in_force_until) for head in heads].index(key)
    return describe_days(library.store.manifest, statute, heads)[place]


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
    head: FassungHead,
    before: FassungHead | None,
    after: FassungHead | None,
) -> Days:
    begins, ends = head.in_force_from, head.in_force_until
    if begins is None:
        first, without = _find_first_look(manifest, statute, head), None
    elif head.date_precision is DatePrecision.EXACT:
        first, without, begins = None, None, head.in_force_from
    else:
        first, begins = begins, None
        without = before.stand if before else _find_look_before(manifest, statute, first)
    follows = after is not None and after.in_force_from == ends
    said = follows and after is not None and after.date_precision is DatePrecision.EXACT
    return Days(
        first_seen=first,
        last_seen=head.stand,
        not_seen_before=without,
        gone_on=None if said else ends,
        valid_from=begins,
        valid_to=ends if said else None,
    )


def _find_first_look(
    manifest: Manifest, statute: Statute, text: Fassung | FassungHead
) -> date | None:
    """The first look at its publisher: it showed every text of which no beginning is held."""
    source = _find_series(manifest.sources, statute.source_type)
    return source.snapshots[0].stand if source is not None else text.stand


@lru_cache(maxsize=64)
def _find_series(sources: tuple[SourceState, ...], source_type: str) -> SourceState | None:
    return next((s for s in sources if s.source_type == source_type and s.snapshots), None)


def _find_look_before(manifest: Manifest, statute: Statute, day: date) -> date | None:
    """The last look at its publisher before that day; ``None`` where that is not known."""
    source = _find_series(manifest.sources, statute.source_type)
    looks = [look.stand for look in source.snapshots] if source is not None else []
    return max((look for look in looks if look < day), default=None)
