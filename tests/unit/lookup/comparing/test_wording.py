import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.lookup.comparing import wording
from fundstelle.lookup.comparing.differences import Difference
from fundstelle.lookup.comparing.folding import fold
from fundstelle.lookup.comparing.wording import Match, Wording, read_quote

TEXT = (
    "(1) Der Entleiher hat das Werkzeug – ausgenommen den „großen“ Hammer – sorgfältig zu"
    " reinigen.\n1. Öl ist zu verwenden,\n2. Wasser-Öl-Gemische sind unzulässig."
)


def test_the_places_that_are_looked_at_are_bounded_for_all_parts_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0

    def count(text: str, edge: int) -> bool:
        nonlocal looked
        looked += 1
        return is_inside(text, edge)

    is_inside = wording._is_inside
    monkeypatch.setattr(wording, "_is_inside", count)
    monkeypatch.setattr(wording, "_TRIES", 100)
    text = "a" * 5_000 + " b" * 50  # each "b" stands alone, no "a" does
    assert Wording(text).find_exact(read_quote(" [...] ".join("b" * 40))) is not None
    looked = 0
    assert Wording(text).find_exact(read_quote(" [...] ".join(["b"] * 40 + ["a"] * 40))) is None
    assert Wording("ab " * 5_000).find_exact(read_quote(" [...] ".join("a" * 40))) is None
    assert looked < 1_000


def find(quote: str) -> Match | None:
    return Wording(TEXT).find(read_quote(quote))


@pytest.mark.parametrize(
    "quote",
    [
        "hat das Werkzeug",
        "sorgfältig zu reinigen.\n1. Öl ist",
        "Der Entleiher [...] zu reinigen.",
        "Der Entleiher […] Öl ist [...] unzulässig.",
        "[...] hat das Werkzeug [...]",
    ],
)
def test_the_very_words_are_verbatim(quote: str) -> None:
    match = find(quote)

    assert match is not None
    assert match.verbatim
    parts = read_quote(quote).parts
    assert TEXT[match.start : match.end].startswith(parts[0])
    assert TEXT[match.start : match.end].endswith(parts[-1])


@pytest.mark.parametrize(
    "quote",
    [
        "hat  das\u00a0Werkzeug",
        "zu reinigen. 1. Öl ist",
        'ausgenommen den "großen" Hammer',
        "das Werkzeug - ausgenommen",
        "Wasser\u2011Öl\u2010Gemische",
        unicodedata.normalize("NFD", "Öl ist zu verwenden"),
        "sorg\u00adfältig",
        "„Der Entleiher hat das Werkzeug“",
        "Der  Entleiher [...] zu  reinigen.",
        "Der Entlei-\nher hat",
        "Der Ent-\n   leiher hat das Werk- zeug",
        "sorg\u00ad\nfältig",
        "Wasser-\nÖl-\nGemische",
        "Der Ent-\nleiher [...] zu reini-\ngen.",
    ],
)
def test_typography_alone_makes_it_normalised(quote: str) -> None:
    match = find(quote)

    assert match is not None
    assert not match.verbatim


@pytest.mark.parametrize(
    "quote",
    [
        "hat die Werkzeug",
        "der Entleiher hat das",
        "Der Entleiher das Werkzeug",
        "Werkzeug das hat",
        "zu reinigen [...] Der Entleiher",
        "indasWerkzeug",
        "Der Entlei\nher hat",
        "Der Ent-\nlasser hat",
    ],
)
def test_another_word_case_or_order_is_not_found(quote: str) -> None:
    assert find(quote) is None


def test_a_match_points_to_the_words_as_stored() -> None:
    match = find('den "großen"  Hammer - sorgfältig')

    assert match is not None
    assert TEXT[match.start : match.end] == "den „großen“ Hammer – sorgfältig"


@pytest.mark.parametrize(
    ("quote", "differences"),
    [
        (
            "Der Entleiher hat das Gerät – ausgenommen",
            [Difference("Gerät", "Werkzeug")],
        ),
        ("Der Entleiher das Werkzeug", [Difference("", "hat")]),
        ("Der Entleiher hat stets das Werkzeug", [Difference("stets", "")]),
    ],
)
def test_the_words_that_differ_are_named(quote: str, differences: list[Difference]) -> None:
    near = Wording(TEXT).compare(read_quote(quote))

    assert near is not None
    assert list(near.differences) == differences


