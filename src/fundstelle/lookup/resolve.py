"""From a written reference and a day to the exact words, or to the miss."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    GazetteCitation,
    NormCitation,
    PathStep,
    Target,
)
from fundstelle.law.identifiers import build_norm_id, to_id
from fundstelle.law.norms import Fassung, Level, Norm, NormKind, NormStatus, Statute
from fundstelle.lookup import misses
from fundstelle.lookup.answers import Hit, LawHit, Miss, Outcome, Place, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.spans import list_span
from fundstelle.lookup.units import NoUnit, Units, find_units, format_steps, get_steps
from fundstelle.lookup.written import Reading, find_statute, read

MOST_TARGETS = 20

_COMPLETE_KINDS = (NormKind.SECTION, NormKind.ARTICLE)


def resolve(library: Library, written: str, on: date) -> Resolution:
    """Every unit that ``written`` means, as it stood on ``on``.

    A day named by the citation itself ("in der am … geltenden Fassung") goes before ``on``.
    """
    written = written.strip()
    norm = library.store.find_norm(written) if written.startswith(("de/", "eu/")) else None
    if norm is not None:
        statute = library.store.statutes[norm.statute_id]
        outcome = _resolve_norm(library, written, statute, norm, (), on)
        return Resolution(written, (), (outcome,), 1, on)
    reading = read(written, library)
    if isinstance(reading, Miss):
        return Resolution(written, (), (reading,), 1, on)
    return _resolve_reading(library, written, reading, on)


def _resolve_reading(library: Library, written: str, reading: Reading, on: date) -> Resolution:
    outcomes: list[Outcome] = []
    notes: list[str] = list(reading.normalised)
    total = 0
    day = on
    for target in reading.targets:
        day = _read_day(target) or on
        found = _resolve_target(library, written, target, day)
        total += found.total
        outcomes += found.outcomes[: MOST_TARGETS - len(outcomes)]
        notes += found.notes
    warnings = []
    if total > len(outcomes):
        warnings.append(
            f"{written} means {total} provisions; the first {len(outcomes)} are given."
            " Ask for the rest separately."
        )
    return Resolution(
        written,
        reading.targets,
        tuple(outcomes),
        total,
        day,
        tuple(dict.fromkeys(notes)),
        tuple(warnings),
    )


class _Found:
    """What one target comes to; ``total`` counts also what the cap leaves out."""

    __slots__ = ("notes", "outcomes", "total")

    def __init__(
        self, outcomes: Sequence[Outcome], total: int | None = None, notes: Sequence[str] = ()
    ) -> None:
        self.outcomes = outcomes
        self.total = len(outcomes) if total is None else total
        self.notes = notes


def _resolve_target(library: Library, written: str, target: Target, on: date) -> _Found:
    if isinstance(target, NormCitation):
        return _resolve_german(library, written, target, on)
    if isinstance(target, EuCitation):
        return _resolve_eu(library, written, target, on)
    if isinstance(target, DecisionCitation):
        return _Found([misses.decision_not_held(written, target)])
    return _Found([_resolve_gazette(library, written, target)])


def _resolve_german(library: Library, written: str, target: NormCitation, on: date) -> _Found:
    statute = find_statute(library, written, target)
    if isinstance(statute, Miss):
        return _Found([statute])
    if target.number is None and target.unit is None:
        return _Found([LawHit(statute, _warn_of_law(statute))])
    number, path, unit = _split(target)
    if target.number_end or target.follow:
        return _resolve_span(library, written, target, statute, number, on)
    norm = library.store.find_norm(build_norm_id(statute.statute_id, number))
    if norm is None:
        citation = _format_missing(statute, target, unit)
        return _Found([_miss_norm(library, written, statute, number, citation, on)])
    notes = _note_range_norm(norm, number, statute)
    if target.version in {"aF", "nF"}:
        heads = library.store.list_fassungen(norm.norm_id)
        if target.version == "aF":
            return _Found([misses.older_version(written, norm, heads, library)])
    outcomes = _resolve_units(library, written, statute, norm, path, on)
    return _Found(outcomes[:MOST_TARGETS], len(outcomes), notes)


def _resolve_eu(library: Library, written: str, target: EuCitation, on: date) -> _Found:
    """EU acts have the same shape: ``eu/32016R0679/art_6``."""
    statute = library.store.statutes.get(f"eu/{target.celex}")
    if statute is None:
        return _Found([misses.eu_not_held(written, target, library)])
    if target.number is None and target.unit is None:
        return _Found([LawHit(statute, _warn_of_law(statute))])
    names = {"art": "art", "erwg": "recital", "anhang": "annex"}
    kind = names.get((target.unit or "art").lower(), "art")
    number = f"{kind}_{(target.number or '').lower()}"
    norm = library.store.find_norm(f"{statute.statute_id}/{number}")
    if norm is None:
        citation = _format_missing(statute, target, target.unit)
        return _Found([_miss_norm(library, written, statute, number, citation, on)])
    outcomes = _resolve_units(library, written, statute, norm, target.path, on)
    return _Found(outcomes[:MOST_TARGETS], len(outcomes))


def _resolve_gazette(library: Library, written: str, target: GazetteCitation) -> Outcome:
    wanted = to_id(" ".join(filter(None, (target.gazette, target.part, target.year, target.page))))
    statutes = [
        statute
        for statute in library.store.statutes.values()
        if statute.publication
        and to_id(statute.publication.replace(" S. ", " ").replace(" Nr. ", " ")) == wanted
    ]
    if len(statutes) == 1:
        return LawHit(statutes[0], _warn_of_law(statutes[0]))
    if statutes:
        return misses.several_laws(written, written, statutes, None)
    return misses.gazette_not_held(written, target)


def _resolve_span(
    library: Library, written: str, target: NormCitation, statute: Statute, number: str, on: date
) -> _Found:
    norms, total = list_span(library.store, statute.statute_id, number, target, MOST_TARGETS)
    if not norms:
        citation = _format_missing(statute, replace(target, path=()), target.unit)
        return _Found([_miss_norm(library, written, statute, number, citation, on)])
    outcomes = [_resolve_norm(library, written, statute, norm, (), on) for norm in norms]
    return _Found(outcomes, total)


def _resolve_norm(
    library: Library,
    written: str,
    statute: Statute,
    norm: Norm,
    path: Sequence[PathStep],
    on: date,
) -> Outcome:
    return _resolve_units(library, written, statute, norm, path, on)[0]


def _resolve_units(
    library: Library,
    written: str,
    statute: Statute,
    norm: Norm,
    path: Sequence[PathStep],
    on: date,
) -> list[Outcome]:
    store = library.store
    fassung = store.find_fassung(norm.norm_id, on)
    if not _speaks_for(library, fassung, on):
        return [misses.before_archive(written, norm.citation, norm.norm_id, on, library)]
    if fassung is None:
        return [_miss_day(library, written, norm, on)]
    if fassung.status is NormStatus.REPEALED:
        heads = store.list_fassungen(norm.norm_id)
        return [misses.repealed(written, norm, heads, library, on)]
    if fassung.status is NormStatus.FUTURE:
        return [misses.not_yet_in_force(written, norm, None, on)]
    warnings = _warn_of_law(statute)
    if fassung.in_force_until is not None and on > fassung.stand:
        warnings += (
            f"This is the text of {fassung.stand.isoformat()}; a different one was seen on"
            f" {fassung.in_force_until.isoformat()}, and on which day between it changed is not"
            " known here.",
        )
    whole = Hit(statute, norm, fassung, norm.citation, 0, len(fassung.text), warnings=warnings)
    return _cut(written, whole, path) if path else [whole]


def speaks_for(library: Library, norm_id: str, on: date) -> bool:
    """Whether the corpus knows what a norm said on that day."""
    return _speaks_for(library, library.store.find_fassung(norm_id, on), on)


def _speaks_for(library: Library, fassung: Fassung | None, on: date) -> bool:
    if on >= library.store.manifest.archive_floor:
        return True
    return fassung is not None and fassung.in_force_from is not None


def _cut(written: str, whole: Hit, path: Sequence[PathStep]) -> list[Outcome]:
    """The units of one text that the path names."""
    segments = whole.fassung.segments
    complete = whole.norm.kind in _COMPLETE_KINDS
    units = find_units(segments, path, complete=complete)
    law = whole.statute.abbreviation
    if isinstance(units, NoUnit):
        return [misses.unit_missing(written, whole.norm, whole.fassung, units, law)]
    return [_cut_one(whole, unit, units) for unit in units.found]


def _cut_one(whole: Hit, unit: int, units: Units) -> Hit:
    segments = whole.fassung.segments
    law = whole.statute.abbreviation
    warnings = list(whole.warnings)
    if units.rest:
        warnings.append(
            f"{format_steps(units.rest)} is not marked in the official text and cannot be cut out;"
            " the text of the part above it is given."
        )
    places = tuple(
        Place(
            misses.insert_path(whole.norm.citation, format_steps(get_steps(segments, o)), law),
            whole.norm.norm_id,
        )
        for o in units.others
    )
    if places:
        warnings.append("Several parts answer to this citation; the others are in alternatives.")
    if unit < 0:
        return replace(
            whole, rest=units.rest, alternatives=places, warnings=tuple(warnings)
        )
    return replace(
        whole,
        citation=misses.insert_path(
            whole.norm.citation, format_steps(get_steps(segments, unit)), law
        ),
        start=segments[unit].start,
        end=segments[unit].end,
        unit=unit,
        rest=units.rest,
        alternatives=places,
        warnings=tuple(warnings),
    )


def _miss_day(library: Library, written: str, norm: Norm, on: date) -> Miss:
    """The norm has texts, but none for that day."""
    heads = library.store.list_fassungen(norm.norm_id)
    begins = heads[0].in_force_from if heads else None
    if begins is not None and on < begins:
        return misses.not_yet_in_force(written, norm, begins, on)
    return misses.repealed(written, norm, heads, library, on)


def _miss_norm(
    library: Library, written: str, statute: Statute, number: str, citation: str, on: date
) -> Miss:
    if on < library.store.manifest.archive_floor:
        return misses.before_archive(written, citation, None, on, library)
    return misses.norm_missing(written, statute, number, citation, library)


def _split(target: NormCitation) -> tuple[str, tuple[PathStep, ...], str | None]:
    """Number as in the id, path below it, unit: Art. 229 § 5 is number ``229/5``."""
    number = target.number or ""
    unit = target.unit
    path = target.path
    if unit and unit not in {"§", "Art"}:
        number = to_id(f"{unit} {number}")
    if path and path[0].level == Level.SECTION:
        number = f"{number}/{path[0].value}"
        path = path[1:]
    return number, path, unit


def _format_missing(statute: Statute, target: NormCitation | EuCitation, unit: str | None) -> str:
    sign = {"Art": "Art.", None: "§"}.get(unit, unit)
    nested = [step for step in target.path if step.level == Level.SECTION]
    parts = (sign, target.number, format_steps(nested), statute.abbreviation)
    return " ".join(part for part in parts if part)


def _note_range_norm(norm: Norm, number: str, statute: Statute) -> list[str]:
    if norm.number_end is None or norm.number == to_id(number):
        return []
    return [f"§ {number} {statute.abbreviation} is part of {norm.citation}"]


def _warn_of_law(statute: Statute) -> tuple[str, ...]:
    if statute.listed:
        return ()
    return (
        f"{statute.abbreviation} has been removed from the publisher's table of contents; it is"
        " probably no longer in force.",
    )


def _read_day(target: Target) -> date | None:
    version = getattr(target, "version", None)
    if not version or not version.startswith("asof:"):
        return None
    try:
        return date.fromisoformat(version[5:])
    except ValueError:
        return None
