"""Documents waiting for the splitter: a corpus must be read once whole to learn its words.

Texts are kept as numbers of words in a file, four bytes a word, so that a corpus needs little
memory and is read and divided into words only once.
"""

import pickle
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Self

import numpy as np

from fundstelle.search.index import SearchDocument
from fundstelle.search.words.german import find_words

_UNCOUNTED = 1_000_000  # words at most that wait to be counted together


@dataclass(frozen=True, slots=True)
class SpooledText:
    """A former text whose words are numbers; fields as in ``FormerText``."""

    citation: "array[int]"
    heading: "array[int]"
    hierarchy: "array[int]"
    text: "array[int]"
    since: int
    until: int
    day: int


@dataclass(frozen=True, slots=True)
class SpooledDocument:
    """A document whose texts are numbers of words; fields as in ``SearchDocument``."""

    ordinal: int
    citation: "array[int]"
    heading: "array[int]"
    law: "array[int]"
    hierarchy: "array[int]"
    text: "array[int]"
    ancestors: tuple[int, ...]
    statute_id: str
    source_type: str
    jurisdiction: str
    document_kind: str
    language: str
    day: int
    searchable: bool
    court: str
    decision_type: str
    characters: int  # of the text
    since: int = 0
    former: tuple[SpooledText, ...] = ()


class _Numbers(dict[str, int]):
    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class Spool:
    """Takes documents once, gives them back in the order of their ids."""

    def __init__(self, folder: Path) -> None:
        self._file: BinaryIO = TemporaryFile(dir=folder)  # noqa: SIM115 closed by __exit__
        self._numbers = _Numbers()
        self._counts = np.zeros(0, np.int64)
        self._uncounted = array("I")
        self._places: list[tuple[str, int]] = []
        self._last: dict[str, tuple[str, array[int]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, document: SearchDocument) -> None:
        """Keep one document."""
        self._places.append((document.norm_id, self._file.tell()))
        read = self._read if document.searchable else _read_nothing
        spooled = (
            document.ordinal,
            read(document.citation),
            read(document.heading),
            self._read_again("law", document.law),
            self._read_again("hierarchy", document.hierarchy),
            read(document.text),
            document.ancestors,
            document.statute_id,
            document.source_type,
            document.jurisdiction,
            document.document_kind,
            document.language,
            document.day,
            document.searchable,
            document.court,
            document.decision_type,
            len(document.text),
            document.since,
            tuple(self._spool_former(document)),
        )
        pickle.dump(spooled, self._file, pickle.HIGHEST_PROTOCOL)

    def count_words(self) -> Iterator[tuple[str, int]]:
        """Every word of the newest texts with how often it stands in them."""
        self._count()
        counted = zip(self._numbers, self._counts.tolist(), strict=True)
        return ((word, count) for word, count in counted if count)

    def list_words(self) -> list[str]:
        """The words by their numbers."""
        return list(self._numbers)

    def iter_by_id(self) -> Iterator[SpooledDocument]:
        """All documents, sorted by norm_id."""
        for _, place in sorted(self._places):
            self._file.seek(place)
            yield SpooledDocument(*pickle.load(self._file))  # noqa: S301 our own file

    def _spool_former(self, document: SearchDocument) -> Iterator[SpooledText]:
        for text in document.former:
            yield SpooledText(
                self._number(document.citation),
                self._number(text.heading),
                self._number(text.hierarchy),
                self._number(text.text),
                text.since,
                text.until,
                text.day,
            )

    def _number(self, text: str) -> "array[int]":
        return array("I", map(self._numbers.__getitem__, find_words(text)))

    def _read(self, text: str) -> "array[int]":
        words = self._number(text)
        self._uncounted.extend(words)
        if len(self._uncounted) > _UNCOUNTED:
            self._count()
        return words

    def _count(self) -> None:
        words = np.frombuffer(self._uncounted, np.uint32)
        counts = np.bincount(words, minlength=len(self._numbers))
        counts[: len(self._counts)] += self._counts
        self._counts = counts
        self._uncounted = array("I")

    def _read_again(self, name: str, text: str) -> "array[int]":
        """Neighbours share their law and most of their headings; count those once."""
        known = self._last.get(name)
        if known is None or known[0] != text:
            known = self._last[name] = (text, self._read(text))
        return known[1]


def _read_nothing(_: str) -> "array[int]":
    return array("I")
