"""The package's own model in the search: on without a setting, off with one."""

from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SEMANTIC, SearchIndex, SearchRequest
from fundstelle.search.ranking.priors import write_priors
from tests.integration.search.test_search_index import BLANK
from tests.integration.search.test_search_meaning import DOCUMENTS, TableEmbedder, write_vectors

SUBJECTS = {
    "Kündigung des Mietverhältnisses": "Der Vermieter kann kündigen, wenn der Mieter nicht zahlt.",
    "Unterhalt": "Verwandte in gerader Linie sind verpflichtet, einander Unterhalt zu gewähren.",
    "Diebstahl": "Wer eine fremde bewegliche Sache wegnimmt, wird mit Freiheitsstrafe bestraft.",
    "Einkommensteuer": "Der Steuerpflichtige hat eine Steuererklärung bei dem Finanzamt abzugeben.",
    "Patent": "Die Erfindung ist neu, wenn sie nicht zum Stand der Technik gehört.",
}
COUNT = 200


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Laws of five subjects."""
    folder = tmp_path_factory.mktemp("student") / "index"
    folder.mkdir()
    subjects = list(SUBJECTS.items())
    documents = [
        replace(
            BLANK,
            ordinal=place,
            norm_id=f"de/g{place % 5}/{place:04}",
            heading=subjects[place % 5][0],
            law=f"Gesetz {place % 5}",
            text=f"{subjects[place % 5][1]} Das gilt auch im Fall {place}.",
            statute_id=f"de/g{place % 5}",
        )
        for place in range(COUNT)
    ]
    unicorn = replace(
        BLANK,
        ordinal=COUNT,
        norm_id=f"de/g5/{COUNT:04}",
        heading="Einhorn",
        law="Gesetz 5",
        text="Das Einhorn wird gemeldet.",
        statute_id="de/g5",
    )
    documents.append(unicorn)
    engine = TantivyEngine()
    engine.build(documents, folder)
    write_priors(array("f", [1.0] * len(documents)), folder)
    engine.learn([], folder)
    return folder


@pytest.fixture
def index(folder: Path) -> Iterator[SearchIndex]:
    opened = TantivyEngine().open(folder)
    yield opened
    opened.close()


def subjects(index: SearchIndex, query: str, **filters: list[str]) -> list[str]:
    """The subjects of what is found by meaning alone, in their order."""
    found = index.search(SearchRequest(query, limit=COUNT, filters=filters)).hits
    names = list(SUBJECTS)
    return [names[hit.ordinal % 5] for hit in found if hit.match == SEMANTIC]


@pytest.mark.parametrize(("asked", "meant"), [("klauen", "Diebstahl"), ("Alimente", "Unterhalt")])
def test_norms_are_found_that_hold_no_word_of_the_question(
    index: SearchIndex, asked: str, meant: str
) -> None:
    """A question of which no word stands anywhere finds nothing, so one word is the unicorn's."""
    assert set(subjects(index, f"Einhorn {asked}")) == {meant}


def test_what_is_not_near_is_not_found_however_few_texts_there_are(index: SearchIndex) -> None:
    everything = index.search(SearchRequest("Erfindung", limit=COUNT))
    assert {list(SUBJECTS)[hit.ordinal % 5] for hit in everything.hits} == {"Patent"}


def test_filters_hold_for_what_is_near(index: SearchIndex) -> None:
    found = index.search(
        SearchRequest("Wohnung Mieter", limit=COUNT, filters={"statute_id": ["de/g4"]})
    )
    assert {hit.ordinal % 5 for hit in found.hits} <= {4}


def test_what_filters_leave_is_not_near_for_being_all_that_is_left(index: SearchIndex) -> None:
    laws = {"statute_id": ["de/g0", "de/g5"]}  # tenancy, and the unicorn
    found = index.search(SearchRequest("Einhorn Erfindung", limit=COUNT, filters=laws))
    assert [hit.ordinal for hit in found.hits] == [COUNT]


def test_it_is_off_where_meaning_is_not_wanted(folder: Path) -> None:
    plain = TantivyEngine().open(folder, meaning=False)
    assert SEMANTIC not in plain.search(SearchRequest("Wohnung Räumung")).stages
    assert subjects(plain, "Mieter Wohnung Räumung") == []
    plain.close()


def test_a_request_can_leave_it_out(index: SearchIndex) -> None:
    request = SearchRequest("Mieter", without=frozenset({SEMANTIC}))
    assert SEMANTIC not in index.search(request).stages


def test_it_serves_until_another_model_has_its_vectors(folder: Path, tmp_path: Path) -> None:
    linked = tmp_path / "index"
    linked.mkdir()
    for path in folder.iterdir():
        (linked / path.name).symlink_to(path)
    model = TableEmbedder()
    opened = TantivyEngine().open(linked, model)
    assert SEMANTIC in opened.search(SearchRequest("Mieter")).stages
    assert model.asked == []  # there was nothing to compare its answer with
    write_vectors(linked, range(len(DOCUMENTS))[:COUNT])
    assert SEMANTIC in opened.search(SearchRequest("Mieter Frist")).stages
    assert model.asked == ["Mieter Frist"]
    opened.close()


def test_a_build_without_its_vectors_is_searched_by_words(folder: Path, tmp_path: Path) -> None:
    linked = tmp_path / "index"
    linked.mkdir()
    for path in folder.iterdir():
        if path.name != "passages":
            (linked / path.name).symlink_to(path)
    opened = TantivyEngine().open(linked)
    found = opened.search(SearchRequest("Mieter"))
    assert SEMANTIC not in found.stages
    assert found.hits
    opened.close()
