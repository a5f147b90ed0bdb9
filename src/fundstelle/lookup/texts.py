"""A norm, a path and a day: the words that held then, or why there are none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import (
    Fassung,
    Norm,
    NormStatus,
    Statute,
)
from fundstelle.lookup.addresses import name_anchors
from fundstelle.lookup.answers import Miss, Outcome, Place, ProvisionHit
from fundstelle.lookup.dating.application import say_entry
from fundstelle.lookup.dating.between_looks import find_gap
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.dating.days import describe_days, find_floor
from fundstelle.lookup.dating.lacking import find_lack
from fundstelle.lookup.dating.on_day import Standing, find_text
from fundstelle.lookup.dating.to_come import find_part_to_come, find_to_come, is_printed_ahead
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import other_days
from fundstelle.lookup.misses.editions import changed_since, several_texts
from fundstelle.lookup.misses.former import ask_older, is_number
from fundstelle.lookup.misses.gaps import is_repealed, row_missing, unit_missing, unit_repealed
from fundstelle.lookup.misses.reasons import not_parseable, number_alone, part_not_held
from fundstelle.lookup.misses.to_come import to_come
from fundstelle.lookup.parts.brackets import read_brackets
from fundstelle.lookup.parts.following import NoUnit, Units
from fundstelle.lookup.parts.present import MARKED_KINDS, find_parts
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path, is_bare
from fundstelle.lookup.reading.rows import find_rows, find_rows_short_of
from fundstelle.lookup.reading.years import is_changed_since, is_of_year
from fundstelle.lookup.whole import build_hit

NO_BOUND = 1_000_000  # more than any reference can name

_FLAT = frozenset({"subunit_does_not_exist", "repealed"})  # what is denied, not only unknown
_MOST_OTHERS = 20  # parts that a citation names, too


@dataclass(frozen=True, slots=True)
class LookupRequest:
    """What is asked of one build: a written reference and the day to read the law on.

    ``language`` is the one wanted where a text is held in several; ``most`` is how many provisions
    may be looked up for it. ``older``: a text is meant that no longer applies ("a.F."), and which
    one is not said. ``year``: the text of that year is meant, if it is one; ``on`` is a day of it.
    ``edition``: what was promulgated in that year is meant, as amended. ``doubt`` is why another
    text than that of ``on`` may be meant.
    ``until``: the last text until ``on`` is meant, and none that begins on it.
    """

    library: Library
    written: str
    on: date
    language: str = "de"
    most: int = NO_BOUND
    older: bool = False
    year: int | None = None
    edition: int | None = None
    doubt: str = ""
    until: bool = False


def read_norm(question: LookupRequest, statute: Statute, norm: Norm) -> Outcome:
    """The norm as a whole."""
    return read_units(question, statute, norm, ())[0]


def read_units(
    question: LookupRequest, statute: Statute, norm: Norm, path: Sequence[PathStep]
) -> list[Outcome]:
    """The units of a norm that the path names; a single miss if there is no text for the day."""
    library, on = question.library, question.on
    if (several := _miss_version(question, norm)) is not None:
        return [several]
    if question.until and _changed(library, norm, on):
        return _read_before(question, statute, norm, path)
    found = find_text(library, statute, norm.norm_id, on)
    fassung = found.fassung
    if found.standing is not Standing.KNOWN:
        return [_miss_day(question, statute, norm, found.standing)]
    if fassung is None:  # on that day its number may have stood in a range
        span = library.store.find_range(norm.norm_id)
        other = span is not None and span.norm_id != norm.norm_id
        shown = library.store.find_fassung(span.norm_id, on) if span and other else None
        # a range that says "(weggefallen)" knows nothing of the text that stood under the number
        gone = shown is not None and shown.status is NormStatus.REPEALED
        gone = gone and _ended(library, norm, on)
        # nor does one that is to come, for a day on which it may have come
        came = shown is not None and shown.status is NormStatus.FUTURE
        came = came and shown is not None and not find_to_come(library, shown).is_ahead(on)
        if span is not None and shown is not None and not gone and not came:
            return read_units(question, statute, span, path)
    if fassung is None or fassung.status is not NormStatus.IN_FORCE:
        return [_miss_text(question, statute, norm, fassung)]
    whole = build_hit(library, statute, norm, fassung, on)
    return _cut(question, whole, path) if path else [whole]


def _miss_version(question: LookupRequest, norm: Norm) -> Miss | None:
    """The miss where the citation does not say which of a norm's texts it means."""
    if not question.older and question.year is None and question.edition is None:
        return None
    heads = question.library.store.list_fassungen(norm.norm_id)
    if question.older:
        return other_days.older_version(question.written, norm, heads, question.library)
    if question.edition is not None:
        if not is_changed_since(heads, question.edition):
            return None
        return changed_since(question.written, norm, question.edition, heads, question.on)
    year = question.year
    held = [head for head in heads if year is not None and is_of_year(head, year)]
    if year is None or len(held) <= 1:
        return None
    return several_texts(question.written, norm, year, held, question.on)


