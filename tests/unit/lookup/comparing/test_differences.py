import pytest

from fundstelle.lookup.comparing.differences import Difference, put_gravest_first


@pytest.mark.parametrize(
    ("quoted", "stored", "kind"),
    [("stets", "", "added"), ("", "stets", "removed"), ("nie", "stets", "replaced")],
)
def test_the_kind_says_what_the_quote_does_with_the_text(
    quoted: str, stored: str, kind: str
) -> None:
    assert Difference(quoted, stored).kind == kind


@pytest.mark.parametrize(
    ("quoted", "stored"),
    [
        ("", "nicht"),
        ("ein", "kein"),
        ("keine", "eine"),
        ("wirksam", "unwirksam"),
        ("Zulässig ist", "Unzulässig ist"),
        ("rechtswirksam", "rechtsunwirksam"),
        ("Rechtsverbindlichkeit", "Rechtsunverbindlichkeit"),
        ("öffentlich", "nichtöffentlich"),
        ("verkehrsfähig", "verkehrsunfähig"),
        ("mit", "ohne"),
        ("shall", "shall not"),
        ("nicht", "nicht nicht"),
    ],
)
def test_a_negation_on_one_side_alone_is_one(quoted: str, stored: str) -> None:
    assert Difference(quoted, stored).negation
    assert Difference(stored, quoted).negation


@pytest.mark.parametrize(
    ("quoted", "stored"),
    [
        ("nicht", "nicht mehr"),
        ("der Käufer", "der Verkäufer"),
        ("unter", "unten"),
        ("", "nichtig"),
        ("Stden", "Stunden"),
        ("Kunde", "Kde"),
        ("rechtsgrund", "rechtsunkosten"),
    ],
)
def test_other_words_are_no_negation(quoted: str, stored: str) -> None:
    assert not Difference(quoted, stored).negation


@pytest.mark.parametrize(
    ("quoted", "stored", "is_number"),
    [
        ("3", "5", True),
        ("drei", "sechs", True),
        ("312a", "312g", True),
        ("", "2.", True),
        ("achtundzwanzig", "achtundvierzig", True),
        ("two", "three", True),
        ("vierteljährlich", "jährlich", False),
        ("mäßig", "übermäßig", False),
        ("3 Tage", "3 Wochen", False),
    ],
)
def test_numbers_are_told_in_figures_and_in_words(
    quoted: str, stored: str, is_number: bool
) -> None:
    assert Difference(quoted, stored).number is is_number


def test_what_turns_the_meaning_stands_first() -> None:
    plain, modal = Difference("Gerät", "Werkzeug"), Difference("kann", "muss")
    negation, number = Difference("", "nicht"), Difference("3", "5")

    ordered = put_gravest_first([plain, modal, plain, negation, number])
    assert ordered == [modal, negation, number, plain, plain]
