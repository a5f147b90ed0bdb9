"""What a page says beside a text of a day: all that assistants are warned of for the same day.

Their warnings are told in the language of the page (``portal.reasons``), so none is left out; one
that has no German is shown in English.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from markupsafe import Markup

from fundstelle.law.norms import Fassung, Norm, NormStatus, Statute
from fundstelle.lookup.answers import Hit, LawHit, ProvisionHit
from fundstelle.lookup.context.law_changes import LawComparison
from fundstelle.lookup.dating.application import find_entry, warn_of_application
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.dating.to_come import name_ahead
from fundstelle.lookup.library import Library
from fundstelle.lookup.whole import build_hit, warn_of_law, warn_of_text
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.reasons import recognise, tell, write_days
from fundstelle.portal.times import is_of_other_texts
from fundstelle.tools.answers.looks import warn_of_looks

_NOT_IN_FORCE = {
    NormStatus.FUTURE: "status.not_yet_in_force",
    NormStatus.NOT_SEEN: "status.not_seen_yet",
    NormStatus.REPEALED: "status.repealed",
}
_SHOWN = frozenset(("warning.heading",))  # otherwise: the contents stand below a heading
_BAD = frozenset(("warning.removed",))


@dataclass(frozen=True, slots=True)
class Notice:
    """What to mind, the language that it is in, and whether it puts the text itself in doubt."""

    text: str
    language: str
    is_bad: bool = False


def tell_warnings(visit: Visit, warnings: Iterable[str]) -> Iterator[Notice]:
    """What assistants are warned of, but for what every page shows otherwise."""
    for warning in warnings:
        key = recognise(warning)
        if key in _SHOWN:
            continue
        told = tell(warning, visit.language)
        is_raw = told.text == warning and told.language == visit.language
        text = write_days(warning, visit.day) if is_raw else told.text
        yield Notice(text, told.language, key in _BAD)


def list_notices_of_law(
    visit: Visit, library: Library, statute: Statute, on: date | None, today: date
) -> list[Notice]:
    """What to mind of the contents of a law on a day; without one, on that of today."""
    day = on or today
    looks = warn_of_looks(library, [LawHit(statute)], day, asked=on is not None)
    warnings = (*warn_of_law(library, statute, day), *warn_of_application(statute, day), *looks)
    found = list(tell_warnings(visit, warnings))
    begins = find_entry(statute) or find_commencement(library, statute)
    if begins is not None and day < begins:
        words = {"law": statute.abbreviation, "day": visit.day(begins)}
        found.append(_say(visit, "times.begins", **words))
    if is_of_other_texts(library, statute, day):
        days = {"day": visit.day(day), "newest": visit.day(statute.stand)}
        found.append(_say(visit, "times.older_contents", **days))
    return found


def list_notices_of_changes(
    visit: Visit,
    library: Library,
    statute: Statute,
    found: LawComparison | None,
    days: tuple[date, date],
) -> list[Notice]:
    """What to mind of what changed in a law; ``found`` is ``None`` where that is not known."""
    first, last = days
    if found is None:
        return []
    looks = warn_of_looks(library, [LawHit(statute)], last, asked=True)
    notices = list(tell_warnings(visit, (*warn_of_law(library, statute, *days), *looks)))
    for key, day, count in (
        ("times.perhaps_before", first, found.perhaps_before),
        ("times.perhaps_more", last, found.perhaps_more),
    ):
        if count:
            notices.append(_say(visit, key, day=visit.day(day), count=visit.number(count)))
    return notices


def list_notices_of_text(  # noqa: PLR0913, PLR0917
    visit: Visit,
    library: Library,
    norm: Norm,
    fassung: Fassung | None,
    on: date | None,
    today: date,
) -> list[Notice]:
    """What to mind of the text of a norm on a day; without one, on that of today."""
    if fassung is None:
        return []
    statute, day = library.store.statutes[norm.statute_id], on or today
    if (fassung.in_force_from or date.min) <= day < (fassung.in_force_until or date.max):
        hit = build_hit(library, statute, norm, fassung, day)
    else:  # what is shown is not of that day: what is said of it is of the law alone
        hit = _build_bare_hit(statute, norm, fassung)
        said = (*warn_of_law(library, statute, day), *warn_of_application(statute, day))
        hit = replace(hit, warnings=said)
    looks = warn_of_looks(library, [hit], day, asked=on is not None)
    return list(tell_warnings(visit, (*hit.warnings, *looks)))


def list_notices_of_texts(
    visit: Visit,
    library: Library,
    norm: Norm,
    days: tuple[date, date],
    texts: Sequence[Fassung | None],
) -> list[Notice]:
    """What to mind of two texts of a norm side by side, those of two days."""
    statute = library.store.statutes[norm.statute_id]
    found = list(tell_warnings(visit, warn_of_law(library, statute, *days)))
    for fassung, on in zip(texts, days, strict=True):
        if fassung is None:
            found.append(_date(visit, on, _say(visit, "public.no_text")))
            continue
        status = fassung.status
        if status is NormStatus.FUTURE:
            status = name_ahead(library, fassung, on)
        if status in _NOT_IN_FORCE:
            found.append(_date(visit, on, _say(visit, _NOT_IN_FORCE[status])))
        of_text = warn_of_text(library, statute, norm, fassung, on)
        warnings = (*warn_of_application(statute, on), *of_text)
        found += [_date(visit, on, one) for one in tell_warnings(visit, warnings)]
    newer = texts[-1]
    if newer is not None:
        hits: list[Hit | LawHit] = [_build_bare_hit(statute, norm, newer)]
        found += tell_warnings(visit, warn_of_looks(library, hits, days[-1], asked=True))
    return list(dict.fromkeys(found))


def _build_bare_hit(statute: Statute, norm: Norm, fassung: Fassung) -> ProvisionHit:
    return ProvisionHit(statute, norm, fassung, norm.citation, 0, len(fassung.text))


def _say(visit: Visit, key: str, **values: object) -> Notice:
    return Notice(visit.t(key, **values), visit.language)


def _date(visit: Visit, on: date, notice: Notice) -> Notice:
    """Of one of two days alone."""
    return replace(notice, text=Markup("{}: {}").format(visit.day(on), notice.text))