def _changed(library: Library, norm: Norm, on: date) -> bool:
    """Whether a text of the norm begins or ends on that day."""
    heads = library.store.list_fassungen(norm.norm_id)
    return any(on in {head.in_force_from, head.in_force_until} for head in heads)


def _read_before(
    question: LookupRequest, statute: Statute, norm: Norm, path: Sequence[PathStep]
) -> list[Outcome]:
    """The units in the text of the day before: "in der bis zum … geltenden Fassung"."""
    on = question.on - timedelta(days=1)
    heads = question.library.store.list_fassungen(norm.norm_id)
    day = question.on.isoformat()
    if any(one.in_force_from == question.on and one.date_precision.is_in_force for one in heads):
        said = (
            f"{norm.citation} changed on {day}; this is the text until then, of {on.isoformat()}."
        )
    else:  # of a look
        said = f"{norm.citation} was seen changed on {day}; this is the text of {on.isoformat()}."
    return [
        replace(each, on=on, warnings=(said, *each.warnings))
        if isinstance(each, ProvisionHit)
        else each
        for each in read_units(replace(question, on=on, until=False), statute, norm, path)
    ]


def _ended(library: Library, norm: Norm, on: date) -> bool:
    """Whether a text of the norm's own number is held that had ended by that day."""
    heads = library.store.list_fassungen(norm.norm_id)
    return any(head.in_force_until is not None and head.in_force_until <= on for head in heads)


def read_same(
    question: LookupRequest, statute: Statute, norm: Norm, path: Sequence[PathStep], sign: str
) -> list[Outcome]:
    """As ``read_units``; of several norms of one designation the first that has a text.

    Where Artikel and §§ have one number, those with the ``sign`` that was cited are meant.
    """
    same = question.library.store.list_same(norm.norm_id)
    if not same:
        return read_units(question, statute, norm, path)
    named = [norm, *same]
    named = [one for one in named if one.citation.startswith(sign)] or named
    tried = [(one, read_units(question, statute, one, path)) for one in named]
    held = [(one, outcomes) for one, outcomes in tried if isinstance(outcomes[0], ProvisionHit)]
    if not held:
        return tried[0][1]
    first, *others = held
    places = tuple(Place(one.citation, one.norm_id) for one, _ in others)
    if not others:
        return first[1]
    several = f"{statute.abbreviation} has several provisions of the designation {norm.label}."
    return [
        replace(
            outcome,
            alternatives=(*outcome.alternatives, *places),
            warnings=(*outcome.warnings, several),
        )
        if isinstance(outcome, ProvisionHit)
        else outcome
        for outcome in first[1]
    ]


def _miss_day(question: LookupRequest, statute: Statute, norm: Norm, standing: Standing) -> Miss:
    """Why nothing can be in force on that day, whatever is held for it."""
    library, written, on = question.library, question.written, question.on
    if standing is Standing.BEFORE_ENTRY:
        return _miss_entry(question, statute, norm)
    if standing is Standing.OUTSIDE:
        floor = find_floor(library, statute)
        return other_days.before_archive(written, norm.citation, norm.norm_id, on, floor)
    begins = find_commencement(library, statute)
    return other_days.not_yet_in_force(written, norm, begins, on)


def _miss_entry(question: LookupRequest, statute: Statute, norm: Norm) -> Miss:
    """The act is not yet in force; what a later text brought begins on a day of its own."""
    heads = question.library.store.list_fassungen(norm.norm_id)
    days = {head.in_force_from for head in heads if head.date_precision.is_in_force}
    begins = statute.in_force_from if statute.in_force_from in days else None
    return other_days.not_yet_in_force(
        question.written, norm, begins, question.on, say_entry(statute)
    )


def _miss_text(
    question: LookupRequest, statute: Statute, norm: Norm, fassung: Fassung | None
) -> Miss:
    """The norm is known, but has no text in force on that day."""
    library, written, on = question.library, question.written, question.on
    if fassung is not None and fassung.status is NormStatus.FUTURE:
        return to_come(written, norm, norm.citation, find_to_come(library, fassung), on)
    heads = library.store.list_fassungen(norm.norm_id)
    days = describe_days(library.store.manifest, statute, heads)
    begins = heads[0].in_force_from if heads else None
    if fassung is None and begins is not None and on < begins:
        if heads[0].date_precision.is_in_force:
            return other_days.not_yet_in_force(written, norm, begins, on)
        return other_days.not_seen_yet(written, norm, days[0], begins, on)
    gone = other_days.repealed(written, norm, (heads, days), library, on)
    if fassung is None:
        return gone
    return _ask_newer(question, build_hit(library, statute, norm, fassung, on), (), gone)


