"""What a page says beside a text of a day, where assistants are warned of it (``tools``)."""

from collections.abc import Iterator, Sequence
from datetime import date

from markupsafe import Markup

from fundstelle.law.norms import Fassung, Norm, NormKind, NormStatus, Statute
from fundstelle.lookup.answers import Hit, LawHit, ProvisionHit
from fundstelle.lookup.application import find_entry
from fundstelle.lookup.between_looks import find_gap
from fundstelle.lookup.commencement import find_commencement
from fundstelle.lookup.context.law_changes import LawComparison
from fundstelle.lookup.days import find_floor
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import say_when_seen
from fundstelle.lookup.unchanged import find_named_change
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.times import is_of_other_texts
from fundstelle.tools.answers.looks import find_last_looks

_NOT_IN_FORCE = {
    NormStatus.FUTURE: "status.not_yet_in_force",
    NormStatus.REPEALED: "status.repealed",
}


def list_notices_of_law(
    visit: Visit, library: Library, statute: Statute, on: date | None, today: date
) -> list[str]:
    """What to mind of the contents of a law on a day; without one, on that of today."""
    day = on or today
    found = list(_tell_looks(visit, library, LawHit(statute), on)) if on is not None else []
    begins = find_entry(statute) or find_commencement(library, statute)
    if begins is not None and day < begins:
        words = {"law": statute.abbreviation, "day": visit.day(begins)}
        found.append(visit.t("times.begins", **words))
    if is_of_other_texts(library, statute, day):
        days = {"day": visit.day(day), "newest": visit.day(statute.stand)}
        found.append(visit.t("times.older_contents", **days))
    return found


def list_notices_of_changes(
    visit: Visit,
    library: Library,
    statute: Statute,
    found: LawComparison | None,
    days: tuple[date, date],
) -> list[str]:
    """What to mind of what changed in a law; ``found`` is ``None`` where that is not known."""
    first, last = days
    if found is None:
        return []
    notices = list(_tell_looks(visit, library, LawHit(statute), last))
    for key, day, count in (
        ("times.perhaps_before", first, found.perhaps_before),
        ("times.perhaps_more", last, found.perhaps_more),
    ):
        if count:
            notices.append(visit.t(key, day=visit.day(day), count=visit.number(count)))
    return notices


def list_notices_of_text(
    visit: Visit, library: Library, norm: Norm, fassung: Fassung | None, on: date | None
) -> list[str]:
    """What to mind of the text of a norm, and of its being that of a day, where one is named."""
    if fassung is None:
        return []
    statute = library.store.statutes[norm.statute_id]
    found = []
    if not statute.complete:
        found.append(visit.t("status.incomplete"))
    if norm.kind is not NormKind.HEADING and not fassung.text and not fassung.notes:
        found.append(visit.t("law.heading_alone"))
    if statute.listed and fassung.in_force_until is not None:
        found += _tell_if_left(visit, library, statute)
    if on is not None:
        hit = ProvisionHit(statute, norm, fassung, norm.citation, 0, len(fassung.text))
        found += _tell_looks(visit, library, hit, on)
        found += _tell_gap(visit, library, statute, fassung, on)
    return found


def list_notices_of_texts(
    visit: Visit,
    library: Library,
    norm: Norm,
    days: tuple[date, date],
    texts: Sequence[Fassung | None],
) -> list[str]:
    """What to mind of two texts of a norm side by side, those of two days."""
    statute = library.store.statutes[norm.statute_id]
    found = [*_tell_if_left(visit, library, statute)]
    for fassung, on in zip(texts, days, strict=True):
        if fassung is None:
            found.append(_date(visit, on, visit.t("public.no_text")))
            continue
        if fassung.status in _NOT_IN_FORCE:
            found.append(_date(visit, on, visit.t(_NOT_IN_FORCE[fassung.status])))
        floor = find_floor(library, statute)
        named = find_named_change(statute, fassung, floor, on)
        if named is not None:
            rests = visit.t("public.by_notes", first=visit.day(floor), change=visit.day(named))
            found.append(_date(visit, on, rests))
        gap = _tell_gap(visit, library, statute, fassung, on)
        found += [_date(visit, on, one) for one in gap]
    newer = texts[-1]
    if newer is not None and newer.in_force_until is None:
        found += list_notices_of_text(visit, library, norm, newer, days[-1])
    return list(dict.fromkeys(found))


def _tell_if_left(visit: Visit, library: Library, statute: Statute) -> Iterator[str]:
    """Whether the publisher, or the newest look at it, has the law no longer."""
    if not statute.listed:
        yield visit.t("status.removed")
    elif say_when_seen(library.store.manifest, statute) is not None:
        yield visit.t("times.left", law=statute.abbreviation, seen=visit.day(statute.stand))


def _date(visit: Visit, on: date, notice: str) -> str:
    """Of one of two days alone."""
    return Markup("{}: {}").format(visit.day(on), notice)


def _tell_looks(visit: Visit, library: Library, hit: Hit | LawHit, on: date) -> Iterator[str]:
    for look in find_last_looks(library, [hit], on, asked=True):
        key = "times.looked" if look.was_seen else "times.version"
        yield visit.t(key, law=look.law, seen=visit.day(look.day), day=visit.day(on))


def _tell_gap(
    visit: Visit, library: Library, statute: Statute, fassung: Fassung, on: date
) -> Iterator[str]:
    gap = find_gap(library, statute, fassung, on)
    if gap is not None:
        then = "other" if gap.is_followed else "none"
        key = f"times.{then}_{'seen' if gap.was_seen else 'held'}"
        yield visit.t(key, stand=visit.day(gap.stand), gone=visit.day(gap.gone_on))
