"""What a build says of itself: release, sources, Stand, counts, rejected files."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class SourceState:
    """One source as it went into the build."""

    name: str  # "Gesetze im Internet"
    source_type: str  # "gii"
    url: str
    stand: date
    items: int
    sha256: str  # over the names and contents of its files, in order
    retrieved_at: datetime  # when the files were fetched (mtime of an archive), UTC
    complete: bool  # False: only some laws were asked for, or the source is a sample
    known_gaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file that could not be used, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A build's description, stored as ``manifest.json`` beside its files.

    ``release`` is the first 16 hex digits of ``sha256``, which covers what the build holds (not
    when or
    where it was made), so the same input gives the same release.
    """

    release: str
    sha256: str
    stand: date
    archive_floor: date  # oldest day the build can speak for
    built_at: datetime
    schema_version: int
    statutes: int
    norms: int  # provisions, headings not counted
    fassungen: int
    references: int
    characters: int  # of stored text
    sources: tuple[SourceState, ...]
    rejected: tuple[Rejected, ...]
    demonstration: bool = False  # True: invented law, "kein geltendes Recht"
