"""Randnummern in the right margin of a print, which pdftotext reads behind their paragraphs.

Such a number stands beside the first line of its paragraph, and comes in the text after the block
that begins there: ``Tatbestand:``, ``1``, ``Der Kläger …``, ``2``. What goes on over the page has
its number on the page before. Where the blocks of a page and its numbers do not come out even, the
numbers in question are left out: what they stand beside cannot be told.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from fundstelle.ingest.sources.decision_text.headings import find_part, is_enumerator
from fundstelle.ingest.sources.decision_text.numbers import Candidate, find_run
from fundstelle.ingest.sources.decision_text.pdf_lines import goes_on, is_new, trim
from fundstelle.law.decisions import PartKind

_ALONE = re.compile(r"\d{1,3}")
_TRAILING = re.compile(r"(.{25,}?)\s+(\d{1,3})")  # glued to the first line of its paragraph
_STRONG, _GLUED = 2.0, 0.2
_MOST_FIRST = 0.02  # share of the numbers that may begin a page, as those of a left margin do
_DASHES = frozenset("-–—•")
_SENTENCE_ENDS = (".", ":", ";", "!", "?", ".“", '."', ".)", ".,")
_PARTED = (*_SENTENCE_ENDS, ",", ")", "“", '"', "-", "–")
_ITEM = re.compile(r"(?:\d{1,2}|[a-zA-Z]{1,3}|[IVX]{1,5})[.)]\s")
_OPENING = frozenset("„\"'(§-–—•")
_LONGEST_HEADING = 80


class Margin(NamedTuple):
    """The lines of a print without their numbers.

    ``starts`` are the lines that begin a paragraph for certain, ``numbers`` the Randnummer of some
    of these, ``closed`` lines at which a Randnummer ends although no other is known to begin.
    """

    lines: list[str]
    starts: frozenset[int]
    numbers: dict[int, int]
    closed: frozenset[int]


class _Mark(NamedTuple):
    """A number: the last line before it on its page, and whether it stands in that very line."""

    number: int
    line: int
    exact: bool


@dataclass(slots=True)
class _Sheet:
    """One page: its lines are ``range(first, end)`` of all."""

    first: int
    end: int
    marks: list[_Mark] = field(default_factory=list)


def read_margin(pages: Sequence[Sequence[str]], width: int, *, known: bool) -> Margin | None:
    """The lines with the numbers of a right margin; ``None`` if there are none.

    ``known``: that the numbers stand on the right is known of the publisher; else it must show.
    """
    kept = [[line.strip() for line in page] for page in pages]
    run = find_run(_iter_candidates(line for page in kept for line in page))
    if not run:
        return None
    lines, sheets = _take_out(kept, {each.start: each.number for each in run})
    if not known and not _is_right(lines, sheets, len(run)):
        return None
    return _Placing(lines, sheets, width).place()


def _iter_candidates(lines: Iterable[str]) -> Iterator[Candidate]:
    for place, line in enumerate(lines):
        if _ALONE.fullmatch(line):
            yield Candidate(place, place + 1, int(line), _STRONG)
        elif trailing := _TRAILING.fullmatch(line):
            yield Candidate(place, place + 1, int(trailing[2]), _GLUED)


def _take_out(
    pages: Sequence[Sequence[str]], numbers: dict[int, int]
) -> tuple[list[str], list[_Sheet]]:
    """All lines without the numbers; where a number stood, a block ends."""
    lines: list[str] = []
    sheets: list[_Sheet] = []
    place = -1
    for page in pages:
        own: list[str] = []
        marks: list[tuple[int, int, bool]] = []
        for line in page:
            place += 1
            number = numbers.get(place)
            trailing = _TRAILING.fullmatch(line) if number is not None else None
            if number is None:
                own.append(line)
            elif trailing is None:
                own.append("")
                marks.append((number, len(own), False))
            else:
                own.append(trailing[1])
                marks.append((number, len(own), True))
        offset = next((at for at, line in enumerate(own) if line), len(own))
        own = trim(own)
        if own and lines and not goes_on(lines[-1], own[0]):
            lines.append("")
        sheet = _Sheet(len(lines), len(lines) + len(own))
        lines += own
        for number, before, exact in marks:
            last = sheet.first + min(before - offset, len(own)) - 1
            while last >= sheet.first and not lines[last]:
                last -= 1
            sheet.marks.append(_Mark(number, max(last, sheet.first - 1), exact))
        sheets.append(sheet)
    return lines, sheets


def _is_right(lines: Sequence[str], sheets: Sequence[_Sheet], count: int) -> bool:
    """Whether numbers end pages and do not begin them."""
    first = sum(mark.line < sheet.first for sheet in sheets for mark in sheet.marks)
    last = sum(
        any(not mark.exact and mark.line == sheet.end - 1 for mark in sheet.marks)
        for sheet in sheets
    )
    return first <= _MOST_FIRST * count and last > max(1, first) and bool(lines)


class _Group(NamedTuple):
    """Numbers that stand behind one block, and the paragraphs that begin in lines from ``low``."""

    numbers: list[int]
    begun: list[int]
    low: int
    end: int


@dataclass(slots=True)
class _Placing:
    """Numbers put beside the paragraphs of their page, in order.

    Whenever as many paragraphs have begun as numbers have come, they belong together.
    """

    lines: Sequence[str]
    sheets: Sequence[_Sheet]
    width: int
    starts: set[int] = field(default_factory=set)
    numbers: dict[int, int] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    waiting: list[_Group] = field(default_factory=list)
    opened: bool = False  # whether a number has come

    def place(self) -> Margin:
        """Every number that can be told a paragraph."""
        self.starts.update(self._iter_starts())
        for sheet in self.sheets:
            self._place_sheet(sheet)
        return Margin(
            list(self.lines), frozenset(self.starts), self.numbers, frozenset(self.closed)
        )

    def _iter_starts(self) -> Iterator[int]:
        """Lines that begin a paragraph: by how they are set, and by the numbers between them."""
        paragraph, last = "", -1
        for sheet in self.sheets:
            exact = {mark.line for mark in sheet.marks if mark.exact}
            after = {mark.line for mark in sheet.marks if not mark.exact}
            for place in range(sheet.first, sheet.end):
                line = self.lines[place]
                if not line:
                    continue
                on_top = last < sheet.first
                if place in exact or not paragraph:
                    fresh = True
                elif last in exact and last == place - 1:
                    fresh = False  # without its number the line before is short
                elif last in after and not on_top and self.lines[last].endswith(_PARTED):
                    fresh = True
                else:
                    gap = last < place - 1 and (on_top or last not in after)
                    fresh = is_new(paragraph, self.lines[last], line, self.width, gap=gap)
                    fresh = fresh and not (on_top and self._runs_on(paragraph, last, line))
                if fresh:
                    yield place
                before = "" if fresh else paragraph
                paragraph = f"{before} {line}".strip()[:_LONGEST_HEADING]
                last = place

    def _runs_on(self, paragraph: str, last: int, line: str) -> bool:
        """Whether a page ends in the middle of a sentence."""
        if self.lines[last].endswith(_SENTENCE_ENDS) or line[0] in _OPENING:
            return False
        headed = find_part(paragraph) is not None or is_enumerator(paragraph)
        return not (headed or _ITEM.match(line))

    def _place_sheet(self, sheet: _Sheet) -> None:
        own = sorted(each for each in self.starts if sheet.first <= each < sheet.end)
        taken, low = 0, sheet.first
        for (line, exact), marks in groupby(sheet.marks, lambda mark: (mark.line, mark.exact)):
            new = [each for each in own[taken:] if each < line or (each == line and not exact)]
            taken += len(new)
            numbers = [mark.number for mark in marks]
            if not self.opened:
                new = self._leave_head(new, 0 if exact else 1)
                self.opened = True
            if exact:
                self._settle()
                self.numbers[line] = numbers[0]
                taken += 1
            else:
                self.waiting.append(_Group(numbers, new, low, line + 1))
                self._match(sheet)
            low = line + 1
        self._settle()

    def _leave_head(self, begun: list[int], fewest: int) -> list[int]:
        """Of what stands before the first number what may have it: from the last heading on.

        What a court orders has no number, so that below its heading the last of it may have one.
        """
        parts = [find_part(self.lines[each]) for each in begun]
        headed = [n for n, part in enumerate(parts) if part not in {None, PartKind.TENOR}]
        last = headed[-1] if headed else len(begun) - fewest
        return begun[max(last, 0) :]

    def _match(self, sheet: _Sheet) -> None:
        """Put the waiting numbers beside the paragraphs if they come out even."""
        if any(_count_over(group) > 0 for group in self.waiting[:-1]):
            return
        numbers = [number for group in self.waiting for number in group.numbers]
        begun = [place for group in self.waiting for place in group.begun]
        count = len(numbers)
        top = bool(begun) and begun[0] == sheet.first
        merged = self._merge(begun)
        options = [begun, merged]
        options += [begun[1:], merged[1:]] if top else []
        if count == 1 and not top:
            options.append(begun[:1])
        chosen = next((each for each in options if len(each) == count), None)
        if chosen is not None:
            self.numbers.update(zip(chosen, numbers, strict=True))
            self.waiting.clear()

    def _merge(self, begun: Sequence[int]) -> list[int]:
        """Paragraphs without headings that are only a number, and a dash with its words."""
        merged: list[int] = []
        after_dash = False
        for each in begun:
            line = self.lines[each]
            if not after_dash and not is_enumerator(line):
                merged.append(each)
            after_dash = line in _DASHES
        return merged

    def _settle(self) -> None:
        """What is left of a page: by paragraphs that do not show, else it is given up."""
        over = [_count_over(group) for group in self.waiting]
        if min(over, default=0) < 0 < max(over, default=0):
            self._give_up(self.waiting)
        else:
            for group in self.waiting:
                self._settle_group(group)
        self.waiting.clear()

    def _settle_group(self, group: _Group) -> None:
        """The numbers behind one block; those of all others come out even with theirs."""
        hidden = self._list_hidden(group) if _count_over(group) < 0 else []
        both = sorted({*group.begun, *hidden})
        if len(both) == len(group.numbers):
            self.starts.update(hidden)
            self.numbers.update(zip(both, group.numbers, strict=True))
        else:
            self._give_up([group])

    def _list_hidden(self, group: _Group) -> list[int]:
        return [place for place in range(group.low + 1, group.end) if self._may_begin(place)]

    def _may_begin(self, place: int) -> bool:
        line, before = self.lines[place], self.lines[place - 1]
        if place in self.starts or not line or not before.endswith(_SENTENCE_ENDS):
            return False
        return line[0].isupper() or line[0] in _OPENING

    def _give_up(self, groups: Sequence[_Group]) -> None:
        """Where the numbers stand cannot be told, and so not where the one before them ends."""
        begun = [place for group in groups for place in group.begun]
        first = min(begun, default=groups[-1].end)
        self.closed.update(begun[:1])
        hidden = [place for group in groups for place in self._list_hidden(group)]
        last = next(reversed(self.numbers), None)  # they come in the order of lines
        if last is not None and any(place < first for place in hidden):
            del self.numbers[last]
            self.closed.add(last)


def _count_over(group: _Group) -> int:
    """How many paragraphs more than numbers there are."""
    return len(group.begun) - len(group.numbers)
