"""What a written citation means: tables of forms, one for each rule of the grammar."""

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    GazetteCitation,
    NormCitation,
    Target,
)
from tests.unit.citations.laws.test_names import build_statute


def brief(target: Target) -> str:
    """A target in one short line."""
    if isinstance(target, NormCitation | EuCitation):
        return _brief_norm(target)
    if isinstance(target, DecisionCitation):
        parts = (target.court, target.docket, target.issued_on, target.ecli)
        return " | ".join(part or "-" for part in parts)
    return str(target)


def _brief_norm(target: NormCitation | EuCitation) -> str:
    law = target.celex if isinstance(target, EuCitation) else target.law
    number = target.number or ""
    if target.number_end:
        number += f"-{target.number_end}"
    if target.follow:
        number += f"+{target.follow}"
    path = [f"{s.level}:{s.value}" + (f"-{s.to}" if s.to else "") for s in target.path]
    version = f"{{{target.version}}}" if target.version else ""
    return " ".join(part for part in (law or "-", target.unit, number, *path, version) if part)


def read(text: str) -> list[str]:
    return [brief(target) for target in parse(text).targets]


SPELLINGS = [
    "§ 823 Abs. 1 BGB",
    "§823Abs.1BGB",
    "§ 823 abs. 1 bgb",
    "§ 823 ABS. 1 BGB",
    "§\u00a0823\u202fAbs.\u00a01 BGB",
    "§ 823\n  Abs. 1 BGB",
    "&sect; 823 Abs. 1 BGB",
    "§ 823 Absatz I BGB",
    "§ 823 I BGB",
    "§ 823 (1) BGB",
    "§ 823(1) BGB",
    "BGB § 823 Abs. 1",
    "BGB, § 823 I",
    "Paragraf 823 Abs. 1 BGB",
    "Section 823 para. 1 BGB",
    "§ 823 Abs. 1 des Bürgerlichen Gesetzbuches",
    "§ 823 Abs. 1 des Bürgerlichen Gesetzbuchs (BGB)",
    "Absatz 1 des § 823 BGB",
    "vgl. § 823 Abs. 1 BGB",
    "823 I BGB",
    "par. 823 I BGB",
    "BGB 823 I",
    "§ 82\u00ad3 Abs. 1 BGB",
    "**§ 823 Abs. 1 BGB**",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_every_spelling_reads_as_the_same_citation(text: str) -> None:
    assert read(text) == ["BGB § 823 abs:1"]


@pytest.mark.parametrize(
    "text",
    [
        "§ 5 Abs. 1 Art. 229 EGBGB",
        "§ 5 Abs. 1 des Art. 229 EGBGB",
        "Art. 229 EGBGB, § 5 Abs. 1",
        "Art. 229 EGBGB § 5 Abs. 1",
    ],
)
def test_a_section_of_an_article_is_read_in_either_order(text: str) -> None:
    assert read(text) == read("Art. 229 § 5 Abs. 1 EGBGB")


def test_a_section_of_another_law_is_none_of_an_article() -> None:
    assert read("§ 5 BGB, Art. 229 EGBGB") == ["BGB § 5", "EGBGB Art 229"]
    assert read("Art. 229 EGBGB, § 5 BGB") == ["EGBGB Art 229", "BGB § 5"]


@pytest.mark.parametrize("text", ["Anh. § 3 III UWG", "Anh. § 3 Abs. 3 UWG", "Anh. zu § 3 III UWG"])
def test_an_annex_may_be_cited_by_its_section_without_a_word_between(text: str) -> None:
    assert read(text) == read("Anhang zu § 3 Abs. 3 UWG")


RULES = {
    "the law binds backwards over the whole list": [
        ("§ 23 Abs. 1, § 92 BVerfGG", ["BVerfGG § 23 abs:1", "BVerfGG § 92"]),
        ("§§ 3 UWG, 823, 1004 BGB", ["UWG § 3", "BGB § 823", "BGB § 1004"]),
        (
            "§§ 167 Abs. 2 VwGO, 708 Nr. 11, 711 ZPO",
            ["VwGO § 167 abs:2", "ZPO § 708 nr:11", "ZPO § 711"],
        ),
    ],
    "a new element keeps every level above its own": [
        ("§ 98 Abs 4 iVm Abs 1 Satz 1 SGG", ["SGG § 98 abs:4", "SGG § 98 abs:1 satz:1"]),
        (
            "§ 20 Abs. 1 Nr. 10 Buchst. b Satz 5 i. V. m. Nr. 1 Satz 3 EStG",
            ["EStG § 20 abs:1 nr:10 buchst:b satz:5", "EStG § 20 abs:1 nr:1 satz:3"],
        ),
        ("§ 5 Abs. 2 Nr. 1, Abs. 3 UWG", ["UWG § 5 abs:2 nr:1", "UWG § 5 abs:3"]),
        ("§ 626 Abs. 1, 1. Alt. BGB", ["BGB § 626 abs:1 alt:1"]),
    ],
    "the order of the levels is kept": [
        ("§ 39 Abs. 2 Nr. 1 Satz 1 AO", ["AO § 39 abs:2 nr:1 satz:1"]),
        ("§ 312g Abs. 2 Satz 1 Nr. 1 BGB", ["BGB § 312g abs:2 satz:1 nr:1"]),
    ],
    "bare numbers go on with a level or begin a section": [
        ("§§ 280 Abs. 1, 3, 281 BGB", ["BGB § 280 abs:1", "BGB § 280 abs:3", "BGB § 281"]),
        ("§ 123 Abs. 1 S. 2, 3 S. 4 VwGO", ["VwGO § 123 abs:1 satz:2", "VwGO § 123 abs:3 satz:4"]),
        ("§ 20 Abs. 1 Nr. 1 oder 2 EStG", ["EStG § 20 abs:1 nr:1", "EStG § 20 abs:1 nr:2"]),
        ("Art. 13/14 DSGVO", ["32016R0679 Art 13", "32016R0679 Art 14"]),
        (
            "§ 3 Nr. 1 a) und 4 BGB",
            ["BGB § 3 nr:1 buchst:a", "BGB § 3 nr:4"],
        ),
        (
            "§ 3 Abs. 1 Nr. 1 Buchst. a, b und 4 BGB",
            ["BGB § 3 abs:1 nr:1 buchst:a", "BGB § 3 abs:1 nr:1 buchst:b", "BGB § 3 abs:1 nr:4"],
        ),
        (
            "Art. 9 Buchst. a und b der VO (EG) Nr. 1/2003",
            ["32003R0001 Art 9 buchst:a", "32003R0001 Art 9 buchst:b"],
        ),
        ("Art. 9 Buchstabe a und b GG", ["GG Art 9 buchst:a", "GG Art 9 buchst:b"]),
    ],
    "Roman numbers are Absätze, Arabic ones behind them Sätze": [
        ("§ 812 I 1 Alt. 1 BGB", ["BGB § 812 abs:1 satz:1 alt:1"]),
        ("§§ 280 I, III, 281 BGB", ["BGB § 280 abs:1", "BGB § 280 abs:3", "BGB § 281"]),
        ("§ 40 Ia LFGB", ["LFGB § 40 abs:1a"]),
        ("§ 2 V SGB V", ["SGB V § 2 abs:5"]),
        ("Art. 2 I, 1 I GG", ["GG Art 2 abs:1", "GG Art 1 abs:1"]),
        ("Art. 2 I i. V. m. Art. 1 I GG", ["GG Art 2 abs:1", "GG Art 1 abs:1"]),
    ],
    "f and ff follow, unless f is a letter": [
        ("§§ 823ff BGB", ["BGB § 823+ff"]),
        ("§§ 145 f. BGB", ["BGB § 145+f"]),
        ("§ 368f Abs 1 RVO", ["RVO § 368f abs:1"]),
        ("§ 21 f Abs. 2 GVG", ["GVG § 21f abs:2"]),
        ("§ 5 Abs. 1 ff. UWG", ["UWG § 5 abs:1-ff"]),
    ],
    "letters belong to their number": [
        ("§ 7 g EStG", ["EStG § 7g"]),
        ("§ 124 a Abs. 1 VwGO", ["VwGO § 124a abs:1"]),
        ("§ 22 a) BGB", ["BGB § 22 buchst:a"]),
        ("§ 43 Abs. 1 Satz 1 Nr. 7c EStG", ["EStG § 43 abs:1 satz:1 nr:7c"]),
    ],
    "ranges stay ranges": [
        ("§§ 312b bis 312h BGB", ["BGB § 312b-312h"]),
        ("§§ 276–278 BGB", ["BGB § 276-278"]),
        ("§ 87 Abs 2b S 1 bis 3 SGB V", ["SGB V § 87 abs:2b satz:1-3"]),
        ("§§ 249 bis 254, 842 f. BGB", ["BGB § 249-254", "BGB § 842+f"]),
    ],
    "a version is told from a year in the name": [
        ("§ 12a StAG a. F.", ["StAG § 12a {aF}"]),
        ("§ 10 KStG 1977", ["KStG § 10 {1977}"]),
        ("§ 20 ZuG 2012", ["ZuG 2012 § 20"]),
        ("§ 5 BGB in der am 1. Mai 2001 geltenden Fassung", ["BGB § 5 {asof:2001-05-01}"]),
        ("§ 5 BGB in der ab dem 1.5.2001 geltenden Fassung", ["BGB § 5 {asof:2001-05-01}"]),
        ("§ 5 BGB in der bis zum 1.5.2001 geltenden Fassung", ["BGB § 5 {until:2001-05-01}"]),
        ("§ 5 BGB in der bis 1. Mai 2001 geltenden Fassung", ["BGB § 5 {until:2001-05-01}"]),
    ],
    "names of laws in the wild": [
        ("§ 130a SGB 5", ["SGB V § 130a"]),
        ("§ 5 SGB-V", ["SGB V § 5"]),
        ("§ 35a Achtes Buch Sozialgesetzbuch", ["SGB VIII § 35a"]),
        ("§ 19 des Zwölften Buches Sozialgesetzbuch", ["SGB XII § 19"]),
        ("§ 3 Abs. 2 der 39. BImSchV", ["39. BImSchV § 3 abs:2"]),
        ("§ 10a KAG RP", ["KAG RP § 10a"]),
        ("§ 12 XYZG", ["XYZG § 12"]),
        ("§ 9 des Deutschen Richtergesetzes", ["DRiG § 9"]),
        ("§ 5 Geschäftsgeheimnisgesetz", ["GeschGehG § 5"]),
        ("§ 5 des Geschäftsgeheimnisgesetzes", ["GeschGehG § 5"]),
    ],
    "sections below articles": [
        ("Art. 229 § 5 EGBGB", ["EGBGB Art 229 §:5"]),
        ("Anh. I Nr. 1 BauMG", ["BauMG Anlage I nr:1"]),
        ("Art. 229 EGBGB § 5", ["EGBGB Art 229 §:5"]),
        ("Art. 246a EGBGB § 1 Abs. 2", ["EGBGB Art 246a §:1 abs:2"]),
        ("Art. 229 EGBGB § 5 BGB", ["EGBGB Art 229", "BGB § 5"]),
        ("Art. 246a § 1 Abs. 2 Satz 1 Nr. 1 EGBGB", ["EGBGB Art 246a §:1 abs:2 satz:1 nr:1"]),
    ],
    "a wrong sign is corrected": [
        ("§ 44 DSGVO", ["32016R0679 Art 44"]),
        ("Art. 823 BGB", ["BGB § 823"]),
    ],
    "annexes and schedules": [
        ("Anlage 1 zu § 3 Abs. 2 GKG", ["GKG Anlage 1"]),
        ("Nr. 34 der Anlage 2 zum UStG", ["UStG Anlage 2 nr:34"]),
        ("VV RVG Nr. 3100", ["RVG Anlage 1 nr:3100"]),
        ("KV GKG Nr. 1900", ["GKG Anlage 1 nr:1900"]),
        ("Anhang III Nr. 4 Buchst. a KI-VO", ["32024R1689 Anhang III nr:4 buchst:a"]),
    ],
    "places of what is written about a provision are none of its parts": [
        ("So S. 16 zu § 11 Abs. 2 IFG", ["IFG § 11 abs:2"]),
        ("Begründung S. 30 f. zu § 93 AktG", ["AktG § 93"]),
        ("Hinweis auf AEAO Nr. 4 zu § 91 AO", ["AO § 91"]),
        ("AEAO zu § 122 AO Nr. 1.7", ["AO § 122"]),
        ("§ 52 Abs. 2 GKG i.V.m. Ziffer 1.5 des Streitwertkatalogs", ["GKG § 52 abs:2"]),
    ],
    "values before their level": [
        ("§ 14 Abs. 1 Satz 1 letzter Halbsatz BauNVO", ["BauNVO § 14 abs:1 satz:1 hs:last"]),
        ("§ 5 Abs. 1 zweite Alternative UWG", ["UWG § 5 abs:1 alt:2"]),
        ("Sätze 2 und 3 des § 9 Abs. 1 UWG", ["UWG § 9 abs:1 satz:2", "UWG § 9 abs:1 satz:3"]),
    ],
    "words of manner are no part of the target": [
        ("§ 1004 Abs. 1 Satz 2 analog BGB", ["BGB § 1004 abs:1 satz:2"]),
        ("§ 31 BGB entspr.", ["BGB § 31"]),
    ],
    "European acts by number, in every order": [
        ("Art. 7 VO (EG) Nr. 261/2004", ["32004R0261 Art 7"]),
        ("Art. 10 Abs. 1 Buchst. a der VO Nr. 574/72", ["31972R0574 Art 10 abs:1 buchst:a"]),
        ("Richtlinie (EU) 2019/771", ["32019L0771"]),
        ("RL 95/46/EG", ["31995L0046"]),
        ("VO (EG) Nr. 2252/2004", ["32004R2252"]),
        ("Beschluss 2021/914/EU", ["32021D0914"]),
        ("Art. 5 Abs. 1 EU 2024/1689", ["32024R1689 Art 5 abs:1"]),
        ("Richtlinien 98/26/EG und 2014/65/EU", ["31998L0026", "32014L0065"]),
        ("Verordnungen (EG) Nr. 883/2004 und (EG) Nr. 987/2009", ["32004R0883", "32009R0987"]),
        ("Art. 101 AEUV", ["12016E Art 101"]),
        ("12016E101", ["12016E Art 101"]),
        ("02016R0679-20160504", ["32016R0679 {consolidated:2016-05-04}"]),
        ("http://data.europa.eu/eli/reg/2016/679/oj", ["32016R0679"]),
    ],
    "brackets in European acts": [
        ("Art. 6(1)(a) GDPR", ["32016R0679 Art 6 abs:1 buchst:a"]),
        ("Art. 4(5) GDPR", ["32016R0679 Art 4 nr:5"]),
        ("Article 5(1)(ba) AI Act", ["32024R1689 Art 5 abs:1 buchst:ba"]),
        ("Article 5(1)(ba)(iia) AI Act", ["32024R1689 Art 5 abs:1 buchst:ba nr:2a"]),
        ("Art. 1 Abs. -1 RL 96/71/EG", ["31996L0071 Art 1 abs:-1"]),
        ("Article 1(-1a) GDPR", ["32016R0679 Art 1 abs:-1a"]),
        ("Art. 6 Abs. 1-1a DSGVO", ["32016R0679 Art 6 abs:1-1a"]),
        ("Article 2(ca) GDPR", ["32016R0679 Art 2 buchst:ca"]),
        ("Article 6(1)(cc) GDPR", ["32016R0679 Art 6 abs:1 buchst:cc"]),
        ("Article 6(1), point (a), of the GDPR", ["32016R0679 Art 6 abs:1 buchst:a"]),
        ("Article 6(1), of the GDPR", ["32016R0679 Art 6 abs:1"]),
        (
            "Article 6(1), first subparagraph, point (f), of Regulation (EU) 2016/679",
            ["32016R0679 Art 6 abs:1 uabs:1 buchst:f"],
        ),
        ("Article 4, point (2), AI Act", ["32024R1689 Art 4 nr:2"]),
        (
            "Article 2, points (22) and (23), of Regulation (EU) 2020/852",
            ["32020R0852 Art 2 nr:22", "32020R0852 Art 2 nr:23"],
        ),
        (
            "Article 2(5), points (4) to (23), of Directive 2013/36/EU",
            ["32013L0036 Art 2 abs:5 nr:4-23"],
        ),
        ("Article 53 of Council Directive 2009/132/EC", ["32009L0132 Art 53"]),
        ("Annex V to Directive 2009/28/EC", ["32009L0028 Anhang V"]),
        ("Anhang I zu der Richtlinie 2013/36/EU", ["32013L0036 Anhang I"]),
    ],
    "between a provision and its law": [
        ("§ 276, Abs. 1, AktG", ["AktG § 276 abs:1"]),
        ("§ 15 Absatz 3, Satz 1, des GmbHG", ["GmbHG § 15 abs:3 satz:1"]),
        ("§ 276 Abs. 1 a.E. AktG", ["AktG § 276 abs:1"]),
        ("§ 276 Abs. 1 am Ende AktG", ["AktG § 276 abs:1"]),
        ("§ 276 Abs. 1 – AktG", ["AktG § 276 abs:1"]),
        ("§ 276 Abs. 1 „AktG“", ["AktG § 276 abs:1"]),
        ("§ 276 Abs. 1 **AktG**", ["AktG § 276 abs:1"]),
        ("§ 276 des „AktG“", ["AktG § 276"]),
        ("§ 276 [AktG]", ["AktG § 276"]),
        ("§ 276 (AktG)", ["AktG § 276"]),
        ("§ 276 (Aufsicht) AktG", ["AktG § 276"]),
        ("§ 276 Abs. 1 (S. 1) AktG", ["AktG § 276 abs:1 satz:1"]),
        ("§ 276 Abs. 1 S. 1 (2. Alt.) AktG", ["AktG § 276 abs:1 satz:1 alt:2"]),
        ("§ 142 Abs. 2 (i.V.m. § 15) AktG", ["AktG § 142 abs:2", "AktG § 15"]),
        ("§ 3 Nr. 1a) IFG", ["IFG § 3 nr:1a"]),
        ("§ 5 (S. 12) AktG", ["- § 5"]),  # a page
        ("§ 62, ECHR 2008", ["- § 62"]),  # a page of its reports
    ],
    "recitals": [
        ("EG 47 DSGVO", ["32016R0679 Erwg 47"]),
        ("47. Erwägungsgrund der DSGVO", ["32016R0679 Erwg 47"]),
        ("Recitals 26 and 30 of the GDPR", ["32016R0679 Erwg 26", "32016R0679 Erwg 30"]),
    ],
    "decisions": [
        ("BGH, Urt. v. 15. Mai 2023 – VI ZR 175/22", ["BGH | VI ZR 175/22 | 2023-05-15 | -"]),
        ("BVerwG 8 C 1/19", ["BVerwG | 8 C 1.19 | - | -"]),
        ("BGH, NotZ(Brfg) 1/13", ["BGH | NotZ (Brfg) 1/13 | - | -"]),
        ("1 K 1234/20", ["- | 1 K 1234/20 | - | -"]),
        ("C‑311/18", ["EuGH | C-311/18 | - | -"]),
        (
            "Urteil des Hessischen FG vom 13. April 2016 7 K 872/13",
            ["FG Hessen | 7 K 872/13 | 2016-04-13 | -"],
        ),
        ("BGH, Urteil vom 31.02.2023 - VI ZR 1/22", ["BGH | VI ZR 1/22 | - | -"]),
    ],
}
CASES = [(rule, *case) for rule, cases in RULES.items() for case in cases]


@pytest.mark.parametrize(("rule", "text", "expected"), CASES, ids=[c[1] for c in CASES])
def test_the_rules_of_reading(rule: str, text: str, expected: list[str]) -> None:
    assert read(text) == expected, rule


SILENT = [
    "§ 5 des Mietvertrags",
    "§ 7 der Satzung",
    "§ 6 des (angeblichen) Mietvertrags",
    "17 U.S.C. § 107",
    "Zöller, ZPO, 31. Aufl., § 398 Rn. 5",
    "MüKoBGB/Wagner, 8. Aufl. 2020, § 823 Rn. 12",
    "C-17 Transportflugzeug",
    "GG-Reform 2009",
    "Der Artikel 15 im Warenkorb kostet 20 EUR",
    "Artikel 3 des Magazins",
    "Anlage K 5",
    "Seite 823",
    "die 823 besten BGB-Tipps",
    "a. a. O.",
    "",
    "   ",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_is_no_citation_stays_silent(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ECLI:DE:BGH:2023:150523UVIZR175.22.0", "BGH | VI ZR 175/22 | 2023-05-15"),
        ("ECLI:DE:BFH:2019:U.111219.XIR13.18.0", "BFH | XI R 13/18 | 2019-12-11"),
        ("ECLI:DE:BSG:2019:080819UB3KR2118R3", "BSG | B 3 KR 21/18 R | 2019-08-08"),
        ("ECLI:DE:BVerfG:2020:rk20201208.1bvr011716", "BVerfG | 1 BvR 117/16 | 2020-12-08"),
        ("ECLI:DE:BVerwG:2016:210416U2C4.15.0", "BVerwG | 2 C 4.15 | 2016-04-21"),
        ("ECLI:DE:OLGSTUT:2021:0115.5U11.20.00", "OLG Stuttgart | 5 U 11/20 | 2021-01-15"),
    ],
)
def test_an_ecli_decodes_to_court_docket_and_day(text: str, expected: str) -> None:
    assert read(text) == [f"{expected} | {text}"]


def test_a_corrected_sign_is_said() -> None:
    assert parse("Art. 823 BGB").normalised == ("BGB has §, not Art.",)


def test_a_gazette_takes_its_year_from_the_date_before() -> None:
    (target,) = parse("vom 31. 10. 2006 (BGBl I 2407)").targets
    assert target == GazetteCitation("BGBl.", "2006", "I", "2407")


def test_an_abbreviation_of_several_laws_stays_as_written() -> None:
    assert read("§ 1 SGB") == ["SGB § 1"]
    assert len(LawNames.default().find("SGB")) == 13


@pytest.mark.parametrize("letter", "abgosuvAZ")
@pytest.mark.parametrize(
    "written", ["Art. 6 Abs. 1 DSGVO {}", "§ 309 Nr. 7 BGB, {}", "§ 312 BGB - {}"]
)
def test_a_letter_alone_behind_a_law_is_not_passed_over(written: str, letter: str) -> None:
    assert parse(written.format(letter)).unparsed == (letter,)


@pytest.mark.parametrize("behind", ["u. a.", "s. o.", "a.a.O.", "a.F."])
def test_letters_that_are_a_signal_behind_a_law_are(behind: str) -> None:
    assert parse(f"§ 823 BGB {behind}").unparsed == ()


@pytest.mark.parametrize("before", ["Vorinstanz zu", "Vorinstanzen von", "die Vorinstanz zum"])
def test_the_decision_before_the_one_that_is_cited_is_not_that_one(before: str) -> None:
    [unread] = parse(f"{before} BVerwG 7 C 22.15").unparsed
    assert unread.startswith("Vorinstanz")
    assert parse("BVerwG 7 C 22.15, Vorinstanz: VG Köln").unparsed == ()


def test_a_zero_before_a_number_is_none_of_it() -> None:
    assert parse("§ 102 Abs. 01 BetrVG").targets == parse("§ 102 Abs. 1 BetrVG").targets


@pytest.mark.parametrize(
    "written",
    [
        *("Articles 13 {} 14 GDPR", "Art. 6(1)(a) {} (f) GDPR", "Article 6 {} Article 9 GDPR"),
        *("Article 7(1) {} (2) GDPR", "Article 6 {} 9 of the GDPR", "Art. 13, 14 {} 15 DSGVO"),
    ],
)
def test_every_conjunction_joins_alike(written: str) -> None:
    joined = parse(written.format("and"))
    assert len(joined.targets) > 1
    assert not joined.unparsed
    for word in ("or", "oder", "und"):
        assert parse(written.format(word)) == joined
        found = find(f"Under {written.format(word)} it is so.")
        assert tuple(one for hit in found for one in hit.targets) == joined.targets


@pytest.mark.parametrize("word", ["or", "lag", "go"])
def test_a_word_in_small_letters_is_no_law_and_capitals_are(word: str) -> None:
    assert LawNames.default().match(f"{word} die", 0) is None
    assert LawNames.default().match(f"{word.upper()} die", 0) is not None


@pytest.mark.parametrize(
    "form",
    ["{} {}", "{} ({})", "{} [{}]", "{} (Fassung {})", "{} idF {}", "{} in der Fassung von {}"],
)
def test_a_year_behind_a_law_is_read_however_it_is_written(form: str) -> None:
    called = {
        "BienV": "Bienenverordnung",
        "BienV 2011": "Alte Bienenverordnung",
        "ImkG": "Imkergesetz",
    }
    names = LawNames.build([build_statute(law, title=title) for law, title in called.items()])
    for law, year, read_as in (
        ("ImkG", "2011", ("ImkG", "2011")),
        ("BienV", "2019", ("BienV", "2019")),
        ("BienV", "2011", ("BienV 2011", None)),  # another law than the one called BienV
    ):
        written = f"§ 5 Abs. 2 {form.format(law, year)}"
        parsed = parse(written, names)
        (target,) = parsed.targets
        assert isinstance(target, NormCitation)
        assert not parsed.unparsed
        assert (target.law, target.version) == read_as
        (found,) = find(f"Nach {written} gilt das.", names)
        assert (found.text, found.targets) == (written, (target,))
