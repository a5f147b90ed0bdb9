"""What a build takes over from the live one: the sources that it was not given anew."""

import hashlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import reduce
from heapq import merge
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest, SnapshotState, SourceState
from fundstelle.corpus.opening import open_whole
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.soundness.check import require_sound
from fundstelle.errors import CorpusError
from fundstelle.ingest.graph import asked, places
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.precedence import count_documents
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.ranking import chosen, labelled
from fundstelle.ingest.records import ParsedAct, ParsedDecision, Withdrawn
from fundstelle.ingest.sources import registry
from fundstelle.ingest.sources.decision_text.merge import Number, find_number
from fundstelle.law.decisions import Decision, DecisionSource


@dataclass(frozen=True, slots=True)
class Held:
    """The live build, and which of its sources are taken over."""

    manifest: Manifest
    database: Path
    store: WholeStore
    source_types: frozenset[str]

    def describe_carried(self, withdrawn: Iterable[Withdrawn]) -> "Carried":
        """What a worker must know of the decisions that are taken over."""
        return Carried(self.database, self.source_types, frozenset(withdrawn))

    @property
    def states(self) -> tuple[SourceState, ...]:
        """The sources taken over."""
        return tuple(s for s in self.manifest.sources if s.source_type in self.source_types)


def find_held(data_dir: Path, harvest: Harvest, *, demonstration: bool) -> Held | None:
    """What the live build holds of sources that ``harvest`` does not replace; ``None`` if nothing.

    Official and invented law are not mixed, and a build of another schema cannot be read.

    Raises:
        CorpusError: something would have to be taken over from it, and it is damaged.
    """
    release = builds.get_live(data_dir)
    if release is None:
        return None
    try:
        folder = builds.get_folder(data_dir, release)
        manifest = builds.read_manifest(folder)
        series = {registry.FEDERAL_LAW.source_type}  # which is gone on from: history.series
        held = {state.source_type for state in manifest.sources} - series - harvest.replaced
        alike = manifest.schema_version == SCHEMA_VERSION
        if not held or not alike or manifest.demonstration != demonstration:
            return None
    except CorpusError:
        return None  # series.find_start says why
    kept = (asked.FILE, asked.OF_DECISIONS, places.FILE, labelled.FILE, chosen.FILE)
    require_sound(folder, *builds.DATABASES, *kept)
    database = folder / builds.DATABASE
    return Held(manifest, database, open_whole(database), frozenset(held))


def iter_acts(harvest: Harvest, held: Held | None, progress: Progress) -> Iterator[ParsedAct]:
    """The statutes of collections by id, new and taken over; of one that is in both the new one.

    Later texts of an edition that is held go on from it. Where one takes the place of a text in
    another language, that is said.
    """
    new = (_go_on(held, texts, progress) for texts in harvest.iter_acts())
    carried = _iter_carried_acts(held, harvest) if held is not None else iter(())
    yield from merge(new, carried, key=lambda act: act.statute.statute_id)


def _go_on(held: Held | None, texts: Sequence[ParsedAct], progress: Progress) -> ParsedAct:
    """What becomes of a statute by what was read of it, the newest text last."""
    statute = texts[-1].statute
    source = registry.find(statute.source_type)
    before = held.store.statutes.get(statute.statute_id) if held is not None else None
    if held is None or before is None or before.source_type not in held.source_types:
        return texts[-1]
    if not isinstance(source, registry.CollectionSource):
        return texts[-1]
    continues = source.adapter().continues
    if before.language != statute.language:
        progress.note(
            f"{before.statute_id} is now held in {statute.language}; this takes the place of what"
            f" was held in {before.language}"
        )
    if continues is None or before.language != statute.language:
        return texts[-1]
    act = ParsedAct(before, tuple(held.store.list_histories(before.statute_id)))
    return reduce(continues.extend, texts, act)


def _iter_carried_acts(held: Held, harvest: Harvest) -> Iterator[ParsedAct]:
    """Those that are not read anew; one that its publisher took back is no longer listed.

    An act that goes by another name now, and so has another id, is one that was read anew.
    """
    for statute_id, statute in sorted(held.store.statutes.items()):
        is_read = harvest.has_read(statute.source_type, statute.publisher_id)
        is_read = is_read or statute_id in harvest.stands
        if statute.source_type in held.source_types and not is_read:
            is_gone = Withdrawn(statute.source_type, statute.publisher_id) in harvest.withdrawn
            kept = replace(statute, listed=False) if is_gone else statute
            yield ParsedAct(kept, tuple(held.store.list_histories(statute_id)))


