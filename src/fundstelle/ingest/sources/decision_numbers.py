"""Randnummern in text without markup: numbers that rise 1, 2, 3 … at the places where they may."""

from collections.abc import Iterable
from typing import NamedTuple

_FEWEST = 3
_MOST_MISSING = 2  # numbers in a row that a page break or a print may have swallowed
_GAP = 4.0


class Candidate(NamedTuple):
    """A number and where it stands; ``score`` says how much its surroundings speak for it."""

    start: int
    end: int
    number: int
    score: float


class _Link(NamedTuple):
    total: float
    candidate: Candidate
    before: "_Link | None"
    length: int


def find_run(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The run from 1 upwards that its surroundings speak for most; none below three numbers."""
    ends: dict[int, _Link] = {}  # the best run up to each number, of those already passed
    best: _Link | None = None
    for candidate in sorted(candidates):
        link = _extend(ends, candidate)
        if link is None:
            continue
        held = ends.get(candidate.number)
        if held is None or link.total > held.total:
            ends[candidate.number] = link
        if best is None or link.total > best.total:
            best = link
    if best is None or best.length < _FEWEST:
        return []
    return _unroll(best)


def _extend(ends: dict[int, _Link], candidate: Candidate) -> _Link | None:
    number = candidate.number
    if number == 1:
        return _Link(candidate.score, candidate, None, 1)
    options = []
    for missing in range(_MOST_MISSING + 1):
        link = ends.get(number - 1 - missing)
        if link is not None and link.candidate.end <= candidate.start:
            total = link.total + candidate.score - _GAP * missing
            options.append(_Link(total, candidate, link, link.length + 1))
        elif number - 1 - missing == 0 and missing:
            options.append(_Link(candidate.score - _GAP * missing, candidate, None, 1))
    return max(options, key=lambda link: link.total, default=None)


def _unroll(link: _Link) -> list[Candidate]:
    run = []
    step: _Link | None = link
    while step is not None:
        run.append(step.candidate)
        step = step.before
    return run[::-1]
