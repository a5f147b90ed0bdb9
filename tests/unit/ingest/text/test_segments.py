import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fundstelle.law.norms import Fassung
from tests.unit.ingest.gii_laws import read


def _paths(fassung: Fassung) -> list[str]:
    """Each segment as its path and its text, in order."""
    found: list[str] = []
    lines = []
    for segment in fassung.segments:
        above = found[segment.parent] + " " if segment.parent >= 0 else ""
        found.append(f"{above}{segment.level} {segment.value}")
        text = fassung.text[segment.start : segment.end].replace("\n", "⏎")
        lines.append(f"{found[-1]}: {text}")
    return lines


def _items(*items: tuple[str, str]) -> str:
    inner = "".join(f"<DT>{label}</DT><DD><LA>{text}</LA></DD>" for label, text in items)
    return f"<DL>{inner}</DL>"


def test_a_section_without_absatz_has_sentences_at_the_top() -> None:
    assert _paths(read("<P>Muster gelten. Proben nicht.</P>")[1]) == [
        "satz 1: Muster gelten.",
        "satz 2: Proben nicht.",
    ]


def test_a_list_belongs_to_the_sentence_that_introduces_it() -> None:
    content = (
        "<P>(1) Es gilt. Verboten ist, "
        + _items(("1.", "eins,"), ("2a.", "zwei " + _items(("a)", "x"), ("b)", "y"))))
        + " zu tun. Ausnahmen gibt es.</P><P>(2) Ende.</P>"
    )
    assert _paths(read(content)[1]) == [
        "abs 1: (1) Es gilt. Verboten ist,⏎1. eins,⏎2a. zwei⏎a) x⏎b) y⏎zu tun. Ausnahmen gibt es.",
        "abs 1 satz 1: Es gilt.",
        "abs 1 satz 2: Verboten ist,⏎1. eins,⏎2a. zwei⏎a) x⏎b) y⏎zu tun.",
        "abs 1 satz 2 nr 1: 1. eins,",
        "abs 1 satz 2 nr 2a: 2a. zwei⏎a) x⏎b) y",
        "abs 1 satz 2 nr 2a buchst a: a) x",
        "abs 1 satz 2 nr 2a buchst b: b) y",
        "abs 1 satz 3: Ausnahmen gibt es.",
        "abs 2: (2) Ende.",
        "abs 2 satz 1: Ende.",
    ]


def test_sentences_inside_an_item_count_within_it() -> None:
    content = (
        "<P>Es gilt "
        + _items(("1.", "eins. Das ist rot. Dazu gehört " + _items(("a)", "x."))), ("2.", "zwei."))
        + "</P>"
    )
    assert _paths(read(content)[1])[1:] == [
        "satz 1 nr 1: 1. eins. Das ist rot. Dazu gehört⏎a) x.",
        "satz 1 nr 1 satz 1: eins.",
        "satz 1 nr 1 satz 2: Das ist rot.",
        "satz 1 nr 1 satz 3: Dazu gehört⏎a) x.",
        "satz 1 nr 1 satz 3 buchst a: a) x.",
        "satz 1 nr 2: 2. zwei.",
    ]


@pytest.mark.parametrize(
    ("last", "after", "count"),
    [
        ("zwei.", "Danach gilt anderes.", 2),
        ("zwei", "zu tun. Danach gilt anderes.", 2),
        ("zwei", "Muster zu machen.", 1),
        ("zwei.", "", 1),
        ("(weggefallen)", "Danach gilt anderes.", 1),
    ],
)
def test_after_a_list_the_absatz_counts_on(last: str, after: str, count: int) -> None:
    _, fassung = read("<P>Es ist " + _items(("1.", "eins"), ("2.", last)) + after + "</P>")
    assert sum(s.level == "satz" for s in fassung.segments) == count


