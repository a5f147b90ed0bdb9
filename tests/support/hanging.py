"""A test that hangs tells where, and ends its process: in every phase of it, and after the last.

pytest's own ``faulthandler_timeout`` is called off as soon as a test fails, so that a clean-up
that hangs behind a failure hangs for ever; this one begins anew with each phase. The process that
ends is replaced by another (pytest-xdist), but not again and again (``--max-worker-restart``).
"""

import faulthandler
import os
from collections.abc import Generator

import pytest

LIMIT_S = 900
"""No phase takes as long, on a machine that has other things to do."""

_stderr = pytest.StashKey[int]()


def _begin(config: pytest.Config) -> None:
    faulthandler.dump_traceback_later(LIMIT_S, exit=True, file=config.stash[_stderr])


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep where errors go: while tests run, what they say there is caught."""
    config.stash[_stderr] = os.dup(2)


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
