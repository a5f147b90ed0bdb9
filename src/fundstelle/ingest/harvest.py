"""Documents of collections: read by their source's adapter, kept on disk, given in id order.

What a publisher's collection holds is parsed once and written into a spool of pickles, so that
the memory needed is that of one document. Decisions that two publishers have are merged.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from io import SEEK_END
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Generic, Self, TypeVar

from fundstelle.corpus.manifest import Rejected, SourceState
from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import SourceEntry, escape_name
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile, Withdrawn
from fundstelle.ingest.sources.decision_text.merge import group_records, merge_records
from fundstelle.law.decisions import Decision, docket_key

Parsed = ParsedAct | ParsedDecision
Document = TypeVar("Document")
_Read = ParsedAct | ParsedDecision | Withdrawn | Rejected


class _Spool(Generic[Document]):
    """Documents on disk; those that share a key form a group, in the order they came."""

    def __init__(self, path: Path, list_keys: Callable[[Document], Sequence[str]]) -> None:
        self._file: BinaryIO = path.open("x+b")
        self._list_keys = list_keys
        self._groups: list[list[int]] = []  # places in the file
        self._group_of: dict[str, int] = {}

    def add(self, document: Document) -> int:
        """Keep one document; its place."""
        keys = self._list_keys(document)
        group = next((self._group_of[key] for key in keys if key in self._group_of), None)
        if group is None:
            group = len(self._groups)
            self._groups.append([])
        self._group_of.update(dict.fromkeys(keys, group))
        place = self._file.seek(0, SEEK_END)
        self._groups[group].append(place)
        pickle.dump(document, self._file, pickle.HIGHEST_PROTOCOL)
        return place

    def list_groups(self) -> Sequence[Sequence[int]]:
        """The places of the documents of every group."""
        return self._groups

    def read(self, place: int) -> Document:
        """One document."""
        self._file.seek(place)
        document: Document = pickle.load(self._file)  # noqa: S301 our own file
        return document

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _list_publishers(parsed: ParsedDecision) -> frozenset[str]:
    return frozenset(source.source_type for source in parsed.decision.sources)


def _list_keys(parsed: ParsedDecision) -> list[str]:
    """What another publisher's record of the same decision has too."""
    decision = parsed.decision
    day = decision.issued_on.isoformat() if decision.issued_on else ""
    rest = f"{decision.court}|{day}|{decision.decision_type.value}"
    keys = [f"{docket_key(docket)}|{rest}" for docket in decision.dockets] if day else []
    names = [name.casefold() for name in (decision.ecli, decision.decision_id) if name]
    return [*names, *keys]


