"""Searching the texts of an earlier day, on invented law that was changed."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.corpus import builds
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import FormerText, SearchDocument, SearchRequest
from fundstelle.settings import Settings
from fundstelle.tools.registry import build_tools
from fundstelle.tools.spec import CallContext
from tests.integration.builds.test_release_root import write_again
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_law
from tests.integration.search.test_search_index import BLANK

LAW = "DrG Drachengesetz"
RISEN = 20240701  # the day on which dragons were freed
GONE = 20250101
BEFORE, BETWEEN, AFTER = 20240630, 20240901, 20250201
Find = Callable[..., list[str]]


def write(text: str, since: int, until: int, heading: str = "") -> FormerText:
    return FormerText(heading, "", text, since, until, since)


LIGHTER = [
    replace(BLANK, norm_id=f"de/drg/{number}", law=LAW, text=f"Höhle Nummer {number}.")
    for number in range(10, 40)
]
DOCUMENTS = [
    replace(BLANK, norm_id="de/drg/1", law=LAW, text="Ein Drache ist ein Tier."),
    replace(
        BLANK,
        norm_id="de/drg/2",
        law=LAW,
        heading="Freiheit",
        text="Drachen sind frei.",
        since=RISEN,
        former=(write("Drachen sind an der Kette zu halten.", 0, RISEN, "Haltung"),),
    ),
    replace(
        BLANK,
        norm_id="de/drg/3",
        law=LAW,
        text="",
        searchable=False,
        former=(
            write("Drachen zahlen eine Hortsteuer.", 0, RISEN),
            write("Die Hortsteuer beträgt die Hälfte.", RISEN, GONE),
        ),
    ),
    replace(BLANK, norm_id="de/drg/4", law=LAW, text="Wer reitet, ist versichert.", since=GONE),
    replace(
        BLANK,
        norm_id="de/efv/1",
        law="EFV Einhornfangverordnung",
        statute_id="de/efv",
        searchable=False,  # its law has left the list
        text="Ketten sind verboten.",
        former=(write("Ketten sind verboten.", 0, 0),),
    ),
    *LIGHTER,
]


def number(documents: list[SearchDocument]) -> list[SearchDocument]:
    return [replace(document, ordinal=place) for place, document in enumerate(documents)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    TantivyEngine().build(number(DOCUMENTS), folder)
    return folder


@pytest.fixture(scope="module")
def find(folder: Path) -> Find:
    index = TantivyEngine().open(folder, meaning=False)

    def ask(query: str, as_of: int | None = None, **rest: object) -> list[str]:
        request = SearchRequest(query, limit=50, as_of=as_of)
        found = index.search(replace(request, **rest))  # type: ignore[arg-type]  # a table
        assert found.total == len(found.hits)
        return [DOCUMENTS[hit.ordinal].norm_id.removeprefix("de/") for hit in found.hits]

    return ask


@pytest.mark.parametrize(
    ("query", "as_of", "found"),
    [
        ("Kette", None, []),
        ("Kette", AFTER, []),
        ("Kette", BETWEEN, ["efv/1"]),
        ("Kette", BEFORE, ["drg/2", "efv/1"]),
        ("frei", None, ["drg/2"]),
        ("frei", RISEN, ["drg/2"]),
        ("frei", BEFORE, []),
        ("Haltung", BEFORE, ["drg/2"]),
        ("Freiheit", BEFORE, []),
        ("Hortsteuer", None, []),
        ("Hortsteuer", BEFORE, ["drg/3"]),
        ("Hortsteuer", BETWEEN, ["drg/3"]),
        ("Hortsteuer", GONE, []),
        ("Hälfte", BEFORE, []),
        ("Tier", BEFORE, ["drg/1"]),
        ("versichert", BETWEEN, []),
        ("versichert", GONE, ["drg/4"]),
    ],
)
def test_a_day_has_its_own_words(
    find: Find, query: str, as_of: int | None, found: list[str]
) -> None:
    assert sorted(find(query, as_of)) == found


def test_several_texts_and_filters_are_asked_of_the_day_too(find: Find) -> None:
    assert find("Freiheit", BEFORE, rephrasings=("Kette",)) in (
        ["drg/2", "efv/1"],
        ["efv/1", "drg/2"],
    )
    assert find("Kette", BEFORE, filters={"statute_id": ["de/efv"]}) == ["efv/1"]
    assert find("Kette", BEFORE, ordinals=[1]) == ["drg/2"]
    assert find("Drachen Hortsteuer", BEFORE, every=True) == []
    assert find("Drachen Kette", BEFORE, every=False)[0] == "drg/2"


def test_facets_count_the_texts_of_the_day(folder: Path) -> None:
    index = TantivyEngine().open(folder, meaning=False)
    found = index.search(SearchRequest("Kette", as_of=BEFORE, facets=True))
    assert found.facets["source_type"] == {"gii": 2}
    assert not index.search(SearchRequest("Kette", facets=True)).total
    index.close()


def test_pages_of_a_day_join_without_gap_or_repetition(folder: Path) -> None:
    index = TantivyEngine().open(folder, meaning=False)
    whole = index.search(SearchRequest("Höhle Kette Drachen", limit=50, as_of=BEFORE))
    pages = (
        index.search(SearchRequest("Höhle Kette Drachen", limit=7, offset=start, as_of=BEFORE))
        for start in range(0, 50, 7)
    )
    assert [hit.ordinal for hit in chain.from_iterable(page.hits for page in pages)] == [
        hit.ordinal for hit in whole.hits
    ]
    assert len(whole.hits) == whole.total == 1 + 1 + 1 + 1 + len(LIGHTER)
    index.close()


def test_former_texts_change_nothing_for_today(folder: Path, tmp_path: Path) -> None:
    plain = [replace(document, former=(), since=0) for document in DOCUMENTS]
    TantivyEngine().build(number(plain), tmp_path)
    for query in ("Drache", "Höhle frei", "Kette"):
        results = [
            TantivyEngine().open(one, meaning=False).search(SearchRequest(query))
            for one in (folder, tmp_path)
        ]
        assert results[0] == results[1]
    assert not (tmp_path / "former").exists()


def test_a_rare_word_of_a_former_text_weighs_what_it_weighs_among_the_newest(find: Find) -> None:
    """Few texts are former, so that a word common there may be rare in all, and the other way."""
    assert find("Kette Nummer", BEFORE)[:2] in (["drg/2", "efv/1"], ["efv/1", "drg/2"])


def test_a_build_of_an_earlier_version_without_former_texts_gives_way_to_the_same_with_them(
    tmp_path: Path,
) -> None:
    for day, text in (("2024-01-01", "Die Kette wiegt."), ("2024-07-01", "Frei.")):
        write_law(tmp_path / f"gii-{day}" / "laws", "musterg", 1, {"§ 1": text})
    looks = [tmp_path / "gii-2024-01-01", tmp_path / "gii-2024-07-01"]
    for look in looks:
        build(tmp_path / "data", look, engine=TantivyEngine())
    folder = builds.get_folder(tmp_path / "data", builds.get_live(tmp_path / "data") or "")
    shutil.rmtree(folder / builds.INDEX / "former")
    release = write_again(tmp_path / "data")
    snapshots = [snapshot for look in looks for snapshot in find_snapshots(look)]
    again = build(tmp_path / "data", snapshots, engine=TantivyEngine(), fresh=True)
    assert again.release == release
    assert (folder / builds.INDEX / "former").is_dir()


def test_without_a_day_the_law_of_today_is_searched_and_none_that_is_to_come(
    invented: Path,
) -> None:
    """§ 3 DemoG names § 5a, which is "unberührt", from 2026 on."""
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(invented)}))

    def search(today: date, **given: str) -> dict[str, Any]:
        tools = {tool.name: tool for tool in build_tools(library, lambda: today)}
        asked = {"query": "unberührt", "response_format": "detailed", **given}
        answered = tools["legal_search"].call(asked, CallContext("", ""))
        answer: dict[str, Any] = orjson.loads(answered.structured or b"")
        return answer

    earlier, later = date(2025, 6, 1), date(2026, 6, 1)
    of_earlier, of_later = (search(day) for day in (earlier, later))
    assert "de/demog/3" not in {hit["norm_id"] for hit in of_earlier["hits"]}
    assert "de/demog/3" in {hit["norm_id"] for hit in of_later["hits"]}
    asked = search(later, as_of=earlier.isoformat())
    assert [asked[name] for name in ("hits", "total", "facets")] == [
        of_earlier[name] for name in ("hits", "total", "facets")
    ]
    library.close()
