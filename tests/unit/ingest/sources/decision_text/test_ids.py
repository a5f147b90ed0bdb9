"""Courts, dockets, days and kinds of decisions as publishers print them."""

from datetime import date

import pytest

from fundstelle.ingest.sources.decision_text.ids import (
    build_id,
    correct_court,
    get_jurisdiction,
    read_court,
    read_day,
    read_dockets,
    read_ecli,
    read_lower_instances,
    read_type,
)
from fundstelle.law.decisions import DecisionType as Kind
from fundstelle.law.decisions import LowerInstance


@pytest.mark.parametrize(
    ("text", "dockets"),
    [
        ("VI ZR 1/21", ("VI ZR 1/21",)),
        ("VI\u00a0ZR\u00a01/21", ("VI ZR 1/21",)),
        ("2 BvQ 53/18, 2 BvQ 54/18 und 55/18", ("2 BvQ 53/18", "2 BvQ 54/18", "2 BvQ 55/18")),
        ("C\u2011514/07 P, C\u2011528/07 P", ("C-514/07 P", "C-528/07 P")),
        ("7 C 22.15", ("7 C 22.15",)),
        ("3194.Z3-3_01-22-49", ("3194.Z3-3_01-22-49",)),
        ("VI ZR 1/21, VI ZR 1/21", ("VI ZR 1/21",)),
        ("", ()),
    ],
)
def test_every_docket_of_a_list_is_read(text: str, dockets: tuple[str, ...]) -> None:
    assert read_dockets(text) == dockets


@pytest.mark.parametrize(
    ("name", "court"),
    [
        ("Bundesgerichtshof", "BGH"),
        ("BGH ", "BGH"),
        ("Oberlandesgericht Köln", "OLG Köln"),
        ("Kammergericht Berlin", "KG"),
        ("Verwaltungsgerichtshof Bayern", "VGH Bayern"),
        ("Vergabekammer München", "Vergabekammer München"),
        ("", ""),
    ],
)
def test_courts_have_their_short_names(name: str, court: str) -> None:
    assert read_court(name) == court


@pytest.mark.parametrize(
    ("text", "court", "kind"),
    [
        ("Schlussurteil", "BGH", Kind.URTEIL),
        ("EuGH-Vorlage Beschluß", "BGH", Kind.BESCHLUSS),
        ("Nichtannahmebeschluss", "BVerfG", Kind.BESCHLUSS),
        ("Ablehnung einstweilige Anordnung", "BVerfG", Kind.BESCHLUSS),
        ("Gerichtsbescheid", "VG Köln", Kind.GERICHTSBESCHEID),
        ("Verfügung", "BGH", Kind.VERFUEGUNG),
        ("Schlussanträge", "EuGH", Kind.SCHLUSSANTRAEGE),
        ("", "BVerfG", Kind.OTHER),
        ("Hinweis", "BGH", Kind.OTHER),
    ],
)
def test_kinds_are_told_by_the_word_at_the_head(text: str, court: str, kind: Kind) -> None:
    assert read_type(text, court) is kind


@pytest.mark.parametrize("text", ["20220315", "15.03.2022", "2022-03-15", "vom 15. März 2022"])
def test_days_are_read_in_every_spelling(text: str) -> None:
    assert read_day(text) == date(2022, 3, 15)


def test_what_is_no_day_or_ecli_is_none() -> None:
    assert read_day("20221399") is None
    assert read_day("") is None
    assert read_ecli("") is None
    assert read_ecli("(ECLI:DE:BGH:2022:150322UVIZR1.21.0)") == "ECLI:DE:BGH:2022:150322UVIZR1.21.0"


def test_ids_tell_jurisdictions_and_kinds_apart() -> None:
    day = date(2021, 3, 11)
    assert build_id("VG Köln", ["13 K 1189/20"], day, Kind.URTEIL) == (
        "de/vg-koeln/13-k-1189-20/2021-03-11/urteil"
    )
    assert build_id("EuGH", ["C-353/01 P"], None, Kind.URTEIL) == (
        "eu/eugh/c-353-01-p/ohne-datum/urteil"
    )
    assert [get_jurisdiction(c) for c in ("BGH", "EuG", "EGMR")] == ["de", "eu", "int"]


def test_every_lower_instance_is_read() -> None:
    text = (
        "vorgehend OLG Köln, 2. Mai 2020, Az: 13 U 7/19, Urteil vorgehend LG Köln, 3. Juni 2019,"
        " Az: 2 O 3/18"
    )
    assert read_lower_instances(text) == (
        LowerInstance(
            "vorgehend OLG Köln, 2. Mai 2020, Az: 13 U 7/19, Urteil",
            "OLG Köln",
            "13 U 7/19",
            date(2020, 5, 2),
        ),
        LowerInstance(
            "vorgehend LG Köln, 3. Juni 2019, Az: 2 O 3/18",
            "LG Köln",
            "2 O 3/18",
            date(2019, 6, 3),
        ),
    )
    (unread,) = read_lower_instances("vorgehend irgendwo")
    assert unread == LowerInstance("vorgehend irgendwo")


@pytest.mark.parametrize(
    ("court", "dockets", "expected"),
    [
        ("EuGH", ("T-471/08",), "EuG"),
        ("EuG", ("C-70/15",), "EuGH"),
        ("EuGH", ("C-39/05 P", "C-52/05 P"), "EuGH"),
        ("EuGH", ("T-1/10", "C-2/11"), "EuGH"),  # both: nothing is told
        ("EuGH", ("26/62",), "EuGH"),
        ("OVG Musterland", ("T-471/08",), "OVG Musterland"),
    ],
)
def test_a_case_of_the_union_has_the_court_of_its_letter(
    court: str, dockets: tuple[str, ...], expected: str
) -> None:
    assert correct_court(court, dockets) == expected