def _cut(question: LookupRequest, whole: ProvisionHit, path: Sequence[PathStep]) -> list[Outcome]:
    path = read_brackets(whole.norm, whole.fassung.segments, path)
    units = find_parts(whole.norm, whole.fassung, path)
    if isinstance(units, NoUnit):
        return [_ask_others(question, whole, path, _miss_unit(question, whole, path, units))]
    if whole.norm.kind not in MARKED_KINDS and (units.rest or units.split) and is_number(path):
        row = _cut_row(question, whole, path)
        if row is not None:
            return [row]
    units = _pass_over_repealed(whole, units)
    return [
        _miss_unworded(question, whole, unit) or _cut_one(whole, unit, units)
        for unit in units.found
    ]


def _miss_unworded(question: LookupRequest, whole: ProvisionHit, unit: int) -> Miss | None:
    """The miss for a part that only says of itself that it is gone, or still to come."""
    if unit < 0:
        return None
    if is_repealed(whole.fassung, unit):
        return _miss_repealed(question, whole, unit)
    if is_printed_ahead(whole.fassung, unit):
        path = get_steps(whole.fassung.segments, unit)
        return _miss_part_to_come(question, whole, path, _cite(whole, unit))
    return None


def _miss_part_to_come(
    question: LookupRequest, whole: ProvisionHit, path: Sequence[PathStep], citation: str
) -> Miss:
    known = find_part_to_come(question.library, whole.norm, whole.fassung, path)
    return to_come(question.written, whole.norm, citation, known, question.on)


def cut_anchored(question: LookupRequest, whole: ProvisionHit, anchor: str) -> Outcome:
    """The part of a norm that an anchor of its page names."""
    names = name_anchors(whole.segments)
    if anchor not in names:
        return not_parseable(question.written)
    unit = names.index(anchor)
    return _miss_unworded(question, whole, unit) or _cut_one(whole, unit, Units((unit,)))


def _miss_repealed(question: LookupRequest, whole: ProvisionHit, unit: int) -> Miss:
    """A part whose number alone is left."""
    printed = _print(whole, unit)
    miss = unit_repealed(question.written, whole.norm, _cite(whole, unit), printed)
    return _ask_others(question, whole, get_steps(whole.fassung.segments, unit), miss, printed)


def _ask_others(
    question: LookupRequest,
    whole: ProvisionHit,
    path: Sequence[PathStep],
    miss: Miss,
    printed: str = "",
) -> Miss:
    """A miss of a part, with the say of other texts: one seen next, or older ones that had it."""
    told = _ask_newer(question, whole, path, miss)
    return ask_older(question.library, whole, path, told, printed) if told.status in _FLAT else told


def _ask_newer(
    question: LookupRequest, whole: ProvisionHit, path: Sequence[PathStep], miss: Miss
) -> Miss:
    """A miss of a part; on a day between two looks the text that was seen next has its say, too."""
    gap = find_gap(question.library, whole.statute, whole.fassung, question.on)
    newer = None if gap is None else gap.newer
    if gap is None or newer is None or miss.status not in _FLAT:
        return miss
    if newer.status is NormStatus.IN_FORCE:
        later = replace(whole, fassung=newer, end=len(newer.text))
        outcomes = _cut(replace(question, on=gap.gone_on), later, path) if path else [later]
        hits = [each for each in outcomes if isinstance(each, ProvisionHit)]
        if len(hits) == len(outcomes):
            steps, law = format_steps(path), whole.statute.abbreviation
            citation = insert_path(whole.norm.citation, steps, law)
            is_marked = not any(hit.rest or hit.split for hit in hits)
            return other_days.in_newer_text(
                question.written, whole.norm, citation, gap, is_marked=is_marked
            )
    return other_days.nor_in_newer_text(miss, gap)


def _miss_unit(
    question: LookupRequest, whole: ProvisionHit, path: Sequence[PathStep], gap: NoUnit
) -> Miss:
    """Why there is no such part; of a text that was not read whole nothing is denied."""
    law = whole.statute.abbreviation
    if gap.parent >= 0 and is_bare(whole.fassung.segments, gap.parent):
        return number_alone(question.written, whole.norm, _cite(whole, gap.parent))
    if gap.parent >= 0 and is_printed_ahead(whole.fassung, gap.parent):  # its parts are, too
        citation = insert_path(whole.norm.citation, format_steps(path), law)
        return _miss_part_to_come(question, whole, path, citation)
    if (unread := _miss_unread(question, whole, path)) is not None:
        return unread
    return unit_missing(question.written, whole.norm, whole.fassung, gap, law)