@dataclass(frozen=True, slots=True)
class Carried:
    """What a worker must know of the decisions that are taken over."""

    database: Path  # of the live build
    source_types: frozenset[str]
    withdrawn: frozenset[Withdrawn]


def list_kept(decision: Decision, carried: Carried) -> tuple[DecisionSource, ...]:
    """The sources that a decision of the live build still has; none if it is not taken over.

    A publisher that took a decision back is no longer one of them.
    """
    if not registry.list_sources_of(decision) & carried.source_types:
        return ()
    return tuple(
        one
        for one in decision.sources
        if (registry.name_source_of(one) in carried.source_types or one is decision.sources[0])
        and Withdrawn(one.source_type, one.publisher_id) not in carried.withdrawn
    )


def read_carried(
    live: WholeStore, number: int, carried: Carried, outdated: Container[Number] = ()
) -> ParsedDecision | None:
    """A decision of which any source is taken over; none of those that are ``outdated``.

    The words stay where another source has them, too, since they are those of the decision.
    """
    ((_, decision, text),) = live.decisions.iter_texts(number, number)
    kept = tuple(one for one in list_kept(decision, carried) if find_number(one) not in outdated)
    return ParsedDecision(replace(decision, sources=kept), text) if kept else None


def describe_sources(
    harvest: Harvest, held: Held | None, store: WholeStore, now: datetime
) -> tuple[SourceState, ...]:
    """The sources beside federal law as the manifest quotes them; what failed is said.

    ``store`` is what was built: of a source that was added to, it is counted.
    """
    counts: Counter[str] | None = None
    states: dict[str, SourceState] = {}
    for read in harvest.states:  # of one kind there may be several collections
        before, count = states.get(read.source_type), len(harvest.ids.get(read.source_type, ()))
        states[read.source_type] = (
            read if before is None else replace(_join(before, read, now), items=count)
        )
    for state in held.states if held is not None else ():
        problem = harvest.failed.get(state.source_type)
        attempt = now if problem else state.last_attempt
        old = replace(
            _trust(state, harvest.latest),
            problem=problem or state.problem,
            last_attempt=attempt,
            # what is added may be newer than all of it, and would seem to be followed by nothing
            known_until=state.held_until,
        )
        new = states.get(state.source_type)
        if new is None:
            states[state.source_type] = old
            continue
        counts = count_documents(store) if counts is None else counts
        states[state.source_type] = replace(
            _join(old, new, now),
            items=counts[state.source_type],
            problem=problem,
            last_attempt=attempt if problem else None,
        )
    return tuple(states[source_type] for source_type in sorted(states))


def _trust(state: SourceState, latest: date) -> SourceState:
    """A Stand behind ``latest`` is that of a misdated document: the newest of the others counts."""
    if state.stand <= latest:
        return state
    stands = [one.stand for one in state.snapshots if one.stand <= latest]
    return replace(state, stand=max(stands, default=min(state.retrieved_at.date(), latest)))


def _join(old: SourceState, new: SourceState, now: datetime) -> SourceState:
    """The state of a source to which documents were added; a clock that was ahead is forgotten."""
    retrieved = [one for one in (old.retrieved_at, new.retrieved_at) if one <= now]
    known = [one for one in (old.known_until, new.known_until) if one and one <= now.date()]
    first = SnapshotState(old.name, old.stand, old.sha256, old.items)
    last = SnapshotState(new.name, new.stand, new.sha256, new.items)
    parts = (*(old.snapshots or (first,)), last)
    digest = hashlib.sha256("".join(part.sha256 for part in parts).encode())
    return replace(
        old,
        stand=max(old.stand, new.stand),
        sha256=digest.hexdigest(),
        retrieved_at=max(retrieved, default=new.retrieved_at),
        snapshots=parts,
        last_attempt=None,
        problem=None,
        known_until=max(known, default=None),
        # a selection says nothing of what is owed beside it; a look has asked for that, too
        owed=new.owed if new.known_until else tuple(sorted({*old.owed, *new.owed})),
    )
