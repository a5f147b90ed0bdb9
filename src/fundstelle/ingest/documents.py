"""What the search index is given of each norm."""

from collections.abc import Iterator

from fundstelle.corpus.store import CorpusStore
from fundstelle.law.norms import Fassung, Norm, NormStatus, Statute
from fundstelle.search.index import SearchDocument


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
    day = fassung.in_force_from or fassung.stand
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
        language="de",
        day=day.year * 10_000 + day.month * 100 + day.day,
        searchable=bool(fassung.text.strip()) and in_force and statute.listed,
    )
