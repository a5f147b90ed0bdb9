import time
from itertools import pairwise

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.norms import inference
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation


def get_laws(found: FoundCitation) -> list[str | None]:
    return [t.law for t in found.targets if isinstance(t, NormCitation | EuCitation)]


TEXTS = [
    "Nach § 823 Abs. 1 BGB haftet, wer schuldhaft handelt (vgl. Art. 2 I GG).",
    "Nach §\u00a0823 Abs.\u00a01 BGB haf\u00adtet man; &sect; 7 StVG bleibt.",
    "Siehe <b>§ 5</b> UWG und BGH, Urteil vom 15.05.2023 - VI ZR 175/22, NJW 2023, 1234.",
    "Die Richtlinie 2011/83/EU und das Grundgesetz; Erwägungsgrund 47 DSGVO.",
    "\u00ad\u00ad§ 1 BGB\u00ad",
]


@pytest.mark.parametrize("text", TEXTS)
def test_offsets_slice_to_the_matched_text(text: str) -> None:
    found = find(text)
    assert found
    for one in found:
        assert text[one.start : one.end] == one.text
        assert one.text.strip() == one.text
    assert [one.start for one in found] == sorted(one.start for one in found)


def test_a_range_of_annexes_is_one_target_however_long() -> None:
    """Drafts may hold thousands: what lies in between is looked up where it is held."""
    for written in ("Anlage 1-99 AufenthV", "Anlagen 1 bis 99 AufenthV"):
        found = find(f"{written}, " * 50)
        assert len(found) == 50
        for one in found:
            (target,) = one.targets
            assert isinstance(target, NormCitation)
            assert (target.number, target.number_end) == ("1", "99")


@pytest.mark.parametrize(
    "form", ["§ {}/{}", "§ 1/{} BGB", "Art. 5 Abs. {}-{} GG", "Nr. {}, {}. Satz"]
)
def test_numbers_that_python_cannot_read_break_no_draft(form: str) -> None:
    """More than 4,300 digits are none for it."""
    digits = "9" * 5_000
    assert find(form.format(1, digits) + " und § 823 BGB")
    assert find(form.format(digits, digits) + " und § 823 BGB")


def test_spans_do_not_overlap() -> None:
    for text in TEXTS:
        found = find(text)
        assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "agreed",
    [
        *("§ 5 AGB", "§ 3 Abs. 2 AGB", "§§ 3, 4 AGB", "§ 9 AGB-Banken", "§ 7 Satzung"),
        *("§ 4 Mietvertrag", "§ 7 Gesellschaftsvertrag", "§ 13 Betriebsvereinbarung"),
        "§ 2 Allgemeine Versicherungsbedingungen",
    ],
)
def test_what_parties_agreed_is_of_no_law_that_was_named_before(agreed: str) -> None:
    found = find(f"Nach § 433 BGB und {agreed} ist zu zahlen. § 434 gilt nicht.")
    assert [one.text for one in found] == ["§ 433 BGB", "§ 434"]
    assert get_laws(found[1]) == ["BGB"]


@pytest.mark.parametrize("law", ["EU-Vertrag", "Einigungsvertrag", "Rundfunkstaatsvertrag"])
def test_a_treaty_is_a_law_though_it_is_called_so(law: str) -> None:
    [found] = find(f"Das folgt aus Art. 3 {law} nicht.")
    assert get_laws(found) != [None]


def test_a_bare_section_binds_to_the_law_whose_text_it_is() -> None:
    (found,) = find("Die §§ 280 Abs. 1 und 281 gelten entsprechend.", law="BGB")
    assert found.inferred
    assert get_laws(found) == ["BGB", "BGB"]


def test_a_named_law_wins_over_the_law_of_the_text() -> None:
    first, second = find("Nach § 5 des Strafgesetzbuchs und nach § 6 gilt nichts.", law="BGB")
    assert (get_laws(first), first.inferred) == (["StGB"], False)
    assert (get_laws(second), second.inferred) == (["BGB"], True)


def test_a_sign_the_law_does_not_use_is_not_bound_to_it() -> None:
    (found,) = find("Artikel 5 Absatz 2 gilt.", law="BGB")
    assert get_laws(found) == [None]
    assert not found.inferred


def test_a_bare_section_binds_to_the_last_law_of_its_paragraph() -> None:
    named, bare, other = find("§ 1 KSchG gilt. Nach § 4 Satz 1 ist zu klagen.\nNach § 5 nicht.")
    assert get_laws(named) == ["KSchG"]
    assert (get_laws(bare), bare.inferred) == (["KSchG"], True)
    assert (get_laws(other), other.inferred) == ([None], False)


