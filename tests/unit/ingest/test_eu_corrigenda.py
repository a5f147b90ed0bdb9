"""Corrigenda are put into the text of their language, by their own words and where they fit."""

from collections.abc import Sequence

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.eu import eurlex
from fundstelle.ingest.sources.eu.act import ActText
from fundstelle.ingest.sources.eu.corrigenda import Corrigendum
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.law.corrigenda import is_announced, read_correction
from fundstelle.law.norms import Fassung
from tests.unit.ingest.test_eurlex import FORMEX

OPEN, CLOSE = '<QUOT.START CODE="201E"/>', '<QUOT.END CODE="201C"/>'


def quote(words: str, label: str = "") -> str:
    if label:
        return (
            f"<QUOT.S><PARAG><NO.PARAG>{OPEN}{label}</NO.PARAG>"
            f"<ALINEA>{words}{CLOSE}</ALINEA></PARAG></QUOT.S>"
        )
    return f"<QUOT.S><P>{OPEN}{words}{CLOSE}.</P></QUOT.S>"


def correct(place: str, old: str, new: str, label: str = "") -> str:
    return (
        f"<CORRECTION><DESCRIPTION>Seite 7, {place}</DESCRIPTION>"
        f"<OLD.CORR><P>Anstatt:</P>{quote(old, label)}</OLD.CORR>"
        f"<NEW.CORR><P>muss es heißen:</P>{quote(new, label)}</NEW.CORR></CORRECTION>"
    )


def read(corrections: Sequence[str], language: str = "DE") -> ParsedAct:
    """The invented act of Hämmer with a corrigendum of 2019."""
    corr = (
        '<CORR><BIB.INSTANCE><DOCUMENT.REF FILE="x"><COLL>L</COLL><NO.OJ>3</NO.OJ>'
        "<YEAR>2019</YEAR><PAGE.FIRST>8</PAGE.FIRST></DOCUMENT.REF>"
        f'<DATE ISO="20190501">20190501</DATE><LG.DOC>{language}</LG.DOC></BIB.INSTANCE>'
        f"<CONTENTS.CORR>{''.join(corrections)}</CONTENTS.CORR></CORR>"
    )
    files = [
        SourceFile("de/32019R0005/act.xml", "de", FORMEX.encode()),
        SourceFile("de/32019R0005R01/corr.xml", "de", corr.encode()),
    ]
    (act,) = iter_acts(files)
    assert isinstance(act, ParsedAct)
    return act


def find(act: ParsedAct, number: str) -> Fassung:
    return next(
        held[0] for norm, held in act.norms if norm.norm_id == f"{act.statute.statute_id}/{number}"
    )


def test_the_words_are_replaced_and_both_wordings_are_kept() -> None:
    act = read([correct("Artikel 2 Absatz 2", "Ein Satz. …", "Kein Satz. …", "(2)")])
    fassung = find(act, "art_2")

    assert "(2) Kein Satz. Noch einer." in fassung.text
    (note,) = fassung.notes
    applied = read_correction(note)
    assert applied is not None
    assert (applied.old, applied.new) == ("Ein Satz.", "Kein Satz.")
    assert applied.source == "32019R0005R(01) vom 2019-05-01 (ABl. L 3, 2019, S. 8)"
    assert applied.place == "Artikel 2 Absatz 2"
    assert not any(is_announced(each.text) for each in act.statute.stand_notes)


def test_inner_quotation_marks_are_those_of_the_text() -> None:
    act = read([correct("Artikel 1 Nummer 1", "‚Hammer‘ ein …", "‚Hammer‘ kein …")])

    assert "„Hammer“ kein Werkzeug" in find(act, "art_1").text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Noch …", "Am 25. Mai noch …"),
        ("… einer.", "… einer nach Artikel 6 Buchstabe a) oder c)."),
        ("Noch …", "25. Mai: noch …"),
        ("Ein Satz. Noch einer.", "3. Mai: Ein Satz nach Absatz (3) gilt. Noch einer."),
    ],
)
def test_what_looks_like_a_label_among_the_words_stays(old: str, new: str) -> None:
    fassung = find(read([correct("Artikel 2 Absatz 2", old, new)]), "art_2")

    before, after = (each.strip(" …") for each in (old, new))
    assert f"(2) {'Ein Satz. Noch einer.'.replace(before, after)}" in fassung.text


