"""Text without line breaks: parts, numbers and paragraphs are found by what stands glued."""

from datetime import date

import pytest

from fundstelle.errors import RejectedFile
from fundstelle.ingest.sources.courts import plain
from fundstelle.ingest.sources.decision_text.numbers import Candidate, fill_gaps, find_run
from fundstelle.ingest.sources.decision_text.plain_text import write_run
from fundstelle.law.decisions import DecisionType
from tests.unit.ingest.sources import decision_files as files

_RUN = (
    "TenorDie Klage wird abgewiesen.Der Kläger trägt die Kosten.1Tatbestand:2Die Parteien streiten"
    " nach § 5 Abs. 3 HundG um 4 Hunde.3Der Kläger beantragt,4die Beklagte zu verurteilen."
    "Entscheidungsgründe5I. Die Klage ist nach § 7 HundG unbegründet.6Das folgt aus Satz 2.7Dieses"
    " Urteil ist vorläufig vollstreckbar."
)


def test_parts_and_numbers_are_found_where_they_are_glued() -> None:
    text = write_run(_RUN, "x")
    assert files.read_parts(text) == [
        ("tenor", "Tenor\nDie Klage wird abgewiesen.\nDer Kläger trägt die Kosten."),
        (
            "tatbestand",
            (
                "Tatbestand:\nDie Parteien streiten nach § 5 Abs. 3 HundG um 4 Hunde.\n"
                "Der Kläger beantragt,\ndie Beklagte zu verurteilen."
            ),
        ),
        (
            "entscheidungsgruende",
            (
                "Entscheidungsgründe\nI. Die Klage ist nach § 7 HundG unbegründet.\n"
                "Das folgt aus Satz 2.\nDieses Urteil ist vorläufig vollstreckbar."
            ),
        ),
    ]
    passages = files.read_passages(text)
    assert list(passages) == [str(number) for number in range(1, 8)]
    assert passages["1"] == "Tatbestand:"
    assert passages["4"] == "die Beklagte zu verurteilen."
    assert text.source_chars == text.kept_chars


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Gründe1Eins.2Zwei.31. Drei nach drei Worten.", "1 2 3"),
        ("Gründe  1       Eins steht hier.  2       Zwei auch.  3       Drei ebenso.", "1 2 3"),
        ("Gründe1Eins am 14.12.2005.2Zwei nach Abs. 1.3Drei.4Vier.", "1 2 3 4"),
        (
            "Gründe1Der Kläger beantragt, 2 zu zahlen.3Die Beklagte beantragt,4 abzuweisen.",
            "1 2 3 4",
        ),
        ("Gründe1Zuletzt am 26.02.19972Zwei.3Drei.4Vier.", "1 2 3 4"),
        ("GründeDer Kläger hat 2 Hunde und 3 Katzen.", ""),
        ("GründeAm 1. Mai. Am 2. Mai. Am 3. Mai.", ""),
    ],
)
def test_numbers_are_told_from_other_numbers(text: str, numbers: str) -> None:
    assert " ".join(files.read_passages(write_run(text, "x"))) == numbers


def test_headings_spelt_with_blanks_begin_their_part() -> None:
    text = write_run("TenorEs wird erkannt.1G r ü n d e :2I.3Der Senat irrt nie.", "x")
    assert [kind for kind, _ in files.read_parts(text)] == ["tenor", "gruende"]
    assert files.read_headings(text) == [("I.", 1)]


def test_the_note_on_links_goes_and_nothing_else() -> None:
    note = (
        "  Diesen Link können Sie kopieren und verwenden, wenn Sie genau dieses Dokument verlinken "
        "möchten:http://www.example.org/?docid=JURE060002605"
    )
    text = write_run(_RUN + note, "x")
    assert text.text == write_run(_RUN, "x").text
    assert text.kept_chars == text.source_chars - len("".join(note.split()))


def test_a_run_has_neither_gaps_that_are_too_wide_nor_rivals() -> None:
    rising = [Candidate(n * 10, n * 10 + 1, n, 4.0) for n in (1, 2, 4, 5, 6, 7, 8)]
    assert [each.number for each in find_run(rising)] == [1, 2, 4, 5, 6, 7, 8]
    assert find_run(rising[:2]) == []
    assert find_run([rising[0], *rising[4:]]) == []
    rival = Candidate(25, 26, 2, 4.0)
    assert (
        2 not in [each.number for each in find_run([*rising, rival])]
        or find_run([*rising, rival]) == []
    )


def test_a_decision_that_does_not_name_itself_has_an_id_of_its_words() -> None:
    text = _RUN * 3
    first = plain.parse(files.file("a/1.txt", text)).decision
    again = plain.parse(files.file("b/2.txt", text.replace(". ", ".\n ", 2))).decision
    assert first.decision_id == again.decision_id
    assert first.decision_id.startswith("de/unbekannt/")
    assert (first.court, first.dockets, first.issued_on) == ("unbekannt", (), None)
    assert first.decision_type is DecisionType.URTEIL


