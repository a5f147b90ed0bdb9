"""No pattern takes for ever, whatever a stranger or a publisher writes."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.adversarial.patterns import find_methods, find_patterns, write_attacks

LONGEST = 700  # characters
# Of the processor. What takes the square of the length takes some hundredths of it; a draft of
# 20,000 characters that are nothing but such rows takes thirty times as long.
MOST_S = 0.04
_AGAIN = 3  # for what another process may have slowed down


class TooLong(Exception):
    """It was still at it."""


@contextmanager
def limited(most_s: float = MOST_S) -> Iterator[None]:
    def end(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, most_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def find_slow(pattern: re.Pattern[str], methods: list[str]) -> str | None:
    """A string that takes too long, ``None`` if none of those tried does."""
    for attack in write_attacks(pattern, LONGEST):
        for method in methods:
            if all(is_slow(pattern, method, attack) for _ in range(_AGAIN)):
                return f"{method} of {len(attack)} characters: {attack[:80]!r}"
    return None


def is_slow(pattern: re.Pattern[str], method: str, attack: str) -> bool:
    try:
        with limited():
            getattr(pattern, method)(attack)
    except TooLong:
        return True
    return False


PACKAGES = sorted({name.split(".", 1)[0] for name in find_patterns()})


@pytest.mark.parametrize("package", PACKAGES)
def test_no_pattern_takes_long_for_a_line(package: str) -> None:
    slow = {}
    for name, pattern in find_patterns().items():
        if name.split(".", 1)[0] == package and (one := find_slow(pattern, find_methods(name))):
            slow[name] = one
    assert slow == {}


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?i)(?:Rdn|rDN|Rz)+x",
        r"(?:\s*,?\s*x?)+\Z",
        r"\s*,?\s*\s*\s*x",
        r"(?P<a>S\s*\d+\s*,?\s*)+b",
        r"§\s\d+\w*[^;]{0,40}?Rn",  # the square, forty times
    ],
)
def test_a_pattern_that_does_is_found(pattern: str) -> None:
    assert find_slow(re.compile(pattern), ["match", "search"])
