"""How far a citation reaches in a running text."""

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.parse import parse
from fundstelle.law.citations import DecisionCitation, EuCitation, GazetteCitation, NormCitation


def list_texts(text: str) -> list[str]:
    return [one.text for one in find(text)]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("nach § 5 des Umsatzsteuergesetzes (UStG) frei", ["§ 5 des Umsatzsteuergesetzes", "UStG"]),
        ("gemäß § 2 BetrAVG aF.", ["§ 2 BetrAVG aF"]),
        ("gemäß § 2 UStG a. F. gilt", ["§ 2 UStG a. F."]),
        ("(§ 2 ZustVO-SOG nF).", ["§ 2 ZustVO-SOG nF"]),
        ("nach § 2 UmwStG 1995, der", ["§ 2 UmwStG 1995"]),
        ("§ 9 AO in der bis zum 31. Dezember 2016 geltenden Fassung", ["§ 9 AO"]),
        ("§ 9 SGB V idF des GKV-FinG", ["§ 9 SGB V", "GKV-FinG"]),
        ("Art. 39 Abs. 1 PCT/Art. 22 PCT", ["Art. 39 Abs. 1 PCT", "Art. 22 PCT"]),
        (
            "Art. 7 der Richtlinie 2003/88/EG des Rates vom 4. Mai 2003 über Ruhe (ABl. L 2)",
            ["Art. 7 der Richtlinie 2003/88/EG des Rates vom 4. Mai 2003 über Ruhe (ABl. L 2)"],
        ),
        (
            "§ 1 Abs. 2 LaubG vom 3. Mai 2001 (GVBl. S. 5)",
            ["§ 1 Abs. 2 LaubG vom 3. Mai 2001 (GVBl. S. 5)"],
        ),
        ("nach § 72b ArbGG vom 27. Juli 2017 verworfen", ["§ 72b ArbGG"]),
    ],
)
def test_a_norm_ends_with_the_name_of_its_law(text: str, spans: list[str]) -> None:
    assert list_texts(text) == spans


def test_the_version_is_read_though_it_lies_outside_the_span() -> None:
    (found,) = find("§ 9 AO in der bis zum 31. Dezember 2016 geltenden Fassung")
    target = found.targets[0]
    assert isinstance(target, NormCitation)
    assert target.version == "until:2016-12-31"


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (
            "(BAG 2. August 2017 - 7 AZR 601/15 - Rn. 49).",
            ["BAG 2. August 2017 - 7 AZR 601/15 - Rn. 49"],
        ),
        (
            "BGH, Urteil vom 3. Mai 2011 - VI ZR 1/10, juris Rn. 3 f. und vom 4. Mai - VI ZR 2/10",
            [
                "BGH, Urteil vom 3. Mai 2011 - VI ZR 1/10, juris Rn. 3 f.",
                "VI ZR 2/10",
            ],
        ),
        ("BVerfGE 104, 220 <235 f.>; 105, 1 <2>", ["BVerfGE 104, 220 <235 f.>", "105, 1 <2>"]),
        (
            "BAG 1. Juni 2010 - 4 AZR 5/09 - zu II 2 der Gründe, BAGE 1, 2",
            ["BAG 1. Juni 2010 - 4 AZR 5/09 - zu II 2 der Gründe", "BAGE 1, 2"],
        ),
        (
            "BGH GRUR 2014, 378, Rdnr. 39 – Otto CAP; ebenso",
            ["BGH GRUR 2014, 378, Rdnr. 39 – Otto CAP"],
        ),
        (
            "das Urteil des Landesarbeitsgerichts Hamm vom 4. Juli 2016 - 11 Sa 1330/14 - wird",
            ["Urteil des Landesarbeitsgerichts Hamm vom 4. Juli 2016 - 11 Sa 1330/14 -"],
        ),
        (
            "Urteil vom 11. 8. 2015 (B 9 SB 1/14 R - SozR 4-3250 § 69 Nr 21) hin",
            ["Urteil vom 11. 8. 2015 (B 9 SB 1/14 R", "SozR 4-3250 § 69 Nr 21)"],
        ),
        ("Buchholz 310 § 132 Abs. 2 Ziff. 1 VwGO Nr. 9 S. 11 f.", None),
        ("SozR Nr 1 zu § 166 RVO", None),
        ("BGHR StGB § 46 Abs. 2 Verteidigungsverhalten 8", None),
    ],
)
def test_a_decision_takes_its_kind_pinpoint_and_name(text: str, spans: list[str] | None) -> None:
    assert list_texts(text) == ([text] if spans is None else spans)


def test_words_of_the_sentence_are_no_part_of_a_decision() -> None:
    (found,) = find("Der BFH hat mit Beschluss vom 3. Februar 2016 IV B 84/15 entschieden.")
    assert found.text == "Beschluss vom 3. Februar 2016 IV B 84/15"
    target = found.targets[0]
    assert isinstance(target, DecisionCitation)
    assert target.court == "BFH"


@pytest.mark.parametrize(
    "text",
    [
        "Die Satzung lautet:\n§ 7 Umfang des Versicherungsschutzes\nVersichert ist der Laubhaufen.",
        "BT-Drucks 16/8525 S 99 zu Art 1 Nr 34",
        "BT-Drucks 11/2237, S 202 zu § 128",
    ],
)
def test_headings_and_places_in_bills_are_no_citations(text: str) -> None:
    assert not [one for one in find(text) if isinstance(one.targets[0], NormCitation)]


@pytest.mark.parametrize(
    "piece",
    ["das XyG, ", "Gesetz zur ", "BGH, ", "- Rn. 1 ", "vom ", "(", "BGH, Urteil vom 3. Mai 2011 "],
)
def test_long_runs_of_one_piece_are_passed_in_linear_time(piece: str) -> None:
    found = find(piece * 20_000)
    assert all(one.start < one.end for one in found)


def test_a_place_in_the_journal_is_cited_with_an_act_that_is_not_held() -> None:
    text = "Richtlinie 92/43/EWG des Rates vom 21. Mai 1992 zur Ruhe der Hunde (ABl. L 206 S. 7)"
    (found,) = find(f"Nach der {text} gilt das.")
    assert found.text == text
    assert [type(one) for one in found.targets] == [EuCitation, GazetteCitation]
    assert parse(text).targets == found.targets
