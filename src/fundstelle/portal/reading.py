"""A norm's or a decision's text as blocks for a page: lines with their depth, anchor and links."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fundstelle.law.decisions import DecisionText, PartKind
from fundstelle.law.norms import Fassung, Level, Segment, Table
from fundstelle.lookup.addresses import SENTENCES, name_anchors, name_passage

_MARGIN = frozenset((Level.ABSATZ, Level.UNTERABSATZ, Level.TEIL, Level.KAPITEL, Level.ABSCHNITT))
# What lies in these is not indented.
_FLUSH = frozenset((Level.ABSATZ, Level.UNTERABSATZ, Level.TEIL, Level.ABSCHNITT))
_DEEPEST = 5
_LONGEST_HEAD = 80  # characters of a cell that may head a column
MOST_CHARS = 1_000_000  # of a text on one page
MOST_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Link:
    """Part of the text that names something held here: offsets and where it leads."""

    start: int
    end: int
    path: str


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a line, with a link or without; ``anchors`` of parts that begin with them."""

    text: str
    path: str = ""
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A line, a heading or a table of the page, in the order of the text."""

    kind: str  # line, heading, part, table
    runs: tuple[Run, ...] = ()
    depth: int = 0
    anchor: str = ""
    number: str = ""  # Randnummer in the margin
    name: str = ""  # of a part: its kind
    rows: tuple[tuple[str, ...], ...] = field(default=())
    row_anchors: tuple[tuple[str, ...], ...] = field(default=())  # of each row of a table
    head: bool = False  # the first row of the table names its columns

    def list_anchors(self) -> list[str]:
        """All anchors in it, in its order."""
        own = [self.anchor] if self.anchor else []
        inside = [anchor for run in self.runs for anchor in run.anchors]
        return [*own, *inside, *(anchor for row in self.row_anchors for anchor in row)]

    @property
    def pieces(self) -> list[tuple[tuple[str, ...], list[Run]]]:
        """The runs of a line from one anchor to the next, each with the anchors before it."""
        found: list[tuple[tuple[str, ...], list[Run]]] = []
        for run in self.runs:
            if run.anchors or not found:
                found.append((run.anchors, []))
            found[-1][1].append(run)
        return found


def read_norm(fassung: Fassung, links: Sequence[Link]) -> list[Block]:
    """The lines of a norm; each part of it has its anchor: ``abs-1-nr-2`` (``lookup.addresses``).

    The outermost part that begins with a line names the line, the others places in it.
    """
    depths = _Depths(fassung.segments, _indent_parts(fassung.segments))
    anchors = _Anchors(fassung.segments)
    tables = {table.start: table for table in fassung.tables}
    cutter = _Cutter(fassung.text, links)
    blocks: list[Block] = []
    inside_until = -1
    for start, end in _iter_lines(fassung.text):
        if start < inside_until:
            continue
        table = tables.get(start)
        if table is not None:
            blocks.append(_show_table(table, fassung.text, anchors.take(table.end)))
            inside_until = table.end
            continue
        depth = min(depths.find(start), _DEEPEST)
        found = anchors.take(end)
        anchor = found.pop(0)[1] if found and found[0][0] <= start else ""
        blocks.append(Block("line", cutter.cut(start, end, found), depth, anchor))
    return blocks


def read_decision(text: DecisionText, links: Sequence[Link]) -> list[Block]:
    """The paragraphs of a decision with their Randnummern (``rn-12``), parts and headings."""
    numbers = {passage.start: passage.number for passage in text.passages}
    parts = {part.start: part for part in text.parts}
    headings = {heading.start: heading.level for heading in text.headings}
    cutter = _Cutter(text.text, links)
    blocks: list[Block] = []
    for start, end in _iter_lines(text.text):
        number = numbers.get(start, "")
        name = name_passage(number) if number else ""
        part = parts.get(start)
        if part is not None and part.kind not in {PartKind.HEAD, PartKind.FULL_TEXT}:
            anchor = str(part.kind).replace("_", "-")
            if part.label == text.text[start:end]:
                label = Run(part.label, anchors=(name,) if name else ())
                blocks.append(Block("part", (label,), anchor=anchor))
                continue
            blocks.append(Block("part", name=part.kind, anchor=anchor))
        kind = "heading" if start in headings else "line"
        depth = max(headings.get(start, 1) - 1, 0)
        blocks.append(Block(kind, cutter.cut(start, end), depth, name, number))
    return blocks


def is_cut(text: str) -> bool:
    """Whether a page shows the beginning alone; none of the official texts is so long."""
    return len(text) > MOST_CHARS or text.count("\n") >= MOST_LINES


def _iter_lines(text: str) -> Iterable[tuple[int, int]]:
    """Where lines begin and end that are not empty, as many as a page shows."""
    start = 0
    for line in text[:MOST_CHARS].split("\n", MOST_LINES)[:MOST_LINES]:
        if line:
            yield start, start + len(line)
        start += len(line) + 1


def _indent_parts(segments: Sequence[Segment]) -> list[int]:
    """The indentation of each part; a parent stands before its children.

    An Absatz stands at the margin, its Nummern one step in. Sentences are no lines of their own:
    what lies in one is where its own parent would have it.
    """
    found: list[int] = []
    steps: list[int] = []  # what a child adds to, by the parts above that indent it
    for segment in segments:
        base = steps[segment.parent] if segment.parent >= 0 else 0
        is_line = segment.level not in SENTENCES
        found.append(base + (is_line and segment.level not in _MARGIN))
        steps.append(base + (is_line and segment.level not in _FLUSH))
    return found


class _Anchors:
    """The anchors of all parts, in the order of the text."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        names = name_anchors(segments)
        self._all = sorted(
            ((segment.start, name) for segment, name in zip(segments, names, strict=True)),
            key=lambda anchor: anchor[0],
        )
        self._next = 0

    def take(self, end: int) -> list[tuple[int, str]]:
        """Those before ``end`` that were not taken yet, with the places where they begin."""
        first = self._next
        while self._next < len(self._all) and self._all[self._next][0] < end:
            self._next += 1
        return self._all[first : self._next]


