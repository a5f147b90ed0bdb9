"""The archive of decisions, as it lies beside the checkout."""

import io
import tarfile
from collections.abc import Iterator
from functools import cache

import pytest
import zstandard

from fundstelle.ingest.records import SourceFile
from tests.integration.corpora.gii_archive import CORPUS

ARCHIVE = CORPUS / "decisions.tar.zst"


def skip_without_archive() -> None:
    if not ARCHIVE.is_file():
        pytest.skip(f"{ARCHIVE.name} is not beside the checkout")


@cache
def read_archive() -> tuple[SourceFile, ...]:
    """Every file in the order of names, as a build reads them."""
    return tuple(sorted(_iter_files(), key=lambda file: file.name))


def _iter_files() -> Iterator[SourceFile]:
    with ARCHIVE.open("rb") as packed:
        reader = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed)
        with tarfile.open(fileobj=io.BufferedReader(reader, 1 << 20), mode="r|") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is not None:
                    name = member.name.removeprefix("./")
                    yield SourceFile(name, name.rpartition("/")[0], content.read())
