"""One file in two builds: what does not change is not written again."""

import os
import shutil
from pathlib import Path

LEAST_BYTES = 64 << 20
"""Smaller files are copied: it takes no time, and no build then suffers from another's damage."""


def share(file: Path, to: Path) -> None:
    """Give a file that nobody writes to any more a second name; ``to`` is not there yet.

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
