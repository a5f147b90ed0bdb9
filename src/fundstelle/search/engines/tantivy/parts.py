"""An index of two parts: the norms, and the decisions, which the next build may have just the same.

Each part is one segment of tantivy's, written as an index of its own and then put together: what
``meta.json`` lists is searched as one, with the frequencies and the lengths of both. Decisions are
numbered from 0, so that their part does not change where norms come or go, and two indexes may
share it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fundstelle.sharing import share

_META, _MANAGED = "meta.json", ".managed.json"
_FILE = "decisions.json"  # beside them


@dataclass(frozen=True, slots=True)
class DecisionPart:
    """Where the decisions of an index are: their segment, and the ordinals that they have."""

    segment: str  # id, as ``meta.json`` has it
    norms: int  # which come before them
    count: int

    @property
    def ordinals(self) -> range:
        """Those of the decisions."""
        return range(self.norms, self.norms + self.count)

    @classmethod
    def find(cls, folder: Path) -> "DecisionPart | None":
        """That of the index in ``folder``; ``None`` if it has none, or is one of before."""
        path = folder / _FILE
        if not path.is_file():
            return None
        read = json.loads(path.read_text(encoding="utf-8"))
        return cls(str(read["segment"]), int(read["norms"]), int(read["count"]))


def join(part: Path, folder: Path, norms: int) -> None:
    """Put the one segment of the index in ``part`` behind those of the one in ``folder``."""
    held = _read(part / _META)["segments"]
    if held:  # an index without documents has no segment
        _add(part, folder, held[0], norms)


def take(other: Path, folder: Path, norms: int) -> None:
    """Put the decisions of the index in ``other`` behind the norms of the one in ``folder``."""
    found = DecisionPart.find(other)
    assert found is not None  # who asks has looked
    held = _read(other / _META)["segments"]
    _add(other, folder, next(one for one in held if one["segment_id"] == found.segment), norms)


def _add(source: Path, folder: Path, segment: Any, norms: int) -> None:
    """The files of a segment, and its lines."""
    stem = segment["segment_id"].replace("-", "")
    names = sorted(path.name for path in source.glob(f"{stem}.*"))
    for name in names:
        share(source / name, folder / name)
    meta = _read(folder / _META)
    meta["segments"].append(segment)
    _write(folder / _META, meta)
    _write(folder / _MANAGED, [*_read(folder / _MANAGED), *names])
    named = {"segment": segment["segment_id"], "norms": norms, "count": segment["max_doc"]}
    _write(folder / _FILE, named)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
