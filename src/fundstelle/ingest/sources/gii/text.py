"""Text of the federal XML: elements of ``gii-norm.dtd`` to lines of stored text.

What becomes of each element is told in ``docs/normalisation.md``.
"""

from collections.abc import Callable
from typing import ClassVar

from lxml.etree import _Element

from fundstelle.ingest.sources.files.nesting import iter_outermost
from fundstelle.ingest.text.lines import (
    MARK_CLOSE,
    MARK_OPEN,
    Draft,
    LineKind,
    TextBuilder,
    collapse,
    drop_marks,
)
from fundstelle.ingest.text.signs import mark_picture, raise_characters
from fundstelle.ingest.text.tables import Cell, join_cells, lay_out, read_row_number
from fundstelle.law.norms import Table

_MOST_COLUMNS = 1_000  # a name beyond that is no column


class GiiText:
    """What one ``textdaten`` holds: text, official footnotes, the publisher's notes.

    With *keep_comments* the publisher's ``kommentar`` stays in the text (of a note) instead of
    becoming a note.
    """

    def __init__(self, *, keep_comments: bool = False) -> None:
        self.footnotes: list[str] = []
        self.notes: list[str] = []
        self._builder = TextBuilder()
        self._in_cell = False
        self._in_pre = False
        self._keep_comments = keep_comments

    def read(self, element: _Element) -> Draft:
        """The stored text of an element; footnotes and notes found on the way are collected."""
        self._walk(element)
        return self._builder.finish()

    def _walk(self, element: _Element) -> None:
        raw = self._builder.raw
        handlers = self._HANDLERS
        if element.text:
            raw.append(element.text)
        for child in element:
            handler = handlers.get(child.tag)
            if handler is None:
                self._walk(child)
            else:
                handler(self, child)
            if child.tail:
                raw.append(child.tail)

    def _break(self, kind: LineKind = LineKind.FLOW) -> None:
        if self._in_cell:
            self._builder.raw.append(" ")
        else:
            self._builder.begin(kind)

    def _block(self, element: _Element) -> None:
        self._break(LineKind.FLOW if self._builder.depth else LineKind.PARAGRAPH)
        self._walk(element)
        self._break()

    def _title(self, element: _Element) -> None:
        before = element.getprevious()
        if before is not None and before.tag == "Ident":
            self._builder.raw.append(" ")  # "Abschnitt 1" and its words share a line
        else:
            self._break(LineKind.TITLE)
        self._walk(element)
        self._break()

    def _ident(self, element: _Element) -> None:
        self._break(LineKind.TITLE)
        self._walk(element)
        after = element.getnext()
        if after is None or after.tag != "Title":
            self._break()

    def _line_break(self, _element: _Element) -> None:
        if self._in_pre:
            self._break()
        else:
            self._builder.raw.append(" ")

    def _pre(self, element: _Element) -> None:
        if self._in_cell:
            self._builder.raw.append(" ")
        else:
            self._builder.flush()
        outer, self._in_pre = self._in_pre, True
        self._walk(element)
        self._in_pre = outer
        self._break()

    def _list(self, element: _Element) -> None:
        self._break()
        self._builder.depth += 1
        for child in element:
            if child.tag == "DT":
                label = self.read_line(child)
                if self._in_cell:
                    self._builder.raw.extend((" ", label, " "))
                elif label:
                    self._builder.begin_item(label)
                else:
                    self._break()
            else:
                self._walk(child)
        self._break()
        self._builder.depth -= 1

    def _list_text(self, element: _Element) -> None:
        if element.getprevious() is not None:
            self._break()
        self._walk(element)
        if element.getnext() is not None:
            self._break()

    def _sup(self, element: _Element) -> None:
        text = "".join(element.itertext())
        if element.get("class") == "Rec":
            self._builder.raw.extend((MARK_OPEN, text, MARK_CLOSE))
        else:
            self._builder.raw.append(raise_characters(text))

    def _symbol(self, element: _Element) -> None:
        text = "".join(element.itertext())
        value = (element.get("Value") or "").strip()
        self._builder.raw.append(text if text.strip() or not value else f"[{value}]")

    def _image(self, element: _Element) -> None:
        self._builder.raw.append(mark_picture(collapse(element.get("alt") or "")))

    def _file(self, _element: _Element) -> None:
        self._builder.raw.append("[PDF-Dokument]")

    def _comment(self, element: _Element) -> None:
        if self._keep_comments:
            self._walk(element)
        elif text := self.read_line(element):
            self.notes.append(text)

    def _footnotes(self, element: _Element) -> None:
        self.footnotes.extend(read_footnotes(element))

    def _skip(self, _element: _Element) -> None:
        """References to footnotes, leaders and marks of layout carry no text."""

    def _blank(self, _element: _Element) -> None:
        self._builder.raw.append(" ")

    def _quote_left(self, _element: _Element) -> None:
        self._builder.raw.append("„")

    def _quote_right(self, _element: _Element) -> None:
        self._builder.raw.append("“")

    def read_line(self, element: _Element) -> str:
        """The text of an element on one line."""
        outer, self._builder.raw = self._builder.raw, []
        was_cell, self._in_cell = self._in_cell, True
        self._walk(element)
        text = collapse(drop_marks("".join(self._builder.raw)))
        self._builder.raw, self._in_cell = outer, was_cell
        return text

    def _table(self, element: _Element) -> None:
        if self._in_cell:
            for part in iter_outermost(element, "Title", "entry"):
                self._builder.raw.append(" ")
                self._walk(part)
            self._builder.raw.append(" ")
            return
        self._builder.flush()
        for part in element:
            if part.tag == "tgroup":
                self._group(part)
            elif caption := self.read_line(part):
                self._builder.add_row(caption)
        self._builder.begin(LineKind.FLOW)

    def _group(self, group: _Element) -> None:
        columns = _read_columns(group)
        rows = [
            [self._cell(entry, columns) for entry in row if entry.tag == "entry"]
            for part in group
            if part.tag in {"thead", "tbody", "tfoot"}
            for row in part
            if row.tag == "row"
        ]
        grid = lay_out(rows)
        if not grid:
            return
        spans = [self._builder.add_row(join_cells(row), read_row_number(row)) for row in grid]
        self._builder.tables.append(Table(spans[0][0], spans[-1][1], grid))

    def _cell(self, entry: _Element, columns: dict[str, int]) -> Cell:
        first = columns.get(entry.get("namest") or entry.get("colname") or "")
        last = columns.get(entry.get("nameend") or "")
        more = entry.get("morerows") or ""
        return Cell(self.read_line(entry), first, last, int(more) if more.isdecimal() else 0)

    _HANDLERS: ClassVar[dict[object, Callable[["GiiText", _Element], None]]] = {
        "P": _block,
        "Title": _title,
        "Subtitle": _title,
        "Ident": _ident,
        "BR": _line_break,
        "pre": _pre,
        "DL": _list,
        "LA": _list_text,
        "SUP": _sup,
        "F": _symbol,
        "IMG": _image,
        "FILE": _file,
        "kommentar": _comment,
        "Footnotes": _footnotes,
        "table": _table,
        "FnR": _skip,
        "FnArea": _skip,
        "ABWFORMAT": _skip,
        "Accolade": _skip,
        "Split": _blank,
        "QuoteL": _quote_left,
        "QuoteR": _quote_right,
    }


