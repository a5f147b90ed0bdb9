"""What runs in the worker processes of an ingestion: small functions over spooled files."""

import os
import signal
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from multiprocessing import parent_process
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from pathlib import Path

from fundstelle.citations.laws.changed_names import ChangedNames
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.ingestion import WholeDecisions, WholeStore
from fundstelle.corpus.manifest import Rejected
from fundstelle.corpus.opening import open_whole
from fundstelle.corpus.rows import EncodedStatute, encode_statute
from fundstelle.corpus.stored import encode_as_stored
from fundstelle.errors import CorpusError
from fundstelle.ingest.build.unchanged import is_kept
from fundstelle.ingest.graph import places
from fundstelle.ingest.graph.asked import OF_DECISIONS, Asked, read_asked
from fundstelle.ingest.graph.citing import CitingFinder, Citings, DecisionResolver
from fundstelle.ingest.graph.references import Edges, ReferenceFinder, build_finder, find_edges
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.ingest.graph.taken import Compared, Taken, compare, take_edges
from fundstelle.ingest.graph.taken_citings import TakenCitings, compare_citings, find_named
from fundstelle.ingest.history.commencing import read_records
from fundstelle.ingest.history.identity import History, rename_statute
from fundstelle.ingest.history.plan import PlannedStatute
from fundstelle.ingest.history.sightings import Candidate
from fundstelle.ingest.history.snapshots import SpooledFile
from fundstelle.ingest.history.versions import State, merge, resume
from fundstelle.ingest.ranking.documents import iter_decisions, iter_documents
from fundstelle.ingest.ranking.learned import iter_labelled, read_guard
from fundstelle.ingest.ranking.periods import Parts, divide, find_held
from fundstelle.ingest.records import ParsedStatute
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.patience import TooSlow, limited
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.law.norms import Statute
from fundstelle.search.index import CitingSentence, HeldPart, SearchDocument, SearchEngine

Indexed = SearchDocument | HeldPart

_LAWS = FEDERAL_LAW.adapter()  # with this module, so that each worker has it when it is forked


@dataclass(frozen=True, slots=True)
class SnapshotPlace:
    """Where a snapshot's spool lies and of which day it is."""

    spool: Path
    day: date


@dataclass(frozen=True, slots=True)
class HeldIndex:
    """The index of another build, by the same program, of which parts may be taken over."""

    folder: Path
    database: Path
    has_same_decisions: bool  # as the build that is made


_counter: "Synchronized[int] | None" = None
_stop: Event | None = None
_live: dict[Path, WholeStore] = {}
_graph: dict[Path, ReferenceFinder] = {}
_written: dict[Path, WholeStore] = {}  # the build in the making
_finders: dict[tuple[Path, Path], tuple[WholeDecisions, CitingFinder]] = {}


def start(counter: "Synchronized[int]", stop: Event) -> None:
    """First thing in every worker: remember what is shared, and end when the parent ends."""
    global _counter, _stop
    _counter, _stop = counter, stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent decides
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def read_headers(
    snapshot: int, spool: Path, files: Sequence[SpooledFile]
) -> tuple[list[Candidate], list[Rejected], list[tuple[int, str]]]:
    """The headers of some files; snapshot and slug of those that have none."""
    candidates, rejected, unread = [], [], []
    with spool.open("rb") as opened:
        for file in files:
            try:
                with limited():
                    header = _LAWS.read_header(file.read(opened))
            except Exception as error:  # noqa: BLE001 one file must not end the build
                rejected.append(Rejected(file.name, tell_failure(error)))
                unread.append((snapshot, file.slug))
            else:
                candidates.append(Candidate(snapshot, file, header))
    return candidates, rejected, unread


