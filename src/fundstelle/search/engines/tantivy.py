"""The search index on tantivy.

All text lies in one field, headings and names repeated by their weight: one posting list a term
keeps a question at a fraction of a millisecond, and one length for the whole norm ranks better
than a length for each field. Terms are made by ``search.words.german`` and divided by blanks.

Former texts of norms lie in an index of their own, so that questions of today neither read nor
weigh them.

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
from fundstelle.search.engines.tantivy_former import FOLDER as FORMER
from fundstelle.search.engines.tantivy_former import note_turn
from fundstelle.search.engines.tantivy_index import TantivyIndex
from fundstelle.search.engines.tantivy_learning import learn_ranking
from fundstelle.search.engines.tantivy_queries import WORDS
from fundstelle.search.engines.tantivy_reranker import weigh
from fundstelle.search.engines.tantivy_texts import LAST_DAY, VALUES, build_schema
from fundstelle.search.index import CitingSentence, SearchDocument
from fundstelle.search.meaning.embedder import Embedder
from fundstelle.search.meaning.passages import DECISIONS, PassageWriter, WordNumbers
from fundstelle.search.meaning.student import read_student
from fundstelle.search.ranking.forward import ForwardWriter
from fundstelle.search.spool import Spool, SpooledDocument, SpooledText
from fundstelle.search.words.compounds import CompoundSplitter
from fundstelle.search.words.german import STOP_WORDS, GermanAnalyzer

_HEAP = 1_000_000_000  # a limit, not a need: below it all documents fall into one segment
_NO_WORDS = array("I")
_WEIGHTS = {
    "citation": 1,
    "heading": 6,
    "law": 2,
    "hierarchy": 2,
    "text": 1,
    "matter": 6,
    "asked": 4,
}


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
            terms = _analyse(spool.take_words(), GermanAnalyzer(splitter))
            forward, words = ForwardWriter(), WordNumbers(read_student(), terms)
            norms, decisions = PassageWriter(words), PassageWriter(words)
            try:
                _write_former(spool, terms, folder)  # first, as the other one needs all its room
                noted = _note(spool.iter_by_id(), terms, forward, (norms, decisions))
                index = _write(_describe_newest(noted, terms), folder)
            except ValueError as error:  # what tantivy's bindings raise, for a full disk too
                raise CorpusError(f"the search index cannot be written: {error}") from error
        norms.write(folder)
        decisions.write(folder, DECISIONS)
        searcher = index.searcher()
        forward.finish(lambda term, norms: weigh(searcher.doc_freq("terms", term), norms)).write(
            folder
        )

    def learn(self, sentences: Sequence[CitingSentence], folder: Path) -> str:
        """Index sentences of decisions and train the ranking on them."""
        return learn_ranking(sentences, folder)

    @says_damage
    def open(
        self, folder: Path, embedder: Embedder | None = None, *, meaning: bool = True
    ) -> TantivyIndex:
        """Open an index for reading.

        Raises:
            CorpusError: there is none, or a file of it is not what was written.
        """
        return TantivyIndex(folder, embedder, meaning=meaning)


def _analyse(words: Sequence[str], analyzer: GermanAnalyzer) -> list[str]:
    """The terms of each word, divided by blanks."""
    return [" ".join(analyzer.analyse_word(word)) for word in words]


_Described = tuple[int, tantivy.Document]  # with its ordinal


def _write(documents: Iterator[_Described], folder: Path) -> tantivy.Index:
    """A new index of them in their order, checked, in the empty ``folder``."""
    index = tantivy.Index(build_schema(), str(folder))
    ordinals = array("I")
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for ordinal, document in documents:
        ordinals.append(ordinal)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    give_usual_modes(folder)
    _check(index, ordinals)
    return index


def _write_former(spool: Spool, terms: Sequence[str], folder: Path) -> None:
    """The index of former texts; none where no text ever was another."""
    if spool.turn:
        (held := folder / FORMER).mkdir()
        _write(_describe_former(spool.iter_former(), terms), held)
        note_turn(held, spool.turn)


def _note(
    documents: Iterator[SpooledDocument],
    terms: Sequence[str],
    forward: ForwardWriter,
    passages: tuple[PassageWriter, PassageWriter],
) -> Iterator[SpooledDocument]:
    """Tell the learned ranking, and meaning, of every norm on its way into the index."""
    for document in documents:
        law, heading, hierarchy = (
            (term for word in words for term in terms[word].split())  # few laws are noted anew
            for words in (
                document.law,
                (*document.heading, *document.matter),
                document.hierarchy,
            )
        )
        forward.add(document, law, heading, hierarchy)
        if document.searchable:
            is_decision = not document.statute_id
            passages[is_decision].add(
                document.ordinal,
                document.heading,
                _NO_WORDS if is_decision else document.hierarchy,
                _NO_WORDS if is_decision else document.law,
                document.text,
            )
            if in_german := document.matter + document.asked:  # a passage of its own, as the text
                # is in another language; the German names of a law come last
                passages[False].add(
                    document.ordinal, document.matter, document.law, _NO_WORDS, in_german
                )
        yield document


def _describe_newest(
    documents: Iterator[SpooledDocument], terms: Sequence[str]
) -> Iterator[_Described]:
    for document in documents:
        described = tantivy.Document()
        if document.searchable:
            _fill(described, document, document, terms)
            described.add_unsigned("since", document.since)
        described.add_unsigned("ordinal", document.ordinal)
        yield document.ordinal, described


def _describe_former(texts: Iterator[SpooledText], terms: Sequence[str]) -> Iterator[_Described]:
    for text in texts:
        described = tantivy.Document()
        _fill(described, text.document, text, terms)
        described.add_unsigned("since", text.since)
        described.add_unsigned("until", text.until or LAST_DAY)
        described.add_unsigned("ordinal", text.document.ordinal)
        yield text.document.ordinal, described


def _fill(
    described: tantivy.Document,
    document: SpooledDocument,
    text: SpooledDocument | SpooledText,
    terms: Sequence[str],
) -> None:
    """Its words, which are those of one of its texts, and what it is filtered by."""
    words = {
        "citation": text.citation,
        "heading": text.heading,
        "law": document.law,
        "hierarchy": text.hierarchy,
        "text": text.text,
        "matter": document.matter,
        "asked": document.asked,
    }
    parts: list[str] = []
    for name, weight in _WEIGHTS.items():
        parts += [" ".join(map(terms.__getitem__, words[name]))] * weight
    described.add_unsigned("searchable", 1)
    described.add_text("terms", " ".join(parts))
    for name in VALUES:
        value = getattr(document, name)
        if value:
            described.add_text(name, value)
    for ancestor in document.ancestors:
        described.add_unsigned("ancestor", ancestor)
    if text.day:
        described.add_unsigned("day", text.day)
        described.add_unsigned("year", text.day // 10_000)


def _check(index: tantivy.Index, ordinals: "array[int]") -> None:
    index.reload()
    searcher = index.searcher()
    if searcher.num_docs != len(ordinals):
        raise CorpusError(f"the index holds {searcher.num_docs} of {len(ordinals)} documents")
    if searcher.num_segments == 1:
        addresses = [tantivy.DocAddress(0, number) for number in range(len(ordinals))]
        if searcher.fast_field_values("ordinal", addresses) != ordinals.tolist():
            raise CorpusError("the index did not keep the order of its documents")
