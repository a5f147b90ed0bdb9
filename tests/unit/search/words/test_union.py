import pytest

from fundstelle.search.words.union import says_union


@pytest.mark.parametrize(
    "text",
    [
        "Darf ein EU-Staat das?",
        "Was sagt die eu dazu?",
        "Urlaub nach europäischem Recht",
        "Klage gegen ein Unternehmen in einem anderen Mitgliedstaat",
        "Wann legt ein Gericht dem EuGH vor?",
        "Was sagt die Drachenhaltungsrichtlinie?",
        "Was sagt die Richtlinie über Drachen?",
        "Wettbewerb im Binnenmarkt",
        "Haftung der Union",
    ],
)
def test_a_question_says_that_law_of_the_union_is_meant(text: str) -> None:
    assert says_union(text)


@pytest.mark.parametrize(
    "text",
    [
        "Darf der Vermieter kündigen?",
        "Wer hat die Richtlinienkompetenz?",
        "Is a trade union allowed to strike?",
        "Eugen und die neue Reunion",
        "Was ist ein Neubau?",
    ],
)
def test_other_questions_do_not(text: str) -> None:
    assert not says_union(text)