def _miss_unread(
    question: LookupRequest, whole: ProvisionHit, path: Sequence[PathStep]
) -> Miss | None:
    """The miss for a part that the text of the day may well have, for it was not read whole."""
    lack = find_lack(whole.statute, question.on, whole.norm.kind)
    if lack is None:
        return None
    named = insert_path(whole.norm.citation, format_steps(path), whole.statute.abbreviation)
    return part_not_held(question.written, whole.statute, named, lack.kind)


def _pass_over_repealed(whole: ProvisionHit, units: Units) -> Units:
    """Of several parts of one name, one of which still has words."""
    kept = [one for one in units.others if not is_repealed(whole.fassung, one)]
    (first, *more) = units.found
    if more or not kept or not is_repealed(whole.fassung, first):
        return units
    return replace(units, found=(kept[0],), others=tuple(kept[1:]))


def _cut_row(
    question: LookupRequest, whole: ProvisionHit, path: Sequence[PathStep]
) -> Outcome | None:
    """The row of a table that bears the number, where no marked part does."""
    number, named = path[0].value, format_steps(path)
    rows = find_rows(whole.text, number)
    if not rows:
        counted = find_rows_short_of(whole.text, number)
        if counted is None:
            return None
        unread = _miss_unread(question, whole, path)
        missing = row_missing(question.written, whole.norm, named, counted)
        return unread or _ask_others(question, whole, path, missing)
    citation = insert_path(whole.norm.citation, named, whole.statute.abbreviation)
    hit = replace(whole, citation=citation, start=rows[0][0], end=rows[0][1])
    if len(rows) == 1:
        return hit
    places = (Place(citation, whole.norm.norm_id),)
    several = _say_several(whole, len(rows), citation)
    return replace(hit, alternatives=places, warnings=(*whole.warnings, several))


def _say_several(whole: ProvisionHit, count: int, citation: str) -> str:
    """What is to be said where nothing tells several parts apart but their words."""
    return (
        f"{count} parts are cited as {citation}, and this is the first of them; ask for"
        f" {whole.norm.citation} to read the others."
    )


def _cut_one(whole: ProvisionHit, unit: int, units: Units) -> ProvisionHit:
    segments = whole.fassung.segments
    warnings = list(whole.warnings)
    if units.rest:
        warnings.append(_say_rest(units))
    if unit >= 0 and is_bare(segments, unit):
        warnings.append(f"The publisher shows the number of {_cite(whole, unit)} alone.")
    if units.split is not None:
        warnings.append(say_split(units.split, _cite(whole, unit)))
    citation = _cite(whole, unit)
    others = [_cite(whole, other) for other in (*units.others, *units.deeper)]
    if others and others == [citation] * len(others):
        warnings.append(_say_several(whole, len(others) + 1, citation))
    elif units.others:
        warnings.append("Several parts answer to this citation; the others are in alternatives.")
    return replace(
        whole,
        citation=citation,
        start=segments[unit].start if unit >= 0 else 0,
        end=segments[unit].end if unit >= 0 else whole.end,
        unit=unit,
        rest=units.rest,
        split=units.split,
        alternatives=tuple(
            Place(other, whole.norm.norm_id) for other in list(dict.fromkeys(others))[:_MOST_OTHERS]
        ),
        warnings=tuple(warnings),
    )


def say_split(step: PathStep, citation: str) -> str:
    """What a step was read as that is not there as it is written."""
    return f"There is no {format_steps((step,))} here; it was read as {citation}."


def _say_rest(units: Units) -> str:
    """Why the text of a part above is given."""
    step = format_steps(units.rest)
    if units.deeper:
        return (
            f"{step} is not marked here; what bears that name below is in alternatives, to be"
            " cited with what it stands in. The text of the part above is given."
        )
    return (
        f"{step} is not marked in the official text and cannot be cut out;"
        " the text of the part above it is given."
    )


def _print(whole: ProvisionHit, unit: int) -> str:
    part = whole.fassung.segments[unit]
    return whole.text[part.body : part.end]


def _cite(whole: ProvisionHit, unit: int) -> str:
    path = format_steps(get_steps(whole.fassung.segments, unit))
    return insert_path(whole.norm.citation, path, whole.statute.abbreviation)