@pytest.mark.parametrize("last", ['Es gelte."', "Es gelte. “", "Es gelte!“", "Es gelte."])
def test_after_quoted_words_of_their_own_line_the_next_sentence_counts(last: str) -> None:
    quoted = _items(("", f"„Ich schwöre es. {last}"))
    paths = _paths(read(f"<P>(1) Er leistet den Eid: {quoted}Es geht auch ohne Muster.</P>")[1])
    assert paths[-1] == "abs 1 satz 2: Es geht auch ohne Muster."


def test_printed_sentence_numbers_win() -> None:
    content = (
        "<P>(1) <SUP class='Rec'>1</SUP>Es gilt z. B. Das. Hier. <SUP class='Rec'>2</SUP>Zwei "
        + _items(("1.", "eins; <SUP class='Rec'>2</SUP>innen"))
        + "<SUP class='Rec'>3</SUP>drei.</P>"
    )
    assert _paths(read(content)[1])[1:] == [
        "abs 1 satz 1: Es gilt z. B. Das. Hier.",
        "abs 1 satz 2: Zwei⏎1. eins; innen",
        "abs 1 satz 2 nr 1: 1. eins; innen",
        "abs 1 satz 2 nr 1 satz 1: eins;",
        "abs 1 satz 2 nr 1 satz 2: innen",
        "abs 1 satz 3: drei.",
    ]


def test_numbers_printed_in_a_quoted_text_do_not_count() -> None:
    content = (
        "<P>(1) Es gilt statt dessen: „(1) <SUP class='Rec'>1</SUP>Eins."
        " <SUP class='Rec'>2</SUP>Zwei.“</P>"
    )
    assert _paths(read(content)[1]) == [
        "abs 1: (1) Es gilt statt dessen: „(1) Eins. Zwei.“",
        "abs 1 satz 1: Es gilt statt dessen: „(1) Eins. Zwei.“",
    ]


def test_a_repealed_item_at_the_end_of_a_list_hides_no_full_stop() -> None:
    items = _items(("1.", "eins."), ("2.", "(weggefallen)"))
    paths = _paths(read(f"<P>Es ist {items}Danach gilt anderes.</P>")[1])
    assert paths[-1] == "satz 2: Danach gilt anderes."


@pytest.mark.parametrize(
    ("content", "count"),
    [
        ("Es gilt{table}In Proben gilt es nicht.", 2),
        ("Es gilt{table}in Mustern.", 1),
        ("Es gilt:<BR/>(Inhalt: nicht darstellbare Tabelle, Seite 3)<BR/>Proben sind rot.", 2),
    ],
)
def test_after_a_table_a_capital_begins_a_sentence(content: str, count: int) -> None:
    cells = "<entry>Muster</entry><entry>–</entry>"
    table = f"<table><tgroup cols='2'><tbody><row>{cells}</row></tbody></tgroup></table>"
    _, fassung = read(f"<P><pre>{content.format(table=table)}</pre></P>")
    assert sum(s.level == "satz" for s in fassung.segments) == count


def test_sentences_after_a_table_that_comes_first_are_counted() -> None:
    row = "<row><entry>{}</entry><entry>{}</entry></row>"
    rows = row.format(1, "rot") + row.format(2, "blau")
    table = f"<table><tgroup cols='2'><tbody>{rows}</tbody></tgroup></table>"
    assert _paths(read(f"<P>{table}Es gilt. Das genügt.</P>", "Anlage 1")[1]) == [
        "nr 1: 1 | rot",
        "nr 2: 2 | blau",
        "satz 1: Es gilt.",
        "satz 2: Das genügt.",
    ]


