"""What an answer for an earlier day says is of that day: words, heading, status, designation."""

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchEngine
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_contents, write_law
from tests.unit.tools.calling import call

FIRST, SECOND, THIRD = date(2024, 1, 1), date(2024, 7, 1), date(2025, 1, 1)


@pytest.fixture
def look(tmp_path: Path) -> Any:
    """Takes one look after another, each with the sections of one law and their headings."""

    def take(day: date, sections: Mapping[str, tuple[str, str]], heading: str = "") -> Library:
        folder = tmp_path / f"gii-{day}"
        texts = {label: text for label, (_, text) in sections.items()}
        titles = {label: title for label, (title, _) in sections.items()}
        write_law(
            folder / "laws", "musterg", 1, texts, name="MusterG", titles=titles, heading=heading
        )
        engine = TantivyEngine()
        build(tmp_path / "data", folder, engine=engine)
        return open_library(tmp_path / "data", engine)

    return take


def open_library(data: Path, engine: SearchEngine) -> Library:
    store = builds.open_active(data)
    index = engine.open(builds.get_folder(data, store.manifest.release) / builds.INDEX)
    return Library(store, index, LawNames.build(store.statutes.values()))


def look_up(library: Library, citation: str, on: date, **more: Any) -> dict[str, Any]:
    return call(library, "legal_lookup", citation=citation, as_of=on.isoformat(), **more)


def test_an_earlier_text_stands_below_its_own_heading(look: Any) -> None:
    """A section may be given to another subject, and its old one to the section behind it."""
    look(FIRST, {"§ 1": ("Einbenennung", "Der Name wird erteilt."), "§ 2": ("Beistand", "Rat.")})
    library = look(SECOND, {"§ 1": ("Beistand", "Rat."), "§ 2": ("Einbenennung", "Der Name.")})
    before, now = (look_up(library, "§ 1 MusterG", day) for day in (FIRST, SECOND))
    assert (before["norm"]["title"], before["norm"]["content"]) == (
        "Einbenennung",
        "Der Name wird erteilt.",
    )
    assert (now["norm"]["title"], now["norm"]["content"]) == ("Beistand", "Rat.")
    around = call(library, "legal_get_context", norm_id="de/musterg/2", as_of=FIRST.isoformat())
    assert around["before"][0]["title"] == "Einbenennung"


def test_a_heading_that_alone_has_changed_is_a_change(look: Any) -> None:
    look(FIRST, {"§ 1": ("Alter Titel", "Gleiche Worte.")})
    library = look(SECOND, {"§ 1": ("Neuer Titel", "Gleiche Worte.")})
    titles = [look_up(library, "§ 1 MusterG", day)["norm"]["title"] for day in (FIRST, SECOND)]
    assert titles == ["Alter Titel", "Neuer Titel"]
    context = call(library, "legal_get_context", norm_id="de/musterg/1", include=["versions"])
    assert len(context["versions"]) == 2


def test_contents_and_hits_of_a_day_say_what_was_in_force_then(look: Any) -> None:
    look(FIRST, {"§ 1": ("Verzug", "Verzug des Schuldners."), "§ 2": ("Rücktritt", "Rücktritt.")})
    library = look(SECOND, {"§ 1": ("Frist", "Frist."), "§ 1a": ("Rücktritt", "Rücktritt neu.")})
    expected = {"de/musterg/1": None, "de/musterg/2": None, "de/musterg/1a": "not_seen_yet"}
    contents = call(library, "legal_get_toc", law_abbreviation="MusterG", as_of=FIRST.isoformat())
    assert {row["norm_id"]: row.get("status") for row in contents["toc"]} == expected
    assert [row["title"] for row in contents["toc"] if row["norm_id"].endswith("/1")] == ["Verzug"]
    assert any(SECOND.isoformat() in warning for warning in contents["warnings"])
    for query in ("Verzug", "Frist", "Rücktritt"):
        found = call(library, "legal_search", query=query, as_of=FIRST.isoformat(), top_k=5)
        for hit in found["hits"]:
            assert hit.get("status") == expected[hit["norm_id"]]
            answer = look_up(library, hit["norm_id"], FIRST)
            assert answer["found"] == ("status" not in hit)
            assert answer.get("status", "in_force") == hit.get("status", "in_force")


@pytest.mark.parametrize(
    ("before", "after", "states"),
    [
        ("Leihe", "(weggefallen)", [None, "repealed"]),
        ("", "Leihe", ["not_seen_yet", None]),
        ("Leihe", "Verleih", [None, None]),
    ],
)
def test_a_heading_in_the_contents_of_a_day_has_the_status_of_that_day(
    look: Any, before: str, after: str, states: list[str | None]
) -> None:
    look(FIRST, {"§ 1": ("Verzug", "Wer leiht.")}, before)
    later = ("(weggefallen)", "") if states[1] else ("Verzug", "Wer leiht.")
    library = look(SECOND, {"§ 1": later}, after)
    told, looked_up = [], []
    for day in (FIRST, SECOND):
        contents = call(library, "legal_get_toc", law_abbreviation="MusterG", as_of=day.isoformat())
        [row] = [row for row in contents["toc"] if "gliederung" in row["norm_id"]]
        told.append(row.get("status"))
        answer = look_up(library, row["norm_id"], day)
        looked_up.append(None if answer["found"] else answer["status"])
        reasons = [one["why"] for one in answer.get("suggestions", [])]
        assert "next provision of the law" not in reasons  # a heading has no number to count from
    assert told == states
    assert looked_up == states


