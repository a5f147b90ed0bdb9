"""The search index on tantivy.

All text lies in one field, headings and names repeated by their weight: one posting list a term
keeps a question at a fraction of a millisecond, and one length for the whole norm ranks better
than a length for each field. Terms are made by ``search.german`` and divided by blanks.

Documents are added in the order of norm_id, so that tantivy's own order among equal scores, by
document number, is the contract's; a fast field says which ordinal a document has.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import tantivy

from fundstelle.errors import CorpusError
from fundstelle.search.compounds import CompoundSplitter
from fundstelle.search.fusion import fuse
from fundstelle.search.german import STOP_WORDS, GermanAnalyzer
from fundstelle.search.index import SearchDocument, SearchHit, SearchRequest, SearchResult
from fundstelle.search.query import read_query
from fundstelle.search.spool import Spool, SpooledDocument

_WORDS = "words.txt"
_HEAP = 1_000_000_000  # a limit, not a need: below it all documents fall into one segment
_WEIGHTS = {"citation": 1, "heading": 4, "law": 2, "hierarchy": 1, "text": 1}
_VALUES = ("source_type", "jurisdiction", "document_kind", "statute_id", "language")
_FUSED = 200  # hits of each ranking that are fused
_QUERY_WEIGHT = 2.0  # the query itself, against 1 for a rephrasing
_FACETS = {"source_type": "source_type", "year": "year"}
_FACET_VALUES = 1_000
_LAST_DAY = 99_999_999


def _build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    for name in _VALUES:
        builder.add_text_field(
            name, tokenizer_name="raw", index_option="basic", fast=name in _FACETS.values()
        )
    builder.add_unsigned_field("searchable", indexed=True)
    builder.add_unsigned_field("ordinal", indexed=True, fast=True)
    builder.add_unsigned_field("ancestor", indexed=True)
    builder.add_unsigned_field("day", fast=True)
    builder.add_unsigned_field("year", fast=True)
    return builder.build()


class TantivyEngine:
    """Builds and opens indexes in a folder of tantivy's files and the splitter's words."""

    def build(self, documents: Iterable[SearchDocument], folder: Path) -> None:
        """Write a new index into the empty ``folder``.

        Raises:
            CorpusError: tantivy did not keep the documents as they were given.
        """
        with Spool(folder) as spool:
            for document in documents:
                spool.add(document)
            splitter = CompoundSplitter.train(
                (word, count) for word, count in spool.count_words() if word not in STOP_WORDS
            )
            splitter.write(folder / _WORDS)
            analyzer = GermanAnalyzer(splitter)
            terms = [" ".join(analyzer.analyse_word(word)) for word in spool.list_words()]
            index = tantivy.Index(_build_schema(), str(folder))
            ordinals = _add(index, spool.iter_by_id(), terms)
        _check(index, ordinals)

    def open(self, folder: Path) -> "TantivyIndex":
        """Open an index for reading."""
        return TantivyIndex(folder)


def _add(
    index: tantivy.Index, documents: Iterator[SpooledDocument], terms: Sequence[str]
) -> "array[int]":
    """Add all; returns their ordinals in the order of adding."""
    ordinals = array("I")
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for document in documents:
        ordinals.append(document.ordinal)
        writer.add_document(_describe(document, terms))
    writer.commit()
    writer.wait_merging_threads()
    return ordinals


def _describe(document: SpooledDocument, terms: Sequence[str]) -> tantivy.Document:
    described = tantivy.Document()
    described.add_unsigned("ordinal", document.ordinal)
    if not document.searchable:
        return described
    parts = [
        " ".join(map(terms.__getitem__, getattr(document, name)))
        for name, weight in _WEIGHTS.items()
        for _ in range(weight)
    ]
    described.add_unsigned("searchable", 1)
    described.add_text("terms", " ".join(parts))
    for name in _VALUES:
        described.add_text(name, getattr(document, name))
    for ancestor in document.ancestors:
        described.add_unsigned("ancestor", ancestor)
    if document.day:
        described.add_unsigned("day", document.day)
        described.add_unsigned("year", document.day // 10_000)
    return described


def _check(index: tantivy.Index, ordinals: "array[int]") -> None:
    index.reload()
    searcher = index.searcher()
    if searcher.num_docs != len(ordinals):
        raise CorpusError(f"the index holds {searcher.num_docs} of {len(ordinals)} documents")
    if searcher.num_segments == 1:
        addresses = [tantivy.DocAddress(0, number) for number in range(len(ordinals))]
        if searcher.fast_field_values("ordinal", addresses) != ordinals.tolist():
            raise CorpusError("the index did not keep the order of its documents")


class TantivyIndex:
    """One opened index. Not shared between threads."""

    def __init__(self, folder: Path) -> None:
        if not tantivy.Index.exists(str(folder)):
            raise CorpusError(f"there is no search index in {folder.name}")
        index = tantivy.Index.open(str(folder))
        self._schema = index.schema
        self._searcher = index.searcher()
        self._analyzer = GermanAnalyzer(CompoundSplitter.read(folder / _WORDS))
        self._searchable = self._searcher.doc_freq("searchable", 1)

    def search(self, request: SearchRequest) -> SearchResult:
        """Rank the norms that hold any term of the query (or of a rephrasing) inside the filters.

        ``total`` is their exact number.
        """
        texts = (request.query, *request.rephrasings)
        readings = [read_query(text, self._analyzer).terms for text in texts]
        readings = [terms for terms in dict.fromkeys(readings) if terms]
        if not readings:
            return SearchResult((), 0)
        narrowing = list(self._read_filters(request))
        everything = self._build_query(tuple(dict.fromkeys(sum(readings, ()))), narrowing)
        if len(readings) == 1:
            found = self._searcher.search(everything, request.limit, offset=request.offset)
            hits = self._name(found.hits)
        else:
            found, hits = self._fuse(request, everything, readings, narrowing)
        facets = self._count_values(everything) if request.facets else {}
        total: int = found.count  # type: ignore[attr-defined]  # missing in its stubs
        return SearchResult(tuple(hits), total, facets)

    def _fuse(
        self,
        request: SearchRequest,
        everything: tantivy.Query,
        readings: Sequence[tuple[str, ...]],
        narrowing: Sequence[tuple[tantivy.Occur, tantivy.Query]],
    ) -> tuple[tantivy.SearchResult, list[SearchHit]]:
        """The best of each ranking fused, then the rest in the order of all terms together."""
        rankings = []
        for number, terms in enumerate(readings):
            query = self._build_query(terms, narrowing)
            found = self._searcher.search(query, _FUSED, count=False)
            weight = 1.0 if number else _QUERY_WEIGHT
            rankings.append((weight, [hit.ordinal for hit in self._name(found.hits)]))
        fused = [SearchHit(ordinal, score) for ordinal, score in fuse(rankings)]
        end = request.offset + request.limit
        found = self._searcher.search(everything, len(fused) + end)
        if end > len(fused):
            seen = {hit.ordinal for hit in fused}
            rest = (hit.ordinal for hit in self._name(found.hits) if hit.ordinal not in seen)
            last = fused[-1].score
            fused += [SearchHit(ordinal, last / (rank + 1)) for rank, ordinal in enumerate(rest, 1)]
        return found, fused[request.offset : end]

    def _build_query(
        self, terms: Sequence[str], narrowing: Sequence[tuple[tantivy.Occur, tantivy.Query]]
    ) -> tantivy.Query:
        """Any of the terms, inside the filters."""
        any_term = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._find_term(term)) for term in terms]
        )
        if not narrowing:
            return any_term
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, any_term), *narrowing])

    def _find_term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "terms", term, "freq")

    def _read_filters(
        self, request: SearchRequest
    ) -> Iterator[tuple[tantivy.Occur, tantivy.Query]]:
        """One clause for each filter that excludes anything; none adds to the score."""
        sets: list[tuple[str, Sequence[str] | Sequence[int] | None]] = [
            *request.filters.items(),
            ("ancestor", request.ancestors),
            ("ordinal", request.ordinals),
        ]
        for name, values in sets:
            if values is not None and not self._is_everything(name, values):
                query = tantivy.Query.term_set_query(self._schema, name, list(values))
                yield tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)
        if request.day_from is not None or request.day_to is not None:
            query = tantivy.Query.range_query(
                self._schema,
                "day",
                tantivy.FieldType.Unsigned,
                request.day_from or 1,
                request.day_to or _LAST_DAY,
            )
            yield tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)

    def _is_everything(self, name: str, values: Sequence[str] | Sequence[int]) -> bool:
        return any(
            isinstance(value, str) and self._searcher.doc_freq(name, value) == self._searchable
            for value in values
        )

    def _name(self, hits: Sequence[tuple[float, tantivy.DocAddress]]) -> list[SearchHit]:
        ordinals: list[Any] = self._searcher.fast_field_values(
            "ordinal", [place for _, place in hits]
        )
        return [
            SearchHit(ordinal, score) for ordinal, (score, _) in zip(ordinals, hits, strict=True)
        ]

    def _count_values(self, query: tantivy.Query) -> dict[str, dict[str, int]]:
        wanted = {
            facet: {"terms": {"field": field, "size": _FACET_VALUES}}
            for facet, field in _FACETS.items()
        }
        counted = self._searcher.aggregate(query, wanted)
        return {
            facet: {
                str(bucket.get("key_as_string", bucket["key"])): bucket["doc_count"]
                for bucket in counted[facet]["buckets"]
            }
            for facet in _FACETS
        }

    def close(self) -> None:
        """Release files."""
        del self._searcher