@pytest.mark.parametrize("second", ["<SUP class='Rec'>2</SUP>", " "])
def test_a_list_that_comes_first_is_the_first_sentence(second: str) -> None:
    """Printed numbers and counted ones alike, in an Absatz and in an item."""
    listed = _items(("a)", "Löwen, "), ("b)", "Bären."))
    words = f"{listed}{second}Bären sind braun. Sie fischen."
    expected = [
        "satz 1: a) Löwen,⏎b) Bären.",
        "satz 1 buchst a: a) Löwen,",
        "satz 1 buchst b: b) Bären.",
        "satz 2: Bären sind braun.",
        "satz 3: Sie fischen.",
    ]
    if second != " ":
        expected[3:] = ["satz 2: Bären sind braun. Sie fischen."]

    above = "abs 1 "
    assert _paths(read(f"<P>(1) {words}</P>")[1])[1:] == [above + each for each in expected]
    above = "abs 1 satz 1 nr 2 "
    item = _items(("1.", "Tiere:"), ("2.", words))
    assert _paths(read(f"<P>(1) Es gibt{item}</P>")[1])[4:] == [above + each for each in expected]


def test_a_section_that_is_its_list_has_the_sentences_that_are_numbered() -> None:
    """Its items may be the provisions themselves, with words between them."""
    listed = _items(("a)", "Löwen sind gelb."))
    words = f"{listed}Bären sind braun."
    assert _paths(read(f"<P>{words}</P>")[1]) == ["buchst a: a) Löwen sind gelb."]
    words = f"{listed}<SUP class='Rec'>2</SUP>Bären sind braun."
    assert _paths(read(f"<P>{words}</P>")[1])[::2] == [
        "satz 1: a) Löwen sind gelb.",
        "satz 2: Bären sind braun.",
    ]


def test_words_that_go_on_behind_a_list_are_of_its_sentence() -> None:
    item = _items(("1.", _items(("a)", "Löwen"), ("b)", "Bären")) + "im Zoo."))
    assert _paths(read(f"<P>Es gibt{item}</P>")[1])[1:] == [
        "satz 1 nr 1: 1.⏎a) Löwen⏎b) Bären⏎im Zoo.",
        "satz 1 nr 1 buchst a: a) Löwen",
        "satz 1 nr 1 buchst b: b) Bären",
    ]


def test_a_list_before_the_first_printed_number_is_before_all_sentences() -> None:
    words = f"{_items(('a)', 'Löwen,'))}<SUP class='Rec'>1</SUP>Es gilt.<SUP class='Rec'>2</SUP>Ja."
    assert _paths(read(f"<P>(1) {words}</P>")[1])[1:] == [
        "abs 1 buchst a: a) Löwen,",
        "abs 1 satz 1: Es gilt.",
        "abs 1 satz 2: Ja.",
    ]


def test_halves_are_cut_at_semicolons_outside_brackets_and_lists() -> None:
    content = (
        "<P>Es gilt (a; b); das genügt. Ganz ohne. Dazu zählen; auch "
        + _items(("1.", "eins; zwei;"), ("2.", "drei;"))
        + "</P>"
    )
    assert [line for line in _paths(read(content)[1]) if "hs" in line] == [
        "satz 1 hs 1: Es gilt (a; b);",
        "satz 1 hs 2: das genügt.",
        "satz 3 nr 1 hs 1: eins;",
        "satz 3 nr 1 hs 2: zwei;",
    ]


def test_an_unnumbered_paragraph_goes_on_with_the_absatz_before_it() -> None:
    paths = _paths(read("<P>(1) Es gilt:</P><P>a + b</P><P>Dabei ist a rot.</P>")[1])
    assert paths == [
        "abs 1: (1) Es gilt:⏎a + b⏎Dabei ist a rot.",
        "abs 1 satz 1: Es gilt:⏎a + b",
        "abs 1 satz 2: Dabei ist a rot.",
    ]


def test_a_label_for_several_absaetze_is_one_part() -> None:
    paths = _paths(read("<P>(1) Eins.</P><P>(2) und (3) (weggefallen)</P><P>(4) Vier.</P>")[1])
    assert [line for line in paths if " satz" not in line] == [
        "abs 1: (1) Eins.",
        "abs 2-3: (2) und (3) (weggefallen)",
        "abs 4: (4) Vier.",
    ]


