"""Opens the file of a build: which store it is, nobody above needs to know."""

from pathlib import Path

from fundstelle.corpus.ingestion import CorpusWriter, WholeStore
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter


def open_whole(
    database: Path, manifest: Manifest | None = None, *, is_written: bool = True
) -> WholeStore:
    """The store in one file, for any number of threads.

    Args:
        database: the file.
        manifest: its description, once there is one.
        is_written: False while the build is still being made.

    Raises:
        CorpusError: it cannot be read.
    """
    return SqliteBuild(database, manifest, immutable=is_written)


def begin(database: Path) -> CorpusWriter:
    """A writer of a new build's file.

    Raises:
        CorpusError: it cannot be written.
    """
    return SqliteCorpusWriter(database)
