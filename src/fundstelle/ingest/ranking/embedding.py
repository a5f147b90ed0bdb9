"""Vectors for the norms of the live build: the most cited first, and none twice.

A job may end at any moment, and the next one goes on behind the last whole batch. Passages that
another build has a vector of are not given to the model again.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from math import log1p
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.decisions import CitedKind
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.errors import CorpusError, NoCorpus
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.ranking.documents import iter_documents
from fundstelle.law.norms import Fassung, Norm, Statute
from fundstelle.search.meaning.embedder import Embedder
from fundstelle.search.meaning.vector_writer import VectorWriter
from fundstelle.search.meaning.vectors import FOLDER, Card, Vectors, hash_passage
from fundstelle.search.ranking.priors import read_priors

PASSAGE_CHARS = 420
"""Of a norm's words; longer passages were not found better, and take longer."""

_BATCH = 64
_CARRIED_BATCH = 4_096
_REPORTED = 1_000  # norms read between two steps of the progress
_PROBE = "Gesetz"


@dataclass(frozen=True, slots=True)
class Embedded:
    """How far a job came."""

    release: str
    done: int  # norms with a vector
    total: int  # norms that are to have one
    carried: int  # taken over from another build
    computed: int

    @property
    def is_complete(self) -> bool:
        """Whether every norm has its vector."""
        return self.done == self.total


@dataclass(frozen=True, slots=True)
class _Job:
    """What all builds that one job may come to have in common."""

    data_dir: Path
    embedder: Embedder
    progress: Progress
    should_stop: Callable[[], bool]