def test_this_law_means_the_law_of_the_text() -> None:
    (found,) = find("§ 5 dieses Gesetzes bleibt unberührt.", law="KSchG")
    assert get_laws(found) == ["KSchG"]


def test_a_law_at_the_start_of_a_line_binds_what_stands_behind_it() -> None:
    head = "VwGO § 80 Abs. 3 S. 1, Abs. 5\nStVG § 2 Abs. 4 S. 1, § 3 Abs. 1 S. 1\nGG Art. 3 Abs. 1"
    assert [(one.text, set(get_laws(one))) for one in find(head)] == [
        ("VwGO § 80 Abs. 3 S. 1, Abs. 5", {"VwGO"}),
        ("StVG § 2 Abs. 4 S. 1, § 3 Abs. 1 S. 1", {"StVG"}),
        ("GG Art. 3 Abs. 1", {"GG"}),
    ]
    (wrapped,) = find("Das folgt aus § 80 Abs. 5\nVwGO, wie § 3 zeigt.")[:1]
    assert wrapped.text == "§ 80 Abs. 5\nVwGO"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("entgegen § 26\na) Absatz 1 ein Muster färbt", "§ 26"),
        ("nach § 6 Absatz 3 Nummer 1\na) für den Strom", "§ 6 Absatz 3 Nummer 1"),
        ("nach § 22 Abs. 2 Satz 1 Nr. 2\n(3) Der Händler färbt", "§ 22 Abs. 2 Satz 1 Nr. 2"),
        ("nach § 6 Nr. 1 Buchst. a\naa) für den Strom", "§ 6 Nr. 1 Buchst. a"),
        ("nach § 28\n(1) § 28 gilt mit der Maßgabe", "§ 28"),
        ("nach § 10 Satz 1 Nummer 1\n1. Anlagen-ID", "§ 10 Satz 1 Nummer 1"),
        ("nach Art. 6\n(1) DSGVO", "Art. 6\n(1) DSGVO"),  # a line that was broken
        ("nach § 6 Nr. 1 a) BGB", "§ 6 Nr. 1 a) BGB"),
    ],
)
def test_the_label_of_the_next_item_is_no_part_of_a_citation(text: str, read: str) -> None:
    assert find(text, law="MustG")[0].text == read


def test_the_label_of_the_next_item_is_no_part_of_a_name() -> None:
    text = "nach § 5 des Gesetzes über das Fahrpersonal im Straßenverkehr oder\n3. für Maßnahmen"
    assert "3." not in find(text, unnamed=True)[0].text
    text = "nach § 5 der Verordnung über\n1. die Benutzung der Muster"
    assert "1." not in find(text, unnamed=True)[0].text


@pytest.mark.parametrize(
    "text",
    [
        "Art. 10 EMRK gilt (see paragraph 22 above).",
        "§ 3 IFG gilt. Anders § 2 der Rahmenvereinbarung zwischen den Parteien.",
        "§ 3 IFG gilt. Anders regelt es die Satzung der Beklagten in § 4 Abs. 8 Satz 1.",
        "§ 3 IFG gilt. Anders § 82 der zwischen ihnen geltenden Geschäftsordnung.",
    ],
)
def test_what_is_no_law_is_not_bound_to_the_last_law(text: str) -> None:
    assert not any(one.inferred for one in find(text))


def test_a_list_bound_to_one_law_is_one_citation() -> None:
    first, second = find("aus § 167 VwGO i. V. m. §§ 708 Nr. 11, 711 ZPO")
    assert (first.text, second.text) == ("§ 167 VwGO", "§§ 708 Nr. 11, 711 ZPO")


def test_a_key_of_a_collection_is_not_a_norm() -> None:
    (found,) = find("BSG SozR 4-2500 § 31 Nr 22")
    assert found.text == "BSG SozR 4-2500 § 31 Nr 22"
    assert not isinstance(found.targets[0], NormCitation)


def test_numbers_that_count_something_else_end_the_list() -> None:
    (found,) = find("nach § 5 Abs. 1, 3 Monate später", law="KSchG")
    assert found.text == "§ 5 Abs. 1"


