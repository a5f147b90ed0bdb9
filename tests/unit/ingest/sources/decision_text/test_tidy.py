"""What of a line of a decision is kept: its words, one blank between them, nothing invisible."""

import pytest

from fundstelle.ingest.sources.decision_text.text import tidy


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Ver\u00adtrag", "Vertrag"),
        ("\ufeffder\u200b \u2060Ver\u200cein\u200d", "der Verein"),
        ("ab-\x1b[0mge\x00setzt", "ab-[0mgesetzt"),
        (" 1.\t2.\u00a0\n3. ", "1. 2. 3."),
        ("Mu\u0308nchen – „Straße“", "München – „Straße“"),
    ],
)
def test_nothing_invisible_is_kept(written: str, kept: str) -> None:
    assert tidy(written) == kept


def test_every_letter_of_latin_script_and_every_usual_sign_is_kept() -> None:
    letters = [chr(code) for code in range(0x250) if chr(code).isprintable()]
    signs = [chr(code) for code in range(0x2010, 0x2028)]
    text = "".join(letters + signs)
    assert tidy(text).replace(" ", "") == "".join(text.split())
