"""What a publisher's note says of the Constitutional Court is read part by part."""

import pytest

from fundstelle.lookup.parts.units import format_steps
from fundstelle.lookup.validity.declared import read_note

JUDGED = "gem. BVerfGE v. 3.4.2019 I 99 - 1 BvR 1/18 -"
BAD = f"Mit GG unvereinbar {JUDGED}"


@pytest.mark.parametrize(
    ("place", "parts"),
    [
        ("§ 4", []),
        ("§§ 4 bis 6", []),
        ("Art. IX § 4 Abs. 1 u. 2", ["Abs. 1", "Abs. 2"]),
        ("Abschn. II Art. 4 Abs. 1 Nr. 3", ["Abs. 1 Nr. 3"]),
        ("§ 4 Abs. 1 Satz 2 u. 3", ["Abs. 1 Satz 2", "Abs. 1 Satz 3"]),
        ("§ 4 Abs. 1 Satz 1 Buchst. d, Abs. 3", ["Abs. 1 Satz 1 Buchst. d", "Abs. 3"]),
        ("§ 4 Nr. 2 Variante 1 idF d. G v. 1.2.2017 I 1", ["Nr. 2 Var. 1"]),
        ("§ 4 Abs. 3 Halbsatz 1 (früher Abs. 2)", ["Abs. 3 Halbsatz 1"]),
        ("§ 4 Abs. 1, jeweils idF d. Art. 3 Nr. 12 G v. 24.3.2011 I 4", ["Abs. 1"]),
        ("§ 4 Abs. 5 (F. 23.10.2000 u. ff. F.)", ["Abs. 5"]),
        ("§ 4 Abs. 7 iVm Abs. 5 Satz 1", ["Abs. 7", "Abs. 5 Satz 1"]),
        ("§ 4 Abs. 1 iVm § 5 Abs. 3", ["Abs. 1"]),
        ("Anlage 3", []),
    ],
)
def test_the_parts_before_the_colon_are_those_that_were_judged(
    place: str, parts: list[str]
) -> None:
    (found,) = read_note(f"{place}: {BAD}")

    assert found.paths is not None
    assert [format_steps(path) for path in found.paths] == parts


def test_a_place_that_is_not_read_to_its_end_names_no_part() -> None:
    (found,) = read_note(f"§ 4 Abs. 2 Randspalte oben: {BAD}")

    assert found.paths is None
    assert found.place == "Abs. 2 Randspalte oben"


@pytest.mark.parametrize(
    "words",
    [
        f"Nichtig, soweit er Leim betrifft, {JUDGED}",
        f"Teilweise mit GG unvereinbar {JUDGED}",
        f"IVm § 7 Abs. 2 mit Art. 3 GG unvereinbar {JUDGED}",
        f"§ 9 Abs. 4 mit GG unvereinbar {JUDGED}",
        "Wegen der Verein- und Unvereinbarkeit mit dem GG vgl. BVerfGE v. 3.4.2019 I 99",
    ],
)
def test_what_is_not_said_of_the_words_alone_is_limited(words: str) -> None:
    (found,) = read_note(f"§ 4 Abs. 2: {words}")

    assert found.is_limited
    assert not read_note(f"§ 4 Abs. 2: Mit Art. 3 Abs. 1 iVm Art. 9 GG unvereinbar {JUDGED}")[
        0
    ].is_limited


def test_a_note_says_itself_that_the_text_has_changed() -> None:
    mended = f"§ 4: {BAD}. Zur Umsetzung der Anforderungen des BVerfG vgl. G v. 1.1.2020 I 1"
    later = (
        f"§ 4: Eingef. durch G v. 1.2.2003 I 4; mit GG unvereinbar {JUDGED}; idF d. G v. 1.1.2020"
    )
    before = (
        f"§ 4: Eingef. durch G v. 1.2.2003 I 4; idF d. G v. 1.2.2004; mit GG unvereinbar {JUDGED}"
    )

    assert [read_note(each)[0].is_former for each in (mended, later, before)] == [True, True, False]


def test_a_place_of_several_words_is_one_place() -> None:
    note = f"§ 4 Abs. 1 Nr. 3 iVm § 5 Abs. 3: {BAD} § 4 Abs. 2: Nichtig {JUDGED}"

    assert [(each.kind, each.place) for each in read_note(note)] == [
        ("incompatible", "Abs. 1 Nr. 3 iVm § 5 Abs. 3"),
        ("void", "Abs. 2"),
    ]
