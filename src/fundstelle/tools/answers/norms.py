"""What a lookup found, with its text and provenance, as the tools that give texts show it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date
from functools import lru_cache
from typing import Any

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.law.citations import NormCitation
from fundstelle.law.norms import Statute
from fundstelle.lookup.addresses import find_page
from fundstelle.lookup.answers import DecisionHit, Hit, ProvisionHit, Resolution
from fundstelle.lookup.dating.days import Days, find_days
from fundstelle.lookup.excerpts import find_cut
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import LIST_ITEMS, find_frame, format_steps, get_steps
from fundstelle.lookup.sources import build_source_url, find_source
from fundstelle.lookup.validity.notes import find_validity_of_hit
from fundstelle.tools.answers.budgets import HEADINGS, NAME, say_place, shorten
from fundstelle.tools.answers.decisions import build_decision
from fundstelle.tools.answers.envelope import LINKS, norm_link
from fundstelle.tools.answers.laws import show_validity
from fundstelle.tools.answers.looks import is_fresh
from fundstelle.tools.answers.proofs import add_proof
from fundstelle.tools.answers.units import (
    HASH_SCOPE,
    ShownLaw,
    ShownNorm,
    ShownProvenance,
    ShownSegment,
)

LONGEST_CITATION = 500
_NAMED_FOOTNOTES = 10
_ONLY = {
    "de": "There is no English text here; the German one is given.",
    "en": "There is no German text of {} here; the English one is given.",
}
_NAMED = "The id names the English text of {}; the id without ':en' gives the German one."


def warn_of_language(hits: Sequence[Hit], language: str) -> list[str]:
    """A sentence where texts are not in the language asked for; never silently."""
    others = [
        hit
        for hit in hits
        if _name_language(hit)[0] != language and not getattr(hit, "instead", False)
    ]
    named = [hit for hit in others if ":" in _name_edition(hit)]
    alone = {_name_language(hit) for hit in others if hit not in named}
    said = []
    if named:
        said.append(_NAMED.format(", ".join(sorted({_name_language(hit)[1] for hit in named}))))
    if alone:
        names = sorted({name for _, name in alone})
        held, _ = next(iter(alone))
        said.append(_ONLY.get(held, _ONLY["de"]).format(", ".join(names)))
    return said


def _name_edition(hit: Hit) -> str:
    """The id of the law, which of the second of two editions names the language."""
    return "" if isinstance(hit, DecisionHit) else hit.statute.statute_id


def _name_language(hit: Hit) -> tuple[str, str]:
    """The language of a text, and the law or court that it is from."""
    if isinstance(hit, DecisionHit):
        return hit.decision.language, hit.decision.court
    return hit.statute.language, hit.statute.abbreviation


def build_links(hits: Iterable[Hit]) -> list[dict[str, Any]]:
    """A link to each norm or decision, once."""
    return list({hit.held_id: _build_link(hit) for hit in hits}.values())[:LINKS]


def _build_link(hit: Hit) -> dict[str, Any]:
    held = hit.decision if isinstance(hit, DecisionHit) else hit.norm
    return norm_link(hit.held_id, held.citation, held.title)


def hint_at_footnotes(hits: Iterable[Hit]) -> list[str]:
    """A sentence where official footnotes are left out of a concise answer."""
    names = [
        hit.norm.citation for hit in hits if isinstance(hit, ProvisionHit) and hit.fassung.footnotes
    ]
    if not names:
        return []
    once = list(dict.fromkeys(names))
    more = f" and {len(once) - _NAMED_FOOTNOTES} more" if len(once) > _NAMED_FOOTNOTES else ""
    return [f"Official footnotes are in detailed: {', '.join(once[:_NAMED_FOOTNOTES])}{more}."]


@dataclass(slots=True)
class Details:
    """What only detailed answers hold, of all units of an answer together.

    ``room`` are the characters left for the texts of segments, which repeat those of the units:
    they at most double an answer.
    """

    room: int
    warnings: list[str] = field(default_factory=list)


def build_unit(
    hit: Hit, library: Library, offset: int, max_chars: int, details: Details | None
) -> tuple[ShownNorm, int]:
    """A unit with its text from ``offset`` on, at most ``max_chars``; and where the piece ends.

    Both offsets count from the beginning of the unit. ``details``: with all that is known of it.
    """
    start = min(hit.start + offset, hit.end)
    if isinstance(hit, DecisionHit):
        shown, end = build_decision(hit, library, start, max_chars, detailed=details is not None)
    else:
        shown, end = _build_provision(hit, library, start, max_chars, details)
    if details is not None:
        add_proof(shown["provenance"], hit, library)
    if library.base_url:
        shown["page_url"] = library.base_url + find_page(hit)
    return shown, end - hit.start


def _build_provision(
    hit: ProvisionHit, library: Library, start: int, max_chars: int, details: Details | None
) -> tuple[ShownNorm, int]:
    norm, fassung, statute = hit.norm, hit.fassung, hit.statute
    end = find_cut(fassung.text, fassung.segments, start, hit.end, max_chars)
    source_url = build_source_url(statute, norm)
    shown: ShownNorm = {"norm_id": norm.norm_id, "citation": hit.citation}
    if norm.title:
        shown["title"] = norm.title
    if hit.unit >= 0 and fassung.segments[hit.unit].level in LIST_ITEMS:
        _add_frame(shown, hit)
    if hit.rest or (details is not None and not (hit.unit < 0 and hit.is_whole)):
        shown["resolved_depth"] = _name_depth(hit)
    if hit.rest:
        shown["missing_rest"] = format_steps(hit.rest)
    shown["content"] = fassung.text[start:end]
    validity = find_validity_of_hit(library, hit)
    days = find_days(library, statute, fassung)
    if details is not None:
        _add_details(shown, hit, (start, end), days, details)
    shown["law"] = _build_law(statute, validity.is_current, detailed=details is not None)
    if norm.hierarchy:
        shown["hierarchy"] = say_place(norm.hierarchy, HEADINGS if details is None else None)
    shown["source_url"] = source_url
    shown["status"] = validity.status
    if validity.notes:
        shown["validity_notes"] = show_validity(statute, validity.notes)
    shown["provenance"] = _build_provenance(hit, days)
    if details is not None:
        _add_origin(shown["provenance"], hit, library.store.manifest, source_url, days)
    if not (start == 0 and end == len(fassung.text)):
        shown["provenance"]["hash_scope"] = HASH_SCOPE
    return shown, end


def name_alone(hit: Hit) -> ShownNorm:
    """A unit that finds no room for its text."""
    return {"norm_id": hit.held_id, "citation": hit.citation}


def set_day(shown: ShownNorm, hit: Hit, on: date) -> None:
    """The day that the citation names for the unit, where the answer is for another: ``on``."""
    if isinstance(hit, ProvisionHit) and hit.on is not None and hit.on != on:
        shown["as_of"] = hit.on


def without_segments(norm: ShownNorm) -> ShownNorm:
    """The same unit where it stands in an answer for the second time."""
    again = norm.copy()
    again.pop("segments", None)
    if "proof" in again.get("provenance", ()):
        again["provenance"] = again["provenance"].copy()
        again["provenance"].pop("proof")
    return again


def without_repeated(norm: ShownNorm, first: ShownNorm) -> ShownNorm:
    """A unit behind the first of an answer, without what it has in common with that one."""
    if norm.get("law") == first.get("law"):
        norm.pop("law", None)
    if norm.get("hierarchy") == first.get("hierarchy"):
        norm.pop("hierarchy", None)
    return norm


def _name_depth(hit: ProvisionHit) -> str:
    if hit.unit >= 0:
        return hit.fassung.segments[hit.unit].level
    return "section" if hit.is_whole else "row"


def _add_frame(shown: ShownNorm, hit: ProvisionHit) -> None:
    lead_in, lead_out = find_frame(hit.fassung.segments, hit.unit, hit.fassung.text)
    if lead_in:
        shown["lead_in"] = lead_in
    if lead_out:
        shown["lead_out"] = lead_out


def _add_details(
    shown: ShownNorm, hit: ProvisionHit, span: tuple[int, int], days: Days, details: Details
) -> None:
    """Where the text lies, its parts and what is annexed to it."""
    start, end = span
    shown["content_start"] = start
    shown["content_end"] = end
    shown["segments"] = _build_segments(hit, start, end, details)
    if days.valid_from is not None:
        shown["last_changed"] = days.valid_from
    if hit.fassung.footnotes:
        shown["footnotes"] = hit.fassung.footnotes
    if hit.fassung.notes:
        shown["notes"] = hit.fassung.notes


def _build_segments(
    hit: ProvisionHit, start: int, end: int, details: Details
) -> list[ShownSegment]:
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


def _build_law(statute: Statute, is_current: bool, *, detailed: bool) -> ShownLaw:
    law: ShownLaw = {
        "abbreviation": statute.abbreviation,
        "title": statute.title if detailed else shorten(statute.title, NAME),
        "is_current": is_current,
    }
    if detailed:
        law["jurisdiction"] = statute.jurisdiction
    return law


def _add_origin(
    shown: ShownProvenance, hit: ProvisionHit, manifest: Manifest, source_url: str, days: Days
) -> None:
    """What a reader of the text can do without."""
    source = find_source(manifest, hit.statute, hit.fassung)
    shown["source_url"] = source_url
    shown["is_official_text"] = False  # a consolidated text: only the gazette is authentic
    if days.last_seen is not None:
        shown["last_seen"] = days.last_seen
    shown["date_precision"] = days.precision
    shown["archive_floor"] = manifest.archive_floor
    if source is not None:
        shown["source_name"] = source.name
        shown["retrieved_at"] = _format_instant(source)
    if hit.statute.publication:
        shown["official_publication"] = hit.statute.publication
    if days.first_seen is not None:
        shown["first_seen"] = days.first_seen


def _build_provenance(hit: ProvisionHit, days: Days) -> ShownProvenance:
    shown: ShownProvenance = {
        "version_date": days.stand,
        "text_sha256": hit.fassung.text_sha256,
    }
    if days.not_seen_before is not None:
        shown["not_seen_before"] = days.not_seen_before
        if days.first_seen is not None:
            shown["first_seen"] = days.first_seen
    if days.valid_from is not None:
        shown["valid_from"] = days.valid_from
    if days.bounds is not None:
        shown["date_precision"] = days.precision
        shown["valid_from_earliest"], shown["valid_from_latest"] = days.bounds
    if days.basis is not None:
        shown["date_basis"] = days.basis
    if days.valid_to is not None:
        shown["valid_to"] = days.valid_to
    return shown


@lru_cache(maxsize=64)
def _format_instant(source: SourceState) -> str:
    return source.retrieved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def describe_stand(library: Library, on: date, *, asked: bool) -> tuple[str, ...]:
    """A warning for answers without texts, where nobody has looked at federal law since."""
    stand = library.store.manifest.stand
    if is_fresh(stand, on, asked=asked):
        return ()
    day = stand.isoformat()
    behind = f"changes between then and {on.isoformat()} are not held here."
    return (f"Federal law was last looked at on {day}; {behind}",)


def is_elsewhere(resolution: Resolution) -> bool:
    """Whether what was not found is no federal law: looks at that say nothing of it."""
    targets = resolution.targets
    return bool(targets) and not any(isinstance(each, NormCitation) for each in targets)
