"""The series of snapshots that a build speaks for, and what the live build hands on to the next.

A build is never edited. A later snapshot continues the live build's histories in a new build.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest, SnapshotState, SourceState
from fundstelle.corpus.opening import open_whole
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.soundness.check import require_sound
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.graph import asked
from fundstelle.ingest.history.plan import Known, is_full
from fundstelle.ingest.history.snapshots import SpooledSnapshot
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources.registry import FEDERAL_LAW


@dataclass(frozen=True, slots=True)
class Live:
    """The live build that the new one goes on from."""

    manifest: Manifest
    source: SourceState
    database: Path
    known: Known


@dataclass(frozen=True, slots=True)
class Start:
    """What a build is made of: snapshots, oldest first, alone or after the live build.

    Without any snapshot the live build holds all of them already.
    """

    snapshots: tuple[SpooledSnapshot, ...]
    live: Live | None = None


def find_start(data_dir: Path, taken: Sequence[SpooledSnapshot], progress: Progress) -> Start:
    """Whether the snapshots ``taken``, oldest first, continue the live build.

    Without any snapshot the live build's laws are taken over as they are.

    Raises:
        CorpusError: it cannot be read, or which one it is.
        SourceError: there is neither a snapshot nor a live build with laws.
    """
    manifest = _find_live(data_dir)
    states = manifest.sources if manifest else ()
    source = next((s for s in states if s.source_type == FEDERAL_LAW.source_type), None)
    if not taken:
        return _keep(data_dir, manifest, source)
    if manifest is None or source is None:
        return Start(tuple(taken))
    series = list_series(source)
    if all(any(is_of(state, snapshot) for snapshot in taken) for state in series):
        return Start(tuple(taken))  # all that the live build was made of is there again
    new = tuple(s for s in taken if not any(is_of(state, s) for state in series))
    reason = _find_obstacle(manifest, source, taken, new)
    if reason:
        progress.note(f"nothing is carried over from the live build {manifest.release}: {reason}")
        return Start(tuple(taken))
    stand = manifest.stand.isoformat()
    progress.note(f"going on from the live build {manifest.release}, Stand {stand}")
    return Start(new, _open(data_dir, manifest, source))


def _keep(data_dir: Path, manifest: Manifest | None, source: SourceState | None) -> Start:
    reason = builds.tell_other_version(manifest) if manifest is not None else None
    if reason is not None:
        raise SourceError(
            f"nothing can be added to the live build: {reason}; build federal law first with"
            " 'fundstelle ingest', or name a folder that holds both"
        )
    if manifest is None or source is None:
        raise SourceError(
            "there are no laws to go with it; build federal law first with 'fundstelle ingest', or"
            " name a folder that holds both"
        )
    return Start((), _open(data_dir, manifest, source))


def is_of(state: SnapshotState, snapshot: SpooledSnapshot) -> bool:
    """Whether a state says what the snapshot says; of older builds its lists are not known."""
    files = (state.stand, state.sha256) == (snapshot.day, snapshot.sha256)
    return files and state.lists in {"", snapshot.lists}


def list_series(source: SourceState) -> tuple[SnapshotState, ...]:
    """The snapshots of a source, oldest first; one, where the manifest does not list them."""
    alone = SnapshotState(source.name, source.stand, source.sha256, source.items)
    return source.snapshots or (alone,)


def _find_live(data_dir: Path) -> Manifest | None:
    release = builds.get_live(data_dir)
    if release is None:
        return None
    try:
        return builds.read_manifest(builds.get_folder(data_dir, release))
    except CorpusError as error:
        raise CorpusError(
            f"the live build {release} cannot be gone on from ({error}); make another one live with"
            " 'fundstelle corpus activate', or begin anew with 'fundstelle ingest --fresh'"
        ) from None


def _find_obstacle(
    manifest: Manifest,
    source: SourceState,
    taken: Sequence[SpooledSnapshot],
    new: Sequence[SpooledSnapshot],
) -> str | None:
    """Why the live build cannot be continued, if it cannot.

    Raises:
        SourceError: it could, but for the day of the source, and earlier texts would be lost.
    """
    if manifest.schema_version != SCHEMA_VERSION:
        return f"its schema is {manifest.schema_version}, not {SCHEMA_VERSION}"
    if manifest.demonstration != any(snapshot.demonstration for snapshot in taken):
        return "official and invented law are not mixed"
    if new and new[0].day <= manifest.stand:
        _require_no_loss(source, taken, new)
        stand = manifest.stand.isoformat()
        return f"it is of {stand}, and the source is not later ({new[0].day.isoformat()})"
    return None


def _require_no_loss(
    source: SourceState, taken: Sequence[SpooledSnapshot], new: Sequence[SpooledSnapshot]
) -> None:
    """See that earlier texts are not dropped for a second snapshot of the same day.

    Raises:
        SourceError: they would be.
    """
    days = {snapshot.day for snapshot in new}  # a second look on one day takes the first's place
    lost = [
        state
        for state in list_series(source)
        if state.stand not in days and not any(is_of(state, snapshot) for snapshot in taken)
    ]
    if lost:
        raise SourceError(
            f"the source is of {new[0].day.isoformat()}, which is not later than the live build;"
            f" the texts of {lost[0].stand.isoformat()} that it holds would be lost: give a source"
            " of a later day or the whole series, or begin anew with --fresh"
        )


def _open(data_dir: Path, manifest: Manifest, source: SourceState) -> Live:
    folder = builds.get_folder(data_dir, manifest.release)
    require_sound(folder, *builds.DATABASES, asked.FILE)
    database = folder / builds.DATABASE
    try:
        store = open_whole(database)
    except CorpusError as error:
        raise CorpusError(
            f"the live build cannot be carried over ({error}); make another one live with"
            " 'fundstelle corpus activate', or begin anew with 'fundstelle ingest --fresh'"
        ) from error
    statutes = {
        statute.publisher_id: statute
        for statute in store.statutes.values()
        if statute.source_type == source.source_type
    }
    store.close()
    listed = frozenset(statute.slug for statute in statutes.values() if statute.listed)
    contents = None if source.missing is None else listed | frozenset(source.missing)
    return Live(manifest, source, database, Known(statutes, contents))


def describe_source(
    start: Start, failed: Mapping[str, str] | None = None, now: datetime | None = None
) -> SourceState:
    """The whole series of one publisher's snapshots as the manifest quotes it.

    ``failed`` says of sources why they gave nothing; what is held of them stays.
    """
    before = start.live.source if start.live else None
    if before is not None and not start.snapshots:
        problem = (failed or {}).get(before.source_type)
        return replace(before, problem=problem, last_attempt=now) if problem else before
    newest = start.snapshots[-1]
    series = (
        *(list_series(before) if before else ()),
        *(SnapshotState(s.name, s.day, s.sha256, len(s.files), s.lists) for s in start.snapshots),
    )
    whole = _is_whole(start)
    missing = _find_missing(start) if whole else None
    fetched = [snapshot.retrieved_at for snapshot in start.snapshots]
    return SourceState(
        name="Demonstrationsrecht" if newest.demonstration else FEDERAL_LAW.name,
        source_type=FEDERAL_LAW.source_type,
        url=newest.url,
        stand=_find_stand(start),
        items=sum(state.items for state in series),
        sha256=series[0].sha256 if len(series) == 1 else _join_hashes(series),
        retrieved_at=max([*fetched, *([before.retrieved_at] if before else [])]),
        complete=whole and not missing,
        known_gaps=_write_gaps(missing, is_whole=whole),
        snapshots=series,
        missing=missing,
    )


def _find_stand(start: Start) -> date:
    """The newest look at all laws that are held; one at some of them says nothing of the others."""
    held: set[str] = set()
    stand = None
    if start.live is not None:
        stand = start.live.source.stand
        held = {one.slug for one in start.live.known.statutes.values() if one.listed}
    for snapshot in start.snapshots:
        shown = {file.slug for file in snapshot.files}
        if stand is None or not snapshot.partial or snapshot.changes_only or held <= shown:
            stand = snapshot.day
        held |= shown
    assert stand is not None  # there is a snapshot or a live build
    return stand


def _is_whole(start: Start) -> bool:
    """Whether a table of contents has said which laws the publisher had to give."""
    if any(is_full(snapshot) for snapshot in start.snapshots):
        return True
    if start.live is not None:
        return start.live.source.complete or bool(start.live.source.missing)
    return False  # what a source without a table of contents lacks is not known


def _find_missing(start: Start) -> tuple[str, ...] | None:
    """Slugs that the newest table of contents names and no snapshot of the series held."""
    held = {file.slug for snapshot in start.snapshots for file in snapshot.files}
    named: frozenset[str] | None = None
    if start.live is not None:
        held |= {statute.slug for statute in start.live.known.statutes.values()}
        named = start.live.known.contents
    for snapshot in start.snapshots:
        named = named if snapshot.contents is None else snapshot.contents
    return None if named is None else tuple(sorted(named - held))


def _write_gaps(missing: Sequence[str] | None, *, is_whole: bool) -> tuple[str, ...]:
    if not is_whole:
        return ("no table of contents of the publisher says which laws are not in the source",)
    if not missing:
        return ()
    return (f"{len(missing)} laws of the publisher's table of contents are not in the source",)


def _join_hashes(series: Sequence[SnapshotState]) -> str:
    return hashlib.sha256("".join(state.sha256 for state in series).encode()).hexdigest()
