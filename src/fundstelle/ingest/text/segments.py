"""The parts of a norm: Absatz, Satz, Nummer, Buchstabe … with their offsets.

A list belongs to the sentence that introduces it; a sentence inside a list item counts within the
item; a new sentence after a list goes on with the count of its Absatz. Printed sentence numbers
win over any counting.
"""

import re
from collections import Counter
from collections.abc import Sequence

from fundstelle.ingest.text.lines import Draft, Line, LineKind
from fundstelle.ingest.text.numbering import TITLE, TITLE_LEVELS, read_labels
from fundstelle.ingest.text.sentences import split_lines
from fundstelle.law.norms import Level, Segment

_ABSATZ = re.compile(
    r"\((?P<first>\d+[a-z]*)\)(?: (?:bis|und|u\.|-|–) \((?P<last>\d+[a-z]*)\))?"
    r"(?=\s|$|[A-ZÄÖÜ(])"  # "(3)Der Kläger" is printed so, and "(4)(weggefallen)"
)
# The number of a row in a section: with its dot, for years, months and ages stand there without.
_ROW_NUMBER = re.compile(r"\d{1,3}[a-z]?\.")
_ROW_LETTER = re.compile(r"(?:\| )?(?P<letter>[a-z])\)(?: \|)?(?=\s|$)")
_TITLE_RANK = {Level.TEIL: 0, Level.KAPITEL: 1, Level.ABSCHNITT: 2}
_TOP = -1
_ENDS = frozenset(".)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_REACH = 5_000  # characters in which a bracket around a semicolon must open


def build_segments(draft: Draft, *, is_annex: bool = False) -> tuple[Segment, ...]:
    """Divide a norm's text.

    Numbered rows of tables are parts; in an annex headings such as ``Teil A`` are too, and rows
    whose number has no dot.
    """
    return _Segmenter(draft, is_annex=is_annex).build()


class _Part:
    """A segment whose end is not known yet."""

    __slots__ = ("body", "end", "level", "parent", "start", "value")

    def __init__(self, level: Level, value: str, start: int, body: int, parent: int) -> None:
        self.level = level
        self.value = value
        self.start = start
        self.body = body
        self.end = start
        self.parent = parent


class _Segmenter:
    def __init__(self, draft: Draft, *, is_annex: bool) -> None:
        self.text = draft.text
        self.lines = draft.lines
        self.is_annex = is_annex
        self.parts: list[_Part] = []
        self.runs: Counter[int] = Counter()  # by parent: between headings, with sentences
        self.depth = 0  # of the lines that stand below an Absatz as its own

    def build(self) -> tuple[Segment, ...]:
        titles: list[int] = []
        scope: list[Line] = []
        parent = _TOP
        absatz = 0
        for line in self.lines:
            if line.kind is LineKind.TITLE and not line.depth:
                self._close(parent, scope)
                parent = titles[-1] if titles else _TOP
                if self.is_annex and (part := self._open_title(line, titles)) is not None:
                    parent = part
                absatz = 0
            elif (match := self._read_absatz(line, absatz, scope)) is not None:
                self._close(parent, scope)
                self.depth = line.depth
                parent = self._open_absatz(line, match, titles[-1] if titles else _TOP)
                absatz = _count(match)
                scope.append(line)
            else:
                scope.append(line)
        self._close(parent, scope)
        self._drop_repeated()
        return tuple(
            Segment(part.level, part.value, part.start, part.end, part.body, part.parent)
            for part in self.parts
        )

    def _drop_repeated(self) -> None:
        """Let go of sentences whose count begins anew at each heading: no number names one."""
        repeated = {parent for parent, runs in self.runs.items() if runs > 1}
        if not repeated:
            return
        new: list[int] = []  # of each part its place among those kept; of those let go the parent's
        kept: list[_Part] = []
        gone: set[int] = set()
        for at, part in enumerate(self.parts):
            is_satz = part.level is Level.SATZ and part.parent in repeated
            if is_satz or (part.level is Level.HALBSATZ and part.parent in gone):
                gone.add(at)
                new.append(new[part.parent] if part.parent != _TOP else _TOP)
                continue
            part.parent = new[part.parent] if part.parent != _TOP else _TOP
            new.append(len(kept))
            kept.append(part)
        self.parts = kept

    def _read_absatz(self, line: Line, last: int, scope: list[Line]) -> re.Match[str] | None:
        if self.text[line.start] != "(":
            return None
        if line.depth or line.kind > LineKind.ROW:
            return self._read_absatz_in_list(line, last, scope)
        if line.kind is LineKind.ROW and self.is_annex:
            return None
        match = _ABSATZ.match(self.text, line.start, line.end)
        if match is None:
            return None
        if line.kind is not LineKind.PARAGRAPH and not _goes_on(match["first"], last):
            return None  # a line break inside an Absatz, or a row, unless the count goes on
        return match

    def _read_absatz_in_list(
        self, line: Line, last: int, scope: list[Line]
    ) -> re.Match[str] | None:
        """``(2d)`` set like an item of a list behind ``(2c)``, whose words are at an end."""
        if line.kind is not LineKind.ITEM or self.is_annex:
            return None
        if any(one.kind is LineKind.ITEM and one.depth == line.depth for one in scope[1:]):
            return None  # of a list that began before
        match = _ABSATZ.match(self.text, line.start, line.end)
        before = self.text[max(0, line.start - 2) : line.start].rstrip()
        is_end = before[-1:] in _ENDS
        return match if match and is_end and _goes_on(match["first"], last) else None

    def _open_absatz(self, line: Line, match: re.Match[str], parent: int) -> int:
        value = match["first"] + (f"-{match['last']}" if match["last"] else "")
        blank = self.text[match.end() : match.end() + 1].isspace()
        return self._open(Level.ABSATZ, value, line, parent, match.end() - line.start + blank)

    def _open(self, level: Level, value: str, line: Line, parent: int, label: int) -> int:
        body = min(line.start + label, line.end)
        self.parts.append(_Part(level, value, line.start, body, parent))
        return len(self.parts) - 1

    def _open_title(self, line: Line, titles: list[int]) -> int | None:
        match = TITLE.match(self.text, line.start, line.end)
        if match is None:
            return None
        level = TITLE_LEVELS[match["level"]]
        keep = 0
        while (
            keep < len(titles) and _TITLE_RANK[self.parts[titles[keep]].level] < _TITLE_RANK[level]
        ):
            keep += 1
        del titles[keep:]
        label = match.end() - line.start + 1
        titles.append(
            self._open(level, match["value"], line, titles[-1] if titles else _TOP, label)
        )
        self._stretch(titles[-1], line.end)
        return titles[-1]

    def _stretch(self, part: int, end: int) -> None:
        """Let a part and those around it reach to *end*."""
        while part != _TOP and self.parts[part].end < end:
            self.parts[part].end = end
            part = self.parts[part].parent

    def _close(self, parent: int, scope: list[Line]) -> None:
        """Divide the lines of one Absatz, or of the text before or without any."""
        if not scope:
            return
        self._stretch(parent, scope[-1].end)
        body = scope[0].start
        if parent != _TOP and self.parts[parent].level is Level.ABSATZ:
            body = self.parts[parent].body
        first = len(self.parts)
        self._divide(scope, self.depth, parent, body, above=None)
        self.runs[parent] += any(
            part.level is Level.SATZ and part.parent == parent for part in self.parts[first:]
        )
        scope.clear()
        self.depth = 0

    def _divide(
        self, lines: Sequence[Line], depth: int, parent: int, body: int, above: Level | None
    ) -> None:
        """Sentences and lists of a scope whose own text stands at *depth*."""
        sentences = split_lines(self.text, lines, depth, body)
        if above is not None and len(sentences) == 1:
            self._lists(lines, depth, parent, above)
            if not _holds_more(lines, depth):
                self._halves(sentences[0][1], sentences[0][2], parent)
            return
        first = 0
        if sentences:
            first = next(at for at, line in enumerate(lines) if line.end > sentences[0][1])
            self._lists(lines[:first], depth, parent, above)
        for value, start, end in sentences:
            last = first
            while last < len(lines) and lines[last].start < end:
                last += 1
            self.parts.append(_Part(Level.SATZ, value, start, start, parent))
            satz = len(self.parts) - 1
            self.parts[satz].end = end
            inside = [line for line in lines[first:last] if line.end > start]
            first = max(last - 1, first)
            if _holds_more(inside, depth):
                self._lists(
                    [line for line in inside if line.start >= start or line.depth > depth],
                    depth,
                    satz,
                    above,
                )
            else:
                self._halves(start, end, satz)
        if not sentences:
            self._lists(lines, depth, parent, above)

    def _lists(self, lines: Sequence[Line], depth: int, parent: int, above: Level | None) -> None:
        run: list[Line] = []
        numbered: _Part | None = None  # the table row whose further rows have an empty first cell
        rows: list[Line] = []
        for line in lines:
            if line.depth > depth:
                run.append(line)
                continue
            if run:
                self._rows(rows, parent)
                self._list(run, parent, above)
                run, numbered = [], None
            if line.kind is LineKind.ROW and self.is_annex:
                numbered = self._row(line, parent, numbered)
            elif line.kind is LineKind.ROW:
                rows.append(line)
            else:
                self._rows(rows, parent)
        self._rows(rows, parent)
        self._list(run, parent, above)

    def _rows(self, rows: list[Line], parent: int) -> None:
        """The numbered rows of a table in a section, and the lettered ones of each.

        ``1. | für Benzin`` is Nr. 1 with the rows below it whose first cell is empty; ``| a) | …``
        and ``1. | a) | …`` are a Buchst. a of it.
        """
        number = letter = _TOP
        for row in rows:
            at = row.start
            if _ROW_NUMBER.fullmatch(row.label):
                number, letter = self._open_row(Level.NUMMER, row.label[:-1], at, parent), _TOP
                at += len(f"{row.label} | ")
            elif self.text[at] != "|":
                number = letter = _TOP
            match = _ROW_LETTER.match(self.text, at, row.end)
            if match is not None:
                above = number if number != _TOP else parent
                start = match.start("letter")
                letter = self._open_row(Level.BUCHSTABE, match["letter"], start, above)
            for part in {number, letter} - {_TOP}:
                self.parts[part].end = row.end
        rows.clear()

    def _open_row(self, level: Level, value: str, start: int, parent: int) -> int:
        self.parts.append(_Part(level, value, start, start, parent))
        return len(self.parts) - 1

    def _row(self, line: Line, parent: int, numbered: _Part | None) -> _Part | None:
        if line.label:
            value = line.label.rstrip(".")
            numbered = _Part(Level.NUMMER, value, line.start, line.start, parent)
            self.parts.append(numbered)
        elif self.text[line.start] != "|":
            return None
        if numbered is not None:
            numbered.end = line.end
        return numbered

    def _list(self, run: Sequence[Line], parent: int, above: Level | None) -> None:
        if not run:
            return
        depth = min(line.depth for line in run)
        heads = [
            at for at, line in enumerate(run) if line.depth == depth and line.kind is LineKind.ITEM
        ]
        if not heads:
            self._lists(run, depth, parent, above)
            return
        self._lists(run[: heads[0]], depth, parent, above)
        holder = self.parts[parent].level if parent != _TOP and above is None else above
        ranks = read_labels([run[at].label for at in heads], holder)
        for rank, at, to in zip(ranks, heads, [*heads[1:], len(run)], strict=True):
            item = run[at:to]
            if rank is None:
                self._lists(item[1:], depth, parent, above)
                continue
            part = _Part(rank[0], rank[1], item[0].start, item[0].body, parent)
            part.end = item[-1].end
            self.parts.append(part)
            self._divide(item, depth, len(self.parts) - 1, item[0].body, above=rank[0])

    def _halves(self, start: int, end: int, parent: int) -> None:
        """Halbsätze of a sentence without a list: cut at semicolons outside brackets and quotes."""
        at = self.text.find(";", start, end - 1)
        cuts = []
        while at >= 0:
            if self.text[at + 1] in " \n" and not _is_inside(self.text, start, at):
                cuts.append(at + 2)
            at = self.text.find(";", at + 1, end - 1)
        if not cuts:
            return
        for number, (begin, until) in enumerate(
            zip([start, *cuts], [*(cut - 1 for cut in cuts), end], strict=True), start=1
        ):
            self.parts.append(_Part(Level.HALBSATZ, str(number), begin, begin, parent))
            self.parts[-1].end = until


def _goes_on(first: str, last: int) -> bool:
    """Whether an Absatz of that number follows the one numbered ``last``: 3 or 2a behind 2."""
    return first == str(last + 1) or (last > 0 and first.rstrip(_LETTERS) == str(last) != first)


def _count(match: re.Match[str]) -> int:
    """The number of the last Absatz a label names, without its letter."""
    return int((match["last"] or match["first"]).rstrip(_LETTERS))


def _holds_more(lines: Sequence[Line], depth: int) -> bool:
    """Whether a list or a table stands among the lines."""
    return any(line.depth > depth or line.kind is LineKind.ROW for line in lines)


def _is_inside(text: str, start: int, at: int) -> bool:
    start = max(start, at - _REACH)
    return text.count("(", start, at) > text.count(")", start, at) or text.count(
        "„", start, at
    ) > text.count("“", start, at) + text.count("”", start, at)
