"""Files of several places as if they were of one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from fundstelle.ingest.history.snapshots import Files, SourceEntry


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
