"""An act through its texts: what one more text says of the norms that those before it have.

The act as published comes first, then consolidated texts in the order of their days. A build that
has all texts, and one that goes on from what an earlier build holds, take the same steps.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.eu.commencement import Entry, choose_entry, commence, enter
from fundstelle.ingest.sources.eu.journal import publish, publish_anew, recall
from fundstelle.ingest.sources.eu.reread import can_reread, note_reading, reread
from fundstelle.law.application import Application
from fundstelle.law.corrigenda import announce, is_announced, read_announced_day, read_number
from fundstelle.law.norms import (
    ENDED,
    SEEN,
    Fassung,
    Headings,
    Norm,
    NormKind,
    NormStatus,
    StandNote,
    Statute,
)
from fundstelle.lookup.reading.years import list_consolidated

History = tuple[Norm, tuple[Fassung, ...]]

PROVISIONS = frozenset({NormKind.ARTICLE, NormKind.ANNEX})
_RECITAL, _DIVISION = "recital_", "div_"  # how their numbers begin


def count_norms(norms: Iterable[History]) -> int:
    """How many of them are more than headings."""
    return sum(norm.kind is not NormKind.HEADING for norm, _ in norms)


def go_on(before: ParsedAct, after: ParsedAct) -> ParsedAct:
    """``before``, which is held, with what was read of the act now.

    A consolidated text that is later than all that is held goes on from it. One that is not says
    nothing new but of corrigenda; if another program read the newest that is held, or that is held
    in part alone, it has the words as they are read now. An act that is held as published alone is
    taken anew with its corrigenda, unless what was read brings only some of those that it has. The
    day of the Journal is that which the newest text gives, and dates those before it, too.
    """
    newest = after.newest or after
    day, held = _find_day(newest), _find_day(before)
    old, new = before.statute.published_on, after.statute.published_on
    if day is None and held is None:
        return publish_anew(_take_anew(before, after), new or old)
    is_reread = day is not None and day == held and can_reread(before, newest, day)
    if day is not None and (held is None or day > held or is_reread):
        known, later = (publish(recall(act), new or old) for act in (before, newest))
        if is_reread:
            known = reread(known, later, day)
        return commence(extend(known, later))
    return _announce(publish_anew(before, old or new), _list_open(newest, before))


def _take_anew(before: ParsedAct, after: ParsedAct) -> ParsedAct:
    """The act as published, with every corrigendum that is known, or a word of it."""
    held, new = _list_corrigenda(before), _list_corrigenda(after)
    lost = [text for number, text in held.items() if number not in new]
    return before if lost and new.keys() <= held.keys() else _announce(after, lost)


def count_provisions(act: ParsedAct) -> int:
    """How many articles and annexes with words its newest text has."""
    return sum(
        norm.kind in PROVISIONS and bool(fassungen[-1].text.strip())
        for norm, fassungen in act.norms
        if norm.status is NormStatus.IN_FORCE
    )


def extend(before: ParsedAct, after: ParsedAct) -> ParsedAct:
    """``before`` with the one later text that ``after`` was made of; it keeps id and names.

    What a consolidated text no longer has was in force until its day; recitals stay, since no such
    text has them. What it has deleted and no text before had is repealed. Of an excerpt nothing is
    missing. Of a text with gaps it is not known what is: all stays but what it has deleted, and the
    act is not complete until a later text is.
    """
    day = _find_day(after)
    deleted = {norm.number for norm, _ in after.norms if norm.status is NormStatus.REPEALED}
    known = {norm.number: (norm, fassungen) for norm, fassungen in before.norms}
    fresh = {
        norm.number: (norm, fassungen[0])
        for norm, fassungen in after.norms
        if fassungen[0].status is NormStatus.IN_FORCE or norm.number not in known
    }
    histories: list[History] = []
    for number in _order(list(known), list(fresh), is_whole=after.statute.complete):
        if number in fresh:
            norm, fassung = fresh[number]
            histories.append((norm, _go_on(known.get(number), norm, fassung)))
        else:
            norm, fassungen = known[number]
            is_missing = after.statute.complete and norm.kind is not NormKind.RECITAL
            ends = day is not None and (is_missing or number in deleted)
            histories.append((norm, _end_last(fassungen, day) if ends else fassungen))
    norms = tuple(_place(histories))
    reading = note_reading(before, after, _find_day(after))
    statute = replace(
        before.statute,
        title=before.statute.title or after.statute.title,
        stand_notes=(*_keep_notes(before), *after.statute.stand_notes, *reading),
        source_url=after.statute.source_url,
        stand=after.statute.stand,
        norm_count=count_norms(norms),
        read_by=after.statute.read_by,
        complete=after.statute.complete or (before.statute.complete and not after.statute.has_gaps),
        applications=_join(before.statute.applications, after.statute.applications),
    )
    entry = choose_entry(_get_entry(before.statute), _get_entry(after.statute))
    statute = enter(statute, before.statute.published_on, entry)
    act = ParsedAct(statute, norms, before.texts + after.texts, after)
    return _announce(act, _list_open(before, after))


def _find_day(act: ParsedAct) -> date | None:
    """The day of the newest consolidated text; ``None`` for the act as published."""
    return max(list_consolidated(act.statute), default=None)


def _get_entry(statute: Statute) -> Entry | None:
    day = statute.in_force_from
    return Entry(day, statute.date_precision) if day is not None else None


def _join(before: Sequence[Application], after: Sequence[Application]) -> tuple[Application, ...]:
    """What each text says of the application, the words that stayed once."""
    (*_, last) = before or (None,)
    new = (one for one in after if last is None or replace(one, since=last.since) != last)
    return (*before, *new)


def _order(before: Sequence[str], fresh: Sequence[str], *, is_whole: bool) -> list[str]:
    """The numbers as the later text has them; recitals and what was repealed where they were."""
    if not is_whole:
        known = set(before)
        return [*before, *(number for number in fresh if number not in known)]
    kept = set(fresh)
    old = [number for number in before if number not in kept]
    recitals = [number for number in old if number.startswith(_RECITAL)]
    gone = [number for number in old if not number.startswith((_RECITAL, _DIVISION))]
    return [*recitals, *_insert(fresh, gone, before)]


def _insert(fresh: Sequence[str], gone: Sequence[str], before: Sequence[str]) -> list[str]:
    """What is gone stays behind the unit it stood behind."""
    missing, kept = set(gone), set(fresh)
    behind: dict[str | None, list[str]] = {}
    anchor = None
    for number in before:
        if number in missing:
            behind.setdefault(anchor, []).append(number)
        elif number in kept:
            anchor = number
    places = [None, *fresh]
    return [n for p in places for n in (*((p,) if p else ()), *behind.get(p, ()))]


def _go_on(before: History | None, norm: Norm, fassung: Fassung) -> tuple[Fassung, ...]:
    if before is None:
        return (fassung,)
    old, fassungen = before
    *earlier, last = fassungen
    same = (last.text_sha256, old.title) == (fassung.text_sha256, norm.title)
    if same and last.in_force_until is None:
        # seen once more: the same words, divided as they are read now, with the footnotes of today
        seen = replace(
            last,
            stand=fassung.stand,
            segments=fassung.segments,
            tables=fassung.tables,
            footnotes=fassung.footnotes,
        )
        return (*earlier, seen)
    if last.in_force_until is None and fassung.in_force_from is not None:
        last = replace(last, in_force_until=fassung.in_force_from)
    return (*earlier, replace(last, headings=Headings(old.title)), fassung)


def _end_last(fassungen: tuple[Fassung, ...], day: date | None) -> tuple[Fassung, ...]:
    *earlier, last = fassungen
    is_over = last.in_force_until or last.status is NormStatus.REPEALED
    return (*earlier, last if is_over else replace(last, in_force_until=day))


def _place(histories: Sequence[History]) -> Iterator[History]:
    """Each norm at its place, below the headings that the later text has."""
    place: list[Norm] = []
    for position, (norm, fassungen) in enumerate(histories):
        if norm.kind is NormKind.HEADING:
            del place[norm.level - 1 :]
        elif norm.kind in {NormKind.ANNEX, NormKind.RECITAL}:
            place = []
        last = fassungen[-1]
        is_gone = last.in_force_until is not None or last.status is NormStatus.REPEALED
        placed = replace(
            norm,
            position=position,
            level=len(place) + 1,
            parent_id=place[-1].norm_id if place else None,
            hierarchy=tuple(f"{one.label} {one.title or ''}".strip() for one in place),
            status=NormStatus.REPEALED if is_gone else NormStatus.IN_FORCE,
        )
        yield placed, fassungen
        if norm.kind is NormKind.HEADING:
            place.append(placed)


def _keep_notes(before: ParsedAct) -> Iterator[StandNote]:
    """What was noted and is still true, beside corrigenda."""
    for note in before.statute.stand_notes:
        if not is_announced(note.text) and not note.text.startswith((SEEN, ENDED)):
            yield note


def _list_open(known: ParsedAct, act: ParsedAct) -> list[str]:
    """The corrigenda that one text has, or tells of, and that are later than the other, noted."""
    there = _list_corrigenda(act)
    return [
        text
        for number, text in _list_corrigenda(known).items()
        if number not in there and (read_announced_day(text) or date.min) > act.statute.stand
    ]


def _list_corrigenda(act: ParsedAct) -> dict[str, str]:
    """The corrigenda that are applied or announced, by number, each as a text notes that lacks it.

    What an earlier version noted of those that were applied does not say their day.
    """
    notes = [note.text for note in act.statute.stand_notes]
    notes += (note for _, fassungen in act.norms for each in fassungen for note in each.notes)
    found = {text for note in notes if (text := announce(note)) is not None}
    return {read_number(text): text for text in sorted(found, key=_order_announced)}


def _announce(act: ParsedAct, corrigenda: Sequence[str]) -> ParsedAct:
    """The act with these notes, too: corrigenda stand last, the oldest first."""
    if not corrigenda:
        return act
    notes = act.statute.stand_notes
    told = [note for note in notes if is_announced(note.text)]
    told += (StandNote("Sonst", text) for text in corrigenda)
    told.sort(key=lambda note: _order_announced(note.text))
    others = (note for note in notes if not is_announced(note.text))
    return replace(act, statute=replace(act.statute, stand_notes=(*others, *told)))


def _order_announced(text: str) -> tuple[date, str]:
    return read_announced_day(text) or date.min, text