def test_the_place_most_like_a_quote_is_found_in_a_long_text() -> None:
    filler = "Es gilt das Gesetz und der Richter ist an das Gesetz gebunden. " * 200
    text = filler + "Der Dachdecker haftet für fallende Ziegel. " + filler
    near = Wording(text).compare(read_quote("Der Dachdecker haftet nie für fallende Ziegel."))

    assert near is not None
    assert text[near.start : near.end] == "Der Dachdecker haftet für fallende Ziegel."
    assert near.differences == (Difference("nie", ""),)
    assert near.share == pytest.approx(6 / 7)


def test_a_quote_that_begins_inside_a_word_is_none_of_it_and_shows_the_word() -> None:
    wording = Wording("Es besteht kein Anspruch.")
    quote = read_quote("ein Anspruch")
    match = wording.find_cut(quote)

    assert wording.find(quote) is None
    assert match is not None
    assert match.differences == (Difference("ein", "kein"),)
    assert match.differences[0].negation


@pytest.mark.parametrize("quote", ["Es [...] ein Anspruch", "Es  besteht [...] ein Anspruch"])
def test_every_part_of_a_quote_is_whole_words(quote: str) -> None:
    wording = Wording("Es besteht kein Anspruch.")
    match = wording.find_cut(read_quote(quote))

    assert wording.find(read_quote(quote)) is None
    assert match is not None
    assert match.differences == (Difference("ein", "kein"),)


def test_whole_words_that_come_later_go_before_the_same_letters_inside_a_word() -> None:
    text = "Es besteht kein Anspruch, aber ein Anspruch auf Ersatz."
    match = Wording(text).find(read_quote("ein Anspruch"))

    assert match is not None
    assert text[: match.start].endswith("aber ")


@pytest.mark.parametrize("quote", ["Der Käufer zahlt.", "Der  Käufer zahlt."])
def test_a_printed_sentence_number_is_no_part_of_a_word(quote: str) -> None:
    assert Wording("¹Der Käufer zahlt. ²Der Verkäufer liefert.").find(read_quote(quote))


@pytest.mark.parametrize(("text", "quote"), [("Die Quote ist ¼.", "Die  Quote ist 1"), ("¼", "1")])
def test_a_part_of_a_sign_is_no_quote(text: str, quote: str) -> None:
    assert Wording(text).find(read_quote(quote)) is None


@pytest.mark.parametrize("quote", ["1 x 1013 Watt", "1 x  1013 Watt", "mit 1 x 10", "mit  1 x 10"])
def test_a_power_is_another_number_than_its_digits_in_a_row(quote: str) -> None:
    wording = Wording("Laser mit 1 x 10¹³ Watt je m².")

    assert wording.find(read_quote(quote)) is None
    near = wording.compare(read_quote(quote))
    assert near is not None
    assert near.differences or wording.find_cut(read_quote(quote))
    assert wording.find(read_quote("mit  1 x 10¹³ Watt je m2"))


@pytest.mark.parametrize("quote", ["um ¹9 Prozent", "um  ¹9 Prozent", "um 1⁹ Prozent"])
def test_a_small_digit_is_none_of_a_number(quote: str) -> None:
    wording = Wording("Der Satz steigt um 19 Prozent.")

    assert wording.find(read_quote(quote)) is None
    near = wording.compare(read_quote(quote))
    assert near is not None
    assert near.differences


