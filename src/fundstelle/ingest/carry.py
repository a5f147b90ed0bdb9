"""What a build takes over from the live one: the sources that it was not given anew."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import merge
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteDecisions, read_histories
from fundstelle.errors import CorpusError
from fundstelle.ingest.collections import ACTS, DECISIONS
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.records import ParsedAct, ParsedDecision
from fundstelle.law.decisions import EU_RULINGS, Decision

_CARRIED = frozenset({ACTS, DECISIONS})


@dataclass(frozen=True, slots=True)
class Held:
    """The live build, and which of its sources are taken over."""

    manifest: Manifest
    store: SqliteCorpusStore
    source_types: frozenset[str]

    @property
    def states(self) -> tuple[SourceState, ...]:
        """The sources taken over."""
        return tuple(s for s in self.manifest.sources if s.source_type in self.source_types)


def find_held(data_dir: Path, harvest: Harvest, *, demonstration: bool) -> Held | None:
    """What the live build holds of sources that ``harvest`` lacks; ``None`` if nothing.

    Official and invented law are not mixed, and a build of another schema cannot be read.
    """
    release = builds.read_pointer(data_dir)
    if release is None:
        return None
    try:
        folder = builds.get_folder(data_dir, release)
        manifest = builds.read_manifest(folder)
        wanted = _CARRIED - harvest.source_types
        held = wanted & {state.source_type for state in manifest.sources}
        alike = manifest.schema_version == SCHEMA_VERSION
        if not held or not alike or manifest.demonstration != demonstration:
            return None
        return Held(manifest, SqliteCorpusStore(folder / builds.DATABASE), held)
    except CorpusError:
        return None  # series.find_start says why


def iter_acts(harvest: Harvest, held: Held | None) -> Iterator[ParsedAct]:
    """The EU acts by id: the new ones, or those of the live build."""
    if held is None or ACTS not in held.source_types:
        yield from harvest.iter_acts()
        return
    for statute in held.store.statutes.values():
        if statute.source_type == ACTS:
            histories = read_histories(held.store, statute.statute_id)
            yield ParsedAct(statute, tuple(histories))


def iter_decisions(harvest: Harvest, held: Held | None) -> Iterator[ParsedDecision]:
    """The decisions by id, new ones and those taken over; of one in both the new one."""
    carried = _iter_carried(held) if held is not None else iter(())
    last = ""
    for parsed in merge(harvest.iter_decisions(), carried, key=_get_id):
        if parsed.decision.decision_id != last:
            yield parsed
        last = parsed.decision.decision_id


def _get_id(parsed: ParsedDecision) -> str:
    return parsed.decision.decision_id


def _iter_carried(held: Held) -> Iterator[ParsedDecision]:
    decisions = SqliteDecisions(held.store)
    for _, decision, text in decisions.iter_texts(0, decisions.count()):
        if _find_source(decision) in held.source_types:
            yield ParsedDecision(decision, text)


def _find_source(decision: Decision) -> str:
    """The collection that a decision came with."""
    from_acts = any(source.source_type == EU_RULINGS for source in decision.sources)
    return ACTS if from_acts else DECISIONS


def describe_sources(harvest: Harvest, held: Held | None, now: datetime) -> tuple[SourceState, ...]:
    """The sources beside federal law as the manifest quotes them; what failed is said."""
    states = {state.source_type: state for state in harvest.states}
    for state in held.states if held is not None else ():
        problem = harvest.failed.get(state.source_type)
        attempt = now if problem else state.last_attempt
        states[state.source_type] = replace(
            state, problem=problem or state.problem, last_attempt=attempt
        )
    return tuple(states[source_type] for source_type in sorted(states))