def parse_statutes(
    places: Sequence[SnapshotPlace],
    planned: Sequence[PlannedStatute],
    live: Path | None = None,
    records: Path | None = None,
) -> tuple[list[EncodedStatute], list[Rejected]]:
    """Parse some statutes in all their versions; a version that cannot be read is left out.

    What the database ``live`` holds of a statute comes before. ``records`` is the file of what
    parliament says of acts.

    Raises:
        CorpusError: the live build is damaged.
    """
    encoded: list[EncodedStatute] = []
    rejected: list[Rejected] = []
    said = read_records(records) if records is not None else None
    for statute in planned:
        states = _iter_states(places, statute, rejected)
        if live is not None and (kept := _keep(live, statute)) is not None:
            encoded.append(kept)
        elif live is not None and statute.carried_id is not None:
            before = _read_carried(live, statute)
            listed, confirmed = statute.listed, statute.confirmed
            resumed = resume(*before, states, listed=listed, confirmed=confirmed, records=said)
            encoded.append(encode_statute(*resumed))
        else:
            first_seen = statute.versions[0].first_seen
            listed = statute.listed
            merged = merge(states, first_seen=first_seen, listed=listed, records=said)
            if merged is not None:
                encoded.append(encode_statute(*merged))
    return encoded, rejected


def _iter_states(
    places: Sequence[SnapshotPlace], statute: PlannedStatute, rejected: list[Rejected]
) -> Iterator[State]:
    """One version at a time: a law may have a hundred of some megabytes."""
    for version in statute.versions:
        try:
            with limited():
                parsed = _parse(places[version.snapshot], version.file, statute)
        except Exception as error:  # noqa: BLE001 one file must not end the build
            rejected.append(Rejected(version.file.name, tell_failure(error)))
        else:
            yield State(parsed, version.last_seen)


def _keep(live: Path, planned: PlannedStatute) -> EncodedStatute | None:
    """A statute as the live build has it, where nothing but the look is new: nearly all have.

    The same as ``resume`` gives; the texts are not decoded for it.
    """
    held = _open_live(live).statutes.get(planned.carried_id or "")
    if held is None or not is_kept(planned, held):
        return None
    stored = _open_live(live).list_stored(held.statute_id)
    if stored is None:
        return None
    confirmed = planned.confirmed if planned.confirmed != held.stand else None
    statute = replace(held, listed=planned.listed, stand=planned.confirmed or held.stand)
    return encode_as_stored(statute, stored, confirmed)


def _open_live(live: Path) -> WholeStore:
    if live not in _live:
        _live[live] = open_whole(live)
    return _live[live]


def _read_carried(live: Path, planned: PlannedStatute) -> tuple[Statute, list[History]]:
    """What the live build holds of a statute, by the name that it has now."""
    store = _open_live(live)
    assert planned.carried_id is not None
    held = store.statutes[planned.carried_id], store.list_histories(planned.carried_id)
    return rename_statute(*held, planned.statute_id, planned.abbreviation)


def _parse(place: SnapshotPlace, file: SpooledFile, statute: PlannedStatute) -> ParsedStatute:
    with place.spool.open("rb") as spool:
        source = file.read(spool)
    return _LAWS.parse_statute(source, statute.statute_id, statute.abbreviation, place.day)


def compare_laws(database: Path, before: Path) -> Compared | None:
    """What the laws of the build ``before`` are here; ``None`` where it kept nothing to go by."""
    with (
        closing(open_whole(before)) as held,
        closing(open_whole(database, is_written=False)) as store,
    ):
        kept = read_asked(before)
        return None if kept is None else compare(before, held, store, kept)


def find_references(database: Path, first: int, last: int, taken: Taken | None = None) -> Edges:
    """All edges out of the norms with ordinals ``[first, last]``, some of them taken over."""
    if database not in _graph:
        _graph[database] = build_finder(open_whole(database, is_written=False))
    finder = _graph[database]
    if taken is None:
        return find_edges(finder, first, last)
    held = take_edges(_open_live(taken.database), finder.store, taken)
    return find_edges(finder, first, last, held)


