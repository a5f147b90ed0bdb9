"""From snapshots to a live build: spool, plan, parse, index, check, swap.

Work is spread over worker processes in small batches whose results are taken in order, so that
memory stays bounded and the same input gives the same build.
"""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import CorpusWriter
from fundstelle.corpus.manifest import Manifest, Rejected
from fundstelle.corpus.opening import begin, open_whole
from fundstelle.corpus.proof.signing import open_key, show_key, sign
from fundstelle.corpus.publishing import workspace
from fundstelle.errors import CorpusError
from fundstelle.ingest.build import workers
from fundstelle.ingest.build.basis import (
    Basis,
    can_take,
    find_basis,
    find_before,
    find_index,
    find_unchanged,
    is_same_program,
)
from fundstelle.ingest.build.citings import cite_the_same
from fundstelle.ingest.build.connection import Connection, Content
from fundstelle.ingest.build.decisions import iter_stored, store
from fundstelle.ingest.build.description import Made, Parts
from fundstelle.ingest.build.gathering import (
    BuildOptions,
    Built,
    check_gathered,
    gather,
    spool_all,
)
from fundstelle.ingest.build.pool import Pool, split
from fundstelle.ingest.build.publication import open_held, publish
from fundstelle.ingest.build.room import Watched, make_room
from fundstelle.ingest.build.turns import InTurn
from fundstelle.ingest.build.unchanged import Unchanged, find_unchanged_laws
from fundstelle.ingest.collections import Collection, settle
from fundstelle.ingest.graph.taken import Compared
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.carry import (
    Held,
    find_held,
    iter_acts,
)
from fundstelle.ingest.history.commencing import find_records
from fundstelle.ingest.history.listed import list_missing
from fundstelle.ingest.history.looks import (
    Dated,
)
from fundstelle.ingest.history.losses import require_laws
from fundstelle.ingest.history.other_version import require_all_again
from fundstelle.ingest.history.plan import PlannedStatute, plan
from fundstelle.ingest.history.precedence import Precedence
from fundstelle.ingest.history.series import Start, describe_source, find_start
from fundstelle.ingest.history.sightings import Candidate
from fundstelle.ingest.history.snapshots import SpooledSnapshot
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.ranking import labelled
from fundstelle.ingest.ranking.learned import read_guard
from fundstelle.ingest.sources import registry
from fundstelle.law.sources import Kind
from fundstelle.search.index import SearchEngine

_BATCH_BYTES = 1_000_000
_MOST_REJECTED = 0.01
_SAMPLE = 499  # every so many norms are read back before the swap


def build_corpus(
    sources: Sequence[Dated | Collection],
    data_dir: Path,
    engine: SearchEngine,
    options: BuildOptions,
    progress: Progress,
) -> Built:
    """Build a corpus beside the live one, check it and make it the live one.

    Snapshots later than the live build continue it: its fassungen are carried over. So are its
    decisions and EU acts where ``sources`` bring none or only add some, or they cannot be read,
    which is told by what is given back.

    Raises:
        SourceError: a snapshot as a whole cannot be used, a collection is empty, or a guard is not
            a file of queries.
        CorpusError: too many files are unusable, the disk has no room, another ingestion runs, the
            live build is damaged or was another one at the beginning, or the finished build does
            not pass its checks. The live build is as it was.
    """
    read_guard(options.guard)  # a file that is none is refused before the work, not after it
    with builds.explained(data_dir), builds.lock(data_dir), workspace(data_dir) as space:
        progress = Watched(progress, data_dir)
        (spools := space / "spools").mkdir()
        (folder := space / "build").mkdir()
        pool = Pool(options.processes)  # starts no process before there is work for it
        with pool, Harvest(spools, pool.map) as harvest:
            harvest.failed.update(options.failed)
            snapshots = gather(sources, harvest, progress)
            unread = {o: why for o, why in harvest.failed.items() if o not in options.failed}
            base = options.base or (None if options.fresh else builds.get_live(data_dir))
            check_gathered(sources, harvest, data_dir, options, progress)
            taken = spool_all(snapshots, spools, options, progress) if snapshots else []
            builds.require_base(data_dir, base)
            start = Start(tuple(taken)) if options.fresh else find_start(data_dir, taken, progress)
            if not options.fresh:
                require_laws(data_dir, start)
                require_all_again(data_dir, start, harvest)
            live = start.live.manifest if start.live else None
            is_same = not (options.guard or options.again or start.snapshots)
            if live and is_same and _is_held(live, harvest):
                index = builds.get_folder(data_dir, live.release) / builds.INDEX
                if _has_index(engine, index, progress):
                    if not unread:
                        progress.note("the live build holds all of it already")
                    known = open_held(data_dir, live.release, engine, index)
                    settle(sources, harvest.failed)
                    return Built(known, unread, harvest.rejected)
            make_room(data_dir, options.keep, engine, progress)
            demonstration = any(snapshot.demonstration for snapshot in taken)
            fresh = options.fresh
            held = None if fresh else find_held(data_dir, harvest, demonstration=demonstration)
            harvest.rejected += labelled.gather(sources, folder)
            if held is not None and any(map(_may_have_sentences, held.source_types)):
                labelled.carry(builds.get_folder(data_dir, held.manifest.release), folder)
            builds.require_base(data_dir, base)  # it is read more than once
            parts = Parts(start, harvest, held, find_records(data_dir))
            build = _Build(parts, folder, engine, options, progress, pool)
            manifest = _sign(build.run(), data_dir)
        published = publish(data_dir, folder, manifest, engine, base)
        settle(sources, harvest.failed)
        return Built(published, unread, build.rejected)


