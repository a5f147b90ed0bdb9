import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.lookup.comparing import corrected, wording
from fundstelle.lookup.comparing.folding import (
    POWERS,
    find_origin,
    fold,
    fold_word,
    limit_marks,
    strip_unseen,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        (" zwei\u00a0 Wörter \n\n hier\t", "zwei Wörter hier"),
        ("„so“ und »so« und ‚so‘", '"so" und "so" und "so"'),
        ("A–B—C‑D", "A-B-C-D"),
        ("Ver\u00adtrag\u200b", "Vertrag"),
        (unicodedata.normalize("NFD", "Öl"), "Öl"),
        ("m² ﬂach", "m2 flach"),
        ("CO₂", "CO2"),
        ("x⁻¹ und 10⁻⁶", "x-1 und 10-6"),
        ("1. | für Leim | 2 Euro\n| a) kalt | 1 Euro", "1. für Leim 2 Euro a) kalt 1 Euro"),
    ],
)
def test_accidents_of_typography_go(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_no_sign_becomes_another_that_is_folded_too() -> None:
    signs = list(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    assert [sign for sign in signs if fold(fold(sign)) != fold(sign)] == []
    made = {sign for sign in signs if unicodedata.normalize("NFKC", sign) in "'‘’“”′—–−"}
    assert {fold_word(sign) for sign in made} == {fold(sign) for sign in made} == set('"-')


@given(st.text(alphabet=" \n\r\t\u00a0\u00ad\u2028aäÖ§1.,-–„“'²½ﬂ´¨⁻", max_size=60))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=" \n\r\t\u00a0\u00ad\u2028abäÖ§1.,-–„“'²½ﬂ´|", max_size=60), st.data())
def test_every_place_of_a_folded_text_leads_back(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    words = [at for at, sign in enumerate(folded) if sign != " "]
    if not words:
        return
    words = [at for at in words if folded[at] not in POWERS] or words[:1]  # "10²" is one number
    start = data.draw(st.sampled_from(words))
    end = data.draw(st.sampled_from([at for at in words if at >= start])) + 1
    low, high = find_origin(text, start, end)

    assert 0 <= low < high <= len(text)
    assert folded[start:end] in fold(text[low:high])


def test_what_cannot_be_seen_is_no_part_of_a_word() -> None:
    assert strip_unseen("Ver\u00adtra\u0308ge") == "Verträge"


MARKS = "\u0345\u0301\u0323\u0327"  # each goes before the one before it


@pytest.mark.parametrize(
    ("written", "limited"),
    [
        ("a" + MARKS * 500 + "b", "a" + (MARKS * 8)[:30] + "b"),
        ((("a" + MARKS * 10) * 3), ("a" + (MARKS * 8)[:30]) * 3),
        ("a" + MARKS * 7 + "„" + MARKS * 7, "a" + MARKS * 7 + "„" + MARKS * 7),
        ("…" * 40 + "—" * 40 + MARKS * 500 + "§" * 40, None),
        ("Ä" * 2_000, "Ä" * 2_000),
        ("-" * 2_000, "-" * 2_000),
    ],
    ids=range(6),
)
def test_of_marks_on_a_letter_few_are_kept_and_of_other_signs_all(
    written: str, limited: str | None
) -> None:
    if limited is None:
        limited = written.replace(MARKS * 500, (MARKS * 8)[:30])
    assert limit_marks(written) == limited


def test_no_quote_is_compared_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def note(text: str) -> str:
        compared.append(text)
        return fold(text)

    monkeypatch.setattr(wording, "fold", note)
    monkeypatch.setattr(corrected, "fold", note)
    quote = "a" + MARKS * 500
    wording.read_quote(quote)
    assert list(corrected.say_which_wording((), quote)) == []
    assert [len(text.strip()) for text in compared] == [31, 31]
