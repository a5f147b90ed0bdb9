"""Lists between two laws: the one in front loses nothing to the one behind."""

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.parse import parse
from fundstelle.law.citations import EuCitation, NormCitation, Target


def name(target: Target) -> str:
    """``Art 3 GG``: a provision and its law, ``-`` where it has none."""
    assert isinstance(target, NormCitation | EuCitation)
    return f"{target.unit} {target.number} {target.law or '-'}"


def list_found(text: str) -> list[str]:
    """The provisions cited in a text; laws named alone are left out."""
    found = [target for one in find(text) for target in one.targets]
    return [name(one) for one in found if isinstance(one, NormCitation | EuCitation) and one.number]


def list_parsed(text: str) -> list[str]:
    """What the text means as one citation."""
    return [name(one) for one in parse(text).targets]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        # what joins them
        ("StGB § 263 Abs. 1, § 153a Abs. 1 StPO", "§ 263 StGB|§ 153a StPO"),
        ("StGB § 263; § 153a StPO", "§ 263 StGB|§ 153a StPO"),
        ("StGB § 263 und § 153a StPO", "§ 263 StGB|§ 153a StPO"),
        ("StGB § 263 i.V.m. § 153a StPO", "§ 263 StGB|§ 153a StPO"),
        ("StGB § 263 / § 153a StPO", "§ 263 StGB|§ 153a StPO"),
        ("StGB Section 263 in conjunction with Section 153a StPO", "§ 263 StGB|§ 153a StPO"),
        ("„StGB“ §263,§153a StPO", "§ 263 StGB|§ 153a StPO"),
        ("**StGB** § 263; § 153a StPO", "§ 263 StGB|§ 153a StPO"),
        ("StGB: § 263; § 153a StPO", "§ 263 StGB|§ 153a StPO"),
        # how the laws are named
        ("Strafgesetzbuch § 263 und § 153a der Strafprozessordnung", "§ 263 StGB|§ 153a StPO"),
        ("BGB a.F. § 611a, § 287 ZPO", "§ 611a BGB|§ 287 ZPO"),
        ("GG Art. 3 Abs. 1 und § 7 AGG", "Art 3 GG|§ 7 AGG"),
        ("GG, Art. 3, § 7 AGG", "Art 3 GG|§ 7 AGG"),
        ("DSGVO Art. 6 Abs. 1 lit. f; § 26 BDSG", "Art 6 DSGVO|§ 26 BDSG"),
        ("GDPR Article 6 and Article 8 AI Act", "Art 6 DSGVO|Art 8 KI-VO"),
        ("Regulation (EU) 2016/679 Art. 6; Art. 5 AI Act", "Art 6 DSGVO|Art 5 KI-VO"),
        ("Verordnung (EU) 2016/679, Art. 6, § 26 BDSG", "Art 6 DSGVO|§ 26 BDSG"),
        ("DSGVO ErwG 47; Art. 6 KI-VO", "Erwg 47 DSGVO|Art 6 KI-VO"),
        ("Grundrechtecharta Art. 7; Art. 2 GG", "Art 7 GRCh|Art 2 GG"),
        ("UStG Anlage 2, § 4 EStG", "Anlage 2 UStG|§ 4 EStG"),
        ("BauO NRW § 3, § 34 BauGB", "§ 3 BauO NRW|§ 34 BauGB"),
        # several of one, by the sign and the loosest joint
        ("BGB § 280, § 249; § 287 ZPO", "§ 280 BGB|§ 249 BGB|§ 287 ZPO"),
        ("BGB § 280 i.V.m. § 249, § 287 ZPO", "§ 280 BGB|§ 249 BGB|§ 287 ZPO"),
        ("BGB §§ 133, 157; §§ 286, 287 ZPO", "§ 133 BGB|§ 157 BGB|§ 286 ZPO|§ 287 ZPO"),
        ("BGB §§ 133, 157; 286 ZPO", "§ 133 BGB|§ 157 BGB|§ 286 ZPO"),
        ("BGB §§ 133 bis 157, § 286 ZPO", "§ 133 BGB|§ 286 ZPO"),
        ("BGB § 133 ff., § 286 ZPO", "§ 133 BGB|§ 286 ZPO"),
        ("GG Art. 1, Art. 2, § 3, § 4 AGG", "Art 1 GG|Art 2 GG|§ 3 AGG|§ 4 AGG"),
        # each law leads
        ("VwGO § 80 Abs. 5 StVG § 3", "§ 80 VwGO|§ 3 StVG"),
        ("UIG\n§ 2, § 8\nIFG\n§ 3", "§ 2 UIG|§ 8 UIG|§ 3 IFG"),
        ("UIG\n§ 2\nIFG\n§ 3\nGG\nArt. 5", "§ 2 UIG|§ 3 IFG|Art 5 GG"),
        ("AktG § 93, § 116, GmbHG", "§ 93 AktG|§ 116 AktG"),
    ],
)
def test_a_law_in_front_keeps_its_provisions(written: str, meant: str) -> None:
    assert list_parsed(written) == meant.split("|")
    assert parse(written).unparsed == (("GmbHG",) if written.endswith("GmbHG") else ())
    for text in (written, f"Nach {written} gilt das.", f"§ 1 HGB gilt. Siehe {written}."):
        assert [one for one in list_found(text) if one != "§ 1 HGB"] == meant.split("|")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        # as much of the one as of the other
        ("BGB § 280, § 249, § 287 ZPO", "§ 280 BGB|§ 249 -|§ 287 ZPO"),
        ("BGB §§ 133, 157, 286 ZPO", "§ 133 -|§ 157 -|§ 286 ZPO"),
        ("BGB § 280, § 249 i.V.m. § 287 ZPO", "§ 280 BGB|§ 249 -|§ 287 ZPO"),
        ("EGBGB Art. 229 § 5 und § 6, § 195 BGB", "Art 229 EGBGB|§ 6 -|§ 195 BGB"),
        # one law of a list of laws, or the law of what follows
        ("StGB, § 263; § 153a StPO", "§ 263 -|§ 153a StPO"),
        ("StGB - § 263; § 153a StPO", "§ 263 -|§ 153a StPO"),
        # a law that nobody knows
        ("FooG § 3 Abs. 1; § 4 ZPO", "§ 3 -|§ 4 ZPO"),
        ("FooG § 3 Abs. 1, § 4 ZPO § 286", "§ 3 -|§ 4 -|§ 286 ZPO"),
        # the wrong sign for both, or for the one right behind
        ("GG § 3, Art. 5 Abs. 1 AGG", "§ 3 -|Art 5 -"),
        ("GG Art. 3 Abs. 1 AGG", "Art 3 -"),
    ],
)
def test_what_may_be_of_either_is_of_none_though_a_law_was_named_before(
    written: str, meant: str
) -> None:
    found = list_found(f"§ 1 HGB gilt. Siehe {written}.")
    assert found == ["§ 1 HGB", *meant.split("|")]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("nach der Grundbuchordnung, § 34 und § 35 HGB", "§ 34 HGB|§ 35 HGB"),
        ("im BGB und in §§ 3, 4 UWG", "§ 3 UWG|§ 4 UWG"),
        ("im BGB § 3 UWG", "§ 3 UWG"),
        ("KSchG § 4 Satz 1, Satz 2 BGB", "§ 4 BGB|§ 4 BGB"),
        ("AGG § 3, § 7 AGG", "§ 3 AGG|§ 7 AGG"),
        ("§ 31 BGB, § 93 AktG, § 43 GmbHG", "§ 31 BGB|§ 93 AktG|§ 43 GmbHG"),
    ],
)
def test_a_law_that_leads_nothing_takes_nothing(written: str, meant: str) -> None:
    assert list_found(f"Das folgt {written}.") == meant.split("|")


