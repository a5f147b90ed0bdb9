"""What the search index is given of each norm and decision."""

from collections.abc import Iterator
from datetime import date

from fundstelle.corpus.ingestion import WholeDecisions
from fundstelle.corpus.store import CorpusStore
from fundstelle.law.decisions import Decision, DecisionText, PartKind
from fundstelle.law.norms import Fassung, Norm, NormStatus, Statute
from fundstelle.search.index import SearchDocument

_LONGEST_HEADING = 4_000


def iter_documents(store: CorpusStore) -> Iterator[SearchDocument]:
    """One document for every norm and heading, by ordinal."""
    statutes = store.statutes
    statute_id = ""
    ancestors: dict[str | None, tuple[int, ...]] = {}
    for ordinal, norm, fassung in store.iter_norms():
        if norm.statute_id != statute_id:
            statute_id, ancestors = norm.statute_id, {}
        above = ancestors.get(norm.parent_id, ())
        ancestors[norm.norm_id] = (*above, ordinal)
        yield _describe(ordinal, norm, fassung, statutes[statute_id], above)


def _describe(
    ordinal: int, norm: Norm, fassung: Fassung, statute: Statute, above: tuple[int, ...]
) -> SearchDocument:
    names = (
        statute.abbreviation,
        *statute.abbreviations_juris,
        statute.abbreviation_official,
        statute.short_title,
        statute.title,
    )
    in_force = norm.status is not NormStatus.REPEALED and fassung.in_force_until is None
    return SearchDocument(
        ordinal=ordinal,
        norm_id=norm.norm_id,
        citation=norm.citation,
        heading=norm.title or "",
        law=" ".join(dict.fromkeys(name for name in names if name)),
        hierarchy=" ".join(norm.hierarchy),
        text=fassung.text,
        ancestors=above,
        statute_id=statute.statute_id,
        source_type=statute.source_type,
        jurisdiction=statute.jurisdiction,
        document_kind=statute.document_kind,
        language=statute.language,
        day=_number(fassung.filter_day),
        searchable=bool(fassung.text.strip()) and in_force and statute.listed,
    )


def iter_decisions(decisions: WholeDecisions, first: int) -> Iterator[SearchDocument]:
    """One document for every decision; their ordinals begin with ``first``."""
    for number, decision, text in decisions.iter_texts(0, decisions.count()):
        yield _describe_decision(first + number, decision, text)


def _describe_decision(ordinal: int, decision: Decision, text: DecisionText) -> SearchDocument:
    leitsatz = (text.text[p.start : p.end] for p in text.parts if p.kind is PartKind.LEITSATZ)
    heading = "\n".join(filter(None, (decision.title, *leitsatz)))
    return SearchDocument(
        ordinal=ordinal,
        norm_id=decision.decision_id,
        citation=" ".join((decision.court, *decision.dockets)),
        heading=heading[:_LONGEST_HEADING],
        law=decision.norms or "",
        hierarchy=decision.panel or "",
        text=text.text,
        ancestors=(),
        statute_id="",
        source_type=decision.source_type,
        jurisdiction=decision.jurisdiction,
        document_kind="decision",
        language=decision.language,
        day=_number(decision.issued_on),
        searchable=bool(text.text.strip()),
        court=decision.court,
        decision_type=decision.decision_type.value,
    )


def _number(day: date | None) -> int:
    """A day as YYYYMMDD, 0 if unknown."""
    return day.year * 10_000 + day.month * 100 + day.day if day else 0
