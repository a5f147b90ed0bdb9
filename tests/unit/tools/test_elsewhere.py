"""Questions that neither federal nor EU law answers are told whose matter they are."""

from dataclasses import replace

import pytest

from fundstelle.law.lands import LANDS
from fundstelle.tools.inputs.elsewhere import _read, _read_places, tell_elsewhere, tell_places
from tests.unit.tools.fakes import FakeStore, build_library, build_statute

LIBRARY = build_library()
_, WORDS = _read()


@pytest.mark.parametrize("word", sorted({word for word, _ in WORDS.values()}))
@pytest.mark.parametrize("query", ["{}", "Was gilt bei {}?", "{}n"])
def test_every_word_of_the_table_is_found_as_people_write_it(word: str, query: str) -> None:
    for written in (word, word.lower()):
        told = tell_elsewhere(query.format(written), LIBRARY)
        assert told is not None
        assert told[0].startswith(f"{word} is ")


@pytest.mark.parametrize("query", ["", "Hund", "Steuer", "Chundesteuer", "VOB", "Kaufvertrag"])
def test_nothing_is_said_of_other_words(query: str) -> None:
    assert tell_elsewhere(query, LIBRARY) is None


def test_laws_of_a_land_that_are_held_are_named() -> None:
    land = replace(build_statute("HStG", "Hundesteuergesetz"), jurisdiction="de_by")
    library = replace(LIBRARY, store=FakeStore([land], []))
    told = tell_elsewhere("Hundesteuer", library)
    assert told is not None
    assert told[0].endswith("held of the Länder: Bayern.")
    told = tell_elsewhere("VOB/B", library)
    assert told is not None
    assert "nothing of that is held here" in told[0]


_, PLACES = _read_places()


@pytest.mark.parametrize("name", [*(land.name for land in LANDS), "Österreich", "USA", "Türkei"])
@pytest.mark.parametrize("query", ["Ladenschluss {}", "Was gilt in {}?", "{}: Jagd", "Recht {}s"])
def test_of_every_place_named_it_is_said_that_its_law_is_not_held(name: str, query: str) -> None:
    for written in (name, name.lower(), name.upper()):
        (told,) = tell_places(query.format(written), LIBRARY)
        assert told.startswith(f"{name} has law of its own")
        assert "none of it is held here" in told


@pytest.mark.parametrize("written", sorted(PLACES))
def test_every_name_and_adjective_of_the_table_is_found(written: str) -> None:
    query = f"Verjährung nach {written}em Recht" if written[-3:] == "sch" else f"Frist {written}"
    if written == "schweizer":
        query = "nach Schweizer Recht"
    (told,) = tell_places(query, LIBRARY)
    assert told.startswith(f"{PLACES[written]} has")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "OLG Hamburg Kündigung",
        "Landgericht Berlin Mietpreisbremse",
        "VGH Hessen Abschiebung",
        "LG Berlin Schadensersatz",
        "Berliner Testament",
        "türkischer Staatsangehöriger Aufenthalt",
        "Pole-Position",
        "Schweizerdeutsch",
    ],
)
def test_courts_people_and_other_words_are_no_places(query: str) -> None:
    assert tell_places(query, LIBRARY) == []


def test_places_are_told_once_each_three_at_most_and_not_where_their_law_is_held() -> None:
    assert len(tell_places("Bayern oder Bayern, Schweiz", LIBRARY)) == 2
    assert len(tell_places("Polen Ungarn Italien Spanien Portugal " * 100, LIBRARY)) == 3
    (told,) = tell_places("Sachsen-Anhalt", LIBRARY)
    assert told.startswith("Sachsen-Anhalt ")
    land = replace(build_statute("HStG", "Hundesteuergesetz"), jurisdiction="de_by")
    library = replace(LIBRARY, store=FakeStore([land], []))
    assert tell_places("Ladenschluss Bayern", library) == []
