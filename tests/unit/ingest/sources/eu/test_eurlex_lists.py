"""Lists of pages whose items stand one behind the other: what belongs below what."""

from collections.abc import Callable, Sequence

import pytest
from lxml import html

from fundstelle.ingest.sources.eu.act import ActText
from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.ingest.sources.eu.eurlex_html import read_act

LETTERS = "abcdefghijklmnopqrstuvwxyz"
Tree = list[tuple[str, "Tree"]]


def read(*lines: str) -> Tree:
    page = "".join(["<p>Article 1</p><p>It applies to:</p>", *lines])
    tree = html.fromstring(f"<html><body>{page}</body></html>")
    (article,) = read_act(tree, ActText("32019R0006", "en", "", None, None, None, [], "x")).units
    return outline(article.blocks[1:] if article.blocks else [])


def outline(blocks: Sequence[ActBlock]) -> Tree:
    return [(block.label, outline(block.below)) for block in blocks]


def write(label: str) -> str:
    return f"<p>({label}) anvils;</p>" if label != "—" else "<p>— anvils;</p>"


def write_table(label: str, inside: str = "") -> str:
    return f"<table><tr><td><p>({label})</p></td><td><p>anvils;</p>{inside}</td></tr></table>"


@pytest.mark.parametrize("first", range(len(LETTERS) - 1))
@pytest.mark.parametrize("setting", [write, write_table])
def test_letters_stand_side_by_side(setting: Callable[[str], str], first: int) -> None:
    labels = LETTERS[first:]
    assert read(*map(setting, labels)) == [(f"({label})", []) for label in labels]


@pytest.mark.parametrize("letter", LETTERS[:-1])
def test_numbers_of_a_page_stand_below_their_letter(letter: str) -> None:
    following = LETTERS[LETTERS.index(letter) + 1]
    numbers: Tree = [("(i)", []), ("(ii)", []), ("(iii)", [])]
    expected = [(f"({letter})", numbers), (f"({following})", numbers)]
    labels = (letter, "i", "ii", "iii", following, "i", "ii", "iii")
    assert read(*map(write, labels)) == expected
    inside = "".join(map(write_table, ("i", "ii", "iii")))
    assert read(write_table(letter, inside), write_table(following, inside)) == expected


def test_dashes_stand_below_the_item_before() -> None:
    labels = ("a", "—", "—", "i", "—", "ii", "b", "—")
    dash: Tree = [("—", [])]
    assert read(*map(write, labels)) == [
        ("(a)", [*dash, *dash, ("(i)", dash), ("(ii)", [])]),
        ("(b)", dash),
    ]


def test_a_table_may_stand_below_a_paragraph() -> None:
    lines = (write("a"), write_table("i"), write_table("ii"), write("b"))
    assert read(*lines) == [("(a)", [("(i)", []), ("(ii)", [])]), ("(b)", [])]
