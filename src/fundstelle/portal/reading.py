"""A norm's or a decision's text as blocks for a page: lines with their depth, anchor and links."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fundstelle.law.decisions import DecisionText, PartKind
from fundstelle.law.norms import Fassung, Level, Segment, Table

_SENTENCES = (Level.SATZ, Level.HALBSATZ)
_DEEPEST = 5


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
    tables = {table.start: table for table in fassung.tables}
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
        depth, anchor = starts.get(start, (_find_depth(fassung.segments, start), ""))
        runs = _cut(fassung.text, start, end, links)
        blocks.append(Block("line", runs, min(depth, _DEEPEST), anchor))
    return blocks


def read_decision(text: DecisionText, links: Sequence[Link]) -> list[Block]:
    """The paragraphs of a decision with their Randnummern (``rn-12``), parts and headings."""
    numbers = {passage.start: passage.number for passage in text.passages}
    parts = {part.start: part for part in text.parts}
    headings = {heading.start for heading in text.headings}
    blocks: list[Block] = []
    for start, end in _iter_lines(text.text):
        part = parts.get(start)
        if part is not None and part.kind not in {PartKind.HEAD, PartKind.FULL_TEXT}:
            anchor = str(part.kind).replace("_", "-")
            if part.label == text.text[start:end]:
                blocks.append(Block("part", _cut(text.text, start, end, ()), anchor=anchor))
                continue
            blocks.append(Block("part", name=part.kind, anchor=anchor))
        number = numbers.get(start, "")
        kind = "heading" if start in headings else "line"
        anchor = f"rn-{number}" if number else ""
        blocks.append(Block(kind, _cut(text.text, start, end, links), 0, anchor, number))
    return blocks


def _iter_lines(text: str) -> Iterable[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        if line:
            yield start, start + len(line)
        start += len(line) + 1


def _index_parts(segments: Sequence[Segment]) -> dict[int, tuple[int, str]]:
    """Depth and anchor of what begins at an offset; sentences are no lines of their own."""
    paths: list[str] = []
    depths: list[int] = []
    found: dict[int, tuple[int, str]] = {}
    for segment in segments:
        is_sentence = segment.level in _SENTENCES
        above = paths[segment.parent] if segment.parent >= 0 else ""
        depth = depths[segment.parent] if segment.parent >= 0 else -1
        step = f"{segment.level}-{segment.value}".replace(" ", "_").replace("§", "s")
        paths.append(above if is_sentence else f"{above}-{step}".lstrip("-"))
        depths.append(depth if is_sentence else depth + 1)
        if not is_sentence:
            found[segment.start] = (_count_lists(segments, segment), paths[-1])
    return found


def _count_lists(segments: Sequence[Segment], segment: Segment) -> int:
    """How far a part is indented: an Absatz stands at the margin, its Nummern one step in."""
    depth = 0 if segment.level in {Level.ABSATZ, Level.TEIL, Level.KAPITEL, Level.ABSCHNITT} else 1
    parent = segment.parent
    while parent >= 0:
        level = segments[parent].level
        if level not in _SENTENCES and level not in {Level.ABSATZ, Level.TEIL, Level.ABSCHNITT}:
            depth += 1
        parent = segments[parent].parent
    return depth


def _find_depth(segments: Sequence[Segment], start: int) -> int:
    """The indentation of a line that begins no part: that of the innermost part around it."""
    depth = 0
    for segment in segments:
        if segment.start > start:
            break
        if start < segment.end and segment.level not in _SENTENCES:
            depth = _count_lists(segments, segment)
    return depth


def _show_table(table: Table) -> Block:
    return Block("table", rows=table.rows)


def _cut(text: str, start: int, end: int, links: Sequence[Link]) -> tuple[Run, ...]:
    """The line in runs; a link that reaches over its end, or into another, is left out."""
    runs: list[Run] = []
    at = start
    for link in links:
        if link.start < at or link.end > end:
            continue
        if link.start > at:
            runs.append(Run(text[at : link.start]))
        runs.append(Run(text[link.start : link.end], link.path))
        at = link.end
    if at < end:
        runs.append(Run(text[at:end]))
    return tuple(runs)
