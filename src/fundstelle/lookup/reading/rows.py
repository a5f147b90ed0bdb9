"""Numbered rows of tables: ``VV RVG Nr. 3100`` is a row of Anlage 1."""

import re
from itertools import islice

_COUNTED = re.compile(r"^(\d{3,5}) \| ", re.MULTILINE)
_FEWEST = 10  # rows of a schedule
_MOST = 100  # rows of one number that are counted
_CONTINUED = "| "  # the first cell is empty: the row goes on


def find_rows(text: str, number: str) -> list[tuple[int, int]]:
    """Offsets of the table rows whose first cell is ``number``, with the rows that continue them.

    The line that counts the columns (``1 | 2 | 3``) is none of them.
    """
    rows: list[tuple[int, int]] = []
    for row in islice(re.finditer(rf"^{re.escape(number)} \| ", text, re.MULTILINE), _MOST):
        start, end = row.start(), _find_line_end(text, row.start())
        if _counts_columns(text[start:end]) and not text.startswith("2 | ", end + 1):
            continue
        while text.startswith(_CONTINUED, end + 1):
            end = _find_line_end(text, end + 1)
        rows.append((start, end))
    return rows


def _counts_columns(line: str) -> bool:
    cells = [cell for each in line.split("|") if (cell := each.strip())]
    return len(cells) > 1 and cells == [str(count) for count in range(1, len(cells) + 1)]


def find_rows_short_of(text: str, number: str) -> tuple[int, int] | None:
    """The first and last number of a table's rows, if it counts them and ``number`` is beyond."""
    counted = [int(match[1]) for match in _COUNTED.finditer(text)]
    if len(counted) < _FEWEST or not number.isdecimal():
        return None
    first, last = min(counted), max(counted)
    return None if first <= int(number) <= last else (first, last)


def _find_line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