class _Depths:
    """The indentation of a line: that of the innermost part around where it begins.

    Lines are asked for in the order of the text.
    """

    def __init__(self, segments: Sequence[Segment], depths: Sequence[int]) -> None:
        self._segments = segments
        self._depths = depths
        self._next = 0
        self._open: list[int] = []  # parts that have begun, each inside the one before it

    def find(self, start: int) -> int:
        while self._next < len(self._segments) and self._segments[self._next].start <= start:
            if self._segments[self._next].level not in SENTENCES:
                self._open.append(self._next)
            self._next += 1
        while self._open and self._segments[self._open[-1]].end <= start:
            self._open.pop()
        return self._depths[self._open[-1]] if self._open else 0


def _show_table(table: Table, text: str, anchors: Sequence[tuple[int, str]]) -> Block:
    """A table, the anchors at the rows that they stand in: its text has a line for each."""
    held: list[list[str]] = [[] for _ in table.rows]
    row, at = 0, table.start
    for start, name in anchors:
        if start > at:
            row += text.count("\n", at, start)
            at = start
        if held:
            held[min(row, len(held) - 1)].append(name)
    head = is_head(table.rows)
    return Block("table", rows=table.rows, row_anchors=tuple(map(tuple, held)), head=head)


def is_head(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row of a table names its columns, as far as its words can tell.

    The stored tables do not say it. A head has words in every cell, short ones, none of them a
    number, a unit of a list or a sentence; and a row with the same number of cells stands below.
    """
    if len(rows) < 2 or len(rows[0]) < 2 or len(rows[1]) != len(rows[0]):
        return False
    return all(
        1 < len(cell) <= _LONGEST_HEAD
        and cell[0].isalpha()
        and not cell.rstrip().endswith((".", ";", ",", ":"))
        and not cell[:2].endswith((")", "."))
        for cell in rows[0]
    ) and len(set(rows[0])) == len(rows[0])


class _Cutter:
    """Cuts lines into runs, in the order of the text; ``links`` are in that order too."""

    def __init__(self, text: str, links: Sequence[Link]) -> None:
        self._text = text
        self._links = links
        self._next = 0

    def cut(self, start: int, end: int, anchors: Sequence[tuple[int, str]] = ()) -> tuple[Run, ...]:
        """A line; a link that reaches over its end, or into another, is left out."""
        return tuple(_set_anchors(self._link(start, end), start, anchors))

    def _link(self, start: int, end: int) -> list[Run]:
        runs: list[Run] = []
        at = start
        while self._next < len(self._links) and self._links[self._next].start < end:
            link = self._links[self._next]
            self._next += 1
            if link.start < at or link.end > end:
                continue
            if link.start > at:
                runs.append(Run(self._text[at : link.start]))
            runs.append(Run(self._text[link.start : link.end], link.path))
            at = link.end
        if at < end:
            runs.append(Run(self._text[at:end]))
        return runs


def _set_anchors(
    runs: Sequence[Run], start: int, anchors: Sequence[tuple[int, str]]
) -> Iterator[Run]:
    """The same runs, cut where a part begins; one that begins inside a link begins with it."""
    coming = list(reversed(anchors))
    at = start
    for run in runs:
        end = at + len(run.text)
        begin, names = at, list[str]()
        while coming and coming[-1][0] < end:
            place, name = coming.pop()
            if place > begin and not run.path:
                yield Run(run.text[begin - at : place - at], "", tuple(names))
                begin, names = place, []
            names.append(name)
        yield Run(run.text[begin - at :], run.path, tuple(names))
        at = end
