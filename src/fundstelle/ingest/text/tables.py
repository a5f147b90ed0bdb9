"""Tables as grids: where each cell stands once spans are counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FREE_STEPS = 50_000  # the largest table of federal law has 19,565 places, the widest 27 columns
_STEPS_PER_CELL = 30

_WIDEST = 5_000  # columns
_MOST_COLUMNS, _MOST_ROWS = 60, 10_000  # that one cell spans
NO_COLUMNS = ("[Tabelle: Spalten nicht zugeordnet]",)
"""The first row of a table whose cells could not be put below their headings."""

_ROW_NUMBER = re.compile(r"\d{1,6}[a-z]{0,2}(?:\.\d+[a-z]?)*\.?")


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed cell.

    ``first`` and ``last`` are its columns from 0 where the table names them, else ``None`` (next
    free column); ``more_rows`` is how many further rows it reaches down, ``more_columns`` how many
    further columns it takes that are free.
    """

    text: str
    first: int | None = None
    last: int | None = None
    more_rows: int = 0
    more_columns: int = 0


def build_cell(text: str, columns: str | None, rows: str | None, first: int | None = None) -> Cell:
    """A cell that says how many columns and rows it spans; ``first`` is its column from 0."""
    more_columns = _read_span(columns, _MOST_COLUMNS) - 1
    return Cell(text, first, None, _read_span(rows, _MOST_ROWS) - 1, more_columns)


def _read_span(written: str | None, most: int) -> int:
    digits = (written or "").strip()[:9]
    return max(1, min(int(digits), most)) if digits.isascii() and digits.isdecimal() else 1


class _TooLarge(Exception):
    """The spans or empty places of a table come to more than a printed one has."""


def lay_out(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[str, ...], ...]:
    """The grid of a table: every row with the same number of cells.

    A spanning cell stands once, in its first row and column; the places it covers are empty.
    Rows and columns without any text are left out. A table a few cells of which would take up the
    time and memory of millions is no grid: behind ``NO_COLUMNS`` each row has its cells alone.
    """
    try:
        return _lay_out(rows)
    except _TooLarge:
        printed = (tuple(cell.text for cell in row if cell.text) for row in rows)
        return (NO_COLUMNS, *filter(None, printed))


def _lay_out(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[str, ...], ...]:
    cells = sum(map(len, rows))
    covered_until: dict[int, int] = {}  # column -> the last row that is covered from above
    steps = _Steps(max(_FREE_STEPS, _STEPS_PER_CELL * cells))
    grid = [_place(row, number, covered_until, steps) for number, row in enumerate(rows)]
    columns = sorted({column for row in grid for column, text in row.items() if text})
    filled_rows = [row for row in grid if any(row.values())]
    steps.take(len(columns) * len(filled_rows))
    return tuple(tuple(row.get(column, "") for column in columns) for row in filled_rows)


class _Steps:
    """Places that may still be looked at: in proportion to the cells that are printed."""

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self, places: int) -> None:
        self._left -= places
        if self._left < 0:
            raise _TooLarge


def _place(
    row: Sequence[Cell], number: int, covered_until: dict[int, int], steps: _Steps
) -> dict[int, str]:
    placed: dict[int, str] = {}
    column = 0
    for cell in row:
        if cell.first is not None and cell.first >= column:
            column = cell.first
        for place in range(1 + cell.more_columns):
            begun = column
            while covered_until.get(column, -1) >= number:
                column += 1
            last = column if cell.last is None or place else max(column, cell.last)
            steps.take(last - begun + bool(place))
            if last >= _WIDEST:
                raise _TooLarge
            if not place:
                placed[column] = cell.text
            if cell.more_rows:
                for spanned in range(column, last + 1):
                    covered_until[spanned] = number + cell.more_rows
            column = last + 1
    return placed


def join_cells(row: Sequence[str]) -> str:
    """A row as a line of stored text: cells joined by `` | ``, empty ones at the end left out."""
    filled = list(row)
    while filled and not filled[-1]:
        filled.pop()
    return " ".join(" | ".join(filled).split())


def read_row_number(row: Sequence[str]) -> str:
    """The number in a row's first cell, as in a schedule of fees; empty if it has none."""
    filled = [text for text in row if text]
    if filled == [str(number) for number in range(1, len(filled) + 1)]:
        return ""  # the columns are numbered, not the row
    return row[0] if len(filled) > 1 and _ROW_NUMBER.fullmatch(row[0]) else ""
