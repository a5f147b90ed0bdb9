"""The lines of a norm's stored text while it is being read, and how white space is treated."""

import re
from dataclasses import dataclass
from enum import IntEnum

from fundstelle.ingest.text.composing import compose
from fundstelle.law.norms import Table

# A sentence number travels through a line's raw text between two characters XML cannot contain.
MARK_OPEN = "\x01"
MARK_CLOSE = "\x02"
_MARK = re.compile(f"{MARK_OPEN}([^{MARK_CLOSE}]*){MARK_CLOSE}")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphen, zero-width blanks and joiners


class LineKind(IntEnum):
    """What a line of stored text is."""

    PARAGRAPH = 0  # the first line of a block: mostly an Absatz
    FLOW = 1  # text going on after a list, a table or a line break
    ITEM = 2  # a list item, beginning with its label
    ROW = 3  # a row or the caption of a table
    TITLE = 4  # a heading inside the text


@dataclass(frozen=True, slots=True)
class Line:
    """One line of stored text; offsets are code points in the whole text, half-open.

    ``depth`` counts the lists around it. ``label`` is a list item's label, or the number in the
    first cell of a table row. ``marks`` are printed sentence numbers with the offset at which
    their sentence begins.
    """

    kind: LineKind
    depth: int
    start: int
    end: int
    body: int
    label: str
    marks: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A norm's text with what was learned about it on the way."""

    text: str
    lines: tuple[Line, ...]
    tables: tuple[Table, ...]


def collapse(text: str) -> str:
    """White space (no-break blanks included) to single blanks, invisible characters out, NFC."""
    if not text.isascii():
        text = compose(_INVISIBLE.sub("", text))
    return " ".join(text.split())


def drop_marks(text: str) -> str:
    """The text without its sentence numbers, a blank in the place of each."""
    return _MARK.sub(" ", text) if MARK_OPEN in text else text


def take_marks(raw: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Collapse a line; give the offset in the result at which each numbered sentence begins."""
    pieces = _MARK.split(raw)
    text = collapse(pieces[0])
    marks = []
    for value, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if text and not text.endswith(" "):
            text += " "
        marks.append((len(text), value.strip()))
        text += collapse(piece)
    stripped = text.rstrip()
    return stripped, tuple((min(at, len(stripped)), value) for at, value in marks)


class TextBuilder:
    """Collects raw text into the lines of a stored text."""

    def __init__(self) -> None:
        self.raw: list[str] = []  # of the line being collected
        self.depth = 0
        self.kind = LineKind.FLOW  # of the line being collected
        self.position = 0  # end of the text so far, without the next line break
        self.tables: list[Table] = []
        self._texts: list[str] = []
        self._lines: list[Line] = []
        self._label = ""

    def begin(self, kind: LineKind) -> None:
        """End the line being collected; the next one is of this kind."""
        self.flush()
        self.kind = kind

    def begin_item(self, label: str) -> None:
        """End the line being collected; the next one starts with this list label."""
        self.flush()
        self.kind = LineKind.ITEM
        self._label = label

    def flush(self) -> None:
        """Write the line being collected, unless it is empty; text after it goes on as FLOW."""
        if not self.raw and not self._label:
            return
        raw = "".join(self.raw)
        self.raw.clear()
        marks: tuple[tuple[int, str], ...] = ()
        if MARK_OPEN in raw:
            text, marks = take_marks(raw)
        else:
            text = collapse(raw)
        if text or self._label:
            label, self._label = self._label, ""
            self._write(text, label, marks)
            self.kind = LineKind.FLOW

    def add_row(self, text: str, label: str = "") -> tuple[int, int]:
        """Write a table row; gives its offsets."""
        self.flush()
        start = self._begin_line()
        self._append(text)
        line = Line(LineKind.ROW, self.depth, start, self.position, start, label)
        self._lines.append(line)
        return start, self.position

    def finish(self) -> Draft:
        """The whole text."""
        self.flush()
        return Draft("\n".join(self._texts), tuple(self._lines), tuple(self.tables))

    def _write(self, text: str, label: str, marks: tuple[tuple[int, str], ...]) -> None:
        start = self._begin_line()
        body = start
        if label:
            body = start + len(label) + (1 if text else 0)
            text = f"{label} {text}" if text else label
        self._append(text)
        shifted = tuple((body + at, value) for at, value in marks)
        line = Line(self.kind, self.depth, start, self.position, body, label, shifted)
        self._lines.append(line)

    def _begin_line(self) -> int:
        return self.position + 1 if self._texts else 0

    def _append(self, text: str) -> None:
        self.position = self._begin_line() + len(text)
        self._texts.append(text)
