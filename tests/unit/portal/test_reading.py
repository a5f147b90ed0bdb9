"""A text as blocks of a page: nothing lost, everything addressable."""

import sys
from datetime import date
from types import FrameType
from typing import Any

from fundstelle.law.decisions import DecisionText, Heading, Part, PartKind, Passage
from fundstelle.law.norms import DatePrecision, Fassung, Level, Segment, Table
from fundstelle.portal.reading import (
    MOST_CHARS,
    MOST_LINES,
    Link,
    Run,
    is_cut,
    read_decision,
    read_norm,
)

TEXT = "(1) Es gilt § 2. Ferner:\n1. rot,\na) hell,\n(2) Ende.\nA | B"


def build(text: str, segments: tuple[Segment, ...], tables: tuple[Table, ...] = ()) -> Fassung:
    return Fassung(
        "de/ag/1",
        text,
        "",
        segments,
        tables,
        (),
        (),
        None,
        None,
        DatePrecision.UNKNOWN,
        date(2030, 1, 1),
    )


def segment(level: Level, value: str, words: str, parent: int) -> Segment:
    start = TEXT.index(words)
    return Segment(level, value, start, start + len(words), start, parent)


def test_lines_keep_every_word_and_bear_the_anchor_of_their_part() -> None:
    segments = (
        segment(Level.ABSATZ, "1", "(1) Es gilt § 2. Ferner:\n1. rot,\na) hell,", -1),
        segment(Level.SATZ, "2", "Ferner:\n1. rot,\na) hell,", 0),
        segment(Level.NUMMER, "1", "1. rot,\na) hell,", 1),
        segment(Level.BUCHSTABE, "a", "a) hell,", 2),
        segment(Level.ABSATZ, "2", "(2) Ende.", -1),
    )
    at = TEXT.index("A | B")
    table = Table(at, at + 5, (("A", "B"),))
    start = TEXT.index("§ 2")
    blocks = read_norm(build(TEXT, segments, (table,)), [Link(start, start + 3, "/n/de/ag/2")])
    shown = [("".join(run.text for run in b.runs), b.depth, b.anchor) for b in blocks]
    assert shown == [
        ("(1) Es gilt § 2. Ferner:", 0, "abs-1"),
        ("1. rot,", 1, "abs-1-nr-1"),
        ("a) hell,", 2, "abs-1-nr-1-buchst-a"),
        ("(2) Ende.", 0, "abs-2"),
        ("", 0, ""),
    ]
    assert blocks[0].runs[1] == Run("§ 2", "/n/de/ag/2")
    assert blocks[4].rows == (("A", "B"),)


def test_every_part_has_its_anchor_where_its_words_begin() -> None:
    text = "(1) Erster. Zweiter:\n1. rot,\nDritter:\n1. rot.\nNr. | Betrag\n1210 | 5"
    second, third = text.index("Zweiter"), text.index("Dritter")
    items = text.index("1. rot,"), text.index("1. rot.")
    table = text.index("Nr. |")
    row = text.index("1210")
    segments = (
        Segment(Level.ABSATZ, "1", 0, table - 1, 4, -1),
        Segment(Level.SATZ, "1", 4, second, 4, 0),
        Segment(Level.SATZ, "2", second, third, second, 0),
        Segment(Level.NUMMER, "1", items[0], third, items[0] + 3, 2),
        Segment(Level.SATZ, "3", third, table - 1, third, 0),
        Segment(Level.NUMMER, "1", items[1], table - 1, items[1] + 3, 4),
        Segment(Level.NUMMER, "1210", row, len(text), row, -1),
    )
    rows = (("Nr.", "Betrag"), ("1210", "5"))
    blocks = read_norm(build(text, segments, (Table(table, len(text), rows),)), [])
    shown = [
        (block.anchor, [(run.text, run.anchors) for run in block.runs], block.row_anchors)
        for block in blocks
    ]
    assert shown == [
        (
            "abs-1",
            [
                ("(1) ", ()),
                ("Erster. ", ("abs-1-satz-1",)),
                ("Zweiter:", ("abs-1-satz-2",)),
            ],
            (),
        ),
        ("abs-1-nr-1", [("1. rot,", ())], ()),
        ("abs-1-satz-3", [("Dritter:", ())], ()),
        ("abs-1-satz-3-nr-1", [("1. rot.", ())], ()),
        ("", [], ((), ("nr-1210",))),
    ]


def test_a_part_that_begins_inside_a_link_begins_with_it() -> None:
    text = "nach § 2 Satz"
    parts = (Segment(Level.SATZ, "1", 7, len(text), 7, -1),)
    (block,) = read_norm(build(text, parts), [Link(5, 8, "/a")])
    assert block.runs == (Run("nach "), Run("§ 2", "/a", ("satz-1",)), Run(" Satz"))


def test_links_that_overlap_or_leave_their_line_are_left_out() -> None:
    links = [Link(0, 5, "/a"), Link(3, 8, "/b"), Link(20, 40, "/c")]
    blocks = read_norm(build(TEXT, ()), links)
    assert [run.path for block in blocks for run in block.runs if run.path] == ["/a"]
    assert "\n".join("".join(run.text for run in block.runs) for block in blocks) == TEXT


def test_a_decision_shows_parts_headings_and_numbers() -> None:
    text = "Der Kläger verliert.\nGründe\nI.\nErstens.\nZweitens."
    gruende = text.index("Gründe")
    first, second = text.index("Erstens"), text.index("Zweitens")
    decision = DecisionText(
        "de/x",
        text,
        "",
        (
            Part(PartKind.TENOR, None, 0, gruende),
            Part(PartKind.GRUENDE, "Gründe", gruende, len(text)),
        ),
        (Passage("1", first, second, first, 1), Passage("2", second, len(text), second, 1)),
        (Heading(text.index("I."), text.index("I.") + 2, 1),),
        len(text),
        len(text),
    )
    blocks = read_decision(decision, [])
    assert [(b.kind, b.name or "".join(r.text for r in b.runs), b.anchor) for b in blocks] == [
        ("part", "tenor", "tenor"),
        ("line", "Der Kläger verliert.", ""),
        ("part", "Gründe", "gruende"),
        ("heading", "I.", ""),
        ("line", "Erstens.", "rn-1"),
        ("line", "Zweitens.", "rn-2"),
    ]


def count_calls(lines: int) -> int:
    """Lines of Python that are run for a norm of so many lines, parts and links, all nested."""
    text = "\n".join("a b" for _ in range(lines))
    size = len(text)
    parts = tuple(Segment(Level.NUMMER, str(n), 4 * n, size, 4 * n, -1) for n in range(lines))
    links = [Link(4 * n, 4 * n + 1, "/a") for n in range(lines)]
    count = 0

    def trace(_frame: FrameType, _event: str, _value: object) -> Any:
        nonlocal count
        count += 1
        return trace

    fassung = build(text, parts)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read_norm(fassung, links)
    finally:
        sys.settrace(before)
    return count


def test_the_work_grows_as_the_text_does() -> None:
    assert count_calls(400) < 2.2 * count_calls(200)


def test_a_page_shows_so_much_of_a_text_and_says_so() -> None:
    for text in ("a" * (MOST_CHARS + 5), "a\n" * (MOST_LINES + 5)):
        assert is_cut(text)
        blocks = read_norm(build(text, ()), [])
        assert len(blocks) <= MOST_LINES
        assert sum(len(run.text) for block in blocks for run in block.runs) <= MOST_CHARS
    assert not is_cut("a\n" * 2_000)
