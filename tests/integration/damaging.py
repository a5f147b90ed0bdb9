"""Damage to a build on disk, as bad disks and hasty hands do it, on a copy of a small one."""

import shutil
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings


def copy_data(data_dir: Path, target: Path) -> Settings:
    """A data folder of one's own."""
    shutil.copytree(data_dir, target)
    return Settings.from_env({"FUNDSTELLE_DATA": str(target)})


def get_live(settings: Settings) -> Path:
    """The folder of the live build."""
    release = builds.read_pointer(settings.data)
    assert release is not None
    return builds.get_folder(settings.data, release)


def replace_bytes(path: Path, old: str, new: str) -> None:
    """Change a word wherever it stands; the file keeps its length."""
    before, after = old.encode(), new.encode()
    data = path.read_bytes()
    assert len(before) == len(after)
    assert before in data
    path.write_bytes(data.replace(before, after))


def flip_bit(path: Path, offset: int, bit: int) -> None:
    """Change one bit."""
    with path.open("r+b") as file:
        file.seek(offset)
        (byte,) = file.read(1)
        file.seek(offset)
        file.write(bytes([byte ^ (1 << bit)]))


def close(library: Library) -> None:
    library.index.close()
    library.store.close()
