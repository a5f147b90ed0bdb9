"""The second half of a build: references, citations of decisions, search index and ranking."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from fundstelle.corpus.ingestion import CorpusWriter, Edge
from fundstelle.corpus.opening import open_whole
from fundstelle.heap import trim_heap
from fundstelle.ingest.build import workers
from fundstelle.ingest.build.citings import DecisionsCiting, share_kept, tell_endless
from fundstelle.ingest.build.pool import Pool
from fundstelle.ingest.graph.asked import AskedWriter, read_asked
from fundstelle.ingest.graph.heirs import list_heirs
from fundstelle.ingest.graph.references import MOST_EDGES
from fundstelle.ingest.graph.taken import Compared
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.ranking import chosen, labelled
from fundstelle.ingest.ranking.everyday import write_meanings
from fundstelle.ingest.ranking.learned import Selection, iter_sentences, learn_ranking, read_guard
from fundstelle.ingest.ranking.priors import CitedNorms
from fundstelle.search.index import CitingSentence, SearchEngine

_BATCH_NORMS = 2_000
_NOTHING = array("I")


@dataclass(frozen=True, slots=True)
class Content:
    """What a manifest quotes of all rows of a database, by its field, and their SHA-256."""

    counts: dict[str, int]
    sha256: str


@dataclass(frozen=True, slots=True)
class Connection:
    """Connects the documents of a database: who cites whom, and where words stand."""

    database: Path
    index: Path  # empty folder
    engine: SearchEngine
    pool: Pool
    progress: Progress
    guard: tuple[Path, ...] = ()  # files of texts that nothing may be learnt from
    read: Path | None = None  # database of a build that has the same decisions, read with the same
    before: Path | None = None  # database of the build before, by the same program
    laws: Compared | None = None  # what became of its laws
    held: workers.HeldIndex | None = None  # of which parts may be taken over

    def run(self, writer: CorpusWriter) -> Content:
        """Index and graph at the same time: one takes a process, the other the rest.

        Gives what the database holds when all of it is connected.
        """
        norms, decisions = self._count()
        trim_heap()
        indexing = self.pool.set_apart(
            workers.build_index, self.engine, self.database, self.index, self.held
        )
        cited = self._refer(writer, norms)
        if self.read is None:
            citing = DecisionsCiting(self.database, self.pool, self.progress, self.before)
            citing.cite(writer, decisions, self.laws)
        else:
            share_kept(self.read, self.database)
        with closing(open_whole(self.database, is_written=False)) as store:
            writer.add_heirs(list_heirs(store))
        writer.commit()
        sentences, learnt = self._choose_sentences(decisions)
        self.progress.start("index", norms + decisions, "documents")
        self.pool.rest()  # the index needs most of its memory at its end
        # while the index is made, or else while the ranking is learnt
        content = None if indexing.done() else self._complete(writer)
        self._watch(indexing, norms + decisions)
        cited.write(self.database, self.index)
        for told in write_meanings(self.database, self.index):
            self.progress.note(told)
        self.progress.start("learn the ranking", 0, "sentences")
        learning = self.pool.submit(learn_ranking, self.engine, self.index, sentences, learnt)
        if content is None:
            content = self._complete(writer)
        told = self.pool.result(learning)
        if decisions or labelled.exists(self.database):  # else there was nothing to learn from
            self.progress.note(told)
        return content

    def _complete(self, writer: CorpusWriter) -> Content:
        """Bring the database to its end, and read through all of it."""
        writer.complete()
        with closing(open_whole(self.database, is_written=False)) as store:
            content = Content(store.count_rows(), store.hash_content(anew=False))
        trim_heap()
        return content

    def _refer(self, writer: CorpusWriter, norms: int) -> CitedNorms:
        """What norms refer to: found in their texts, or taken over where that gives the same."""
        self.progress.start("references", norms, "norms")
        cited, asked = CitedNorms(), AskedWriter()
        taken = self.laws.norms if self.laws is not None else None
        kept = read_asked(taken.database) if taken is not None else None
        jobs = [
            (*job, taken.cut(*job[1:]) if taken is not None else None)
            for job in self._split(norms, _BATCH_NORMS)
        ]
        results = self.pool.map(workers.find_references, jobs)
        for (_, first, last, part), found in zip(jobs, results, strict=True):
            writer.add_edges(found.edges)
            cited.add(found.edges)
            for at, keys in enumerate(found.asked):
                if part is not None and kept is not None and keys is None:
                    asked.add(kept.get(part.ordinals[at]))
                else:
                    asked.add(keys or _NOTHING)
            self._tell_cut(found.edges)
            tell_endless(self.progress, found.endless)
            self.progress.advance(last - first + 1)
        asked.write(self.database)
        return cited

    def _tell_cut(self, edges: Sequence[Edge]) -> None:
        counts = Counter(edge[0] for edge in edges)
        cut = [ordinal for ordinal, count in counts.items() if count >= MOST_EDGES]
        if cut:
            with closing(open_whole(self.database, is_written=False)) as store:
                for norm in store.get_norms_by_ordinal(cut):
                    self.progress.note(
                        f"{norm.norm_id} refers to more than {MOST_EDGES:,} places; the first are"
                        " kept"
                    )

    def _choose_sentences(self, decisions: int) -> tuple[list[CitingSentence], Path | None]:
        """What the ranking learns from, while the index is made; an index that has learnt it."""
        if self.read is not None and (kept := chosen.read(self.read, self.guard)) is not None:
            learnt = self.held.folder if self.held is not None else None
            return chosen.write(kept, self.database, self.guard), learnt
        self.progress.start("sentences", decisions, "decisions")
        given = self.pool.submit(workers.find_labelled, self.database, self.guard)
        selection, guard = Selection(), read_guard(self.guard)
        with closing(open_whole(self.database, is_written=False)) as store:
            own = iter_sentences(store, guard, selection.wants, self.progress.advance)
            for sentence in own:
                selection.offer(sentence)
        for sentence in self.pool.result(given):
            selection.offer(sentence)
        return chosen.write(selection.chosen, self.database, self.guard), None

    def _count(self) -> tuple[int, int]:
        store = open_whole(self.database, is_written=False)
        try:
            return store.count_norms(), store.decisions.count()
        finally:
            store.close()

    def _split(self, total: int, size: int) -> Iterator[tuple[Path, int, int]]:
        for first in range(0, total, size):
            yield self.database, first, min(first + size, total) - 1

    def _watch(self, indexing: "Future[None]", total: int) -> None:
        shown = 0
        while wait([indexing], timeout=0.5).not_done:
            done = self.pool.counter.value
            self.progress.advance(done - shown)
            shown = done
        self.pool.result(indexing)
        self.pool.rejoin()
        self.progress.advance(total - shown)
