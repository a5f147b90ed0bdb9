"""What a process's memory allocator keeps, where it is glibc's; elsewhere nothing is done.

Each thread that allocates gets an arena of its own, and what is freed stays with its arena: after
some swaps a worker holds the room of two builds. Source: mallopt(3), malloc_trim(3).
"""

import contextlib
import ctypes
from typing import Final

_M_ARENA_MAX: Final = -8
_ARENAS: Final = 2


def bound_heap() -> bool:
    """Let all threads share two arenas. For the start: arenas that there are stay. True if done."""
    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS))
    return False


def trim_heap() -> bool:
    """Give back to the system what is free, for as long as milliseconds. True if there was any."""
    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).malloc_trim(0))
    return False
