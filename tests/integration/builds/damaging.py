"""Damage to a build on disk, as bad disks and hasty hands do it, on a copy of a small one."""

import shutil
from dataclasses import replace
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import dump_manifest
from fundstelle.corpus.soundness.inventory import sum_manifest
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


def make_foreign(data: Path, release: str) -> None:
    """As if another version of Fundstelle had made that build."""
    folder = builds.get_folder(data, release)
    written = dump_manifest(replace(builds.read_manifest(folder), schema_version=1))
    (folder / "manifest.json").write_bytes(written)
    (folder / "manifest.sha256").write_bytes(sum_manifest(written))
