"""Disks that refuse, in words and with what to do."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SPARE_BYTES = 256 << 20
"""What updates and ingestions leave free: accounts and the audit log go on beside it."""

_FULL = (errno.ENOSPC, errno.EDQUOT)
_ROOM = 1 << 20  # bytes: a log of changes and its index want some tens of thousands


def say_full(folder: Path) -> str:
    """That the disk of the data folder, or of something in it, takes nothing more."""
    return (
        f"the disk that holds {folder} is full; free about 1 GB, or move the folder to another"
        " disk and set FUNDSTELLE_DATA to it"
    )


def has_room(folder: Path) -> bool:
    """Whether there is room for small files; ``True`` where that cannot be told."""
    try:
        return shutil.disk_usage(folder).free >= _ROOM
    except OSError:
        return True


def measure_free(folder: Path) -> int:
    """The bytes that the disk of a folder, or of the nearest above it that is there, has free."""
    place = folder.absolute()
    there = next(each for each in (place, *place.parents) if each.exists())
    return shutil.disk_usage(there).free


def require_spare(folder: Path, size: int) -> None:
    """See that so many bytes more leave room for what else goes on.

    Raises:
        OSError: they would not.
    """
    if measure_free(folder) < size + SPARE_BYTES:
        raise OSError(errno.ENOSPC, "the disk has no room for more of what publishers have")


def explain_refusal(error: OSError, folder: Path, place: Path | None = None) -> str:
    """What the operating system refuses of ``place``, by default the file that it names."""
    if error.errno in _FULL:
        return say_full(folder)
    advice = "see that the folder exists and is writable"
    if error.errno == errno.EROFS:
        advice = "the disk is mounted read-only: run the command where it is writable"
    elif error.errno in {errno.EACCES, errno.EPERM}:
        advice = "it belongs to another user: run the command as the user who runs the server"
    return (
        f"{place or error.filename or folder} cannot be used ({error.strerror or error}); {advice}"
    )


def read_small(path: Path, most_bytes: int, *, follows: bool = True) -> bytes:
    """What a small file holds. It waits for nothing and is bounded, whatever stands in its place.

    Args:
        path: where it is.
        most_bytes: what it may have.
        follows: whether it may be what a link leads to.

    Raises:
        OSError: it cannot be read, is no file (a pipe, a device, a folder), or is larger.
    """
    flags = 0 if follows else os.O_NOFOLLOW
    descriptor = os.open(path, flags | os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        require_file(descriptor, path)
        if os.fstat(descriptor).st_size > most_bytes:  # before its beginning takes room
            raise OSError(errno.EFBIG, "it is larger than it may be", str(path))
        found = bytearray()
        while block := os.read(descriptor, most_bytes + 1 - len(found)):
            found += block
    finally:
        os.close(descriptor)
    if len(found) > most_bytes:
        raise OSError(errno.EFBIG, "it is larger than it may be", str(path))
    return bytes(found)


def require_file(descriptor: int, path: Path) -> None:
    """See that what was opened, without waiting for it, is a file.

    Raises:
        OSError: it is a pipe, a device or a folder.
    """
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, "it is not a file", str(path))


@contextmanager
def opened_lock(path: Path) -> Iterator[int]:
    """A file to be locked, made if need be; whatever stands in its place, nobody waits to open it.

    Raises:
        OSError: it cannot be opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def give_to_owner(path: Path, folder: Path) -> None:
    """Let a file that root has made in somebody's folder be theirs, as far as that can be done."""
    with suppress(OSError):
        owner = folder.stat()
        if os.geteuid() == 0 and owner.st_uid != 0:
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def sync_folder(path: Path) -> None:
    """Wait until a file's or folder's state is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
