"""Texts that were last seen before the day that is asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import DecisionHit, Hit, LawHit, Miss, Resolution
from fundstelle.lookup.dating.days import find_last_look, find_stand, find_stand_of_law
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import say_when_seen

FRESH_DAYS = 7  # a text this young needs no warning when today is meant
_NAMED = 5


@dataclass(frozen=True, slots=True)
class LastLook:
    """The day up to which a law's text is known; where not ``was_seen``, that of the text."""

    law: str
    day: date
    was_seen: bool


def find_last_looks(
    library: Library, hits: Iterable[Hit | LawHit], on: date, *, asked: bool
) -> list[LastLook]:
    """Those before the day asked for, of texts in an answer.

    A decision stays as it is; a text that a later look no longer had, and a law that the newest
    look did not bring, are warned of on their own.
    """
    looks: list[LastLook | None] = []
    for hit in hits:
        if isinstance(hit, LawHit):
            looks.append(find_look(library, hit.statute))
        elif not isinstance(hit, DecisionHit) and hit.fassung.in_force_until is None:
            looks.append(find_look(library, hit.statute, hit.fassung.stand))
    return [look for look in looks if look and not is_fresh(look.day, on, asked=asked)]


def find_look(library: Library, statute: Statute, stand: date | None = None) -> LastLook | None:
    """That at the newest text of a norm of the law; without the ``stand`` of one at the law."""
    manifest = library.store.manifest
    if say_when_seen(manifest, statute):
        return None
    if stand is None:
        return LastLook(statute.abbreviation, *find_stand_of_law(statute))
    was_seen = find_last_look(manifest, statute, stand) is not None
    return LastLook(statute.abbreviation, find_stand(statute, stand), was_seen)


def warn_of_looks(
    library: Library, hits: Iterable[Hit | LawHit], on: date, *, asked: bool
) -> list[str]:
    """A warning where texts of this answer were last seen before the day asked for."""
    return warn_of_last_looks(find_last_looks(library, hits, on, asked=asked), on, asked=asked)


def warn_of_last_looks(looks: Iterable[LastLook], on: date, *, asked: bool) -> list[str]:
    """As ``warn_of_looks``, of the looks at those texts; a fresh one needs no warning."""
    old = dict.fromkeys(look for look in looks if not is_fresh(look.day, on, asked=asked))
    laws: dict[date, list[str]] = {}
    for look in old:
        if look.was_seen:
            laws.setdefault(look.day, []).append(look.law)
    return [
        *(_say_last_seen(laws[day], day, on) for day in sorted(laws)),
        *(
            f"{look.law}: the text is that of {look.day.isoformat()}; later changes are not in it."
            for look in old
            if not look.was_seen
        ),
    ]


def _say_last_seen(names: Sequence[str], day: date, on: date) -> str:
    more = ", …" if len(names) > _NAMED else ""
    return (
        f"{', '.join(names[:_NAMED])}{more}: last seen at the publisher on"
        f" {day.isoformat()}; changes between then and {on.isoformat()} are not in this text."
    )


def warn_of_read(
    library: Library, resolutions: Iterable[Resolution], on: date, *, asked: bool
) -> list[str]:
    """As ``warn_of_looks``, of all that was read; a day other than ``on`` was named."""
    days: dict[date, list[Hit | LawHit]] = {}
    for resolution in resolutions:
        for outcome in resolution.outcomes:
            if not isinstance(outcome, Miss):
                days.setdefault(resolution.get_day(outcome), []).append(outcome)
    return [
        warning
        for day, hits in days.items()
        for warning in warn_of_looks(library, hits, day, asked=asked or day != on)
    ]


def is_fresh(stand: date, on: date, *, asked: bool) -> bool:
    """Whether a text of that day needs no warning; ``asked``: the day was named."""
    return on <= stand or (not asked and (on - stand).days <= FRESH_DAYS)
