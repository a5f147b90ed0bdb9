"""A worker follows the live build whatever happens, and never on the event loop."""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fundstelle.errors import CorpusError
from fundstelle.mcp.engine import Engine
from fundstelle.tools.spec import Registry
from fundstelle.web import following, metrics
from fundstelle.web.following import NEWEST_BUILD, Follower
from fundstelle.web.live import LiveCorpus
from fundstelle.web.pen import Pen
from fundstelle.web.request_log import RequestLog

SWAPS = "fundstelle_corpus_swap_seconds_count"
Source = Callable[[], Engine | None]


def build_registry() -> Registry:
    return Registry("t", "T", "0", "Ask.", (), (), (), (), lambda *_: None, "one")


class Panic(BaseException):
    """As native code raises it: no ``Exception``."""


def build_follower(source: Source, *sweeps: Callable[[float], None]) -> Follower:
    return Follower(source, RequestLog(Pen(os.open(os.devnull, os.O_WRONLY))), sweeps=sweeps)


def raise_all(*outcomes: BaseException | Engine | None) -> Source:
    """Raises or gives one after the other, then nothing."""
    left: Iterator[BaseException | Engine | None] = iter(outcomes)

    def poll() -> Engine | None:
        outcome = next(left, None)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return poll


@pytest.mark.parametrize(
    "error",
    [
        CorpusError("the index is damaged"),
        PermissionError(13, "Permission denied"),
        OSError(24, "Too many open files"),
        ValueError("a damaged index"),
        MemoryError(),
        Panic("a panic in native code"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_error_ends_the_follower_and_a_later_build_is_taken(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = Engine(build_registry()), Engine(build_registry())
    follower = build_follower(raise_all(first, error, error, error, second))
    follower.refresh()
    for _ in range(3):
        follower.refresh()
        assert follower.engine is first
        assert NEWEST_BUILD in follower.problems
    assert len([r for r in caplog.records if r.levelno == logging.ERROR]) == 1, "it is said once"
    follower.refresh()
    assert follower.engine is second
    assert not follower.problems
    assert "no longer so" in caplog.records[-1].getMessage()


def test_ctrl_c_is_no_error_of_a_build() -> None:
    follower = build_follower(raise_all(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        follower.refresh()


def live(follower: Follower, until: Callable[[], bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the lifespan until something is true, then shut down."""
    monkeypatch.setattr(following, "POLL_S", 0.001)
    messages: list[str] = []

    async def run() -> None:
        events = iter(["lifespan.startup", "lifespan.shutdown"])
        reached, loop = asyncio.Event(), asyncio.get_running_loop()

        def look() -> None:
            reached.set() if until() else loop.call_soon(look)

        async def receive() -> dict[str, Any]:
            event = next(events)
            if event == "lifespan.shutdown":
                look()
                await reached.wait()
            return {"type": event}

        async def send(message: Any) -> None:
            messages.append(message["type"])

        async with asyncio.timeout(60):
            await follower.live(receive, send)

    asyncio.run(run())
    assert messages == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_a_build_is_opened_in_a_thread_while_the_loop_sweeps_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sweeps: list[float] = []
    opening, opened = threading.Event(), threading.Event()
    threads: list[bool] = []
    engines = [Engine(build_registry()), Engine(build_registry())]
    first, second = engines

    def poll() -> Engine | None:
        if len(engines) == 1:
            threads.append(threading.current_thread() is threading.main_thread())
            opening.set()
            assert opened.wait(60), "the loop did not go on"
        return engines.pop(0) if engines else None

    def sweep(now: float) -> None:
        sweeps.append(now)
        if opening.is_set() and len(sweeps) > 5:
            assert follower.engine is first
            opened.set()

    follower = build_follower(poll, sweep)
    live(follower, lambda: follower.engine is second, monkeypatch)
    assert threads == [False]


def test_a_sweep_that_fails_is_said_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    swept: list[float] = []

    def fail(_now: float) -> None:
        raise RuntimeError("a secret")

    follower = build_follower(raise_all(Engine(build_registry())), fail, swept.append)
    live(follower, lambda: len(swept) > 3, monkeypatch)
    said = [r.getMessage() for r in caplog.records if r.levelno == logging.ERROR]
    assert len(said) == 1
    assert "RuntimeError at test_following.py" in said[0]
    assert "secret" not in said[0]


def test_what_was_replaced_is_closed_after_the_swap() -> None:
    closed: list[str] = []
    first = Engine(build_registry(), lambda: closed.append("first"))
    second = Engine(build_registry(), lambda: closed.append("second"))
    follower = build_follower(raise_all(first, None, second))
    follower.refresh()
    follower.refresh()
    assert not closed
    follower.refresh()
    assert closed == ["first"]


def test_a_server_closes_what_it_replaces_and_counts_the_swap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[str] = []
    first = Engine(build_registry(), lambda: closed.append("first"))
    second = Engine(build_registry(), lambda: closed.append("second"))
    before = read_count(SWAPS)
    follower = build_follower(raise_all(first, second))
    live(follower, lambda: bool(closed), monkeypatch)
    assert closed == ["first"]
    assert follower.engine is second
    assert read_count(SWAPS) == before + 1


def read_count(name: str) -> float:
    lines = metrics.render().decode().splitlines()
    return sum(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


class Openings:
    """A data folder in memory: which build is live, and whether it can be opened."""

    def __init__(self) -> None:
        self.live: tuple[str, int] | None = ("a", 1)
        self.broken: set[tuple[str, int]] = set()
        self.tried: list[tuple[str, int] | None] = []
        self.now_s = 0.0
        self.notices: tuple[str, ...] = ()
        self.corpus = LiveCorpus(
            identify=lambda: self.live,
            open_library=self.open,
            open_index=lambda library: library.index,
            build_engine=lambda _library, release: Engine(build_registry(), release),
            clock=lambda: self.now_s,
        )

    def open(self) -> Any:
        self.tried.append(self.live)
        if self.live in self.broken:
            raise CorpusError("it is damaged")
        return self

    def close(self) -> None:
        self.tried.append(None)


def test_a_build_that_cannot_be_opened_is_tried_ever_more_rarely() -> None:
    openings = Openings()
    openings.broken.add(("a", 1))
    for _ in range(1_000):
        with pytest.raises(CorpusError, match="it is damaged"):
            openings.corpus.poll()
        openings.now_s += 1
    assert len(openings.tried) < 25, "an attempt costs a second of a processor"


def test_a_build_that_was_replaced_under_its_name_is_opened_at_once() -> None:
    openings = Openings()
    openings.broken.add(("a", 1))
    with pytest.raises(CorpusError):
        openings.corpus.poll()
    openings.live = ("a", 2)
    assert openings.corpus.poll() is not None
    assert openings.corpus.poll() is None


def test_a_build_that_stands_in_for_another_is_reconsidered_after_a_while() -> None:
    openings = Openings()
    openings.notices = ("the live build is damaged",)
    assert openings.corpus.poll() is not None
    assert openings.corpus.poll() is None
    openings.now_s = 300.0
    assert openings.corpus.poll() is not None
    openings.notices = ()
    openings.now_s = 10_000.0
    assert openings.corpus.poll() is None


def test_a_pointer_that_has_gone_is_an_error_once_there_was_one() -> None:
    openings = Openings()
    assert openings.corpus.poll() is not None
    openings.live = None
    with pytest.raises(CorpusError, match="which build is live"):
        openings.corpus.poll()
    openings.live = ("a", 1)
    assert openings.corpus.poll() is None


def test_a_build_is_closed_when_both_the_tools_and_the_pages_have_done_with_it() -> None:
    openings = Openings()
    first = openings.corpus.poll()
    assert first is not None
    openings.live = ("b", 1)
    assert openings.corpus.poll() is not None
    assert None not in openings.tried, "the tools still ask it"
    first.close()
    assert openings.tried[-1] is None
