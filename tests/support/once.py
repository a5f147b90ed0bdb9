"""Folders that are dear to build: built once a run, however many processes share the tests."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def build_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """The folder *name*, filled by the first process of the run that asks; the others wait for it.

    It is everybody's: whoever changes something in it works on a copy.
    """
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder = root / f"once-{name}"
    with (root / f"once-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            begun = folder.with_suffix(".begun")
            shutil.rmtree(begun, ignore_errors=True)  # of a process that failed before
            begun.mkdir()
            build(begun)
            begun.rename(folder)
    return folder


def copy_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """A copy of that folder for one process, which may write into it."""
    copy: Path = factory.mktemp(name) / "data"
    shutil.copytree(build_once(factory, name, build), copy)
    return copy
