"""Tables of EUR-Lex' pages: those that are tables, and those that lists are set as."""

import re
from collections.abc import Iterator

from lxml import etree

from fundstelle.ingest.sources.eu.blocks import ActBlock, tidy
from fundstelle.ingest.text.signs import mark_picture, raise_characters
from fundstelle.ingest.text.tables import build_cell, lay_out

_LABEL = re.compile(r"\(?(?:\d{1,3}[a-z]{0,2}|[a-z]{1,2}|[ivxl]{1,7}|[A-Z])(?:\.\)|[.)])|[—–•-]")

_RAISED = frozenset({"super", "superscript"})  # classes
_RUNNING = re.compile(r"[^\W\d_]+\s\d{1,4}|image", re.IGNORECASE)  # of pictures, in any language
_NOTE = re.compile(r"#(?:ntr|E\d)")  # where a reference to a footnote leads


def _list_cells(row: etree._Element) -> list[etree._Element]:
    return [cell for cell in row if isinstance(cell.tag, str) and cell.tag.lower() in {"td", "th"}]


def _iter_rows(table: etree._Element) -> Iterator[etree._Element]:
    for child in table:
        tag = child.tag.lower() if isinstance(child.tag, str) else ""
        if tag == "tr":
            yield child
        elif tag in {"tbody", "thead", "tfoot"}:
            yield from _iter_rows(child)


def read_items(table: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Label and cell of each row, if the table is a list; nothing if it is a real table."""
    found = []
    for row in _iter_rows(table):
        cells = [cell for cell in _list_cells(row) if read_words(cell)]
        if len(cells) != 2 or not _LABEL.fullmatch(read_words(cells[0])):
            return
        found.append((read_words(cells[0]), cells[1]))
    yield from found


def list_rows(table: etree._Element) -> list[list[str]]:
    """The words of each cell below its heading; rows and columns without any are left out."""
    rows = [
        [
            build_cell(read_words(entry), entry.get("colspan"), entry.get("rowspan"))
            for entry in _list_cells(row)
        ]
        for row in _iter_rows(table)
    ]
    return [list(row) for row in lay_out(rows)]


def read_cell(cell: etree._Element) -> list[ActBlock]:
    """Paragraphs and lists inside a cell."""
    blocks: list[ActBlock] = []
    children = [child for child in cell if isinstance(child.tag, str)]
    if not any(child.tag.lower() in {"p", "table", "div"} for child in children):
        words = read_words(cell)
        return [ActBlock(words)] if words else []
    for child in children:
        tag = child.tag.lower()
        if tag == "table":
            blocks += _read_list(child)
        elif tag == "div":
            blocks += read_cell(child)
        elif words := read_words(child):
            blocks.append(ActBlock(words))
        if (tail := tidy(child.tail or "")) and blocks:
            _add_tail(blocks[-1], tail)
    return blocks


def _add_tail(block: ActBlock, tail: str) -> None:
    """A stop or bracket that stands behind a paragraph ends its last words."""
    while block.below:
        block = block.below[-1]
    if block.rows:
        last = max(place for place, words in enumerate(block.rows[-1]) if words)
        block.rows[-1][last] += tail
    else:
        block.words += tail if tail[0] in ".,;:)’”" else f" {tail}"


def _read_list(table: etree._Element) -> list[ActBlock]:
    items = list(read_items(table))
    if not items:
        rows = list_rows(table)
        return [ActBlock(rows=rows)] if rows else []
    blocks = []
    for label, cell in items:
        inside = read_cell(cell)
        first = inside[0] if inside and not inside[0].rows else ActBlock()
        below = [*first.below, *(inside[1:] if first.words else inside)]
        blocks.append(ActBlock(first.words, label, is_item=True, below=below))
    return blocks


def read_words(element: etree._Element) -> str:
    """All words of an element on one line, references to its footnotes left out."""
    pieces: list[str] = []
    _collect(element, pieces)
    return tidy("".join(pieces))


def read_picture(element: etree._Element) -> str:
    """The mark of a picture, with what the page says that it shows.

    ``Image 3`` is its number on the page, which changes with the pictures before it.
    """
    said = tidy(element.get("alt") or "")
    return mark_picture("" if _RUNNING.fullmatch(said) else said)


def _collect(element: etree._Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if not isinstance(child.tag, str):
            pass
        elif _is_raised(child):
            pieces.append(raise_characters("".join(child.itertext())))
        elif _is_reference(child):
            while pieces and not pieces[-1].strip():
                pieces.pop()
            if pieces:
                pieces[-1] = pieces[-1].rstrip()  # "Directive 96/9/EC (1)." ends in "EC."
        elif child.tag == "img":
            pieces.append(read_picture(child))
        else:
            _collect(child, pieces)
        pieces.append(child.tail or "")


def _is_raised(element: etree._Element) -> bool:
    classes = (name.removeprefix("oj-") for name in (element.get("class") or "").split())
    return element.tag == "sup" or not _RAISED.isdisjoint(classes)


def _is_reference(element: etree._Element) -> bool:
    """``(4)`` with a raised number, which leads to its footnote."""
    leads = element.tag == "a" and _NOTE.match(element.get("href") or "") is not None
    return leads and any(map(_is_raised, element.iter()))
