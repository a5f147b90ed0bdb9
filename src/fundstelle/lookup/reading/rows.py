"""Numbered rows of tables: ``VV RVG Nr. 3100`` is a row of Anlage 1."""

import re

_COUNTED = re.compile(r"^(\d{3,5}) \| ", re.MULTILINE)
_FEWEST = 10  # rows of a schedule
_CONTINUED = "| "  # the first cell is empty: the row goes on


def find_row(text: str, number: str) -> tuple[int, int] | None:
    """Offsets of the table row whose first cell is ``number``, with the rows that continue it."""
    mark = f"{number} | "
    start = 0 if text.startswith(mark) else text.find("\n" + mark) + 1
    if start == 0 and not text.startswith(mark):
        return None
    end = _find_line_end(text, start)
    while text.startswith(_CONTINUED, end + 1):
        end = _find_line_end(text, end + 1)
    return start, end


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
