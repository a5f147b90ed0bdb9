"""Files of a collection on disk, and how some of them are read: here, or in another process."""

import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol, TypeVar

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.history.snapshots import SourceEntry, escape_name
from fundstelle.ingest.lengths import find_excess_of_decision, find_excess_of_norms
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile, Withdrawn
from fundstelle.ingest.sources.registry import CollectionSource
from fundstelle.law.decisions import Decision

Result = TypeVar("Result")

_BATCH_BYTES = 1_000_000
_BATCH_FILES = 100
_SHOWN = 80
_SHARED_TIMES = 4  # a batch has so many times the bytes that are read with each


class Spread(Protocol):
    """Work done somewhere: the results in the order of the jobs, which are taken as needed."""

    def __call__(
        self, work: Callable[..., Result], jobs: Iterable[tuple[Any, ...]], /
    ) -> Iterator[Result]:
        """As ``map``."""


def spread_here(work: Callable[..., Result], jobs: Iterable[tuple[Any, ...]]) -> Iterator[Result]:
    """All of it in this process."""
    return (work(*job) for job in jobs)


class Place(NamedTuple):
    """Where a file lies in the copy on disk."""

    name: str
    offset: int
    length: int
    digest: bytes  # SHA-256
    is_shared: bool  # files behind it are read with it

    def read(self, raw: IO[bytes]) -> SourceFile:
        """The file."""
        raw.seek(self.offset)
        return SourceFile(self.name, self.name.rpartition("/")[0], raw.read(self.length))


@dataclass(frozen=True, slots=True)
class PackedDecision:
    """A decision, and the bytes that it is kept as."""

    decision: Decision
    data: bytes  # of a ParsedDecision


Read = ParsedAct | PackedDecision | Withdrawn | Rejected


def copy_files(
    entries: Iterable[SourceEntry], source: CollectionSource, raw: IO[bytes]
) -> tuple[list[Place], list[Rejected]]:
    """Copy files behind each other; where they are, by name, and which could not be had."""
    is_shared = source.adapter().is_shared
    places, rejected = [], []
    for entry in entries:
        name = escape_name(entry.name)
        if entry.problem:
            rejected.append(Rejected(name, entry.problem))
            continue
        shared = is_shared is not None and is_shared(SourceFile(name, "", entry.data))
        digest = hashlib.sha256(entry.data).digest()
        places.append(Place(name, raw.tell(), len(entry.data), digest, shared))
        raw.write(entry.data)
    raw.flush()
    return sorted(places), rejected


def pack(one: ParsedAct | ParsedDecision | Withdrawn | Rejected) -> Read:
    """What was read, as it goes from process to process and into a spool; no endless names."""
    if isinstance(one, ParsedAct):
        excess = find_excess_of_norms(one.statute, one.norms)
        return one if excess is None else Rejected(one.statute.publisher_id[:_SHOWN], excess)
    if not isinstance(one, ParsedDecision):
        return one
    excess = find_excess_of_decision(one.decision, one.text)
    if excess is not None:
        return Rejected(one.decision.sources[0].publisher_id[:_SHOWN], excess)
    return PackedDecision(one.decision, pickle.dumps(one, pickle.HIGHEST_PROTOCOL))


def read_files(
    source: CollectionSource, raw: Path, shared: Sequence[Place], batch: Sequence[Place]
) -> tuple[int, list[Read]]:
    """What the files of a batch hold, read with the shared ones before them; how many they are."""
    with raw.open("rb") as file:
        files = (place.read(file) for place in (*shared, *batch))
        return len(batch), [pack(one) for one in source.adapter().read(files)]


def spread_reading(
    source: CollectionSource, raw: Path, places: Sequence[Place], spread: Spread
) -> Iterator[tuple[int, list[Read]]]:
    """As ``read_files``, batch by batch in the order of the files.

    A shared file that holds something of its own, if only a reason why it cannot be used, is read
    once and not with others.
    """
    alone: list[Read] = []
    jobs = _iter_jobs(source, raw, places, alone)
    for count, found in spread(read_files, jobs):
        yield count, [*alone, *found]
        alone.clear()
    if alone:  # no file came behind it
        yield 0, alone


def _iter_jobs(
    source: CollectionSource, raw: Path, places: Sequence[Place], alone: list[Read]
) -> Iterator[tuple[CollectionSource, Path, tuple[Place, ...], tuple[Place, ...]]]:
    shared: list[Place] = []
    batch: list[Place] = []
    size, most = 0, _BATCH_BYTES
    for place in places:
        if not place.is_shared:
            batch.append(place)
            size += place.length
        if batch and (place.is_shared or size >= most or len(batch) >= _BATCH_FILES):
            yield source, raw, tuple(shared), tuple(batch)
            batch, size = [], 0
        if place.is_shared:
            _, found = read_files(source, raw, (), (place,))
            alone += found
            shared += [] if found else [place]
            most = max(_BATCH_BYTES, _SHARED_TIMES * sum(one.length for one in shared))
    if batch:
        yield source, raw, tuple(shared), tuple(batch)
