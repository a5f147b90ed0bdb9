"""The demonstration corpus: invented laws and decisions in the official formats.

Kein geltendes Recht. Two snapshots of the laws a year apart, so that versions, repealed and
vanished sections can be tried; two decisions that cite them and each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot, SourceEntry
from fundstelle.ingest.sources.registry import COURTS, FEDERAL_LAW

_DECISIONS = "decisions"

NOTICE = (
    "DEMONSTRATION CORPUS: invented laws and decisions, kein geltendes Recht. For the real law run"
    " 'fundstelle ingest --source FOLDER|ARCHIVE|URL', put the official archives into a folder"
    " corpus/ beside the checkout, or run 'fundstelle ingest' again where"
    " https://www.gesetze-im-internet.de can be reached."
)


@dataclass(frozen=True, slots=True)
class DemonstrationSnapshot:
    """The invented laws as of one day."""

    day: date
    name: str
    url: str = FEDERAL_LAW.url
    partial: bool = False
    demonstration: bool = True

    @property
    def retrieved_at(self) -> datetime:
        """They are written, not fetched: the beginning of their day."""
        return datetime(self.day.year, self.day.month, self.day.day, tzinfo=UTC)

    def entries(self) -> Iterator[SourceEntry]:
        """Every file."""
        return _walk(_root().joinpath(self.day.isoformat()), "")


@dataclass(frozen=True, slots=True)
class DemonstrationDecisions:
    """The invented decisions."""

    name: str = "demonstration decisions"
    url: str = "https://example.org/"
    retrieved_at: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def entries(self) -> Iterator[SourceEntry]:
        """Every file."""
        return _walk(_root().joinpath(_DECISIONS), "")


def open_all() -> list[Snapshot | Collection]:
    """The demonstration corpus."""
    return [*open_snapshots(), open_decisions()]


def is_in(path: Path) -> bool:
    """Whether a path is the folder of the demonstration corpus, or one in it."""
    return path.resolve().is_relative_to(Path(str(_root())).resolve())


def open_decisions() -> Collection:
    """The decisions of the demonstration corpus."""
    return Collection(COURTS, DemonstrationDecisions())


def open_snapshots() -> list[Snapshot]:
    """The snapshots of the demonstration corpus, oldest first."""
    days = sorted(child.name for child in _root().iterdir() if child.name[:1].isdigit())
    return [
        DemonstrationSnapshot(date.fromisoformat(day), f"demonstration corpus {day}")
        for day in days
    ]


def _root() -> Traversable:
    return files("fundstelle.ingest.sources").joinpath("demonstration_data")


def _walk(folder: Traversable, prefix: str) -> Iterator[SourceEntry]:
    for child in sorted(folder.iterdir(), key=lambda child: child.name):
        name = f"{prefix}{child.name}"
        if child.is_dir():
            yield from _walk(child, name + "/")
        elif name.endswith(".xml"):
            yield SourceEntry(name, child.read_bytes())
