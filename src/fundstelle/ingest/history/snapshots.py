"""Snapshots of the publisher's files: what one holds, of which day it is, and its spool.

All files of a snapshot are written one behind the other into one spool file, whatever they came
in; workers read from there by offset. No name out of an archive ever becomes a path.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

import zstandard

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import SourceError
from fundstelle.ingest.history.contents import is_table_of_contents, read_slugs, read_titles
from fundstelle.ingest.records import SourceFile

MAX_FILE_BYTES = 64 * 2**20  # the longest law has 6 MB
MAX_TOTAL_BYTES = 4 * 2**30
MAX_FILES = 200_000

_DAY_IN_NAME = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_BUILD_DAY = re.compile(rb'builddate="(\d{8})\d*"')
_HEAD_BYTES = 2048
_FEW_FILES = 20  # of which one may well be much newer than the rest
_LONGEST_PAUSE = timedelta(days=31)
_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One file as it comes out of a folder or archive.

    ``name`` uses ``/`` and is relative; ``problem`` says why ``data`` could not be read.
    """

    name: str
    data: bytes
    modified: datetime | None = None
    problem: str | None = None


class Files(Protocol):
    """Files of a source, wherever they come from."""

    @property
    def name(self) -> str:
        """What messages call them: "gii-xml.tar.zst"."""

    @property
    def url(self) -> str:
        """Where they can be had."""

    @property
    def retrieved_at(self) -> datetime:
        """When they were fetched, UTC."""

    def entries(self) -> Iterator[SourceEntry]:
        """Every file, once, in any order.

        Raises:
            SourceError: the archive as a whole cannot be read.
        """


class Snapshot(Files, Protocol):
    """The files of one day."""

    @property
    def day(self) -> date | None:
        """Its day if the source itself states it."""

    @property
    def partial(self) -> bool:
        """True: a sample or selection, even if nothing in it says so."""

    @property
    def demonstration(self) -> bool:
        """True: invented law."""


@dataclass(frozen=True, slots=True)
class SpooledFile:
    """Where a file lies in the spool."""

    name: str
    slug: str
    listed: bool
    offset: int
    length: int  # of the file itself
    sha256: str
    packed: int = 0  # bytes of it in the spool, zstandard; 0 = as it is
    built: str = ""  # YYYYMMDD, as the publisher stamped it; "" = it is not

    def read(self, spool: BinaryIO) -> SourceFile:
        """The file itself."""
        spool.seek(self.offset)
        data = spool.read(self.packed or self.length)
        if self.packed:
            data = zstandard.ZstdDecompressor().decompress(data, max_output_size=self.length)
        return SourceFile(self.name, self.slug, data, self.listed)


@dataclass(frozen=True, slots=True)
class SpooledSnapshot:
    """A snapshot as it lies in the spool, its files in the order of their names."""

    name: str
    url: str
    day: date
    retrieved_at: datetime
    spool: Path
    files: tuple[SpooledFile, ...]
    rejected: tuple[Rejected, ...]
    contents: frozenset[str] | None  # slugs of its table of contents, None without one
    removed: frozenset[str]  # document numbers it says have left the table of contents
    added: frozenset[str]  # document numbers it says are new
    sha256: str
    partial: bool
    demonstration: bool
    titles: Mapping[str, str] = field(default_factory=dict)  # by slug, of its table of contents
    lists: str = ""  # as ``SnapshotState`` has it
    changes_only: bool = False  # True: what it does not name was as at the look before
    confirmed: frozenset[str] = frozenset()  # document numbers whose text was as before
    unread: frozenset[str] = frozenset()  # slugs that it lists and that could not be had that day
    listed_then: bool = False  # True: its table of contents is of its own day
    unusable: frozenset[str] = frozenset()  # slugs with a new text that day which is of no use


