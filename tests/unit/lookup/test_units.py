from dataclasses import replace

import pytest

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.parts.following import NoUnit, Units, find_units
from fundstelle.lookup.parts.units import find_frame, format_steps, get_steps
from tests.unit.lookup.marked import read_marked

TEXT, SEGMENTS = read_marked(
    "{abs 1|{satz 1|(1) Wer ein Werkzeug leiht, muss es\n"
    "{nr 1|1. {satz 1|reinigen.} {satz 2|Dazu gehört auch:}\n{buchst a|a) der Stiel,}\n"
    "{buchst b|b) der Kopf,}}\n{nr 2|2. ölen und}\n{nr 2a|2a. prüfen,}\nbevor er es zurückgibt.}"
    " {satz 2|Das gilt auch sonntags; ausgenommen sind Ostern und Pfingsten.}}\n"
    "{abs 2|{satz 1|(2) Verboten ist:\n{nr 1|1. Werfen,}\n{nr 2|2. Schlagen.}}"
    " {satz 2|Erlaubt ist:\n{nr 1|1. Winken,}\n{nr 3|3. Rufen.}}}\n"
    "{abs 3|(3) {satz 1|{hs 1|Der Hammer ruht;} {hs 2|die Säge nicht.}}}"
)


def steps(path: str) -> list[PathStep]:
    """``abs 1 satz 1`` or ``nr 1-2``."""
    words = path.split()
    found = []
    for level, value in zip(words[::2], words[1::2], strict=True):
        first, _, last = value.partition("-")
        found.append(PathStep(level, first, last or None))
    return found


def cut(path: str) -> list[str]:
    units = find_units(SEGMENTS, steps(path), complete=True)
    assert isinstance(units, Units)
    return [TEXT[SEGMENTS[u].start : SEGMENTS[u].end] if u >= 0 else TEXT for u in units.found]


@pytest.mark.parametrize(
    ("path", "begins"),
    [
        ("abs 2", "(2) Verboten"),
        ("abs 1 satz 2", "Das gilt auch sonntags"),
        ("abs 1 satz 1 nr 2", "2. ölen"),
        ("abs 1 nr 2", "2. ölen"),
        ("abs 1 nr 2A", "2a. prüfen"),
        ("abs 1 nr 1 satz 2", "Dazu gehört"),
        ("abs 1 nr 1 buchst b", "b) der Kopf"),
        ("abs 1 satz 1 nr 1 buchst b", "b) der Kopf"),
        ("abs 1 buchst a", "a) der Stiel"),
        ("abs 1 nr last", "2a. prüfen"),
        ("abs 1 nr 2 satz 1", "2. ölen"),
        ("abs 1 nr 1b", "b) der Kopf"),
        ("abs 3 hs 2", "die Säge"),
        ("abs 3 satz 1 hs last", "die Säge"),
    ],
)
def test_a_path_leads_to_the_words_it_names(path: str, begins: str) -> None:
    assert [text.startswith(begins) for text in cut(path)] == [True]


def test_a_letter_is_of_the_number_before_only_where_no_word_calls_it_one() -> None:
    """``Nr. 2 a`` where there are no letters, but a Nr. 2a."""
    *above, letter = steps("abs 1 nr 2 buchst a")
    joined = SEGMENTS.index(next(part for part in SEGMENTS if part.value == "2a"))

    read = find_units(SEGMENTS, [*above, replace(letter, bare=True)], complete=True)
    assert read == Units((joined,), split=letter)
    gap = find_units(SEGMENTS, [*above, letter], complete=True)
    assert isinstance(gap, NoUnit)
    assert (gap.step, gap.joined) == (letter, joined)


@pytest.mark.parametrize(
    ("path", "begins"),
    [
        ("abs 1 nr 1-2", ["1. reinigen", "2. ölen"]),
        ("abs 1 nr 1-2a", ["1. reinigen", "2. ölen", "2a. prüfen"]),
        ("abs 2-f", ["(2)", "(3)"]),
        ("abs 1-ff", ["(1)", "(2)", "(3)"]),
    ],
)
def test_a_range_of_parts_is_several_units(path: str, begins: list[str]) -> None:
    found = cut(path)

    assert len(found) == len(begins)
    assert all(text.startswith(start) for text, start in zip(found, begins, strict=True))


@pytest.mark.parametrize("rest", ["alt 1", "var 2", "fall 1", "teil 1"])
def test_parts_that_no_text_marks_stay_as_a_rest_of_their_parent(rest: str) -> None:
    units = find_units(SEGMENTS, steps(f"abs 1 satz 2 {rest}"), complete=True)

    assert isinstance(units, Units)
    assert format_steps(get_steps(SEGMENTS, units.found[0])) == "Abs. 1 Satz 2"
    assert units.rest == tuple(steps(rest))


