"""What the corpus has of a provision for the day on which a court applied it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from functools import cache

from fundstelle.law.norms import Norm, NormStatus, Statute
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.dating.between_looks import find_gap
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.library import Library
from fundstelle.lookup.texts import LookupRequest, read_norm


class Applied(Enum):
    """What the corpus has for a day, beside the text of today."""

    SAME = auto()  # the text of today
    OTHER_LAW = auto()  # the law did not exist yet: another may have borne its name
    OLDER = auto()  # another text
    BETWEEN = auto()  # one of two texts: on which day between two looks it changed is not known
    NONE = auto()  # no text in force: not yet, or no longer
    NOT_HELD = auto()  # the corpus cannot say


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a provision or law over time.

    ``law_since`` is the day of the law itself. ``floor`` is the first day that the build speaks
    for: of an act of the Union that is held as published, the day of its text. ``has_changed``:
    other words than those of today are held of an earlier day. ``read`` tells what is held for a
    day.
    """

    citation: str
    law: str
    repealed: bool
    law_since: date | None
    floor: date
    has_changed: bool
    read: Callable[[date], Applied]


def find_standing(library: Library, cited_id: str, today: date) -> Standing | None:
    """The standing of a norm or statute; ``None`` for a decision or what is not held."""
    store = library.store
    statute = store.statutes.get(cited_id)
    norm = None if statute is not None else store.find_norm(cited_id)
    if norm is not None:
        statute = store.statutes[norm.statute_id]
    if statute is None:
        return None
    since = _read_day(statute)
    floor = find_floor(library, statute)
    own: Callable[[date], Applied]
    if norm is None:
        name, repealed, has_changed = statute.abbreviation, not statute.listed, False
        own = cache(lambda day: Applied.NOT_HELD if day < floor else Applied.SAME)
    else:
        name, repealed = norm.citation, norm.status is NormStatus.REPEALED
        heads = store.list_fassungen(norm.norm_id)
        begun = [head for head in heads if (head.in_force_from or today) <= today]
        has_changed = len({head.text_sha256 for head in begun}) > 1
        own = _build_reader(library, statute, norm, today)
    return Standing(
        name,
        statute.abbreviation,
        repealed,
        since,
        floor,
        has_changed,
        lambda day: Applied.OTHER_LAW if since is not None and day < since else own(day),
    )


def _build_reader(
    library: Library, statute: Statute, norm: Norm, today: date
) -> Callable[[date], Applied]:
    """Reads a norm as a lookup does, so that its answer for a day is the one told of here."""

    def look(day: date) -> Applied | ProvisionHit:
        question = LookupRequest(library, norm.citation, day)
        outcome = read_norm(question, statute, norm)
        if isinstance(outcome, ProvisionHit):
            return outcome
        is_outside = getattr(outcome, "status", "") == "outside_coverage"
        return Applied.NOT_HELD if is_outside else Applied.NONE

    now = look(today)
    words = now.fassung.text_sha256 if isinstance(now, ProvisionHit) else None

    @cache
    def read(day: date) -> Applied:
        then = look(day)
        if isinstance(then, Applied):
            return then
        if find_gap(library, then.statute, then.fassung, day) is not None:
            return Applied.BETWEEN
        return Applied.SAME if then.fassung.text_sha256 == words else Applied.OLDER

    return read


def _read_day(statute: Statute) -> date | None:
    """The day of a German law; that of an EU act may be a later consolidation's."""
    return statute.issued_on if statute.jurisdiction == "de" else None
