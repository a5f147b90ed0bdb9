"""Randnummern in the margin of a print."""

import re
from collections.abc import Iterator, Sequence

from fundstelle.ingest.sources.decision_text.headings import is_enumerator
from fundstelle.ingest.sources.decision_text.numbers import Candidate, find_run

_ALONE = re.compile(r"(\d{1,3})")
_LEADING = re.compile(r"(\d{1,3})\s+(?=[A-ZÄÖÜ„\"(»“§]|(?:19|20)\d\d\s[a-zäöü])")
_LEADING_DOT = re.compile(r"(\d{1,3})\.\s+(?=[A-ZÄÖÜ„\"(»“])")
_ENUMERATED = re.compile(r"[a-z]{1,3}[.)]")
_FEWEST_SHARE = 0.1  # numbers out of place that make all of them doubtful


def find_numbers(lines: Sequence[str], *, dotted: bool = False) -> dict[int, tuple[int, int]]:
    """Line -> number and where the text begins after it.

    ``dotted`` reads ``1. The case originated …``, which only the ECtHR numbers through.
    """
    candidates = list(_iter_candidates(lines, dotted=dotted))
    ends = {(each.start, each.number): each.end for each in candidates}
    by_line = [Candidate(c.start, c.start + 1, c.number, c.score) for c in candidates]
    return {c.start: (c.number, ends[c.start, c.number]) for c in find_run(by_line)}


def _iter_candidates(lines: Sequence[str], *, dotted: bool) -> Iterator[Candidate]:
    for place, line in enumerate(lines):
        alone = _ALONE.fullmatch(line)
        leading = (_LEADING_DOT if dotted else _LEADING).match(line)
        if alone is not None and not dotted:
            score = 2.0 if _starts_upper(lines, place) else 1.0
            yield Candidate(place, len(line), int(line), score)
        elif leading is not None:
            before = lines[place - 1] if place else ""
            begins = not before or before.endswith((".", ":", ";", "“", ")"))
            yield Candidate(place, leading.end(), int(leading[1]), 1.8 if begins else 0.5)


def _starts_upper(lines: Sequence[str], place: int) -> bool:
    following = next((lines[at] for at in range(place + 1, len(lines)) if lines[at]), "")
    return not following[:1].islower()


def are_in_place(lines: Sequence[str], numbers: dict[int, tuple[int, int]]) -> bool:
    """Whether each number stands before its paragraph, as those in a left margin do.

    Those of a right margin come after the first line, or several at once, and the last of them
    after the last paragraph.
    """
    doubtful = 0
    following: int | None = None
    for place, (_, end) in numbers.items():
        if lines[place][end:]:
            continue
        following = next((i for i in range(place + 1, len(lines)) if lines[i]), None)
        if following is None:
            return False
        headed = is_enumerator(lines[following]) and lines[following][0].isupper()
        doubtful += following in numbers or headed or _goes_on(lines, place, following)
    return doubtful <= max(1, _FEWEST_SHARE * len(numbers))


def _goes_on(lines: Sequence[str], place: int, following: int) -> bool:
    """Whether a sentence runs on over the number; ``aa)`` begins one, as does a motion."""
    line = lines[following]
    if not line[:1].islower() or _ENUMERATED.match(line):
        return False
    before = next((lines[i] for i in range(place - 1, -1, -1) if lines[i]), "")
    return not before.endswith((",", ":", ";", " -", "–"))
