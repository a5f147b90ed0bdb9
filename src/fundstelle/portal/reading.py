"""A norm's or a decision's text as blocks for a page: lines with their depth, anchor and links."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fundstelle.law.decisions import DecisionText, PartKind
from fundstelle.law.norms import Fassung, Level, Segment, Table

_SENTENCES = (Level.SATZ, Level.HALBSATZ)
_MARGIN = frozenset((Level.ABSATZ, Level.TEIL, Level.KAPITEL, Level.ABSCHNITT))
_FLUSH = frozenset((Level.ABSATZ, Level.TEIL, Level.ABSCHNITT))  # what lies in them is not indented
_DEEPEST = 5
MOST_CHARS = 1_000_000  # of a text on one page
MOST_LINES = 20_000
_LONGEST_ANCHOR = 200


@dataclass(frozen=True, slots=True)
class Link:
    """Part of the text that names something held here: offsets and where it leads."""

    start: int
    end: int
    path: str


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a line, with a link or without."""

    text: str
    path: str = ""


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


def read_norm(fassung: Fassung, links: Sequence[Link]) -> list[Block]:
    """The lines of a norm; each Absatz, Nummer and Buchstabe has an anchor: ``abs-1-nr-2``."""
    starts = _index_parts(fassung.segments)
    depths = _Depths(fassung.segments, [depth for depth, _ in starts])
    anchors = {
        segment.start: anchor
        for segment, (_, anchor) in zip(fassung.segments, starts, strict=True)
        if segment.level not in _SENTENCES
    }
    tables = {table.start: table for table in fassung.tables}
    cutter = _Cutter(fassung.text, links)
    blocks: list[Block] = []
    inside_until = -1
    for start, end in _iter_lines(fassung.text):
        if start < inside_until:
            continue
        table = tables.get(start)
        if table is not None:
            blocks.append(_show_table(table))
            inside_until = table.end
            continue
        depth = min(depths.find(start), _DEEPEST)
        blocks.append(Block("line", cutter.cut(start, end), depth, anchors.get(start, "")))
    return blocks


def read_decision(text: DecisionText, links: Sequence[Link]) -> list[Block]:
    """The paragraphs of a decision with their Randnummern (``rn-12``), parts and headings."""
    numbers = {passage.start: passage.number for passage in text.passages}
    parts = {part.start: part for part in text.parts}
    headings = {heading.start for heading in text.headings}
    cutter = _Cutter(text.text, links)
    blocks: list[Block] = []
    for start, end in _iter_lines(text.text):
        part = parts.get(start)
        if part is not None and part.kind not in {PartKind.HEAD, PartKind.FULL_TEXT}:
            anchor = str(part.kind).replace("_", "-")
            if part.label == text.text[start:end]:
                blocks.append(Block("part", (Run(part.label),), anchor=anchor))
                continue
            blocks.append(Block("part", name=part.kind, anchor=anchor))
        number = numbers.get(start, "")
        kind = "heading" if start in headings else "line"
        anchor = f"rn-{number}" if number else ""
        blocks.append(Block(kind, cutter.cut(start, end), 0, anchor, number))
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


def _index_parts(segments: Sequence[Segment]) -> list[tuple[int, str]]:
    """Indentation and anchor of each part; a parent stands before its children.

    An Absatz stands at the margin, its Nummern one step in. Sentences are no lines of their own:
    what lies in one is where its own parent would have it.
    """
    found: list[tuple[int, str]] = []
    steps: list[int] = []  # what a child adds to, by the parts above that indent it
    for segment in segments:
        above = found[segment.parent][1] if segment.parent >= 0 else ""
        base = steps[segment.parent] if segment.parent >= 0 else 0
        if segment.level in _SENTENCES:
            found.append((base, above))
            steps.append(base)
            continue
        step = f"{segment.level}-{segment.value}".replace(" ", "_").replace("§", "s")
        anchor = f"{above}-{step}".lstrip("-")[:_LONGEST_ANCHOR]
        found.append((base + (segment.level not in _MARGIN), anchor))
        steps.append(base + (segment.level not in _FLUSH))
    return found


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
            if self._segments[self._next].level not in _SENTENCES:
                self._open.append(self._next)
            self._next += 1
        while self._open and self._segments[self._open[-1]].end <= start:
            self._open.pop()
        return self._depths[self._open[-1]] if self._open else 0


def _show_table(table: Table) -> Block:
    return Block("table", rows=table.rows)


class _Cutter:
    """Cuts lines into runs, in the order of the text; ``links`` are in that order too."""

    def __init__(self, text: str, links: Sequence[Link]) -> None:
        self._text = text
        self._links = links
        self._next = 0

    def cut(self, start: int, end: int) -> tuple[Run, ...]:
        """A line; a link that reaches over its end, or into another, is left out."""
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
        return tuple(runs)
