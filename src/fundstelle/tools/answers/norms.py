"""A norm with its text, segments and provenance, as the tools that give texts show it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date
from functools import lru_cache

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import Hit
from fundstelle.lookup.excerpts import find_cut
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url, find_source
from fundstelle.lookup.units import LIST_ITEMS, find_frame, format_steps, get_steps
from fundstelle.tools.answers.decisions import build_ruling
from fundstelle.tools.answers.envelope import BYTES_PER_TOKEN, DETAILED_TOKENS
from fundstelle.tools.answers.units import (
    HASH_SCOPE,
    ShownLaw,
    ShownNorm,
    ShownProvenance,
    ShownSegment,
)

LONGEST_CITATION = 500
_NORM_BYTES = 1_150  # what stands around the text of one norm
_ENVELOPE_BYTES = 1_500
_LEAST_TEXT = 500
_ONLY = {
    "de": "There is no English text here; the German one is given.",
    "en": "There is no German text of {} here; the English one is given.",
}


def warn_of_language(hits: Sequence[Hit], language: str) -> list[str]:
    """A sentence where texts are not in the language asked for; never silently."""
    others = {hit.statute for hit in hits if hit.statute.language != language}
    if not others:
        return []
    names = sorted({statute.abbreviation for statute in others})
    held = next(iter(others)).language
    return [_ONLY.get(held, _ONLY["de"]).format(", ".join(names))]


def fit_texts(max_chars: int, default: int, norms: int) -> int:
    """Characters of text that ``norms`` may share so that the answer stays in its token budget.

    A caller who asks for more than the default gets it.
    """
    if max_chars > default:
        return max_chars
    room = DETAILED_TOKENS * BYTES_PER_TOKEN - _ENVELOPE_BYTES - norms * _NORM_BYTES
    return min(max_chars, max(room, _LEAST_TEXT))


@dataclass(slots=True)
class Details:
    """What only detailed answers hold, of all units of an answer together.

    ``room`` are the characters left for the texts of segments, which repeat those of the units:
    they at most double an answer.
    """

    room: int
    warnings: list[str] = field(default_factory=list)


def build_norm(
    hit: Hit, library: Library, offset: int, max_chars: int, details: Details | None
) -> tuple[ShownNorm, int]:
    """A unit with its text from ``offset`` on, at most ``max_chars``; and where the piece ends.

    Both offsets count from the beginning of the unit. ``details``: with segments and notes.
    """
    norm, fassung, statute = hit.norm, hit.fassung, hit.statute
    start = min(hit.start + offset, hit.end)
    if hit.ruling is not None:
        ruling, end = build_ruling(hit, hit.ruling, library, start, max_chars)
        return ruling, end - hit.start
    end = find_cut(fassung.text, fassung.segments, start, hit.end, max_chars)
    source_url = build_source_url(statute, norm)
    shown: ShownNorm = {"norm_id": norm.norm_id, "citation": hit.citation}
    if norm.title:
        shown["title"] = norm.title
    if hit.unit >= 0 and fassung.segments[hit.unit].level in LIST_ITEMS:
        _add_frame(shown, hit)
    if hit.unit >= 0 or hit.rest or not hit.is_whole:
        shown["resolved_depth"] = _name_depth(hit)
        if hit.rest:
            shown["missing_rest"] = format_steps(hit.rest)
    shown["content"] = fassung.text[start:end]
    shown["content_start"] = start
    shown["content_end"] = end
    if details is not None:
        shown["segments"] = _build_segments(hit, start, end, details)
        _add_annexed(shown, hit)
    shown["law"] = _build_law(statute, fassung.in_force_until is None)
    shown["hierarchy"] = norm.hierarchy
    shown["source_url"] = source_url
    if fassung.in_force_from is not None:
        shown["last_changed"] = fassung.in_force_from
    shown["status"] = fassung.status
    is_whole = start == 0 and end == len(fassung.text)
    shown["provenance"] = _build_provenance(hit, library.store.manifest, source_url, whole=is_whole)
    return shown, end - hit.start


def without_segments(norm: ShownNorm) -> ShownNorm:
    """The same unit where it stands in an answer for the second time."""
    again = norm.copy()
    again.pop("segments", None)
    return again


def _name_depth(hit: Hit) -> str:
    if hit.unit >= 0:
        return hit.fassung.segments[hit.unit].level
    return "section" if hit.is_whole else "row"


def _add_frame(shown: ShownNorm, hit: Hit) -> None:
    lead_in, lead_out = find_frame(hit.fassung.segments, hit.unit, hit.fassung.text)
    if lead_in:
        shown["lead_in"] = lead_in
    if lead_out:
        shown["lead_out"] = lead_out


def _add_annexed(shown: ShownNorm, hit: Hit) -> None:
    if hit.fassung.footnotes:
        shown["footnotes"] = hit.fassung.footnotes
    if hit.fassung.notes:
        shown["notes"] = hit.fassung.notes


def _build_segments(hit: Hit, start: int, end: int, details: Details) -> list[ShownSegment]:
    """The marked parts inside ``[start, end)``, as far as there is room for them."""
    text, segments = hit.fassung.text, hit.fassung.segments
    rows: list[ShownSegment] = []
    for index, segment in enumerate(segments):
        if segment.start < start or segment.end > end:
            continue
        if segment.end - segment.start > details.room:
            details.warnings.append(
                f"segments of {hit.citation} are cut; legal_lookup with offset"
                f" {max(segment.start - hit.start, 0)} gives those from there on."
            )
            break
        details.room -= segment.end - segment.start
        rows.append(
            {
                "label": format_steps(get_steps(segments, index)),
                "text": text[segment.start : segment.end],
                "start": segment.start,
                "end": segment.end,
            }
        )
    return rows


def _build_law(statute: Statute, is_current: bool) -> ShownLaw:
    return {
        "abbreviation": statute.abbreviation,
        "title": statute.title,
        "jurisdiction": statute.jurisdiction,
        "version_date": statute.stand,
        "is_current": is_current and statute.listed,
    }


def _build_provenance(
    hit: Hit, manifest: Manifest, source_url: str, *, whole: bool
) -> ShownProvenance:
    statute, fassung = hit.statute, hit.fassung
    source = find_source(manifest, statute, fassung)
    shown: ShownProvenance = {
        "source_url": source_url,
        "is_official_text": False,  # a consolidated text: only the gazette is authentic
        "version_date": fassung.stand,
        "date_precision": fassung.date_precision,
        "archive_floor": manifest.archive_floor,
        "text_sha256": fassung.text_sha256,
    }
    if source is not None:
        shown["source_name"] = source.name
        shown["retrieved_at"] = _format_instant(source)
    if statute.publication:
        shown["official_publication"] = statute.publication
    if fassung.in_force_from is not None:
        shown["valid_from"] = fassung.in_force_from
    if fassung.in_force_until is not None:
        shown["valid_to"] = fassung.in_force_until
    if not whole:
        shown["hash_scope"] = HASH_SCOPE
    return shown


@lru_cache(maxsize=64)
def _format_instant(source: SourceState) -> str:
    return source.retrieved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def describe_stand(library: Library, on: date, *, asked: bool) -> tuple[str, ...]:
    """A warning where the day asked for lies behind what the corpus has seen."""
    stand = library.store.manifest.stand
    if on <= stand or (not asked and (on - stand).days <= FRESH_DAYS):
        return ()
    return (_warn_of_stand(stand, on),)


FRESH_DAYS = 7  # a corpus this young needs no warning when today is meant


@lru_cache(maxsize=256)
def _warn_of_stand(stand: date, on: date) -> str:
    return (
        f"The corpus speaks for {stand.isoformat()} (Stand); changes between then and"
        f" {on.isoformat()} are not in it."
    )
