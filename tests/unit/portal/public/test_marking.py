"""The words of a question in what was found."""

import pytest

from fundstelle.portal.public.marking import mark_words


@pytest.mark.parametrize(
    ("text", "question", "found"),
    [
        ("Die Kündigung ist unwirksam.", "Kündigungen", ["Kündigung"]),
        ("Der Kündigungsschutz gilt.", "kuendigung", ["Kündigungsschutz"]),
        ("Die Kündigung gilt.", "Kündigungsschutz", ["Kündigung"]),
        ("Nach § 823 und § 8230 BGB", "823 bgb", ["823", "BGB"]),
        ("Der Käufer und die Sache", "der und die", []),
        ("Ein Ei im Eis", "Ei", ["Ei"]),
        ("Nichts davon", "", []),
    ],
)
def test_words_are_found_by_their_stems(text: str, question: str, found: list[str]) -> None:
    pieces = mark_words(text, question)
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.text for piece in pieces if piece.is_found] == found
