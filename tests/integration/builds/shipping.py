"""Targets that a test can look into, or that break; and a process that fetches until it is killed.

``python -m tests.integration.builds.shipping TARGET DATA RELEASE``: says after each chunk that it
has it.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.travel import push as pushing
from fundstelle.corpus.travel.folder import FolderTarget
from fundstelle.corpus.travel.pull import pull
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_snapshot

CHUNK = 8_192  # small, so that a small build has many


class WatchedTarget(FolderTarget):
    """A folder that counts what is asked of it, and calls ``before`` ahead of each reading."""

    def __init__(self, folder: Path, before: Callable[[str], None] = lambda _: None) -> None:
        super().__init__(folder)
        self.read_names: Counter[str] = Counter()
        self.written: Counter[str] = Counter()
        self._before = before

    def read(self, name: str, most: int) -> bytes | None:
        self._before(name)
        self.read_names[name] += 1
        return super().read(name, most)

    def write(self, name: str, data: bytes) -> None:
        self.written[name] += 1
        super().write(name, data)


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushing, "CHUNK_BYTES", CHUNK)


def make_build(folder: Path, laws: int = 3) -> Manifest:
    """A build of so many laws in the data folder ``folder``, with a root and its signature."""
    return build(folder, write_snapshot(folder.parent / f"gii-{laws}", laws=laws))


def read_files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


if __name__ == "__main__":
    pull(
        Path(sys.argv[2]),
        sys.argv[3],
        FolderTarget(Path(sys.argv[1])),
        advance=lambda count: print(count, flush=True),  # noqa: T201 the parent reads it
    )
