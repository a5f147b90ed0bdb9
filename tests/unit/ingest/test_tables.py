import pytest

from fundstelle.ingest.tables import Cell, join_cells, lay_out


@pytest.mark.parametrize(
    ("rows", "grid"),
    [
        ([[Cell("a"), Cell("b")]], (("a", "b"),)),
        ([[Cell("a", 0, 1), Cell("b")], [Cell("c"), Cell("d"), Cell("e")]],
         (("a", "", "b"), ("c", "d", "e"))),
        ([[Cell("a", more_rows=2), Cell("b")], [Cell("c")], [Cell("d")]],
         (("a", "b"), ("", "c"), ("", "d"))),
        ([[Cell("a", 0, 1, 1), Cell("b")], [Cell("c")]], (("a", "b"), ("", "c"))),
        ([[Cell("a"), Cell(""), Cell("b")]], (("a", "b"),)),
        ([[Cell("")], [Cell("a")]], (("a",),)),
        ([[Cell("a", 2, 2)], [Cell("b", 0, 0)]], (("", "a"), ("b", ""))),
        ([[Cell("a", 5, 2)]], (("a",),)),
        ([[Cell("a", more_rows=10**9)], [Cell("b")]], (("a", ""), ("", "b"))),
        ([], ()),
        ([[]], ()),
    ],
)  # fmt: skip
def test_spans_become_a_grid(rows: list[list[Cell]], grid: tuple[tuple[str, ...], ...]) -> None:
    assert lay_out(rows) == grid


@pytest.mark.parametrize(
    ("row", "line"),
    [
        (("a", "b"), "a | b"),
        (("a", "", "b"), "a | | b"),
        (("", "a"), "| a"),
        (("a", ""), "a"),
    ],
)
def test_a_row_is_a_line(row: tuple[str, ...], line: str) -> None:
    assert join_cells(row) == line
