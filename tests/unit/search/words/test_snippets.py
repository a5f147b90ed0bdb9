import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.search.words.snippets import Room, find_best_span, snippet

FILLER = "Die Behörde führt ein Verzeichnis aller Vorgänge und hält es auf dem Stand. "
MATCH = "Der Halter eines Drachens haftet für den Brand, den dieser legt. "
TEXT = "(1) " + FILLER * 9 + "\n(2) " + FILLER * 3 + MATCH + FILLER * 9


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    assert snippet("(1) Eins.\n(2) Zwei.", "zwei") == "(1) Eins. (2) Zwei."


def test_the_passage_with_the_words_is_shown_from_the_start_of_its_sentence() -> None:
    shown = snippet(TEXT, "Haftet der Drachenhalter für einen Brand des Drachens?")
    assert MATCH.strip() in shown
    assert shown.startswith("… ")
    assert shown.endswith(". …")


@pytest.mark.parametrize(
    "words", ["DRACHEN", "Drachen Brände", "drachens", "dem Drachen", "Braende"]
)
def test_inflection_case_and_spelling_do_not_matter(words: str) -> None:
    assert "Drachens" in snippet(TEXT, words)


def test_a_word_is_found_inside_a_compound() -> None:
    text = FILLER * 8 + "Die Flugdrachenhaltung ist verboten. " + FILLER * 8
    assert "Flugdrachenhaltung" in snippet(text, "Drachen")


@pytest.mark.parametrize(
    ("words", "shown"),
    [("Drachenhaltungsgebühr", "Drachens"), ("Feuersbrand", "Brand"), ("Haltersorge", "Halter")],
)
def test_of_a_long_word_the_parts_are_found(words: str, shown: str) -> None:
    assert shown in snippet(TEXT, words)


def test_a_whole_word_counts_more_than_parts_of_two() -> None:
    text = FILLER * 9 + "Der Zwergenhort und der Feenring. " + FILLER * 9 + MATCH + FILLER * 9
    assert "Drachens" in snippet(text, "Zwergenhorde Feenringelei Drachen")


def test_a_match_far_behind_in_a_long_annex_is_shown() -> None:
    text = FILLER * 800 + "\n" + MATCH + "\n" + FILLER * 30
    assert len(text) > 60_000
    assert MATCH.strip() in snippet(text, "Drachen")


def test_many_places_of_one_word_do_not_hide_the_one_with_all() -> None:
    text = "Der Halter führt ein Verzeichnis aller Vorgänge und hält es. " * 30 + MATCH + FILLER * 9
    assert "Brand" in snippet(text, "Halter Brand")


@pytest.mark.parametrize("words", ["", "Einhorn", "der die das", "§ §§ ???"])
def test_without_a_match_the_text_is_shown_from_its_beginning(words: str) -> None:
    shown = snippet(TEXT, words)
    assert shown.startswith("(1) Die Behörde")
    assert shown.endswith(" …")


def test_a_reference_does_not_end_a_sentence() -> None:
    text = FILLER * 8 + "Nach § 3 Abs. 2 und Nr. 4 darf der Drache Feuer speien. " + FILLER * 8
    assert "… Nach § 3 Abs. 2 und Nr. 4 darf" in snippet(text, "Drache Feuer")


def test_a_match_at_the_end_shows_the_end() -> None:
    shown = snippet(FILLER * 20 + "Zuletzt der Drache.", "Drache")
    assert shown.startswith("… ")
    assert shown.endswith("Zuletzt der Drache.")


@given(st.text(max_size=2_000), st.text(max_size=60), st.integers(40, 300))
def test_no_snippet_exceeds_its_limit(text: str, words: str, limit: int) -> None:
    shown = snippet(text, words, limit)
    assert len(shown) <= limit
    assert "\n" not in shown


@given(
    st.lists(st.sampled_from(["Drache", "haftet.", "\n", "x" * 400, "und"]), max_size=300),
    st.integers(40, 300),
)
def test_every_shown_part_stands_in_the_text(parts: list[str], limit: int) -> None:
    text = " ".join(parts)
    shown = snippet(text, "Drache haftet", limit)
    assert shown.removeprefix("… ").removesuffix(" …") in text.replace("\n", " ")


HOSTILE = {
    "a word of a thousand letters": "drachenhaltungsgebuehrenordnung" * 33,
    "words of sixty letters in all spellings": " ".join(
        f"aeoeuess{letter}" * 6 + letter * 6 for letter in "klmnopqrst"
    ),
    "words of sixty letters": " ".join(letter * 60 for letter in "abcdefghij"),
    "common beginnings": " ".join("verzeichnis" + letter * 40 for letter in "abcdefghij"),
}


@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_words_take_long_on_a_page_of_long_texts(words: str) -> None:
    text = FILLER * 1_400  # as long as is looked at
    room = Room()
    begin = time.thread_time()
    shown = [snippet(text, words, room=room) for _ in range(50)]

    assert time.thread_time() - begin < 2.0  # of CPU; each took 20 seconds and more
    assert all(len(each) <= 300 for each in shown)


def test_a_word_above_sixty_letters_is_none() -> None:
    assert snippet(TEXT, "Brand" * 12) != snippet(TEXT, "x")  # sixty, whose beginning stands there
    assert snippet(TEXT, "Brand" * 13) == snippet(TEXT, "x")


def test_where_the_room_is_spent_the_beginning_is_shown() -> None:
    room = Room(left=len(TEXT) + 300)
    assert MATCH.strip() in snippet(TEXT, "Drachen", room=room)
    assert room.is_spent
    assert snippet(TEXT, "Drachen", room=room) == snippet(TEXT, "x")
    spans = [(0, len(TEXT))]
    assert find_best_span(TEXT, "Drachen", spans, room) is None
    assert find_best_span(TEXT, "Drachen", spans) == (0, 0)
