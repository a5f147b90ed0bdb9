import re

from fundstelle.search.words.in_german import NOTHING, find_in_german, read_table


def test_articles_and_acts_have_words_by_their_ids() -> None:
    assert "Gestaltung" in find_in_german("eu/32022R2065/art_25").matter
    assert "Dark Patterns" in find_in_german("eu/32022R2065/art_25").asked
    assert "Gesetz über digitale Dienste" in find_in_german("eu/32022R2065").matter


def test_federal_law_and_recitals_have_none() -> None:
    assert find_in_german("de/bgb/823") is NOTHING
    assert find_in_german("eu/32022R2065/recital_25") is NOTHING


def test_no_row_is_empty_and_none_names_more_than_an_article() -> None:
    table = read_table()
    assert len(table) > 1_400
    for key, german in table.items():
        assert re.fullmatch(r"eu/(?:1\d{4}[A-Z]|3\d{4}[A-Z]\d{4})(?:/art_\d+[a-z]?)?", key), key
        assert german.matter or german.asked, key
        assert len(f"{german.matter} {german.asked}") < 400, key
