"""The folder that the counters of several workers lie in, and those of servers that were killed.

```text
<memory>/fundstelle-metrics-<random>/
    held                 locked by every process that counts here; the system unlocks it with them
    <kind>_<pid>.db      mapped into the worker of that pid
    <kind>_ended.db      what workers that have ended had counted; its room is taken beforehand
    sums                 locked while a worker's figures go there, so that none count twice
```

A pid says nothing of a process of another container, nor of one that came after: a lock does.
"""

import fcntl
import os
import shutil
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from prometheus_client.mmap_dict import MmapedDict

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""In the environment: read by ``prometheus_client`` when workers import it, one file a process."""

_MEMORY = Path("/dev/shm")  # noqa: S108 -- the folder made in there is private
_ROOM = 32 << 20  # bytes: files of counters for a few dozen workers
_PREFIX = "fundstelle-metrics-"
_HELD = "held"
_SUMS = "sums"
_ROOM_OF_SUMS = {"counter": 256 << 10, "histogram": 1 << 20}  # bytes; all labels there are


@contextmanager
def counting(memory: Path = _MEMORY) -> Iterator[Path]:
    """A new folder for a server and its workers, removed at the end."""
    place = find_memory(memory)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=place) as name:
        folder = Path(name)
        draft = folder / f"{_HELD}.new"
        descriptor = os.open(draft, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            for kind, room in _ROOM_OF_SUMS.items():
                _reserve(_name_sums(folder, kind), room)
            draft.rename(folder / _HELD)  # locked before anybody can see it
            yield folder
        finally:
            os.close(descriptor)


def hold() -> None:
    """Keep the folder that this worker counts in for as long as the worker lives."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return
    with suppress(OSError):  # it is as before: the folder goes with the parent
        descriptor = os.open(Path(folder) / _HELD, os.O_RDONLY)  # closed by the system
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


@contextmanager
def locked_sums(folder: Path, *, reads: bool = True) -> Iterator[None]:
    """While counters are read, or go from a worker to the sums: each counts once."""
    descriptor = os.open(folder / _SUMS, os.O_RDONLY | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH if reads else fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def bury(folder: Path, pid: int) -> None:
    """Add what a worker that has ended had counted to the sums, and let go of its files.

    Each renewal would leave some behind, and a memory that is full ends every worker.
    """
    with locked_sums(folder, reads=False):
        for path in folder.glob(f"*_{pid}.db"):
            kind = path.name.partition("_")[0]
            if kind in _ROOM_OF_SUMS:
                with suppress(RuntimeError, ValueError, struct.error):  # it ended as it wrote
                    _add(path, _name_sums(folder, kind))
            path.unlink()


def _name_sums(folder: Path, kind: str) -> Path:
    return folder / f"{kind}_ended.db"


def _reserve(path: Path, room: int) -> None:
    with path.open("xb") as file:
        if hasattr(os, "posix_fallocate"):  # a file without its room ends who writes into it
            os.posix_fallocate(file.fileno(), 0, room)
        else:
            file.truncate(room)


def _add(path: Path, sums: Path) -> None:
    counted = list(MmapedDict.read_all_values_from_file(str(path)))  # type: ignore[no-untyped-call]  # shipped untyped
    held = MmapedDict(str(sums))  # type: ignore[no-untyped-call]
    try:
        for key, value, moment, _ in counted:
            before, _ = held.read_value(key)  # type: ignore[no-untyped-call]
            held.write_value(key, before + value, moment)  # type: ignore[no-untyped-call]
    finally:
        held.close()  # type: ignore[no-untyped-call]


def discard_leftovers(memory: Path = _MEMORY) -> None:
    """Remove the folders of this user's servers of which no process is left."""
    for place in {memory, Path(tempfile.gettempdir())}:
        for folder in place.glob(f"{_PREFIX}*"):
            with suppress(OSError):  # it belongs to others, or another server was first
                _discard(folder)


def _discard(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        return
    descriptor = os.open(folder / _HELD, os.O_RDONLY | os.O_NOFOLLOW)  # without it: just made
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def find_memory(memory: Path = _MEMORY) -> str | None:
    """Where the workers' counters are kept: in memory, if the system has a folder of that kind.

    The counters are files mapped into the workers. A disk that is full would end a worker at the
    next counter; ``None`` = the folder for temporary files has to do.
    """
    try:
        has_room = memory.is_dir() and shutil.disk_usage(memory).free >= _ROOM
    except OSError:
        return None
    return str(memory) if has_room and os.access(memory, os.W_OK | os.X_OK) else None
