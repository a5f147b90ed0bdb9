"""Collections of decisions and EU acts: what a person carries in, before anything is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from fundstelle.ingest.history.snapshots import SourceEntry

LAWS = "gii"
DECISIONS = "rechtsprechung"
ACTS = "eurlex"
NAMES = {DECISIONS: "Rechtsprechung", ACTS: "EUR-Lex"}
_PREFIXES = {"decisions": DECISIONS, "rechtsprechung": DECISIONS, "eurlex": ACTS}


class Files(Protocol):
    """The files of a collection, wherever they come from (``ingest.sources.files.archives``)."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def retrieved_at(self) -> datetime:
        """When its files were fetched, UTC."""

    def entries(self) -> Iterator[SourceEntry]:
        """Every file, once, in any order.

        Raises:
            SourceError: the archive as a whole cannot be read.
        """


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of one source; ``source_type`` is ``DECISIONS`` or ``ACTS``."""

    source_type: str
    files: Files
    url: str
    adds: bool = False  # to what the live build holds of that source; else it takes its place


def find_source_type(name: str) -> str | None:
    """What a file or folder of that name holds: ``decisions….tar.zst``, ``eurlex/``."""
    return next((kind for prefix, kind in _PREFIXES.items() if name.startswith(prefix)), None)