@dataclass(slots=True)
class _Spooling:
    """What is gathered while a snapshot is read."""

    laws: Collection[str]
    files: list[SpooledFile] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    contents: frozenset[str] | None = None
    titles: dict[str, str] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    modified: set[datetime | None] = field(default_factory=set)
    built: list[tuple[str, SpooledFile]] = field(default_factory=list)  # days of files, as digits
    size: int = 0


def spool(
    snapshot: Snapshot, path: Path, laws: Collection[str], advance: Callable[[int], None]
) -> SpooledSnapshot:
    """Copy a snapshot's laws (all, or those whose slug is in ``laws``) into the new file ``path``.

    Raises:
        SourceError: the source cannot be read, is far too large, or holds no law.
    """
    state = _Spooling(laws)
    with path.open("xb") as target:
        for entry in snapshot.entries():
            _take(entry, state, target, snapshot.name)
            advance(1)
    if not state.files and not state.rejected:
        what = f"none of {', '.join(sorted(laws))}" if laws else "no law (BJNR….xml)"
        raise SourceError(f"{snapshot.name} holds {what}; name a folder or archive of gii-xml")
    if snapshot.day is None:  # else no file dates the others
        _drop_misdated(state)
    files = _unlist(sorted(state.files, key=lambda file: file.name), state.contents)
    return SpooledSnapshot(
        name=snapshot.name,
        url=snapshot.url,
        day=_find_day(snapshot, state),
        retrieved_at=snapshot.retrieved_at,
        spool=path,
        files=files,
        rejected=tuple(state.rejected),
        contents=state.contents,
        removed=state.removed,
        added=state.added,
        sha256=_hash(files),
        partial=snapshot.partial or bool(laws),
        demonstration=snapshot.demonstration,
        titles=state.titles,
        lists=_hash_lists(state),
    )


def _take(entry: SourceEntry, state: _Spooling, target: BinaryIO, source: str) -> None:
    entry = replace(entry, name=escape_name(entry.name))
    path = PurePosixPath(entry.name)
    if path.name == "gii-toc.xml":
        if entry.problem or not is_table_of_contents(entry.data):  # what it lacks would be gone
            raise SourceError(
                f"the table of contents in {source} ({entry.name}) is cut short or names no law:"
                " fetch it again, or take it away"
            )
        state.contents = frozenset(read_slugs(entry.data))
        state.titles = dict(read_titles(entry.data))
    elif path.name.startswith(("unlisted-since-", "new-since-")):
        if entry.problem:
            raise SourceError(
                f"the list {entry.name} in {source} cannot be read ({entry.problem}): what has left"
                " the table of contents would count as law in force"
            )
        numbers = frozenset(entry.data.decode("ascii", "replace").split())
        if path.name.startswith("new-"):
            state.added = numbers
        else:
            state.removed = numbers
    elif entry.problem or (path.suffix == ".xml" and not path.name.startswith("gii-")):
        slug = path.parent.name or path.stem
        if not state.laws or slug in state.laws:
            _take_law(entry, slug, state, target, source)


def _take_law(
    entry: SourceEntry, slug: str, state: _Spooling, target: BinaryIO, source: str
) -> None:
    problem = entry.problem or _find_problem(entry)
    if problem:
        state.rejected.append(Rejected(entry.name, problem))
        return
    state.size += len(entry.data)
    if state.size > MAX_TOTAL_BYTES or len(state.files) >= MAX_FILES:
        raise SourceError(
            f"{source} unpacks to more than {MAX_TOTAL_BYTES >> 30} GB or {MAX_FILES:,} files;"
            " it cannot be an archive of federal law"
        )
    listed = "unlisted" not in PurePosixPath(entry.name).parts
    digest = hashlib.sha256(entry.data).hexdigest()
    place, length = target.tell(), len(entry.data)
    target.write(entry.data)
    built = read_build_day(entry.data)
    file = SpooledFile(entry.name, slug, listed, place, length, digest, built=built)
    state.files.append(file)
    state.modified.add(entry.modified)
    if built:
        state.built.append((built, file))


