"""The search index on tantivy.

All text lies in one field, headings and names repeated by their weight: one posting list a term
keeps a question at a fraction of a millisecond, and one length for the whole norm ranks better
than a length for each field. Terms are made by ``search.words.german`` and divided by blanks.

Documents are added in the order of norm_id, so that tantivy's own order among equal scores, by
document number, is the contract's; a fast field says which ordinal a document has.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import tantivy

from fundstelle.errors import CorpusError
from fundstelle.search.engines.tantivy_damage import says_damage
from fundstelle.search.engines.tantivy_files import give_usual_modes
from fundstelle.search.engines.tantivy_index import TantivyIndex
from fundstelle.search.engines.tantivy_learning import learn_ranking
from fundstelle.search.engines.tantivy_queries import FACETS, VALUES, WORDS
from fundstelle.search.engines.tantivy_reranker import weigh
from fundstelle.search.index import CitingSentence, SearchDocument
from fundstelle.search.meaning.embedder import Embedder
from fundstelle.search.ranking.forward import ForwardWriter
from fundstelle.search.spool import Spool, SpooledDocument
from fundstelle.search.words.compounds import CompoundSplitter
from fundstelle.search.words.german import STOP_WORDS, GermanAnalyzer

_HEAP = 1_000_000_000  # a limit, not a need: below it all documents fall into one segment
_WEIGHTS = {"citation": 1, "heading": 6, "law": 2, "hierarchy": 2, "text": 1}


def _build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    for name in VALUES:
        builder.add_text_field(
            name, tokenizer_name="raw", index_option="basic", fast=name in FACETS.values()
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
            CorpusError: tantivy cannot write, or did not keep the documents as they were given.
        """
        with Spool(folder) as spool:
            for document in documents:
                spool.add(document)
            splitter = CompoundSplitter.train(
                (word, count) for word, count in spool.count_words() if word not in STOP_WORDS
            )
            splitter.write(folder / WORDS)
            analyzer = GermanAnalyzer(splitter)
            terms = [" ".join(analyzer.analyse_word(word)) for word in spool.list_words()]
            try:
                index = tantivy.Index(_build_schema(), str(folder))
                forward = ForwardWriter()
                ordinals = _add(index, _note(spool.iter_by_id(), terms, forward), terms)
            except ValueError as error:  # what its bindings raise, for a full disk too
                raise CorpusError(f"the search index cannot be written: {error}") from error
        give_usual_modes(folder)
        _check(index, ordinals)
        searcher = index.searcher()
        forward.finish(lambda term, norms: weigh(searcher.doc_freq("terms", term), norms)).write(
            folder
        )

    def learn(self, sentences: Sequence[CitingSentence], folder: Path) -> str:
        """Index sentences of decisions and train the ranking on them."""
        return learn_ranking(sentences, folder)

    @says_damage
    def open(self, folder: Path, embedder: Embedder | None = None) -> TantivyIndex:
        """Open an index for reading.

        Raises:
            CorpusError: there is none, or a file of it is not what was written.
        """
        return TantivyIndex(folder, embedder)


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


def _note(
    documents: Iterator[SpooledDocument], terms: Sequence[str], forward: ForwardWriter
) -> Iterator[SpooledDocument]:
    """Tell the learned ranking of every norm on its way into the index."""
    for document in documents:
        law, heading, hierarchy = (
            [term for word in words for term in terms[word].split()]
            for words in (document.law, document.heading, document.hierarchy)
        )
        forward.add(document, law, heading, hierarchy)
        yield document


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
    for name in VALUES:
        value = getattr(document, name)
        if value:
            described.add_text(name, value)
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
