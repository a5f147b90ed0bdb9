"""What the adapter of a source is to the pipeline: how files are read, and how they are fetched.

Adapters are pure but for ``fetch``: files in, records out. A file that cannot be used is a
``RejectedFile``, or a ``Rejected`` among the records; it never ends a build.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from fundstelle.corpus.manifest import OwedDocument, Rejected
from fundstelle.ingest.history.snapshots import Files, Snapshot
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import (
    ParsedAct,
    ParsedDecision,
    ParsedStatute,
    SourceFile,
    StatuteHeader,
    Withdrawn,
)
from fundstelle.ingest.sources.files.download import Downloader


@dataclass(frozen=True, slots=True)
class Order:
    """What to fetch from a publisher."""

    cache: Path  # folder of this source alone
    address: str  # of the service, without a slash at its end
    names: tuple[str, ...] | None = None  # as the publisher has them; None = not by name
    since: date | None = None
    kept: Path | None = None  # folder of what outlasts the cache, in backups; None = the cache
    owed: tuple[OwedDocument, ...] = ()  # what the live build lacks, whatever a note says


@dataclass(frozen=True, slots=True)
class Followed:
    """What a publisher had that is new since a day."""

    files: Files | None  # ``None``: nothing
    asked: int  # documents it was asked for
    new: int  # of them those that came
    problems: tuple[str, ...] = ()  # of those that did not
    withdrawn: tuple[str, ...] = ()  # by their numbers, documents that it no longer has at all


@dataclass(frozen=True, slots=True)
class SnapshotAdapter:
    """Of files that hold a law each, as it was on the day of the snapshot."""

    read_header: Callable[[SourceFile], StatuteHeader]
    parse_statute: Callable[[SourceFile, str, str, date], ParsedStatute]  # id, abbreviation, day
    fetch: Callable[[Order, Downloader, Progress], Snapshot]


@dataclass(frozen=True, slots=True)
class HeldEdition:
    """A statute of the live build.

    Attributes:
        slug: the publisher's number.
        language: of its text.
        stand: the day of its newest text.
        provisions: how many articles and the like are in force in that.
        read_by: the program that read it; "" = not known.
    """

    slug: str
    language: str
    stand: date
    provisions: int
    read_by: str = ""


Editions = frozenset[tuple[str, str]]
"""Statutes that are held: the publisher's number and the language of each."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """How a later text of a statute that is held goes on from its history.

    Attributes:
        read: later texts of the editions that are held, each by itself, oldest first.
        extend: the statute with one more text; as it is, if that is not later than all it has.
    """

    read: Callable[
        [Iterable[SourceFile], Editions], Iterator[ParsedAct | ParsedDecision | Rejected]
    ]
    extend: Callable[[ParsedAct, ParsedAct], ParsedAct]


@dataclass(frozen=True, slots=True)
class CollectionAdapter:
    """Of files that hold documents in any number; a statute comes with all its fassungen.

    ``fetch`` gives ``None`` if there is nothing to be had. ``follow`` fetches what its publisher
    lists as changed since the day of the order, given the statutes that are held and the time of
    the look; a statute of it takes the place of the one that is held, unless ``continues`` says how
    it goes on from that. A document that is ``Withdrawn``, and is not read anew, counts as removed
    (a statute, of which older texts may then be given) or leaves the build (a decision that no
    other publisher has).
    ``is_shared`` says whether the files behind a file need it; what is in the others does not
    depend on each other, so that several processes read them. ``None``: it does.
    ``publisher`` is the one that ``follow`` asks, as decisions name it (``DecisionSource``): what
    others have decided says nothing of how far its changes are held.
    """

    read: Callable[
        [Iterable[SourceFile]], Iterator[ParsedAct | ParsedDecision | Withdrawn | Rejected]
    ]
    fetch: Callable[[Order, Downloader, Progress], Files | None] | None = None
    follow: (
        Callable[[Order, Sequence[HeldEdition], Downloader, Progress, datetime], Followed] | None
    ) = None
    continues: Continuation | None = None
    is_shared: Callable[[SourceFile], bool] | None = None
    publisher: str | None = None
