"""One opened index among threads: what the stages know of it is no thread's alone.

The thread that thinks holds a baton, and lays it down while it waits for somebody else: a cluster,
a model. As many searches wait there as there are threads, and one at a time thinks.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from fundstelle.errors import EmbedderError, SearchUnavailable
from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult
from fundstelle.search.meaning.embedder import Embedder, Vector, Vectors

_WAITS_S = 10.0
_MODEL_S = 2.0


class Baton:
    """What one thread has at a moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, most_s: float = _WAITS_S) -> Iterator[None]:
        """Have it for one search.

        Raises:
            SearchUnavailable: others have not laid it down in ``most_s``.
        """
        if not self._lock.acquire(timeout=most_s):
            raise SearchUnavailable("too many searches at once")
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def lay_down(self) -> Iterator[None]:
        """Let others have it while this search waits; whoever calls this holds it."""
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()


class SharedIndex:
    """An index among threads, one search at a time but for what it waits for."""

    def __init__(self, index: SearchIndex, baton: Baton) -> None:
        self._index = index
        self._baton = baton

    def search(self, request: SearchRequest) -> SearchResult:
        """Rank, as the index does.

        Raises:
            SearchUnavailable: too many others are searching.
            DamagedBuild: a file of the index is not what was written.
        """
        with self._baton.hold():
            return self._index.search(request)

    def close(self) -> None:
        """Release files; once is enough, twice does no harm."""
        self._index.close()


class EmbedderAside:
    """A model that is asked by one search at a time, while others go on.

    Args:
        embedder: the model.
        aside: lays down what others need meanwhile.
    """

    def __init__(
        self, embedder: Embedder, aside: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._embedder = embedder
        self._aside = aside
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """That of the model."""
        return self._embedder.name

    def embed_questions(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        """As the model does.

        Raises:
            EmbedderError: it cannot, or others ask it just now.
        """
        with self._aside():
            if not self._lock.acquire(timeout=_MODEL_S):
                raise EmbedderError("the model is busy with other searches")
            try:
                return self._embedder.embed_questions(texts)
            finally:
                self._lock.release()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """As the model does."""
        return self._embedder.embed_passages(texts)

    def close(self) -> None:
        """Release the model."""
        self._embedder.close()
