"""A file is read by the adapter of its publisher, whatever folder it lies in."""

import json
from collections.abc import Iterator

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.courts.adapters import iter_decisions
from tests.unit.ingest.sources import decision_files as files

REGISTER = json.dumps(
    [
        {
            "gericht": "Verwaltungsgericht Köln",
            "aktenzeichen": "13 K 1/20",
            "datum": day,
            "art": kind,
            "rechtsgrundlage": "IFG",
        }
        for day, kind in (("11.03.2021", "Urteil"), ("02.05.2020", "Beschluss"))
    ],
    ensure_ascii=False,
)
PRINT = "Verwaltungsgericht Köln\n\nam 2. Mai 2020\n\nGründe:\n\n" + "Der Hund bellt.\n\n" * 9
CASE = {
    "id": 7,
    "slug": "olg-koln-2020-05-02-13-u-119",
    "court": {"id": 1, "name": "Oberlandesgericht Köln", "slug": "olg-koln"},
    "file_number": "13 U 1/19",
    "date": "2020-05-02",
    "type": "Urteil",
    "ecli": "ECLI:DE:OLGK:2020:0502.13U1.19.00",
    "content": "<h2>Tenor</h2><p>Die Berufung wird verworfen.</p><h2>Gründe</h2>"
    '<span class="absatzRechts">1</span><p class="absatzLinks">Der Hund bellt.</p>',
}
DUMP = [
    {
        "model": "cases.case",
        "pk": 3,
        "fields": {
            **CASE,
            "court": 5624,
            "source_name": "Bundesgerichtshof",
            "file_number": "VI\u00a0ZR\u00a01/17",
            "court_chamber": "VI.\u00a0Zivilsenat",
            "ecli": "",
            "text": None,
            "content": "## Tenor\n\nVerworfen\\.\n\n## Gründe\n\n| I.\n1| Der Hund\\[e\\] bellt.\n"
            ":|"
            " Galke\u00a0\u00a0von Pentz",
        },
    }
]
AKN = (
    '<?xml version="1.0"?><akn:akomaNtoso xmlns:akn="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"'
    ' xmlns:ris="http://rechtsinformationen.bund.de/schema/ris/0.1/"><akn:judgment><akn:meta>'
    '<akn:identification><akn:FRBRWork><akn:FRBRalias name="Dokumentnummer" value="KORE1"/>'
    '<akn:FRBRalias name="ECLI" value="ECLI:DE:BGH:2025:090425UVIZR1.24.0"/><akn:FRBRdate'
    ' date="2025-04-09"/></akn:FRBRWork></akn:identification><akn:analysis><ris:titelzeile>'
    "<akn:p>Über</akn:p></ris:titelzeile>"
    '<ris:orientierungssatz ris:domainTerm="Orientierungssatz"><akn:p>Kurz.'
    "</akn:p></ris:orientierungssatz></akn:analysis><akn:proprietary><ris:meta><ris:aktenzeichenListe>"
    "<ris:aktenzeichen>VI ZR 1/24</ris:aktenzeichen></ris:aktenzeichenListe><ris:dokumenttyp>Urteil"
    "</ris:dokumenttyp><ris:gericht><ris:gerichtstyp>BGH</ris:gerichtstyp></ris:gericht>"
    "<ris:vorgehendeEntscheidung><ris:aktenzeichen>2 O 3/20</ris:aktenzeichen><ris:gerichtstyp>LG"
    "</ris:gerichtstyp><ris:gerichtsort>Köln</ris:gerichtsort></ris:vorgehendeEntscheidung></ris:meta>"
    '</akn:proprietary></akn:meta><akn:judgmentBody><akn:decision ris:domainTerm="Tenor"><akn:p>Ja.'
    '</akn:p></akn:decision><akn:motivation ris:domainTerm="Entscheidungsgründe"><akn:hcontainer'
    ' name="Randnummer"><akn:num>1</akn:num><akn:content><akn:p>Darum.</akn:p></akn:content>'
    "</akn:hcontainer></akn:motivation></akn:judgmentBody></akn:judgment></akn:akomaNtoso>"
)


def read(*pairs: tuple[str, str | bytes]) -> Iterator[ParsedDecision | Rejected]:
    return iter_decisions(files.file(name, data) for name, data in pairs)


def decide(*pairs: tuple[str, str | bytes]) -> list[ParsedDecision]:
    found = list(read(*pairs))
    assert not [each for each in found if isinstance(each, Rejected)]
    return [each for each in found if isinstance(each, ParsedDecision)]


@pytest.mark.parametrize(
    ("name", "data", "source"),
    [
        ("rii/KVRE1.xml", files.rii(), "rii"),
        ("irgendwo/KVRE1.xml", files.rii(), "rii"),
        ("court-html/bag/a.html", files.bag(), "bag"),
        ("neu/a.htm", files.bag(), "bag"),
        ("neu/b.html", files.BFH, "bfh"),
        ("neu/c.html", files.bverwg(files.bverwg_box()), "bverwg"),
        ("neu/d.html", files.BAYERN, "bayern"),
        ("dump/cases.jsonl", json.dumps(CASE), "old"),
        ("dump/page.json", json.dumps({"count": 1, "results": [CASE]}), "old"),
        ("bgh-json/a.json", json.dumps(DUMP), "old"),
        ("neu/akn.xml", AKN, "legaldocml"),
        ("fulltext-plain/a.txt", "TenorDie Klage wird abgewiesen. " * 20, "plain"),
    ],
)
def test_the_adapter_is_chosen_by_what_is_in_the_file(name: str, data: str, source: str) -> None:
    (parsed,) = decide((name, data))
    assert parsed.decision.sources[0].source_type == source
    assert parsed.text.decision_id == parsed.decision.decision_id


