"""HTML of decisions as paragraphs: each with its Randnummer and whether it is a heading.

Knows the ways in which publishers mark a Randnummer: ``dt/a[@name=rd_N]`` (federal portal and the
juris portals of the Länder), ``dt/a[@href=#rd-N]`` (BAG), ``span.rdn`` (BVerwG), ``li[@data-rd]``
(BFH), ``div.rd`` (Bavaria), ``span.absatzRechts`` (Nordrhein-Westfalen), ``rd[@nr]`` (BGH),
``num`` (LegalDocML).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from lxml.etree import _Element

from fundstelle.ingest.sources.decision_text.headings import is_enumerator
from fundstelle.ingest.sources.decision_text.text import read_number, tidy
from fundstelle.ingest.text.signs import mark_picture, raise_characters
from fundstelle.ingest.text.tables import NO_COLUMNS, Cell, build_cell, join_cells, lay_out

_UNSEEN = frozenset(
    {"script", "style", "noscript", "template", "head", "button", "nav", "form", "input"}
    | {"select", "option", "svg", "object"}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "aside", "ul", "ol", "li"}
    | {"dl", "dt", "dd", "blockquote", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "pre"}
    | {"hr", "center", "address", "figure", "caption", "fieldset", "hcontainer", "content"}
    | {"block", "opinion", "embeddedStructure"}
)
_SIMPLE = frozenset({"br", "img"})
_NUMBER_CLASSES = frozenset({"rd", "rdn", "absatzRechts", "randnummer", "margin-number"})
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv")
_DEEPEST_TABLE = 8  # a table in as many others is read as text: each level reads what is below it
_START = re.compile(r"[0-9]{1,9}")
_MARKER = re.compile(r"\(?(?:\w{1,4})[.)]+|[-–•*]")

Predicate = Callable[[_Element], bool]


class HtmlBlock(NamedTuple):
    """One paragraph; ``added`` counts characters that the source does not have."""

    text: str
    number: str | None = None
    heading: bool = False
    added: int = 0


def has_class(element: _Element, name: str) -> bool:
    """Whether ``name`` is one of the element's classes."""
    return name in (element.get("class") or "").split()


def find_class(root: _Element, tag: str, name: str) -> _Element | None:
    """The first element with that tag and class."""
    return next((each for each in root.iter(tag) if has_class(each, name)), None)


def read_text(element: _Element | None) -> str:
    """All text of an element in one line; "" without one."""
    if element is None:
        return ""
    pieces: list[str] = []
    _collect(element, pieces)
    return tidy(" ".join(pieces))


