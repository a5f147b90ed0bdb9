import tracemalloc
from itertools import product

import pytest

from fundstelle.ingest.text.tables import NO_COLUMNS, Cell, build_cell, join_cells, lay_out


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


@pytest.mark.parametrize("cells", [1_000, 2_000])
def test_a_table_of_spans_alone_is_told_row_by_row(cells: int) -> None:
    """One row whose cells reach to the end, and as many rows that have to pass below them."""
    wide = [Cell("x", more_rows=10**9)] * cells
    found = lay_out([wide, [], *[[Cell(""), Cell("y")]] * cells])
    assert found == (NO_COLUMNS, ("x",) * cells, *[("y",)] * cells)
    assert lay_out([[Cell("x", 0, 10**12)]]) == (NO_COLUMNS, ("x",))


def test_a_table_wide_once_and_long_is_told_before_its_places_are_made() -> None:
    rows = [[Cell("x")] * 20_000, *[[Cell("x")]] * 20_000]
    assert lay_out(rows) == (NO_COLUMNS, *(tuple(cell.text for cell in row) for row in rows))


@pytest.mark.parametrize("rows", ["1", "2"])
@pytest.mark.parametrize("length", [1, 20, 2_000])  # cells of a row
def test_memory_is_in_proportion_to_the_printed_cells(length: int, rows: str) -> None:
    printed = 4_000
    tracemalloc.start()
    cells = [build_cell("x", "60", rows) for _ in range(printed)]
    found = lay_out([cells[at : at + length] for at in range(0, printed, length)])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(row.count("x") for row in found) == printed
    assert most < printed * 1_000  # bytes; the cells alone take 200 each


@pytest.mark.parametrize(("columns", "rows"), list(product(("", "1", "2", "3"), repeat=2)))
def test_a_span_covers_what_as_many_empty_cells_do(columns: str, rows: str) -> None:
    """What is covered from above is passed over, also inside of a span."""
    number = int(columns or 1), int(rows or 1)
    above = [Cell("a"), Cell("b", more_rows=2), Cell("c"), Cell("d")]
    below = [[Cell(each) for each in "uvwxyz"] for _ in range(4)]
    empty = [Cell("", more_rows=number[1] - 1)] * (number[0] - 1)
    spread = [above, [Cell("s", more_rows=number[1] - 1), *empty, Cell("t")], *below]
    assert lay_out([above, [build_cell("s", columns, rows), Cell("t")], *below]) == lay_out(spread)


def test_a_large_table_of_the_usual_form_is_laid_out() -> None:
    rows = [[Cell("x", 0, 1, 1), *[Cell("y")] * 25], [Cell("z")] * 24] * 2_000
    grid = lay_out(rows)
    assert len(grid) == 4_000
    assert {len(row) for row in grid} == {26}
