"""The official archive of federal law, as it lies beside the checkout."""

import io
import tarfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import zstandard

from fundstelle.ingest.records import ParsedStatute, SourceFile
from fundstelle.ingest.sources.gii import parse as gii
from fundstelle.law.identifiers import build_statute_id

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
ARCHIVE = CORPUS / "gii-xml.tar.zst"
STAND = date(2025, 3, 31)


def skip_without_archive(archive: Path = ARCHIVE) -> None:
    if not archive.is_file():
        pytest.skip(f"{archive.name} is not beside the checkout")


def iter_files(archive: Path = ARCHIVE) -> Iterator[SourceFile]:
    """Every law of the archive, in its order."""
    with archive.open("rb") as packed:
        reader = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed)
        with tarfile.open(fileobj=io.BufferedReader(reader, 1 << 20), mode="r|") as tar:
            for member in tar:
                parts = member.name.removeprefix("./").split("/")
                content = tar.extractfile(member) if member.isfile() else None
                if content is not None and len(parts) == 3 and parts[2].endswith(".xml"):
                    name = "/".join(parts)
                    yield SourceFile(name, parts[1], content.read(), listed=parts[0] == "laws")


def parse(file: SourceFile, abbreviation: str | None = None) -> ParsedStatute:
    header = gii.read_header(file)
    known = abbreviation or header.abbreviation_official or header.abbreviation_juris
    return gii.parse_statute(file, build_statute_id(known), known, STAND)
