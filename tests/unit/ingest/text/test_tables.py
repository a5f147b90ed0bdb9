import pytest

from fundstelle.ingest.text.tables import Cell, TableTooLarge, join_cells, lay_out


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
def test_a_table_of_spans_alone_is_refused(cells: int) -> None:
    """One row whose cells reach to the end, and as many rows that have to pass below them."""
    wide = [Cell("x", more_rows=10**9)] * cells
    with pytest.raises(TableTooLarge):
        lay_out([wide, *[[Cell("y")]] * cells])
    with pytest.raises(TableTooLarge):
        lay_out([[Cell("x", 0, 10**12)]])


def test_a_table_wide_once_and_long_is_refused_before_its_places_are_made() -> None:
    with pytest.raises(TableTooLarge):
        lay_out([[Cell("x")] * 20_000, *[[Cell("x")]] * 20_000])


def test_a_large_table_of_the_usual_form_is_laid_out() -> None:
    rows = [[Cell("x", 0, 1, 1), *[Cell("y")] * 25], [Cell("z")] * 24] * 2_000
    grid = lay_out(rows)
    assert len(grid) == 4_000
    assert {len(row) for row in grid} == {26}
