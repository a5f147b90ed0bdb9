"""The sentence in which a quotation begins or ends, and how far it is looked for."""

import pytest

from fundstelle.lookup.comparing.omissions import (
    find_turning,
    find_turning_before,
    find_turning_behind,
    list_left_out,
)

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


@pytest.mark.parametrize(
    ("words", "quoted", "told"),
    [
        ("Kein", "Hund darf die Wiese betreten", "Kein"),
        ("(2) Kein", "Hund darf die Wiese betreten", "Kein"),
        ("Niemand", "darf die Wiese betreten", "Niemand"),
        ("Kein Hund, der beißt,", "darf die Wiese betreten", "Kein Hund, der beißt,"),
        ("Wer nicht zahlt, muss gehen; er", "hat die Wiese zu räumen", ""),  # another clause
        ("Wer zahlt, ist nicht", "verpflichtet, und haftet", "ist nicht"),
        ("Nicht nur", "der Hund darf das", ""),
        ("No", "dog may enter the meadow", "No"),
        ("Not only", "the dog may enter", ""),
        ("Kein", "Hund auf der Wiese", ""),  # says nothing
        ("Der", "Hund darf die Wiese betreten", ""),
        ("", "Der Hund darf die Wiese betreten", ""),
    ],
)
def test_what_is_cut_off_in_front_of_a_quote_and_denies_it(
    words: str, quoted: str, told: str
) -> None:
    assert find_turning_before(words, quoted) == told


@pytest.mark.parametrize(
    ("words", "quoted", "told"),
    [
        ("nicht.", "Der Anspruch besteht", "nicht."),
        ("nicht, wenn es regnet.", "Dies gilt", "nicht, wenn es regnet."),
        (", es sei denn, dass es regnet.", "Der Hund haftet", "es sei denn, dass es regnet."),
        (", sofern der Halter nicht zahlt.", "Der Hund haftet", "sofern der Halter nicht zahlt."),
        (", außer bei Regen.", "Der Hund haftet", "außer bei Regen."),
        ("unless it rains.", "The dog may enter", "unless it rains."),
        ("für Katzen nicht.", "Dies gilt", "für Katzen nicht."),
        (", wenn es regnet, aber nicht stürmt.", "Der Hund haftet", ""),  # another clause
        (", nicht aber die Katze.", "Der Hund haftet", ""),
        ("außer Kraft.", "Das Gesetz tritt", ""),
        ("und darf nicht nur bellen.", "Der Hund haftet", ""),
        ("nicht betreten.", "Hunde und Katzen aller Art", ""),
        ("", "Der Hund haftet", ""),
    ],
)
def test_what_is_cut_off_behind_a_quote_and_denies_it(words: str, quoted: str, told: str) -> None:
    assert find_turning_behind(words, quoted) == told


@pytest.mark.parametrize(
    ("words", "is_told"),
    [("nicht", True), ("ohne zu fragen", True), ("es sei denn, es regnet", True), ("auch", False)],
)
def test_what_a_mark_leaves_out_is_told_where_it_denies_or_excepts(
    words: str, *, is_told: bool
) -> None:
    assert find_turning(words) == (words if is_told else "")
