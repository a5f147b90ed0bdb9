"""Text of LegalDocML.de: elements of a provision to lines of stored text.

Source: LegalDocML.de 1.8.2, the German profile of Akoma Ntoso 3.0. What has no place here is read
through, so that an element that is not known loses its form and never its words.
"""

from collections.abc import Callable
from typing import ClassVar

from lxml.etree import _Element

from fundstelle.ingest.sources.files.nesting import iter_outermost
from fundstelle.ingest.text.lines import Draft, LineKind, TextBuilder, collapse
from fundstelle.ingest.text.signs import mark_picture, raise_characters
from fundstelle.ingest.text.tables import Cell, build_cell, join_cells, lay_out, read_row_number
from fundstelle.law.norms import Table

_COMMENT = "comment"  # what an inline of the publisher's own is called


class LegalDocText:
    """What one provision holds: text, official footnotes, the publisher's comments."""

    def __init__(self) -> None:
        self.footnotes: list[str] = []
        self.notes: list[str] = []
        self._builder = TextBuilder()
        self._in_cell = False
        self._joins = False  # what comes next stands behind a number on its line

    def read(self, element: _Element, *, without: frozenset[str] = frozenset()) -> Draft:
        """The stored text of an element; ``without`` are children that are read elsewhere."""
        self._add(element.text)
        for child in element:
            if child.tag not in without:
                self._visit(child)
            self._add(child.tail)
        return self._builder.finish()

    def read_line(self, element: _Element) -> str:
        """The text of an element on one line."""
        outer, self._builder.raw = self._builder.raw, []
        was, self._in_cell = (self._in_cell, self._joins), True
        self._walk(element)
        text = collapse("".join(self._builder.raw))
        self._builder.raw, (self._in_cell, self._joins) = outer, was
        return text

    def _walk(self, element: _Element) -> None:
        self._add(element.text)
        for child in element:
            self._visit(child)
            self._add(child.tail)

    def _visit(self, element: _Element) -> None:
        handler = self._HANDLERS.get(element.tag)
        if handler is None:
            self._walk(element)
        else:
            handler(self, element)

    def _add(self, text: str | None) -> None:
        if text:
            self._builder.raw.append(text)
            self._joins = self._joins and not text.strip()

    def _break(self, kind: LineKind = LineKind.FLOW) -> None:
        if self._in_cell:
            self._builder.raw.append(" ")
        elif not self._joins:
            self._builder.begin(kind)

    def _paragraph(self, element: _Element) -> None:
        """An Absatz; inside another one it is quoted, and a line like any other."""
        self._joins = False
        self._break(LineKind.FLOW if self._builder.depth else LineKind.PARAGRAPH)
        self._walk(element)
        self._joins = False
        self._break()

    def _block(self, element: _Element) -> None:
        self._break(LineKind.FLOW if self._builder.depth else LineKind.PARAGRAPH)
        self._walk(element)
        self._joins = False
        self._break()

    def _number(self, element: _Element) -> None:
        label = self.read_line(element)
        above = element.getparent()
        if above is None or above.tag != "paragraph":
            self._joins = False
            self._break()
        if label:
            self._builder.raw.extend((label, " "))
            self._joins = True

    def _title(self, element: _Element) -> None:
        before = element.getprevious()
        if before is None or before.tag != "num":
            self._joins = False
            self._break(LineKind.TITLE)
        elif not self._in_cell:
            self._builder.kind = LineKind.TITLE
        self._walk(element)
        self._joins = False
        self._break()

    def _list(self, element: _Element) -> None:
        self._joins = False
        self._break()
        self._builder.depth += 1
        self._walk(element)
        self._break()
        self._builder.depth -= 1

    def _introduction(self, element: _Element) -> None:
        """Words before or behind the items of a list belong to what stands around it."""
        depth, self._builder.depth = self._builder.depth, max(0, self._builder.depth - 1)
        self._joins = False
        self._break()
        self._walk(element)
        self._joins = False
        self._break()
        self._builder.depth = depth

    def _item(self, element: _Element) -> None:
        number = element.find("num")
        label = "" if number is None else self.read_line(number)
        if self._in_cell:
            self._builder.raw.extend((" ", label, " "))
        elif label:
            self._builder.begin_item(label)
            self._joins = True
        else:
            self._break()
        self._add(element.text)
        for child in element:
            if child is not number:
                self._visit(child)
            self._add(child.tail)
        self._joins = False
        self._break()

    def _line_break(self, _element: _Element) -> None:
        self._builder.raw.append(" ")

    def _raised(self, element: _Element) -> None:
        self._add(raise_characters(self.read_line(element)))

    def _image(self, element: _Element) -> None:
        self._add(mark_picture(collapse(element.get("alt") or "")))

    def _inline(self, element: _Element) -> None:
        if element.get("name") == _COMMENT:
            if text := self.read_line(element):
                self.notes.append(text)
        else:
            self._walk(element)

    def _footnote(self, element: _Element) -> None:
        text = self.read_line(element)
        mark = collapse(element.get("marker") or "")
        if text:
            self.footnotes.append(f"{mark} {text}".strip())

    def _table(self, element: _Element) -> None:
        if self._in_cell:
            self._builder.raw.append(" ")
            for cell in iter_outermost(element, "caption", "th", "td"):
                self._walk(cell)
                self._builder.raw.append(" ")
            return
        self._joins = False
        self._builder.flush()
        for caption in element.iterchildren("caption"):
            if words := self.read_line(caption):
                self._builder.add_row(words)
        rows = [
            list(map(self._cell, row.iterchildren("th", "td")))
            for part in (element, *element.iterchildren("thead", "tbody", "tfoot"))
            for row in part.iterchildren("tr")
        ]
        grid = lay_out(rows)
        if grid:
            spans = [self._builder.add_row(join_cells(row), read_row_number(row)) for row in grid]
            self._builder.tables.append(Table(spans[0][0], spans[-1][1], grid))
        self._builder.begin(LineKind.FLOW)

    def _cell(self, element: _Element) -> Cell:
        return build_cell(self.read_line(element), element.get("colspan"), element.get("rowspan"))

    _HANDLERS: ClassVar[dict[object, Callable[["LegalDocText", _Element], None]]] = {
        "paragraph": _paragraph,
        "p": _block,
        "block": _block,
        "formula": _block,
        "tocItem": _block,
        "longTitle": _block,
        "num": _number,
        "heading": _title,
        "subheading": _title,
        "crossHeading": _title,
        "list": _list,
        "blockList": _list,
        "ul": _list,
        "ol": _list,
        "intro": _introduction,
        "wrapUp": _introduction,
        "listIntroduction": _introduction,
        "listWrapUp": _introduction,
        "point": _item,
        "item": _item,
        "indent": _item,
        "li": _item,
        "br": _line_break,
        "eol": _line_break,
        "sup": _raised,
        "img": _image,
        "inline": _inline,
        "authorialNote": _footnote,
        "table": _table,
    }


def read_inline(element: _Element | None) -> str:
    """The text of a title or number on one line; empty if there is none."""
    return "" if element is None else LegalDocText().read_line(element)
