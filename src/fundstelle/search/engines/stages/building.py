"""Making an index: documents are read once, and once more as terms.

Terms are made by ``search.words.german`` and divided by blanks. Former texts of norms lie in an
index of their own, so that questions of today neither read nor weigh them.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from fundstelle.heap import trim_heap
from fundstelle.search.engines.stages.former import FOLDER as FORMER
from fundstelle.search.engines.stages.former import note_turn
from fundstelle.search.engines.stages.queries import WORDS
from fundstelle.search.engines.stages.reranker import weigh
from fundstelle.search.engines.stages.texts import LAST_DAY, VALUES, Described, Storage
from fundstelle.search.index import SearchDocument
from fundstelle.search.meaning.passages import DECISIONS, PassageWriter, WordNumbers
from fundstelle.search.meaning.student import read_student
from fundstelle.search.ranking.forward import ForwardWriter
from fundstelle.search.spool import Spool, SpooledDocument, SpooledText
from fundstelle.search.words.compounds import CompoundSplitter
from fundstelle.search.words.german import STOP_WORDS, GermanAnalyzer

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


def build_index(documents: Iterable[SearchDocument], folder: Path, storage: Storage) -> None:
    """Write a new index, and what the stages know beside it, into the empty ``folder``.

    Raises:
        CorpusError: the index cannot be written, or did not keep the documents as they were given.
    """
    with ExitStack() as held:
        with Spool(folder) as spool:
            for document in documents:
                spool.add(document)
            splitter = CompoundSplitter.train(
                (word, count) for word, count in spool.count_words() if word not in STOP_WORDS
            )
            splitter.write(folder / WORDS)
            terms = _analyse(spool.take_words(), GermanAnalyzer(splitter))
            forward, words = ForwardWriter(), WordNumbers(read_student(), terms)
            trim_heap()  # the words themselves have gone
            norms = held.enter_context(PassageWriter(words, folder))
            decisions = held.enter_context(PassageWriter(words, folder))
            # first, as the other one needs all its room
            _write_former(spool, terms, folder, storage)
            noted = _note(spool.iter_by_id(), terms, forward, (norms, decisions))
            texts = storage.write_texts(_describe_newest(noted, terms), folder)
            held.callback(texts.close)
        norms.write(folder)
        decisions.write(folder, DECISIONS)
        forward.finish(lambda term, norms: weigh(texts.count(term), norms)).write(folder)


def _analyse(words: Sequence[str], analyzer: GermanAnalyzer) -> list[str]:
    """The terms of each word, divided by blanks."""
    return [" ".join(analyzer.analyse_word(word)) for word in words]


def _write_former(spool: Spool, terms: Sequence[str], folder: Path, storage: Storage) -> None:
    """The index of former texts; none where no text ever was another."""
    if spool.turn:
        (held := folder / FORMER).mkdir()
        storage.write_texts(_describe_former(spool.iter_former(), terms), held).close()
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
) -> Iterator[Described]:
    for document in documents:
        if document.searchable:
            yield _describe(document, document, terms, (("since", document.since),))
        else:
            yield Described(document.ordinal)


def _describe_former(texts: Iterator[SpooledText], terms: Sequence[str]) -> Iterator[Described]:
    for text in texts:
        days = (("since", text.since), ("until", text.until or LAST_DAY))
        yield _describe(text.document, text, terms, days)


def _describe(
    document: SpooledDocument,
    text: SpooledDocument | SpooledText,
    terms: Sequence[str],
    days: tuple[tuple[str, int], ...],
) -> Described:
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
    if text.day:
        days = (*days, ("day", text.day), ("year", text.day // 10_000))
    return Described(
        document.ordinal,
        searchable=True,
        terms=" ".join(parts),
        values=tuple((name, value) for name in VALUES if (value := getattr(document, name))),
        ancestors=document.ancestors,
        numbers=days,
    )
