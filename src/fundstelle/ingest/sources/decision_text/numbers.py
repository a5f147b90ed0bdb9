"""Randnummern in text without markup: numbers that rise 1, 2, 3 … at the places where they may."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

_FEWEST = 3
_MOST_MISSING = 2  # numbers in a row that a page break or a print may have swallowed
_GAP = 4.0
_MOST_DOUBTFUL = 0.1
_CLOSE = 0.5
_SHORT = 6  # of so few numbers none may be missing


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
    held = sorted(candidates)
    for candidate in held:
        link = _extend(ends, candidate)
        if link is None:
            continue
        rival = ends.get(candidate.number)
        if rival is None or link.total > rival.total:
            ends[candidate.number] = link
        if best is None or link.total > best.total:
            best = link
    if best is None or best.length < _FEWEST:
        return []
    run = _unroll(best)
    if len(run) < _SHORT and run[-1].number != len(run):
        return []
    doubtful = _find_doubtful(run, held)
    if len(doubtful) > _MOST_DOUBTFUL * len(run):
        return []
    return [each for each in run if each not in doubtful]


def fill_gaps(run: Sequence[Candidate], faint: Iterable[Candidate]) -> list[Candidate]:
    """The run with the numbers that it lacks, each where it can stand between its neighbours.

    ``faint`` are places whose surroundings alone would not speak for a number. A gap of which a
    number is found nowhere, or twice, stays.
    """
    by_number: dict[int, list[Candidate]] = {}
    for candidate in faint:
        by_number.setdefault(candidate.number, []).append(candidate)
    filled: list[Candidate] = []
    end = last = 0
    for each in run:
        missing = [by_number.get(number, []) for number in range(last + 1, each.number)]
        inside = [[one for one in ones if end <= one.start < each.start] for ones in missing]
        found = [ones[0] for ones in inside if len(ones) == 1]
        if len(found) == len(missing) and found == sorted(found):
            filled += found
        filled.append(each)
        end, last = each.end, each.number
    return filled


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


def _find_doubtful(run: Sequence[Candidate], candidates: Iterable[Candidate]) -> set[Candidate]:
    """Numbers that might as well stand elsewhere between their neighbours, as in a quotation."""
    place = {each.number: index for index, each in enumerate(run)}
    doubtful = set()
    for candidate in candidates:
        index = place.get(candidate.number)
        if index is None or candidate.start == run[index].start:
            continue
        low = run[index - 1].end if index else 0
        high = run[index + 1].start if index + 1 < len(run) else candidate.start
        as_good = candidate.score >= run[index].score - _CLOSE
        if as_good and low <= candidate.start <= high:
            doubtful.add(run[index])
    return doubtful


def _unroll(link: _Link) -> list[Candidate]:
    run = []
    step: _Link | None = link
    while step is not None:
        run.append(step.candidate)
        step = step.before
    return run[::-1]
