import pickle
from datetime import date

import pytest

from fundstelle.ingest.sources.gii import parse as gii
from fundstelle.ingest.sources.gii.header import format_publication, read_kind
from fundstelle.law.norms import DatePrecision, NormKind, NormStatus
from tests.unit.ingest.gii_laws import STAND, heading, law, norm, parse, read


def test_the_header_carries_the_names_of_a_law() -> None:
    header = gii.read_header(law([]))
    assert header.slug == "musterg"
    assert header.publisher_id == "BJNR1"
    assert header.abbreviation_juris == "MusterG 2020"
    assert header.abbreviation_official == "MustG"
    assert header.title == "Gesetz über erfundene Muster"
    assert header.issued_on == date(2020, 2, 3)


def test_a_statute_tells_where_it_comes_from() -> None:
    statute = parse([norm("§ 1", "<P>Eins.</P>"), heading("010", "Teil 1")]).statute
    assert statute.publication == "BGBl. I 2020 S. 17"
    assert statute.short_title == "Mustergesetz"
    assert statute.stand_notes[0].kind == "Stand"
    assert statute.stand_notes[0].text == "Zuletzt geändert durch Art. 9 G v. 1.2.2021 I 3"
    assert statute.source_url == "https://www.gesetze-im-internet.de/musterg/"
    assert (statute.document_kind, statute.listed, statute.norm_count) == ("statute", True, 1)


@pytest.mark.parametrize("title", ["(weggefallen)", "(gegenstandslos)"])
def test_a_heading_of_several_artikel_that_are_gone_stands_for_them(title: str) -> None:
    held = parse([heading("010", "Art 26"), heading("020", "Art 27 bis 37", title)]).norms
    found, _ = held[-1]
    assert (found.norm_id, found.kind) == ("de/mustg/27-37", NormKind.ARTICLE)
    assert (found.number_end, found.citation) == ("37", "Art. 27 bis 37 MustG")
    assert found.status is NormStatus.REPEALED


def test_a_heading_of_several_artikel_that_are_not_printed_stays_one() -> None:
    (found, _), *_ = parse([heading("010", "Art 1 bis 11"), norm("§ 1", "<P>Eins.</P>")]).norms
    assert found.kind is NormKind.HEADING


def test_a_heading_of_several_artikel_that_holds_norms_stays_one() -> None:
    gone = heading("010", "Art 2 und 3", "(weggefallen)")
    (found, _), *_ = parse([gone, norm("§ 4", "<P>Eins.</P>")]).norms
    assert found.kind is NormKind.HEADING


def test_a_fassung_claims_no_date_it_does_not_know() -> None:
    _, fassung = read("<P>Eins.</P>")
    assert fassung.in_force_from is None
    assert fassung.date_precision is DatePrecision.UNKNOWN
    assert fassung.stand == STAND


def test_a_parsed_law_travels_between_processes() -> None:
    parsed = parse([norm("§ 1", "<P>(1) Eins. Zwei.</P>")])
    assert pickle.loads(pickle.dumps(parsed)) == parsed


@pytest.mark.parametrize(
    ("gazette", "place", "expected"),
    [
        ("BGBl I", "2001, 3138", "BGBl. I 2001 S. 3138"),
        ("RGBl", "1896, 195", "RGBl. 1896 S. 195"),
        ("BGBl I", "2021, 3146, 3147", "BGBl. I 2021 S. 3146, 3147"),
        ("BGBl I", "2002, 42 (2003 I 61)", "BGBl. I 2002 S. 42 (2003 I 61)"),
        ("BGBl II", "1976, 1 [Anlageband]", "BGBl. II 1976 S. 1 [Anlageband]"),
        ("BGBl I", "2023, Nr. 88", "BGBl. 2023 I Nr. 88"),
        ("BGBl. II", "2024, Nr. 7", "BGBl. 2024 II Nr. 7"),
        ("BAnz", "AT 29.12.2011 V1", "BAnz AT 29.12.2011 V1"),
        ("BAnz", "1964, Nr 24, 1", "BAnz 1964 Nr. 24 S. 1"),
        ("GBl DDR I", "1990, Nr 5, 20", "GBl. DDR 1990 I Nr. 5 S. 20"),
        ("Öff Anz", "1948, 3", "Öff Anz 1948, 3"),
        ("NV", "[nicht amtlich veröffentlicht]", "NV [nicht amtlich veröffentlicht]"),
    ],
)
def test_a_publication_is_written_as_lawyers_cite_it(
    gazette: str, place: str, expected: str
) -> None:
    assert format_publication(gazette, place) == expected