@pytest.mark.parametrize(
    "law", ["MaisPflSchMV", "JuniorG", "TagPflG", "JahrAbschlV", "DezentralG", "AprilwetterG"]
)
def test_a_law_that_begins_like_a_month_or_a_span_counts_nothing(law: str) -> None:
    (found,) = find(f"nach §§ 1, 2 {law}", law=law)
    assert found.text == f"§§ 1, 2 {law}"
    assert len(found.targets) == 2


def test_the_label_of_a_list_item_is_no_number_of_the_list() -> None:
    (found,) = find("1. Anleger: § 1 Abs. 6 Buchst. a, 2. für Verwalter", law="KSchG")
    assert found.text == "§ 1 Abs. 6 Buchst. a"


def test_a_law_named_alone_is_found() -> None:
    assert [one.text for one in find("Das Grundgesetz und das KSchG, nicht der BGH.")] == [
        "Grundgesetz",
        "KSchG",
    ]


@pytest.mark.parametrize(
    "text",
    ["Das kostet 5 Euro.", "Er sagte: wo, so, am.", "Die GmbH & Co. KG", "am 12.05.17 um 3/10"],
)
def test_plain_words_hold_no_citation(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize("blank", ["\x0b", "\x85", "\u2028", "\u3000"])
def test_rows_of_unusual_blanks_are_one_blank_and_take_no_time(blank: str) -> None:
    (found,) = find(f"nach §{blank * 3}433{blank * 4}BGB")
    assert found.targets == (NormCitation("BGB", "§", "433"),)

    begin = time.thread_time()
    find(f"BGB{blank * 19_000}BGB")
    assert time.thread_time() - begin < 2.0  # of CPU; the work grew with the cube of the row


@pytest.mark.parametrize("mark", ["<br>", "&nbsp;", " <br>", "<br> ", "\n<br>", " &nbsp;"])
def test_a_row_of_tags_or_entities_is_one_blank_and_takes_no_time(mark: str) -> None:
    text = f"nach §{mark * 3}433{mark * 4}BGB gilt"
    (found,) = find(text)
    assert found.targets == (NormCitation("BGB", "§", "433"),)
    assert text[found.start : found.end] == found.text
    assert (found.start, found.text[-3:]) == (5, "BGB")

    begin = time.thread_time()
    find(f"BGB{mark * 3_300}BGB")
    assert time.thread_time() - begin < 2.0  # of CPU; the work grew with the square of the row


def test_words_that_lead_to_no_citation_are_not_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inference, "_IN_AGREED", None)
    assert len(find("Der Vertrag: § 1 " + "§ 1a" * 50)) == 50


@pytest.mark.parametrize(
    "written",
    [
        "§ 276 Abs. 1 a.E. AktG",
        "§ 276, Abs. 1, AktG",
        "§ 142 Abs. 2 (i.V.m. § 15) AktG",
        "§ 276 Abs. 1 **AktG**",
        "§ 276 Abs. 1 [AktG]",
        "§ 15 Absatz 3, Satz 1, des AktG",
        "Article 4, point (2), of the AI Act",
    ],
)
def test_a_law_behind_what_changes_nothing_is_that_of_the_provision(written: str) -> None:
    text = f"Nach § 433 BGB ist das so; ferner gilt {written} hier."
    _, found = find(text)
    assert set(get_laws(found)) <= {"AktG", "KI-VO"}
    assert (found.text, found.inferred) == (written, False)
    assert find(found.text)[0].targets == found.targets


def test_what_is_of_that_act_is_of_none_at_hand_and_named() -> None:
    _, found = find("Article 6 GDPR applies. Article 7(4), point (b), of that Regulation does not.")
    assert (get_laws(found), found.inferred, found.apart) == ([None], False, True)


@pytest.mark.parametrize(
    ("written", "texts"),
    [
        ("Chapter 20, Section 3, of the Penal Code", []),
        ("Chapter 5, Article 44 GDPR", ["Article 44 GDPR"]),
        ("Chapter 3, Art. 15 DSGVO", ["Art. 15 DSGVO"]),
    ],
)
def test_a_chapter_before_a_section_is_of_foreign_law_before_an_article_of_the_act(
    written: str, texts: list[str]
) -> None:
    assert [one.text for one in find(f"Under {written} it does.")] == texts