def test_a_search_finds_what_a_text_of_that_day_said_and_not_what_a_later_one_says(
    look: Any,
) -> None:
    look(
        FIRST, {"§ 1": ("", "Die Kette wiegt."), "§ 2": ("", "Der Hort ruht."), "§ 4": ("", "Vier")}
    )
    library = look(SECOND, {"§ 1": ("", "Die Freiheit gilt."), "§ 3": ("", "Der Hort brennt.")})

    def search(query: str, on: date | None = None) -> list[str]:
        day = {"as_of": on.isoformat()} if on else {}
        hits = call(library, "legal_search", query=query, **day)["hits"]
        for hit in hits:
            assert query.lower() in hit["snippet"].lower()
        return [hit["norm_id"].removeprefix("de/musterg/") for hit in hits]

    for on, kette, freiheit, hort in (
        (FIRST, ["1"], [], ["2"]),
        (SECOND - timedelta(days=1), ["1"], [], ["2"]),
        (SECOND, [], ["1"], ["3"]),
        (None, [], ["1"], ["3"]),
    ):
        assert [search("Kette", on), search("Freiheit", on), search("Hort", on)] == [
            kette,
            freiheit,
            hort,
        ]


def test_a_provision_that_came_back_was_last_seen_before_the_look_that_missed_it(
    look: Any,
) -> None:
    held, gone = {"§ 1": ("A", "a"), "§ 2": ("B", "b")}, {"§ 1": ("A", "a")}
    for day, sections in ((FIRST, held), (SECOND, gone), (THIRD, held)):
        library = look(day, sections)
    miss = look_up(library, "§ 2 MusterG", date(2024, 9, 1))
    assert miss["status"] == "repealed"
    assert "repealed_on" not in miss["evidence"]  # a look says no more than that it was gone
    assert miss["evidence"]["last_seen"] == FIRST.isoformat()
    assert SECOND.isoformat() in miss["reason"]
    assert look_up(library, "§ 2 MusterG", THIRD)["found"]


def test_a_section_that_stood_in_a_range_is_read_there(look: Any) -> None:
    look(FIRST, {"§ 4": ("", "Vier."), "§§ 5 und 6": ("", "Beide.")})
    library = look(SECOND, {"§ 4": ("", "Vier."), "§ 5": ("", "Fünf."), "§ 6": ("", "Sechs.")})
    then, now = (look_up(library, "§ 5 MusterG", day)["norm"] for day in (FIRST, SECOND))
    assert (then["content"], then["citation"]) == ("Beide.", "§§ 5 und 6 MusterG")
    assert now["content"] == "Fünf."


def test_a_law_is_not_meant_on_a_day_on_which_another_had_its_name(tmp_path: Path) -> None:
    old, new = {"§ 1": "Alt.", "§ 8a": "Nur im alten."}, {"§ 1": "Neu."}
    before, after = tmp_path / f"gii-{FIRST}", tmp_path / f"gii-{THIRD}"
    write_law(before / "laws", "musterg", 1, old, name="MusterG", issued="2009-08-14")
    for folder in (before, after):
        write_law(folder / "laws", "anderesg", 3, {"§ 1": "Immer."})
    write_contents(before, "anderesg", "musterg")
    write_law(after / "laws", "musterg_2024", 2, new, name="MusterG", issued="2024-12-02")
    write_contents(after, "anderesg", "musterg_2024")
    for folder in (before, after):
        build(tmp_path / "data", folder, engine=TantivyEngine())
    library = open_library(tmp_path / "data", TantivyEngine())
    answers = {
        (section, day): look_up(library, f"§ {section} MusterG", day)
        for section, day in (("1", FIRST), ("8a", SECOND), ("1", THIRD), ("8a", THIRD))
    }
    contents = {asked: each.get("norm", {}).get("content") for asked, each in answers.items()}
    assert contents == {
        ("1", FIRST): "Alt.",
        ("8a", SECOND): "Nur im alten.",
        ("1", THIRD): "Neu.",
        ("8a", THIRD): None,
    }


def test_a_number_that_is_another_provisions_now_gives_the_words_of_the_one_it_was(
    look: Any,
) -> None:
    """With more Artikel than §§ the Artikel have the plain numbers, and the §§ others."""
    look(FIRST, {"§ 1": ("", "Eins."), "§ 2": ("", "Zwei."), "Art 1": ("", "Artikel eins.")})
    library = look(
        SECOND,
        {
            "§ 1": ("", "Eins neu."),
            "§ 2": ("", "Zwei."),
            **{f"Art {number}": ("", f"Artikel {number}.") for number in (1, 2, 3)},
        },
    )
    then = {"§ 1": "Eins.", "§ 2": "Zwei.", "Art. 1": "Artikel eins."}
    now = {"§ 1": "Eins neu.", "§ 2": "Zwei.", "Art. 1": "Artikel 1.", "Art. 3": "Artikel 3."}
    for day, texts in ((FIRST, then), (SECOND, now)):
        for designation, text in texts.items():
            answer = look_up(library, f"{designation} MusterG", day)
            assert answer["norm"]["content"] == text, (designation, day)
    assert look_up(library, "Art. 3 MusterG", FIRST)["status"] == "not_seen_yet"
