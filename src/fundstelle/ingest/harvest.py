"""Documents of collections: read by their source's adapter, kept on disk, given in id order.

What a publisher's collection holds is parsed once and written into a spool of pickles, so that
the memory needed is that of a few documents. Decisions that two publishers have are merged.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile, _TemporaryFileWrapper
from typing import IO, Self

from fundstelle.corpus.manifest import Rejected, SourceState
from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection, Owing
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.reading import (
    PackedDecision,
    Place,
    Read,
    Spread,
    copy_files,
    pack,
    spread_here,
    spread_reading,
)
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile, Withdrawn
from fundstelle.ingest.sources.decision_text.merge import Number
from fundstelle.ingest.spools import ActSpool, DecisionSpool
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import find_look_at_act

_Reader = Callable[
    [Iterable[SourceFile]], Iterator[ParsedAct | ParsedDecision | Withdrawn | Rejected]
]
_GONE = "a file that was fetched is no longer there; run the command again"


@dataclass(slots=True)
class _Tally:
    """What is counted while a collection is read."""

    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    rejected: list[Rejected] = field(default_factory=list)
    items: int = 0
    texts: int = 0  # of which the items were made
    outdated: int = 0  # of the items those that a newer collection has otherwise
    latest: date = date.max  # a document of a later day is misdated
    newest: date | None = None
    days: set[date] = field(default_factory=set)  # of documents of the publisher that is followed

    def find_known(self, retrieved_on: date) -> date | None:
        """Of which day what was carried in is at least: the publisher cannot have had it before.

        A day behind that on which the files were written is a slip, or their time is none.
        """
        past = (day for day in self.days if day <= retrieved_on)
        return max(past, default=max(self.days, default=None))


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of the documents of one collection; of an act each text is one."""

    collection: Collection
    documents: int
    rejected: tuple[Rejected, ...]


class Harvest:
    """Everything parsed from the collections of one build, and what the manifest says of it."""

    def __init__(self, folder: Path, spread: Spread = spread_here) -> None:
        self.states: list[SourceState] = []
        self.rejected: list[Rejected] = []
        self.failed: dict[str, str] = {}  # source_type: why a collection of it could not be read
        self.replaced: set[str] = set()  # source types of which nothing older is kept
        self.withdrawn: set[Withdrawn] = set()  # by their publishers
        self.ids: dict[str, set[str]] = {}  # by source type: what was read
        self.groups: dict[str, set[str]] = {}  # decisions of each publisher and of each court
        self.stands: dict[str, date] = {}  # of the newest text of each act that was read
        self._ids_of: dict[Number, tuple[str, int]] = {}  # acts: id and collection, by number
        self.readings: list[Reading] = []
        self.decisions = DecisionSpool(folder / "decisions")
        self._acts = ActSpool(folder / "acts")
        # by the clock, and a day for clocks that differ
        self.latest = datetime.now(UTC).date() + timedelta(days=1)
        self._folder = folder
        self._spread = spread

    def gather(self, collection: Collection, progress: Progress) -> None:
        """Read one collection whole; one that cannot be read is noted and left out."""
        progress.start(f"read {collection.files.name}", 0, "files")
        tally = _Tally(latest=self.latest)
        source_type = collection.source.source_type
        publisher = collection.source.adapter().publisher
        try:
            with NamedTemporaryFile(dir=self._folder) as raw:
                for parsed in self._read(collection, raw, tally, progress):
                    if isinstance(parsed, Rejected):
                        tally.rejected.append(parsed)
                    elif isinstance(parsed, Withdrawn):
                        self.withdrawn.add(parsed)
                    else:
                        self._add(parsed, tally, self.ids.setdefault(source_type, set()))
                        tally.days |= _find_days(parsed, publisher)
        except (SourceError, FileNotFoundError) as error:
            problem = _GONE if isinstance(error, FileNotFoundError) else str(error)
            self.failed[source_type] = problem
            self.replaced.discard(source_type)  # what is live of it is kept
            progress.note(f"{collection.files.name} cannot be used: {problem}")
            return
        self.rejected += tally.rejected
        self.readings.append(Reading(collection, tally.texts, tuple(tally.rejected)))
        self.states.append(_describe(collection, tally))
        if not collection.adds and source_type not in self.failed:
            self.replaced.add(source_type)

    def leave_out(self, statute_id: str, why: Rejected) -> None:
        """Let go of what was read of a statute: what is held of it stays, and that is told."""
        self._acts.drop(statute_id)
        del self.stands[statute_id]
        self._ids_of = {number: own for number, own in self._ids_of.items() if own[0] != statute_id}
        for ids in self.ids.values():
            ids.discard(statute_id)
        self.rejected.append(why)

    def iter_acts(self) -> Iterator[list[ParsedAct]]:
        """The statutes by id: what was read of each, the newest text last."""
        return self._acts.iter_statutes()

    def has_read(self, source_type: str, number: str) -> bool:
        """Whether a document was read that its publisher calls so, under whatever id."""
        key = source_type, number
        return key in self._ids_of or self.decisions.find_record(key) is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._acts.close()
        self.decisions.close()

    def _read(
        self,
        collection: Collection,
        raw: "_TemporaryFileWrapper[bytes]",
        tally: "_Tally",
        progress: Progress,
    ) -> Iterator[Read]:
        """What the files hold, in the order of their names."""
        source = collection.source
        places, rejected = copy_files(collection.files.entries(), source, raw.file)
        tally.rejected += rejected
        for place in places:
            tally.digest.update(place.name.encode() + b"\0" + place.digest)
        reader = _find_reader(collection)
        if reader is not None:
            files = _take(places, raw.file, progress)
            yield from map(pack, reader(files))
            return
        for count, found in spread_reading(source, Path(raw.name), places, self._spread):
            yield from found
            progress.advance(count)

    def _add(self, parsed: ParsedAct | PackedDecision, tally: _Tally, ids: set[str]) -> None:
        tally.items += 1
        tally.texts += parsed.texts if isinstance(parsed, ParsedAct) else 1
        if isinstance(parsed, PackedDecision):
            if not self.decisions.add(parsed.decision, parsed.data, len(self.readings)):
                tally.outdated += 1
                return
            day = parsed.decision.issued_on
            for group in list_groups(parsed.decision):
                self.groups.setdefault(group, set()).add(parsed.decision.decision_id)
            ids.add(parsed.decision.decision_id)
        else:
            number = parsed.statute.source_type, parsed.statute.publisher_id
            own = parsed.statute.statute_id, len(self.readings)
            known = self._ids_of.setdefault(number, own)
            if known[0] != own[0] and known[1] < own[1]:
                tally.outdated += 1  # a newer collection has it under another name
                return
            # a text of a day to come was seen before that day
            day = find_look_at_act(parsed.statute) or parsed.statute.stand
            ids.add(parsed.statute.statute_id)
            before = self.stands.get(parsed.statute.statute_id, date.min)
            self.stands[parsed.statute.statute_id] = max(before, parsed.statute.stand)
            self._acts.add(parsed)
        if day is not None and (tally.newest or date.min) < day <= tally.latest:
            tally.newest = day