def compare_decisions(database: Path, before: Path, laws: Compared) -> TakenCitings | None:
    """What of the citings of the build ``before`` may be taken over; ``None`` if nothing may.

    Names of laws that mean something else now are still to be looked for in the words.
    """
    kept = read_asked(before, OF_DECISIONS) if places.exists(before) else None
    if kept is None:
        return None
    with (
        closing(open_whole(before)) as held,
        closing(open_whole(database, is_written=False)) as store,
    ):
        return compare_citings(held, store, laws, kept)


def find_renamed(database: Path, names: ChangedNames, numbers: range) -> list[int]:
    """Which of the decisions with these numbers may name a law that goes by another name now."""
    return list(find_named(_open_written(database), names, numbers))


def _open_written(database: Path) -> WholeStore:
    if database not in _written:
        _written[database] = open_whole(database, is_written=False)
    return _written[database]


def find_citings(database: Path, numbers: Sequence[int]) -> tuple[list[Citings], list[str]]:
    """What the decisions with these numbers cite, and ids of those that took too long.

    Of these there is nothing but that they must be read again.
    """
    decisions, finder = _open_finder(database, database)
    found, endless = [], []
    for number in numbers:
        ((_, decision, text),) = decisions.iter_texts(number, number)
        try:
            with limited():
                found.append(finder.find(number, text))
        except TooSlow:
            found.append(finder.give_up())
            endless.append(decision.decision_id)
    return found, endless


def cite_the_same(database: Path, before: Path, asking: Sequence[tuple[int, "array[int]"]]) -> bool:
    """Whether these decisions of ``before`` cite in the laws of ``database`` what they cite there.

    The norms of both have the same numbers. With each decision comes what its reading asked then.
    """
    decisions, finder = _open_finder(database, before)
    for number, asked in asking:
        ((_, _, text),) = decisions.iter_texts(number, number)
        try:
            with limited():
                found = finder.find(number, text)
        except TooSlow:
            return False
        cited = list(found.rows), list(found.ranged)
        if decisions.list_cited(number) != cited or found.asked != asked:
            return False
    return True


def _open_finder(laws: Path, held: Path) -> tuple[WholeDecisions, CitingFinder]:
    """The decisions of one build, and what finds in the laws of another what they cite."""
    if (laws, held) not in _finders:
        store = _open_written(laws)
        decisions = store.decisions if held == laws else _open_live(held).decisions
        names, asked = LawNames.build(store.statutes.values()), Asked()
        resolvers = Resolver(store, asked), DecisionResolver(decisions, asked)
        _finders[laws, held] = decisions, CitingFinder(names, *resolvers)
    return _finders[laws, held]


def find_labelled(database: Path, guard: tuple[Path, ...]) -> list[CitingSentence]:
    """The labelled sentences beside the database that cite norms."""
    with closing(open_whole(database, is_written=False)) as store:
        return list(iter_labelled(store, database, read_guard(guard)))


def build_index(
    engine: SearchEngine, database: Path, folder: Path, held: HeldIndex | None = None
) -> None:
    """Build the search index from the norms and decisions already stored.

    Parts that ``held`` has alike are taken from there.
    """
    store = open_whole(database, is_written=False)
    parts = divide(store.decisions.list_days())
    same = _find_same(engine, store, parts, held) if held is not None else frozenset()
    decisions = iter_decisions(store.decisions, store.count_norms(), parts, same)
    documents = chain(iter_documents(store), decisions)
    engine.build(_counted(documents), folder, held.folder if held is not None else None)
    store.close()  # where that failed, what is read of it is still open


def _find_same(
    engine: SearchEngine, store: WholeStore, parts: Parts, held: HeldIndex
) -> frozenset[int]:
    """The parts of decisions that may be taken from another index."""
    given = engine.list_parts(held.folder)
    if not given or held.has_same_decisions:
        return given
    with closing(open_whole(held.database)) as before:
        return given & find_held(parts, store.decisions, before.decisions)


def _counted(documents: Iterator[Indexed]) -> Iterator[Indexed]:
    for count, document in enumerate(documents):
        if not count % 256:
            if _counter is not None:
                _counter.value = count
            if _stop is not None and _stop.is_set():
                raise CorpusError("the build was given up")
        yield document