def embed_norms(
    data_dir: Path,
    embedder: Embedder,
    progress: Progress,
    *,
    limit: int | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Embedded:
    """Give the norms of the live build their vectors; at most ``limit`` are computed.

    ``should_stop`` is asked between batches. If another build is made live meanwhile, the job
    goes on with that one.

    Raises:
        NoCorpus: there is no live build.
        CorpusError: another such job is running, or the vectors cannot be written.
        EmbedderError: the model cannot be asked. What was computed before is kept.
        InterruptedError: it was asked to stop before all norms were read.
    """
    job = _Job(data_dir, embedder, progress, should_stop)
    with builds.lock(data_dir, "embed"):
        dimensions = len(embedder.embed_passages([_PROBE])[0])
        left = limit
        while True:
            release = builds.get_live(data_dir)
            if release is None:
                raise NoCorpus(
                    f"there is no corpus in {data_dir} yet; build one with 'fundstelle ingest'"
                )
            done = _embed_build(job, release, dimensions, left)
            if not _is_replaced(data_dir, release) or should_stop():
                return done
            progress.note("another build is live now; going on with that one")
            left = None if left is None else left - done.computed


def find_vectors(data_dir: Path, release: str) -> Path:
    """The folder of a build's vectors, whether it is there or not."""
    return builds.get_folder(data_dir, release) / builds.INDEX / FOLDER


def make_passage(norm: Norm, fassung: Fassung, statute: Statute) -> str:
    """What a model reads of a norm: what it is, where it stands, how it begins."""
    place = " / ".join(norm.hierarchy[-2:])
    text = f"{norm.title or ''} ({statute.title}). {place}: {fassung.text}"
    return " ".join(text.split())[:PASSAGE_CHARS]


def order_norms(
    ordinals: Sequence[int], cited: Mapping[int, int], priors: "array[float] | None"
) -> list[int]:
    """The most cited first: ``cited`` counts sentences of decisions, ``priors`` are of norms."""

    def weigh(ordinal: int) -> float:
        prior = priors[ordinal] if priors is not None else 1.0
        return 2 * log1p(cited.get(ordinal, 0)) + 2 * prior

    return sorted(ordinals, key=lambda ordinal: (-weigh(ordinal), ordinal))


def count_citing_sentences(store: WholeStore) -> Counter[int]:
    """By ordinal of a norm the sentences of decisions that cite it."""
    counts: Counter[str] = Counter()
    decisions = store.decisions
    for decision in decisions.iter_all():
        citings = decisions.list_citations(decision.decision_id)
        norms = {
            (citing.sentence, citing.cited_id)
            for citing in citings
            if citing.kind is CitedKind.NORM and citing.cited_id
        }
        counts.update(cited_id for _, cited_id in norms)
    by_ordinal: Counter[int] = Counter()
    for cited_id, count in counts.items():
        ordinal = store.find_ordinal(cited_id)
        if ordinal is not None:  # laws as a whole have none
            by_ordinal[ordinal] += count
    return by_ordinal


def _embed_build(job: _Job, release: str, dimensions: int, limit: int | None) -> Embedded:
    """Embed one build until it is done, the job is to stop, or another build is live."""
    folder = find_vectors(job.data_dir, release)
    passages = _read_passages(job, release)
    hashes = {ordinal: hash_passage(text) for ordinal, text in passages.items()}
    card = Card(job.embedder.name, dimensions, len(passages))
    with ExitStack() as stack:
        held = [stack.enter_context(closing(one)) for one in _open_all(job, release, card)]
        writer = stack.enter_context(VectorWriter.open(folder, card))
        if any(hashes.get(ordinal) != known for ordinal, known in writer.done.items()):
            # An earlier version of Fundstelle read other passages.
            writer.close()
            writer = stack.enter_context(VectorWriter.open(folder, card, anew=True))
        before = len(writer.done)
        carried = _carry_over(held, hashes, writer)
        if before or carried:
            job.progress.note(f"{before:,} norms have a vector, {carried:,} more take theirs over")
        todo = [ordinal for ordinal in passages if ordinal not in writer.done][:limit]
        job.progress.start("embed", len(todo), "norms")
        computed = _compute(job, release, writer, [(one, passages[one]) for one in todo])
        return Embedded(release, len(writer.done), len(passages), carried, computed)


def _read_passages(job: _Job, release: str) -> dict[int, str]:
    """The passage of every norm that can be found, the most cited first."""
    store = builds.open_build(job.data_dir, release)
    try:
        passages = _collect_passages(job, store)
        if job.should_stop():
            raise InterruptedError
        cited = count_citing_sentences(store)
    finally:
        store.close()
    priors = read_priors(builds.get_folder(job.data_dir, release) / builds.INDEX)
    return {one: passages[one] for one in order_norms(list(passages), cited, priors)}


def _collect_passages(job: _Job, store: WholeStore) -> dict[int, str]:
    """By ordinal; not all of them if the job is to stop."""
    job.progress.start("read norms", store.count_norms(), "norms")
    passages = {}
    norms = zip(iter_documents(store), store.iter_norms(), strict=True)
    for number, (document, (ordinal, norm, fassung)) in enumerate(norms, 1):
        if document.searchable:
            passages[ordinal] = make_passage(norm, fassung, store.statutes[norm.statute_id])
        if number % _REPORTED == 0:
            job.progress.advance(_REPORTED)
            if job.should_stop():
                break
    return passages


def _open_all(job: _Job, release: str, card: Card) -> Iterator[Vectors]:
    """What the builds hold of the same model: this one first, then the newest."""
    others = [m.release for m in builds.list_builds(job.data_dir) if m.release != release]
    for one in (release, *others):
        try:
            vectors = Vectors.open(find_vectors(job.data_dir, one))
        except CorpusError:
            continue  # damaged, or just pruned: then they are computed
        if vectors is None:
            continue
        if (vectors.model, vectors.dimensions) == (card.model, card.dimensions):
            yield vectors
        else:
            vectors.close()


def _carry_over(held: Sequence[Vectors], hashes: Mapping[int, bytes], writer: VectorWriter) -> int:
    """Take over the vectors of equal passages; how many those were."""
    carried = 0
    for vectors in held:
        rows = {known: row for row, known in enumerate(vectors.read_hashes())}
        todo = [one for one, known in hashes.items() if one not in writer.done and known in rows]
        for first in range(0, len(todo), _CARRIED_BATCH):
            batch = todo[first : first + _CARRIED_BATCH]
            known = [hashes[ordinal] for ordinal in batch]
            writer.add(batch, known, vectors.take([rows[one] for one in known]))
        carried += len(todo)
    return carried


def _compute(job: _Job, release: str, writer: VectorWriter, todo: Sequence[tuple[int, str]]) -> int:
    """Ask the model, batch by batch; how many norms that were."""
    for first in range(0, len(todo), _BATCH):
        if job.should_stop() or _is_replaced(job.data_dir, release):
            return first
        # Models are quicker with texts of one length side by side.
        batch = sorted(todo[first : first + _BATCH], key=lambda item: len(item[1]))
        ordinals, texts = [item[0] for item in batch], [item[1] for item in batch]
        vectors = job.embedder.embed_passages(texts)
        writer.add(ordinals, [hash_passage(text) for text in texts], vectors)
        job.progress.advance(len(batch))
    return len(todo)


def _is_replaced(data_dir: Path, release: str) -> bool:
    return builds.read_pointer(data_dir) not in {None, release}
