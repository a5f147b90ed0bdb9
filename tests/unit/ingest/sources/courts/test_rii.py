"""The federal portal's XML becomes a decision with its parts and Randnummern."""

from datetime import date

import pytest

from fundstelle.errors import RejectedFile
from fundstelle.ingest.sources.courts import rii
from fundstelle.law.decisions import DecisionSource, DecisionType, LowerInstance
from tests.unit.ingest.sources import decision_files as files


def test_every_field_of_the_head_is_read() -> None:
    decision = rii.parse(files.file("rii/KORE900012022.xml", files.rii())).decision
    assert decision.decision_id == decision.ecli == files.ECLI
    assert (decision.court, decision.panel) == ("BGH", "6. Zivilsenat")
    assert decision.dockets == ("VI ZR 1/21", "VI ZR 2/21")
    assert decision.issued_on == date(2022, 3, 15)
    assert decision.decision_type is DecisionType.URTEIL
    assert decision.title == "Haftung für einen Hund"
    assert decision.norms == "§ 1 MusterG"
    assert decision.lower_instances == (
        LowerInstance(
            "vorgehend LG Köln, 2. Mai 2020, Az: 2 O 3/20, Urteil",
            "LG Köln",
            "2 O 3/20",
            date(2020, 5, 2),
        ),
    )
    url = "https://www.rechtsprechung-im-internet.de/jportal/?quelle=jlink&docid=jb-KORE900012022"
    assert decision.sources == (DecisionSource("rii", "KORE900012022", url),)
    assert decision.text_complete


def test_parts_passages_and_headings_are_kept_apart() -> None:
    text = rii.parse(files.file("a.xml", files.rii())).text
    assert files.read_parts(text) == [
        ("leitsatz", "Ein Hund ist kein Ding."),
        ("tenor", "Die Revision wird zurückgewiesen."),
        ("tatbestand", "Der Hund biss.\nDie Klägerin klagt."),
        ("entscheidungsgruende", "I.\nDie Revision ist unbegründet.\nWörtlich zitiert."),
    ]
    assert {part.label for part in text.parts} == {None}
    assert files.read_passages(text) == {
        "1": "Der Hund biss.",
        "2": "Die Klägerin klagt.",
        "3": "Die Revision ist unbegründet.\nWörtlich zitiert.",
    }
    assert files.read_headings(text) == [("I.", 1)]
    assert text.source_chars == text.kept_chars


@pytest.mark.parametrize(
    ("fields", "decision_id"),
    [
        ({"ecli": ""}, "de/bgh/vi-zr-1-21/2022-03-15/urteil"),
        (
            {"ecli": "", "gertyp": "OLG", "gerort": "Köln", "aktenzeichen": "13 U 7/19"},
            "de/olg-koeln/13-u-7-19/2022-03-15/urteil",
        ),
        ({"ecli": "", "entsch-datum": ""}, "de/bgh/vi-zr-1-21/ohne-datum/urteil"),
        ({"ecli": "", "doktyp": "Beschluss"}, "de/bgh/vi-zr-1-21/2022-03-15/beschluss"),
    ],
)
def test_without_an_ecli_the_id_is_made_of_court_docket_day_and_kind(
    fields: dict[str, str], decision_id: str
) -> None:
    assert rii.parse(files.file("a.xml", files.rii(**fields))).decision.decision_id == decision_id


def test_an_abridged_decision_says_so() -> None:
    parsed = rii.parse(files.file("decisions/rii-abridged/a.xml", files.rii()))
    assert not parsed.decision.text_complete


_GOOD = files.rii()
_BOMB = _GOOD.replace(
    '"http://www.rechtsprechung-im-internet.de/dtd/v1/rii-dok.dtd"',
    '"x" [<!ENTITY a "Hund"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]',
)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "empty"),
        ("Kein XML", "no XML"),
        (_GOOD[:-40], "cut off"),
        (_GOOD[: len(_GOOD) // 2], "cut off"),
        (_GOOD.encode().replace("ä".encode(), b"\xe4"), "UTF-8"),
        (_GOOD.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"'), "ISO-8859-1"),
        (_BOMB, "entities"),
        (_BOMB.replace("Der Hund", "&b; Hund"), "entities"),
        (_GOOD.replace("Der Hund", "&hund;"), "entity"),
        (_GOOD.replace("Der Hund", "<b>" * 130 + "x" + "</b>" * 130), "nested"),
        (_GOOD.replace("dokument>", "gesetz>").replace("DOCTYPE dokument", "DOCTYPE g"), "root"),
        (files.rii(aktenzeichen=" "), "no docket"),
        (files.rii(gertyp=""), "no court"),
        (
            files.rii(leitsatz="", tenor="", tatbestand="", entscheidungsgruende=""),
            "no text",
        ),
    ],
)
def test_an_unusable_file_is_rejected_with_its_reason(data: str | bytes, reason: str) -> None:
    with pytest.raises(RejectedFile, match=reason) as rejected:
        rii.parse(files.file("rii/x.xml", data))
    assert rejected.value.name == "rii/x.xml"
    assert "\n" not in str(rejected.value)
