"""The text of an EU provision as blocks, whatever the format, and how blocks become stored text.

A provision is paragraphs, lists and tables. Numbered paragraphs are Absätze; further paragraphs
inside one are Unterabsätze; list items are Nummern, Buchstaben or Spiegelstriche by their labels
(Interinstitutional style guide, 2.7: paragraph, subparagraph, point, indent).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fundstelle.ingest.sources.eu.labels import NUMBER, Rank, read_labels
from fundstelle.ingest.text.composing import compose
from fundstelle.ingest.text.sentences import find_starts
from fundstelle.ingest.text.signs import is_mark
from fundstelle.ingest.text.tables import join_cells
from fundstelle.law.norms import Level, Segment, Table

_OPENING = frozenset('„“"‚‘»«')
_STOPS = frozenset(".;:")
_BLANKS = re.compile(r"\s+")


@dataclass(slots=True)
class ActBlock:
    """A paragraph, list item or table row with what stands below it.

    ``label`` is the printed number of a paragraph or list item, "" without one; ``rows`` are those
    of a table, which has no words of its own.
    """

    words: str = ""
    label: str = ""
    is_item: bool = False
    rows: list[list[str]] = field(default_factory=list)
    below: list["ActBlock"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Rendered:
    """Stored text with its parts."""

    text: str
    segments: tuple[Segment, ...]
    tables: tuple[Table, ...]


def tidy(words: str) -> str:
    """NFC, one blank between words."""
    return compose(_BLANKS.sub(" ", words)).strip()


def render(blocks: Sequence[ActBlock]) -> Rendered:
    """The stored text of a provision: a line for each paragraph, item and row."""
    writer = _Writer()
    writer.write_provision(blocks)
    return Rendered("\n".join(writer.lines), writer.finish(), tuple(writer.tables))


@dataclass(slots=True)
class _Open:
    """A segment before its end is known."""

    level: Level
    value: str
    start: int
    body: int
    parent: int
    end: int = 0


class _Writer:
    """Writes lines and remembers where parts begin and end."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tables: list[Table] = []
        self._length = 0  # of all lines so far, line breaks included
        self._open: list[_Open] = []
        self._sentences: dict[int, int] = {}  # counted so far below a segment
        self._undivided = False  # the provision is one paragraph, with its list

    def write_provision(self, blocks: Sequence[ActBlock]) -> None:
        """Absätze, or the Unterabsätze of a provision without numbers."""
        numbered = [
            n
            for n, block in enumerate(blocks)
            if block.label and not block.is_item and not _is_quoted(block)
        ]
        if not numbered:
            self._undivided = len(_group(blocks)) == 1
            self._write_alineas(blocks, -1)
            return
        self._write_alineas(blocks[: numbered[0]], -1, alone=True)
        for first, following in zip(numbered, [*numbered[1:], len(blocks)], strict=True):
            block = blocks[first]
            number = NUMBER.match(block.label)
            place = self._begin(Level.ABSATZ, number[1] if number else block.label, -1)
            self._open[place].body += len(block.label) + 1
            inside = [*_unlabelled(block), *blocks[first + 1 : following]]
            self._write_alineas(inside, place, label=block.label)
            self._end(place)

    def finish(self) -> tuple[Segment, ...]:
        """All parts in the order of the text."""
        return tuple(
            Segment(o.level, o.value, o.start, o.end, min(o.body, o.end), o.parent)
            for o in self._open
        )

    def _write_alineas(
        self, blocks: Sequence[ActBlock], parent: int, *, label: str = "", alone: bool = False
    ) -> None:
        """Paragraphs below an Absatz or article: several are Unterabsätze."""
        groups = _group(blocks)
        several = len(groups) > 1 and not alone
        for number, group in enumerate(groups, start=1):
            node = self._begin(Level.UNTERABSATZ, str(number), parent) if several else parent
            if several and number == 1 and label:
                self._open[node].body += len(label) + 1
            self._write_group(group, node, label if number == 1 else "")
            if several:
                self._end(node)

    def _write_group(self, group: Sequence[ActBlock], parent: int, label: str) -> None:
        if label and (group[0].is_item or group[0].rows):
            self._add(label)  # of a paragraph that begins with a list
        items = [one for one in group if one.is_item and not one.rows and not _is_quoted(one)]
        ranks = iter(read_labels([item.label for item in items], self._level_of(parent)))
        for block in group:
            if block.rows:
                self._write_table(block)
            elif _is_quoted(block):
                self._write_quoted(block)
            elif block.is_item:
                self._write_item(block, parent, next(ranks))
            else:
                self._write_sentences(block.words, parent, label or block.label)
                label = ""
                self._write_group(block.below, parent, "")

    def _write_item(self, block: ActBlock, parent: int, rank: Rank) -> None:
        place = self._begin(*rank, parent)
        self._open[place].body += len(block.label) + 1 if block.label else 0
        if _has_subparagraphs(block):
            self._write_alineas(_unlabelled(block), place, label=block.label)
        else:
            self._write_sentences(block.words, place, block.label)
            self._write_group(block.below, place, "")
        self._end(place)

    def _write_quoted(self, block: ActBlock) -> None:
        """``„c) …“``: what the act puts into another one is no part of itself."""
        if block.rows:
            self._write_table(block)
        else:
            self._add(f"{block.label} {block.words}" if block.label else block.words)
        for inside in block.below:
            self._write_quoted(inside)

    def _level_of(self, place: int) -> Level | None:
        return self._open[place].level if place >= 0 else None

    def _write_table(self, block: ActBlock) -> None:
        start = self._length
        for row in block.rows:
            self._add(join_cells(row))
        rows = tuple(tuple(row) for row in block.rows)
        self.tables.append(Table(start, max(start, self._length - 1), rows))

    def _write_sentences(self, words: str, parent: int, label: str) -> None:
        line = f"{label} {words}" if label else words
        start = self._length + (len(label) + 1 if label else 0)
        base = self._length
        self._add(line)
        if not words or is_mark(words) or (parent < 0 and not self._undivided):
            return
        starts = [start, *(base + at for at in find_starts(line, start - base, len(line)))]
        for at, following in zip(starts, [*starts[1:], base + len(line)], strict=True):
            count = self._sentences[parent] = self._sentences.get(parent, 0) + 1
            end = following
            while end > at and line[end - base - 1] == " ":
                end -= 1
            self._open.append(_Open(Level.SATZ, str(count), at, at, parent, end))

    def _add(self, line: str) -> None:
        self.lines.append(line)
        self._length += len(line) + 1

    def _begin(self, level: Level, value: str, parent: int) -> int:
        self._open.append(_Open(level, value, self._length, self._length, parent))
        return len(self._open) - 1

    def _end(self, place: int) -> None:
        self._open[place].end = max(self._open[place].start, self._length - 1)


def _has_subparagraphs(item: ActBlock) -> bool:
    """Whether a list item has further paragraphs that are Unterabsätze of it.

    No headings, words of other acts, an ``and`` on a line of its own, or the end of a sentence
    behind a list.
    """
    first, *further = _group(_unlabelled(item))
    if not item.words or not further or (len(first) == 1 and item.words[-1] == ":"):
        return False
    if item.words[-1] not in _STOPS or any(map(_is_quoted, item.below)):
        return False
    return all(group[0].words[:1].isupper() and group[0].words[-1] in _STOPS for group in further)


def _is_quoted(block: ActBlock) -> bool:
    return block.label[:1] in _OPENING and len(block.label) > 1


def _unlabelled(block: ActBlock) -> list[ActBlock]:
    first = ActBlock(words=block.words)
    return [first, *block.below] if block.words else list(block.below)


def _group(blocks: Sequence[ActBlock]) -> list[list[ActBlock]]:
    """Each paragraph with the lists, tables, formulas and pictures behind it."""
    groups: list[list[ActBlock]] = []
    for block in blocks:
        is_inside = block.is_item or block.rows or is_mark(block.words)
        if not groups or not is_inside:
            groups.append([])
        groups[-1].append(block)
    return groups