def _collect(element: _Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if child.tag == "sup":
            pieces[-1] += _read_raised(child) + (child.tail or "")  # "m²," is one word
            continue
        if isinstance(child.tag, str):
            _collect(child, pieces)
        pieces.append(child.tail or "")


def _read_raised(element: _Element) -> str:
    return raise_characters("".join(map(str, element.itertext())))


def read_blocks(
    root: _Element, *, is_furniture: Predicate | None = None, is_heading: Predicate | None = None
) -> list[HtmlBlock]:
    """The paragraphs below ``root`` in their order.

    ``is_furniture`` names elements to leave out, ``is_heading`` what is a heading beside h1 to h6.
    """
    reader = _Reader(is_furniture or _never, is_heading or _never)
    reader.walk(root)
    reader.flush()
    return reader.blocks


def _never(_: _Element) -> bool:
    return False


@dataclass(slots=True)
class _Reader:
    is_furniture: Predicate
    is_heading: Predicate
    blocks: list[HtmlBlock] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    number: str | None = None  # of the paragraph that comes next
    marker: str = ""  # of the list item that comes next
    headings: int = 0  # how many heading elements are open
    drawn: int = 0  # characters that stand for images in this line
    in_cell: bool = False  # what is read is one cell of a table
    places: dict[_Element, dict[_Element, int]] = field(default_factory=dict)  # items of each list

    def flush(self) -> None:
        """End the line."""
        text = tidy("".join(self.line))
        self.line.clear()
        if not text:
            return
        heading = self.headings > 0 or (self.number is None and is_enumerator(text))
        added = len(self.marker) + self.drawn
        self.drawn = 0
        if self.marker:
            text = f"{self.marker} {text}"
        self.blocks.append(HtmlBlock(text, self.number, heading, added))
        self.number, self.marker = None, ""

    def walk(self, element: _Element) -> None:
        """Everything in one element, its tail left out."""
        tag = element.tag
        if not isinstance(tag, str) or tag in _UNSEEN or self.is_furniture(element):
            return
        if self._take_number(element):
            return
        if tag == "sup" and element.find(".//img") is None:
            self.line.append(_read_raised(element))
            return
        if tag in _SIMPLE:
            self._write_simple(element)
            return
        if tag == "table" and not self.in_cell and self._write_table(element):
            return
        heading = tag in _HEADINGS or self.is_heading(element)
        block = tag in _BLOCKS or heading
        if block:
            self.flush()
            self.headings += heading
            self._take_marker(element)
        self._walk_content(element)
        if block:
            self.flush()
            self.headings -= heading

    def _write_simple(self, element: _Element) -> None:
        """A break, or the place of an image: what it shows is not in the text."""
        if element.tag == "br":
            self.flush()
            return
        shown = mark_picture(tidy(element.get("alt") or ""))
        self.line.append(shown)
        self.drawn += len(shown.replace(" ", ""))

    def _walk_content(self, element: _Element) -> None:
        self.line.append(element.text or "")
        for child in element:
            self.walk(child)
            self.line.append(child.tail or "")

    def _take_number(self, element: _Element) -> bool:
        """A Randnummer that stands in an element of its own."""
        tag = element.tag
        if self.in_cell:
            return False
        if tag == "rd" and element.get("nr"):
            self.flush()
            self.number = read_number(element.get("nr"))
            return False
        classes = _NUMBER_CLASSES.intersection((element.get("class") or "").split())
        if classes or tag == "num" or (tag == "dt" and _holds_link(element)):
            number = read_number(_read_anchor(element)) or read_number(read_text(element))
            if number is not None:
                self.flush()
                self.number = number
                return True
            return bool(classes) and not read_text(element)
        return False

    def _take_marker(self, element: _Element) -> None:
        if element.get("data-rd"):
            self.number = read_number(element.get("data-rd"))
        elif element.tag == "li":
            parent = element.getparent()
            if parent is not None and parent.tag == "ol" and not parent.get("class", "").count("_"):
                self.marker = _mark(parent, self._find_place(parent, element))
        elif element.tag == "dt":
            text = read_text(element)
            if _MARKER.fullmatch(text):
                return

    def _find_place(self, parent: _Element, item: _Element) -> int:
        """Which item of its list it is, from 0; each list is counted once, however long it is."""
        if parent not in self.places:
            items = (each for each in parent if each.tag == "li")
            self.places[parent] = {each: place for place, each in enumerate(items)}
        return self.places[parent][item]

    def _write_table(self, table: _Element) -> bool:
        """A table of data as one line a row; one that only makes a margin is walked as text."""
        if next(islice(table.iterancestors("table"), _DEEPEST_TABLE - 1, None), None) is not None:
            return False
        if any(_holds_number(table)):
            return False
        drawn = 0
        rows: list[list[Cell]] = []
        for row in _iter_rows(table):
            rows.append([])
            for entry in row.iterchildren("td", "th"):
                words, added = self._read_cell(entry)
                rows[-1].append(build_cell(words, entry.get("colspan"), entry.get("rowspan")))
                drawn += added
        grid = lay_out(rows)
        if all(sum(map(bool, row)) < 2 for row in grid):
            return False
        for caption in table.iterchildren("caption"):
            self.walk(caption)
        self.flush()
        if grid[0] is NO_COLUMNS:
            drawn += _count_signs(grid[0][0])
        is_list = all(map(_is_item, grid))
        for row in grid:
            self._write_row(row, drawn, is_list=is_list)
            drawn = 0
        return True

    def _read_cell(self, cell: _Element) -> tuple[str, int]:
        """The words of a cell on one line, and how many characters of them the source has not."""
        inside = _Reader(self.is_furniture, self.is_heading, in_cell=True)
        inside._walk_content(cell)
        inside.flush()
        added = sum(block.added for block in inside.blocks)
        return " ".join(block.text for block in inside.blocks), added

    def _write_row(self, row: tuple[str, ...], drawn: int, *, is_list: bool) -> None:
        line = " ".join(filter(None, row)) if is_list else join_cells(row)
        signs = _count_signs(line) - _count_signs("".join(row))
        self.blocks.append(HtmlBlock(line, self.number, added=signs + drawn))
        self.number, self.marker = None, ""


def _count_signs(words: str) -> int:
    return len(words.replace(" ", ""))


def _is_item(row: tuple[str, ...]) -> bool:
    """Words alone or behind a label, as in a list that is set as a table."""
    label, *words = filter(None, row)
    return not words or (len(words) == 1 and _MARKER.fullmatch(label) is not None)


def _iter_rows(table: _Element) -> Iterator[_Element]:
    """The rows of a table, and of none that stands in it."""
    for part in (table, *table.iterchildren("thead", "tbody", "tfoot")):
        yield from part.iterchildren("tr")


def _holds_link(element: _Element) -> bool:
    parent = element.getparent()
    return element.find(".//a") is not None or (
        parent is not None and has_class(parent, "content__dl")
    )


def _read_anchor(element: _Element) -> str | None:
    """``1`` of ``<dt><span>Randnummer</span><a name="rd_1">1</a></dt>``."""
    anchors = (each for each in element.iter("a") if (each.get("name") or "").startswith("rd_"))
    anchor = next(anchors, None)
    return None if anchor is None else read_text(anchor)


def _holds_number(table: _Element) -> Iterator[bool]:
    for element in table.iter("a", "rd", "span", "div", "dt"):
        name = element.get("name") or element.get("id") or ""
        yield element.tag == "rd" or name.startswith("rd") or element.get("class") == "rd"


def _mark(parent: _Element, place: int) -> str:
    """The number a browser puts before an item of an ordered list; ``place`` counts from 0."""
    start = parent.get("start") or ""
    place += int(start) if _START.fullmatch(start) else 1
    kind = parent.get("type") or "1"
    if kind in {"a", "A"} and place <= len("abcdefghijklmnopqrstuvwxyz"):
        return f"{chr(ord(kind) + place - 1)})"
    if kind in {"i", "I"} and place <= len(_ROMANS):
        roman = _ROMANS[place - 1]
        return f"{roman if kind == 'i' else roman.upper()}."
    return f"{place}."
