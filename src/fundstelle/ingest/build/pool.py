"""Worker processes for an ingestion: results in order, few batches under way, no orphans."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from fundstelle.errors import CorpusError
from fundstelle.ingest.build import workers

Result = TypeVar("Result")
Item = TypeVar("Item")

_AHEAD = 4  # batches under way for each process


class _Apart(NamedTuple):
    """One long piece of work, and the process that does nothing else."""

    executor: ProcessPoolExecutor
    result: "Future[Any]"


class Pool:
    """A pool of processes; they end with this one, even if it is killed.

    They are forked from a server that has loaded what they need: each process would load it anew
    otherwise, for as long as a small ingestion takes.
    """

    def __init__(self, processes: int) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload([workers.__name__, "lightgbm"])
        self.counter = context.Value("q", 0)
        self._stop = context.Event()
        self._context = context
        self._processes = processes
        # in turn; one of several processes shares them out itself
        self._executors = deque([self._hire(processes)])
        self._apart: _Apart | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._stop.set()  # nobody waits for an index that is of no use
        self.close()

    def close(self) -> None:
        """End all processes, and with them what they have open; once is enough."""
        apart = [self._apart.executor] if self._apart is not None else []
        for executor in {*self._executors, *apart}:
            executor.shutdown(wait=True, cancel_futures=True)

    def set_apart(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """One long piece of work, in a process that does nothing else; the others do the rest.

        Where there is only one process, the rest waits for it. When it is done, there is one more
        for what ``map`` has still to do.
        """
        if self._processes == 1:
            return self.submit(work, *arguments)
        self._processes -= 1
        self.rest()
        executor = self._hire(1)
        result = executor.submit(work, *arguments)
        self._apart = _Apart(executor, result)
        return result

    def rest(self) -> None:
        """End the processes that have nothing to do, with all that they hold.

        What was set apart goes on; for later work there will be others.
        """
        for executor in {*self._executors}:
            executor.shutdown(wait=True)
        self._executors = deque([self._hire(self._processes)])

    def rejoin(self) -> None:
        """What was set apart is done: its process ends, and another may do what the others do."""
        if self._end_apart():
            self.rest()

    def _end_apart(self) -> bool:
        if self._apart is None:
            return False
        self._apart.executor.shutdown(wait=True)
        self._apart = None
        self._processes += 1
        return True

    def _take_back(self) -> None:
        """Where what was set apart is done, there is another process beside those at work.

        Raises:
            CorpusError: it failed, and with it what is still to do.
        """
        if self._apart is not None and self._apart.result.done():
            self.result(self._apart.result)
            self._end_apart()
            self._executors = deque([*[self._executors[0]] * (self._processes - 1), self._hire(1)])

    def _hire(self, processes: int) -> ProcessPoolExecutor:
        """An executor that starts as many when there is work for them."""
        return ProcessPoolExecutor(
            processes,
            mp_context=self._context,
            initializer=workers.start,
            initargs=(self.counter, self._stop),
        )

    def submit(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """One piece of work."""
        self._executors.rotate()
        return self._executors[0].submit(work, *arguments)

    def map(self, work: Callable[..., Result], jobs: Iterable[tuple[Any, ...]]) -> Iterator[Result]:
        """The results of ``work(*job)`` in the order of ``jobs``, which are taken as needed."""
        waiting: deque[Future[Result]] = deque()
        for job in jobs:
            self._take_back()
            waiting.append(self.submit(work, *job))
            if len(waiting) >= _AHEAD * self._processes:
                yield self.result(waiting.popleft())
        while waiting:
            yield self.result(waiting.popleft())

    def result(self, future: "Future[Result]") -> Result:
        """Wait for one result.

        Raises:
            CorpusError: the process died.
        """
        try:
            return future.result()
        except BrokenProcessPool as error:
            raise CorpusError(
                "a worker process was killed, perhaps for lack of memory; free some and run"
                " 'fundstelle ingest' again"
            ) from error


def split(
    items: Iterable[Item], size: Callable[[Item], int], most: int, longest: int = 100
) -> Iterator[list[Item]]:
    """Batches of about ``most`` in size and at most ``longest`` items."""
    batch: list[Item] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= most or len(batch) >= longest:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