@dataclass(slots=True)
class _Tally:
    """What is counted while a collection is read."""

    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    rejected: list[Rejected] = field(default_factory=list)
    items: int = 0
    texts: int = 0  # of which the items were made
    newest: date | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of the documents of one collection; of an act each text is one."""

    collection: Collection
    documents: int
    rejected: tuple[Rejected, ...]


class Harvest:
    """Everything parsed from the collections of one build, and what the manifest says of it."""

    def __init__(self, folder: Path) -> None:
        self.states: list[SourceState] = []
        self.rejected: list[Rejected] = []
        self.failed: dict[str, str] = {}  # source_type: why a collection of it could not be read
        self.replaced: set[str] = set()  # source types of which nothing older is kept
        self.withdrawn: set[Withdrawn] = set()  # by their publishers
        self.ids: dict[str, set[str]] = {}  # by source type: what was read
        self.groups: dict[str, set[str]] = {}  # decisions of each publisher and of each court
        self.stands: dict[str, date] = {}  # of the newest text of each act that was read
        self.readings: list[Reading] = []
        self._folder = folder
        self._acts: _Spool[ParsedAct] = _Spool(
            folder / "acts", lambda act: [act.statute.statute_id]
        )
        self._decisions: _Spool[ParsedDecision] = _Spool(folder / "decisions", _list_keys)
        self._collection_of: dict[int, int] = {}  # by the place of a decision

    def gather(self, collection: Collection, progress: Progress) -> None:
        """Read one collection whole; one that cannot be read is noted and left out."""
        progress.start(f"read {collection.files.name}", 0, "files")
        tally = _Tally()
        source_type = collection.source.source_type
        read = _find_reader(collection)
        try:
            with TemporaryFile(dir=self._folder) as raw:
                for parsed in read(_take(collection.files.entries(), raw, tally, progress)):
                    if isinstance(parsed, Rejected):
                        tally.rejected.append(parsed)
                    elif isinstance(parsed, Withdrawn):
                        self.withdrawn.add(parsed)
                    else:
                        self._add(parsed, tally, self.ids.setdefault(source_type, set()))
        except SourceError as error:
            self.failed[source_type] = str(error)
            self.replaced.discard(source_type)  # what is live of it is kept
            progress.note(f"{collection.files.name} cannot be used: {error}")
            return
        self.rejected += tally.rejected
        self.readings.append(Reading(collection, tally.texts, tuple(tally.rejected)))
        self.states.append(_describe(collection, tally))
        if not collection.adds and source_type not in self.failed:
            self.replaced.add(source_type)

    def iter_acts(self) -> Iterator[list[ParsedAct]]:
        """The statutes by id: what was read of each, the newest text last."""
        groups = []
        for group in self._acts.list_groups():
            statutes = [(self._acts.read(place).statute, place) for place in group]
            # of equals the one that was read first is last: it counts
            statutes.sort(key=lambda one: (one[0].stand, -one[1]))
            groups.append((statutes[0][0].statute_id, [place for _, place in statutes]))
        for _, places in sorted(groups):
            yield [self._acts.read(place) for place in places]

    def iter_decisions(self) -> Iterator[ParsedDecision]:
        """The decisions by id, those that several publishers have merged into one.

        Of records that share a key no more are held at once than are of one decision.
        """
        places = []
        for number, places_of_records in enumerate(self._decisions.list_groups()):
            heads = (self._decisions.read(place).decision for place in places_of_records)
            for part, records in enumerate(group_records(heads)):
                own = [places_of_records[record] for record in records]
                places.append((self._merge(own).decision.decision_id, number, part, own))
        for _, _, _, own in sorted(places):
            yield self._merge(own)

    def _merge(self, places: Sequence[int]) -> ParsedDecision:
        """One decision; of what a publisher gave several times the newest collection's record."""
        records = [(self._decisions.read(place), self._collection_of[place]) for place in places]
        first: dict[frozenset[str], int] = {}
        for record, collection in records:
            first.setdefault(_list_publishers(record), collection)
        return merge_records(
            [record for record, number in records if number == first[_list_publishers(record)]]
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._acts.close()
        self._decisions.close()

    def _add(self, parsed: Parsed, tally: _Tally, ids: set[str]) -> None:
        tally.items += 1
        tally.texts += parsed.texts if isinstance(parsed, ParsedAct) else 1
        if isinstance(parsed, ParsedDecision):
            day = parsed.decision.issued_on
            for group in list_groups(parsed.decision):
                self.groups.setdefault(group, set()).add(parsed.decision.decision_id)
            ids.add(parsed.decision.decision_id)
            self._collection_of[self._decisions.add(parsed)] = len(self.readings)
        else:
            day = parsed.statute.stand
            ids.add(parsed.statute.statute_id)
            before = self.stands.get(parsed.statute.statute_id, date.min)
            self.stands[parsed.statute.statute_id] = max(before, parsed.statute.stand)
            self._acts.add(parsed)
        if day is not None and (tally.newest is None or day > tally.newest):
            tally.newest = day


def list_groups(decision: Decision) -> list[str]:
    """What a decision is counted under: its court, and each publisher that gave it."""
    return [decision.court, *(source.source_type for source in decision.sources)]


def _take(
    entries: Iterable[SourceEntry], raw: BinaryIO, tally: _Tally, progress: Progress
) -> Iterator[SourceFile]:
    """The files in the order of their names, from a copy on disk."""
    places = []
    for entry in entries:
        name = escape_name(entry.name)
        if entry.problem:
            tally.rejected.append(Rejected(name, entry.problem))
            continue
        places.append((name, raw.tell(), len(entry.data)))
        raw.write(entry.data)
    for name, offset, length in sorted(places):
        raw.seek(offset)
        data = raw.read(length)
        tally.digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
        yield SourceFile(name, name.rpartition("/")[0], data)
        progress.advance(1)


def _find_reader(collection: Collection) -> Callable[[Iterable[SourceFile]], Iterator[_Read]]:
    adapter = collection.source.adapter()
    if adapter.continues is None or not collection.held:
        return adapter.read
    read = adapter.continues.read
    return lambda files: read(files, collection.held)


def _describe(collection: Collection, tally: _Tally) -> SourceState:
    retrieved = collection.files.retrieved_at
    return SourceState(
        name=collection.source.name,
        source_type=collection.source.source_type,
        url=collection.files.url,
        # what is added and holds nothing says nothing of how new the rest is
        stand=tally.newest or (date.min if collection.adds else retrieved.date()),
        items=tally.items,
        sha256=tally.digest.hexdigest(),
        retrieved_at=retrieved,
        complete=False,
        known_gaps=("a selection: what is not found here may exist all the same",),
    )
