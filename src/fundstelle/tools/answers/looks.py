"""Texts that were last seen before the day that is asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

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
    manifest = library.store.manifest
    looks: list[LastLook] = []
    for hit in hits:
        if isinstance(hit, DecisionHit) or say_when_seen(manifest, hit.statute):
            continue
        if isinstance(hit, LawHit):
            day, was_seen = find_stand_of_law(hit.statute)
        elif hit.fassung.in_force_until is None:
            day = find_stand(hit.statute, hit.fassung)
            was_seen = find_last_look(manifest, hit.statute, hit.fassung) is not None
        else:
            continue
        looks.append(LastLook(hit.statute.abbreviation, day, was_seen))
    return [look for look in looks if not is_fresh(look.day, on, asked=asked)]


def warn_of_looks(
    library: Library, hits: Iterable[Hit | LawHit], on: date, *, asked: bool
) -> list[str]:
    """A warning where texts of this answer were last seen before the day asked for."""
    looks = find_last_looks(library, hits, on, asked=asked)
    seen = [(look.law, look.day) for look in looks if look.was_seen]
    unseen = dict.fromkeys((look.law, look.day) for look in looks if not look.was_seen)
    return [
        *warn_of_days(seen, on, asked=asked),
        *(
            f"{law}: the text is that of {day.isoformat()}; later changes are not in it."
            for law, day in unseen
        ),
    ]


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


def warn_of_days(looks: Iterable[tuple[str, date]], on: date, *, asked: bool) -> list[str]:
    """As ``warn_of_looks``, of laws and the days on which their texts were last seen."""
    laws: dict[date, dict[str, None]] = {}
    for law, day in looks:
        if not is_fresh(day, on, asked=asked):
            laws.setdefault(day, {})[law] = None
    warnings = []
    for day in sorted(laws):
        names = list(laws[day])
        more = ", …" if len(names) > _NAMED else ""
        warnings.append(
            f"{', '.join(names[:_NAMED])}{more}: last seen at the publisher on"
            f" {day.isoformat()}; changes between then and {on.isoformat()} are not in this text."
        )
    return warnings


def is_fresh(stand: date, on: date, *, asked: bool) -> bool:
    """Whether a text of that day needs no warning; ``asked``: the day was named."""
    return on <= stand or (not asked and (on - stand).days <= FRESH_DAYS)
