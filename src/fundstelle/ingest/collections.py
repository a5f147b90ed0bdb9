"""Collections of documents: what a person carries in or a service gave, before it is read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from fundstelle.ingest.history.snapshots import Files, SourceEntry
from fundstelle.ingest.sources.registry import CollectionSource
from fundstelle.law.sources import Kind


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of one source."""

    source: CollectionSource
    files: Files
    adds: bool = False  # to what the live build holds of that source; else it takes its place


@dataclass(frozen=True, slots=True)
class JoinedFiles:
    """Files of several places that are read as one: earlier texts of an act lie apart from it."""

    parts: tuple[Files, ...]

    @property
    def name(self) -> str:
        """All their names."""
        return " + ".join(part.name for part in self.parts)

    @property
    def url(self) -> str:
        """Where the first can be had."""
        return self.parts[0].url

    @property
    def retrieved_at(self) -> datetime:
        """When the newest of them was fetched."""
        return max(part.retrieved_at for part in self.parts)

    def entries(self) -> Iterator[SourceEntry]:
        """The files of one after those of the other."""
        for part in self.parts:
            yield from part.entries()


def join(collections: Sequence[Collection]) -> list[Collection]:
    """Those of a source whose documents have versions as one; of a document's day the first counts.

    What only adds to the live build stays apart.
    """
    joined: list[Collection] = []
    for collection in collections:
        own = [one for one in collections if one.source is collection.source and not one.adds]
        if collection.adds or Kind.STATUTES not in collection.source.kinds or len(own) == 1:
            joined.append(collection)
        elif collection is own[0]:
            files = JoinedFiles(tuple(one.files for one in own))
            joined.append(Collection(collection.source, files))
    return joined