@pytest.mark.parametrize(
    ("title", "abbreviation", "formula", "expected"),
    [
        ("Gesetz über Muster", "MustG", "", "statute"),
        ("Verordnung zur Durchführung des Mustergesetzes", "MustGDV", "", "regulation"),
        ("Muster-Ordnung", "MuO", "verordnet das Bundesministerium", "regulation"),
        ("Musterordnung", "MuO", "Der Bundestag hat das folgende Gesetz beschlossen", "statute"),
        ("Musterordnung", "MuO", "", "statute"),
        ("Bürgerliches Musterbuch", "BMB", "", "statute"),
        ("Muster über Zeichen", "MusterV 2020", "", "regulation"),
        ("Anordnung über Muster", "MustAnO", "", "regulation"),
    ],
)
def test_a_law_is_a_statute_or_a_regulation(
    title: str, abbreviation: str, formula: str, expected: str
) -> None:
    assert read_kind(title, abbreviation, formula) == expected


@pytest.mark.parametrize(
    ("enbez", "kind", "number", "end", "label", "citation"),
    [
        ("§ 12", NormKind.SECTION, "12", None, "§ 12", "§ 12 MustG"),
        ("§ 12a", NormKind.SECTION, "12a", None, "§ 12a", "§ 12a MustG"),
        ("§ 7 a", NormKind.SECTION, "7a", None, "§ 7 a", "§ 7 a MustG"),
        ("§ 1.01", NormKind.SECTION, "1.01", None, "§ 1.01", "§ 1.01 MustG"),
        ("§ 4a.01", NormKind.SECTION, "4a.01", None, "§ 4a.01", "§ 4a.01 MustG"),
        ("Art 74", NormKind.ARTICLE, "74", None, "Art 74", "Art. 74 MustG"),
        ("Artikel 3", NormKind.ARTICLE, "3", None, "Artikel 3", "Art. 3 MustG"),
        ("Art IV", NormKind.ARTICLE, "iv", None, "Art IV", "Art. IV MustG"),
        ("Anlage 1", NormKind.ANNEX, "anlage-1", None, "Anlage 1", "Anlage 1 MustG"),
        ("Anlage D1a", NormKind.ANNEX, "anlage-d1a", None, "Anlage D1a", "Anlage D1a MustG"),
        ("Anlage (zu § 6)", NormKind.ANNEX, "anlage", None, "Anlage (zu § 6)", "Anlage MustG"),
        ("Anhang EV", NormKind.ANNEX, "anhang-ev", None, "Anhang EV", "Anhang EV MustG"),
        ("Eingangsformel", NormKind.FORMULA, "eingangsformel", None, "Eingangsformel",
         "Eingangsformel MustG"),
        ("Schlußformel", NormKind.FORMULA, "schlussformel", None, "Schlußformel",
         "Schlußformel MustG"),
        ("Inhaltsübersicht", NormKind.CONTENTS, "inhaltsuebersicht", None, "Inhaltsübersicht",
         "Inhaltsübersicht MustG"),
        ("(XXXX) §§ 43 und 44", NormKind.SECTION, "43-44", "44", "§§ 43 und 44",
         "§§ 43 und 44 MustG"),
        ("(XXXX) §§ 51 bis 55a", NormKind.SECTION, "51-55a", "55a", "§§ 51 bis 55a",
         "§§ 51 bis 55a MustG"),
        ("(XXXX) §§ 9 u. 10", NormKind.SECTION, "9-10", "10", "§§ 9 u. 10", "§§ 9 u. 10 MustG"),
        ("(XXXX) Art 1 bis Art 8", NormKind.ARTICLE, "1-8", "8", "Art 1 bis Art 8",
         "Art. 1 bis 8 MustG"),
        ("(XXXX) Anlage 3 bis 9", NormKind.ANNEX, "anlage-3-9", "9", "Anlage 3 bis 9",
         "Anlage 3 bis 9 MustG"),
        ("(XXXX)", NormKind.OTHER, "text", None, "Text", "Text MustG"),
        ("1.", NormKind.OTHER, "1", None, "1.", "1. MustG"),
    ],
)  # fmt: skip
def test_a_designation_gives_kind_number_and_citation(  # noqa: PLR0917 one row of the table
    enbez: str, kind: NormKind, number: str, end: str | None, label: str, citation: str
) -> None:
    found, _ = read("<P>Text.</P>", enbez)
    assert (found.kind, found.number, found.number_end) == (kind, number, end)
    assert (found.label, found.citation) == (label, citation)
    assert found.norm_id == f"de/mustg/{number}"


