"""What a worker frees goes back to the system."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from fundstelle.heap import bound_heap, trim_heap

GLIBC = platform.libc_ver()[0] == "glibc"

# Blocks larger than Python's own pools, of which every fiftieth stays: 50 MB that free() keeps.
PROGRAM = """
from pathlib import Path
from fundstelle.heap import trim_heap

def measure():
    return next(int(l.split()[1]) for l in Path("/proc/self/status").open() if "VmRSS" in l)

blocks = [bytearray(2000) for _ in range(25_000)]
kept = blocks[::50]
del blocks
before = measure()
trim_heap()
print(before - measure())
"""


@pytest.mark.skipif(not GLIBC, reason="another allocator than glibc's")
def test_pages_between_what_stays_are_given_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) > 20_000  # KB


@pytest.mark.skipif(not GLIBC, reason="another allocator than glibc's")
def test_arenas_are_bounded() -> None:
    assert bound_heap()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="ctypes finds a C library there")
def test_another_allocator_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda _name: object())
    assert not bound_heap()
    assert not trim_heap()
