"""Sentences of collections that name no decisions: read, kept beside a build, cited norms found.

They are no part of the corpus; a build's ranking learns from them as from its own decisions. The
sentences are kept as text, since the ordinals of what they cite change from build to build.
"""

import gzip
import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile, SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.ingest.history.looks import Dated
from fundstelle.ingest.history.snapshots import SourceEntry
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.courts import conll
from fundstelle.ingest.sources.files.archives import ArchiveSnapshot, FolderSnapshot
from fundstelle.law.citations import NormCitation
from fundstelle.law.sources import Kind

FILE = "labelled.jsonl.gz"  # in the folder of a build

_MOST_BYTES = 512 * 2**20  # of all files together; the known collections have 30 MB
_BLOCK = 40  # sentences; no border between decisions is marked, so these count as one


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence as it was read; ``source`` is the number of its block, from 0."""

    collection: str
    source: int
    text: str


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence, where its citations stand in it, and the ordinals of the norms cited."""

    sentence: LabelledSentence
    spans: tuple[tuple[int, int], ...]
    cited: tuple[int, ...]


def gather(sources: Iterable[Dated | Collection], folder: Path) -> list[Rejected]:
    """Read all labelled sentences of the collections and keep them; the unusable files.

    Nothing is written if there are none. An archive that cannot be read is not reported here:
    reading its decisions says so.
    """
    sentences: list[LabelledSentence] = []
    rejected: list[Rejected] = []
    source = 0
    for entry in _iter_entries(sources):
        try:
            read = _parse(entry)
        except RejectedFile as error:
            rejected.append(Rejected(entry.name, error.reason))
            continue
        name = conll.name_collection(entry.name)
        for place, text in enumerate(read):
            sentences.append(LabelledSentence(name, source + place // _BLOCK, text))
        source += len(read) // _BLOCK + 1
    if sentences:
        _write(sentences, folder / FILE)
    return rejected


def has_sentences(collection: Collection) -> bool:
    """Whether a collection holds a file of labelled sentences, usable or not."""
    return next(_iter_entries([collection]), None) is not None


def carry(before: Path, folder: Path) -> None:
    """Take over what another build kept, unless there is something new."""
    if (before / FILE).is_file() and not (folder / FILE).exists():
        shutil.copyfile(before / FILE, folder / FILE)


def exists(database: Path) -> bool:
    """Whether labelled sentences are kept beside the database of a build."""
    return database.with_name(FILE).is_file()


def iter_cited(database: Path, store: WholeStore) -> Iterator[CitedSentence]:
    """The sentences kept beside a database that cite norms of it; none if nothing is kept."""
    if not exists(database):
        return
    names = LawNames.build(store.statutes.values())
    resolver = Resolver(store)
    for sentence in _read(database.with_name(FILE)):
        found = find(sentence.text, names)
        targets = (target for one in found for target in one.targets)
        norms = {
            ordinal
            for target in targets
            if isinstance(target, NormCitation)
            for ordinal in resolver.resolve(target)
            if ordinal is not None and ordinal >= 0  # below are laws as a whole
        }
        if norms:
            spans = tuple((one.start, one.end) for one in found)
            yield CitedSentence(sentence, spans, tuple(sorted(norms)))


def _iter_entries(sources: Iterable[Dated | Collection]) -> Iterator[SourceEntry]:
    """The files of labelled tokens in the order of their names, each archive read once more."""
    for source in sources:
        if not isinstance(source, Collection) or Kind.SENTENCES not in source.source.kinds:
            continue
        if isinstance(source.files, ArchiveSnapshot | FolderSnapshot):
            files = replace(source.files, wanted=(conll.SUFFIX,))
            try:
                found = _hold(files.entries())
            except SourceError:
                continue
            yield from sorted(found, key=lambda entry: entry.name)


def _hold(entries: Iterable[SourceEntry]) -> list[SourceEntry]:
    """The files of labelled tokens.

    Raises:
        SourceError: they are more than are held in memory.
    """
    found, size = [], 0
    for entry in entries:
        if entry.name.endswith(conll.SUFFIX):
            size += len(entry.data)
            if size > _MOST_BYTES:
                raise SourceError("its labelled sentences are too many to be held in memory")
            found.append(entry)
    return found


def _parse(entry: SourceEntry) -> list[str]:
    if entry.problem:
        raise RejectedFile(entry.name, entry.problem)
    return conll.parse(SourceFile(entry.name, "", entry.data))


def _write(sentences: Iterable[LabelledSentence], file: Path) -> None:
    with file.open("xb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
        for one in sentences:
            row = [one.collection, one.source, one.text]
            packed.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def _read(file: Path) -> Iterator[LabelledSentence]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield LabelledSentence(*json.loads(line))
