"""Calls on their way to the log: written to files of this process before they are answered.

What ``write`` has taken outlives the process, however it ends (not the machine: nothing waits for
the disk). The files are JSON lines, readable by their owner alone. A file named ``….lock`` is
locked for as long as the process lives, so that others see whose files are left behind.
"""

import errno
import fcntl
import os
import secrets
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fundstelle.accounts.database.traces import SPOOLS
from fundstelle.disks import read_small

FOLDER = SPOOLS
LOCK = ".lock"
CALLS = ".calls"
LOST = ".lost"
MOST_BYTES = 64 * 2**20  # some 200,000 calls

_SEGMENT_BYTES = 2**20
_BLOCK_BYTES = 2**16
_LONGEST_LOSS = 256  # bytes
_BY_EFFECT = os.access in os.supports_effective_ids
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def read_boot_id() -> str:
    """What the machine calls the time since it was started; empty where it does not say."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()[:8]
    except OSError:
        return ""


@dataclass(slots=True)
class _Segment:
    path: Path
    descriptor: int
    size: int = 0
    lines: int = 0  # that wait


class Spool:
    """The files of one process: a queue that is written by one thread and read by another.

    ``write``, ``read`` and ``advance`` want the same lock to be held around them.

    Args:
        folder: of the spools of all processes; made if need be.
        most_bytes: what may wait at most.

    Raises:
        OSError: nothing can be written there.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        moment = int(time.time() * 1000)
        self.name = f"{moment}-{os.getpid()}-{secrets.token_hex(4)}-{read_boot_id()}"
        self.folder = folder
        self._most_bytes = most_bytes
        self._lock: int | None = self._create_lock()
        self._segments: list[_Segment] = []
        self._number = 0
        self._offset = 0  # in the first segment: what was read and is done with
        self.waiting_bytes = 0  # from there to the end

    def _create_lock(self) -> int:
        """Named once it is locked, so that nobody takes it for one that was left behind."""
        path = self.folder / self.name
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        path.rename(path.with_name(self.name + LOCK))
        return descriptor

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return self._lock is not None

    def is_there(self) -> bool:
        """Whether its files still have their names: nobody finds what is written elsewhere."""
        files = [(segment.path, segment.descriptor) for segment in self._segments]
        if self._lock is not None:
            files.append((self.folder / (self.name + LOCK), self._lock))
        return all(is_named(path, descriptor) for path, descriptor in files)

    def pour_into(self, other: "Spool") -> int:
        """Put down in another one what waits here, and end; how many calls were not here any more.

        Raises:
            OSError: it could not be written there, or not be read; nothing has changed here.
        """
        lost, offset = 0, self._offset
        for segment in self._segments:
            found = os.pread(segment.descriptor, segment.size - offset, offset)
            lines = found[: found.rfind(b"\n") + 1].split(b"\n")[:-1]
            for line in lines:
                if not other.write(line + b"\n"):
                    raise OSError(errno.EFBIG, "no room for what waits")
            lost += max(0, segment.lines - len(lines))
            offset = 0
        self.discard()
        return lost

    def write(self, record: bytes) -> bool:
        """Take a line, which ends with a newline; whether there was room for it.

        Raises:
            OSError: it could not be written, and nothing of it will be read.
        """
        if self.waiting_bytes + len(record) > self._most_bytes:
            return False
        if not self._segments or self._segments[-1].size >= _SEGMENT_BYTES:
            self._open_segment()
        segment = self._segments[-1]
        written = os.write(segment.descriptor, record)
        if written != len(record):
            os.ftruncate(segment.descriptor, segment.size)
            raise OSError(0, "the disk is full")
        segment.size += written
        segment.lines += 1
        self.waiting_bytes += written
        return True

    def _open_segment(self) -> None:
        self._number += 1
        path = self.folder / f"{self.name}.{self._number:06}{CALLS}"
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
        self._segments.append(_Segment(path, os.open(path, flags, 0o600)))

    def read(self) -> tuple[list[bytes], int]:
        """The oldest lines, and how many bytes they are; they stay until ``advance``.

        No bytes although some wait: the oldest file does not hold any more what was written into
        it, and is to be dropped.

        Raises:
            OSError: they cannot be read.
        """
        if not self.waiting_bytes:
            return [], 0
        segment, wanted = self._segments[0], _BLOCK_BYTES
        while True:
            block = os.pread(segment.descriptor, wanted, self._offset)
            length = block.rfind(b"\n") + 1
            if length or len(block) < wanted:
                return block[:length].split(b"\n")[:-1], length
            wanted *= 2

    def drop(self) -> tuple[int, int]:
        """Forget the oldest file: how many lines were lost with it, and how many bytes."""
        first = self._segments[0]
        lines, size_bytes = first.lines, first.size - self._offset
        self.advance(size_bytes, lines)
        return lines, size_bytes

    def advance(self, size_bytes: int, lines: int) -> None:
        """Forget so many bytes of the oldest lines; files that are read to their end go."""
        self._offset += size_bytes
        self.waiting_bytes -= size_bytes
        first = self._segments[0]
        first.lines = max(0, first.lines - lines)
        if self._offset < first.size:
            return
        self._offset = 0
        if len(self._segments) > 1:
            _remove(self._segments.pop(0))
        else:
            os.ftruncate(first.descriptor, 0)
            first.size = first.lines = 0

    def discard(self) -> None:
        """Let go of the files and of what is in them."""
        self.waiting_bytes = 0
        self.close()

    def close(self, *, keeps: bool = False) -> None:
        """Let go of the files; what still waits, or *keeps*, is left for the next server."""
        if self._lock is None:
            return
        keeps = keeps or self.waiting_bytes > 0
        for segment in self._segments:
            if keeps:
                os.close(segment.descriptor)
            else:
                _remove(segment)
        self._segments = []
        self.waiting_bytes, self._most_bytes = 0, 0  # takes nothing more
        if not keeps:
            for suffix in (LOST, LOCK):
                with suppress(OSError):
                    (self.folder / (self.name + suffix)).unlink(missing_ok=True)
        os.close(self._lock)
        self._lock = None


