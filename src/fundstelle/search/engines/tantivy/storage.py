"""Indexes of tantivy in a folder: how they are written and opened.

All text lies in one field, headings and names repeated by their weight: one posting list a term
keeps a question at a fraction of a millisecond, and one length for the whole norm ranks better
than a length for each field.

Documents are added in the order of ordinals, so that tantivy's own order among equal scores, by
document number, is the contract's where one segment has them; a fast field says which ordinal a
document has, or which number a decision (``parts``).
"""

import shutil
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path

import tantivy

from fundstelle.errors import CorpusError
from fundstelle.search.engines.stages.texts import Described, NewPart, Numbers
from fundstelle.search.engines.tantivy.files import give_usual_modes
from fundstelle.search.engines.tantivy.parts import DecisionParts, Joining, number_of
from fundstelle.search.engines.tantivy.sentences import TantivySentences, build_sentence_schema
from fundstelle.search.engines.tantivy.texts import TantivyTexts, build_schema
from fundstelle.search.index import HeldPart

_HEAP = 1_000_000_000  # a limit, not a need: below it all documents fall into one segment
_HEAP_OF_SENTENCES = 200_000_000
_CHECKED = 10_000  # documents at once
_PART = "part"  # the folder of one while it is written


class TantivyStorage:
    """Keeps indexes as tantivy's own files."""

    def write_texts(self, texts: Iterable[Described], folder: Path) -> TantivyTexts:
        """A new index of them in their order, checked, in the ``folder``.

        Raises:
            CorpusError: tantivy cannot write, or did not keep the texts as they were given.
        """
        try:
            _write(texts, folder)
        except ValueError as error:  # what tantivy's bindings raise, for a full disk too
            raise CorpusError(f"the search index cannot be written: {error}") from error
        return TantivyTexts(folder)

    def write_parts(
        self,
        norms: Iterable[Described],
        decisions: Iterable[NewPart | HeldPart],
        folder: Path,
        same: Path | None = None,
    ) -> TantivyTexts:
        """A new index of both; the parts held are those of the index in ``same``.

        Raises:
            CorpusError: tantivy cannot write, or did not keep the texts as they were given.
        """
        try:
            joining = Joining(folder, len(_write(norms, folder)))
            for one in decisions:
                if isinstance(one, HeldPart):
                    assert same is not None  # who gives them has looked
                    joining.take(same, one.part, one.ordinals)
                    continue
                (part := folder / _PART).mkdir()
                joining.join(part, one.part, _write(one.texts, part, one.part))
                shutil.rmtree(part)
            joining.finish()
            give_usual_modes(folder)
        except ValueError as error:
            raise CorpusError(f"the search index cannot be written: {error}") from error
        return TantivyTexts(folder)

    def find_parts(self, folder: Path) -> Mapping[int, Numbers]:
        """The decisions of the index in ``folder``, by part."""
        parts = DecisionParts.find(folder)
        return {one: parts.list_ordinals(one) for one in parts.names} if parts is not None else {}

    def open_texts(self, folder: Path) -> TantivyTexts:
        """The index in ``folder``.

        Raises:
            CorpusError: there is none.
        """
        return TantivyTexts(folder)

    def write_sentences(self, sentences: Iterable[str], folder: Path) -> None:
        """A new index of their terms, numbered from 0, in the empty ``folder``."""
        index = tantivy.Index(build_sentence_schema(), str(folder))
        writer = index.writer(heap_size=_HEAP_OF_SENTENCES, num_threads=1)
        for number, terms in enumerate(sentences):
            document = tantivy.Document()
            document.add_unsigned("number", number)
            document.add_text("terms", terms)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        give_usual_modes(folder)

    def open_sentences(self, folder: Path) -> TantivySentences:
        """The index of sentences in ``folder``."""
        return TantivySentences(folder)


def _write(texts: Iterable[Described], folder: Path, part: int | None = None) -> "array[int]":
    """Their ordinals; those of a ``part`` are decisions, numbered from 0."""
    index = tantivy.Index(build_schema(), str(folder))
    field = "ordinal" if part is None else "number"
    ordinals, numbers = array("I"), array("Q")
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for text in texts:
        numbers.append(text.ordinal if part is None else number_of(part, len(numbers)))
        ordinals.append(text.ordinal)
        document = _describe(text)
        document.add_unsigned(field, numbers[-1])
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    give_usual_modes(folder)
    _check(index, field, numbers)
    return ordinals


def _describe(text: Described) -> tantivy.Document:
    """The document without its number."""
    document = tantivy.Document()
    if text.searchable:
        document.add_unsigned("searchable", 1)
        document.add_text("terms", text.terms)
        for name, value in text.values:
            document.add_text(name, value)
        for ancestor in text.ancestors:
            document.add_unsigned("ancestor", ancestor)
        for name, number in text.numbers:
            document.add_unsigned(name, number)
    return document


def _check(index: tantivy.Index, field: str, numbers: "array[int]") -> None:
    index.reload()
    searcher = index.searcher()
    if searcher.num_docs != len(numbers):
        raise CorpusError(f"the index holds {searcher.num_docs} of {len(numbers)} documents")
    if searcher.num_segments == 1:
        for first in range(0, len(numbers), _CHECKED):
            wanted = numbers[first : first + _CHECKED].tolist()
            places = range(first, first + len(wanted))
            addresses = [tantivy.DocAddress(0, number) for number in places]
            if searcher.fast_field_values(field, addresses) != wanted:
                raise CorpusError("the index did not keep the order of its documents")
