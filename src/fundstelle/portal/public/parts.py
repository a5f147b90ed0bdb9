"""Long texts in parts of a page each; the anchors of the others stand at the ways to them.

An address names its unit behind ``#``, which no server sees. So the first page, where every such
address leads, has all anchors: those of its own text in it, the others in the list of parts, at
the way to the part that they stand in, as many as a page can bear.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fundstelle.portal.frame.query import Unreadable, check_page
from fundstelle.portal.public.units import Unit
from fundstelle.portal.reading import Block, Run

ALL = "all"
_WEIGHT = 40_000  # of a part: its characters, and what lines and rows take of a page beside them
_LEAST = 4_000  # of what is no part of its own, as a title before a table
_OF_A_LINE = 60
_OF_A_ROW = 150
_OF_AN_ANCHOR = 40
_MOST_ELSEWHERE = 20_000  # names of units in other parts; the longest official text has 10,846
_WHOLE = 70_000  # a text up to here is one part
_LONGEST_OPENING = 70


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a long text: its blocks, and the anchors in them."""

    number: int
    blocks: Sequence[Block]
    anchors: Sequence[str]
    opening: str


def cut_parts(blocks: Sequence[Block]) -> list[Part]:
    """The parts of a text; one alone where it is no longer than a page can be."""
    if sum(map(_weigh, blocks)) <= _WHOLE:
        return [_make(1, blocks)]
    return [_make(number, held) for number, held in enumerate(_fill(blocks), 1)]


def read_part(asked: str, parts: Sequence[Part]) -> int:
    """Which part an address asks for: from 1 on, 0 = all of several.

    Raises:
        Unreadable: it is no number, or of none of the parts.
    """
    if asked in {ALL, ""}:
        return 0 if asked and len(parts) > 1 else 1
    if not (asked.isascii() and asked.isdigit() and len(asked) < 5 and int(asked)):
        raise Unreadable("part", "choice", choices=f"1–{len(parts)}, {ALL}")
    check_page(int(asked), len(parts), "part")
    return int(asked)


@dataclass(frozen=True, slots=True)
class ShownText:
    """The blocks of a page and how their units are cited; the parts, where there are several.

    ``part`` is the number of the one that is shown, 0 = all of them; on the first,
    ``elsewhere`` has the names of units in the others, by their numbers.
    """

    blocks: Sequence[Block]
    units: Mapping[str, Unit]
    language: str = "de"
    parts: Sequence[tuple[Part, str]] = ()
    part: int = 1
    elsewhere: Mapping[int, Sequence[str]] = field(default_factory=dict)


def show_part(
    asked: str,
    blocks: Sequence[Block],
    name: Callable[[Sequence[Block]], Mapping[str, Unit]],
    language: str,
    own: str = "",
) -> ShownText:
    """The part of a text that an address asks for.

    Args:
        asked: the number as the address has it.
        blocks: of the whole text.
        name: how the units in some blocks are cited.
        language: of the text.
        own: how the text itself is cited, which the names of its parts leave out.

    Raises:
        Unreadable: there is no such part.
    """
    parts = cut_parts(blocks)
    number = read_part(asked, parts)
    if len(parts) == 1:
        return ShownText(blocks, name(blocks), language)
    units = name(blocks)
    named = [(part, name_part(part, units, own)) for part in parts]
    shown = parts[number - 1].blocks if number else blocks
    elsewhere = _name_elsewhere(parts[1:], units) if number == 1 else {}
    return ShownText(shown, units, language, named, number, elsewhere)


def _name_elsewhere(
    parts: Sequence[Part], units: Mapping[str, Unit]
) -> Mapping[int, Sequence[str]]:
    found: dict[int, Sequence[str]] = {}
    left = _MOST_ELSEWHERE
    for part in parts:
        names = [
            name
            for anchor in part.anchors[:left]
            for name in (anchor, *(units[anchor].aliases if anchor in units else ()))
        ]
        found[part.number] = names[:left]
        left -= len(found[part.number])
    return found


def name_part(part: Part, units: Mapping[str, Unit], own: str = "") -> str:
    """What a part begins with: the citation of its first unit, else its first words."""
    first = next((units[one].citation for one in part.anchors if one in units), "")
    first = first.removeprefix(own).strip()
    return f"{first}: {part.opening}" if first else part.opening


def _make(number: int, blocks: Sequence[Block]) -> Part:
    anchors = [anchor for block in blocks for anchor in block.list_anchors()]
    return Part(number, blocks, anchors, _find_opening(blocks))


def _find_opening(blocks: Sequence[Block]) -> str:
    for block in blocks:
        cells = next((row for row in block.rows if any(row)), ())
        words = "".join(run.text for run in block.runs) or " · ".join(filter(None, cells))
        words = " ".join(words.split())
        if words:
            return words if len(words) <= _LONGEST_OPENING else words[:_LONGEST_OPENING] + " …"
    return "…"


def _weigh(block: Block) -> int:
    cells = sum(len(cell) for row in block.rows for cell in row)
    words = sum(len(run.text) for run in block.runs)
    rows = cells + _OF_A_ROW * len(block.rows)
    return _OF_A_LINE + words + rows + _OF_AN_ANCHOR * len(block.list_anchors())


def _fill(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    held: list[Block] = []
    weight = 0
    for block in _cut_lines(_cut_tables(blocks)):
        cost = _weigh(block)
        if weight > _LEAST and weight + cost > _WEIGHT:
            yield held
            held, weight = [], 0
        held.append(block)
        weight += cost
    if held:
        yield held


def _cut_lines(blocks: Iterable[Block]) -> Iterator[Block]:
    """Long lines in several, of which the first has what names the line."""
    for block in blocks:
        if block.rows or _weigh(block) <= _WEIGHT:
            yield block
            continue
        rest = block
        held: list[Run] = []
        weight = 0
        for run in _cut_runs(block.runs):
            cost = len(run.text) + _OF_AN_ANCHOR * len(run.anchors)
            if held and weight + cost > _WEIGHT:
                yield replace(rest, runs=tuple(held))
                rest, held, weight = replace(block, anchor="", number=""), [], 0
            held.append(run)
            weight += cost
        yield replace(rest, runs=tuple(held))


def _cut_runs(runs: Iterable[Run]) -> Iterator[Run]:
    """Runs no longer than a part; a link that is cut leads on from its beginning alone."""
    for run in runs:
        yield replace(run, text=run.text[:_WEIGHT])
        for start in range(_WEIGHT, len(run.text), _WEIGHT):
            yield Run(run.text[start : start + _WEIGHT])


def _cut_tables(blocks: Sequence[Block]) -> Iterator[Block]:
    """Long tables in several, each under the head that the first has."""
    for block in blocks:
        if _weigh(block) <= _WEIGHT or not block.rows:
            yield block
            continue
        rows = block.rows
        first = 1 if block.head else 0
        start, weight = first, 0
        for place in range(first, len(rows)):
            named = _OF_AN_ANCHOR * len(block.row_anchors[place]) if block.row_anchors else 0
            cost = _OF_A_ROW + sum(map(len, rows[place])) + named
            if place > start and weight + cost > _WEIGHT:
                yield _take(block, start, place)
                start, weight = place, 0
            weight += cost
        yield _take(block, start, len(rows))


def _take(block: Block, start: int, end: int) -> Block:
    first = 1 if block.head else 0
    rows, anchors = block.rows[start:end], block.row_anchors[start:end]
    if first:
        kept = block.row_anchors[0] if start == 1 else ()
        rows, anchors = (block.rows[0], *rows), (kept, *anchors)
    return replace(block, rows=rows, row_anchors=anchors)
