"""The embedded engine: builds and opens indexes in a folder of tantivy's files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from fundstelle.search.engines.stages.baton import Baton, EmbedderAside, SharedIndex
from fundstelle.search.engines.stages.building import build_index
from fundstelle.search.engines.stages.damage import says_damage
from fundstelle.search.engines.stages.index import StagedIndex
from fundstelle.search.engines.stages.learning import learn_ranking, take_learnt
from fundstelle.search.engines.tantivy.storage import TantivyStorage
from fundstelle.search.index import CitingSentence, HeldPart, SearchDocument, SearchIndex
from fundstelle.search.meaning.embedder import Embedder


class TantivyEngine:
    """Builds and opens indexes in a folder of tantivy's files and what the stages know beside."""

    def build(
        self,
        documents: Iterable[SearchDocument | HeldPart],
        folder: Path,
        same: Path | None = None,
    ) -> None:
        """Write a new index into the empty ``folder``.

        Raises:
            CorpusError: tantivy cannot write, or did not keep the documents as they were given.
        """
        build_index(documents, folder, TantivyStorage(), same)

    def list_parts(self, folder: Path) -> frozenset[int]:
        """The parts of the decisions of an index."""
        return frozenset(TantivyStorage().find_parts(folder))

    def learn(
        self, sentences: Sequence[CitingSentence], folder: Path, same: Path | None = None
    ) -> str:
        """Index sentences of decisions and train the ranking on them, or take both over."""
        storage = TantivyStorage()
        if same is not None and storage.find_parts(same):  # else it may be another engine's
            return take_learnt(same, folder)
        return learn_ranking(sentences, folder, storage)

    def verify(self, folder: Path) -> None:
        """Nothing: all of an index lies in its build, whose files have hashes."""

    def keep(self, builds: Iterable[Path]) -> None:
        """Nothing: all of an index lies in its build."""

    def settle(self, live: Path | None, builds: Iterable[Path]) -> Sequence[str]:  # noqa: ARG002
        """Nothing: all of an index lies in its build."""
        return ()

    @says_damage
    def open(
        self, folder: Path, embedder: Embedder | None = None, *, meaning: bool = True
    ) -> SearchIndex:
        """Open an index for reading. With an ``embedder``, which is waited for, threads share it.

        Raises:
            CorpusError: there is none, or a file of it is not what was written.
        """
        if embedder is None:
            return StagedIndex(folder, TantivyStorage(), meaning=meaning)
        baton = Baton()
        aside = EmbedderAside(embedder, baton.lay_down)
        return SharedIndex(StagedIndex(folder, TantivyStorage(), aside, meaning=meaning), baton)
