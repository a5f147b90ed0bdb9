"""CALS tables as grids: where each cell stands once spans are counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ROW_NUMBER = re.compile(r"\d{1,6}[a-z]{0,2}(?:\.\d+[a-z]?)*\.?")


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed cell.

    ``first`` and ``last`` are its columns from 0 where the table names them, else ``None`` (next
    free column, one wide); ``more_rows`` is how many further rows it reaches down.
    """

    text: str
    first: int | None = None
    last: int | None = None
    more_rows: int = 0


def lay_out(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[str, ...], ...]:
    """The grid of a table: every row with the same number of cells.

    A spanning cell stands once, in its first row and column; the places it covers are empty.
    Rows and columns without any text are left out.
    """
    taken: dict[int, int] = {}  # column -> number of following rows still covered from above
    grid: list[dict[int, str]] = []
    for row in rows:
        covered = {column for column, left in taken.items() if left > 0}
        taken = {column: left - 1 for column, left in taken.items() if left > 1}
        grid.append(_place(row, covered, taken, len(rows)))
    columns = sorted({column for row in grid for column, text in row.items() if text})
    filled = (tuple(row.get(column, "") for column in columns) for row in grid)
    return tuple(row for row in filled if any(row))


def _place(
    row: Sequence[Cell], covered: set[int], taken: dict[int, int], most_rows: int
) -> dict[int, str]:
    placed: dict[int, str] = {}
    column = 0
    for cell in row:
        if cell.first is not None and cell.first >= column:
            column = cell.first
        while column in covered:
            column += 1
        placed[column] = cell.text
        last = column if cell.last is None else max(column, cell.last)
        if cell.more_rows:
            for spanned in range(column, last + 1):
                taken[spanned] = min(cell.more_rows, most_rows)
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