def test_what_an_agreement_has_does_not_hide_what_a_law_in_front_has() -> None:
    assert list_found("Er haftet nach BGB § 280 und § 5 des Mietvertrags.") == ["§ 280 BGB"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        # the law ends a heading: what stands below it names its own
        ("II. Verhältnis zum UWG\n§ 3 und § 4 UrhG gehen vor.", "§ 3 UrhG|§ 4 UrhG"),
        ("### 2.1 Verhältnis zum UWG:\n§ 3 und § 4 UrhG gehen vor.", "§ 3 UrhG|§ 4 UrhG"),
        ("1. Verstoß gegen die DSGVO\nArt. 3 und Art. 5 GG gelten.", "Art 3 GG|Art 5 GG"),
        # no other sign is that law's
        ("II. Verstoß gegen das GG\nArt. 3 und § 7 AGG gelten.", "Art 3 GG|§ 7 AGG"),
        # one law of a list of laws, and no law
        ("Es gelten BGB, §§ 373, 377 HGB und UWG.", "§ 373 HGB|§ 377 HGB"),
        ("Der CEO, § 76 und § 77 AktG, haftet.", "§ 76 AktG|§ 77 AktG"),
        ("Das SächsOVG, § 124, § 124a VwGO, sah es so.", "§ 124 VwGO|§ 124a VwGO"),
        # which of the two is not said
        ("Der Anspruch folgt aus BGB\n§ 280 Abs. 1 und § 287 ZPO.", "§ 280 -|§ 287 ZPO"),
        ("Anders das UWG: § 3 und § 4 UrhG gehen vor.", "§ 3 -|§ 4 UrhG"),
        ("1. UWG\n§ 3 und § 4 UrhG gehen vor.", "§ 3 -|§ 4 UrhG"),
        ("Under the GDPR, recital 47, and Article 6 of the AI Act.", "Erwg 47 -|Art 6 KI-VO"),
        ("Nach dem BImSchG\nAnlage 1 und § 4 BauGB.", "Anlage 1 -|§ 4 BauGB"),
        ("Verhältnis zum UWG\n\n§ 3 und § 4 UrhG gehen vor.", "§ 3 -|§ 4 UrhG"),
    ],
)
def test_a_law_in_the_line_above_or_in_a_sentence_takes_nothing_for_sure(
    written: str, meant: str
) -> None:
    assert list_found(written) == meant.split("|")


