"""An index of several parts: the norms, and decisions, of which the next build may have some alike.

Each part is one segment of tantivy's, written as an index of its own and then put together: what
``meta.json`` lists is searched as one, with the frequencies and the lengths of all. A decision has
a number of its part and its place in it, so that a part does not change where norms or other
decisions come or go, and two indexes may share it; which ordinals they have stands beside it.
"""

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from fundstelle.errors import CorpusError
from fundstelle.search.engines.stages.texts import Numbers
from fundstelle.search.meaning.arrays import ArrayFolder
from fundstelle.sharing import share

_META, _MANAGED = "meta.json", ".managed.json"
_FILE = "decisions.json"  # beside them
_BITS = 32  # of a number, for the place in the part


@dataclass(frozen=True, slots=True)
class _Arrays(ArrayFolder):
    NAME = "decisions"

    ordinals: npt.NDArray[np.uint32]  # of each decision, part by part, from the first one's on


@dataclass(frozen=True, slots=True)
class _Part:
    part: int
    segment: str  # id, as ``meta.json`` has it
    count: int


def number_of(part: int, place: int) -> int:
    """What a decision is known by in its part."""
    return part << _BITS | place


class DecisionParts:
    """Where the decisions of an index are, and which ordinals they have."""

    def __init__(self, norms: int, parts: Sequence[_Part], ordinals: Numbers) -> None:
        self.norms = norms  # which come before them
        self._parts = {one.part: one for one in parts}
        self._ordinals = ordinals
        self._starts = np.cumsum([0, *(one.count for one in parts)])
        self._names = np.array([one.part for one in parts], np.int64)  # ascending
        self._places: Numbers | None = None

    @classmethod
    def find(cls, folder: Path) -> Self | None:
        """Those of the index in ``folder``; ``None`` if it has none, or is one of before."""
        path = folder / _FILE
        if not path.is_file():
            return None
        read = _read(path)
        norms = int(read["norms"])
        if "segment" in read:  # written when all were one part, in the order of their ordinals
            count = int(read["count"])
            only = _Part(0, str(read["segment"]), count)
            return cls(norms, (only,), norms + np.arange(count))
        parts = [
            _Part(int(part), str(segment), int(count)) for part, segment, count in read["parts"]
        ]
        arrays = _Arrays.read(folder)
        if arrays is None or len(arrays.ordinals) != sum(one.count for one in parts):
            raise CorpusError("the search index does not say which decisions it has; build again")
        return cls(norms, parts, arrays.ordinals.astype(np.int64) + norms)

    @property
    def names(self) -> frozenset[int]:
        """The numbers of the parts."""
        return frozenset(self._parts)

    @property
    def is_one(self) -> bool:
        """Whether all are in one part, so that the segments have the order of ordinals."""
        return len(self._parts) < 2

    def find_segment(self, part: int) -> str:
        """The id of a part's segment."""
        return self._parts[part].segment

    def list_ordinals(self, part: int) -> Numbers:
        """The ordinals of a part's decisions, ascending."""
        at = int(np.searchsorted(self._names, part))
        return self._ordinals[self._starts[at] : self._starts[at + 1]]

    def read(self, numbers: Sequence[int]) -> list[int]:
        """The ordinals of decisions by their numbers."""
        known = np.array(numbers, np.int64)
        starts = self._starts[np.searchsorted(self._names, known >> _BITS)]
        found: list[int] = self._ordinals[starts + (known & (1 << _BITS) - 1)].tolist()
        return found

    def number(self, ordinals: Sequence[int]) -> list[int]:
        """The numbers of decisions by their ordinals; of those that are none, nothing."""
        if self._places is None:
            self._places = np.empty(len(self._ordinals), np.int64)
            self._places[self._ordinals - self.norms] = np.arange(len(self._ordinals))
        wanted = np.array(ordinals, np.int64) - self.norms
        places = self._places[wanted[(wanted >= 0) & (wanted < len(self._places))]]
        at = np.searchsorted(self._starts, places, side="right") - 1
        numbers: list[int] = (self._names[at] << _BITS | places - self._starts[at]).tolist()
        return numbers


class Joining:
    """Puts parts behind the norms of an index, one by one, in the order of their numbers."""

    def __init__(self, folder: Path, norms: int) -> None:
        self._folder, self._norms = folder, norms
        self._parts: list[_Part] = []
        self._ordinals = array("I")

    def join(self, source: Path, part: int, ordinals: Sequence[int]) -> None:
        """The one segment of the index in ``source``, which has these decisions."""
        (segment,) = _read(source / _META)["segments"]
        self._add(source, segment, part, ordinals)

    def take(self, other: Path, part: int, ordinals: Sequence[int]) -> None:
        """A part of the index in ``other``.

        Raises:
            CorpusError: it has not as many decisions.
        """
        found = DecisionParts.find(other)
        assert found is not None  # who asks has looked
        wanted, held = found.find_segment(part), _read(other / _META)["segments"]
        segment = next(one for one in held if one["segment_id"] == wanted)
        self._add(other, segment, part, ordinals)

    def _add(self, source: Path, segment: Any, part: int, ordinals: Sequence[int]) -> None:
        """The files of a segment, and its lines."""
        if segment["max_doc"] != len(ordinals):
            raise CorpusError("a part of the search index has other decisions; build again")
        stem = segment["segment_id"].replace("-", "")
        names = sorted(path.name for path in source.glob(f"{stem}.*"))
        for name in names:
            share(source / name, self._folder / name)
        meta = _read(self._folder / _META)
        meta["segments"].append(segment)
        _write(self._folder / _META, meta)
        _write(self._folder / _MANAGED, [*_read(self._folder / _MANAGED), *names])
        self._parts.append(_Part(part, segment["segment_id"], len(ordinals)))
        self._ordinals.extend(ordinals)

    def finish(self) -> None:
        """Say which decisions there are; nothing where there are none.

        Raises:
            CorpusError: parts came in another order, or a decision came twice or not at all.
        """
        if not self._parts:
            return
        names = [one.part for one in self._parts]
        ordinals = np.frombuffer(self._ordinals, np.uint32).astype(np.int64) - self._norms
        is_whole = np.array_equal(np.sort(ordinals), np.arange(len(ordinals)))
        if not is_whole or names != sorted(set(names)):
            raise CorpusError("the parts of the search index do not have each decision once")
        _Arrays(ordinals.astype(np.uint32)).write(self._folder)
        parts = [(one.part, one.segment, one.count) for one in self._parts]
        _write(self._folder / _FILE, {"norms": self._norms, "parts": parts})


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
