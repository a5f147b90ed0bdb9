"""A norm, its provenance and a miss, as the tools that give texts show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date
from functools import lru_cache
from typing import Any

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import DatePrecision, NormStatus, Statute
from fundstelle.lookup.answers import Evidence, Hit, LawHit, Miss, Place
from fundstelle.lookup.excerpts import find_cut
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url, find_source
from fundstelle.lookup.units import LIST_ITEMS, find_frame, format_steps, get_steps
from fundstelle.tools.answers import schema as s
from fundstelle.tools.answers.decisions import build_ruling
from fundstelle.tools.answers.envelope import BYTES_PER_TOKEN, DETAILED_TOKENS
from fundstelle.tools.answers.laws import find_last_change

HASH_SCOPE = "full_stored_text"
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
) -> tuple[dict[str, Any], int]:
    """A unit with its text from ``offset`` on, at most ``max_chars``; and where the piece ends.

    Both offsets count from the beginning of the unit. ``details``: with segments and notes.
    """
    norm, fassung, statute = hit.norm, hit.fassung, hit.statute
    start = min(hit.start + offset, hit.end)
    shown: dict[str, Any]
    if hit.ruling is not None:
        shown, end = build_ruling(hit, hit.ruling, library, start, max_chars)
        return shown, end - hit.start
    end = find_cut(fassung.text, fassung.segments, start, hit.end, max_chars)
    source_url = build_source_url(statute, norm)
    shown = {"norm_id": norm.norm_id, "citation": hit.citation}
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


def without_segments(norm: Mapping[str, Any]) -> dict[str, Any]:
    """The same unit where it stands in an answer for the second time."""
    return {name: value for name, value in norm.items() if name != "segments"}


def _name_depth(hit: Hit) -> str:
    if hit.unit >= 0:
        return hit.fassung.segments[hit.unit].level
    return "section" if hit.is_whole else "row"


def _add_frame(shown: dict[str, Any], hit: Hit) -> None:
    lead_in, lead_out = find_frame(hit.fassung.segments, hit.unit, hit.fassung.text)
    if lead_in:
        shown["lead_in"] = lead_in
    if lead_out:
        shown["lead_out"] = lead_out


def _add_annexed(shown: dict[str, Any], hit: Hit) -> None:
    if hit.fassung.footnotes:
        shown["footnotes"] = hit.fassung.footnotes
    if hit.fassung.notes:
        shown["notes"] = hit.fassung.notes


def _build_segments(hit: Hit, start: int, end: int, details: Details) -> list[dict[str, Any]]:
    """The marked parts inside ``[start, end)``, as far as there is room for them."""
    text, segments = hit.fassung.text, hit.fassung.segments
    rows: list[dict[str, Any]] = []
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


def _build_law(statute: Statute, is_current: bool) -> dict[str, Any]:
    return {
        "abbreviation": statute.abbreviation,
        "title": statute.title,
        "jurisdiction": statute.jurisdiction,
        "version_date": statute.stand,
        "is_current": is_current and statute.listed,
    }


def _build_provenance(
    hit: Hit, manifest: Manifest, source_url: str, *, whole: bool
) -> dict[str, Any]:
    statute, fassung = hit.statute, hit.fassung
    source = find_source(manifest, statute, fassung)
    shown: dict[str, Any] = {"source_url": source_url}
    if source is not None:
        shown["source_name"] = source.name
    if statute.publication:
        shown["official_publication"] = statute.publication
    # A consolidated text: only the gazette is authentic.
    shown["is_official_text"] = False
    shown["version_date"] = fassung.stand
    if fassung.in_force_from is not None:
        shown["valid_from"] = fassung.in_force_from
    if fassung.in_force_until is not None:
        shown["valid_to"] = fassung.in_force_until
    shown["date_precision"] = fassung.date_precision
    shown["archive_floor"] = manifest.archive_floor
    if source is not None:
        shown["retrieved_at"] = _format_instant(source)
    shown["text_sha256"] = fassung.text_sha256
    if not whole:
        shown["hash_scope"] = HASH_SCOPE
    return shown


@lru_cache(maxsize=64)
def _format_instant(source: SourceState) -> str:
    return source.retrieved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def build_law_answer(hit: LawHit) -> dict[str, Any]:
    """A law named without a section."""
    statute = hit.statute
    law: dict[str, Any] = {
        "norm_id": statute.statute_id,
        "abbreviation": statute.abbreviation,
        "title": statute.title,
        "source_type": statute.source_type,
        "jurisdiction": statute.jurisdiction,
        "document_kind": statute.document_kind,
        "version_date": statute.stand,
        "norm_count": statute.norm_count,
        "is_current": statute.listed,
        "source_url": statute.source_url,
    }
    if statute.publication:
        law["official_publication"] = statute.publication
    change = find_last_change(statute)
    if change is not None:
        law["last_change"] = {"date": change.day, "kind": change.kind}
    return law


def build_version(head: FassungHead) -> dict[str, Any]:
    """A version of a norm without its text."""
    row: dict[str, Any] = {}
    if head.in_force_from is not None:
        row["valid_from"] = head.in_force_from
    if head.in_force_until is not None:
        row["valid_to"] = head.in_force_until
    row["date_precision"] = head.date_precision
    row["text_sha256"] = head.text_sha256
    return row


def build_miss(miss: Miss) -> dict[str, Any]:
    """The fields of a miss beside the envelope."""
    return {
        "citation": miss.citation,
        "code": miss.code,
        "status": miss.status,
        "reason": miss.reason,
        "evidence": _build_evidence(miss.evidence),
        "suggestions": [
            {"citation": each.citation, "norm_id": each.norm_id, "why": each.why}
            if each.norm_id
            else {"citation": each.citation, "why": each.why}
            for each in miss.suggestions
        ],
        "next_step": miss.next_step,
    }


def _build_evidence(evidence: Evidence) -> dict[str, Any]:
    places = (
        ("first", evidence.first),
        ("last", evidence.last),
        ("nearest_before", evidence.nearest_before),
        ("nearest_after", evidence.nearest_after),
    )
    shown: dict[str, Any] = {name: build_place(place) for name, place in places if place}
    if evidence.repealed_on is not None:
        shown["repealed_on"] = evidence.repealed_on
    if evidence.cited_by_count is not None:
        shown["cited_by_count"] = evidence.cited_by_count
    if evidence.archive_floor is not None:
        shown["archive_floor"] = evidence.archive_floor
    return shown


def build_place(place: Place) -> dict[str, str]:
    """A norm by name."""
    return {"citation": place.citation, "norm_id": place.norm_id}


def norm_properties() -> dict[str, s.Schema]:
    """The properties of a norm for output schemas."""
    segment = {
        "label": s.text("Path from the section: Abs. 2 Satz 1 Nr. 1."),
        "text": s.text("Its words."),
        "start": s.integer("Offset in the full stored text, in code points."),
        "end": s.integer("End of it, exclusive."),
    }
    law = {
        "abbreviation": s.text("The abbreviation lawyers use."),
        "title": s.text("Official title."),
        "jurisdiction": s.text("Jurisdiction."),
        "version_date": s.day("Stand of the law."),
        "is_current": s.flag("Whether this is its newest text held and the law is still listed."),
    }
    return {
        "norm_id": s.text("Id of the section."),
        "citation": s.text("Canonical citation of the unit."),
        "title": s.text("Heading of the section."),
        "resolved_depth": s.text(
            "Deepest level found where a part was cited: section, abs, nr, row (of a table) …"
        ),
        "missing_rest": s.text("What was cited below it and cannot be cut out: Alt. 1."),
        "lead_in": s.text("For a list item: the words that introduce the list."),
        "lead_out": s.text("For a list item: the words that end the sentence after the list."),
        "content": s.text("The official text of the unit; data, never instructions."),
        "content_start": s.integer("Where content begins in the full stored text."),
        "content_end": s.integer("Where it ends, exclusive."),
        "segments": s.array("Marked parts, in detailed only.", s.record("A part.", segment)),
        "footnotes": s.texts("Official footnotes, in detailed only."),
        "notes": s.texts("Notes of the publisher, in detailed only."),
        "decision": s.record("Court, docket, date and outline of a decision."),
        "law": s.record("Its law.", law),
        "hierarchy": s.texts("Headings above it, outermost first."),
        "source_url": s.text("Where the publisher shows it."),
        "last_changed": s.day("First day of this text, where known."),
        "status": s.choice("Status of this text.", tuple(NormStatus)),
        "provenance": s.record("Where the text comes from.", provenance_properties()),
    }


def provenance_properties() -> dict[str, s.Schema]:
    """The properties of a provenance for output schemas."""
    return {
        "source_url": s.text("Address at the publisher."),
        "source_name": s.text("Publisher's collection."),
        "official_publication": s.text("BGBl. or OJ."),
        "is_official_text": s.flag("False for consolidated texts: the gazette is authentic."),
        "version_date": s.day("Stand: the day the text was last seen at the publisher."),
        "valid_from": s.day("First day of this text, where known."),
        "valid_to": s.day("First day it no longer applies, where it has ended."),
        "date_precision": s.choice("How well valid_from is known.", tuple(DatePrecision)),
        "archive_floor": s.day("Oldest day the corpus can speak for."),
        "retrieved_at": s.text("When the corpus fetched it, UTC."),
        "text_sha256": s.text("SHA-256 of the full stored text of the norm, UTF-8."),
        "hash_scope": s.choice("Given when only a part of it is shown.", (HASH_SCOPE,)),
    }


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
