"""Slips of the finger: which words are tried, and what they are read as."""

from hypothesis import given
from hypothesis import strategies as st

from fundstelle.search.words.spelling import iter_neighbours, mend

KNOWN = {"drachen": 9, "drachenhort": 4, "drachenflucht": 7, "zwerge": 3, "hort": 8}
LETTERS = "abcdefghijklmnopqrstuvwxyzäöüß"


def read(text: str) -> tuple[str, dict[str, str]]:
    return mend(text, KNOWN.__contains__, lambda word: KNOWN.get(word, 0))


def test_one_slip_of_each_kind_is_undone() -> None:
    for slip in ("drachnhort", "drachenhhort", "drachenhorz", "drachenhrot"):
        assert read(slip) == ("drachenhort", {slip: "drachenhort"})


def test_the_rest_of_a_text_stays_as_it_is() -> None:
    mended, _ = read("Wer zahlt nach § 3 BGB für die Drachenflcht?")
    assert mended == "Wer zahlt nach § 3 BGB für die drachenflucht?"


def test_a_word_that_stands_somewhere_is_never_read_as_another() -> None:
    assert read("Drachen Zwerge Hort") == ("Drachen Zwerge Hort", {})


def test_short_words_two_slips_and_another_beginning_are_left() -> None:
    for text in ("hrot", "drchenhorz", "xrachenhort", "drachenhort7"):
        assert read(text) == (text, {})


def test_of_several_the_best_known_is_read() -> None:
    counts = {"drachen": 9, "drachel": 2}
    assert mend("drachex", counts.__contains__, lambda word: counts.get(word, 0))[0] == "drachen"
    alike = {"drachenung": 5, "drachenig": 5, "drachenüng": 5}
    assert mend("drachenng", alike.__contains__, lambda w: alike.get(w, 0))[0] == "drachenung"


def test_few_words_of_a_text_are_tried() -> None:
    asked: list[str] = []

    def count(word: str) -> int:
        asked.append(word)
        return 0

    mend(" ".join(f"einhorn{letter}" for letter in LETTERS), KNOWN.__contains__, count)
    assert {word[:7] for word in asked} >= {"einhorn"}
    assert len(asked) < 3 * 31 * 70


@given(st.text(LETTERS, min_size=2, max_size=12), st.integers(min_value=0))
def test_neighbours_are_mutual_but_for_the_first_letter(word: str, place: int) -> None:
    others = list(iter_neighbours(word))
    other = others[place % len(others)]
    assert other != word
    assert other[0] == word[0]
    assert word in iter_neighbours(other)


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    mended, found = read(text)
    assert all(other in mended.lower() for other in found.values())
