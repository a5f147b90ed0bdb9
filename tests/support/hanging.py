"""A test that hangs tells where, and ends its process: in every phase of it, and after the last.

pytest's own ``faulthandler_timeout`` is called off as soon as a test fails, so that a clean-up
that hangs behind a failure hangs for ever; this one begins anew with each phase. The process that
ends is replaced by another (pytest-xdist), but not again and again (``--max-worker-restart``). The
process that gives out the tests waits for no other longer than that either.
"""

import faulthandler
import os
import threading
import time
from collections.abc import Generator

import pytest

LIMIT_S = 900
"""No phase takes as long, on a machine that has other things to do."""
QUIET_S = 1_200
"""That no test begins or ends, in any process."""
_LOOK_S = 30

_stderr = pytest.StashKey[int]()


class Watch:
    """Of the process that gives out the tests: which ones are under way."""

    def __init__(self, stderr: int) -> None:
        self._stderr = stderr
        self._begun: dict[str, float] = {}
        self._last = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test has begun."""
        self._last = self._begun[nodeid] = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test has ended."""
        self._begun.pop(nodeid, None)
        self._last = time.monotonic()

    def describe(self, now: float) -> str | None:
        """What is under way where nothing has happened for long."""
        if now - self._last < QUIET_S:
            return None
        under_way = ", ".join(self._begun) or "none, all have ended"
        return (
            f"\nno test has begun or ended for {now - self._last:.0f} s; under way: {under_way}\n"
        )

    def watch(self) -> None:
        """End the run where nothing happens any more."""
        while (said := self.describe(time.monotonic())) is None:
            time.sleep(_LOOK_S)
        os.write(self._stderr, said.encode())
        os._exit(3)


def _begin(config: pytest.Config) -> None:
    faulthandler.dump_traceback_later(LIMIT_S, exit=True, file=config.stash[_stderr])


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep where errors go: while tests run, what they say there is caught."""
    config.stash[_stderr] = os.dup(2)
    if config.getoption("numprocesses", None):
        watch = Watch(config.stash[_stderr])
        config.pluginmanager.register(watch)
        threading.Thread(target=watch.watch, daemon=True).start()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before its fixtures."""
    _begin(item.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Before the test itself."""
    _begin(item.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Before its fixtures are cleaned up."""
    _begin(item.config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Nothing is timed while a process waits for its next test."""
    del item
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """What is cleaned up after the last test."""
    if "PYTEST_XDIST_WORKER" in os.environ:  # the process that gave them out waits for all others
        _begin(session.config)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
