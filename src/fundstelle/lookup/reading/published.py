"""Laws by the page of the gazette on which they were promulgated: ``BGBl. I 2003 S. 102``."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fundstelle.law.citations import GazetteCitation
from fundstelle.law.norms import Statute

_WORDS = re.compile(r"[a-z]+|\d+")
_NO_MARKS = frozenset({"s", "nr"})
_PARTS = frozenset({"i", "ii", "iii"})


@dataclass(frozen=True, slots=True)
class _Publication:
    """Gazette, year and pages in whatever order; the part on its own, since old ones have none."""

    numbers: frozenset[str]
    part: frozenset[str]

    @classmethod
    def read(cls, written: str) -> "_Publication":
        marks = frozenset(_WORDS.findall(written.lower())) - _NO_MARKS
        return cls(marks - _PARTS, marks & _PARTS)

    def answers(self, wanted: "_Publication") -> bool:
        is_part = not self.part or not wanted.part or self.part == wanted.part
        return wanted.numbers <= self.numbers and is_part


class PublishedLaws:
    """The laws of one build by what their publications say, each read once.

    Args:
        statutes: of the build.
    """

    def __init__(self, statutes: Iterable[Statute]) -> None:
        self._by_mark: dict[str, list[tuple[_Publication, Statute]]] = {}
        for statute in statutes:
            if statute.publication:
                publication = _Publication.read(statute.publication)
                for mark in publication.numbers:
                    self._by_mark.setdefault(mark, []).append((publication, statute))

    def find(self, target: GazetteCitation) -> Sequence[Statute]:
        """The laws that were promulgated there, in the order of the build."""
        parts = (target.gazette, target.part, target.year, target.page)
        wanted = _Publication.read(" ".join(filter(None, parts)))
        lists = [self._by_mark.get(mark, []) for mark in wanted.numbers]
        fewest = min(lists, key=len, default=[])
        return [statute for publication, statute in fewest if publication.answers(wanted)]
