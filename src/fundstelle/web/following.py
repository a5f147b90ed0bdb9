"""The life of a worker: opens the live build, follows it to the next, ends what it began.

The serving half is ``web.app``; it asks here for the engine of the moment.
"""

import asyncio
import contextlib
import gc
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from fundstelle.errors import explain
from fundstelle.heap import bound_heap, trim_heap
from fundstelle.mcp.engine import Engine
from fundstelle.web import metrics
from fundstelle.web.health import Health, Surroundings
from fundstelle.web.messages import Receive, Send
from fundstelle.web.request_log import RequestLog

POLL_S = 1.0
NO_FILES = "no file can be opened: too many are open (raise the limit, LimitNOFILE or ulimit -n)"
NEWEST_BUILD = "the newest build cannot be opened"

_SPARE_FILES = 16

_ENDS = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)

_log = logging.getLogger("fundstelle.web")


class Follower:
    """Holds the engine of the live build and sees to what has to be done about once a second.

    Only cancelling ends it: what fails is said once in the log, is counted among ``problems``, and
    is tried again.

    Args:
        engine_source: gives a new engine when another build has been made live, else ``None``;
            asked in a thread, since opening takes a second.
        log: where the request lines go; it gathers them while the loop runs.
        sweeps: called about once a second with the loop's clock, in seconds.
        endings: called once at shutdown, in order, after the last answer.
        surroundings: what the metrics tell beside the build.
        drain: waits until nothing uses the engine that was replaced; called in a thread.
    """

    def __init__(  # noqa: PLR0913 -- what a worker lives with, each named
        self,
        engine_source: Callable[[], Engine | None],
        log: RequestLog,
        *,
        sweeps: Sequence[Callable[[float], None]] = (),
        endings: Sequence[Callable[[], None]] = (),
        surroundings: Surroundings | None = None,
        drain: Callable[[], None] = lambda: None,
    ) -> None:
        self._drain = drain
        self._engine_source = engine_source
        self._log = log
        self._sweeps = sweeps
        self._endings = endings
        self._thread = ThreadPoolExecutor(1, "opener")
        self.engine: Engine | None = None
        self.loop: asyncio.AbstractEventLoop | None = None  # known once the lifespan has begun
        self.problems: dict[str, str] = {}
        """What does not work just now, in words for everybody, and why, for the operator."""
        self.health = Health(surroundings or Surroundings(), self.problems)

    def refresh(self) -> None:
        """Take over a build that has been made live; one that cannot be opened is left alone."""
        engine = self._find()
        if engine is not None:
            _close(self._swap(engine))
            _spare_collector()

    async def live(self, receive: Receive, send: Send) -> None:
        """ASGI lifespan: open the corpus, follow its builds until shutdown."""
        await receive()
        bound_heap()
        self.loop = asyncio.get_running_loop()
        self._log.buffer_on(self.loop.call_later)
        self.refresh()
        tasks = [asyncio.create_task(self._follow(self.loop))]
        tasks += [
            asyncio.create_task(self._sweep(self.loop, *one)) for one in enumerate(self._sweeps)
        ]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self._log.flush()
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._thread.shutdown(wait=False, cancel_futures=True)
        for end in self._endings:
            with self._surviving("what is kept in memory cannot be written"):
                end()
        await send({"type": "lifespan.shutdown.complete"})

    async def _follow(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            with self._surviving("the live build cannot be followed"):
                begun = loop.time()
                engine = await loop.run_in_executor(self._thread, self._find)
                if engine is not None:
                    metrics.SWAP_SECONDS.observe(loop.time() - begun)
                    # One reference is swapped here, between two answers: an engine answers without
                    # a pause, so none is using the old one, but those that answer apart.
                    await loop.run_in_executor(self._thread, self._close, self._swap(engine))
                    await loop.run_in_executor(self._thread, _spare_collector)

    async def _sweep(
        self, loop: asyncio.AbstractEventLoop, number: int, sweep: Callable[[float], None]
    ) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            with self._surviving(f"what is due every second cannot be done ({number})"):
                sweep(loop.time())

    def _find(self) -> Engine | None:
        """The engine of another build, opened in whatever thread this is called."""
        found = None
        gc.disable()  # what opening makes remains: to walk it in between only holds the loop up
        try:
            with self._surviving(NO_FILES):
                _require_files()
            if NO_FILES not in self.problems:  # else nothing can be said of any build
                with self._surviving(NEWEST_BUILD):
                    found = self._engine_source()
        finally:
            gc.enable()
        with self._surviving("the metrics cannot be brought up to date"):
            used = found or self.engine
            self.health.measure(used.release if used is not None else "", time.time())
        return found

    def _swap(self, engine: Engine) -> Engine | None:
        replaced, self.engine = self.engine, engine
        return replaced

    def _close(self, engine: Engine | None) -> None:
        self._drain()
        _close(engine)

    @contextlib.contextmanager
    def _surviving(self, what: str) -> Iterator[None]:
        """Go on after an error of whatever kind; said once, and once more when it is over.

        A panic in the index's native code is no ``Exception``, and ends nothing either.
        """
        try:
            yield
        except _ENDS:
            raise
        except BaseException as error:  # noqa: BLE001 -- see above
            why = explain(error)
            if self.problems.get(what) != why:
                _log.error("%s: %s", what, why)
            self.problems[what] = why
        else:
            if self.problems.pop(what, None) is not None:
                _log.warning("no longer so: %s", what)


def _close(engine: Engine | None) -> None:
    """Let go of a build that was replaced. It holds no cycles: the last reference frees it."""
    if engine is not None:
        engine.close()


def _require_files() -> None:
    """See that there are file descriptors left for what is to be opened.

    Raises:
        OSError: there are not, of this process or of the whole machine.
    """
    held: list[int] = []
    try:
        while len(held) < _SPARE_FILES:
            held.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    finally:
        for descriptor in held:
            os.close(descriptor)


def _spare_collector() -> None:
    """A build stays until the next: the collector need not walk its objects again and again."""
    gc.collect()
    gc.freeze()
    trim_heap()
