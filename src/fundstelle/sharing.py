"""Second names of files: hard links, and what takes their place where a file system has none."""

import errno
import fcntl
import os
import shutil
from pathlib import Path

LEAST_BYTES = 64 << 20
"""Smaller files are copied: it takes no time, and no build then suffers from another's damage."""

NO_LINKS = frozenset(
    {
        *(errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS),
        *(errno.EMLINK, errno.EACCES, errno.EINVAL),
    }
)
"""What file systems without hard links answer (link(2)): some of flash drives and shares."""


def share(file: Path, to: Path) -> None:
    """One file in two builds: what does not change is not written again; ``to`` is not there yet.

    It is copied where it is small, or where the file system links no files.

    Raises:
        OSError: it can be neither linked nor copied.
    """
    if file.stat().st_size >= LEAST_BYTES:
        try:
            os.link(file, to)
        except OSError:  # another file system, or one without links
            to.unlink(missing_ok=True)
        else:
            return
    shutil.copyfile(file, to)


def give_name(draft: Path, name: Path) -> None:
    """Let a whole file appear under a name that nobody has yet; the draft may be gone then.

    A link appears whole or not at all, and never in the place of another file. Where there are
    none, the draft is renamed, by one process after another.

    Raises:
        FileExistsError: another process was first.
        OSError: it cannot be named.
    """
    try:
        os.link(draft, name)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        folder = os.open(name.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            if os.path.lexists(name):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(name)) from None
            draft.rename(name)
        finally:
            os.close(folder)
