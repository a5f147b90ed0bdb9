"""One expression: what it says of itself, and its words."""

from datetime import date

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile, Withdrawn
from fundstelle.ingest.sources.neuris.documents import iter_documents
from fundstelle.law.norms import DatePrecision, Fassung, Level, Norm, NormKind
from tests.unit.ingest.sources.neuris.law_files import (
    AKN,
    LawText,
    make_file,
    write,
    write_annex,
    write_decision,
)

TODAY = date(2026, 1, 1)


def read(*files: SourceFile) -> list[ParsedAct | ParsedDecision | Withdrawn | Rejected]:
    return list(iter_documents(files, TODAY))


def parse(law: LawText, *further: SourceFile) -> ParsedAct:
    (act,) = read(make_file(law), *further)
    assert isinstance(act, ParsedAct), act
    return act


def find(act: ParsedAct, number: str) -> tuple[Norm, Fassung]:
    return next((norm, f[-1]) for norm, f in act.norms if norm.number == number)


def test_a_law_is_called_as_it_calls_itself() -> None:
    statute = parse(LawText()).statute
    assert (statute.statute_id, statute.abbreviation) == ("de/moosg-2019-s77", "MoosG")
    assert statute.title == "Gesetz über die Pflege der Moose"
    assert (statute.short_title, statute.abbreviation_official) == ("Moosgesetz", "MoosG")
    assert (statute.publication, statute.issued_on) == ("BGBl. I 2019 S. 77", date(2019, 2, 20))
    assert (statute.publisher_id, statute.document_kind) == ("eli/bund/bgbl-1/2019/s77", "statute")
    assert [(note.kind, note.text) for note in statute.stand_notes] == [
        ("Stand", "Zuletzt geändert durch ein erfundenes Gesetz")
    ]
    assert statute.source_url.endswith("/2019-03-01/1/deu/2019-03-01/regelungstext-1.html")


def test_a_gazette_without_pages_is_cited_by_its_number() -> None:
    law = LawText(work="eli/bund/bgbl-1/2024/383")
    assert parse(law).statute.publication == "BGBl. 2024 I Nr. 383"


NESTED = """<akn:book><akn:num>Buch 1</akn:num><akn:heading>Grüne</akn:heading>
<akn:section><akn:num>Abschnitt 1</akn:num><akn:heading>Kleine</akn:heading>
<akn:article eId="a1"><akn:num>§ 1</akn:num><akn:heading>Pflege</akn:heading>
<akn:paragraph><akn:num>(1)</akn:num><akn:content><akn:p>Moos ist zu gießen.
 Es gilt</akn:p><akn:blockList><akn:listIntroduction>für</akn:listIntroduction>
<akn:item><akn:num>1.</akn:num><akn:p>Laubmoos<akn:sup>2</akn:sup>,</akn:p>
<akn:blockList><akn:item><akn:num>a)</akn:num><akn:p>kleines,</akn:p></akn:item></akn:blockList>
</akn:item><akn:item><akn:num>2.</akn:num><akn:p>Lebermoos.</akn:p></akn:item></akn:blockList>
</akn:content></akn:paragraph>
<akn:paragraph><akn:num>(2)</akn:num><akn:content><akn:p>Steine<akn:authorialNote marker="*">
<akn:p>Amtlicher Hinweis.</akn:p></akn:authorialNote> nicht.</akn:p></akn:content></akn:paragraph>
</akn:article></akn:section></akn:book>"""


def test_structure_and_parts_are_kept() -> None:
    act = parse(LawText(body=NESTED))
    assert [(n.number, n.kind, n.level) for n, _ in act.norms] == [
        ("gliederung-buch-1", NormKind.HEADING, 1),
        ("gliederung-buch-1-abschnitt-1", NormKind.HEADING, 2),
        ("1", NormKind.SECTION, 3),
    ]
    norm, fassung = find(act, "1")
    assert norm.hierarchy == ("Buch 1 Grüne", "Abschnitt 1 Kleine")
    assert norm.citation == "§ 1 MoosG"
    assert fassung.text == (
        "(1) Moos ist zu gießen. Es gilt\nfür\n1. Laubmoos²,\na) kleines,\n2. Lebermoos.\n"
        "(2) Steine nicht."
    )
    assert fassung.footnotes == ("* Amtlicher Hinweis.",)
    parts = [(part.level, part.value) for part in fassung.segments]
    expected = [
        (Level.ABSATZ, "1"),
        (Level.NUMMER, "1"),
        (Level.BUCHSTABE, "a"),
        (Level.NUMMER, "2"),
        (Level.ABSATZ, "2"),
    ]
    assert [part for part in parts if part[0] is not Level.SATZ] == expected