def test_a_judgment_of_luxembourg_names_itself() -> None:
    text = (
        "URTEIL DES GERICHTSHOFS (Zweite Kammer)7. Juli 2016 (*1)„Hunde — Katzen“"
        "In der Rechtssache "
        "C‑70/15betreffend ein Vorabentscheidungsersuchen "
        + "über Hunde und Katzen in Europa "
        * 20
    )
    decision = plain.parse(files.file("a.txt", text)).decision
    assert decision.decision_id == "eu/eugh/c-70-15/2016-07-07/urteil"
    assert decision.jurisdiction == "eu"


def test_a_print_names_itself_in_its_first_lines() -> None:
    text = (
        "BUNDESVERWALTUNGSGERICHT\nBESCHLUSS\nBVerwG 7 B 43.12\nOVG 10 A 1/12\n\n"
        "In der Sache hat der"
        " 7. Senat\nam 27. Mai 2013\nbeschlossen:\n\n" + "Die Beschwerde wird verworfen.\n\n" * 20
    )
    decision = plain.parse(files.file("a.txt", text)).decision
    assert decision.decision_id == "de/bverwg/7-b-43.12/2013-05-27/beschluss"


@pytest.mark.parametrize("text", ["Kein Urteil.", "1 2 3 " * 500])
def test_a_few_words_are_no_decision(text: str) -> None:
    with pytest.raises(RejectedFile, match="no text"):
        plain.parse(files.file("a.txt", text))


def test_court_and_day_are_read_where_the_opening_names_them() -> None:
    opening = (
        "TenorDie Klage wird abgewiesen.1OBERLANDESGERICHT KÖLN2Verkündet am 19. Januar 20153In dem"
        " Rechtsstreit4hat der 9. Zivilsenat des Oberlandesgerichts Kölnauf die mündliche"
        " Verhandlung vom 17.11.2014 durch die Richterin5für Recht erkannt:6Der Hund bellt. "
    )
    text = opening + "Der Hund bellt sehr laut. " * 20
    decision = plain.parse(files.file("x/0a1b.txt", text)).decision
    assert (decision.court, decision.issued_on) == ("OLG Köln", date(2015, 1, 19))
    assert decision.decision_type is DecisionType.URTEIL
    assert decision.dockets == ()
    assert not decision.is_citable
    assert decision.citation == "OLG Köln, Urteil vom 19.01.2015 (Sammlung plain, Nr. 0a1b)"


def test_what_the_court_below_did_names_no_court() -> None:
    text = "GründeDas Amtsgericht Köln hat auf die mündliche Verhandlung vom 1. Mai 2012 erkannt. "
    decision = plain.parse(files.file("x/0a1b.txt", text + "Ein Hund. " * 30)).decision
    assert decision.court == "unbekannt"


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("im November 2016.4 Die Tochter klagt.", "Die Tochter"),  # behind a year and its stop
        ("Vgl. Urteil vom 11. November 19994- 5 C 23/99 -.", "- 5 C"),
        ("von 5 %4Punkten über dem Basiszins.", "Punkten"),
        ("S. 449 (460)). 45. Ist danach etwas anzuhören?", "5. Ist"),
        ("Am 24. Dezember waren es 4 Hunde.", None),
        ("um 16.4 Uhr, also 4 Stunden später", None),
        ("im Mai 2016.4 Die Mutter, im Juni 2017.4 Der Vater", None),  # which of the two?
    ],
)
def test_a_number_that_a_run_lacks_is_found_by_what_it_is_glued_to(
    text: str, begin: str | None
) -> None:
    run = f"Gründe1Eins.2Zwei.3Drei war {text}5Fünf.6Sechs.7Sieben.8Acht."
    passages = files.read_passages(write_run(run, "x"))
    assert set(passages) >= {"1", "2", "3", "5", "6", "7", "8"}
    assert passages.get("4", "").startswith(begin or "")
    assert ("4" in passages) is (begin is not None)


def test_a_gap_is_filled_whole_or_not_at_all() -> None:
    run = [Candidate(0, 1, 1, 2.0), Candidate(50, 51, 4, 2.0)]
    two, three = Candidate(10, 11, 2, 0.0), Candidate(20, 21, 3, 0.0)
    assert [each.number for each in fill_gaps(run, [two, three])] == [1, 2, 3, 4]
    assert fill_gaps(run, [two]) == run
    assert fill_gaps(run, [two, three, Candidate(30, 31, 3, 0.0)]) == run
    late = Candidate(30, 31, 2, 0.0)
    assert fill_gaps(run, [late, three]) == run
