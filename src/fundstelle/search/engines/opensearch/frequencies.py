"""How often terms and values stand in an index, in two files beside it.

Reading a question asks for dozens of them, undoing a slip of the finger for thousands: none may
cost a round trip. Terms are kept as hashes of 64 bits in ascending order; of a million terms two
share one with a probability of 3 in 100 million.
"""

import json
from bisect import bisect_left
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import Self

import numpy as np

_HASHES, _COUNTS, _FACTS = "hashes.npy", "counts.npy", "facts.json"
FOLDER = "frequencies"


class Frequencies:
    """The counts of one index, read from its files.

    ``texts`` are all, with those that are never found; ``worded`` hold a term at least;
    ``searchable`` can be found. ``factor`` is what scores of the index lack.
    """

    def __init__(self, folder: Path) -> None:
        held = folder / FOLDER
        facts = json.loads((held / _FACTS).read_text(encoding="utf-8"))
        self.index: str = facts["index"]
        self.shards: int = facts["shards"]
        self.factor: float = facts["factor"]
        self.texts: int = facts["texts"]
        self.worded: int = facts["worded"]
        self.searchable: int = facts["searchable"]
        self._values: dict[str, dict[str, int]] = facts["values"]
        self._hashes = memoryview(np.load(held / _HASHES, mmap_mode="r"))
        self._counts = memoryview(np.load(held / _COUNTS, mmap_mode="r"))

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether there are some in ``folder``."""
        return (folder / FOLDER / _FACTS).is_file()

    @staticmethod
    def find_index(folder: Path) -> str | None:
        """The index that those in ``folder`` are of, ``None`` if that cannot be read."""
        try:
            facts = json.loads((folder / FOLDER / _FACTS).read_text(encoding="utf-8"))
            return str(facts["index"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def count(self, term: str) -> int:
        """In how many texts a term stands."""
        wanted = _hash(term)
        at = bisect_left(self._hashes, wanted)
        if at == len(self._hashes) or self._hashes[at] != wanted:
            return 0
        return int(self._counts[at])

    def count_value(self, field: str, value: str) -> int:
        """How many texts have a value in a field of ``VALUES``."""
        return self._values.get(field, {}).get(value, 0)


class FrequencyCounter:
    """Counts while an index is written."""

    def __init__(self) -> None:
        self.texts = self.worded = self.searchable = 0
        self._terms: Counter[str] = Counter()
        self._values: dict[str, Counter[str]] = {}

    def add(
        self, terms: str = "", values: tuple[tuple[str, str], ...] = (), *, searchable: bool
    ) -> None:
        """One text."""
        words = terms.split()
        self.texts += 1
        self.searchable += searchable
        self.worded += bool(words)
        self._terms.update(set(words))
        for field, value in values:
            self._values.setdefault(field, Counter())[value] += 1

    def write(self, folder: Path, index: str, shards: int, factor: float) -> Self:
        """Keep them beside the name of the index that they are of, and how that scores."""
        (held := folder / FOLDER).mkdir()
        hashed = sorted((_hash(term), count) for term, count in self._terms.items())
        np.save(held / _HASHES, np.array([one for one, _ in hashed], np.uint64))
        np.save(held / _COUNTS, np.array([count for _, count in hashed], np.uint32))
        facts = {
            "index": index,
            "shards": shards,
            "factor": factor,
            "texts": self.texts,
            "worded": self.worded,
            "searchable": self.searchable,
            "values": self._values,
        }
        (held / _FACTS).write_text(
            json.dumps(facts, ensure_ascii=False, indent=1), encoding="utf-8"
        )
        return self


def _hash(term: str) -> int:
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")