def test_the_first_sentence_of_a_part_whose_words_are_not_printed_stays_as_a_rest() -> None:
    text, (first, second) = read_marked("{abs 1|(1) Es gilt.}\n{abs 2|(2)}")
    segments = (first, replace(second, body=len(text)))
    units = find_units(segments, steps("abs 2 satz 1"), complete=True)

    assert isinstance(units, Units)
    assert units.rest == tuple(steps("satz 1"))
    assert isinstance(find_units(segments, steps("abs 2 satz 2"), complete=True), NoUnit)


def test_a_halbsatz_of_a_sentence_that_is_not_divided_stays_as_a_rest() -> None:
    units = find_units(SEGMENTS, steps("abs 2 satz 1 hs 2"), complete=True)

    assert isinstance(units, Units)
    assert units.rest == tuple(steps("hs 2"))


def test_a_number_of_two_lists_names_the_other_one_too() -> None:
    units = find_units(SEGMENTS, steps("abs 2 nr 1"), complete=True)

    assert isinstance(units, Units)
    assert [format_steps(get_steps(SEGMENTS, u)) for u in (*units.found, *units.others)] == [
        "Abs. 2 Satz 1 Nr. 1",
        "Abs. 2 Satz 2 Nr. 1",
    ]


@pytest.mark.parametrize(
    ("path", "missing", "existing", "elsewhere"),
    [
        ("abs 4", "abs", ["1", "2", "3"], []),
        ("abs 1 satz 3", "satz", ["1", "2"], []),
        ("abs 2 satz 2 nr 2", "nr", ["1", "3"], []),
        ("abs 1 satz 2 nr 1", "nr", [], []),
        ("abs 1 nr 1 buchst c", "buchst", ["a", "b"], []),
        ("satz 1", "satz", [], ["Abs. 1 Satz 1", "Abs. 2 Satz 1"]),
        ("nr 2a", "nr", [], ["Abs. 1 Satz 1 Nr. 2a"]),
        ("abs 2 buchst a", "buchst", [], []),
    ],
)
def test_what_is_not_there_is_named_beside_what_is(
    path: str, missing: str, existing: list[str], elsewhere: list[str]
) -> None:
    gap = find_units(SEGMENTS, steps(path), complete=True)

    assert isinstance(gap, NoUnit)
    assert gap.step.level == missing
    assert [SEGMENTS[unit].value for unit in gap.existing] == existing
    places = [format_steps(get_steps(SEGMENTS, unit)) for unit in gap.elsewhere]
    assert places[: len(elsewhere)] == elsewhere


def test_an_undivided_text_is_its_own_first_sentence_and_has_no_absatz() -> None:
    assert find_units((), steps("satz 1"), complete=True) == Units((-1,))
    assert isinstance(find_units((), steps("satz 2"), complete=True), NoUnit)
    assert isinstance(find_units((), steps("abs 1"), complete=True), NoUnit)


@pytest.mark.parametrize(
    ("marked", "path"),
    [
        ("{nr 1|1. Wer sägt, kehrt.}\n{nr 2|2. Wer bohrt, auch.}", "satz 1"),
        ("{nr 1|1. Wer sägt, kehrt.}\n{nr 2|2. Wer bohrt, auch.}", "satz last"),
        ("{abs 1|(1) {nr 1|1. Wer sägt, kehrt.}}", "abs 1 satz 1"),
        ("Hier gilt:\n{nr 1|1. {satz 1|Ruhe.} {satz 2|Stets.}}", "satz 1"),
        ("{satz 1|Verboten sind\n{nr 1|1. Lärm und}\n{nr 2|2. Staub.}}", "satz 1 satz 1"),
    ],
)
def test_a_first_sentence_is_not_passed_over_where_there_is_none(marked: str, path: str) -> None:
    _, segments = read_marked(marked)

    assert isinstance(find_units(segments, steps(path), complete=True), NoUnit)


def test_an_item_with_a_list_in_it_is_its_own_first_sentence() -> None:
    _, segments = read_marked(
        "{nr 1|1. messen, und zwar\n{buchst a|a) genau,}\n{buchst b|b) bald}}"
    )

    assert find_units(segments, steps("nr 1 satz 1"), complete=True) == Units((0,))


def test_an_annex_without_marks_does_not_deny_its_parts() -> None:
    units = find_units((), steps("nr 3100"), complete=False)

    assert units == Units((-1,), rest=tuple(steps("nr 3100")))


