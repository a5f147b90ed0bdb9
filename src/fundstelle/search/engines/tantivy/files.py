"""Modes of the files of an index: tantivy writes some so that only their owner can read them."""

from pathlib import Path


def give_usual_modes(folder: Path) -> None:
    """Give all files in a folder the mode that a new file has here, by the umask.

    A build made by one user is served by another: an index that only its maker can read is none.
    """
    probe = folder / ".mode"
    probe.touch()
    mode = probe.stat().st_mode & 0o777
    probe.unlink()
    for path in folder.iterdir():
        if path.is_file():
            path.chmod(mode)
