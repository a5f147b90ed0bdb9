"""Paragraphs put together: parts tile the text, passages and headings point into it."""

from hypothesis import given
from hypothesis import strategies as st

from fundstelle.ingest.sources.decision_text.headings import find_levels, find_part, is_enumerator
from fundstelle.ingest.sources.decision_text.text import (
    DecisionWriter,
    count_chars,
    read_number,
    tidy,
)
from fundstelle.law.decisions import PartKind

_LINES = st.lists(
    st.tuples(
        st.sampled_from(["part", "labelled", "plain", "numbered", "heading"]),
        st.text("ab  \u00a0\u00ad\nÄ", max_size=8),
    ),
    max_size=12,
)


@given(_LINES)
def test_parts_tile_the_text_and_everything_points_into_it(
    lines: list[tuple[str, str]],
) -> None:
    writer = DecisionWriter()
    for number, (kind, text) in enumerate(lines, start=1):
        if kind == "part":
            writer.begin_part(PartKind.GRUENDE)
        elif kind == "labelled":
            writer.begin_part(PartKind.TENOR, "Tenor")
        elif kind == "heading":
            writer.add_heading(text)
        else:
            writer.add(text, str(number) if kind == "numbered" else None)
    made = writer.finish("x", 0)
    assert "".join(made.text[part.start : part.end] for part in made.parts) == made.text
    assert all(part.start < part.end for part in made.parts)
    for passage in made.passages:
        part = made.parts[passage.part]
        assert part.start <= passage.start == passage.body < passage.end <= part.end
    for heading in made.headings:
        assert "\n" not in made.text[heading.start : heading.end]
        assert heading.level >= 1


def test_a_passage_ends_where_a_heading_or_another_part_begins() -> None:
    writer = DecisionWriter()
    writer.add("Erster Satz.", "1")
    writer.add("Dazu.")
    writer.add_heading("II.")
    writer.add("Ohne Nummer.")
    writer.add("Zweiter Satz.", "2")
    writer.begin_part(PartKind.SIGNATURES)
    writer.add("Muster")
    text = writer.finish("x", 0)
    assert [text.text[p.start : p.end] for p in text.passages] == [
        "Erster Satz.\nDazu.",
        "Zweiter Satz.",
    ]


def test_headings_of_parts_are_told_from_sentences() -> None:
    headings = {
        "Gründe:": PartKind.GRUENDE,
        "G r ü n d e": PartKind.GRUENDE,
        "ENTSCHEIDUNGSGRÜNDE": PartKind.ENTSCHEIDUNGSGRUENDE,
        "T a t b e s t a n d :": PartKind.TATBESTAND,
        "Leitsätze:": PartKind.LEITSATZ,
        "Rechtsmittelbelehrung:": PartKind.RECHTSMITTELBELEHRUNG,
        "Gründe für die Zulassung liegen nicht vor.": None,
        "Der Tatbestand": None,
        "": None,
    }
    assert {text: find_part(text) for text in headings} == headings


def test_levels_follow_the_kinds_of_numbers() -> None:
    rows = ["A.", "I.", "1. Zulässigkeit", "a)", "aa)", "b)", "2.", "II.", "B.", "C.", "I."]
    assert find_levels(rows) == [1, 2, 3, 4, 5, 4, 3, 2, 1, 1, 2]
    assert find_levels(["I.", "1.", "2.", "II."]) == [1, 2, 2, 1]
    assert find_levels(["Sachverhalt", "Würdigung"]) == [1, 1]


def test_only_a_number_alone_is_an_enumerator() -> None:
    assert [t for t in ("I.", "B", "3.", "aa)", "Der", "I. Der", "a") if is_enumerator(t)] == [
        "I.",
        "B",
        "3.",
        "aa)",
    ]


def test_white_space_and_what_cannot_be_seen_do_not_count() -> None:
    assert tidy("a\u0308 \u00a0b\u00ad\n\u200bc") == "ä b c"
    assert count_chars(" a\u0308 \u00a0b\u00ad\n\u200bc ") == 3
    assert [read_number(t) for t in ("12", " 12a ", "[7]", "12.", "x", None)] == [
        "12",
        "12a",
        "7",
        None,
        None,
        None,
    ]
