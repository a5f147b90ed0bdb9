"""Annexes, what goes by a label alone, letters: each answers to what it is cited by."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.answers import Miss, Outcome, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    STAND,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

LISTED = "{nr 1|1. Nägel,}\n{nr 2|2. Schrauben,\n{buchst a|a) lange,}\n{buchst b|b) kurze.}}"
TABLE = "Lfd. | Stoff\n1 | 2\n1 | Leim\n| kalt\n2 | Harz\nLfd. | Farbe\n1 | 2\n1 | Blau"
LETTERS = "{buchst A|A. Holz\n{buchst a|a) Eiche}}\n{buchst B|B. Stein}"
TWICE = "{nr 1|1. (weggefallen)}\n{nr 1|1. Zange}\n{nr 2|2. Beil}\n{nr 2|2. Axt}"
DEEPER = "{abschnitt A|A\n{nr 1|1. Hobel}}\n{abschnitt B|B\n{nr 1|1. Feile}}"


def _annex(statute: Statute, label: str) -> Norm:
    return replace(
        build_norm(statute, label.replace("Anhang", "Anlage")),
        norm_id=f"{statute.statute_id}/{label.casefold().replace(' ', '-')}",
        number=label.casefold().replace(" ", "-"),
        label=label,
        citation=f"{label} {statute.abbreviation}",
    )


ONE = build_statute("EinMG", "Gesetz mit einem Anhang")
MANY = build_statute("VielMG", "Gesetz mit vielen Anlagen")
CLOSING = replace(
    build_norm(MANY, "Schlussformel"),
    norm_id="de/vielmg/schlussformel",
    number="schlussformel",
    kind=NormKind.FORMULA,
    citation="Schlussformel VielMG",
)


def _build() -> Library:
    held = [
        (build_norm(ONE, "§ 1", "Bild (Anlage 3 Bild 33)"), "Der Nagel hält."),
        (_annex(ONE, "Anhang"), LISTED),
        (build_norm(MANY, "§ 1"), "Der Nagel hält."),
        (build_norm(MANY, "§ 1d"), "Der Haken auch."),
        (_annex(MANY, "Anlage 1"), TABLE),
        (_annex(MANY, "Anhang 1"), LISTED),
        (_annex(MANY, "Anlage 2"), LETTERS),
        (_annex(MANY, "Anlage 3"), TWICE),
        (_annex(MANY, "Anlage 4"), DEEPER),
        (CLOSING, "{satz 1|Der Bundesrat hat zugestimmt.} {satz 2|Es gilt.}"),
    ]
    laws = [ONE, MANY]
    store = InventedStore(laws, [(norm, [build_fassung(norm, text)]) for norm, text in held])
    return Library(store, InventedIndex(store), LawNames.build(laws))


LIBRARY = _build()


def ask(written: str) -> Sequence[Outcome]:
    return resolve(LIBRARY, written, STAND).outcomes


def find(written: str) -> ProvisionHit:
    (outcome,) = ask(written)
    assert isinstance(outcome, ProvisionHit), outcome
    return outcome


def cut(written: str) -> str:
    hit = find(written)
    return hit.text[hit.start : hit.end]


@pytest.mark.parametrize(
    "written",
    [
        "Anhang Nr. 1 EinMG",
        "Anlage Nr. 1 EinMG",
        "Anhang EinMG Nr. 1",
        "Nr. 1 des Anhangs zum EinMG",
        "Anhang Nummer 1 EinMG",
    ],
)
def test_a_number_behind_an_annex_without_one_is_of_a_part_of_it(written: str) -> None:
    assert find(written).citation == "Anhang Nr. 1 EinMG"
    assert cut(written) == "1. Nägel,"


def test_what_stands_below_that_part_is_read_too() -> None:
    assert cut("Anhang Nr. 2 Buchst. b EinMG") == "b) kurze."
    assert [one.citation for one in map(find, ("Anhang Nr. 2 EinMG", "Anlage 1 EinMG"))] == [
        "Anhang Nr. 2 EinMG",
        "Anhang EinMG",
    ]


def test_each_of_a_list_of_such_numbers_is_a_part() -> None:
    hits = [one for one in ask("Anhang Nr. 1 und 2 EinMG") if isinstance(one, ProvisionHit)]

    assert [hit.citation for hit in hits] == ["Anhang Nr. 1 EinMG", "Anhang Nr. 2 EinMG"]


@pytest.mark.parametrize("written", ["Anhang Nr. 9 EinMG", "Anhang 2 EinMG"])
def test_a_number_that_no_part_bears_is_denied_as_that_of_an_annex(written: str) -> None:
    (outcome,) = ask(written)

    assert isinstance(outcome, Miss)
    assert outcome.status == "norm_does_not_exist"


def test_a_number_of_an_annex_that_there_is_remains_its_number() -> None:
    assert find("Anlage Nr. 2 VielMG").citation == "Anlage 2 VielMG"


def test_a_law_with_anlagen_and_anhaenge_of_one_number_keeps_them_apart() -> None:
    assert cut("Anhang 1 Nr. 1 VielMG") == "1. Nägel,"
    assert cut("Anlage 1 Nr. 2 VielMG") == "2 | Harz"


@pytest.mark.parametrize("written", ["Schlussformel Satz 2 VielMG", "Schlussformel S. 2 VielMG"])
def test_a_part_of_what_goes_by_a_label_is_found(written: str) -> None:
    assert cut(written) == "Es gilt."
    assert find(written).citation == "Schlussformel Satz 2 VielMG"


def test_the_line_that_counts_the_columns_is_no_row() -> None:
    hit = find("Anlage 1 Nr. 1 VielMG")

    assert hit.text[hit.start : hit.end] == "1 | Leim\n| kalt"


def test_of_several_rows_of_one_number_it_is_said_that_there_are_several() -> None:
    hit = find("Anlage 1 Nr. 1 VielMG")

    assert [place.citation for place in hit.alternatives] == ["Anlage 1 Nr. 1 VielMG"]
    (said,) = hit.warnings
    assert said.startswith("2 parts are cited as Anlage 1 Nr. 1 VielMG, and this is the first")
    assert find("Anlage 1 Nr. 2 VielMG").warnings == ()


def test_of_several_parts_of_one_number_one_that_is_not_repealed_is_given() -> None:
    assert cut("Anlage 3 Nr. 1 VielMG") == "1. Zange"
    assert cut("Anlage 3 Nr. 2 VielMG") == "2. Beil"
    assert "2 parts are cited" in find("Anlage 3 Nr. 2 VielMG").warnings[0]


def test_a_number_that_several_parts_farther_below_bear_names_them() -> None:
    hit = find("Anlage 4 Nr. 1 VielMG")

    assert hit.is_whole
    assert [place.citation for place in hit.alternatives] == [
        "Anlage 4 Abschnitt A Nr. 1 VielMG",
        "Anlage 4 Abschnitt B Nr. 1 VielMG",
    ]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Anlage 2 Buchst. B VielMG", "B. Stein"),
        ("Anlage 2 Buchst. A Buchst. a VielMG", "a) Eiche"),
        ("Anlage 2 Buchst. A VielMG", "A. Holz\na) Eiche"),
    ],
)
def test_letters_are_told_apart_by_their_size(written: str, text: str) -> None:
    assert cut(written) == text


def test_an_annex_beside_a_section_is_not_passed_over_for_the_words_of_its_heading() -> None:
    (outcome,) = ask("Anlage 3 § 1 EinMG")

    assert isinstance(outcome, Miss)
    assert outcome.unparsed == ("Anlage 3",)


def test_a_d_before_the_law_is_not_guessed_at_where_a_section_has_that_letter() -> None:
    (outcome,) = ask("§ 1 d. VielMG")

    assert isinstance(outcome, Miss)
    assert outcome.status == "ambiguous"
    assert [one.citation for one in outcome.suggestions] == ["§ 1 VielMG", "§ 1d VielMG"]
    assert find("§ 1 d. EinMG").citation == "§ 1 EinMG"