def test_a_register_names_the_prints_that_follow() -> None:
    (parsed,) = decide(
        ("ifg-metadata.json", REGISTER), ("ifg-text/Verwaltungsgericht Köln 13 K 1-20.txt", PRINT)
    )
    assert parsed.decision.decision_id == "de/vg-koeln/13-k-1-20/2020-05-02/beschluss"
    assert parsed.decision.sources[0].source_type == "ifg"


def test_test_data_is_passed_over() -> None:
    assert not list(
        read(
            ("gold-citations-refex/documents.jsonl", json.dumps(CASE)),
            ("decisions/gold-citations-ler/bgh.conll", "Der O"),
            ("rii-index-2019.tsv", "a\tb"),
            ("README.md", "# Hunde"),
        )
    )


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.xml", "<dokument>", "cut off"),
        ("a.xml", "<gesetz/>", "root"),
        ("a.html", files.page("<p>Suche</p>"), "no page of a court"),
        ("a.json", '{"file_number": "1 O 1/20", "content": "x', "cut off"),
        ("a.json", '"x"', "no list"),
        ("a.jsonl", json.dumps(CASE | {"file_number": ""}), "no docket"),
        ("a.jsonl", json.dumps(CASE | {"content": "<p> </p>"}), "no text"),
        ("a.jsonl", json.dumps(CASE | {"content": None}), "no text"),
        ("a.jsonl", json.dumps(CASE | {"court": {}}), "no court"),
        ("a.jsonl", "[7]", "no record"),
        ("a.txt", "Hallo", "no text"),
        ("a.txt", b"\xff\xfe\x00", "UTF-8"),
        ("ifg-metadata.json", REGISTER[:-20], "no JSON"),
    ],
)
def test_a_bad_file_is_named_with_its_reason(name: str, data: str | bytes, reason: str) -> None:
    (rejected,) = read((name, data))
    assert isinstance(rejected, Rejected)
    assert rejected.name.partition("#")[0] == name
    assert reason in rejected.reason


def test_a_bad_line_does_not_spoil_the_others() -> None:
    lines = [json.dumps(CASE), '{"file_number": "1 O', "", json.dumps(CASE | {"ecli": ""})]
    first, bad, last = read(("cases.jsonl", "\n".join(lines)))
    assert isinstance(first, ParsedDecision)
    assert bad == Rejected("cases.jsonl#2", "it is no record of a decision")
    assert isinstance(last, ParsedDecision)
    assert last.decision.decision_id == "de/olg-koeln/13-u-1-19/2020-05-02/urteil"


def test_html_and_markdown_of_open_legal_data_are_read_alike() -> None:
    (html,) = decide(("a.jsonl", json.dumps(CASE)))
    assert files.read_parts(html.text) == [
        ("tenor", "Tenor\nDie Berufung wird verworfen."),
        ("gruende", "Gründe\nDer Hund bellt."),
    ]
    assert files.read_passages(html.text) == {"1": "Der Hund bellt."}
    marked = "#### **Tenor**\n\n> \n**Verworfen.**\n\n### weitere Fundstellen ...\n#### Gründe\nI."
    (plain,) = decide(("a.jsonl", json.dumps(CASE | {"content": marked})))
    assert files.read_parts(plain.text) == [
        ("tenor", "Tenor\nVerworfen."),
        ("gruende", "Gründe\nI."),
    ]
    assert files.read_headings(plain.text) == [("I.", 1)]
    (dump,) = decide(("a.json", json.dumps(DUMP)))
    assert (dump.decision.court, dump.decision.panel) == ("BGH", "VI. Zivilsenat")
    assert dump.decision.dockets == ("VI ZR 1/17",)
    assert files.read_parts(dump.text) == [
        ("tenor", "Tenor\nVerworfen."),
        ("gruende", "Gründe\nI.\nDer Hund[e] bellt."),
        ("signatures", "Galke von Pentz"),
    ]
    assert files.read_passages(dump.text) == {"1": "Der Hund[e] bellt."}


def test_legaldocml_is_read_by_its_terms() -> None:
    (parsed,) = decide(("a.xml", AKN))
    decision = parsed.decision
    assert decision.decision_id == "ECLI:DE:BGH:2025:090425UVIZR1.24.0"
    assert (decision.dockets, decision.title) == (("VI ZR 1/24",), "Über")
    (below,) = decision.lower_instances
    assert (below.court, below.docket) == ("LG Köln", "2 O 3/20")
    assert files.read_parts(parsed.text) == [
        ("orientierungssatz", "Kurz."),
        ("tenor", "Ja."),
        ("entscheidungsgruende", "Darum."),
    ]
    assert files.read_passages(parsed.text) == {"1": "Darum."}


def test_a_file_that_nests_without_end_is_rejected() -> None:
    deep = files.bag(body="<div>" * 5_000 + "x" + "</div>" * 5_000)
    (found,) = read(("bag/a.html", deep))
    assert isinstance(found, Rejected)


def test_files_are_read_one_after_the_other() -> None:
    def endless() -> Iterator[SourceFile]:
        while True:
            yield files.file("a.xml", files.rii())

    assert isinstance(next(iter_decisions(endless())), ParsedDecision)