def read_build_day(data: bytes) -> str:
    """The day on which the publisher says that a file was built, YYYYMMDD; "" = it is not said."""
    stamped = _BUILD_DAY.search(data, 0, _HEAD_BYTES)
    return stamped[1].decode() if stamped else ""


def _find_problem(entry: SourceEntry) -> str | None:
    parts = PurePosixPath(entry.name).parts
    if entry.name.startswith("/") or ".." in parts:
        return "its name points outside the archive"
    if len(entry.data) > MAX_FILE_BYTES:
        return f"it has more than {MAX_FILE_BYTES >> 20} MB"
    return None


def _unlist(files: list[SpooledFile], contents: frozenset[str] | None) -> tuple[SpooledFile, ...]:
    """Laws that a table of contents does not name have left it."""
    if contents is None:
        return tuple(files)
    return tuple(
        file if not file.listed or file.slug in contents else replace(file, listed=False)
        for file in files
    )


def escape_name(name: str) -> str:
    """A file's name as it can be stored and shown: no bytes beside UTF-8, nothing that steers."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in name
    )


def _drop_misdated(state: _Spooling) -> None:
    """Leave out a law that says it was built long after all others: it would date them all.

    The publisher builds some anew every week.
    """
    state.built.sort(key=lambda one: one[0])
    while len(state.built) >= _FEW_FILES:
        (before, _), (newest, file) = state.built[-2:]
        last, day = _parse_day(before), _parse_day(newest)
        if last is None or day is None or day - last <= _LONGEST_PAUSE:
            return
        state.built.pop()
        state.files.remove(file)
        reason = f"it says that it was built on {day}, long after all others ({last})"
        state.rejected.append(Rejected(file.name, reason))


def _find_day(snapshot: Snapshot, state: _Spooling) -> date:
    """The day of a snapshot, which has come.

    Raises:
        SourceError: nothing tells the day, or it is still to come: every text would be of that
            day, and no later source could take its place.
    """
    day = _read_day(snapshot, state)
    if day > datetime.now(UTC).date() + _CLOCKS_DIFFER:
        raise SourceError(
            f"{snapshot.name} says that it is of {day.isoformat()}, a day still to come: put its"
            " real day in its name, such as gii-xml-2026-04-29.tar.zst, or set this machine's clock"
        )
    return day


def _read_day(snapshot: Snapshot, state: _Spooling) -> date:
    """Stated by the source, else in its name, else stamped on all its files, else the newest build.

    Raises:
        SourceError: nothing tells the day.
    """
    if snapshot.day:
        return snapshot.day
    named = _DAY_IN_NAME.search(snapshot.name)
    if named:
        try:
            return date.fromisoformat(named[1])
        except ValueError:
            pass
    built = _parse_day(state.built[-1][0]) if state.built else None
    stamp = next(iter(state.modified)) if len(state.modified) == 1 else None
    # One midnight for every file is a mark somebody set, not the time of an unpacking.
    if stamp and (stamp.hour, stamp.minute, stamp.second) == (0, 0, 0):
        marked = stamp.astimezone(UTC).date()
        if built is None or marked >= built:
            return marked
    if built is None:
        raise SourceError(
            f"{snapshot.name} does not say of which day it is; put the day in its name, such as"
            " gii-xml-2026-04-29.tar.zst"
        )
    return built


def _parse_day(digits: str) -> date | None:
    try:
        return datetime.strptime(digits, "%Y%m%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None


def _hash_lists(state: _Spooling) -> str:
    if state.contents is None and not state.removed and not state.added:
        return "none"
    digest = hashlib.sha256()
    for names in (state.contents or (), state.removed, state.added):
        digest.update(" ".join(sorted(names)).encode() + b"\n")
    return digest.hexdigest()


def _hash(files: tuple[SpooledFile, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name}\0{file.sha256}\n".encode())
    return digest.hexdigest()
