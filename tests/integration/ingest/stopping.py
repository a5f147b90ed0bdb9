"""Stops a run at its n-th write, as ``kill -9``, a bad or full disk and a power cut do.

Counted is what this thread does through Python's doors to files below one folder: open for
writing, write, rename, link, remove, make a folder, wait for the disk. SQLite and native code
write past them, into files that nothing speaks of yet.
"""

import builtins
import errno
import gc
import io
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Self, TypeVar

import pytest

from fundstelle.corpus import publishing
from fundstelle.corpus.exchange import exchange
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.build import pipeline, workers
from fundstelle.ingest.build.pool import Pool
from fundstelle.ingest.history.commencing import read_records

STOPS = "FUNDSTELLE_STOPS"
"""In the environment: ``each`` stops at every write in one way, ``all`` in all of them."""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_TAKE_ROOM = frozenset({"open", "write", "mkdir"})

Result = TypeVar("Result")


class Stopped(BaseException):
    """The process is no more: nothing of what it would do from here on is done."""


class Stop(Enum):
    """What happens at the n-th write."""

    KILLED = "killed before it"
    TORN = "killed within it: half of the bytes are there"
    POWER = "a power cut: of what nobody waited for half is there"
    REFUSED = "the disk refuses this one"
    FULL = "the disk is full from here on"


_ENDS = frozenset({Stop.KILLED, Stop.TORN, Stop.POWER})


