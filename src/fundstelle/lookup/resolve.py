"""From a written reference and a day to the exact words, or to the miss."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    FoundCitation,
    GazetteCitation,
    NormCitation,
    PathStep,
    ReporterCitation,
    Target,
)
from fundstelle.law.identifiers import is_id, to_id
from fundstelle.law.norms import Level, Norm, NormKind, Statute
from fundstelle.lookup.answers import DecisionHit, Hit, LawHit, Miss, Outcome, Resolution
from fundstelle.lookup.decisions.contradictions import list_contradictions
from fundstelle.lookup.decisions.pages import drop_same, resolve_page
from fundstelle.lookup.decisions.texts import find_as_printed, find_by_id, resolve_decision
from fundstelle.lookup.in_time import choose_edition, choose_text, write_eu_id
from fundstelle.lookup.labels import is_cited_so, prefer_printed
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import laws as law_misses
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.misses.editions import older_law, several_sections
from fundstelle.lookup.misses.norms import format_missing, miss_norm
from fundstelle.lookup.misses.unread import miss_unread
from fundstelle.lookup.reading.laws import find_german_namesake, find_namesakes, suggest_namesakes
from fundstelle.lookup.reading.numbers import KINDS, find_numbered, list_nested, read_sign
from fundstelle.lookup.reading.own_words import is_own, names_another
from fundstelle.lookup.reading.spans import list_between, list_span
from fundstelle.lookup.reading.written import Reading, read
from fundstelle.lookup.reading.years import bears, read_year
from fundstelle.lookup.successors import add_successors
from fundstelle.lookup.texts import LookupRequest, read_norm, read_same, read_units, warn_of_law

MOST_TARGETS = 20

_NUMBERED = (NormKind.SECTION, NormKind.ARTICLE)
_SPLIT_LETTER = re.compile(r"\d\s+f\b")


@dataclass(frozen=True, slots=True)
class _Found:
    """What one target comes to; ``beyond`` counts what the cap leaves out.

    ``on`` is the day that the citation itself asks for.
    """

    outcomes: Sequence[Outcome]
    beyond: int = 0
    notes: Sequence[str] = ()
    on: date | None = None


def resolve(library: Library, written: str, on: date, language: str = "de") -> Resolution:
    """Every unit that ``written`` means, as it stood on ``on``.

    A day named by the citation itself ("in der am … geltenden Fassung") goes before ``on``.
    """
    written = written.strip()
    has_id = is_id(written)
    norm = library.store.find_norm(written) if has_id else None
    if norm is not None:
        statute = library.store.statutes[norm.statute_id]
        outcome = read_norm(LookupRequest(library, written, on, language), statute, norm)
        outcome = misses.add_age(outcome, library, statute)
        return Resolution(written, (), (outcome,), 1, on)
    decision = find_by_id(library, written) if has_id else None
    if decision is not None:
        return Resolution(written, (), (decision,), 1, on)
    reading = read(written, library)
    question = LookupRequest(library, written, on, language)
    resolution = (
        Resolution(written, (), (reading,), 1, on)
        if isinstance(reading, Miss)
        else _resolve_reading(question, reading)
    )
    if is_cited_so(resolution):
        return resolution
    if len(resolution.outcomes) > 1 or isinstance(resolution.outcomes[0], Miss):
        printed = find_as_printed(library, written)
        if printed:
            return Resolution(written, (), tuple(printed), len(printed), on)
    return prefer_printed(question, resolution)


def resolve_found(
    library: Library, found: FoundCitation, on: date, language: str = "de"
) -> Resolution:
    """Every unit that a citation in a text means.

    As ``resolve`` takes its words alone, unless the text around says more of them: which law or
    which court is meant.
    """
    alone = read(found.text, library)
    if isinstance(alone, Reading) and alone.targets == found.targets:
        return resolve(library, found.text, on, language)
    question = LookupRequest(library, found.text, on, language)
    return _resolve_reading(question, Reading(found.targets, found.normalised))


def resolve_target(library: Library, target: Target, written: str, on: date) -> Sequence[Outcome]:
    """What one citation found in a text comes to; ``written`` are its words there."""
    return _resolve_target(LookupRequest(library, written, on), target, Reading((target,))).outcomes


def _resolve_reading(question: LookupRequest, reading: Reading) -> Resolution:
    outcomes: list[Outcome] = []
    notes = list(reading.normalised)
    total = unread = 0
    on = question.on
    for number, target in enumerate(reading.targets):
        if len(outcomes) == MOST_TARGETS:  # what comes of the others would not be shown
            unread = len(reading.targets) - number
            break
        day = _read_day(target)
        on = day or on
        asked = question if day is None else replace(question, on=day)
        found = _resolve_target(asked, target, reading)
        on = found.on or on
        fresh = found.outcomes
        if isinstance(target, ReporterCitation):
            fresh = drop_same(outcomes, fresh)
        total += len(fresh) + found.beyond
        outcomes += fresh[: MOST_TARGETS - len(outcomes)]
        notes += found.notes
    left = _list_unread(question.library, reading, outcomes)
    if left:
        unread_misses = tuple(miss_unread(question.written, left, outcomes))
        normalised = tuple(dict.fromkeys(notes))
        return Resolution(
            question.written, reading.targets, unread_misses, len(unread_misses), on, normalised
        )
    warnings: tuple[str, ...] = ()
    total += unread
    if total > len(outcomes):
        left_out = (
            f"{'At least ' if unread else ''}{total} provisions are meant; the first"
            f" {len(outcomes)} are given. Ask for the rest separately."
        )
        warnings = (left_out,)
    return Resolution(
        question.written,
        reading.targets,
        tuple(outcomes),
        total,
        on,
        tuple(dict.fromkeys(notes)),
        warnings,
    )


def _list_unread(library: Library, reading: Reading, outcomes: Sequence[Outcome]) -> list[str]:
    """The parts of a reference that are in no target and no name of what was found."""
    found = [outcome for outcome in outcomes if not isinstance(outcome, Miss)]
    return [
        piece
        for piece in reading.unparsed
        if not any(
            is_own(piece, one) and not names_another(piece, one, library.names) for one in found
        )
    ]


def _resolve_target(question: LookupRequest, target: Target, reading: Reading) -> _Found:
    if isinstance(target, NormCitation):
        return _resolve_german(question, target, reading.statute)
    if isinstance(target, EuCitation):
        return _resolve_eu(question, target)
    if isinstance(target, DecisionCitation):
        found = resolve_decision(question.library, question.written, target)
        doubted = [
            misses.add_doubts(one, reading.normalised) if isinstance(one, Miss) else one
            for one in found
        ]
        told = _compare_decision(question.written, target, reading, found)
        return _Found(doubted, notes=told)
    if isinstance(target, GazetteCitation):
        return _Found([_resolve_gazette(question, target)])
    if isinstance(target, ReporterCitation):
        pages, notes = resolve_page(question.library, question.written, target)
        return _Found(pages, notes=notes)
    return _Found([misses.document_not_held(question.written)])


def _compare_decision(
    written: str, target: DecisionCitation, reading: Reading, found: Sequence[Outcome]
) -> list[str]:
    """What is said of the one decision that is cited, and is not so."""
    if sum(isinstance(one, DecisionCitation) for one in reading.targets) > 1:
        return []  # which of them a day or a court is said of cannot be told
    held = {one.decision.decision_id: one.decision for one in found if isinstance(one, DecisionHit)}
    return [
        note
        for decision in held.values()
        for note in list_contradictions(written, target, decision)
    ]


def _resolve_german(
    question: LookupRequest, target: NormCitation, statute: Statute | None
) -> _Found:
    namesakes = (
        find_namesakes(question.library, question.written, target, question.on)
        if statute is None
        else [statute]
    )
    if isinstance(namesakes, Miss):
        return _Found([add_successors(namesakes, question.library, None, target)])
    found = _resolve_in_time(namesakes[0], question, target)
    aged = [
        add_successors(
            misses.add_age(one, question.library, namesakes[0]),
            question.library,
            namesakes[0],
            target,
        )
        for one in found.outcomes
    ]
    found = replace(found, outcomes=aged)
    others = namesakes[1:]
    if not others:
        return found
    outcomes = [suggest_namesakes(one, question.library, target, others) for one in found.outcomes]
    listed = [statute.abbreviation for statute in others if statute.listed]
    notes = found.notes
    if target.law in listed:  # it had the name before a law of today
        day, then = question.on.isoformat(), namesakes[0].abbreviation
        notes = (*notes, f"{target.law} is another law today; on {day} it was {then}")
    elif listed:
        notes = (*notes, f"{target.law} can also mean {', '.join(listed)}")
    return replace(found, outcomes=outcomes, notes=notes)


def _resolve_in_time(statute: Statute, question: LookupRequest, target: NormCitation) -> _Found:
    """As ``_resolve_in``; a year behind the law names its edition, or the time asked about."""
    year = read_year(target.version)
    if year is None or bears(statute, year):
        return _resolve_in(statute, question, target)
    store, number = question.library.store, target.number
    norm = find_numbered(store, statute.statute_id, number, target.unit) if number else None
    told = choose_text(question, statute, f"{target.law} {year}", norm, year)
    if isinstance(told, Miss):
        return _Found([told])
    return replace(_resolve_in(statute, replace(question, on=told), target), on=told)


def _resolve_in(statute: Statute, question: LookupRequest, target: NormCitation) -> _Found:
    store = question.library.store
    if target.number is None and target.unit is None:
        if target.version == "aF":
            return _Found([older_law(question.written, statute)])
        return _Found([LawHit(statute, warn_of_law(question.library, statute))])
    number, path = _split(target)
    if target.number_end or target.follow:
        return _resolve_span(question, target, statute, number)
    norm = find_numbered(store, statute.statute_id, number, target.unit)
    other = _resolve_nested(question, statute, target, norm) or (
        _reread(question, target) if norm is None else None
    )
    if other is not None or norm is None:
        return other or _Found([miss_norm(question, target, statute, number)])
    if target.version == "aF":
        return _Found([_miss_older(question, norm)])
    outcomes = read_same(question, statute, norm, path, target.unit or "")
    return _cap(outcomes, _note_reading(question.library, norm, target, number, statute))


def _resolve_nested(
    question: LookupRequest, statute: Statute, target: NormCitation, norm: Norm | None
) -> _Found | None:
    """``§ 16`` of a law whose §§ stand below Artikel: the only one, or those that can be meant."""
    number, path = _split(target)
    # of a law known for its Artikel "§ 5" was read as a slip
    is_section = "§" in question.written and "Art" not in question.written
    if not is_section or "/" in number or (norm is not None and read_sign(norm) != "Art"):
        return None
    nested = list_nested(question.library.store, statute.statute_id, number)
    norms = [norm, *nested] if norm is not None else nested
    if not nested:
        return None
    if len(norms) > 1:
        return _Found([several_sections(question.written, statute, norms)])
    found = _cap(read_same(question, statute, norms[0], path, "§"))
    return replace(found, notes=(f"read as {norms[0].citation}",))


def _miss_older(question: LookupRequest, norm: Norm) -> Miss:
    heads = question.library.store.list_fassungen(norm.norm_id)
    return misses.older_version(question.written, norm, heads, question.library)


def _resolve_eu(question: LookupRequest, target: EuCitation) -> _Found:
    """EU acts have the same shape: ``eu/32016R0679/art_6``."""
    namesake = find_german_namesake(question.library, question.written, target)
    if namesake is not None:
        wanted = NormCitation(namesake.abbreviation, "§", target.number, path=target.path)
        note = f"the German {namesake.abbreviation} has §§, the EU act of that name has articles"
        found = _resolve_in(namesake, question, wanted)
        return replace(found, notes=(*found.notes, note))
    statute = find_edition(question, target.celex)
    if statute is None:
        return _Found([misses.eu_not_held(question.written, target, question.library)])
    told = choose_edition(question, statute, target)
    if isinstance(told, Miss):
        return _Found([told])
    asked = question if told is None else replace(question, on=told)
    found = (
        _Found([LawHit(statute, warn_of_law(question.library, statute))])
        if target.number is None and target.unit is None
        else _resolve_in_act(asked, statute, target)
    )
    return found if told is None else replace(found, on=told)


def _resolve_in_act(question: LookupRequest, statute: Statute, target: EuCitation) -> _Found:
    store = question.library.store
    norm_id = write_eu_id(statute, target)
    number = norm_id.rpartition("/")[2]
    unit = number.partition("_")[0]
    norm = store.find_norm(norm_id)
    if norm is None:
        return _Found([miss_norm(question, target, statute, number)])
    if target.number_end or target.follow:
        end = store.find_norm(f"{statute.statute_id}/{unit}_{(target.number_end or '').lower()}")
        if target.number_end and end is None:
            beyond = replace(target, number=target.number_end, number_end=None, path=())
            return _Found([miss_norm(question, beyond, statute, f"{unit}_{target.number_end}")])
        return _read_span(question, statute, target, list_between(store, norm, end, MOST_TARGETS))
    if target.version == "aF":
        return _Found([_miss_older(question, norm)])
    return _cap(read_units(question, statute, norm, target.path))


def find_edition(question: LookupRequest, celex: str) -> Statute | None:
    """An EU act in the language wanted, else in the one that is held."""
    statutes = question.library.store.statutes
    other = statutes.get(f"eu/{celex}:{question.language}")
    return other or statutes.get(f"eu/{celex}")


def _resolve_span(
    question: LookupRequest, target: NormCitation, statute: Statute, number: str
) -> _Found:
    store = question.library.store
    span = list_span(store, statute.statute_id, number, target, MOST_TARGETS)
    if not span[0]:
        bare = replace(target, path=(), number_end=None, follow=None)
        return _Found([miss_norm(question, bare, statute, number)])
    return _read_span(question, statute, target, span)


def _read_span(
    question: LookupRequest,
    statute: Statute,
    target: NormCitation | EuCitation,
    span: tuple[list[Norm], int],
) -> _Found:
    """Every provision of a range; a path belongs to its last: §§ 823 bis 826 Abs. 1."""
    norms, total = span
    outcomes = [read_norm(question, statute, norm) for norm in norms]
    if target.path and total == len(norms):
        outcomes[-1:] = read_units(question, statute, norms[-1], target.path)
    return _Found(outcomes, total - len(norms))


def _resolve_gazette(question: LookupRequest, target: GazetteCitation) -> Outcome:
    statutes = question.library.published.find(target)
    if len(statutes) == 1:
        return LawHit(statutes[0], warn_of_law(question.library, statutes[0]))
    if statutes:
        return law_misses.several_laws(question.written, question.written, statutes)
    return misses.gazette_not_held(question.written, target)


def _cap(outcomes: Sequence[Outcome], notes: Sequence[str] = ()) -> _Found:
    return _Found(outcomes[:MOST_TARGETS], max(0, len(outcomes) - MOST_TARGETS), notes)


def _split(target: NormCitation) -> tuple[str, tuple[PathStep, ...]]:
    """The number as in the id and the path below it: Art. 229 § 5 is number ``229/5``."""
    number, path = target.number or "", target.path
    if target.unit and target.unit not in {"§", "Art"}:
        number = to_id(f"{target.unit} {number}")
    if path and path[0].level == Level.SECTION:
        return f"{number}/{path[0].value}", path[1:]
    return number, path


def _reread(question: LookupRequest, target: NormCitation) -> _Found | None:
    """``§ 7 f BGB``: the following section is meant where there is no § 7f."""
    number = target.number or ""
    if not number.endswith("f") or not _SPLIT_LETTER.search(question.written):
        return None
    found = _resolve_german(question, replace(target, number=number[:-1], follow="f"), None)
    if not any(isinstance(outcome, Hit) for outcome in found.outcomes):
        return None
    note = f"read as § {number[:-1]} and the following, since there is no § {number}"
    return replace(found, notes=(*found.notes, note))


def _note_reading(
    library: Library, norm: Norm, target: NormCitation, number: str, statute: Statute
) -> tuple[str, ...]:
    """What was corrected: the sign that the law does not use, the range a section lies in."""
    if norm.number_end is not None and norm.number != to_id(number):
        return (f"{format_missing(library, statute, target)} is part of {norm.citation}",)
    if target.unit == "Anlage" and norm.number != number:
        return (f"{statute.abbreviation} has {norm.label}",)
    used = read_sign(norm)
    if target.unit not in KINDS or used is None or target.unit == used:
        return ()
    return (f"{statute.abbreviation} has {used}, not {target.unit}",)


def _read_day(target: Target) -> date | None:
    version = getattr(target, "version", None)
    if not version or not version.startswith("asof:"):
        return None
    try:
        return date.fromisoformat(version[5:])
    except ValueError:
        return None
