"""Making an index: documents are read once, in their order, and become terms.

Terms are made by ``search.words.german`` and divided by blanks. Former texts of norms lie in an
index of their own, so that questions of today neither read nor weigh them.
"""

import pickle
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Self

import numpy as np

from fundstelle.search.engines.stages.former import FOLDER as FORMER
from fundstelle.search.engines.stages.former import note_turn
from fundstelle.search.engines.stages.reranker import weigh
from fundstelle.search.engines.stages.texts import (
    LAST_DAY,
    VALUES,
    Described,
    NewPart,
    Numbers,
    Storage,
)
from fundstelle.search.index import FormerText, HeldPart, SearchDocument
from fundstelle.search.meaning.passages import DECISIONS, PassageWriter, take_passages
from fundstelle.search.meaning.student import read_student
from fundstelle.search.ranking.forward import ForwardWriter
from fundstelle.search.words.compounds import read_splitter
from fundstelle.search.words.german import GermanAnalyzer, find_words

_REMEMBERED = 150_000  # words of each of two generations
_WEIGHTS = {
    "citation": 1,
    "heading": 6,
    "law": 2,
    "hierarchy": 2,
    "text": 1,
    "matter": 6,
    "asked": 4,
}


def build_index(
    documents: Iterable[SearchDocument | HeldPart],
    folder: Path,
    storage: Storage,
    same: Path | None = None,
) -> None:
    """Write a new index, and what the stages know beside it, into the empty ``folder``.

    ``same`` is the folder of an index, by the same program, that gives the parts held.

    Raises:
        CorpusError: the index cannot be written, or did not keep the documents as they were given.
    """
    student = read_student()
    vectors = student.unpack()
    with ExitStack() as held:
        norms, decisions = (
            held.enter_context(PassageWriter(student.numbers, vectors, folder)) for _ in range(2)
        )
        former = held.enter_context(_FormerTexts(folder))
        forward = ForwardWriter()
        intake = _Intake(forward, (norms, decisions), former)
        taking = _Taking(same, storage.find_parts(same) if same is not None else {})
        of_norms, parts = _split(documents)
        texts = storage.write_parts(
            intake.iter_newest(of_norms), taking.watch(intake.iter_parts(parts)), folder, same
        )
        held.callback(texts.close)
        norms.write(folder)
        taking.write(decisions, folder)
        forward.finish(lambda term, norms: weigh(texts.count(term), norms)).write(folder)
        former.write(folder, storage)


_Run = tuple[int | None, Iterator[SearchDocument | HeldPart]]
"""The number of a part of the decisions, ``None``: norms; and the documents, as long as no other
run is asked for."""


def _split(
    documents: Iterable[SearchDocument | HeldPart],
) -> tuple[Iterable[SearchDocument], Iterator[_Run]]:
    """Norms, and the parts behind them, of which the first is begun before it is asked for."""
    runs: Iterator[_Run] = groupby(documents, key=_get_part)
    first = next(runs, None)
    if first is None:
        return (), runs
    if first[0] is not None:
        return (), chain((first,), runs)
    return (one for one in first[1] if isinstance(one, SearchDocument)), runs


def _get_part(document: SearchDocument | HeldPart) -> int | None:
    is_norm = isinstance(document, SearchDocument) and document.statute_id
    return None if is_norm else document.part


class _Taking:
    """What goes over from the index in ``same``, whose decisions are ``known`` by part."""

    def __init__(self, same: Path | None, known: Mapping[int, Numbers]) -> None:
        self._same, self._known = same, known
        self._taken: list[HeldPart] = []
        self._is_all = True  # that there are now

    def watch(self, parts: Iterable[NewPart | HeldPart]) -> Iterator[NewPart | HeldPart]:
        """The same parts, of which those that are held are noted."""
        for one in parts:
            if isinstance(one, HeldPart):
                self._taken.append(one)
            else:
                self._is_all = False
            yield one

    def write(self, passages: PassageWriter, folder: Path) -> None:
        """Keep the vectors of the decisions, those noted taken over, beside an index."""
        if self._same is not None and self._taken:
            was = np.concatenate([self._known[one.part] for one in self._taken])
            now = np.concatenate([np.array(one.ordinals, np.int64) for one in self._taken])
            moved = now - was
            is_all = self._is_all and len(was) == sum(map(len, self._known.values()))
            if is_all and (moved == moved[0]).all():
                take_passages(self._same, folder, DECISIONS, int(moved[0]))
                return
            passages.take(self._same, DECISIONS, was, now)
        passages.write(folder, DECISIONS)


class _Terms(dict[str, str]):
    """The terms of each word, divided by blanks.

    Words that have come of late are remembered, of two generations: a corpus has ever more of them.
    """

    def __init__(self, analyzer: GermanAnalyzer) -> None:
        super().__init__()
        self._analyse = analyzer.read_word
        self._older: dict[str, str] = {}
        self._last: dict[str, tuple[str, str]] = {}

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self._older = dict(self)
            self.clear()
        terms = self._older.get(word)
        if terms is None:
            terms = " ".join(self._analyse(word))
        self[word] = terms
        return terms

    def read(self, text: str) -> str:
        """The terms of a text."""
        return " ".join(map(self.__getitem__, find_words(text)))

    def read_again(self, name: str, text: str) -> str:
        """Neighbours share their law and most of their headings; those are read once."""
        known = self._last.get(name)
        if known is None or known[0] != text:
            known = self._last[name] = (text, self.read(text))
        return known[1]