def _sign(manifest: Manifest, data_dir: Path) -> Manifest:
    """The root signed by the operator's key, which is made with the first build."""
    key, root = open_key(data_dir), manifest.root
    assert root is not None  # of every new build
    signature = sign(key, root, manifest.leaves)
    return replace(manifest, key=show_key(key.public_key()), signature=signature)


def _may_have_sentences(source_type: str) -> bool:
    source = registry.find(source_type)
    return source is not None and Kind.SENTENCES in source.kinds


def _is_held(manifest: Manifest, harvest: Harvest) -> bool:
    """Whether the live build was made of just the collections read, or had them added last."""
    if manifest.root is None:  # made before texts were proved: the same is built with its tree
        return False
    held = {(state.source_type, state.sha256) for state in manifest.sources}
    held |= {(s.source_type, s.snapshots[-1].sha256) for s in manifest.sources if s.snapshots}
    return all((state.source_type, state.sha256) in held for state in harvest.states)


def _has_index(engine: SearchEngine, index: Path, progress: Progress) -> bool:
    """Whether what the index keeps outside of the build is there; else all is built anew."""
    try:
        engine.verify(index)
    except CorpusError as error:
        progress.note(str(error))
        return False
    return True


@dataclass(slots=True)
class _Build:
    """One build under way."""

    parts: Parts
    folder: Path
    engine: SearchEngine
    options: BuildOptions
    progress: Progress
    pool: Pool
    precedence: Precedence = field(init=False)
    acts: InTurn = field(init=False)  # of collections
    basis: Basis = field(init=False)
    rejected: list[Rejected] = field(default_factory=list)

    @property
    def database(self) -> Path:
        return self.folder / builds.DATABASE

    @property
    def snapshots(self) -> Sequence[SpooledSnapshot]:
        return self.parts.start.snapshots

    def run(self) -> Manifest:
        for snapshot in self.snapshots:
            self._reject(snapshot.rejected)
        writer: CorpusWriter = begin(self.database)
        try:
            planned = self._plan()
            self.precedence = Precedence.over(one.abbreviation for one in planned)
            acts = iter_acts(self.parts.harvest, self.parts.held, self.progress)
            self.acts = InTurn(self.precedence.select(acts, self.progress))
            self._store(planned, writer)
            self._check_rejected()
            start = self.parts.start
            writer.add_missing(list_missing(start, describe_source(start).missing))
            self._store_last_acts(writer)
            writer.index_laws()
            with closing(open_whole(self.database, is_written=False)) as store:
                self.basis = find_basis(store)
            unchanged = find_unchanged(self.parts.held, self.parts.harvest)
            before = find_before(self.parts.start.live)
            laws = self._compare_laws(before)
            is_read = unchanged is not None and self._cites_the_same(unchanged, laws)
            self._store_decisions(writer, unchanged, is_read=is_read)
            writer.index()
            (index := self.folder / builds.INDEX).mkdir()
            content = Connection(
                *(self.database, index, self.engine, self.pool),
                *(self.progress, self.options.guard),
                unchanged.database if unchanged is not None and is_read else None,
                *(before, laws),
                find_index(self.parts.held or self.parts.start.live, unchanged, self.progress),
            ).run(writer)
            self.pool.close()
            self.progress.start("check", 0, "norms")
            writer.finish()  # after the pool: no other process may have the file open
        except BaseException:
            writer.close()
            raise
        return self._check(content)

    def _plan(self) -> list[PlannedStatute]:
        self.progress.start("read headers", sum(len(s.files) for s in self.snapshots), "laws")
        jobs = (
            (number, snapshot.spool, files)
            for number, snapshot in enumerate(self.snapshots)
            for files in split(snapshot.files, lambda file: file.length, _BATCH_BYTES)
        )
        candidates: list[Candidate] = []
        unread: list[tuple[int, str]] = []
        for found, rejected, unnamed in self.pool.map(workers.read_headers, jobs):
            candidates += found
            unread += unnamed
            self._reject(rejected)
            self.progress.advance(len(found) + len(rejected))
        live = self.parts.start.live
        known = live.known if live else None
        planned, rejected = plan(self.snapshots, candidates, known, unread)
        self._reject(rejected)
        return planned

    def _store(self, planned: Sequence[PlannedStatute], writer: CorpusWriter) -> None:
        self.progress.start("parse", len(planned), "laws")
        places = [workers.SnapshotPlace(s.spool, s.day) for s in self.snapshots]
        live = self.parts.start.live.database if self.parts.start.live else None
        before = find_before(self.parts.start.live)
        with find_unchanged_laws(before, planned, writer) as unchanged:
            new = (one for one in planned if not unchanged.has(one.statute_id))
            batches = split(new, lambda statute: statute.size, _BATCH_BYTES)
            jobs = ((places, batch, live, self.parts.records) for batch in batches)
            for encoded, rejected in self.pool.map(workers.parse_statutes, jobs):
                for statute in encoded:
                    self._store_unchanged(unchanged, statute.statute_id, writer)
                    self._store_acts(statute.statute_id, writer)
                    writer.add_encoded(statute)
                self._reject(rejected)
                self.progress.advance(len(encoded))
            self._store_unchanged(unchanged, None, writer)

    def _store_unchanged(
        self, unchanged: Unchanged, statute_id: str | None, writer: CorpusWriter
    ) -> None:
        """The laws before that id that are as in the live build; ``None`` = all that are left."""
        for held in unchanged.take_before(statute_id):
            self._store_acts(held.statute_id, writer)
            unchanged.store(held)
            self.progress.advance(1)

    def _store_acts(self, statute_id: str | None, writer: CorpusWriter) -> None:
        for act in self.acts.take_before(statute_id):
            writer.add_statute(act.statute, act.norms)

    def _store_last_acts(self, writer: CorpusWriter) -> None:
        """What is left of the acts, whose ids follow those of the laws."""
        self._reject(self.parts.harvest.rejected)
        self.progress.start("store EU acts and decisions", 0, "documents")
        for act in self.acts.take_before(None):
            writer.add_statute(act.statute, act.norms)
            self.progress.advance(1)

    def _compare_laws(self, before: Path | None) -> Compared | None:
        """What became of the laws of the build ``before``, if that is known."""
        if before is None:
            return None
        self.progress.start("compare", 0, "laws")
        return self.pool.result(self.pool.submit(workers.compare_laws, self.database, before))

    def _cites_the_same(self, unchanged: Held, laws: Compared | None) -> bool:
        """Whether the decisions of ``unchanged`` cite here what they cite there."""
        if not can_take(self.basis, unchanged.manifest):
            return False
        before = unchanged.database
        # a build of all snapshots goes on from no laws, and may bring other words of them
        known = self._compare_laws(before) if laws is None else laws
        return known is not None and cite_the_same(self.database, before, known, self.pool)

    def _store_decisions(
        self, writer: CorpusWriter, unchanged: Held | None, *, is_read: bool
    ) -> None:
        """Those of ``unchanged`` with what they cite, where that ``is_read`` alike."""
        if unchanged is not None and is_read:
            self.progress.advance(writer.share_decisions(unchanged.database))
            return
        held = self.parts.held
        same = held if held is not None and is_same_program(held.manifest) else None
        everything = None if unchanged is None else [range(unchanged.store.decisions.count())]
        stored = everything or iter_stored(
            self.parts.harvest, held, self.pool.map, takes_rows=same is not None
        )
        store(writer, stored, same.database if same is not None else None, self.progress.advance)

    def _reject(self, rejected: Iterable[Rejected]) -> None:
        for one in rejected:
            self.progress.note(f"rejected {one.name}: {one.reason}")
            self.rejected.append(one)

    def _check_rejected(self) -> None:
        # a later look names only what was new: of all that it read few may be unusable
        files = sum(
            max(len(s.files) + len(s.rejected), len(s.contents or ()) if s.changes_only else 0)
            for s in self.snapshots
        )
        if len(self.rejected) > files * _MOST_REJECTED and not self.options.allow_rejects:
            raise CorpusError(
                f"{len(self.rejected)} of {files} files cannot be used, more than 1 %; mend the"
                " source, or build without them by --allow-rejects"
            )

    def _check(self, content: Content) -> Manifest:
        """Read the build back as a reader would.

        Raises:
            CorpusError: it is not what was written.
        """
        store = open_whole(self.database)
        try:
            total = store.count_norms()
            if not total:
                raise CorpusError("the source holds no norm; name another with --source")
            for norm in store.get_norms_by_ordinal(range(0, total, _SAMPLE)):
                fassung = store.find_fassung(norm.norm_id)
                if fassung is None or hash_text(fassung.text) != fassung.text_sha256:
                    raise CorpusError(f"{norm.norm_id} cannot be read back; build again")
            self.engine.open(self.folder / builds.INDEX).close()
            made = Made(self.parts, self.basis, self.precedence, self.rejected, content)
            return made.describe(store, self.options.now or datetime.now(UTC))
        finally:
            store.close()


def hash_text(text: str) -> str:
    """SHA-256 of a stored text, as ``Fassung.text_sha256`` has it."""
    return hashlib.sha256(text.encode()).hexdigest()
