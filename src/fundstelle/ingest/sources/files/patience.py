"""The processor time that one document may take, whatever stands in it.

A few kilobytes of blanks or open brackets can make an expression or a loop take the square of
their number, and a source has millions of documents: none of them may hold up the others.

Source: setitimer(2); ``re`` looks for signals while it matches, so that it ends, too.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

MOST_S = 60.0  # the longest law and the longest decision take a tenth

Item = TypeVar("Item")


class TooSlow(Exception):
    """A document took longer than any that somebody means."""


@contextmanager
def limited() -> Iterator[None]:
    """End the block with ``TooSlow`` once it has taken ``MOST_S`` of processor time.

    Only in the main thread of a process, which is where ingestions run: elsewhere without limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, MOST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_each(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, each made within the limit."""
    while True:
        with limited():
            try:
                item = next(items)
            except StopIteration:
                return
        yield item


def _end(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise TooSlow(f"it took more than {MOST_S:.0f} s of processor time: it is no text")
