"""The day of an act's Official Journal that is learnt later than the texts it dates.

A build that has all texts dates each by that day. One that goes on from what an earlier build
holds takes the histories back to what the texts alone say, and dates them anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.eu.act import NO_EFFECT, ActText, Unit
from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.ingest.sources.eu.commencement import (
    Entry,
    choose_entry,
    commence,
    enter,
    find_entry,
)
from fundstelle.law.norms import DatePrecision, Fassung, Norm, NormKind, NormStatus, Statute
from fundstelle.lookup.reading.years import list_consolidated

_BY_TEXTS = frozenset({DatePrecision.FIRST_SEEN, DatePrecision.UNKNOWN})
_CONSOLIDATED = frozenset(NO_EFFECT.values())


def publish_anew(act: ParsedAct, day: date | None) -> ParsedAct:
    """An act as it is held, with that day of its Journal; itself where that is no news."""
    if day == act.statute.published_on:
        return act
    return commence(publish(recall(act), day))


def publish(act: ParsedAct, day: date | None) -> ParsedAct:
    """A recalled act with what its texts say of its commencement, given that day."""
    if day == act.statute.published_on:
        return act
    entry: Entry | None = None
    for text in _iter_texts(act, day):
        entry = choose_entry(entry, find_entry(text))
    return replace(act, statute=enter(act.statute, day, entry))


def recall(act: ParsedAct) -> ParsedAct:
    """The histories as they were before ``commence``: each fassung from its first text to its last.

    Which texts these were is told by the days on which each fassung was shown last. Of several
    consolidated texts before the entry the first that can have brought a provision is taken to.
    """
    if act.statute.in_force_from is None:
        return act
    statute, days = act.statute, list_consolidated(act.statute)
    norms = ((norm, tuple(_recall(norm, texts, statute, days))) for norm, texts in act.norms)
    return replace(act, norms=tuple(norms))


def _recall(
    norm: Norm, fassungen: Sequence[Fassung], statute: Statute, days: Sequence[date]
) -> Iterator[Fassung]:
    later = list(days)  # than what showed the fassung before
    before: Fassung | None = None
    for one in fassungen:
        if before is not None and later[1:] and _is_back(norm, before, one):
            del later[0]
        begins, ends = one.in_force_from, one.in_force_until
        is_future = one.status is NormStatus.FUTURE
        is_moved = is_future or one.date_precision not in _BY_TEXTS
        if is_moved and _is_published(one):
            begins = None
        elif is_moved and (begins is None or not is_future):
            begins = later[0] if later else one.stand
        # a consolidated text may be of the day of signing, too
        if one.stand in days and not (_is_published(one) and one.stand == statute.first_look):
            later = [day for day in days if day > one.stand]
        if is_moved and ends is not None and ends in {statute.in_force_from, one.in_force_from}:
            ends = later[0] if later else ends
        yield replace(
            one,
            in_force_from=begins,
            in_force_until=ends,
            date_precision=DatePrecision.FIRST_SEEN if begins else DatePrecision.UNKNOWN,
            status=NormStatus.IN_FORCE if is_future else one.status,
        )
        before = one


def _is_published(fassung: Fassung) -> bool:
    """Whether the act as published has it."""
    return _CONSOLIDATED.isdisjoint(fassung.notes)


def _is_back(norm: Norm, before: Fassung, after: Fassung) -> bool:
    """Whether some text lacked it: the same words one after the other are one fassung."""
    titles = (one.headings.title if one.headings else norm.title for one in (before, after))
    return before.text_sha256 == after.text_sha256 and len(set(titles)) == 1


def _iter_texts(act: ParsedAct, published_on: date | None) -> Iterator[ActText]:
    """The articles of each text that the histories are made of, with that day of the Journal."""
    statute = act.statute
    days: list[date | None] = [*list_consolidated(statute)]
    if any(_is_published(one) for _, fassungen in act.norms for one in fassungen):
        days.insert(0, None)
    for day in days:
        units = [
            Unit(norm.kind, norm.number, norm.label, blocks=_list_lines(one))
            for norm, fassungen in act.norms
            for one in fassungen
            if norm.kind is NormKind.ARTICLE
            and one.status is not NormStatus.REPEALED
            and _is_of(one, day)
        ]
        yield ActText(
            celex=statute.slug,
            language=statute.language,
            title=statute.title,
            issued_on=statute.issued_on,
            publication=statute.publication,
            consolidated_on=day,
            units=units,
            name=statute.slug,
            excerpt=not (statute.complete or statute.has_gaps),
            published_on=published_on,
        )


def _is_of(fassung: Fassung, day: date | None) -> bool:
    begins, ends = fassung.in_force_from, fassung.in_force_until
    if day is None:
        return begins is None
    return (begins is None or begins <= day) and (ends is None or day < ends)


def _list_lines(fassung: Fassung) -> list[ActBlock]:
    return [ActBlock(line) for line in fassung.text.split("\n")]