def test_words_around_the_body_are_norms_and_notes() -> None:
    act = parse(
        LawText(
            preface="<akn:block><akn:p>Vom 20. Februar 2019</akn:p></akn:block>",
            preamble="<akn:formula refersTo='eingangsformel' eId='f1'><akn:p>Der Bundestag hat"
            "</akn:p></akn:formula><akn:blockContainer refersTo='inhaltsuebersicht'><akn:heading>"
            "Inhaltsübersicht</akn:heading><akn:toc><akn:tocItem>§ 1 Titel 1</akn:tocItem>"
            "</akn:toc></akn:blockContainer>",
            conclusions="<akn:formula><akn:p>Bonn, den</akn:p></akn:formula>",
            notes="<akn:note placementBase='#einleitung-n1'><akn:p>Am Gesetz</akn:p></akn:note>"
            "<akn:note placementBase='#art-z1_abs-z1'><akn:p>Am Paragraphen</akn:p></akn:note>",
        )
    )
    said = {norm.number: (f[-1].text, f[-1].notes) for norm, f in act.norms}
    assert said == {
        "vorspann": ("Vom 20. Februar 2019", ("Am Gesetz",)),
        "eingangsformel": ("Der Bundestag hat", ()),
        "inhaltsuebersicht": ("§ 1 Titel 1", ()),
        "1": ("Wer Moos pflanzt, gießt.", ("Am Paragraphen",)),
        "schlussformel": ("Bonn, den", ()),
    }


TABLE = """<akn:p>Die Arten:</akn:p><akn:table><akn:caption>Liste</akn:caption>
<akn:tr><akn:th><akn:p>Nr.</akn:p></akn:th><akn:th colspan="2"><akn:p>Moos</akn:p></akn:th></akn:tr>
<akn:tr><akn:td rowspan="2">1.</akn:td><akn:td>Laub</akn:td><akn:td>klein</akn:td></akn:tr>
<akn:tr><akn:td>Leber</akn:td><akn:td>groß</akn:td></akn:tr></akn:table>
<akn:p><akn:inline name="comment">(Fundstelle: BGBl. I 2019, 78)</akn:inline></akn:p>"""


def test_annexes_in_files_of_their_own_come_behind_the_body_in_order() -> None:
    law = LawText()
    further = [
        SourceFile(f"a{number}.xml", "", write_annex(law, number, label, "(zu § 1)", TABLE))
        for number, label in ((10, "Anlage 10"), (2, "Anlage 2"))
    ]
    act = parse(law, *further)
    assert [norm.number for norm, _ in act.norms] == ["1", "anlage-2", "anlage-10"]
    norm, fassung = find(act, "anlage-2")
    assert (norm.kind, norm.title, norm.citation) == (NormKind.ANNEX, "(zu § 1)", "Anlage 2 MoosG")
    assert fassung.text == "Die Arten:\nListe\nNr. | Moos\n1. | Laub | klein\n| Leber | groß"
    assert fassung.tables[0].rows[2] == ("", "Leber", "groß")
    assert fassung.notes == ("(Fundstelle: BGBl. I 2019, 78)",)


def test_an_annex_without_its_law_is_told() -> None:
    (rejected,) = read(SourceFile("a.xml", "", write_annex(LawText(), 1, "Anlage 1", "", TABLE)))
    assert isinstance(rejected, Rejected)
    assert "annex" in rejected.reason


def test_of_annexes_made_on_several_days_those_that_still_count_are_taken() -> None:
    old = LawText(sections={"1": "Alt."})
    new = LawText(sections={"1": "Neu."}, made_on=date(2020, 1, 1))
    alone = LawText(made_on=date(2021, 1, 1))
    files = [
        SourceFile("a.xml", "", write_annex(old, 1, "Anlage 1", "", "<akn:p>Alt.</akn:p>")),
        SourceFile("b.xml", "", write_annex(new, 2, "Anlage 2", "", "<akn:p>Neu.</akn:p>")),
        SourceFile("c.xml", "", write_annex(alone, 3, "Anlage 3", "", "<akn:p>Später.</akn:p>")),
    ]
    act = parse(old, make_file(new), *files)
    assert [f[-1].text for _, f in act.norms] == ["Neu.", "Neu.", "Später."]


def test_a_second_law_under_one_number_is_told() -> None:
    second = write(LawText()).replace(b"regelungstext-1.xml", b"regelungstext-2.xml")
    read_all = read(make_file(LawText()), SourceFile("neuris/second.xml", "", second))
    (act,) = [one for one in read_all if isinstance(one, ParsedAct)]
    (told,) = [one for one in read_all if isinstance(one, Rejected)]
    assert act.texts == 1
    assert "one law" in told.reason


