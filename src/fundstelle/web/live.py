"""The live build of one server process: for the tools, and for the pages beside them."""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

from fundstelle.errors import CorpusError, DamagedBuild, explain
from fundstelle.lookup.library import Library
from fundstelle.mcp.engine import Engine
from fundstelle.search.index import SearchIndex
from fundstelle.web.lending import Lending

_FIRST_RETRY_S = 2.0
_LAST_RETRY_S = 60.0
_MAKESHIFT_S = 300.0  # what kept the live build from being used may have passed by then


class _Opened:
    """A build that the tools and the pages use, closed when both have done with it.

    Pages are made in threads. They share everything with the tools but the index, which belongs to
    one thread at a time: theirs is opened for the first page that searches.
    """

    def __init__(self, library: Library, open_index: Callable[[Library], SearchIndex]) -> None:
        self.library = library
        self._open_index = open_index
        self._pages: Library | None = None
        self._users = 2
        self._closing = threading.Lock()
        self.searching = threading.Lock()

    def get_searchable(self) -> Library:
        """The build with an index of its own; called with ``searching`` held."""
        if self._pages is None:
            self._pages = replace(self.library, index=self._open_index(self.library))
        return self._pages

    def release(self) -> None:
        """The tools, or the pages, have done with it; called once by each."""
        with self._closing:
            self._users -= 1
            if self._users:
                return
        if self._pages is not None:
            self._pages.index.close()
        self.library.close()


class LiveCorpus:
    """Opens the live build, and another one when that has been made live.

    Args:
        identify: what tells the live build from every other, ``None`` if there is none; quick.
        open_library: opens the live build.
        open_index: opens its index a second time, for pages.
        build_engine: what answers from a library; it calls the second argument at its end.
        meet_damage: told the release in which a request has met damage.
        list_doubts: what requests have met in the build in use, in words for everybody.
        clock: seconds, for the pauses between attempts at a build that cannot be opened.
    """

    def __init__(  # noqa: PLR0913 -- what it is put together from, each named
        self,
        *,
        identify: Callable[[], Hashable | None],
        open_library: Callable[[], Library],
        open_index: Callable[[Library], SearchIndex],
        build_engine: Callable[[Library, Callable[[], None]], Engine],
        meet_damage: Callable[[str], None] = lambda _: None,
        list_doubts: Callable[[], Sequence[str]] = tuple,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._identify = identify
        self._open_library = open_library
        self._open_index = open_index
        self._build_engine = build_engine
        self._meet_damage = meet_damage
        self._list_doubts = list_doubts
        self._clock = clock
        self._seen: Hashable | None = None
        self._failed: Hashable | None = None
        self._problem = ""
        self._pause_s = _FIRST_RETRY_S
        self._retry_at = 0.0
        self._pages: Lending[_Opened | None] = Lending(None, _release)

    def poll(self) -> Engine | None:
        """A new engine whenever another build has been made live, else ``None``.

        It costs one small read when nothing has changed. A build that cannot be opened is tried
        again after a pause, which grows to a minute, or at once when it was replaced. While
        something is wrong with the build in use, or it stands in for another, that is tried again
        every five minutes.

        Raises:
            CorpusError: there is another build, and it cannot be opened.
        """
        found = self._identify()
        if found == self._seen and not (self.notices and self._clock() >= self._retry_at):
            return None
        if found is None:
            raise CorpusError("nothing says any more which build is live; the last remains in use")
        if found == self._failed and self._clock() < self._retry_at:
            raise CorpusError(self._problem)
        try:
            engine = self._open()
        except BaseException as error:
            self._note_failure(found, explain(error))
            raise
        self._seen, self._failed, self._pause_s = found, None, _FIRST_RETRY_S
        self._retry_at = self._clock() + _MAKESHIFT_S
        return engine

    def retry(self) -> None:
        """Try at the next poll, without the rest of the pause."""
        self._retry_at = 0.0

    def _open(self) -> Engine:
        library = self._open_library()
        opened = _Opened(library, self._open_index)
        try:
            engine = self._build_engine(library, opened.release)
        except BaseException:
            library.close()
            raise
        self._pages.replace(opened)
        return engine

    def _note_failure(self, found: Hashable, problem: str) -> None:
        same = found == self._failed
        self._pause_s = min(self._pause_s * 2, _LAST_RETRY_S) if same else _FIRST_RETRY_S
        self._failed, self._problem = found, problem
        self._retry_at = self._clock() + self._pause_s

    @property
    def stand(self) -> date | None:
        """The Stand of the build in use."""
        opened = self._pages.item
        return None if opened is None else opened.library.store.manifest.stand

    @property
    def notices(self) -> tuple[str, ...]:
        """What is not as it should be with the build in use."""
        opened = self._pages.item
        return () if opened is None else opened.library.notices

    @property
    def problems(self) -> tuple[str, ...]:
        """The same, and what requests have met in it."""
        return (*self.notices, *self._list_doubts())

    @contextmanager
    def read(self) -> Iterator[Library | None]:
        """The live build for a page that searches nothing; it stays open until the page is done."""
        with self._pages.borrow() as opened, self._telling(opened):
            yield None if opened is None else opened.library

    @contextmanager
    def search(self) -> Iterator[Library | None]:
        """The same for a page that searches, one at a time."""
        with self._pages.borrow() as opened:
            if opened is None:
                yield None
                return
            with opened.searching, self._telling(opened):
                yield opened.get_searchable()

    @contextmanager
    def _telling(self, opened: _Opened | None) -> Iterator[None]:
        try:
            yield
        except DamagedBuild:
            if opened is not None:
                self._meet_damage(opened.library.store.manifest.release)
            raise


def _release(opened: _Opened | None) -> None:
    if opened is not None:
        opened.release()
