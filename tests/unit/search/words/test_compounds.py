from pathlib import Path

import pytest

from fundstelle.search.words.compounds import CompoundSplitter

COUNTS = {
    "schaden": 900,
    "schadens": 800,
    "ersatz": 1_500,
    "schadensersatz": 700,
    "satz": 90_000,
    "pflicht": 3_000,
    "arbeit": 4_000,
    "vertrag": 4_000,
    "kaution": 40,
    "miete": 300,
    "miet": 60,
    "rückzahlung": 200,
    "frist": 3_000,
    "kündigung": 900,
    "haus": 1_000,
    "geschäft": 3_000,
    "führung": 900,
    "geschäftsführung": 5_000,
    "über": 70_000,
    "tragung": 30,
    "selten": 3,
}
SPLITTER = CompoundSplitter.train(COUNTS.items())


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("arbeitsvertrag", ("arbeit", "vertrag")),
        ("kündigungsfrist", ("kündigung", "frist")),
        ("schadensersatzpflicht", ("schadensersatz", "schadens", "ersatz", "pflicht")),
        ("mietkautionsrückzahlung", ("mietkaution", "miet", "kaution", "rückzahlung")),
    ],
)
def test_a_compound_falls_into_the_words_it_is_made_of(word: str, parts: tuple[str, ...]) -> None:
    assert set(SPLITTER.split(word)) >= set(parts[-2:])
    assert set(SPLITTER.split(word)) <= {*parts, "schaden"}


@pytest.mark.parametrize(
    "word",
    [
        "vertrag",  # simple
        "übertragung",  # a particle is no part
        "geschäftsführung",  # more frequent than its parts: a word of its own
        "seltenarbeit",  # a part that is too rare
        "haus",  # too short
        "x" * 200,
        "",
    ],
)
def test_other_words_stay_whole(word: str) -> None:
    assert SPLITTER.split(word) == ()


def test_the_frequent_word_satz_does_not_take_the_end_of_ersatz() -> None:
    assert "satz" not in SPLITTER.split("schadensersatz")


def test_splitting_does_not_depend_on_what_was_split_before() -> None:
    words = ["schadensersatzpflicht", "mietkautionsrückzahlung", "arbeitsvertrag"]
    alone = [CompoundSplitter.train(COUNTS.items()).split(word) for word in words]
    assert [SPLITTER.split(word) for word in reversed(words)] == alone[::-1]


def test_a_splitter_read_from_its_file_splits_alike(tmp_path: Path) -> None:
    SPLITTER.write(tmp_path / "words.txt")
    again = CompoundSplitter.parse((tmp_path / "words.txt").read_text(encoding="utf-8"))
    for word in ("schadensersatzpflicht", "kündigungsfrist", "übertragung"):
        assert again.split(word) == SPLITTER.split(word)
