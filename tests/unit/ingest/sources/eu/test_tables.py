"""Tables of EU acts: every value stands below its heading, in either format."""

import pytest
from lxml import etree, html

from fundstelle.ingest.sources.eu.blocks import ActBlock, render
from fundstelle.ingest.sources.eu.eurlex_tables import list_rows, read_cell
from fundstelle.ingest.sources.eu.formex import read_blocks
from fundstelle.ingest.text.tables import NO_COLUMNS

Row = list[tuple[str, int, int]]  # words, columns and rows of each cell

LIMITS: list[Row] = [
    [("Stoff", 1, 2), ("Lebensmittel", 1, 2), ("Höchstmenge", 2, 1)],
    [("roh", 1, 1), ("gekocht", 1, 1)],
    [("Blei", 1, 2), ("Milch", 1, 1), ("0,02", 1, 1), ("", 1, 1)],
    [("Fleisch", 1, 1), ("", 1, 1), ("0,10", 1, 1)],
    [("Hinweis", 4, 1)],
]
LINES = [
    "Stoff | Lebensmittel | Höchstmenge",
    "| | roh | gekocht",
    "Blei | Milch | 0,02",
    "| Fleisch | | 0,10",
    "Hinweis",
]


def write_formex(rows: list[Row], *, named: bool) -> etree._Element:
    """The columns of cells are named, or follow from the cells before."""
    taken: set[tuple[int, int]] = set()
    table = etree.Element("TBL")
    corpus = etree.SubElement(table, "CORPUS")
    for number, row in enumerate(rows):
        line, column = etree.SubElement(corpus, "ROW"), 0
        for words, columns, down in row:
            while (number, column) in taken:
                column += 1
            cell = etree.SubElement(line, "CELL", COLSPAN=str(columns), ROWSPAN=str(down))
            cell.text = words
            if named:
                cell.set("COL", str(column + 1))
            taken |= {(number + y, column + x) for y in range(down) for x in range(columns)}
    return table


def write_page(rows: list[Row]) -> html.HtmlElement:
    lines = (
        "".join(f"<td colspan={x} rowspan={y}>{words}</td>" for words, x, y in row) for row in rows
    )
    written = "".join(f"<tr>{line}</tr>" for line in lines)
    return html.fragment_fromstring(f"<table><tbody>{written}</tbody></table>")


@pytest.mark.parametrize("named", [True, False])
def test_values_of_formex_stand_below_their_heading(named: bool) -> None:
    rendered = render(read_blocks(write_formex(LIMITS, named=named)))
    assert rendered.text.split("\n") == LINES
    (table,) = rendered.tables
    assert table.rows[3] == ("", "Fleisch", "", "0,10")
    assert {len(row) for row in table.rows} == {4}


def test_values_of_a_page_stand_where_they_stand_in_formex() -> None:
    assert render([ActBlock(rows=list_rows(write_page(LIMITS)))]).text.split("\n") == LINES


def test_a_stop_behind_a_table_ends_its_last_words() -> None:
    cell = html.fragment_fromstring("<td><table></table></td>")
    table = write_page([[("a", 1, 1), ("b", 1, 1)], [("c", 1, 1), ("", 1, 1)]])
    table.tail = "."
    cell.replace(cell[0], table)
    (block,) = read_cell(cell)
    assert block.rows == [["a", "b"], ["c.", ""]]


def test_a_table_of_spans_alone_is_told_row_by_row() -> None:
    wide = write_page([[("x", 60, 10_000)] * 500, *[[("y", 1, 1)]] * 500])
    assert list_rows(wide) == [list(NO_COLUMNS), ["x"] * 500, *[["y"]] * 500]