@dataclass
class Doors:
    """The doors to the files below ``root``."""

    root: Path
    at: int = 0  # 0 = nothing is stopped
    stop: Stop = Stop.KILLED
    passed: list[str] = field(default_factory=list)  # what went through, in words
    is_over: bool = False
    _unsynced: set[str] = field(default_factory=set)
    _thread: int = field(default_factory=threading.get_ident)

    def go(
        self,
        what: str,
        path: str,
        do: Callable[[], Result],
        half: Callable[[], object] = lambda: None,
    ) -> Result:
        """Do something to a file, unless it is the one to stop at, or is behind that."""
        if threading.get_ident() != self._thread or not self.covers(path):
            return do()
        if not self.is_over:
            self.passed.append(f"{what} {path.removeprefix(f'{self.root}/')}")
            self.is_over = len(self.passed) == self.at
            if self.is_over:
                self._stop_at(half)
        elif self.stop in _ENDS:
            raise Stopped
        elif self.stop is Stop.FULL and what in _TAKE_ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        return do()

    def _stop_at(self, half: Callable[[], object]) -> None:
        if self.stop not in {Stop.KILLED, Stop.POWER}:
            half()
        if self.stop is Stop.POWER:
            for path in self._unsynced:
                with suppress(OSError):
                    os.truncate(path, Path(path).stat().st_size // 2)
        if self.stop in _ENDS:
            raise Stopped
        number = errno.ENOSPC if self.stop is Stop.FULL else errno.EIO
        raise OSError(number, os.strerror(number), str(self.root))

    def covers(self, path: str) -> bool:
        return path.startswith(f"{self.root}/")

    def note_written(self, path: str) -> None:
        self._unsynced.add(path)

    def note_synced(self, path: str) -> None:
        self._unsynced.discard(path)

    def note_moved(self, before: str, after: str) -> None:
        """A file or a folder; what lies in it goes with it."""
        self._unsynced.discard(after)
        for path in [one for one in self._unsynced if f"{one}/".startswith(f"{before}/")]:
            self._unsynced.discard(path)
            self._unsynced.add(after + path.removeprefix(before))


class _File:
    """A file that is open for writing."""

    def __init__(self, file: Any, path: str, doors: Doors) -> None:
        self._file, self._path, self._doors = file, path, doors

    def write(self, data: Any) -> Any:
        def write_half() -> None:
            self._file.write(data[: len(data) // 2])
            self._file.flush()

        done = self._doors.go("write", self._path, lambda: self._file.write(data), write_half)
        self._doors.note_written(self._path)
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)


def _find(place: Any, dir_fd: int | None = None) -> str:
    """The whole name of a file, also of one that is open, or lies in a folder that is."""
    if isinstance(place, int):
        return str(Path(f"/proc/self/fd/{place}").readlink())
    name = Path(os.fsdecode(place))
    if dir_fd is not None:
        return str(Path(f"/proc/self/fd/{dir_fd}").readlink() / name)
    return str(name.absolute())


@contextmanager
def guarding(doors: Doors) -> Iterator[Doors]:
    """As long as the block lasts, whatever this thread writes goes through these doors."""
    with pytest.MonkeyPatch.context() as patched:
        _guard_files(patched, doors)
        _guard_names(patched, doors)
        yield doors


def _guard_files(patched: pytest.MonkeyPatch, doors: Doors) -> None:
    opened, by_descriptor, sync, write_at = io.open, os.open, os.fsync, os.pwrite

    def open_file(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        if not set(mode) & set("wax+"):
            return opened(file, mode, *rest, **named)
        path = _find(file)
        if isinstance(file, int):  # it went through the door below
            return _File(opened(file, mode, *rest, **named), path, doors)
        return doors.go(
            "open", path, lambda: _File(opened(file, mode, *rest, **named), path, doors)
        )

    def open_descriptor(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if not flags & _WRITES:
            return by_descriptor(path, flags, *rest, **named)
        return doors.go(
            "open",
            _find(path, named.get("dir_fd")),
            lambda: by_descriptor(path, flags, *rest, **named),
        )

    def fsync(file: Any) -> None:
        path = _find(file if isinstance(file, int) else file.fileno())
        doors.go("fsync", path, lambda: sync(file))
        doors.note_synced(path)

    def pwrite(file: int, data: Any, at: int) -> int:
        path = _find(file)
        done = doors.go(
            "write",
            path,
            lambda: write_at(file, data, at),
            lambda: write_at(file, data[: len(data) // 2], at),
        )
        doors.note_written(path)
        return done

    patched.setattr(io, "open", open_file)
    patched.setattr(builtins, "open", open_file)
    patched.setattr(os, "open", open_descriptor)
    patched.setattr(os, "fsync", fsync)
    patched.setattr(os, "pwrite", pwrite)


def _guard_names(patched: pytest.MonkeyPatch, doors: Doors) -> None:
    def guard_move(name: str) -> None:
        do = getattr(os, name)

        def move(before: Any, after: Any, **named: Any) -> None:
            paths = _find(before), _find(after)
            doors.go(name, paths[1], lambda: do(before, after, **named))
            doors.note_moved(*paths)

        patched.setattr(os, name, move)

    def guard(name: str) -> None:
        do = getattr(os, name)

        def change(path: Any, *rest: Any, **named: Any) -> None:
            found = _find(path, named.get("dir_fd"))
            doors.go(name, found, lambda: do(path, *rest, **named))

        patched.setattr(os, name, change)

    for name in ("replace", "rename", "link"):
        guard_move(name)
    for name in ("unlink", "remove", "mkdir", "rmdir", "ftruncate", "truncate"):
        guard(name)
    swap = exchange
    patched.setattr(
        publishing,
        "exchange",
        lambda one, other: doors.go("exchange", str(other), lambda: swap(one, other)),
    )


def count(root: Path, run: Callable[[], object]) -> list[str]:
    """What a run writes that nobody stops."""
    with guarding(Doors(root)) as doors:
        run()
    return doors.passed


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended that was stopped."""

    stop: Stop
    place: str  # the write at which it was
    error: str | None  # what was raised, but for ``Stopped``
    result: object = None


def stop_at(root: Path, at: int, stop: Stop, run: Callable[[], object]) -> Ended:
    """Run until the write of this number, from 1 on."""
    result: object = None
    error: str | None = None
    with guarding(Doors(root, at, stop)) as doors:
        try:
            result = run()
        except Stopped:
            pass
        except Exception as raised:  # noqa: BLE001 what it is the test looks at
            error = str(raised)
    assert doors.is_over, f"it had {len(doors.passed)} writes alone"
    return Ended(stop, doors.passed[-1], error, result)


def choose(writes: int, stride: int) -> Iterator[tuple[int, Stop]]:
    """At which writes to stop, and how: with a stride that is prime to the kinds all of them."""
    kinds, how = list(Stop), os.environ.get(STOPS)
    if how == "all":
        yield from ((at, stop) for at in range(1, writes + 1) for stop in kinds)
        return
    for number, at in enumerate(range(1, writes + 1, 1 if how == "each" else stride)):
        yield at, kinds[number % len(kinds)]


_opened: list[WholeStore] = []


def _open(database: Path, **named: bool) -> WholeStore:
    store = open_whole(database, **named)  # type: ignore[arg-type]  # as a worker says it
    _opened.append(store)
    return store


def forget() -> None:
    """What a worker process remembers until its end."""
    for remembered in (workers._live, workers._graph, workers._finders):
        remembered.clear()
    read_records.cache_clear()
    if _opened:
        gc.collect()  # what still reads them
    while _opened:
        _opened.pop().close()


class OwnPool(Pool):
    """What worker processes do, done here: to start some for each of many runs takes too long."""

    def __init__(self, processes: int) -> None:
        del processes
        forget()
        self.counter = multiprocessing.Value("q", 0)
        self._processes = 1
        self._apart = None

    def close(self) -> None:
        forget()

    def rest(self) -> None:
        forget()

    def rejoin(self) -> None:
        """None is apart."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:  # else what is under way still holds it
            forget()

    def submit(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        done: Future[Result] = Future()
        done.set_result(work(*arguments))
        return done


@contextmanager
def in_this_process() -> Iterator[None]:
    """As long as the block lasts, builds are made without worker processes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pipeline, "Pool", OwnPool)
        patched.setattr(workers, "open_whole", _open)
        patched.setattr(workers, "_counter", multiprocessing.Value("q", 0))
        patched.setattr(workers, "_stop", multiprocessing.Event())
        yield
        forget()
