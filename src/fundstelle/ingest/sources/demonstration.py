"""The demonstration corpus: three invented laws in the official format, kein geltendes Recht.

Two snapshots a year apart, so that versions, repealed and vanished sections can be tried.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib.resources import files
from importlib.resources.abc import Traversable

from fundstelle.ingest.snapshots import Entry, Snapshot

NOTICE = (
    "DEMONSTRATION CORPUS: three invented laws, kein geltendes Recht. For the real law run"
    " 'fundstelle ingest --source FOLDER|ARCHIVE|URL', put the official archives into a folder"
    " corpus/ beside the checkout, or run 'fundstelle ingest' again where"
    " https://www.gesetze-im-internet.de can be reached."
)


@dataclass(frozen=True, slots=True)
class DemonstrationSnapshot:
    """The invented laws as of one day."""

    day: date
    name: str
    url: str = "https://www.gesetze-im-internet.de/"
    partial: bool = False
    demonstration: bool = True

    @property
    def retrieved_at(self) -> datetime:
        """They are written, not fetched: the beginning of their day."""
        return datetime(self.day.year, self.day.month, self.day.day, tzinfo=UTC)

    def entries(self) -> Iterator[Entry]:
        """Every file."""
        return _walk(_root().joinpath(self.day.isoformat()), "")


def open_snapshots() -> list[Snapshot]:
    """The snapshots of the demonstration corpus, oldest first."""
    days = sorted(child.name for child in _root().iterdir() if child.is_dir())
    return [
        DemonstrationSnapshot(date.fromisoformat(day), f"demonstration corpus {day}")
        for day in days
    ]


def _root() -> Traversable:
    return files("fundstelle.ingest.sources").joinpath("demonstration_data")


def _walk(folder: Traversable, prefix: str) -> Iterator[Entry]:
    for child in sorted(folder.iterdir(), key=lambda child: child.name):
        name = f"{prefix}{child.name}"
        if child.is_dir():
            yield from _walk(child, name + "/")
        elif name.endswith(".xml"):
            yield Entry(name, child.read_bytes())
