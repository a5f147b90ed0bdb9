"""Long texts in parts: nothing lost, every anchor in exactly one of them."""

import pytest

from fundstelle.portal.frame.query import Unreadable
from fundstelle.portal.public.parts import ALL, cut_parts, read_part, show_part
from fundstelle.portal.reading import Block, Run, is_head

ROWS = tuple((f"Nr. {number}", "w" * 60) for number in range(2_000))
HEAD = ("Nummer", "Bezeichnung")


def line(number: int, length: int = 400) -> Block:
    return Block("line", (Run("w" * length),), 0, f"abs-{number}")


def test_a_text_of_ordinary_length_is_one_page() -> None:
    (only,) = cut_parts([line(number) for number in range(50)])
    assert only.number == 1
    assert len(only.blocks) == 50


def test_a_long_text_is_cut_between_its_lines() -> None:
    blocks = [line(number) for number in range(1_000)]
    parts = cut_parts(blocks)
    assert len(parts) > 5
    assert [block for part in parts for block in part.blocks] == blocks
    assert [part.number for part in parts] == list(range(1, len(parts) + 1))
    anchors = [anchor for part in parts for anchor in part.anchors]
    assert anchors == [f"abs-{number}" for number in range(1_000)]


@pytest.mark.parametrize("head", [True, False])
def test_a_long_table_is_cut_between_its_rows_under_its_head(head: bool) -> None:
    rows = (HEAD, *ROWS) if head else ROWS
    anchors = tuple((f"nr-{number}",) for number in range(len(rows)))
    block = Block("table", rows=rows, row_anchors=anchors, head=head)
    parts = cut_parts([block])
    assert len(parts) > 3
    shown = [one for part in parts for one in part.blocks]
    kept = [row for one in shown for row in one.rows[1 if head else 0 :]]
    assert kept == list(ROWS)
    assert all(one.rows[0] == HEAD for one in shown) is head
    named = [anchor for part in parts for anchor in part.anchors]
    assert named == [f"nr-{number}" for number in range(len(rows))]
    assert all(len(one.rows) == len(one.row_anchors) for one in shown)


def write(blocks: list[Block]) -> str:
    return "".join(run.text for block in blocks for run in block.runs)


def test_a_long_line_is_cut_and_its_anchors_are_weighed() -> None:
    runs = tuple(Run("ab", anchors=(f"satz-{number}",)) for number in range(100_000))
    for block in (Block("line", runs, 0, "abs-1"), Block("line", (Run("w" * 900_000, "/n/a"),))):
        parts = cut_parts([block])
        assert len(parts) > 10
        assert write([one for part in parts for one in part.blocks]) == write([block])
        assert [anchor for part in parts for anchor in part.anchors] == block.list_anchors()
        assert max(len(write(list(part.blocks))) for part in parts) <= 40_000
        assert max(len(part.anchors) for part in parts) <= 1_001


def test_the_first_part_names_no_more_units_of_others_than_a_page_can_bear() -> None:
    blocks = [line(number) for number in range(50_000)]
    shown = show_part("1", blocks, lambda _: {}, "de")
    named = [name for names in shown.elsewhere.values() for name in names]
    assert (
        named
        == [f"abs-{number}" for number in range(50_000)][len(shown.parts[0][0].anchors) :][:20_000]
    )
    assert show_part("2", blocks, lambda _: {}, "de").elsewhere == {}


@pytest.mark.parametrize(
    ("asked", "number"),
    [("", 1), ("2", 2), ("3", 3), (ALL, 0)],
)
def test_a_part_is_asked_for_by_its_number(asked: str, number: int) -> None:
    parts = cut_parts([line(one, 30_000) for one in range(3)])
    assert len(parts) == 3
    assert read_part(asked, parts) == number


@pytest.mark.parametrize("asked", ["99", "4", "0", "-1", "²", "9" * 400, "All"])
def test_what_is_no_part_is_not_the_first(asked: str) -> None:
    with pytest.raises(Unreadable):
        read_part(asked, cut_parts([line(one, 30_000) for one in range(3)]))


def test_a_text_in_one_part_has_no_second() -> None:
    parts = cut_parts([line(1, 30)])
    assert [read_part(asked, parts) for asked in ("", "1", ALL)] == [1, 1, 1]
    with pytest.raises(Unreadable):
        read_part("2", parts)


@pytest.mark.parametrize(
    ("first", "is_one"),
    [
        (("Sektor", "Teilsektor"), True),
        (("Frist", "31. Januar 2007"), False),
        (("a) Erstens", "zweitens"), False),
        (("Name:", "Anschrift"), False),
        (("Code", ""), False),
        (("Wert", "Wert"), False),
    ],
)
def test_a_head_is_known_by_its_words(first: tuple[str, str], is_one: bool) -> None:
    assert is_head((first, ("Energie", "Strom"))) is is_one
    assert not is_head((first,))
