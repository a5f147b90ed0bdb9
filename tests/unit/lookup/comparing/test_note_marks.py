"""The mark of a footnote in words pasted from EUR-Lex is no word of them."""

from dataclasses import replace

import pytest

from fundstelle.law.norms import Fassung
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.comparing import wording
from fundstelle.lookup.comparing.note_marks import drop_note_marks
from fundstelle.lookup.comparing.quotes import check_quote, choose_unit
from fundstelle.lookup.comparing.wording import Wording, read_quote
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import TODAY, build_library

TEXT = (
    "Die Richtlinie 2099/9/EG des Rates und die Verordnung (EU) Nr. 12/2098 gelten nicht für"
    " Hammer nach Artikel 5 und Anhang II."
)
LIBRARY = build_library()


def cite(notes: int, text: str = TEXT) -> ProvisionHit:
    (hit,) = resolve(LIBRARY, "§ 4 MusterG", TODAY).hits
    assert isinstance(hit, ProvisionHit)
    held: Fassung = replace(hit.fassung, text=text, footnotes=("ABl. L 1.",) * notes, segments=())
    return replace(hit, fassung=held, end=len(text))


@pytest.mark.parametrize(
    "quote",
    [
        "Die Richtlinie 2099/9/EG (4) des Rates",
        "des Rates (4) und die Verordnung (EU) Nr. 12/2098 ( 5 ) gelten nicht",
        "des Rates(⁴) und die Verordnung",
        "und die Verordnung (EU) Nr. 12/2098(1) [...] nach Artikel 5",
        "[D]es Rates (4) und die Verordnung",
    ],
)
def test_marks_of_own_footnotes_are_passed_over(quote: str) -> None:
    hit = cite(2)
    found = check_quote(LIBRARY, quote, hit, TODAY)
    assert found.status == "normalised"
    assert "(4)" not in (found.matched_text or "")
    other = cite(0, "Etwas anderes.")
    assert (
        choose_unit(quote, [replace(other, norm=replace(other.norm, norm_id="de/x/1")), hit]) == hit
    )
    assert check_quote(LIBRARY, quote, cite(0), TODAY).status == "altered"


@pytest.mark.parametrize(
    "quote",
    [
        "für Hammer nach Artikel 5 (4) und Anhang II",  # a part of the provision
        "nach Artikel 5 und Anhang II (4)",
        "Rates (4) und die Verordnung (EU) Nr. 12/2098 (4) gelten",  # they ascend
        "Richtlinie 2099/9/EG (4) des Rates (5) und die Verordnung (6)",  # more than there are
        "gelten (4) für Hammer",
    ],
)
def test_other_numbers_in_brackets_are_words(quote: str) -> None:
    assert check_quote(LIBRARY, quote, cite(2), TODAY).status == "altered"


def test_what_differs_beside_a_mark_is_told_without_it() -> None:
    quote = "des Rates (4) und die Verordnung (EU) Nr. 12/2098 gelten für Hammer"
    (difference,) = check_quote(LIBRARY, quote, cite(1), TODAY).differences
    assert (difference.quoted, difference.stored) == ("", "nicht")


@pytest.mark.parametrize(
    "before",
    ["Absatz", "Abs.", "Buchstabe a", "Nr. 5", "Unterabsatz", "Anhang XI", "Artikel 2(1) und"],
)
def test_behind_what_a_number_may_belong_to_is_no_mark(before: str) -> None:
    assert drop_note_marks(f"nach {before} (4) gilt", 9, "") == f"nach {before} (4) gilt"


def test_long_quotes_are_read_in_time() -> None:
    written = "Rates (4)" + "a" * 100_000 + " (" * 50_000
    assert drop_note_marks(written, 1, "") == written


@pytest.mark.parametrize(
    ("written", "notes", "expected"),
    [
        ("des Rates (4)(5) gilt", 2, "des Rates gilt"),
        ("des Rates (4) (5) gilt (6)", 3, "des Rates gilt"),
        ("des Rates (4)(5) gilt", 1, "des Rates (4)(5) gilt"),
        ("Rates (1)(2)(3)(4)(5) gilt", 1, "Rates (1)(2)(3)(4)(5) gilt"),
        ("Rates (2)(1) gilt", 2, "Rates (2)(1) gilt"),
    ],
)
def test_marks_side_by_side_are_all_counted(written: str, notes: int, expected: str) -> None:
    assert drop_note_marks(written, notes, "des Rates gilt") == expected
    found = check_quote(LIBRARY, written, cite(notes, "des Rates gilt"), TODAY)
    assert (found.status == "normalised") == (expected != written)


def test_marks_are_dropped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped = []

    def note(written: str, notes: int, text: str) -> str:
        dropped.append(written)
        return drop_note_marks(written, notes, text)

    monkeypatch.setattr(wording, "drop_note_marks", note)
    quote = read_quote("Rates" + "".join(f" ({number})" for number in range(1, 400)) + " fehlt")
    assert Wording(TEXT, 999).find(quote) is None
    assert len(dropped) == 1


def test_a_number_that_the_text_has_there_is_no_mark() -> None:
    hit = cite(2, "Werkzeug bedeutet im Sinne des Gesetzes\n(1) Hammer des Meisters, nicht Nagel;")
    quote = "im Sinne des Gesetzes (1) Hammer des Meisters (2), nicht Nagel"
    assert check_quote(LIBRARY, quote, hit, TODAY).status == "normalised"
    (difference,) = check_quote(LIBRARY, quote.replace("nicht ", ""), hit, TODAY).differences
    assert (difference.quoted, difference.stored) == ("", "nicht")
