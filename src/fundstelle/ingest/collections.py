"""Collections of documents: what a person carries in or a service gave, before it is read."""

from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Protocol, runtime_checkable

from fundstelle.corpus.manifest import OwedDocument
from fundstelle.ingest.history.snapshots import Files
from fundstelle.ingest.sources.adapter import Editions
from fundstelle.ingest.sources.files.joined import JoinedFiles
from fundstelle.ingest.sources.registry import CollectionSource
from fundstelle.law.sources import Kind


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of one source."""

    source: CollectionSource
    files: Files
    adds: bool = False  # to what the live build holds of that source; else it takes its place
    held: Editions = frozenset()  # statutes of the live build whose later texts are in the files
    # when its publisher was asked for all that it has, or has changed; None = for some of it alone,
    # or nobody asked
    looked_on: date | None = None


@runtime_checkable
class Owing(Protocol):
    """Files of a publisher that still owes others, or gave what it had owed.

    Until a build holds them, both are asked for again. What is owed then is said by the build, too:
    an earlier one, that was made live again, has its own.
    """

    def list_owed(self) -> tuple[OwedDocument, ...]:
        """What is still owed, once a build holds the rest."""
        ...

    def settle(self) -> None:
        """Write down what is still owed, now that a build holds the rest."""
        ...


def settle(sources: Iterable[object], failed: Container[str]) -> None:
    """What the files of a build that is live settle; not those of sources that ``failed``.

    A note that cannot be written is the one of before: what it names is asked for once more.
    """
    for one in sources:
        if isinstance(one, Collection) and one.source.source_type not in failed:
            with suppress(OSError):
                if isinstance(one.files, Owing):
                    one.files.settle()


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
