"""Numbered rows of tables: ``VV RVG Nr. 3100`` is a row of Anlage 1."""

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


def _find_line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
