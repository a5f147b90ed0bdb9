"""Puts a folder in the place of another in one step: whoever opens the name finds one or the other.

Source: renameat2(2), ``RENAME_EXCHANGE``, since Linux 3.15; not every file system has it.
"""

import ctypes
import os
from functools import cache
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def exchange(one: Path, other: Path) -> bool:
    """Swap the names of two folders; False where the system cannot do that."""
    rename = _find_call()
    if rename is None:
        return False
    names = os.fsencode(one), os.fsencode(other)
    return bool(rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)


@cache
def _find_call() -> "ctypes._NamedFuncPointer | None":
    try:
        found = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return None
    found.argtypes = (
        *(ctypes.c_int, ctypes.c_char_p),
        *(ctypes.c_int, ctypes.c_char_p),
        ctypes.c_uint,
    )
    return found
