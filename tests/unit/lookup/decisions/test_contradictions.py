"""What is written of a decision against what is held of it."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.citations.parse import parse
from fundstelle.law.citations import DecisionCitation
from fundstelle.law.decisions import DecisionType
from fundstelle.lookup.decisions.contradictions import list_contradictions
from tests.unit.corpus.decision_values import make_decision

HELD = replace(
    make_decision("VG Köln", "13 K 26/11", date(2012, 12, 6)),
    decision_type=DecisionType.URTEIL,
    ecli="ECLI:DE:VGK:2012:1206.13K26.11.00",
)
OPINION = replace(
    make_decision("EuG", "T-211/00", date(2002, 2, 7)), decision_type=DecisionType.URTEIL
)
BRACKETED = make_decision("VG Frankfurt", "7 E 1675/07 (2)", date(2008, 11, 11))


JOINED = replace(
    make_decision("EuGH", "C-39/05 P", date(2008, 7, 1)),
    dockets=("C-39/05 P", "C-52/05 P"),
    decision_type=DecisionType.URTEIL,
)


def compare(written: str, held: object = HELD) -> list[str]:
    targets = [one for one in parse(written).targets if isinstance(one, DecisionCitation)]
    return list_contradictions(written, targets[0], held, targets[1:])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "written",
    [
        "VG Köln, Urteil vom 06.12.2012 - 13 K 26/11",
        "VG Köln, Urt. v. 6. Dezember 2012, Az.: 13 K 26/11, Rn. 5",
        "VG Köln 13 K 26/11",
        "13 K 26/11",
        "Urteil vom 6.12.2012 – 13 K 26/11 –, juris Rn. 12 ff.",
        "VG Köln, Teilurteil vom 06.12.2012 - 13 K 26/11",
    ],
)
def test_what_is_so_is_not_doubted(written: str) -> None:
    assert compare(written) == []


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "VG Bonn, Urteil vom 06.12.2012 - 13 K 26/11",
            "it is a decision of the VG Köln, not of the VG Bonn",
        ),
        (
            "VG Bonn, Urteil vom 06.12.2012 [Aktenzeichen: 13 K 26/11]",
            "it is a decision of the VG Köln, not of the VG Bonn",
        ),
        ("VG Köln, Beschluss vom 06.12.2012 - 13 K 26/11", "it is a Urteil, not a Beschluss"),
        ("VG Köln, Beschl. v. 06.12.2012 - 13 K 26/11", "it is a Urteil, not a Beschluss"),
        ("VG Köln, Urteil vom 07.12.2012 - 13 K 26/11", "it is of 2012-12-06, not of 2012-12-07"),
        ("VG Köln - 13 K 26/11 - ECLI:DE:VGK:2012:1206.13K26.11.01", f"its ECLI is {HELD.ecli}"),
    ],
)
def test_what_is_not_so_is_told(written: str, told: str) -> None:
    assert compare(written) == [told]


def test_the_court_of_justice_stands_for_the_general_court_too() -> None:
    assert compare("EuGH, Urteil vom 07.02.2002 - T-211/00", OPINION) == []
    [told] = compare("BVerfG, Urteil vom 07.02.2002 - T-211/00", OPINION)
    assert "not of the BVerfG" in told


def test_the_bracket_of_an_aktenzeichen_is_compared() -> None:
    assert compare("VG Frankfurt, 7 E 1675/07 (2)", BRACKETED) == []
    assert compare("VG Frankfurt, 7 E 1675/07", BRACKETED) == []
    assert compare("VG Frankfurt, 7 E 1675/07 (3)", BRACKETED) == [
        "its Aktenzeichen is 7 E 1675/07 (2)"
    ]


@pytest.mark.parametrize(
    "kind",
    [
        "Schlussanträge des Generalanwalts Szpunar",
        "Schlußanträge GA Szpunar",
        "Schlussantrag",
        "Opinion of Advocate General Szpunar",
    ],
)
def test_the_opinion_of_an_advocate_general_is_no_judgment(kind: str) -> None:
    assert compare(f"{kind}, C-39/05 P", JOINED) == ["it is a Urteil, not Schlussanträge"]
    opinion = replace(JOINED, decision_type=DecisionType.SCHLUSSANTRAEGE)
    assert compare(f"{kind}, C-39/05 P", opinion) == []
    assert compare("EuGH, Urteil, C-39/05 P", opinion) == ["it is Schlussanträge, not a Urteil"]


def test_an_opinion_is_a_kind_of_decision_at_the_court_of_justice_only() -> None:
    assert compare("EuGH, Gutachten, C-39/05 P", JOINED) == ["it is a Urteil, not a Gutachten"]
    assert compare("VG Köln - 13 K 26/11 - Gutachten") == []


def test_a_court_further_away_is_not_the_one_that_is_cited() -> None:
    written = "wie das VG Bonn meint; so das Urteil zu einem Hund, 13 K 26/11"
    assert compare(written) == []


@pytest.mark.parametrize(
    "dockets", ["C-39/05 P", "C-39/05 P, C-52/05 P", "C-39/05 P und C-52/05 P"]
)
def test_joined_numbers_are_compared_as_one_is(dockets: str) -> None:
    assert compare(f"EuGH, Urteil vom 01.07.2008 - {dockets}", JOINED) == []
    assert compare(f"BFH, Beschluss vom 02.07.2008 - {dockets}", JOINED) == [
        "it is a decision of the EuGH, not of the BFH",
        "it is of 2008-07-01, not of 2008-07-02",
        "it is a Urteil, not a Beschluss",
    ]


def test_beside_another_decision_only_the_court_right_before_is_compared() -> None:
    both = "Beschluss vom 02.07.2008 des BFH, C-39/05 P, und VI ZR 175/22"
    assert compare(both, JOINED) == ["it is a decision of the EuGH, not of the BFH"]


FEDERAL = replace(
    make_decision("BVerwG", "7 C 22.15", date(2017, 6, 29)),
    decision_type=DecisionType.URTEIL,
    ecli=None,
)


@pytest.mark.parametrize(
    ("ecli", "told"),
    [
        ("ECLI:DE:BVerwG:2017:290617U7C22.15.0", []),
        (
            "ECLI:DE:BVerwG:2017:290617B7C22.15.0",
            ["it is a Urteil, not a Beschluss as the ECLI says"],
        ),
        (
            "ECLI:DE:BVerwG:2017:280617U7C22.15.0",
            ["it is of 2017-06-29, not of 2017-06-28 as the ECLI says"],
        ),
        (
            "7 C 22.15, ECLI:DE:BVerwG:2017:290617U8C22.15.0",
            ["its Aktenzeichen is 7 C 22.15, not 8 C 22.15 as the ECLI says"],
        ),
        (
            "7 C 22.15, ECLI:DE:BGH:2017:290617UVIZR1.15.0",
            [
                "it is a decision of the BVerwG, not of the BGH as the ECLI says",
                "its Aktenzeichen is 7 C 22.15, not VI ZR 1/15 as the ECLI says",
            ],
        ),
    ],
)
def test_an_ecli_is_compared_by_what_it_says_where_none_is_held(ecli: str, told: list[str]) -> None:
    [*_, target] = [one for one in parse(ecli).targets if isinstance(one, DecisionCitation)]
    assert list_contradictions(ecli, target, FEDERAL) == told


@pytest.mark.parametrize("said", ["BVerwG {}, 7 C 22.15", "BVerwG, Urteil von {} - 7 C 22.15"])
def test_a_year_alone_is_compared(said: str) -> None:
    assert compare(said.format(2017), FEDERAL) == []
    assert compare(said.format(2018), FEDERAL) == ["it is of 2017, not of 2018"]
    assert compare("BVerwG, NVwZ 2018, 1862 - 7 C 22.15", FEDERAL) == []


def test_a_senat_is_compared_where_it_is_known() -> None:
    held = replace(FEDERAL, panel="7. Senat")
    assert compare("BVerwG, 7. Senat, 7 C 22.15", held) == []
    assert compare("BVerwG, VII. Senat, 7 C 22.15", held) == []
    assert compare("BVerwG, 8. Senat, 7 C 22.15", held) == ["it is of the 7. Senat"]
    assert compare("BVerwG, 8. Senat, 7 C 22.15", replace(held, panel=None)) == []


@pytest.mark.parametrize("kind", ["Generalanwalt Szpunar", "Generalanwältin"])
def test_an_advocate_general_gives_no_judgment(kind: str) -> None:
    assert compare(f"{kind}, C-39/05 P", JOINED) == ["it is a Urteil, not Schlussanträge"]


RETRIEVED = "juris (zuletzt abgerufen am 1.1.2024)"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (f"VG Köln, Urteil vom 5.5.2001 - {HELD.ecli}, {RETRIEVED}", "2001-05-05"),
        (f"VG Köln, Urteil vom 5.5.2001 - 13 K 26/11, {RETRIEVED}", "2001-05-05"),
        ("VG Köln, Urteil vom 5.5.2001 - 13 K 26/11, Stand: 6.6.2003", "2001-05-05"),
        ("VG Köln, Urteil vom 5.5.2001 - 13 K 26/11 (vom 6.6.2003)", "2001-05-05"),
        ("VG Köln, Urteil vom 5.5.2001, 6.6.2003 - 13 K 26/11", "2001-05-05, 2003-06-06"),
        (f"VG Köln, Urteil vom 6.12.2012 - 13 K 26/11, {RETRIEVED}", ""),
        (f"VG Köln - {HELD.ecli}, {RETRIEVED}", ""),
        ("VG Köln, 13 K 26/11, vom 1.1.2013 und 2.2.2014", ""),
    ],
)
def test_a_further_day_hides_no_wrong_one(written: str, told: str) -> None:
    expected = [f"it is of 2012-12-06, not of {told}"] if told else []
    assert compare(written) == expected


def test_one_number_of_two_courts_is_compared_with_that_of_its_own() -> None:
    written = (
        "VG Köln, Urteil vom 6.12.2012 - 13 K 26/11, VG Bonn, Urteil vom 1.2.2013 - 13 K 26/11"
    )
    one, two = (each for each in parse(written).targets if isinstance(each, DecisionCitation))
    assert list_contradictions(written, one, HELD, [two]) == []
    bonn = replace(make_decision("VG Bonn", "13 K 26/11", date(2013, 2, 1)), ecli=None)
    assert list_contradictions(written, two, bonn, [one]) == []
