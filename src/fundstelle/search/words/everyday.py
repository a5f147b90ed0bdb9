"""Everyday words for what the law says otherwise: Fahrerflucht, Pendlerpauschale, Eigenbedarf.

``data/everyday.tsv`` names, for each term, the norms that bear it out and the words which they use.
A build keeps what its own texts bear out (``ingest.ranking.everyday``), with the ordinals of the
norms, in one file beside the index; a question is read by that file alone.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import Stemmer

from fundstelle.memo import remember_short
from fundstelle.search.words.german import STOP_WORDS, find_words

_FILE = "everyday.json"
_BEGINNING = 7  # letters of a term that a longer word may begin with: Eigenbedarfskündigung
_REST = 3  # letters that follow at least; fewer are an ending
_MOST_WORDS = 300  # of a question
_LONGEST_WORD = 60  # that is kept
_SPOKEN = 0.15  # share of a question from which on it is asked with the words of the law too


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the table: terms of one meaning, the ids of norms, words that these use."""

    terms: tuple[str, ...]
    norms: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Borne:
    """An entry as a build bears it out; ``norms`` are ordinals."""

    terms: tuple[str, ...]
    norms: tuple[int, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meant:
    """What the everyday words of a question mean.

    ``norms`` says of each norm which share of the question's words means it, above 0 up to 1.
    """

    words: tuple[str, ...]
    norms: dict[int, float]


NOTHING_MEANT = Meant((), {})


class Everyday:
    """The terms of a build. Not shared between threads (the stemmer keeps state)."""

    def __init__(self, entries: Iterable[Borne]) -> None:
        stem: Callable[[str], str] = Stemmer.Stemmer("german", 0).stemWord
        self._stem = remember_short(maxsize=20_000, longest=_LONGEST_WORD)(stem)
        self._terms: dict[tuple[str, ...], list[Borne]] = {}
        self._beginnings: dict[str, list[Borne]] = {}
        for entry in entries:
            for term in entry.terms:
                key = self._read(term)
                if key:
                    self._terms.setdefault(tuple(sorted(key)), []).append(entry)
                if len(key) == 1 and len(term) >= _BEGINNING and term.isalpha():
                    self._beginnings.setdefault(term.lower(), []).append(entry)
        self._longest = max(map(len, self._terms), default=0)
        self._longest_word = max(map(len, self._beginnings), default=0)

    @classmethod
    def open(cls, folder: Path) -> "Everyday":
        """Those beside an index; none where it was built without."""
        file = folder / _FILE
        rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        return cls(Borne(tuple(terms), tuple(norms), tuple(words)) for terms, norms, words in rows)

    def find(self, text: str, weigh: Callable[[str], float]) -> Meant:
        """What the everyday words of a text mean; of terms that overlap the longest counts.

        ``weigh`` says how much the stem of a word tells.
        """
        if not self._terms:
            return NOTHING_MEANT
        words = [word for word in find_words(text) if word not in STOP_WORDS][:_MOST_WORDS]
        stems = [self._stem(word) for word in words]
        weights = [weigh(stem) for stem in stems]
        whole = sum(weights) or 1.0
        shares: dict[int, float] = {}
        said: dict[str, None] = {}
        for start, end, entries in self._iter_matches(words, stems):
            share = sum(weights[start:end]) / whole
            for entry in entries:
                if share >= _SPOKEN:
                    said.update(dict.fromkeys(entry.words))
                for norm in entry.norms:
                    shares[norm] = min(1.0, shares.get(norm, 0.0) + share)
        return Meant(tuple(said), shares)

    def holds(self, stem: str) -> bool:
        """Whether a stem alone is a term."""
        return (stem,) in self._terms

    def knows(self, word: str) -> bool:
        """Whether a word in lower case is a term, or a compound that begins with one."""
        return self.holds(self._stem(word)) or bool(self._find_beginning(word))

    def _iter_matches(
        self, words: Sequence[str], stems: Sequence[str]
    ) -> Iterator[tuple[int, int, Sequence[Borne]]]:
        """The places ``[start, end)`` of each term, and its entries."""
        at = 0
        while at < len(words):
            for length in range(min(self._longest, len(words) - at), 0, -1):
                entries = self._terms.get(tuple(sorted(stems[at : at + length])))
                if entries:
                    yield at, at + length, entries
                    at += length
                    break
            else:
                if compound := self._find_beginning(words[at]):
                    yield at, at + 1, compound
                at += 1

    def _find_beginning(self, word: str) -> Sequence[Borne]:
        """The entries of the longest term that a compound begins with."""
        for end in range(min(len(word) - _REST, self._longest_word), _BEGINNING - 1, -1):
            if entries := self._beginnings.get(word[:end]):
                return entries
        return ()

    def _read(self, term: str) -> list[str]:
        return [self._stem(word) for word in find_words(term) if word not in STOP_WORDS]


def read_table() -> Iterator[Entry]:
    """The rows of the table in its order."""
    file = resources.files("fundstelle.search") / "data" / "everyday.tsv"
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            terms, norms, words = line.split("\t")
            yield Entry(tuple(terms.split(" | ")), tuple(norms.split()), tuple(words.split(" | ")))


def write_everyday(entries: Iterable[Borne], folder: Path) -> None:
    """Keep what a build bears out beside its index."""
    rows = [[entry.terms, entry.norms, entry.words] for entry in entries]
    (folder / _FILE).write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