def test_text_that_breaks_lines_is_still_one_sentence() -> None:
    paths = _paths(
        read("<P><pre>Es gilt<BR/>Großes. Und<BR/>Kleines.<BR/>Dann Schluß.</pre></P>")[1]
    )
    assert paths == [
        "satz 1: Es gilt⏎Großes.",
        "satz 2: Und⏎Kleines.",
        "satz 3: Dann Schluß.",
    ]


def test_an_annex_is_divided_by_its_headings_and_numbered_rows() -> None:
    content = (
        "<Title>Teil A Anfang</Title><P>(1) Eins.</P><Title>Abschnitt 1</Title><P>Zwei.</P>"
        "<Title>Teil B</Title><table><tgroup cols='2'><tbody>"
        "<row><entry>Nr.</entry><entry>Was</entry></row>"
        "<row><entry>1900</entry><entry>Gebühr</entry></row></tbody></tgroup></table>"
    )
    assert _paths(read(content, "Anlage 1")[1]) == [
        "teil A: Teil A Anfang⏎(1) Eins.⏎Abschnitt 1⏎Zwei.",
        "teil A abs 1: (1) Eins.",
        "teil A abs 1 satz 1: Eins.",
        "teil A abschnitt 1: Abschnitt 1⏎Zwei.",
        "teil A abschnitt 1 satz 1: Zwei.",
        "teil B: Teil B⏎Nr. | Was⏎1900 | Gebühr",
        "teil B nr 1900: 1900 | Gebühr",
    ]
    assert [line for line in _paths(read(content)[1]) if "teil" in line] == []


def test_a_body_begins_after_the_printed_label() -> None:
    _, fassung = read("<P>(12a) Es gilt " + _items(("1.", "eins"), ("–", "zwei")) + "</P>")
    bodies = {
        str(s.level): fassung.text[s.body : s.end].split("\n")[0] for s in fassung.segments
    }  # fmt: skip
    assert bodies == {"abs": "Es gilt", "satz": "Es gilt", "nr": "eins", "spiegelstrich": "zwei"}


_WORDS = st.sampled_from(
    ["Muster", "gilt.", "z. B.", "(1)", "(2) ", "1.", "; ", "§ 5.", "„a", "b“", "Die", "x:", " "]
)
_TEXT = st.lists(_WORDS, max_size=8).map(" ".join)


@st.composite
def _content(draw: st.DrawFn, depth: int = 3) -> str:
    parts = [draw(_TEXT)]
    if depth:
        for label in draw(
            st.lists(st.sampled_from(["1.", "a)", "–", "", "aa)", "Wort:"]), max_size=3)
        ):
            parts.append(f"<DL><DT>{label}</DT><DD><LA>{draw(_content(depth - 1))}</LA></DD></DL>")
            parts.append(draw(st.sampled_from(["", "<SUP class='Rec'>2</SUP>", "<BR/>"])))
            parts.append(draw(_TEXT))
    return "".join(parts)


@settings(max_examples=300, deadline=None)
@given(st.lists(_content(), min_size=1, max_size=4))
def test_segments_tile_whatever_the_text(paragraphs: list[str]) -> None:
    _, fassung = read("".join(f"<P>{paragraph}</P>" for paragraph in paragraphs))
    ends: dict[int, int] = {}
    for at, segment in enumerate(fassung.segments):
        outer = fassung.segments[segment.parent] if segment.parent >= 0 else None
        assert segment.parent < at
        assert segment.start <= segment.body <= segment.end <= len(fassung.text)
        assert segment.start < segment.end
        assert ends.get(segment.parent, 0) <= segment.start
        assert outer is None or outer.start <= segment.start <= segment.end <= outer.end
        ends[segment.parent] = segment.end


def _table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<entry>{cell}</entry>" for cell in row) for row in rows)
    body = "".join(f"<row>{row}</row>" for row in cells)
    return f"<table><tgroup cols='3'><tbody>{body}</tbody></tgroup></table>"


