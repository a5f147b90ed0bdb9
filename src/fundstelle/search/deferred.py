"""An index that is opened by its first search, for commands that may do without one."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult


class DeferredIndex:
    """An index of which nothing is read, nor its engine imported, until something is searched.

    It is opened in a thread, which the budget of the call that comes first does not count: on a
    slow machine no search would ever get past it.

    Args:
        open_index: opens it; called once at most.
    """

    def __init__(self, open_index: Callable[[], SearchIndex]) -> None:
        self._open = open_index
        self._index: SearchIndex | None = None

    def search(self, request: SearchRequest) -> SearchResult:
        """Rank, as the index does.

        Raises:
            CorpusError: it cannot be opened.
        """
        if self._index is None:
            with ThreadPoolExecutor(1) as opening:
                self._index = opening.submit(self._open).result()
        return self._index.search(request)

    def close(self) -> None:
        """Release files, if there are any."""
        if self._index is not None:
            self._index.close()
