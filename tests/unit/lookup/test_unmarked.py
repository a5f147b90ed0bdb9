"""A part whose label a reader sees is not denied, whether it was cut or not."""

from dataclasses import replace

import pytest

from fundstelle.law.citations import PathStep
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.parts.following import NoUnit, find_units
from fundstelle.lookup.parts.units import format_steps
from fundstelle.lookup.parts.unmarked import find_around
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import TODAY, build_library
from tests.unit.lookup.marked import read_marked

TEXT, SEGMENTS = read_marked(
    "{abs 1|(1) Die Gebühr beträgt\n1. | für Leim | 2 Euro,\n| a) kalt | 1 Euro,\n"
    "2. Für Lack auf Holz | 3 Euro.}\n{satz 1|(2)Verboten ist\n{nr 4|4. Werfen.}}"
)


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ([("abs", "1"), ("nr", "1")], 1),
        ([("abs", "1"), ("nr", "1"), ("buchst", "a")], 2),
        ([("abs", "1"), ("nr", "2")], 1),
        ([("abs", "1"), ("buchst", "a")], 1),
        ([("abs", "2")], 1),
        ([("abs", "2"), ("satz", "1")], 2),
        ([("abs", "1"), ("nr", "3")], None),
        ([("abs", "1"), ("nr", "4")], None),
        ([("abs", "3")], None),
        ([("abs", "1"), ("buchst", "b")], None),
    ],
)
def test_what_is_printed_is_given_within_the_part_around_it(
    path: list[tuple[str, str]], rest: int | None
) -> None:
    steps = [PathStep(level, value) for level, value in path]
    gap = find_units(SEGMENTS, steps, complete=True)
    assert isinstance(gap, NoUnit)
    around = find_around(TEXT, SEGMENTS, steps, gap)
    assert (around and len(around.rest)) == rest
    assert around is None or around.found == (gap.parent,)


@pytest.mark.parametrize(
    ("behind", "given", "denied"),
    [
        ("Leim ist Klebstoff.", ["1", "2", "9"], []),
        ("sind verboten.", ["1"], ["2", "9"]),
        ("", [], ["1", "2"]),
        ("______", [], ["1", "2"]),
    ],
)
def test_no_sentence_is_denied_where_words_stand_behind_the_list_that_a_section_is(
    behind: str, given: list[str], denied: list[str]
) -> None:
    text, segments = read_marked(f"{{nr 1|1. Nägel,}}\n{{nr 2|2. Leim}}\n{behind}")
    for value in given + denied:
        steps = [PathStep("satz", value)]
        gap = find_units(segments, steps, complete=True)
        assert isinstance(gap, NoUnit)
        around = find_around(text, segments, steps, gap)
        assert (around is not None) == (value in given)
        assert around is None or (around.found, around.rest) == ((-1,), tuple(steps))


def test_a_printed_number_is_answered_with_the_text_around_it() -> None:
    library = build_library("{abs 1|(1) Es kosten\n1. | Nägel | 2 Euro.}")
    [outcome] = resolve(library, "§ 9 Abs. 1 Nr. 1 MusterG", TODAY).outcomes
    assert isinstance(outcome, ProvisionHit)
    assert outcome.citation == "§ 9 Abs. 1 MusterG"
    assert [step.value for step in outcome.rest] == ["1"]