def is_named(path: Path, descriptor: int) -> bool:
    """Whether a file that is open is the one that has this name."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except OSError:
        return False


def _remove(segment: _Segment) -> None:
    with suppress(OSError):
        segment.path.unlink(missing_ok=True)
    os.close(segment.descriptor)


def list_places(folder: Path) -> tuple[Path, Path]:
    """Where spools are: in their folder, and above it while that cannot be used."""
    return folder, folder.parent


def find_fault(folder: Path) -> str:
    """Why calls cannot be put down in a folder; empty if they can, or it is to be made yet."""
    try:
        is_folder = stat.S_ISDIR(folder.stat().st_mode)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{folder} cannot be used ({error.strerror})"
    if not is_folder:
        return f"{folder} is no folder"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK, effective_ids=_BY_EFFECT):
        return f"{folder} cannot be read and written by user {os.geteuid()}"
    return ""


@dataclass(frozen=True, slots=True)
class Loss:
    """Calls that were answered and could not be taken down, between two moments (ms)."""

    calls: int
    begin_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class Left:
    """What a process that has ended did not put down.

    Attributes:
        lost: what it knew to be lost.
        remembered: what waited in its memory alone, at most: its last lines may be in the log.
    """

    lost: Loss | None
    remembered: Loss | None


class Losses:
    """Counts lost calls in a file, so that not even their number is lost with the process.

    So it does those that wait in memory alone. The file has its size from the beginning, and is
    held open: what is counted later needs no room on the disk, and no way to the file.

    Args:
        path: of the file; ``None`` = only in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._descriptor: int | None = None
        self._path = path
        self._loss: Loss | None = None
        self._remembered: Loss | None = None
        if path is not None:
            with suppress(OSError):  # then they are counted in memory
                self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
                self._write()

    def is_there(self) -> bool:
        """Whether the file still has its name; also where there is none."""
        path, descriptor = self._path, self._descriptor
        return path is None or descriptor is None or is_named(path, descriptor)

    def get(self) -> Loss | None:
        """What was lost and not taken back since."""
        return self._loss

    def add(self, moment_ms: int, calls: int = 1) -> None:
        """So many more."""
        before = self._loss or Loss(0, moment_ms, moment_ms)
        self._loss = Loss(before.calls + calls, before.begin_ms, moment_ms)
        self._write()

    def remove(self, loss: Loss) -> None:
        """They are recorded; those that came since stay."""
        held = self._loss
        if held is not None:
            rest = held.calls - loss.calls
            self._loss = Loss(rest, loss.end_ms, held.end_ms) if rest else None
            self._write()

    def remember(self, calls: int, moment_ms: int) -> None:
        """So many wait in memory alone, at this moment."""
        begun_ms = moment_ms if self._remembered is None else self._remembered.begin_ms
        self._remembered = Loss(calls, begun_ms, moment_ms) if calls else None
        self._write()

    def close(self) -> None:
        """Let go of the file; afterwards it is counted in memory."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self) -> None:
        if self._descriptor is None:
            return
        both = (self._loss or _NONE, self._remembered or _NONE)
        numbers = [number for one in both for number in (one.calls, one.begin_ms, one.end_ms)]
        line = " ".join(f"{number:020}" for number in numbers) + "\n"
        with suppress(OSError):
            os.pwrite(self._descriptor, line.encode(), 0)


_NONE = Loss(0, 0, 0)


def read_left(path: Path) -> Left:
    """What a process that has ended had lost, and what it had in memory alone."""
    try:
        numbers = [int(number) for number in read_small(path, _LONGEST_LOSS).split()]
        lost, remembered = numbers[:3], numbers[3:] or [0, 0, 0]  # versions before had three
        found = Loss(*lost), Loss(*remembered)
    except (OSError, ValueError, TypeError):
        return Left(None, None)
    return Left(*(one if one.calls else None for one in found))
