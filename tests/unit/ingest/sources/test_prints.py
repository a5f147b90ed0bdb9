"""Text of prints: page furniture goes, words that were parted come together, nothing else."""

import pytest

from fundstelle.errors import RejectedFile
from fundstelle.ingest.sources.decision_text.pdf_lines import find_width, glue, join_lines
from fundstelle.ingest.sources.decision_text.pdf_pages import read_pages
from fundstelle.ingest.sources.decision_text.pdf_text import decode_text, write_print
from tests.unit.ingest.sources import decision_files as files


def strip(text: str) -> list[list[str]]:
    return [[line for line in page if line] for page in read_pages(text)]


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("Eins\n\f- 2 -\nZwei\n\f- 3 -\nDrei", [["Eins"], ["Zwei"], ["Drei"]]),
        ("Eins\n-2-\n\f-2-\nZwei", [["Eins"], ["Zwei"]]),
        ("Eins\n\f-2hat der Senat\n\f-34. Juli", [["Eins"], ["hat der Senat"], ["4. Juli"]]),
        ("Eins\nSeite 1 von 2\n\fSeite 2 von 2\nZwei", [["Eins"], ["Zwei"]]),
        ("Eins\n1\n\fZwei\n2\n\fDrei\n3", [["Eins"], ["Zwei"], ["Drei"]]),
        ("Eins\n\f5\nZwei", [["Eins"], ["5", "Zwei"]]),
        (
            "Kopf, 8 A 1/20\nEins\n\fKopf, 8 A 1/20\nZwei\n\fKopf, 8 A 1/20\nDrei",
            [["Eins"], ["Zwei"], ["Drei"]],
        ),
        ("Zitat\nEins\n\fZitat\nZwei", [["Zitat", "Eins"], ["Zitat", "Zwei"]]),
        (
            "Eins\nhttp://www.example.org/x.html 22.11.2013\n\fZwei\n29.12.2011 09:02",
            [["Eins"], ["Zwei"]],
        ),
        ("vgl.\nhttp://www.example.org/x.html\nEnde des Satzes.", None),
    ],
)
def test_only_furniture_at_the_edges_of_a_page_goes(
    text: str, pages: list[list[str]] | None
) -> None:
    whole = [[line for line in page.split("\n") if line] for page in text.split("\f")]
    assert strip(text) == (pages or whole)


@pytest.mark.parametrize(
    ("before", "after", "glued"),
    [
        ("Verwaltungs-", "gericht", "Verwaltungsgericht"),
        ("Schleswig-", "Holstein", "Schleswig-Holstein"),
        ("Informations-", "und Akteneinsicht", "Informations- und Akteneinsicht"),
        ("vom 5. Mai -", "juris", "vom 5. Mai - juris"),
        ("IFG-", "2006", "IFG-2006"),
        ("der", "Hund", "der Hund"),
        ("-", "eins", "- eins"),
    ],
)
def test_words_parted_at_the_end_of_a_line_are_put_together(
    before: str, after: str, glued: str
) -> None:
    assert glue(before, after) == glued


_FULL = "Dieser Satz ist so lang, wie eine Zeile des Drucks breit ist, und"


@pytest.mark.parametrize(
    ("lines", "paragraphs"),
    [
        ([_FULL, "geht weiter."], [f"{_FULL} geht weiter."]),
        ([_FULL, "Ende.", "Der nächste Satz."], [f"{_FULL} Ende.", "Der nächste Satz."]),
        ([_FULL, "", "geht weiter."], [f"{_FULL} geht weiter."]),
        (["Die Klage ist begründet.", "", "Sie hat Erfolg."], None),
        (["Gründe", "I.", "Der Kläger klagt."], None),
        (["a.", "", "ob und wie"], ["a. ob und wie"]),
        (["VERWALTUNGSGERICHT", "URTEIL", "VG 2 K 1/20"], None),
    ],
)
def test_lines_of_one_paragraph_are_joined(lines: list[str], paragraphs: list[str] | None) -> None:
    assert list(join_lines(lines, len(_FULL))) == (paragraphs or [line for line in lines if line])


def test_the_width_of_a_print_is_that_of_most_lines() -> None:
    lines = [_FULL] * 5 + [_FULL + " " + _FULL] * 3 + ["kurz"]
    assert len(_FULL) <= find_width(lines) <= len(_FULL) + 4
    assert find_width([]) == 0


_BODY = "\n\n".join(
    f"{number}\n\nDer {number}. Absatz dieser Entscheidung ist ein ganzer Satz."
    for number in range(1, 9)
)


def test_a_print_has_parts_passages_headings_and_signatures() -> None:
    text = write_print(
        f"VERWALTUNGSGERICHT\n\nGründe:\n\nI\n\n{_BODY}\n\nDr. Muster\n\nBeispiel", "x"
    )
    kinds = [kind for kind, _ in files.read_parts(text)]
    assert kinds == ["head", "gruende", "signatures"]
    assert list(files.read_passages(text)) == [str(n) for n in range(1, 9)]
    assert (
        files.read_passages(text)["3"] == "Der 3. Absatz dieser Entscheidung ist ein ganzer Satz."
    )
    assert files.read_headings(text) == [("I", 1)]
    assert text.source_chars == text.kept_chars


def test_the_words_after_the_formula_are_the_tenor() -> None:
    text = write_print(
        "OBERVERWALTUNGSGERICHT\n\nhat der 1. Senat beschlossen:\n\nDie Klage wird abgewiesen.\n\n"
        "Gründe\n\nDer Hund darf bellen, so laut er will.",
        "x",
    )
    assert files.read_parts(text)[1] == ("tenor", "Die Klage wird abgewiesen.")


def test_numbers_that_pdftotext_reads_too_late_are_no_passages() -> None:
    late = "\n\n".join(
        f"Der {n}. Absatz dieser Entscheidung ist ein ganzer Satz.\n\n{n}" for n in range(1, 9)
    )
    text = write_print(f"Gründe:\n\n{late}", "x")
    assert text.passages == ()
    assert "Satz.\nDer 2." in text.text


def test_numbers_that_do_not_rise_stay_in_the_text() -> None:
    text = write_print("Tenor\n\nEs sind\n\n3\n\nHunde.\n\n7\n\nKatzen.", "x")
    assert text.passages == ()
    assert {"3", "7"} <= set(text.text.split("\n"))


def test_a_list_of_contents_begins_no_part() -> None:
    contents = "Parteien\n\nEntscheidungsgründe\n\nKosten\n\nTenor\n\nParteien\n\n"
    long = "In der Rechtssache eines Hundes gegen eine Katze wird entschieden."
    text = write_print(f"{contents}{long}\n\nEntscheidungsgründe\n\n{long}\n\nTenor\n\n{long}", "x")
    assert [kind for kind, _ in files.read_parts(text)] == ["head", "entscheidungsgruende", "tenor"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        ("Gründe".encode("cp1252"), "UTF-8"),
        (b"PK\x03\x04\x00\x00zip", "no text"),
        (b"\x01\x02 \x03\x04" * 9, "letters"),
    ],
)
def test_what_is_no_text_is_rejected(data: bytes, reason: str) -> None:
    with pytest.raises(RejectedFile, match=reason):
        decode_text(files.file("a.txt", data))