def _read_columns(group: _Element) -> dict[str, int]:
    columns: dict[str, int] = {}
    for at, spec in enumerate(group.findall("colspec")):
        number = spec.get("colnum") or ""
        column = int(number) - 1 if number.isdecimal() else at
        name = spec.get("colname")
        if name and 0 <= column < _MOST_COLUMNS:
            columns.setdefault(name, column)
    return columns


def read_footnotes(element: _Element) -> list[str]:
    """The footnotes below an element, each with its printed mark: ``*) Hinweis …``."""
    found = []
    for note in iter_outermost(element, "Footnote"):
        mark = "".join(note.get(part) or "" for part in ("Prefix", "FnZ", "Postfix"))
        reader = GiiText(keep_comments=True)
        text = reader.read(note).text
        if text:
            found.append(collapse(mark) + " " + text if mark.strip() else text)
        found += reader.footnotes
    return found


def read_notes(element: _Element) -> list[str]:
    """The publisher's notes in ``fussnoten``, one for each paragraph."""
    reader = GiiText(keep_comments=True)
    draft = reader.read(element)
    starts = [line.start for line in draft.lines if line.kind is LineKind.PARAGRAPH]
    if not starts or starts[0]:
        starts.insert(0, 0)
    bounds = zip(starts, [*starts[1:], len(draft.text) + 1], strict=True)
    notes = [draft.text[start : end - 1] for start, end in bounds]
    return [note for note in (*notes, *reader.footnotes) if note.strip()]


def read_inline(element: _Element | None) -> str:
    """The text of a title or name on one line; empty if there is none."""
    return "" if element is None else GiiText().read_line(element)
