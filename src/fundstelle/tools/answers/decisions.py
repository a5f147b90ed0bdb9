"""Court decisions as the tools show them."""

from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import Annotated, NotRequired, Required
from urllib.parse import quote

from fundstelle.corpus.decisions import CitedKind, Citing, CitingDecision
from fundstelle.law.decisions import Decision, DecisionText, PartKind
from fundstelle.law.norms import NormStatus
from fundstelle.lookup.addresses import decision_path, name_passage
from fundstelle.lookup.answers import DecisionHit
from fundstelle.lookup.decisions.texts import find_opening_end, list_outline
from fundstelle.lookup.excerpts import find_cut
from fundstelle.lookup.library import Library
from fundstelle.tools.answers.budgets import CITING, measure, shorten
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.answers.units import (
    HASH_SCOPE,
    DecisionFacts,
    ShownDecision,
    ShownNorm,
    ShownOutlineRow,
    ShownProvenance,
)

CITED_NORMS = 20
MATCHES = ("exact", "range")
SNIPPET_CHARS = 400

_WHOLE_CHARS = 6_000  # a decision no longer than this is given whole at once
_OPENING_CHARS = 3_000  # of one that does not begin with Leitsatz or Tenor
_LEITSATZ_CHARS = 600
_OUTLINE_ROWS = 60
_LONGEST_MATCHED = 120  # characters; § 1 Nr. 1 bis 30 may be written out
_LEAST_SNIPPET = 150
_ESCAPES = 10  # characters that JSON may put before those of a sentence


class ShownCiting(DecisionFacts, total=False):
    """A decision that cites what was asked for, with the sentence that does."""

    norm_id: Required[Annotated[str, "Id of the decision."]]
    citation: Required[Annotated[str, "The decision, ready to print."]]
    title: NotRequired[Annotated[str, "Title, in detailed."]]
    leitsatz: NotRequired[Annotated[str, "Leitsatz, in detailed."]]
    snippet: Required[
        Annotated[str, f"The sentence that cites, at most {SNIPPET_CHARS} characters."]
    ]
    randnummer: NotRequired[Annotated[str, "Its margin number."]]
    matched_citation: Required[Annotated[str, "The citation as the court wrote it."]]
    match: Required[
        Annotated[
            str,
            "exact = names it, alone or in a list; range = names a range around it.",
            Values(MATCHES),
        ]
    ]
    cited_norms: NotRequired[
        Annotated[list[str], f"Norms the decision cites, at most {CITED_NORMS}, in detailed."]
    ]
    source_url: NotRequired[Annotated[str, "Where the publisher shows it."]]
    page_url: NotRequired[
        Annotated[str, "The passage on this server, permanently; in detailed, or if it is all."]
    ]


def build_decision(
    hit: DecisionHit, library: Library, start: int, max_chars: int, *, detailed: bool
) -> tuple[ShownNorm, int]:
    """A decision, or the Randnummern cited, from ``start`` on; and where the piece ends.

    Of a long decision that is asked for as a whole, the beginning up to the Tenor and an outline.
    """
    decision, text = hit.decision, hit.decision_text
    opens = hit.is_whole and start == 0
    end = _find_end(hit, start, max_chars)
    described: ShownDecision = {
        "court": decision.court,
        "decision_type": decision.decision_type,
    }
    _add_facts(described, decision)
    if opens and end < len(text.text):
        described["outline"] = _build_outline(text)
    if detailed and opens and decision.lower_instances:
        described["lower_instances"] = [each.text for each in decision.lower_instances]
    is_whole = start == 0 and end == len(text.text)
    shown: ShownNorm = {"norm_id": decision.decision_id, "citation": hit.citation}
    if decision.title:
        shown["title"] = decision.title
    shown["content"] = text.text[start:end]
    shown["decision"] = described
    if decision.source_url:
        shown["source_url"] = decision.source_url
    shown["provenance"] = _build_provenance(hit, whole=is_whole)
    if detailed:
        _add_details(shown, hit, library, (start, end))
    return shown, end


def _add_details(
    shown: ShownNorm, hit: DecisionHit, library: Library, span: tuple[int, int]
) -> None:
    """What the citation of a decision says already, and what a reader can do without."""
    decision, manifest = hit.decision, library.store.manifest
    source = library.find_source(decision.source_type)
    name = source.source_type if source is not None else None
    held = next((state for state in manifest.sources if state.source_type == name), None)
    if not hit.is_whole:
        shown["resolved_depth"] = "rn"
    shown["content_start"], shown["content_end"] = span
    shown["law"] = {
        "abbreviation": decision.court,
        "title": decision.citation,
        "jurisdiction": decision.jurisdiction,
        "is_current": True,
    }
    shown["status"] = NormStatus.IN_FORCE
    provenance = shown["provenance"]
    provenance["archive_floor"] = manifest.archive_floor
    if decision.source_url:
        provenance["source_url"] = decision.source_url
    if decision.sources:
        provenance["source_name"] = ", ".join(one.source_type for one in decision.sources)
    if decision.issued_on is not None:
        provenance["version_date"] = decision.issued_on
    if held is not None:
        provenance["retrieved_at"] = held.retrieved_at.astimezone(UTC).strftime(
            "%Y-%m-%dT%H:%M:%SZ"
        )