@pytest.mark.parametrize(
    ("text", "laws"),
    [
        # lists whose laws lead, as keywords of the Court have them
        ("Richtlinie 2011/83/EU – Art. 7 – Grundrechtecharta – Art. 31", ["VRRL", "GRCh"]),
        ("Grundrechtecharta – Art. 7, 8 – Verordnung (EU) 2016/679 – Art. 2", ["GRCh", "DSGVO"]),
        ("AktG § 93 Abs. 2, GmbHG", ["AktG"]),
        ("SGB X § 45 Abs. 2, SGB II", ["SGB X"]),
        ("Nach GmbHG (§ 43 Abs. 2), AktG (§ 93) und BGB (§ 31)", ["GmbHG", "AktG", "BGB"]),
        # a heading, the next item, the next clause
        ("**GmbHG**\n\n- § 43\n\n**AktG**\n\n- § 93", ["GmbHG", None]),
        ("§ 280 BGB.\n- § 241\n- HGB", ["BGB", None]),
        ("Haftung nach § 43 Abs. 2\n\n(AktG)", [None]),
        ("§ 43 GmbHG. Er haftet nach § 93 Abs. 2 – im BGB steht nichts", ["GmbHG", "GmbHG"]),
        ("§ 823 BGB. Aus § 823 Abs. 1 – des StGB bedarf es nicht", ["BGB", None]),
        ("Article 6 GDPR. Under Article 5(1), point (b), the AI Act ends", ["DSGVO", "DSGVO"]),
        ("§ 43 (Geschäftsführer) vom AktG abweichend", []),
        # a law that has no sections
        ("§ 26 (i.V.m. Art. 88) DSGVO", []),
    ],
)
def test_no_law_of_a_list_a_heading_or_another_clause_takes_a_provision(
    text: str, laws: list[str | None]
) -> None:
    found = [get_laws(one)[0] for one in find(text) if any(map(is_provision, one.targets))]
    assert found == laws


def is_provision(target: object) -> bool:
    return isinstance(target, NormCitation | EuCitation) and target.number is not None


@pytest.mark.parametrize(
    "written",
    [
        "§ 7 Abs. 1 Fallgruppe 2 AktG",
        "§ 87 Abs. 1 Einleitungssatz AktG",
        "§ 78 Abs. Abs. 1 Nr. 2 AktG",
        "§ 142 Abs. 2 (vgl. § 15) AktG",
        "§ 142 Abs. 2, AktG",
        "Annex I, Section C(4) of Directive 2014/65/EU",
        "Anhang I Tabelle 3 Nummer 1 bis 4 der Verordnung (EG) Nr. 1099/2009",
    ],
)
@pytest.mark.parametrize("law", [None, "StGB"])
def test_what_has_a_law_behind_it_is_not_given_to_another(written: str, law: str | None) -> None:
    """Something that is not read stands between them."""
    text = f"Nach § 433 BGB und Anlage 5 BGB ist das so; ferner {written} hier."
    _, _, *found = find(text, law=law)
    assert found
    assert {get_law for one in found[:-1] for get_law in get_laws(one)} == {None}
    assert all(one.apart and not one.inferred for one in found[:-1])


@pytest.mark.parametrize(
    "written",
    [
        "§ 5 gilt das AktG nicht",
        "§ 5, der dem AktG entspricht",
        "§ 5 (vgl. § 3 AktG)",
        "§ 5 und das AktG",
        "§ 5 zum AktG",
        "§ 5. AktG und GmbHG",
        "§ 5\nAktG § 3",
    ],
)
def test_a_law_of_another_phrase_takes_no_provision(written: str) -> None:
    _, found, *_ = find(f"Nach § 433 BGB ist das so; nach {written}.")
    assert (get_laws(found), found.inferred) in ((["BGB"], True), (["AktG"], False))


@pytest.mark.parametrize("number", ["99999", "999999", "20012002", "999999999"])
@pytest.mark.parametrize("form", ["§ {} BGB", "Art. {} GG", "§§ 1 bis {} BGB", "§§ 433, {} BGB"])
def test_a_number_is_read_whole(form: str, number: str) -> None:
    (found,) = find(f"Nach {form.format(number)} haftet er.")
    assert found.text == form.format(number)
    last = found.targets[-1]
    assert isinstance(last, NormCitation)
    assert number in {last.number, last.number_end}


@pytest.mark.parametrize("form", ["§ {} BGB", "Art. {} GG", "§§ {} bis 5 BGB"])
def test_a_number_that_is_too_long_is_none(form: str) -> None:
    found = find(f"Nach {form.format('1' * 10)} haftet er.")
    assert all(not isinstance(t, NormCitation) or not t.number for f in found for t in f.targets)
