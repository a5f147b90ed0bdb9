import pytest

from fundstelle.lookup.context.word_changes import MOST_WORD_CHANGES, compare_words

BEFORE = "(1) Die Frist beträgt zwei Wochen. Sie beginnt nicht vor dem 1. Mai."


@pytest.mark.parametrize(
    ("after", "changes"),
    [
        (BEFORE, []),
        (BEFORE.replace("zwei", "drei"), [("zwei", "drei")]),
        (BEFORE.replace("nicht ", ""), [("nicht", "")]),
        (BEFORE.replace("Frist", "kurze Frist"), [("", "kurze")]),
        (BEFORE.replace("Wochen", "Wochenenden"), [("Wochen", "Wochenenden")]),
        (BEFORE.replace("zwei", "3,65"), [("zwei", "3,65")]),
        (BEFORE.replace("Mai.", "Mai; im Zweifel"), [(".", "; im Zweifel")]),
        (
            BEFORE.replace("zwei", "vier").replace("1. Mai", "1. Juni"),
            [("zwei", "vier"), ("Mai", "Juni")],
        ),
    ],
)
def test_whole_words_that_differ_are_told_in_their_order(
    after: str, changes: list[tuple[str, str]]
) -> None:
    found = compare_words(BEFORE, after)

    assert [(each.before, each.after) for each in found] == changes


def test_a_text_with_little_in_common_is_told_as_a_whole() -> None:
    assert compare_words(BEFORE, "(1) Der Vertrag bedarf der notariellen Beurkundung") == ()


def test_of_too_many_places_none_is_told() -> None:
    words = [f"w{number}" for number in range(4 * MOST_WORD_CHANGES)]
    every_third = [word + "x" if at % 3 == 0 else word for at, word in enumerate(words)]

    assert compare_words(" ".join(words), " ".join(every_third)) == ()
