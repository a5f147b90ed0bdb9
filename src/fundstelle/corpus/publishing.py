"""How a folder becomes a build: made beside others, whole and on disk before it has its name.

``corpus.builds`` says what lies where; this module makes, names and throws away.
"""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fundstelle.corpus.exchange import exchange
from fundstelle.corpus.manifest import FILE_NAME, Manifest, dump_manifest
from fundstelle.corpus.soundness.inventory import CHECKSUM, sum_manifest, take_inventory
from fundstelle.disks import sync_folder

PULLED = ".pull-"
"""What a build is called that is on its way here; it stays where its transfer broke off."""

_LEFTOVER = ".tmp-"
_ASIDE = ".old-"  # with the release behind it: a build that gives way to another of its name


@contextmanager
def workspace(data_dir: Path) -> Iterator[Path]:
    """An empty folder for a new build, gone afterwards unless it was published.

    Leftovers of ingestions that died are removed first. Call it under ``lock``.
    """
    builds = data_dir / "builds"
    builds.mkdir(parents=True, exist_ok=True)
    discard_leftovers(data_dir)
    folder = builds / f"{_LEFTOVER}{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir()
    try:
        yield folder
    finally:
        discard(folder)


def discard_leftovers(data_dir: Path) -> None:
    """What ingestions, prunings and earlier versions left that died; call it under ``lock``."""
    for aside in data_dir.glob(f"builds/{_ASIDE}*"):
        target = aside.with_name(aside.name.removeprefix(_ASIDE))
        if target.exists():
            discard(aside)
        else:  # what should have taken its place has not come
            aside.rename(target)
    for leftover in [*data_dir.glob(f"builds/{_LEFTOVER}*"), *data_dir.glob(".active-*-*")]:
        discard(leftover)


def finish(folder: Path, manifest: Manifest) -> Manifest:
    """Give a build its manifest, with the hashes of its files; all of it is on disk then.

    What it lacks is its name (``give_name``).
    """
    manifest = replace(manifest, files=take_inventory(folder))
    data = dump_manifest(manifest)
    write_durably(folder / FILE_NAME, data)
    write_durably(folder / CHECKSUM, sum_manifest(data))
    _sync_all(folder)
    return manifest


def give_name(data_dir: Path, folder: Path, release: str) -> None:
    """Make a folder the build of that name, as soon as all that is in it is on disk.

    A build of that name gives way in one step where the system can do that, else in two: whoever
    comes after a death between them puts it back. Servers that have its files open keep them.
    """
    _sync_all(folder)
    target = data_dir / "builds" / release
    if target.exists() and exchange(folder, target):
        discard(folder)
    else:
        aside = target.with_name(f"{_ASIDE}{release}")
        discard(aside)
        if target.exists():
            target.rename(aside)
        folder.rename(target)
        discard(aside)
    sync_folder(target.parent)


def _sync_all(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        sync_folder(path)
    sync_folder(folder)


def discard(path: Path) -> None:
    """Delete a build or a leftover; a build loses its name first, so that none is ever partial."""
    if path.is_file():
        path.unlink(missing_ok=True)
    elif path.exists():
        trash = path if path.name.startswith((_LEFTOVER, _ASIDE, PULLED)) else take_name(path)
        shutil.rmtree(trash, ignore_errors=True)


def take_name(build: Path) -> Path:
    """Make a build a leftover, in one step; where it lies now."""
    trash = build.with_name(f"{_LEFTOVER}{os.getpid()}-{secrets.token_hex(4)}")
    build.rename(trash)
    return trash


def write_durably(path: Path, data: bytes) -> None:
    """Write a file and wait until it is on disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
