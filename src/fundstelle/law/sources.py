"""What a source of law is: its name, what it holds, and the terms under which its texts are given.

The sources themselves are declared in ``ingest.sources.registry``; what answers questions is given
them with the build (``lookup.library``).
"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What may come out of the files of a source."""

    STATUTES = "statutes"
    DECISIONS = "decisions"
    SENTENCES = "sentences"  # labelled, of no decision: the ranking learns from them


@dataclass(frozen=True, slots=True)
class Selection:
    """A value of the filter ``source_type``, and in words what it selects."""

    value: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of law. Its statutes have ids below its jurisdiction: ``de/bgb``."""

    selections: tuple[Selection, ...]  # 1..n; the first bears the name that manifests have
    name: str  # "Gesetze im Internet"
    url: str
    jurisdiction: str  # "de", "eu", "de_by" (``law.lands``)
    kinds: frozenset[Kind]
    licence: str  # one line, for whoever passes its texts on

    @property
    def source_type(self) -> str:
        """What manifests, and its statutes, call it: ``gii``."""
        return self.selections[0].value

    def is_called(self, value: str) -> bool:
        """Whether that value of the filter selects something of it."""
        return any(selection.value == value for selection in self.selections)