def _find_end(hit: DecisionHit, start: int, max_chars: int) -> int:
    limit = max_chars
    if hit.is_whole and start == 0 and len(hit.text) > min(_WHOLE_CHARS, max_chars):
        opening = find_opening_end(hit.decision_text)
        if 0 < opening <= max_chars:
            return opening
        limit = min(max_chars, _OPENING_CHARS)
    return find_cut(hit.text, hit.segments, start, hit.end, limit)


def _add_facts(row: DecisionFacts, decision: Decision) -> None:
    """What else is known of a decision besides court and type."""
    if decision.dockets:
        row["case_number"] = ", ".join(decision.dockets)
    if decision.ecli:
        row["ecli"] = decision.ecli
    if decision.issued_on is not None:
        row["decision_date"] = decision.issued_on
    if not decision.is_citable:
        row["citable"] = False


def _build_outline(text: DecisionText) -> list[ShownOutlineRow]:
    rows: list[ShownOutlineRow] = []
    for section in list_outline(text)[:_OUTLINE_ROWS]:
        row: ShownOutlineRow = {
            "label": section.label[:120],
            "offset": section.start,
            "characters": section.size,
        }
        if section.first_passage:
            row["randnummern"] = f"{section.first_passage}-{section.last_passage}"
        rows.append(row)
    return rows


def _build_provenance(hit: DecisionHit, *, whole: bool) -> ShownProvenance:
    shown: ShownProvenance = {
        "is_official_text": True,
        "text_sha256": hit.decision_text.text_sha256,
    }
    if not whole:
        shown["hash_scope"] = HASH_SCOPE
    return shown


def describe_citing(
    library: Library, found: Sequence[CitingDecision], *, detailed: bool
) -> Iterator[ShownCiting]:
    """Rows of ``legal_find_citing_decisions``, made one by one."""
    for one in found:
        decision, first = one.decision, one.first
        text = library.decisions.find_text(decision.decision_id)
        assert text is not None
        row: ShownCiting = {
            "norm_id": decision.decision_id,
            "citation": decision.citation,
            "snippet": "",
            "matched_citation": shorten(first.cited_text, _LONGEST_MATCHED),
            "match": "range" if first.ranged else "exact",
        }
        if not decision.is_citable:
            row["citable"] = False
        if first.passage:
            row["randnummer"] = first.passage
        if decision.source_url:
            row["source_url"] = decision.source_url
        if library.base_url and (detailed or not decision.source_url):
            row["page_url"] = library.base_url + _find_passage(decision, first)
        if detailed:
            _add_details_of_citing(row, decision, text, library)
            row["snippet"] = excerpt(text.text, first)
        else:
            room = max(CITING - measure(row) - _ESCAPES, _LEAST_SNIPPET)
            row["snippet"] = excerpt(text.text, first, min(room, SNIPPET_CHARS))
        yield row


def _find_passage(decision: Decision, citing: Citing) -> str:
    path = decision_path(decision.decision_id)
    return f"{path}#{quote(name_passage(citing.passage))}" if citing.passage else path


def _add_details_of_citing(
    row: ShownCiting, decision: Decision, text: DecisionText, library: Library
) -> None:
    row["court"] = decision.court
    row["decision_type"] = decision.decision_type
    row["cited_norms"] = list_cited(library, decision.decision_id)
    _add_facts(row, decision)
    if decision.title:
        row["title"] = decision.title
    leitsatz = find_leitsatz(text)
    if leitsatz:
        row["leitsatz"] = leitsatz


def find_leitsatz(text: DecisionText) -> str | None:
    """The Leitsätze, shortened on a blank."""
    words = "\n".join(
        text.text[part.start : part.end].strip()
        for part in text.parts
        if part.kind is PartKind.LEITSATZ
    ).strip()
    return shorten(words, _LEITSATZ_CHARS) if words else None


def excerpt(text: str, citing: Citing, most: int = SNIPPET_CHARS) -> str:
    """The sentence that cites, at most so many characters, the citation always in it."""
    start, end = citing.sentence
    if end - start > most - 4:
        room = max(0, most - 4 - (citing.end - citing.start)) // 2
        start, end = max(start, citing.start - room), min(end, citing.end + room)
        start = text.find(" ", start, citing.start) + 1 or start
        blank = text.rfind(" ", citing.end, end)
        end = blank if blank > 0 else end
    words = " ".join(text[start:end].split())[: most - 4]
    opening = "… " if start > citing.sentence[0] else ""
    return f"{opening}{words}{' …' if end < citing.sentence[1] else ''}"


def list_cited(library: Library, decision_id: str) -> list[str]:
    """Ids of the norms that a decision cites, the most cited first."""
    counts: dict[str, int] = {}
    for citing in library.decisions.list_citations(decision_id):
        if citing.kind in {CitedKind.NORM, CitedKind.EU_ACT} and citing.cited_id:
            counts[citing.cited_id] = counts.get(citing.cited_id, 0) + 1
    return sorted(counts, key=lambda cited: (-counts[cited], cited))[:CITED_NORMS]