@pytest.mark.parametrize(
    "above",
    [
        "§ 138a | Übergangsregelung zur Verordnung (EU) Nr. 600/2014",
        "§ 138a | Übergangsregelung zur Verordnung (EU) Nr. 600/2014 vom 15. Mai 2014",
        "§ 138a | Übergangsregelung zur DSGVO",
        "§ 138a | Änderung der Gewerbeordnung",
    ],
)
def test_a_row_of_a_table_of_contents_is_of_no_law_in_the_row_above(above: str) -> None:
    assert list_found(f"{above}\n§ 139 | Übergang") == ["§ 138a -", "§ 139 -"]


def test_an_article_in_the_next_line_is_of_no_law_of_sections() -> None:
    written = "Artikel 2 | Änderung der Gewerbeordnung\nArtikel 3 | Änderung der Handwerksordnung"
    assert list_found(written) == []


@pytest.mark.parametrize(
    "written",
    [
        "§ 3 Anwendung der ZPO\n§ 4 Kosten",
        "Artikel 1\nÄnderung des Grundgesetzes\nArtikel 2\nInkrafttreten",
    ],
)
def test_a_heading_of_the_next_row_is_of_no_law_in_the_row_above(written: str) -> None:
    assert [one for one in list_found(written) if not one.endswith("-")] == []


def test_each_edition_of_a_law_has_its_own() -> None:
    first, last = parse("UWG a.F. § 1, § 3 UWG").targets
    assert isinstance(first, NormCitation)
    assert isinstance(last, NormCitation)
    assert (first.number, bool(first.version)) == ("1", True)
    assert (last.number, last.version) == ("3", None)


def test_a_provision_on_a_line_of_its_own_is_not_of_the_heading_below_it() -> None:
    assert list_found("BGB:\n- § 280\n- § 249\nZPO:\n- § 287\nHGB:\n- § 1")[0] == "§ 280 BGB"
    assert "§ 249 ZPO" not in list_found("BGB:\n- § 280\n- § 249\nZPO:\n- § 287")
    assert list_found("§ 1\nBGB\n§ 2\nHGB\n§ 3\nZPO") == ["§ 1 BGB", "§ 2 HGB", "§ 3 ZPO"]


def test_a_dash_that_begins_a_line_joins_no_numbers() -> None:
    assert list_found("Es gelten:\n- § 280\n- § 286 BGB") == ["§ 280 -", "§ 286 BGB"]
    (whole,) = parse("§§ 280 -\n286 BGB").targets
    assert isinstance(whole, NormCitation)
    assert (whole.number, whole.number_end) == ("280", "286")