def test_headings_follow_order_and_kennzahl() -> None:
    norms = parse(
        [
            norm("Inhaltsübersicht", "<P>Teil 1</P>"),
            heading("010", "Teil 1", "Anfang"),
            norm("§ 1", "<P>Eins.</P>"),
            heading("010010", "Kapitel 1", "Mitte"),
            norm("§ 2", "<P>Zwei.</P>"),
            heading("020", "Teil 2"),
            norm("§ 3", "<P>Drei.</P>"),
            norm("Anlage 1", "<P>Vier.</P>"),
        ]
    ).norms
    places = {n.number: (n.level, n.parent_id, n.hierarchy) for n, _ in norms}
    assert places == {
        "inhaltsuebersicht": (1, None, ()),
        "gliederung-010": (1, None, ()),
        "1": (2, "de/mustg/gliederung-010", ("Teil 1 Anfang",)),
        "gliederung-010010": (2, "de/mustg/gliederung-010", ("Teil 1 Anfang",)),
        "2": (3, "de/mustg/gliederung-010010", ("Teil 1 Anfang", "Kapitel 1 Mitte")),
        "gliederung-020": (1, None, ()),
        "3": (2, "de/mustg/gliederung-020", ("Teil 2",)),
        "anlage-1": (1, None, ()),
    }
    assert [n.position for n, _ in norms] == list(range(8))


def test_articles_that_hold_sections_give_them_their_number() -> None:
    norms = parse(
        [
            heading("010", "Art 1", "", "<P>Text am Artikel.</P>"),
            heading("020", "Art 2", "Überleitung"),
            norm("§ 1", "<P>Eins.</P>"),
            heading("030", "Art 3", "Übergang"),
            norm("§ 1", "<P>Zwei.</P>"),
            norm("(XXXX) §§ 2 und 3", titel="(weggefallen)"),
        ]
    ).norms
    assert [(n.number, n.kind.value, n.citation) for n, _ in norms] == [
        ("1", "article", "Art. 1 MustG"),
        ("2", "heading", "Art. 2 MustG"),
        ("2/1", "section", "Art. 2 § 1 MustG"),
        ("3", "heading", "Art. 3 MustG"),
        ("3/1", "section", "Art. 3 § 1 MustG"),
        ("3/2-3", "section", "Art. 3 §§ 2 und 3 MustG"),
    ]
    assert norms[0][1].text == "Text am Artikel."


def test_sections_that_run_through_articles_keep_their_number() -> None:
    norms = parse(
        [
            heading("010", "Art 1"),
            norm("§ 1", "<P>Eins.</P>"),
            heading("020", "Art 2"),
            norm("§ 2", "<P>Zwei.</P>"),
        ]
    ).norms
    assert [n.citation for n, _ in norms][1::2] == ["§ 1 MustG", "§ 2 MustG"]


