"""Builds a corpus as the command line does, with the stand-in engine; also as a process.

``python -m tests.integration.corpora.building DATA SOURCE`` prints one line for each phase.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import Dated
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.search.index import SearchEngine
from tests.integration.corpora.stand_in import LinesEngine

NOW = datetime(2025, 2, 1, tzinfo=UTC)


class Heard:
    """Keeps what the pipeline says."""

    def __init__(self, *, aloud: bool = False) -> None:
        self.phases: list[str] = []
        self.notes: list[str] = []
        self._aloud = aloud

    def start(self, phase: str, total: int, unit: str) -> None:
        self.phases.append(phase)
        if self._aloud:
            print(f"{phase}: {total} {unit}", flush=True)  # noqa: T201 the parent reads it

    def advance(self, count: int) -> None:
        """Not kept."""

    def note(self, line: str) -> None:
        self.notes.append(line)


def build(
    data_dir: Path,
    source: Path | Sequence[Dated | Collection],
    *,
    laws: tuple[str, ...] = (),
    allow_rejects: bool = False,
    fresh: bool = False,
    guard: tuple[Path, ...] = (),
    engine: SearchEngine | None = None,
    heard: Heard | None = None,
) -> Manifest:
    snapshots = find_snapshots(source) if isinstance(source, Path) else source
    options = BuildOptions(
        laws=laws, allow_rejects=allow_rejects, fresh=fresh, now=NOW, guard=guard
    )
    built = build_corpus(snapshots, data_dir, engine or LinesEngine(), options, heard or Heard())
    return built.manifest


def unsign(manifest: Manifest) -> Manifest:
    """What two servers with the same sources have in common: all but their operators' keys."""
    return replace(manifest, key=None, signature=None)


def find_database(data_dir: Path) -> Path:
    """That of the live build."""
    release = builds.get_live(data_dir)
    assert release is not None
    return builds.get_folder(data_dir, release) / builds.DATABASE


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]), heard=Heard(aloud=True))
