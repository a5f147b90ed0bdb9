import pytest

from fundstelle.citations.find import find
from fundstelle.ingest.graph.columns import is_of_columns


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Rechtsquellen:\nIFG\nInsO\nBGB\n§ 1 Abs. 1\n§§ 97, 101\n§ 242\nStichworte:", []),
        ("Rechtsquellen:\nGG\nSGB II\n§§ 6d, 44b\nArt. 5\nStichworte:", []),
        ("Rechtsquellen:\nGG\nIFG NRW\n§ 4 Abs. 2\nStichworte:", []),
        ("Rechtsquelle:\nVwGO\n§ 99\nStichworte:", ["VwGO\n§ 99"]),
        ("Normen:\nGG\n§ 5\nBGB\n§ 242\nZPO\n§ 91\nTenor", []),
        ("Es gilt\n§ 242\nBGB\nauch hier.", ["§ 242\nBGB"]),
        ("Das folgt aus dem\nBGB\n§ 242 gilt.", ["BGB\n§ 242"]),
        ("BGB\nnach § 242 BGB", ["§ 242 BGB"]),
    ],
)
def test_sections_in_a_column_of_their_own_are_of_no_law_that_stands_above_them(
    text: str, kept: list[str]
) -> None:
    found = [one for one in find(text) if "§" in one.text and not is_of_columns(text, one)]
    assert [one.text for one in found] == kept