@dataclass(frozen=True, slots=True)
class _Read:
    """The texts of a document as terms; fields as in ``SearchDocument``."""

    citation: str = ""
    heading: str = ""
    law: str = ""
    hierarchy: str = ""
    text: str = ""
    matter: str = ""
    asked: str = ""

    def weigh(self) -> str:
        """All of them, each as often as it counts."""
        texts = (getattr(self, name) for name in _WEIGHTS)
        return " ".join(
            text
            for text, weight in zip(texts, _WEIGHTS.values(), strict=True)
            for _ in range(weight if text else 0)
        )


class _FormerTexts:
    """Former texts, which wait in a file without a name until the newest ones are written."""

    def __init__(self, folder: Path) -> None:
        self._file: BinaryIO = TemporaryFile(dir=folder)  # noqa: SIM115 closed by __exit__
        self._count = 0
        self._turn = 0  # the last day on which a text became another, YYYYMMDD; 0 = none did

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def note(self, *days: int) -> None:
        """Days on which a text became another."""
        self._turn = max(self._turn, *days)

    def add(self, text: Described) -> None:
        """Keep one."""
        pickle.dump(text, self._file, pickle.HIGHEST_PROTOCOL)
        self._count += 1

    def write(self, folder: Path, storage: Storage) -> None:
        """Their index; none where no text ever was another."""
        if self._turn:
            (held := folder / FORMER).mkdir()
            storage.write_texts(self._iter(), held).close()
            note_turn(held, self._turn)

    def _iter(self) -> Iterator[Described]:
        self._file.seek(0)
        for _ in range(self._count):
            yield pickle.load(self._file)  # noqa: S301 our own file


class _Intake:
    """Tells the stages of every document on its way into the index."""

    def __init__(
        self,
        forward: ForwardWriter,
        passages: tuple[PassageWriter, PassageWriter],
        former: _FormerTexts,
    ) -> None:
        self._terms = _Terms(GermanAnalyzer(read_splitter()))
        self._forward, self._passages, self._former = forward, passages, former

    def iter_newest(self, documents: Iterable[SearchDocument]) -> Iterator[Described]:
        """The newest texts as they are indexed."""
        for document in documents:
            read = self._read(document)
            self._note(document, read)
            self._former.note(document.since)
            for text in document.former:
                self._former.note(text.since, text.until)
                self._former.add(self._describe_former(document, read, text))
            if document.searchable:
                days = (("since", document.since),)
                yield _describe(document, document.day, read, days)
            else:
                yield Described(document.ordinal)

    def iter_parts(self, parts: Iterable[_Run]) -> Iterator[NewPart | HeldPart]:
        """The same of decisions, part by part."""
        for part, documents in parts:
            assert part is not None  # norms come before
            first = next(documents)
            if isinstance(first, HeldPart):
                self._forward.pass_over(first.ordinals)
                yield first
            else:
                rest = (one for one in documents if isinstance(one, SearchDocument))
                yield NewPart(part, self.iter_newest(chain((first,), rest)))

    def _read(self, document: SearchDocument) -> _Read:
        terms = self._terms
        law = terms.read_again("law", document.law)
        hierarchy = terms.read_again("hierarchy", document.hierarchy)
        if not document.searchable:
            return _Read(law=law, hierarchy=hierarchy)
        return _Read(
            terms.read(document.citation),
            terms.read(document.heading),
            law,
            hierarchy,
            terms.read(document.text),
            terms.read(document.matter),
            terms.read(document.asked),
        )

    def _note(self, document: SearchDocument, read: _Read) -> None:
        heading = f"{read.heading} {read.matter}"
        self._forward.add(
            *(document.ordinal, document.statute_id, len(document.text)),
            *(read.law.split(), heading.split(), read.hierarchy.split()),
        )
        if not document.searchable:
            return
        is_decision = not document.statute_id
        above, law = ("", "") if is_decision else (read.hierarchy, read.law)
        self._passages[is_decision].add(document.ordinal, read.heading, above, law, read.text)
        if read.matter or read.asked:  # a passage of its own, as the text is in another language;
            # the German names of a law come last
            in_german = f"{read.matter} {read.asked}"
            self._passages[False].add(document.ordinal, read.matter, read.law, "", in_german)

    def _describe_former(
        self, document: SearchDocument, newest: _Read, text: FormerText
    ) -> Described:
        terms = self._terms
        read = replace(
            newest,
            citation=terms.read(document.citation),
            heading=terms.read(text.heading),
            hierarchy=terms.read(text.hierarchy),
            text=terms.read(text.text),
        )
        days = (("since", text.since), ("until", text.until or LAST_DAY))
        return _describe(document, text.day, read, days)


def _describe(
    document: SearchDocument, day: int, read: _Read, days: tuple[tuple[str, int], ...]
) -> Described:
    """Words, which are those of one of its texts, and what it is filtered by."""
    if day:
        days = (*days, ("day", day), ("year", day // 10_000))
    return Described(
        document.ordinal,
        searchable=True,
        terms=read.weigh(),
        values=tuple((name, value) for name in VALUES if (value := getattr(document, name))),
        ancestors=document.ancestors,
        numbers=days,
    )