def test_a_section_whose_words_stand_under_its_heading_is_a_section() -> None:
    norms = parse(
        [
            heading("010", "§ 1", "Aufgaben", "<P>(1) Es gilt.</P>"),
            heading("020", "§ 2", "Ohne Worte"),
            heading("030", "§ 3", "Rahmen", "<P>Worte.</P>"),
            norm("§ 4", "<P>Darunter.</P>", unit="<gliederungskennzahl>030</gliederungskennzahl>"),
        ]
    ).norms
    assert [(n.number, n.kind.value, n.title) for n, _ in norms] == [
        ("1", "section", "Aufgaben"),
        ("gliederung-020", "heading", "Ohne Worte"),
        ("gliederung-030", "heading", "Rahmen"),
        ("4", "section", None),
    ]
    assert norms[0][1].segments[0].value == "1"


def test_the_rarer_of_section_and_article_gives_way() -> None:
    norms = parse([norm("§ 1"), norm("§ 2"), norm("Art 1"), norm("Art 3")]).norms
    assert [n.number for n, _ in norms] == ["1", "2", "art-1", "3"]


def test_a_number_that_occurs_again_is_told_apart() -> None:
    norms = parse([norm("§ 3"), norm("§ 3"), norm("Anlage"), norm("§ 3"), norm("Anlage")]).norms
    assert [n.norm_id for n, _ in norms] == [
        "de/mustg/3",
        "de/mustg/3~2",
        "de/mustg/anlage",
        "de/mustg/3~3",
        "de/mustg/anlage~2",
    ]


@pytest.mark.parametrize(
    ("enbez", "titel", "content", "expected"),
    [
        ("§ 1", "", "<P>Gilt.</P>", NormStatus.IN_FORCE),
        ("§ 1", "(weggefallen)", "<P/>", NormStatus.REPEALED),
        ("§ 1", "(weggefallen)", "<P>-</P>", NormStatus.REPEALED),
        ("§ 1", "", "<P>(weggefallen)</P>", NormStatus.REPEALED),
        ("§ 1", "", "<P>(aufgehoben)</P>", NormStatus.REPEALED),
        ("§ 1", "Muster", "<P>(weggefallen)</P>", NormStatus.REPEALED),
        ("§ 1", "Muster (aufgehoben)", "", NormStatus.REPEALED),
        ("§ 1", "(zu § 3)<BR/>(weggefallen)", "<P/>", NormStatus.REPEALED),
        ("§ 1", "", "<P>-</P>", NormStatus.REPEALED),
        ("§ 1", "", "<P>—</P>", NormStatus.REPEALED),
        ("(XXXX) §§ 4 und 5", "", "<P/>", NormStatus.REPEALED),
        ("(XXXX) §§ 4 und 5", "(zukünftig in Kraft)", "<P/>", NormStatus.FUTURE),
        ("§ 1", "(zukünftig in Kraft)", "", NormStatus.FUTURE),
        ("§ 1", "(Inkrafttreten)", "<P>-</P>", NormStatus.IN_FORCE),
        ("(XXXX) §§ 4 und 5", "(Änderungsvorschriften)", "<P/>", NormStatus.IN_FORCE),
        ("§ 1", "", "<P>(1) Gilt.</P><P>(2) (weggefallen)</P>", NormStatus.IN_FORCE),
    ],
)
def test_only_a_whole_norm_is_repealed(
    enbez: str, titel: str, content: str, expected: NormStatus
) -> None:
    ((found, fassung),) = parse([norm(enbez, content, titel=titel)]).norms
    assert found.status is fassung.status is expected


def test_a_heading_lives_while_a_norm_below_it_does() -> None:
    norms = parse(
        [heading("010", "Art 1", "", "<P>(weggefallen)</P>"), norm("§ 1", "<P>Gilt.</P>")]
    ).norms
    assert norms[0][0].status is NormStatus.IN_FORCE


def test_the_header_norm_is_kept_only_if_it_says_something() -> None:
    assert [n.number for n, _ in parse([norm("§ 1")]).norms] == ["1"]
    front = "<fussnoten><Content><P><pre>(+++ Hinweis +++)</pre></P></Content></fussnoten>"
    parsed = parse([norm("§ 1")], front=front)
    assert [n.number for n, _ in parsed.norms] == ["vorspann", "1"]
    assert parsed.norms[0][1].notes == ("(+++ Hinweis +++)",)
    assert parsed.statute.norm_count == 1