@pytest.mark.parametrize(
    ("text", "quote", "word"),
    [
        ("Der Zins ist 0,15 Prozent.", "15 Prozent", "0,15"),
        ("Der Zins beträgt 2,5 Prozent.", "Der Zins beträgt 2", "2,5"),
        ("Es sind 10.500 Euro.", "500 Euro", "10.500"),
        ("Es sind 10 500 Euro.", "500 Euro", "10 500"),
        ("Es sind 10\u00a0500 Euro.", "500 Euro", "10\u00a0500"),
        ("Seit dem 1.4.2020 gilt es.", "4.2020 gilt es", "1.4.2020"),
        ("Die Verordnung 2016/679 gilt.", "Die Verordnung 2016", "2016/679"),
        ("Es sind 1½ Jahre.", "Es sind 1", "1½"),
        ("In nicht-öffentlicher Sitzung.", "öffentlicher Sitzung", "nicht-öffentlicher"),
        ("Für Nicht-EU-Staaten gilt es.", "EU-Staaten gilt es", "Nicht-EU"),
    ],
)
def test_a_part_of_a_number_or_of_a_denial_is_no_quote(text: str, quote: str, word: str) -> None:
    for one in (quote, quote.replace(" ", "  ")):
        assert Wording(text).find(read_quote(one)) is None
        cut = Wording(text).find_cut(read_quote(one))
        assert cut is not None
        assert [difference.stored for difference in cut.differences] == [word]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Nach Absatz 1, 2 und 3 gilt es.", "2 und 3 gilt es."),
        ("Es gilt ab 2020. 15 Tage genügen.", "15 Tage genügen."),
        ("In § 5 1000 Fälle.", "1000 Fälle."),
        ("Es sind 1 bis 3 Jahre.", "3 Jahre."),
        ("Im Jahr 2004 500 Euro.", "500 Euro."),
        ("Der EU-Staaten wegen.", "Staaten wegen."),
        ("Er kann nicht - Eile vor - warten.", "Eile vor - warten."),
    ],
)
def test_a_number_beside_another_is_whole(text: str, quote: str) -> None:
    assert Wording(text).find(read_quote(quote))


@pytest.mark.parametrize("quote", ["14 Tage gelten.", "14  Tage gelten.", "²14 Tage gelten."])
def test_a_printed_sentence_number_is_no_part_of_a_number(quote: str) -> None:
    assert Wording("¹Es gilt. ²14 Tage gelten.").find(read_quote(quote))


def test_a_sign_written_out_is_the_sign() -> None:
    assert Wording("Die Quote ist ¼ davon.").find(read_quote("Die Quote ist 1⁄4"))


@given(st.text(max_size=80), st.data())
def test_every_slice_of_a_text_is_found_in_it_whole_or_as_cut_out_of_words(
    text: str, data: st.DataObject
) -> None:
    text = unicodedata.normalize("NFC", text)
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))].strip()
    if read_quote(quote).parts:  # not of signs alone that cannot be seen
        wording = Wording(text)
        match = wording.find(read_quote(quote))

        if match is None:
            assert wording.find_cut(read_quote(quote))
        elif not match.verbatim:  # "1" stands in "ﬂ1", cut out of it, and elsewhere as "①"
            assert fold(text[match.start : match.end]) == fold(quote)


@given(st.text(max_size=60), st.text(max_size=60))
def test_comparing_never_fails(text: str, quote: str) -> None:
    Wording(text).find(read_quote(quote or "x"))
    Wording(text).find_cut(read_quote(quote or "x"))
    near = Wording(text).compare(read_quote(quote))

    assert near is None or 0 <= near.start < near.end <= len(text)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Der Hammer ist frei.", "[d]er Hammer ist frei"),
        ("Wenn der Hammer frei ist.", "[D]er Hammer frei"),
        ("Ämter sind frei. Hämmer auch.", "[ä]mter sind frei. [h]ämmer auch."),
        ("Der Hammer ist frei. Er bleibt es.", "[d]er Hammer [...] [e]r bleibt es"),
    ],
)
def test_a_letter_in_brackets_may_be_of_the_other_case(text: str, quote: str) -> None:
    match = Wording(text).find(read_quote(quote))

    assert match is not None
    assert not match.verbatim


def test_brackets_that_the_text_has_itself_are_verbatim() -> None:
    match = Wording("Er sagt, „[d]er Hammer“ sei frei.").find(read_quote("[d]er Hammer"))

    assert match is not None
    assert match.verbatim


@pytest.mark.parametrize("quote", ["[d]as Hammer ist frei", "de[n] Hammer", "[n]er Hammer"])
def test_no_other_letter_in_brackets_is_forgiven(quote: str) -> None:
    assert Wording("Der Hammer ist frei.").find(read_quote(quote)) is None


def test_of_an_altered_quote_the_bracketed_letter_is_no_difference() -> None:
    near = Wording("Der Hammer ist frei.").compare(read_quote("[d]er Hammer ist nicht frei"))

    assert near is not None
    assert [each.quoted for each in near.differences] == ["nicht"]
