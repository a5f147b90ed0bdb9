"""The engine on a cluster: builds indexes there and in a folder what leads to them."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

from fundstelle.errors import CorpusError, SearchUnavailable
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.cluster import Cluster, Gone
from fundstelle.search.engines.opensearch.frequencies import FOLDER, Frequencies
from fundstelle.search.engines.opensearch.indexes import GRACE_S, drop, name_again, point
from fundstelle.search.engines.opensearch.session import Session
from fundstelle.search.engines.opensearch.storage import OpenSearchStorage
from fundstelle.search.engines.stages.baton import EmbedderAside
from fundstelle.search.engines.stages.building import build_index
from fundstelle.search.engines.stages.damage import says_damage
from fundstelle.search.engines.stages.index import StagedIndex
from fundstelle.search.engines.stages.learning import learn_ranking
from fundstelle.search.index import (
    CitingSentence,
    HeldPart,
    SearchDocument,
    SearchRequest,
    SearchResult,
)
from fundstelle.search.meaning.embedder import Embedder


class OpenSearchEngine:
    """Builds and opens indexes of one cluster.

    It goes to the processes of an ingestion: connections are opened in each, when one is needed.
    """

    def __init__(self, address: ClusterAddress) -> None:
        self._address = address
        self._cluster: Cluster | None = None

    @classmethod
    def at(cls, address: str) -> Self:
        """The engine of the cluster at an address, as the setting has it.

        Raises:
            SettingsError: it cannot be read.
        """
        return cls(ClusterAddress.parse(address))

    def __getstate__(self) -> ClusterAddress:
        return self._address

    def __setstate__(self, address: ClusterAddress) -> None:
        self.__init__(address)  # type: ignore[misc]  # as it was made

    @property
    def cluster(self) -> Cluster:
        """The cluster of this process."""
        if self._cluster is None:
            self._cluster = Cluster(self._address)
        return self._cluster

    def build(
        self,
        documents: Iterable[SearchDocument | HeldPart],
        folder: Path,
        same: Path | None = None,
    ) -> None:
        """Write new indexes, and what leads to them into the empty ``folder``.

        Raises:
            CorpusError: the cluster did not keep the documents as they were given.
            SearchUnavailable: it does not answer.
        """
        build_index(documents, folder, OpenSearchStorage(self.cluster), same)

    def list_parts(self, folder: Path) -> frozenset[int]:  # noqa: ARG002
        """None: all documents of an index are sent to the cluster."""
        return frozenset()

    def learn(
        self,
        sentences: Sequence[CitingSentence],
        folder: Path,
        same: Path | None = None,  # noqa: ARG002 a cluster's index belongs to one build
    ) -> str:
        """Index sentences of decisions and train the ranking on them."""
        return learn_ranking(sentences, folder, OpenSearchStorage(self.cluster))

    @says_damage
    def open(
        self, folder: Path, embedder: Embedder | None = None, *, meaning: bool = True
    ) -> "ClusterIndex":
        """Open an index for reading. The cluster may be away: it is asked by searches alone.

        Raises:
            CorpusError: the folder names no index, or a file of it is not what was written.
        """
        storage = OpenSearchStorage(self.cluster)
        if embedder is not None:
            embedder = EmbedderAside(embedder, storage.session.wait_aside)
        staged = StagedIndex(folder, storage, embedder, meaning=meaning)
        return ClusterIndex(staged, storage.session)

    def verify(self, folder: Path) -> None:
        """See that the cluster holds what an index's folder names.

        Raises:
            CorpusError: it does not.
            SearchUnavailable: it does not answer.
        """
        for name in list_names(folder):
            try:
                self.cluster.work("GET", f"/{name}/_count")
            except Gone as error:
                raise CorpusError(
                    "the search cluster does not hold the index of this build; 'fundstelle ingest'"
                    " writes it anew"
                ) from error

    def keep(self, builds: Iterable[Path]) -> None:
        """Say of the indexes that builds name that they do: nobody drops them for a while.

        Raises:
            SearchUnavailable: the cluster does not answer, or does not let this user say so.
        """
        name_again(self.cluster, _list_all(builds), time.time())

    def settle(
        self, live: Path | None, builds: Iterable[Path], grace_s: float = GRACE_S
    ) -> list[str]:
        """Let the alias lead to the live build, and drop indexes that no build names any more.

        A build may lie in the data folder of another machine, whose servers ``keep`` it.
        """
        told = []
        try:
            if live is not None and Frequencies.exists(live):
                point(self.cluster, Frequencies(live).index)
            dropped = drop(self.cluster, _list_all(builds), time.time(), grace_s)
            told += [f"dropped the index {name}" for name in dropped]
        except SearchUnavailable as error:
            told.append(f"{error}; its alias and old indexes are as they were")
        return told


class ClusterIndex:
    """One opened index. Threads may share it."""

    def __init__(self, staged: StagedIndex, session: Session) -> None:
        self._staged = staged
        self._session = session
        self.cluster = session.cluster

    def search(self, request: SearchRequest) -> SearchResult:
        """Rank, as ``StagedIndex`` does, within the cluster's time.

        Raises:
            SearchUnavailable: the cluster has not answered in time, or not for all of the index.
            DamagedBuild: a file beside the index is not what was written.
        """
        with self._session.begin():
            return self._staged.search(request)

    def close(self) -> None:
        """Release files; once is enough, twice does no harm."""
        self._staged.close()


def list_names(index: Path) -> list[str]:
    """The indexes of a cluster that the folder of an index names; none of an embedded one's.

    What is damaged names none, and is in nobody's way who asks for those of other builds.
    """
    held = sorted(index.glob(f"**/{FOLDER}"))
    return [name for one in held if (name := Frequencies.find_index(one.parent)) is not None]


def _list_all(builds: Iterable[Path]) -> set[str]:
    return {name for build in builds for name in list_names(build)}
