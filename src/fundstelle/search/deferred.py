"""An index that is opened by its first search, for commands that may do without one."""

from collections.abc import Callable

from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult


class DeferredIndex:
    """An index of which nothing is read, nor its engine imported, until something is searched.

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
            self._index = self._open()
        return self._index.search(request)

    def close(self) -> None:
        """Release files, if there are any."""
        if self._index is not None:
            self._index.close()