def test_a_list_item_comes_with_the_words_before_and_after_its_list() -> None:
    units = find_units(SEGMENTS, steps("abs 1 nr 2"), complete=True)
    assert isinstance(units, Units)

    assert find_frame(SEGMENTS, units.found[0], TEXT) == (
        "(1) Wer ein Werkzeug leiht, muss es",
        "bevor er es zurückgibt.",
    )


@pytest.mark.parametrize(
    ("path", "begins"),
    [("abs 2", "Zweitens"), ("uabs 2", "Zweitens"), ("abs 2 satz 2", "Mehr")],
)
def test_paragraphs_without_numbers_are_counted(path: str, begins: str) -> None:
    text, segments = read_marked(
        "{uabs 1|{satz 1|Erstens.}}\n{uabs 2|{satz 1|Zweitens.} {satz 2|Mehr nicht.}}"
    )
    units = find_units(segments, steps(path), complete=True)
    assert isinstance(units, Units)
    (unit,) = units.found
    assert text[segments[unit].start :].startswith(begins)
    assert (units.split is not None) == path.startswith("abs")
    assert isinstance(find_units(segments, steps("abs 3"), complete=True), NoUnit)


@pytest.mark.parametrize(
    ("path", "begins"),
    [
        ("abs 1 satz 1 buchst b", "b) gewogen"),
        ("abs 1 buchst b", "b) gewogen"),
        ("abs 1 satz 2 buchst a", None),  # the list is behind the first sentence
        ("abs 1 satz 1 buchst c", None),
    ],
)
def test_a_list_beside_the_sentence_that_leads_to_it_is_cited_with_it(
    path: str, begins: str | None
) -> None:
    """As acts of the EU are marked: the sentence ends with its colon."""
    text, segments = read_marked(
        "{abs 1|{satz 1|(1) Werkzeug wird:}\n{buchst a|a) gezählt,}\n{buchst b|b) gewogen.}\n"
        "{satz 2|Danach ruht es.}}"
    )
    found = find_units(segments, steps(path), complete=True)
    if begins is None:
        assert isinstance(found, NoUnit)
    else:
        assert isinstance(found, Units)
        assert text[segments[found.found[0]].start :].startswith(begins)


THROUGH = (
    "{abs 1|1. {uabs 1|{satz 1|Eins.}\n{buchst a|a) {satz 1|Lärm.}}}\n"
    "{uabs 2|{satz 1|Zwei.} {satz 2|Drei.}}\n{uabs 3|Vier.}}"
)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("abs 1 satz 1", ["Eins."]),
        ("abs 1 satz 2", ["Zwei."]),
        ("abs 1 satz 3", ["Drei."]),
        ("abs 1 satz 4", ["Vier."]),
        ("abs 1 satz last", ["Vier."]),
        ("abs 1 satz 2-4", ["Zwei.", "Drei.", "Vier."]),
        ("abs 1 uabs 2 satz 2", ["Drei."]),
        ("abs 1 uabs 2 satz 1", ["Zwei."]),
    ],
)
def test_sentences_are_counted_through_the_unterabsaetze_where_none_is_named(
    path: str, words: list[str]
) -> None:
    text, segments = read_marked(THROUGH)
    units = find_units(segments, steps(path), complete=True)
    assert isinstance(units, Units)
    assert [text[segments[u].start : segments[u].end] for u in units.found] == words


@pytest.mark.parametrize("path", ["abs 1 satz 5", "abs 1 satz 3-5", "abs 1 uabs 2 satz 3"])
def test_no_sentence_is_counted_beyond_the_last(path: str) -> None:
    _, segments = read_marked(THROUGH)
    assert isinstance(find_units(segments, steps(path), complete=True), NoUnit)


def test_roman_numbers_that_stand_below_no_letter_are_cited_as_letters_and_as_numbers() -> None:
    numbers = [Segment(Level.NUMMER, value, at, at + 1, at, 0) for at, value in enumerate("ivx")]
    segments = (Segment(Level.ABSATZ, "2", 0, 9, 0, -1), *numbers)
    for at, (letter, number) in enumerate((("i", "1"), ("v", "5"), ("x", "10")), start=1):
        for path in (f"abs 2 buchst {letter}", f"abs 2 nr {letter}", f"abs 2 nr {number}"):
            assert find_units(segments, steps(path), complete=True) == Units((at,))
    assert isinstance(find_units(segments, steps("abs 2 buchst a"), complete=True), NoUnit)
    arabic = (segments[0], replace(numbers[0], value="1"))
    assert isinstance(find_units(arabic, steps("abs 2 buchst i"), complete=True), NoUnit)
