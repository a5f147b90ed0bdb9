"""What the reading of a text asks of what is held, kept with a build for the next one.

What a text cites depends on its words, on the names of laws, on what was asked of laws by name, day
or title, and in decisions on what was asked of other decisions. Where a later build answers all of
that alike, it cites the same.

```text
<texts> <keys>                 a line, then two arrays in one gzip:
uint16 a text                  how many keys it has, none of a heading as a rule
uint32 a key                   a hash of what was asked
```
"""

import gzip
from array import array
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from fundstelle.citations.text.folding import fold_abbreviation, fold_long
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Statute

FILE = "asked.bin.gz"  # of the norms, in the folder of a build
OF_DECISIONS = "asked-of-decisions.bin.gz"

READ_ANEW = 0
"""The key of a text whose reading came to no end, or asked for more than is kept."""

Value = TypeVar("Value")

_MOST = 65_535  # keys of a text
_MOST_KEPT = 65_536
_LEVEL = 1  # it is read once by each update


class Asked:
    """Takes note of what is asked while one text is read."""

    def __init__(self) -> None:
        self._written: set[tuple[str, str]] = set()
        self._is_endless = False

    def ask_law(self, abbreviation: str) -> None:
        """A law by its abbreviation."""
        self._written.add(("law", abbreviation))

    def ask_act(self, statute_id: str) -> None:
        """An act of the Union by its id."""
        self._written.add(("act", statute_id))

    def ask_day(self, day: str) -> None:
        """The laws that were issued on a day (ISO)."""
        self._written.add(("day", day))

    def ask_title(self, folded: str) -> None:
        """The laws with a title, folded."""
        self._written.add(("title", folded))

    def ask_name(self, name: str) -> None:
        """The laws that go by a name which need not stand in the text."""
        self._written.add(("name", name))

    def ask_text(self, norm_id: str) -> None:
        """Which parts the newest text of a norm has."""
        self._written.add(("text", norm_id))

    def ask_decision(self, name: str) -> None:
        """The decision of that id or ECLI, without regard to case."""
        self._written.add(("decision", name))

    def ask_docket(self, key: str) -> None:
        """The decisions with a docket of that key."""
        self._written.add(("docket", key))

    def ask_anew(self) -> None:
        """Whatever changes: the reading came to no end."""
        self._is_endless = True

    def remember(
        self, find: Callable[[str], Value], most: int = _MOST_KEPT
    ) -> Callable[[str], Value]:
        """A function that keeps what it found, and what it asked to find it, of ``most`` names."""
        kept: dict[str, tuple[Value, frozenset[tuple[str, str]]]] = {}

        def find_again(name: str) -> Value:
            held = kept.get(name)
            if held is None:
                outer, self._written = self._written, set()
                try:
                    found = find(name)
                    held = found, frozenset(self._written)
                finally:
                    self._written |= outer
                if len(kept) >= most:
                    kept.clear()
                kept[name] = held
            self._written |= held[1]
            return held[0]

        return find_again

    def take(self) -> "array[int]":
        """The keys of all that was asked since the last time, in ascending order."""
        keys = {key for kind, written in self._written for key in _hash(kind, written)}
        is_endless = self._is_endless or len(keys) > _MOST
        self._written, self._is_endless = set(), False
        return array("I", [READ_ANEW] if is_endless else sorted(keys))


class Unasked(Asked):
    """Takes no note of anything: for readings that nobody will take over."""

    def ask_law(self, abbreviation: str) -> None:
        """Nothing."""

    def ask_act(self, statute_id: str) -> None:
        """Nothing."""

    def ask_day(self, day: str) -> None:
        """Nothing."""

    def ask_title(self, folded: str) -> None:
        """Nothing."""

    def ask_name(self, name: str) -> None:
        """Nothing."""

    def ask_text(self, norm_id: str) -> None:
        """Nothing."""

    def ask_decision(self, name: str) -> None:
        """Nothing."""

    def ask_docket(self, key: str) -> None:
        """Nothing."""


@lru_cache(maxsize=_MOST_KEPT)
def _hash(kind: str, written: str) -> tuple[int, ...]:
    if kind == "law":
        return (_number(kind, fold(written)),)
    if kind == "name":
        return _number(kind, fold_abbreviation(written)), _number(kind, fold_long(written))
    if kind == "decision":
        return (_number(kind, written.casefold()),)
    return (_number(kind, written),)


def _number(kind: str, value: str) -> int:
    return crc32(f"{kind} {value}".encode()) or 1  # 0 says something else


def list_keys(statute: Statute, fold_title: Callable[[str], str]) -> set[int]:
    """The keys of all that a law may answer."""
    keys = {
        *_hash("law", statute.abbreviation),
        *_hash("act", statute.statute_id),
        *(_number("title", fold_title(one)) for one in (statute.title, statute.short_title) if one),
    }
    if statute.issued_on is not None:
        keys |= set(_hash("day", statute.issued_on.isoformat()))
    return keys


def list_decision_keys(names: Iterable[str], dockets: Iterable[str]) -> set[int]:
    """The keys of all that a decision may answer: its id and ECLI, keys of its dockets."""
    named = (("decision", one.casefold()) for one in names)
    keyed = (("docket", one) for one in dockets)
    return {_number(kind, written) for kind, written in (*named, *keyed)}


def hash_text(norm_id: str) -> int:
    """The key of the newest text of a norm."""
    return _number("text", norm_id)


def hash_names(folded: Iterable[str]) -> set[int]:
    """The keys of names that are folded already."""
    return {_number("name", one) for one in folded}


@dataclass(frozen=True, slots=True)
class KeptAsked:
    """The keys of all norms, or of all decisions, of a build by their numbers."""

    starts: "array[int]"  # of each text, and the end of the last
    keys: "array[int]"

    def get(self, number: int) -> "array[int]":
        """The keys of one text."""
        return self.keys[self.starts[number] : self.starts[number + 1]]

    def find_asking(self, keys: Container[int]) -> set[int]:
        """The numbers of the texts that have one of the keys."""
        return {
            bisect_right(self.starts, at) - 1 for at, key in enumerate(self.keys) if key in keys
        }


class AskedWriter:
    """Collects the keys of all norms, or of all decisions, in the order of their numbers."""

    def __init__(self) -> None:
        self._counts = array("H")
        self._keys = array("I")

    def add(self, keys: "array[int]") -> None:
        """The keys of the text that follows."""
        self._counts.append(len(keys))
        self._keys.extend(keys)

    def write(self, database: Path, name: str = FILE) -> None:
        """Keep them beside the database of a build."""
        path = database.with_name(name)
        with path.open("xb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed:
            packed.write(f"{len(self._counts)} {len(self._keys)}\n".encode())
            packed.write(self._counts.tobytes())
            packed.write(self._keys.tobytes())


def read_asked(database: Path, name: str = FILE) -> KeptAsked | None:
    """What was kept beside the database of a build; ``None`` where nothing was."""
    path = database.with_name(name)
    if not path.is_file():
        return None
    counts, keys = array("H"), array("I")
    with gzip.open(path, "rb") as packed:
        count, total = map(int, packed.readline().split())
        counts.frombytes(packed.read(count * counts.itemsize))
        keys.frombytes(packed.read(total * keys.itemsize))
    return KeptAsked(array("q", accumulate(counts, initial=0)), keys)
