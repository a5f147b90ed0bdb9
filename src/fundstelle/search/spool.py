"""Documents waiting for the splitter: a corpus must be read once whole to learn its words.

Texts are kept as numbers of words in a file, four bytes a word, so that a corpus needs little
memory and is read and divided into words only once.
"""

import pickle
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Self

import numpy as np

from fundstelle.search.index import SearchDocument
from fundstelle.search.words.german import find_words

_NO_WORDS = array("I")
_UNCOUNTED = 1_000_000  # words at most that wait to be counted together


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
    matter: "array[int]" = field(default_factory=partial(array, "I"))
    asked: "array[int]" = field(default_factory=partial(array, "I"))


@dataclass(frozen=True, slots=True)
class SpooledText:
    """A former text whose words are numbers; fields as in ``FormerText``.

    ``document`` is the one that it is of, without its own texts.
    """

    document: SpooledDocument

    citation: "array[int]"
    heading: "array[int]"
    hierarchy: "array[int]"
    text: "array[int]"
    since: int
    until: int
    day: int


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
        self._former: list[tuple[str, int]] = []
        self.turn = 0  # the last day on which a text became another, YYYYMMDD; 0 = none did
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
            read(document.matter),
            read(document.asked),
        )
        pickle.dump(spooled, self._file, pickle.HIGHEST_PROTOCOL)
        self.turn = max(self.turn, document.since)
        if document.former:
            self._add_former(document, spooled)

    def count_words(self) -> Iterator[tuple[str, int]]:
        """Every word of the newest texts with how often it stands in them."""
        self._count()
        counted = zip(self._numbers, self._counts.tolist(), strict=True)
        return ((word, count) for word, count in counted if count)

    def take_words(self) -> list[str]:
        """The words by their numbers; there is room again for others, and no document comes."""
        words = list(self._numbers)
        self._numbers.clear()
        self._last.clear()
        self._counts = np.zeros(0, np.int64)
        return words

    def iter_by_id(self) -> Iterator[SpooledDocument]:
        """All documents, sorted by norm_id."""
        for _, place in sorted(self._places):
            self._file.seek(place)
            yield SpooledDocument(*pickle.load(self._file))  # noqa: S301 our own file

    def iter_former(self) -> Iterator[SpooledText]:
        """All former texts, sorted by norm_id and oldest first."""
        for _, place in sorted(self._former):
            self._file.seek(place)
            spooled, texts = pickle.load(self._file)  # noqa: S301 our own file
            document = SpooledDocument(*spooled)
            for text in texts:
                yield SpooledText(document, *text)

    def _add_former(self, document: SearchDocument, spooled: tuple[Any, ...]) -> None:
        texts = [
            (
                self._number(document.citation),
                self._number(text.heading),
                self._number(text.hierarchy),
                self._number(text.text),
                *(text.since, text.until, text.day),
            )
            for text in document.former
        ]
        ordinal, _, _, law, _, _, *filters = spooled
        of = (ordinal, _NO_WORDS, _NO_WORDS, law, _NO_WORDS, _NO_WORDS, *filters)
        self._former.append((document.norm_id, self._file.tell()))
        pickle.dump((of, texts), self._file, pickle.HIGHEST_PROTOCOL)
        days = (day for text in document.former for day in (text.since, text.until))
        self.turn = max(self.turn, *days)

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
    return _NO_WORDS