AMENDING = """<akn:article eId="a1"><akn:num>Artikel 1</akn:num><akn:heading>Änderung</akn:heading>
<akn:paragraph><akn:num/><akn:content><akn:p><akn:mod>§ 2 wird wie folgt gefasst:
<akn:quotedStructure><akn:article><akn:num>§ 2</akn:num><akn:heading>Steine</akn:heading>
<akn:paragraph><akn:num>(1)</akn:num><akn:content><akn:p>Steine nicht.</akn:p></akn:content>
</akn:paragraph></akn:article></akn:quotedStructure></akn:mod></akn:p></akn:content></akn:paragraph>
</akn:article>"""


def test_what_an_amending_law_quotes_is_no_provision_of_its_own() -> None:
    act = parse(LawText(body=AMENDING))
    assert [norm.citation for norm, _ in act.norms] == ["Art. 1 MoosG"]
    words = " ".join(find(act, "1")[1].text.split())
    assert words == "§ 2 wird wie folgt gefasst: § 2 Steine (1) Steine nicht."


def test_sections_that_start_anew_below_each_article_are_named_with_it() -> None:
    def write_article(number: str) -> str:
        return (
            f"<akn:article><akn:num>Artikel {number}</akn:num><akn:article><akn:num>§ 1</akn:num>"
            f"<akn:paragraph><akn:num/><akn:content><akn:p>Wort {number}.</akn:p></akn:content>"
            "</akn:paragraph></akn:article></akn:article>"
        )

    act = parse(LawText(body=write_article("1") + write_article("2")))
    cited = [norm.citation for norm, _ in act.norms if norm.kind is NormKind.SECTION]
    assert cited == ["Art. 1 § 1 MoosG", "Art. 2 § 1 MoosG"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"<html/>", "root"),
        (write(LawText())[:-40], "cut off"),
        (write(LawText(work="eli/eu/oj/2019/77")), "no ELI"),
        (f"<a:akomaNtoso xmlns:a='{AKN}'/>".encode(), "no document"),
        (f"<a:akomaNtoso xmlns:a='{AKN}'><a:bill/></a:akomaNtoso>".encode(), "no law"),
        (f"<a:akomaNtoso xmlns:a='{AKN}'><a:act/></a:akomaNtoso>".encode(), "metadata"),
        (write(LawText(body="<akn:p> </akn:p>")), "no text"),
    ],
)
def test_a_file_that_is_no_law_is_refused_with_its_reason(data: bytes, said: str) -> None:
    (rejected,) = read(SourceFile("neuris/x.xml", "", data))
    assert isinstance(rejected, Rejected)
    assert said in rejected.reason


def test_administrative_regulations_are_refused_and_not_taken_for_laws() -> None:
    data = (
        f"<a:akomaNtoso xmlns:a='{AKN}' xmlns:r='urn:r'><a:doc name='offene-struktur'><a:meta>"
        "<r:documentType category='VR'>VR</r:documentType></a:meta><a:mainBody><a:p>Wort</a:p>"
        "</a:mainBody></a:doc></a:akomaNtoso>"
    )
    (rejected,) = read(SourceFile("KSNR000000001.akn.xml", "", data.encode()))
    assert isinstance(rejected, Rejected)
    assert "administrative regulation" in rejected.reason


def test_a_decision_is_read_as_this_publishers() -> None:
    data = write_decision("KORE700012023", "IX ZR 1/23", "Die Revision wird zurückgewiesen.")
    (parsed,) = read(SourceFile("neuris/case-law/KORE700012023.xml", "", data))
    assert isinstance(parsed, ParsedDecision)
    (source,) = parsed.decision.sources
    assert (source.source_type, source.publisher_id) == ("neuris", "KORE700012023")


def test_what_was_taken_back_is_read_from_its_list() -> None:
    file = SourceFile("neuris/withdrawn.json", "", b'["KORE1", "eli/bund/bgbl-1/2019/s77"]')
    assert read(file) == [
        Withdrawn("neuris", "KORE1"),
        Withdrawn("neuris", "eli/bund/bgbl-1/2019/s77"),
    ]
    (rejected,) = read(SourceFile("neuris/withdrawn.json", "", b"{"))
    assert isinstance(rejected, Rejected)


def test_a_day_is_said_where_the_publisher_says_it() -> None:
    _, fassung = find(parse(LawText()), "1")
    assert (fassung.in_force_from, fassung.date_precision) == (
        date(2019, 4, 1),
        DatePrecision.EXACT,
    )