def test_no_part_of_a_law_held_in_excerpts_is_denied() -> None:
    library = build_library()
    statutes = library.store.statutes
    assert isinstance(statutes, dict)
    statutes["de/musterg"] = replace(statutes["de/musterg"], complete=False)
    [outcome] = resolve(library, "§ 2 Abs. 1 Nr. 9 MusterG", TODAY).outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "not_in_corpus"
    assert "only parts of MusterG are held" in outcome.reason


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("abs 1 satz 1 hs 2", "abs 1 satz 1"),
        ("abs 1 satz 1 nr 2 hs 2", "abs 1 satz 1 nr 2"),
        ("abs 2 hs 2", "abs 2"),
        ("abs 3 satz 1 hs 3", "abs 3 satz 1"),
    ],
)
def test_no_half_is_denied_of_what_has_a_semicolon(path: str, above: str) -> None:
    library = build_library(
        "{abs 1|(1) {satz 1|Der Hammer ruht; die Säge ruht\n{nr 1|1. {hs 1|nachts;} {hs 2|nie am"
        " Tag;}}\n{nr 2|2. im Regen; im Schnee\n{buchst a|a) {hs 1|oft;} {hs 2|selten.}}}}}\n"
        "{abs 2|(2) {satz 1|Sie ruht\n{nr 1|1. {hs 1|am Montag;} {hs 2|nie am Tag.}}}}\n"
        "{abs 3|(3) {satz 1|{hs 1|Der Leim (heiß; kalt) klebt;} {hs 2|der Lack nicht.}}}"
    )
    [outcome] = resolve(library, _cite(path), TODAY).outcomes
    assert isinstance(outcome, ProvisionHit)
    assert outcome.citation == _cite(above)
    assert [step.level for step in outcome.rest] == ["hs"]


def test_a_half_that_no_semicolon_may_begin_is_denied() -> None:
    library = build_library("{abs 1|(1) {satz 1|{hs 1|Der Leim klebt;} {hs 2|der Lack nicht.}}}")
    [outcome] = resolve(library, _cite("abs 1 satz 1 hs 3"), TODAY).outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "subunit_does_not_exist"


@pytest.mark.parametrize(
    ("value", "is_given"), [("1", True), ("2", True), ("last", True), ("3", False)]
)
def test_no_further_paragraph_of_an_item_is_denied(value: str, is_given: bool) -> None:
    text, segments = read_marked(
        "{nr 1|1. Wer lärmt\n{buchst a|a) nachts,}\n{buchst b|b) am Tag,}\nund nicht schläft.}"
    )
    steps = [PathStep("nr", "1"), PathStep("uabs", value)]
    gap = find_units(segments, steps, complete=True)
    assert isinstance(gap, NoUnit)
    around = find_around(text, segments, steps, gap)
    assert (around is not None) == is_given
    assert around is None or around.found == (0,)


def test_an_item_of_one_paragraph_has_no_second_one() -> None:
    text, segments = read_marked("{nr 1|1. Wer lärmt\n{buchst a|a) nachts,}\n{buchst b|b) tags.}}")
    steps = [PathStep("nr", "1"), PathStep("uabs", "1")]
    gap = find_units(segments, steps, complete=True)
    assert isinstance(gap, NoUnit)
    assert find_around(text, segments, steps, gap) is None


def _cite(path: str) -> str:
    words = path.split()
    steps = [PathStep(level, value) for level, value in zip(words[::2], words[1::2], strict=True)]
    return f"§ 9 {format_steps(steps)} MusterG"


@pytest.mark.parametrize(
    ("level", "value", "printed", "is_seen"),
    [
        ("nr", "2", "2. Leim", True),
        ("nr", "2", "Leim | 2.", True),
        ("nr", "2", "1 | 2.\tLeim", True),
        ("nr", "2", "(2) Leim", True),
        ("nr", "2", "2 | Leim", True),
        ("nr", "1.6.2", "1.6.2. Leim", True),
        ("abs", "2", "| | (2)Leim", True),
        ("buchst", "b", "| (b) Leim", True),
        ("dbuchst", "bb", "bb)", True),
        ("nr", "2", "12. Leim", False),
        ("nr", "2", "2.5 Leim", False),
        ("nr", "2", "(2), Leim", False),
        ("nr", "2", "Leim | 2 | Lack", False),
        ("abs", "2", "Leim | (2) Lack", False),
        ("buchst", "b", "Leim b) Lack", False),
        ("buchst", "b", "b)Leim", False),
    ],
)
def test_a_label_is_seen_where_it_opens_a_line_or_a_cell(
    level: str, value: str, printed: str, is_seen: bool
) -> None:
    gap = NoUnit(PathStep(level, value), -1, (), ())
    text = f"Kleben mit\n{printed}\nist erlaubt."
    assert (find_around(text, (), [gap.step], gap) is not None) == is_seen
