"""The courts' own pages: the decision is read, the site around it is not."""

from collections.abc import Callable
from datetime import date

import pytest

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.courts import bag, bayern, bfh, bverwg
from fundstelle.law.decisions import DecisionType
from tests.unit.ingest.sources import decision_files as files

Reader = Callable[[SourceFile], ParsedDecision | list[ParsedDecision]]
PAGES: list[tuple[Reader, str]] = [
    (bag.parse, files.bag()),
    (bfh.parse, files.BFH),
    (bverwg.parse, files.bverwg(files.bverwg_box())),
    (bayern.parse, files.BAYERN),
]


@pytest.mark.parametrize(("reader", "data"), PAGES)
def test_nothing_of_the_site_is_kept(reader: Reader, data: str) -> None:
    text = files.only(reader(files.file("x/y.html", data))).text
    for furniture in ("Startseite", "Impressum", "let x", "Drucken", "Pressemitteilung", "EN"):
        assert furniture not in text.text
    assert 0 < text.kept_chars < text.source_chars


@pytest.mark.parametrize(("reader", "data"), PAGES)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda _: "", "empty"),
        (lambda _: "Kein HTML", "no HTML"),
        (lambda page: page[: len(page) // 2], "cut off"),
        (lambda page: page.encode("cp1252"), "UTF-8"),
        (lambda _: files.page("<p>Suche</p>"), "no decision"),
    ],
)
def test_a_page_that_is_no_decision_is_rejected(
    reader: Reader, data: str, change: Callable[[str], str | bytes], reason: str
) -> None:
    with pytest.raises(RejectedFile, match=reason):
        reader(files.file("x/y.html", change(data)))


def test_a_page_in_the_encoding_it_declares_is_read() -> None:
    data = files.bag().replace('charset="utf-8"', 'charset="iso-8859-1"').encode("cp1252")
    assert "Entscheidungsgründe" in bag.parse(files.file("a.html", data)).text.text


def test_the_labour_court() -> None:
    parsed = bag.parse(files.file("bag/1-azr-1-23.html", files.bag()))
    decision = parsed.decision
    assert decision.decision_id == "ECLI:DE:BAG:2024:300124.U.1AZR1.23.0"
    assert (decision.court, decision.panel, decision.dockets) == (
        "BAG",
        "1. Senat",
        ("1 AZR 1/23",),
    )
    assert decision.issued_on == date(2024, 1, 30)
    assert decision.title == "Streit - Ende"
    assert decision.sources[0].publisher_id == "1-azr-1-23"
    assert files.read_parts(parsed.text) == [
        ("tenor", "Tenor\n1. Die Klage wird abgewiesen."),
        ("tatbestand", "Tatbestand\nSie streiten.\ndie Klage abzuweisen."),
        ("entscheidungsgruende", "Entscheidungsgründe\nSie irren."),
        ("signatures", "Muster | Beispiel"),
    ]
    assert files.read_passages(parsed.text) == {
        "1": "Sie streiten.\ndie Klage abzuweisen.",
        "2": "Sie irren.",
    }


def test_the_fiscal_court() -> None:
    parsed = bfh.parse(files.file("bfh/STRE1.html", files.BFH))
    decision = parsed.decision
    assert decision.decision_id == "ECLI:DE:BFH:2024:U.110124.IVR24.21.0"
    assert (decision.dockets, decision.panel) == (("IV R 24/21",), "IV. Senat")
    assert (decision.title, decision.norms) == ("Steuer auf Hunde", "HundStG § 1")
    (below,) = decision.lower_instances
    assert (below.court, below.docket, below.issued_on) == (
        "FG Sachsen",
        "4 K 3/20",
        date(2020, 5, 2),
    )
    assert [kind for kind, _ in files.read_parts(parsed.text)] == [
        "leitsatz",
        "tenor",
        "tatbestand",
        "entscheidungsgruende",
    ]
    assert files.read_passages(parsed.text) == {
        "1": "Es war einmal.\nEin Hund.",
        "2": "Er zahlt nicht.",
    }
    assert files.read_headings(parsed.text) == [("I.", 1), ("II.", 1)]


def test_the_administrative_court() -> None:
    (parsed,) = bverwg.parse(files.file("a.html", files.bverwg(files.bverwg_box())))
    decision = parsed.decision
    assert decision.dockets == ("2 A 7.23",)
    assert decision.panel == "2. Senat"
    assert decision.norms == "HundG § 1"
    assert decision.title == "Über Hunde"
    (below,) = decision.lower_instances
    assert (below.court, below.docket) == ("VG Köln", "9 K 45/21")
    assert files.read_parts(parsed.text) == [
        ("leitsatz", "Leitsatz:\nHunde bellen."),
        (
            "head",
            (
                "Urteil\nBVerwG 2 A 7.23\n"
                "In der Sache hat der 2. Senat des Bundesverwaltungsgerichts\n"
                "für Recht erkannt:"
            ),
        ),
        ("tenor", "1. Die Klage wird abgewiesen.\n2. Der Kläger trägt die Kosten."),
        ("gruende", "Gründe\nI\nDer Hund bellte.\nOft.\nII\nEr darf das."),
    ]
    assert files.read_passages(parsed.text) == {"1": "Der Hund bellte.\nOft.", "2": "Er darf das."}
    assert files.read_headings(parsed.text) == [("I", 1), ("II", 1)]


def test_a_page_with_two_decisions_gives_both() -> None:
    order = files.bverwg_box("Beschluss", "09.01.2024", "2 B 1.23")
    found = bverwg.parse(files.file("a.html", files.bverwg(order, files.bverwg_box())))
    assert [(each.decision.decision_type, each.decision.dockets) for each in found] == [
        (DecisionType.BESCHLUSS, ("2 B 1.23",)),
        (DecisionType.URTEIL, ("2 A 7.23",)),
    ]


def test_the_bavarian_courts() -> None:
    parsed = bayern.parse(files.file("bayern/Y-300-Z-1.html", files.BAYERN))
    decision = parsed.decision
    assert decision.decision_id == "de/vgh-bayern/11-cs-19.1093/2019-07-26/beschluss"
    assert (decision.court, decision.title, decision.norms) == (
        "VGH Bayern",
        "Leinenzwang",
        "HundG § 1",
    )
    (below,) = decision.lower_instances
    assert (below.court, below.docket) == ("VG München", "M 6 S 19.1168")
    assert files.read_parts(parsed.text) == [
        ("head", "Titel:\nLeinenzwang\nNormenketten:\nHundG § 1"),
        ("leitsatz", "Leitsatz:\nHunde laufen frei."),
        ("head", "Vorinstanz:\nVG München vom 15.05.2019 – M 6 S 19.1168"),
        ("tenor", "Tenor\nI. Die Beschwerde wird verworfen."),
        ("gruende", "Gründe\nI.\nDer Hund lief.\n-\nweit"),
    ]
    assert files.read_passages(parsed.text) == {"1": "Der Hund lief.\n-\nweit"}
