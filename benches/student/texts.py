"""The terms of a build's norms, and of sentences of decisions that cite them, as numbers."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.ingest.ranking.documents import iter_documents
from fundstelle.ingest.ranking.learned import iter_labelled, iter_sentences, read_guard, select
from fundstelle.search.words.compounds import read_splitter
from fundstelle.search.words.everyday import read_table
from fundstelle.search.words.german import GermanAnalyzer
from fundstelle.search.words.terms import read_pairs

MOST_TERMS = 36_500  # 9.9 MB
FEWEST_TEXTS = 2  # that a term of the tables need not stand in
LONGEST = 20_000  # characters of a norm that are read

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class NormTerms:
    """The terms of one norm."""

    norm_id: str
    ordinal: int
    heading: Numbers
    above: Numbers  # of the headings above it
    law: Numbers
    text: Numbers


@dataclass(frozen=True, slots=True)
class Read:
    """All that may be learnt from; numbers are places in ``terms``."""

    terms: tuple[str, ...]
    norms: tuple[NormTerms, ...]
    sentences: tuple[tuple[Numbers, tuple[int, ...]], ...]  # with the ordinals of cited norms
    everyday: tuple[tuple[Numbers, tuple[str, ...]], ...]  # with the ids of norms
    english: tuple[tuple[Numbers, Numbers], ...]  # an English term and a German one


class _Reader:
    """Texts to numbers of all terms there are; those to be kept are chosen at the end."""

    def __init__(self, analyzer: GermanAnalyzer) -> None:
        self._analyse = analyzer.analyse
        self._numbers: dict[str, int] = {}
        self._texts: Counter[int] = Counter()
        self._always: set[int] = set()

    def read(self, text: str, *, always: bool = False) -> "array[int]":
        found = array("I")
        for term in self._analyse(text):
            found.append(self._numbers.setdefault(term, len(self._numbers)))
        if always:
            self._always.update(found)
        return found

    def count(self, numbers: Iterable[int]) -> None:
        """Note that these stand in one more text."""
        self._texts.update(set(numbers))

    def choose(self) -> tuple[tuple[str, ...], Numbers]:
        """The terms to keep, and of each number its place among them, -1 for none."""
        names = list(self._numbers)
        words = [place for place, name in enumerate(names) if name.isalpha() and len(name) > 1]
        words.sort(key=lambda place: (-self._texts[place], names[place]))
        always = {place for place in self._always if names[place].isalpha()}
        others = [place for place in words if place not in always]
        common = [place for place in others if self._texts[place] >= FEWEST_TEXTS]
        chosen = sorted([*common[: MOST_TERMS - len(always)], *always], key=names.__getitem__)
        places = np.full(len(names), -1, np.int32)
        places[chosen] = np.arange(len(chosen))
        return tuple(names[place] for place in chosen), places


def read_build(data: Path, guard: Sequence[Path]) -> Read:
    """The live build; sentences that share words with a question of ``guard`` are left out."""
    store = builds.open_active(data)
    folder = builds.get_folder(data, store.manifest.release)
    splitter = read_splitter()
    reader = _Reader(GermanAnalyzer(splitter))
    try:
        norms = list(_read_norms(store, reader))
        runs = read_guard(guard)
        database = folder / builds.DATABASE
        labelled = iter_labelled(store, database, runs)
        chosen = select(chain(iter_sentences(store, runs), labelled))
    finally:
        store.close()
    sentences = [(reader.read(one.text), one.cited) for one in chosen]
    for numbers, _ in sentences:
        reader.count(numbers)
    everyday = [
        (reader.read(term, always=True), tuple(f"de/{norm}" for norm in entry.norms))
        for entry in read_table()
        for term in entry.terms
    ]
    english = [
        (reader.read(term, always=True), reader.read(one, always=True))
        for term, german in read_pairs()
        for one in german
    ]
    terms, places = reader.choose()

    def take(numbers: "array[int]") -> Numbers:
        found = places[np.frombuffer(numbers, np.uint32)] if numbers else np.zeros(0, np.int32)
        return found[found >= 0]

    return Read(
        terms,
        tuple(NormTerms(key, ordinal, *map(take, parts)) for key, ordinal, parts in norms),
        tuple((take(numbers), cited) for numbers, cited in sentences),
        tuple((take(numbers), ids) for numbers, ids in everyday),
        tuple((take(one), take(other)) for one, other in english),
    )


def _read_norms(
    store: WholeStore, reader: _Reader
) -> Iterator[tuple[str, int, tuple["array[int]", ...]]]:
    for document in iter_documents(store):
        if document.searchable:
            above = " ".join(document.hierarchy.split()[-30:])
            written = (document.heading, above, document.law, document.text[:LONGEST])
            parts = tuple(map(reader.read, written))
            reader.count(chain.from_iterable(parts))
            yield document.norm_id, document.ordinal, parts
