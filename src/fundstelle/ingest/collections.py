"""Collections of documents: what a person carries in or a service gave, before it is read."""

from dataclasses import dataclass

from fundstelle.ingest.history.snapshots import Files
from fundstelle.ingest.sources.registry import CollectionSource


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of one source."""

    source: CollectionSource
    files: Files
    adds: bool = False  # to what the live build holds of that source; else it takes its place