def test_a_label_that_is_corrected_changes_no_words() -> None:
    correction = correct("Artikel 2", "2. Ein Satz. …", "3. Kein Satz. …")
    act = read([correction])

    assert "(2) Ein Satz. Noch einer." in find(act, "art_2").text
    assert any(is_announced(each.text) for each in act.statute.stand_notes)


def test_a_heading_and_a_recital_are_corrected_too() -> None:
    act = read(
        [
            correct("Artikel 1, Überschrift", "Begriffe", "Bestimmungen"),
            correct("Erwägungsgrund 1", "Hämmer sind …", "Alle Hämmer sind …"),
        ]
    )

    titles = {norm.number: norm.title for norm, _ in act.norms}
    assert titles["art_1"] == "Bestimmungen"
    assert find(act, "recital_1").text == "Alle Hämmer sind nützlich."


@pytest.mark.parametrize(
    "correction",
    [
        correct("Artikel 2 Absatz 2", "Was nicht da steht", "Anderes"),
        correct("Artikel 2", "e", "a"),  # stands there more than once
        correct("Artikel 2", "Ein … Noch", "Kein Noch"),
    ],
)
def test_what_cannot_be_placed_is_said_to_be_open(correction: str) -> None:
    act = read([correction])

    assert "Ein Satz. Noch einer." in find(act, "art_2").text
    assert any(is_announced(each.text) for each in act.statute.stand_notes)


def test_a_corrigendum_of_another_language_corrects_nothing() -> None:
    act = read([correct("Artikel 2 Absatz 2", "Ein Satz. …", "Kein Satz. …")], "EN")

    assert "Ein Satz." in find(act, "art_2").text
    assert find(act, "art_2").notes == ()


def test_a_corrigendum_of_countless_pieces_is_only_announced() -> None:
    pieces = 5_000
    many = correct("Artikel 2 Absatz 2" + " weiter" * 5_000, "Satz…" * pieces, "Wort…" * pieces)
    act = read([many])
    fassung = find(act, "art_2")
    assert "Ein Satz. Noch einer." in fassung.text
    notes = (*fassung.notes, *(note.text for note in act.statute.stand_notes))
    assert any(is_announced(note) for note in notes)
    assert sum(map(len, notes)) < 2_000


def test_many_places_that_cannot_be_put_right_are_counted() -> None:
    act = read([correct(f"Artikel {number}", "Rabe", "Elster") for number in range(100, 200)])
    (note,) = [note.text for note in act.statute.stand_notes if is_announced(note.text)]
    assert note.endswith("Artikel 119; und 80 weitere")


def test_a_corrigendum_that_fails_changes_nothing_and_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def correct_half(text: ActText, _corrigendum: Corrigendum) -> None:
        text.units[-1].title = "halb"
        raise RecursionError

    monkeypatch.setattr(eurlex, "correct", correct_half)
    corr = (
        "<CORR><CONTENTS.CORR>" + correct("Artikel 2", "Rabe", "Elster") + "</CONTENTS.CORR></CORR>"
    )
    rejected, act = iter_acts(
        [
            SourceFile("de/32019R0005/act.xml", "de", FORMEX.encode()),
            SourceFile("de/32019R0005R01/corr.xml", "de", corr.encode()),
        ]
    )
    assert isinstance(rejected, Rejected)
    assert rejected.name == "32019R0005R(01)"
    assert isinstance(act, ParsedAct)
    assert "halb" not in [norm.title for norm, _ in act.norms]
    assert any(is_announced(note.text) for note in act.statute.stand_notes)
