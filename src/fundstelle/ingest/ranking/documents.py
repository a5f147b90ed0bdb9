"""What the search index is given of each norm and decision."""

from array import array
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from operator import itemgetter

from fundstelle.corpus.ingestion import WholeDecisions, WholeStore
from fundstelle.ingest.ranking.periods import Parts
from fundstelle.law.decisions import Decision, DecisionText, PartKind
from fundstelle.law.norms import Fassung, Headings, Norm, NormStatus, Statute
from fundstelle.lookup.dating.unchanged import find_unchanged_since
from fundstelle.search.index import FormerText, HeldPart, SearchDocument
from fundstelle.search.words.gloss import gloss, has_gloss
from fundstelle.search.words.in_german import find_in_german

_LONGEST_HEADING = 4_000


def iter_documents(store: WholeStore) -> Iterator[SearchDocument]:
    """One document for every norm and heading, by ordinal."""
    statutes = store.statutes
    ended = groupby(store.iter_former(), key=itemgetter(0))
    next_ended = next(ended, None)
    statute_id = ""
    ancestors: dict[str | None, tuple[int, ...]] = {}
    for ordinal, norm, fassung in store.iter_words(0, store.count_norms() - 1):
        if norm.statute_id != statute_id:
            statute_id, ancestors = norm.statute_id, {}
        above = ancestors.get(norm.parent_id, ())
        ancestors[norm.norm_id] = (*above, ordinal)
        document = _describe(ordinal, norm, fassung, statutes[statute_id], above)
        texts: list[Fassung] = []
        if next_ended is not None and next_ended[0] == ordinal:
            texts = [one for _, one in next_ended[1]]
            next_ended = next(ended, None)
        if fassung.in_force_until is None:
            texts.append(fassung)
        # of a law that has left its publisher's list the newest is a former one
        count = len(texts) - document.searchable
        former = tuple(_list_former(norm, statutes[statute_id], texts, count))
        yield replace(document, former=former) if former else document


def _list_former(
    norm: Norm, statute: Statute, fassungen: Sequence[Fassung], count: int
) -> Iterator[FormerText]:
    """The first ``count`` of them that have words to find, on the days they can be given for."""
    for place, fassung in enumerate(fassungen[:count]):
        if fassung.status is not NormStatus.IN_FORCE or not fassung.text.strip():
            continue
        headings = fassung.headings or Headings(norm.title, norm.hierarchy)
        ends = [fassung.in_force_until, *(later.in_force_from for later in fassungen[place + 1 :])]
        yield FormerText(
            heading=headings.title or "",
            hierarchy=" ".join(headings.hierarchy),
            text=fassung.text,
            since=_find_since(statute, fassung),
            until=min(map(_number, filter(None, ends)), default=0),
            day=_number(fassung.filter_day),
        )


def _find_since(statute: Statute, fassung: Fassung) -> int:
    """The first day that the corpus can speak for with that text, as lookups have it; 0 = any."""
    if fassung.in_force_from is not None:
        return _number(fassung.in_force_from)
    unchanged = find_unchanged_since(statute, fassung)
    return _number(min(filter(None, (statute.first_look, unchanged)), default=None))


def _describe(
    ordinal: int, norm: Norm, fassung: Fassung, statute: Statute, above: tuple[int, ...]
) -> SearchDocument:
    german, act = find_in_german(norm.norm_id), find_in_german(statute.statute_id)
    is_glossed = has_gloss(norm, statute)
    names = (
        statute.abbreviation,
        *statute.abbreviations_juris,
        statute.abbreviation_official,
        statute.short_title,
        statute.title,
        act.matter,
        act.asked,
    )
    in_force = norm.status is not NormStatus.REPEALED and fassung.in_force_until is None
    return SearchDocument(
        ordinal=ordinal,
        norm_id=norm.norm_id,
        citation=norm.citation,
        heading=norm.title or "",
        law=" ".join(dict.fromkeys(name for name in names if name)),
        hierarchy=" ".join(map(_add_gloss, norm.hierarchy) if is_glossed else norm.hierarchy),
        text=_add_gloss(fassung.text) if is_glossed else fassung.text,
        ancestors=above,
        statute_id=statute.statute_id,
        source_type=statute.source_type,
        jurisdiction=statute.jurisdiction,
        document_kind=statute.document_kind,
        language=statute.language,
        day=_number(fassung.filter_day),
        searchable=bool(fassung.text.strip()) and in_force and statute.listed,
        since=_find_since(statute, fassung),
        matter=" ".join((german.matter, gloss(norm.title or ""))) if is_glossed else german.matter,
        asked=german.asked,
    )


def iter_decisions(
    decisions: WholeDecisions, first: int, parts: Parts, held: Container[int] = ()
) -> Iterator[SearchDocument | HeldPart]:
    """One document for every decision, by part; their ordinals begin with ``first``.

    For the parts that are ``held`` there are none.
    """
    for part, numbers in parts.items():
        if part in held:
            yield HeldPart(part, array("I", (first + number for number in numbers)))
            continue
        for number in numbers:
            ((_, decision, text),) = decisions.iter_texts(number, number)
            yield _describe_decision(first + number, part, decision, text)


def _describe_decision(
    ordinal: int, part: int, decision: Decision, text: DecisionText
) -> SearchDocument:
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
        part=part,
    )


def _number(day: date | None) -> int:
    """A day as YYYYMMDD, 0 if unknown."""
    return day.year * 10_000 + day.month * 100 + day.day if day else 0


def _add_gloss(text: str) -> str:
    """An English text behind the German words for it, by which German questions find it."""
    return f"{gloss(text)}\n{text}"
