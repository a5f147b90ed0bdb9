"""What stands beside each other is bound, and compared with its neighbours alone."""

import pytest

from fundstelle.citations.decisions import scan
from fundstelle.citations.decisions.checks import check_ecli
from fundstelle.citations.decisions.scan import find_decisions
from fundstelle.law.citations import DecisionCitation

CASE = "ECLI:DE:BGH:2010:010110UIZR{0}.10.0, BGH I ZR {0}/10; NJW 2000, {0}; "


def test_each_ecli_goes_with_the_docket_beside_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def count(target: DecisionCitation, decoded: DecisionCitation) -> list[str]:
        compared.append(target)
        return check_ecli(target, decoded)

    monkeypatch.setattr(scan, "check_ecli", count)
    places = find_decisions("".join(map(CASE.format, range(1, 201))))
    cases = [place.targets[0] for place in places]
    named = [case for case in cases if isinstance(case, DecisionCitation)]
    assert [case.docket for case in named] == [f"I ZR {number}/10" for number in range(1, 201)]
    assert [case.ecli for case in named] == [
        f"ECLI:DE:BGH:2010:010110UIZR{number}.10.0" for number in range(1, 201)
    ]
    assert len(cases) == 2 * len(named), "and each page is one of its own"
    assert len(compared) <= 2 * len(named)


@pytest.mark.parametrize("sign", ["C", "F", "T"])
def test_a_letter_behind_a_chamber_is_no_case_of_the_union(sign: str) -> None:
    (place,) = find_decisions(f"OVG Münster 13a {sign} 11/08")
    (target,) = place.targets

    assert isinstance(target, DecisionCitation)
    assert (target.court, target.docket) == ("OVG Nordrhein-Westfalen", f"13a {sign} 11/08")
    (place,) = find_decisions(f"EuGH, Rs. {sign} 11/08")
    (target,) = place.targets
    assert isinstance(target, DecisionCitation)
    assert target.docket == f"{sign}-11/08"


@pytest.mark.parametrize(
    ("written", "docket"),
    [
        ("VG Frankfurt 7 E 1487/07(3), Urteil vom 23.01.2008", "7 E 1487/07(3)"),
        ("VG Frankfurt, Urteil vom 23.01.2008 - 7 E 1675/07 (2)", "7 E 1675/07 (2)"),
        ("VG Frankfurt 7 K 805/08.F(3)", "7 K 805/08.F(3)"),
        ("VG Frankfurt, Beschluss vom 27.07.2009 - 7 L 1553/09.F (V)", "7 L 1553/09.F (V)"),
        ("VG Köln 13 K 4067/06 (12)", "13 K 4067/06"),
    ],
)
def test_the_parts_of_a_case_have_a_number_in_brackets(written: str, docket: str) -> None:
    (place,) = find_decisions(written)
    (target,) = place.targets

    assert isinstance(target, DecisionCitation)
    assert target.docket == docket


@pytest.mark.parametrize("written", ["Gutachten 1/19", "Opinion 1/19", "Avis 1/19, Rn. 3"])
def test_an_opinion_of_the_court_needs_no_court(written: str) -> None:
    place = find_decisions(written)[0]

    assert place.targets == (DecisionCitation("EuGH", "Gutachten 1/19"),)


@pytest.mark.parametrize(
    "text",
    ["Das Gutachten 1/19 der Sachverständigen ist falsch.", "Gutachten 3/19", "Gutachten 1/193"],
)
def test_other_opinions_are_none_of_the_court(text: str) -> None:
    dockets = [getattr(place.targets[0], "docket", "") for place in find_decisions(text)]
    assert not any("Gutachten" in each for each in dockets)


@pytest.mark.parametrize(
    ("written", "docket"),
    [
        ("OLG Bamberg, Beschl. v. 07.02.2024 – 10 U 61/23 e", "10 U 61/23 e"),
        ("(OLG München, Beschluss vom 24.11.2023 - 28 W 1292/23 Bau e)", "28 W 1292/23 Bau e"),
        ("LG München II, 1 O 1722/22 Hei; anders", "1 O 1722/22 Hei"),
        ("OLG Bamberg, 10 U 61/23 e contrario", "10 U 61/23"),
        ("OLG Bamberg, 10 U 61/23 Bauen", "10 U 61/23"),
    ],
)
def test_bavarian_letters_behind_the_year_belong_to_the_number(written: str, docket: str) -> None:
    (place,) = find_decisions(written)
    (target,) = place.targets
    assert isinstance(target, DecisionCitation)
    assert target.docket == docket
