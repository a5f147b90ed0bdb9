"""Files of an index that another one has just the same."""

import os
import shutil
from pathlib import Path


def share(source: Path, target: Path) -> None:
    """One file under two names, which nobody writes again; a copy where that cannot be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