def test_numbered_rows_of_a_section_are_numbers_and_lettered_ones_below_them_letters() -> None:
    table = _table(
        ("1.", "für Leim", "2 Euro,"),
        ("2.", "für Nägel", ""),
        ("", "a) aus Holz", "3 Euro,"),
        ("", "b) aus Eisen,", "4 Euro,"),
        ("", "roh", ""),
        ("3.", "a)", "für Lack"),
    )
    assert _paths(read(f"<P>(1) Die Gebühr beträgt {table}</P>")[1])[2:] == [
        "abs 1 satz 1 nr 1: 1. | für Leim | 2 Euro,",
        "abs 1 satz 1 nr 2: 2. | für Nägel⏎| a) aus Holz | 3 Euro,⏎| b) aus Eisen, | 4 Euro,⏎| roh",
        "abs 1 satz 1 nr 2 buchst a: a) aus Holz | 3 Euro,",
        "abs 1 satz 1 nr 2 buchst b: b) aus Eisen, | 4 Euro,⏎| roh",
        "abs 1 satz 1 nr 3: 3. | a) | für Lack",
        "abs 1 satz 1 nr 3 buchst a: a) | für Lack",
    ]


def test_years_and_ages_in_a_table_are_no_numbers() -> None:
    table = _table(("Jahr", "Alter", "Monat"), ("2012", "65", "1"), ("1. Januar", "66", "2"))
    assert _paths(read(f"<P>(1) Es gilt {table}</P>")[1])[2:] == []


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("<P>(1) Es gilt.</P><P>(2)Das Weitere folgt.</P>", ["1", "2"]),
        ("<P>(1) Es gilt.</P><P>(2)(weggefallen)</P>", ["1", "2"]),
        (f"<P>(1) Es gilt: {_items(('1.', 'eins.'))}(1a) Dazu kommt.</P>", ["1", "1a"]),
        (
            f"<P>(2a) Es gilt: {_items(('1.', 'eins.'))}(2b) Dazu kommt.</P><P>(3) Ende.</P>",
            ["2a", "2b", "3"],
        ),
        (f"<P>(1) Es gilt: {_items(('1.', 'eins.'))}(7a) war es nicht.</P>", ["1"]),
        (f"<P>(1) Es gilt.</P>{_table(('(2)', 'Auch hier.', 'ja'))}<P>(3) Ende.</P>", list("123")),
        (f"<P>(1) Es gilt.</P>{_table(('(5)', 'Fünf', 'ja'))}<P>(2) Ende.</P>", list("12")),
    ],
)
def test_an_absatz_is_found_however_its_label_is_set(content: str, labels: list[str]) -> None:
    segments = read(content)[1].segments
    assert [segment.value for segment in segments if segment.level == "abs"] == labels


def test_the_words_of_an_absatz_begin_behind_its_label() -> None:
    _, fassung = read("<P>(1)Das Weitere folgt.</P>")
    assert fassung.text[fassung.segments[0].body :] == "Das Weitere folgt."


@pytest.mark.parametrize(
    ("before", "is_absatz"),
    [("Dies gilt.", True), ("(weggefallen)", True), ("Es gilt für", False), ("Es gilt:", False)],
)
def test_an_absatz_set_like_an_item_is_one_where_the_words_before_are_at_an_end(
    before: str, is_absatz: bool
) -> None:
    inner = _items(("1.", "Hämmer."), ("2.", "Sägen."))
    _, fassung = read(f"<P>(2c) {before}{_items(('(2d)', inner))}</P><P>(2e) Ende.</P>")
    absaetze = [one.value for one in fassung.segments if one.level == "abs"]
    assert absaetze == (["2c", "2d", "2e"] if is_absatz else ["2c", "2e"])
    if is_absatz:
        assert "abs 2d nr 2: 2. Sägen." in _paths(fassung)


def test_a_list_in_brackets_stays_one() -> None:
    numbered = _items(("(1)", "Hämmer."), ("(2)", "Sägen."))
    _, fassung = read(f"<P>(1) Verboten sind.{numbered}</P>")
    assert [one.value for one in fassung.segments if one.level == "abs"] == ["1"]
