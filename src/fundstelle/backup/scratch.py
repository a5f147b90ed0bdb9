"""Folders for what is under way: gone at the end, and by the next run where the process was killed.

Each is locked as long as its process lives, however that ends; so whoever comes later can tell
what nobody is at any more.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch(beside: Path, prefix: str) -> Iterator[Path]:
    """A new folder in ``beside`` for its owner alone, as long as the block lasts.

    Those of killed runs are removed first.

    Raises:
        OSError: it cannot be made.
    """
    for folder, descriptor in iter_left(beside, prefix):
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)
    folder, descriptor = _make(beside, prefix)
    try:
        yield folder
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)


def iter_left(beside: Path, prefix: str) -> Iterator[tuple[Path, int]]:
    """The folders that nobody is at any more; each is locked by the descriptor that comes with it.

    Where the file system has no locks there are none: nobody can tell.
    """
    for folder in sorted(beside.glob(f"{prefix}*")):
        if not folder.is_symlink() and (descriptor := _lock(folder, fcntl.LOCK_NB)) is not None:
            yield folder, descriptor


def _make(beside: Path, prefix: str) -> tuple[Path, int]:
    """A locked folder; one that was taken for left before it was locked is made anew."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=beside))
        descriptor = _lock(folder)
        if descriptor is None:
            return folder, os.open(folder, os.O_RDONLY)  # without locks nobody takes it away
        if folder.is_dir():
            return folder, descriptor
        os.close(descriptor)


def _lock(folder: Path, flags: int = 0) -> int | None:
    """A descriptor that holds the folder; ``None`` = it cannot be had, or is another user's."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise PermissionError
        fcntl.flock(descriptor, fcntl.LOCK_EX | flags)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