def list_groups(decision: Decision) -> list[str]:
    """What a decision is counted under: its court, and each publisher that gave it."""
    return [decision.court, *(source.source_type for source in decision.sources)]


def _find_days(parsed: ParsedAct | PackedDecision, publisher: str | None) -> set[date]:
    """The day on which the publisher that is followed had a document, as far as it says."""
    if isinstance(parsed, ParsedAct):
        day = parsed.made_on
    else:
        own = any(source.source_type == publisher for source in parsed.decision.sources)
        day = parsed.decision.issued_on if own else None
    return set() if day is None else {day}


def _take(places: Sequence[Place], raw: IO[bytes], progress: Progress) -> Iterator[SourceFile]:
    for place in places:
        yield place.read(raw)
        progress.advance(1)


def _find_reader(collection: Collection) -> _Reader | None:
    """What reads all files in one go; ``None`` where they can be read apart."""
    adapter = collection.source.adapter()
    if adapter.continues is None or not collection.held:
        return adapter.read if adapter.is_shared is None else None
    read = adapter.continues.read
    return lambda files: read(files, collection.held)


def _describe(collection: Collection, tally: _Tally) -> SourceState:
    retrieved = collection.files.retrieved_at
    return SourceState(
        name=collection.source.name,
        source_type=collection.source.source_type,
        url=collection.files.url,
        # what is added and holds nothing new says nothing of how new the rest is
        stand=tally.newest or (date.min if collection.adds or tally.outdated else retrieved.date()),
        items=tally.items,
        sha256=tally.digest.hexdigest(),
        retrieved_at=retrieved,
        complete=False,
        known_gaps=("a selection: what is not found here may exist all the same",),
        # some documents that are added say nothing of the others
        known_until=collection.looked_on
        or (None if collection.adds else tally.find_known(retrieved.date())),
        owed=collection.files.list_owed() if isinstance(collection.files, Owing) else (),
    )
