"""No character of a norm's file is lost: the service's own test data against what is read."""

import tarfile
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
import zstandard
from lxml import etree

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.neuris.documents import iter_documents

ARCHIVE = Path(__file__).resolve().parents[3].parent / "shared/history/official-interfaces.tar.zst"
FOLDER = "neuris/backend/e2e-data/"
EVER = date(9999, 1, 1)  # also texts that are still to come

pytestmark = pytest.mark.skipif(not ARCHIVE.is_file(), reason=f"{ARCHIVE.name} is not there")


@pytest.fixture(scope="module")
def files() -> list[SourceFile]:
    data = zstandard.ZstdDecompressor().stream_reader(BytesIO(ARCHIVE.read_bytes())).read()
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        members = sorted(
            (member for member in archive if member.isfile()), key=lambda member: member.name
        )
        return [
            SourceFile(member.name, "", (archive.extractfile(member) or BytesIO()).read())
            for member in members
            if member.name.removeprefix("./").startswith(FOLDER) and member.name.endswith(".xml")
        ]


def test_no_character_of_a_norm_is_lost(files: list[SourceFile]) -> None:
    norms = [file for file in files if "/norm/" in file.name]
    assert len(norms) > 10
    for name, group in _group(norms):
        written = Counter("".join(_iter_text(file) for file in group))
        acts = [one for one in iter_documents(group, EVER) if isinstance(one, ParsedAct)]
        if not acts:
            (rejected,) = iter_documents(group, EVER)
            assert isinstance(rejected, Rejected), name
            assert rejected.reason == "it holds no text", name
            continue
        ((act,), kept) = acts, Counter[str]()
        kept.update(_squeeze("".join(_iter_kept(act))))
        assert not written - kept, name


def _group(norms: list[SourceFile]) -> Iterator[tuple[str, list[SourceFile]]]:
    """A text with the annexes beside it."""
    folders: dict[str, list[SourceFile]] = {}
    for file in norms:
        folders.setdefault(file.name.rpartition("/")[0], []).append(file)
    yield from folders.items()


def _iter_text(file: SourceFile) -> str:
    root = etree.fromstring(file.data)
    for short in root.iter("{*}shortTitle"):
        for element in short.iter():  # its brackets and dash are no part of the two names
            element.text = (element.text or "").strip(" \n()-–")
            element.tail = (element.tail or "").strip(" \n()-–")
    words = [
        "".join(map(str, part.itertext()))
        for part in root[0]
        if etree.QName(part).localname != "meta"
    ]
    words += ["".join(map(str, note.itertext())) for note in root.iter("{*}note")]
    return _squeeze("".join(words))


def _iter_kept(act: ParsedAct) -> Iterator[str]:
    statute = act.statute
    yield from (statute.title, statute.short_title or "", statute.abbreviation_official or "")
    for norm, fassungen in act.norms:
        for fassung in fassungen:
            yield from (norm.label, norm.title or "")
            yield from (fassung.text, *fassung.footnotes, *fassung.notes)


def _squeeze(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def test_other_documents_are_told_one_by_one(files: list[SourceFile]) -> None:
    others = [file for file in files if "/administrative-directive/" in file.name]
    read = list(iter_documents(others, EVER))
    assert len(read) == len(others) > 0
    assert all(isinstance(one, Rejected) for one in read)
