"""The sentence in which a quotation begins or ends, and how far it is looked for."""

import pytest

from fundstelle.lookup.comparing.omissions import list_left_out

SENTENCE = "Die Säge gehört dem Verleiher nicht. "


@pytest.mark.parametrize("before", [0, 1, 500])
@pytest.mark.parametrize("behind", [0, 1, 500])
def test_what_is_left_out_is_of_the_sentence_alone(before: int, behind: int) -> None:
    text = SENTENCE * before + SENTENCE + SENTENCE * behind
    start = len(SENTENCE) * before + len("Die Säge ")
    quoted = start, start + len("gehört dem")
    assert list_left_out(text, (), (0, len(text)), quoted) == ("Die Säge", "Verleiher nicht.")


def test_of_a_sentence_without_end_what_is_nearest() -> None:
    text = "und das " * 100_000
    before, behind = list_left_out(text, (), (0, len(text)), (400_000, 400_010))
    assert text[400_000 - 2_000 : 400_000].strip() == before
    assert 0 < len(behind) <= 2_010
