"""What goes into a build: collections read, and looks and histories spooled by their days."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from fundstelle.corpus.manifest import Manifest, Rejected
from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection, join
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.looks import (
    Confirmation,
    Dated,
    LawHistory,
    confirm,
    is_demonstration,
    spool_history,
)
from fundstelle.ingest.history.losses import (
    check_collections,
    require_few_withdrawn,
    require_official_law,
    require_successors,
)
from fundstelle.ingest.history.snapshots import SpooledSnapshot, spool
from fundstelle.ingest.progress import Progress


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What a person may ask of a build."""

    laws: tuple[str, ...] = ()  # slugs; empty = all
    allow_rejects: bool = False  # also with too many unusable files
    fresh: bool = False  # carry nothing over from the live build
    guard: tuple[Path, ...] = ()  # files of queries that the ranking must not have learnt from
    processes: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    now: datetime | None = None  # for the manifest; default: the clock
    failed: Mapping[str, str] = field(default_factory=dict)  # source_type: why it gave nothing
    again: bool = False  # also where all of it is held: what is known of days has changed
    base: str | None = None  # the live release that was looked at; None = that at the beginning
    keep: int | None = None  # builds that stay where room is lacking; None = all of them


@dataclass(frozen=True, slots=True)
class Built:
    """What came of a build.

    Attributes:
        manifest: of the build that is live; as it was, where that holds all that could be read.
        unread: why a collection could not be read, by source_type; what is held of it stays.
        rejected: what could not be used of what came now, as well if that was so before.
    """

    manifest: Manifest
    unread: Mapping[str, str]
    rejected: Sequence[Rejected]


def gather(
    sources: Sequence[Dated | Collection], harvest: Harvest, progress: Progress
) -> list[Dated]:
    """Read the collections; the snapshots are given back.

    Of one kind that of the last name is read first, and counts where two have the same document:
    names bear days ("decisions-2024", "decisions-2025").
    """
    collections = [source for source in sources if isinstance(source, Collection)]
    kinds = list(dict.fromkeys(one.source.source_type for one in collections))
    collections.sort(key=lambda one: one.files.name, reverse=True)
    ordered = sorted(collections, key=lambda one: kinds.index(one.source.source_type))
    for collection in join(ordered):
        harvest.gather(collection, progress)
    return [source for source in sources if not isinstance(source, Collection)]


def check_gathered(
    sources: Sequence[Dated | Collection],
    harvest: Harvest,
    data_dir: Path,
    options: BuildOptions,
    progress: Progress,
) -> None:
    """Refuse a source that would empty the next build before the work, not after it."""
    check_collections(harvest, allow_rejects=options.allow_rejects)
    if not options.fresh:
        snapshots = [source for source in sources if not isinstance(source, Collection)]
        require_official_law(data_dir, snapshots)
        demonstration = any(map(is_demonstration, snapshots))
        require_successors(data_dir, harvest, progress, demonstration=demonstration)
        read = (o for o in harvest.withdrawn if harvest.has_read(o.source_type, o.number))
        require_few_withdrawn(data_dir, harvest.withdrawn.difference(read))


def spool_all(
    snapshots: Sequence[Dated], spools: Path, options: BuildOptions, progress: Progress
) -> list[SpooledSnapshot]:
    """All looks in the order of their days.

    Raises:
        SourceError: none holds a law that was asked for.
    """
    taken: list[SpooledSnapshot] = []
    refused = []
    for number, snapshot in enumerate(snapshots):
        place = spools / str(number)
        try:
            taken += _spool_one(snapshot, place, options.laws, progress)
        except SourceError as error:
            # A series may hold a snapshot without the few laws that were asked for.
            if not options.laws or len(snapshots) == 1:
                raise
            refused.append(error)
    if not taken:
        raise refused[0]
    held = {file.slug for snapshot in taken for file in snapshot.files}
    missing = [law for law in options.laws if law not in held]
    if missing:
        raise SourceError(
            f"no snapshot holds {', '.join(missing)}; laws are named as in their address, such as"
            " bgb or sgb_5"
        )
    return sorted(taken, key=lambda snapshot: (snapshot.day, not snapshot.files, snapshot.name))


def _spool_one(
    source: Dated, place: Path, laws: Sequence[str], progress: Progress
) -> Sequence[SpooledSnapshot]:
    if isinstance(source, Confirmation):
        return [confirm(source, place)]
    files = source.files if isinstance(source, LawHistory) else source
    progress.start(f"read {files.name}", 0, "files")
    if isinstance(source, LawHistory):
        return spool_history(source, place, laws, progress.advance)
    return [spool(source, place, laws, progress.advance)]
