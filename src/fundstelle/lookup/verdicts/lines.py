"""Quotations of a draft whose source stands on a line of its own, behind them or before.

``„…“`` and on the next line ``§ 626 Abs. 2 BGB``, the last line of a block that is set off, or a
citation right behind the marks that ends its line: so one names a source, and begins no sentence.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fundstelle.law.citations import FoundCitation, ReporterCitation
from fundstelle.lookup.verdicts.quotations import FEWEST_WORDS, Quotation

_LONGEST_LEAD = 13
_LEAD = re.compile(r"[ \t>#*_–—-]{0,12}[(\[]?")
_TAIL = re.compile(r"[)\]]?[*_]{0,2}[.,;:]?[*_]{0,2}[ \t\r]*+(?=\n|\Z)")
_BESIDE = re.compile(r"[\s,=(\[–-]*+")  # between a decision and the pages where it is printed
_BREAK_BEHIND = re.compile(r"[*_]{0,2}[.,;:]?[ \t\r]*+\n")
_BLANK_BEHIND = re.compile(r"[*_]{0,2}[ \t]{1,2}[*_]{0,2}")
_BREAK_BEFORE = re.compile(r"\n[ \t>#*_]{0,12}")
_IS_BLOCK = re.compile(r"[ \t]{0,3}>")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that ends with a citation, the ``number``-th, which stands ``at`` a place in it."""

    number: int
    at: int
    end: int
    start: int | None  # where the line begins, if nothing else is in it


def cut_sources(
    text: str, cited: Sequence[FoundCitation], quotations: Sequence[Quotation]
) -> tuple[list[Quotation], dict[int, int]]:
    """The quotations, of blocks without a last line that only names their source.

    And these sources: the number of the citation by the number of the quotation.
    """
    lines = list(_iter_lines(text, cited))
    ends = [line.end for line in lines]
    cut: list[Quotation] = []
    sources: dict[int, int] = {}
    for each in quotations:
        at = bisect_left(ends, each.end)
        start = lines[at].start if at < len(lines) and _IS_BLOCK.match(text, each.start) else None
        if start is None or not each.start <= start < each.end:
            cut.append(each)
            continue
        words = each.words.rpartition("\n")[0].strip()
        if len(words.split()) >= FEWEST_WORDS:
            sources[len(cut)] = lines[at].number
            cut.append(replace(each, end=start - 1, words=words))
    return cut, sources


def find_by_line(
    text: str,
    cited: Sequence[FoundCitation],
    quotations: Sequence[Quotation],
    owners: Sequence[int | None],
) -> list[int | None]:
    """The ``owners``, and of quotations that have none the citation on the line beside them.

    Where lines of both alternate, what begins and what ends them says which way round they go. Then
    a quotation does not belong to the source of the one before it.
    """
    lines = list(_iter_lines(text, cited))
    places, ends = [line.at for line in lines], [line.end for line in lines]
    before: list[int | None] = []
    behind: list[int | None] = []
    for each in quotations:
        at = bisect_right(ends, each.start) - 1
        leads = at >= 0 and _leads(text, lines[at], each)
        before.append(lines[at].number if leads else None)
        at = bisect_left(places, each.end)
        follows = at < len(lines) and _follows(text, lines[at], each)
        behind.append(lines[at].number if follows else None)
    found = list(owners)
    for run in _iter_runs(before, behind):
        is_led, is_closed = before[run[0]] is not None, behind[run[-1]] is not None
        for number in run if is_led != is_closed else ():
            of_last = behind[number - 1] if number else None
            if found[number] is None or (is_closed and found[number] == of_last):
                found[number] = (before if is_led else behind)[number]
    return found


def _leads(text: str, line: _Line, quotation: Quotation) -> bool:
    """Whether the quotation begins the line below one of a citation alone."""
    is_alone = line.start is not None
    return is_alone and _BREAK_BEFORE.fullmatch(text, line.end, quotation.start) is not None


def _follows(text: str, line: _Line, quotation: Quotation) -> bool:
    """Whether nothing but a citation is on the line below the quotation, or behind it."""
    if line.start is not None and line.start >= quotation.end:
        return _BREAK_BEHIND.fullmatch(text, quotation.end, line.start) is not None
    return _BLANK_BEHIND.fullmatch(text, quotation.end, line.at) is not None


def _iter_runs(before: Sequence[int | None], behind: Sequence[int | None]) -> Iterator[range]:
    """Quotations that have a citation between each of them and the next, by their numbers."""
    first = 0
    for number in range(1, len(before) + 1):
        is_last = number == len(before)
        if is_last or behind[number - 1] is None or before[number] != behind[number - 1]:
            yield range(first, number)
            first = number


def _iter_lines(text: str, cited: Sequence[FoundCitation]) -> Iterator[_Line]:
    """The lines that a citation ends, with its pages if it is a decision."""
    number = 0
    while number < len(cited):
        last = number
        while last + 1 < len(cited) and _is_page(text, cited[last], cited[last + 1]):
            last += 1
        tail = _TAIL.match(text, cited[last].end)
        if tail is not None:
            at = cited[number].start
            low = max(0, at - _LONGEST_LEAD - 1)
            start = text.rfind("\n", low, at) + 1 or low
            is_alone = (start == 0 or text[start - 1] == "\n") and _LEAD.fullmatch(text, start, at)
            yield _Line(number, at, tail.end(), start if is_alone else None)
        number = last + 1


def _is_page(text: str, before: FoundCitation, page: FoundCitation) -> bool:
    is_printed = isinstance(page.targets[0], ReporterCitation)
    return is_printed and _BESIDE.fullmatch(text, before.end, page.start) is not None
