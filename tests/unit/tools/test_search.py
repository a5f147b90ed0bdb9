from dataclasses import replace
from typing import Any

import pytest

from fundstelle.corpus.store import Reference
from fundstelle.errors import InvalidArgument, InvalidFilter
from fundstelle.law.norms import NormKind
from fundstelle.tools.inputs import scope
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import InventedStore
from tests.unit.lookup.invented import build_library as build_invented
from tests.unit.tools.calling import CONTEXT, call, find_tool
from tests.unit.tools.fakes import build_library

LIBRARY = build_library()


def search(**arguments: Any) -> dict[str, Any]:
    return call(LIBRARY, "legal_search", **arguments)


def list_ids(**arguments: Any) -> list[str]:
    return [hit["norm_id"] for hit in search(**arguments)["hits"]]


def test_a_hit_names_norm_law_place_and_source() -> None:
    (hit,) = search(query="Begriffe", response_format="detailed")["hits"]

    assert hit == {
        "norm_id": "de/wzleihg/1",
        "citation": "§ 1 WzLeihG",
        "title": "Begriffe",
        "snippet": hit["snippet"],
        "law": {"abbreviation": "WzLeihG", "title": "Werkzeugleihgesetz"},
        "hierarchy": "Teil 1 Allgemeines",
        "source_type": "gii",
        "document_kind": "statute",
        "score": 1.0,
        "match": "lexical",
        "version_date": "2025-03-31",
        "source_url": "https://www.gesetze-im-internet.de/wzleihg/__1.html",
    }
    assert "Werkzeug" in hit["snippet"]


def test_a_concise_hit_leaves_out_what_its_citation_says() -> None:
    (hit,) = search(query="Begriffe")["hits"]

    assert hit == {
        "norm_id": "de/wzleihg/1",
        "citation": "§ 1 WzLeihG",
        "title": "Begriffe",
        "snippet": hit["snippet"],
        "source_url": "https://www.gesetze-im-internet.de/wzleihg/__1.html",
    }


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({"query": "hammer"}, ["de/wzleihg/2", "de/wzleihg/3"]),
        ({"query": "hammer", "top_k": 1}, ["de/wzleihg/2"]),
        ({"query": "hammer", "offset": 1}, ["de/wzleihg/3"]),
        ({"query": "hammer", "offset": 9}, []),
        (
            {"query": "hammer", "rephrasings": ["Probehonig", " "]},
            ["de/wzleihg/2", "de/honigv-99/1", "de/wzleihg/3"],
        ),
        ({"query": "hammer", "law_abbreviation": "WzLeihG"}, ["de/wzleihg/2", "de/wzleihg/3"]),
        ({"query": "hammer", "law_abbreviation": "HonigV 99"}, []),
        ({"query": "hammer", "document_kind": "regulation"}, []),
        ({"query": "honig", "document_kind": "regulation"}, ["de/honigv-99/1"]),
        ({"query": "hammer", "chapter": "allgemein"}, ["de/wzleihg/2"]),
        ({"query": "hammer", "chapter": "Leihe von"}, ["de/wzleihg/3"]),
        ({"query": "hammer", "cited_norm": "§ 2 WzLeihG"}, ["de/wzleihg/3"]),
    ],
)
def test_words_pages_and_filters_choose_the_hits(arguments: dict[str, Any], ids: list[str]) -> None:
    assert list_ids(**arguments) == ids


@pytest.mark.parametrize(
    ("filters", "reason"),
    [
        ({"court": "BGH"}, "No court decisions"),
        ({"decision_type": "urteil"}, "No court decisions"),
        ({"source_type": "eurlex"}, "source_type eurlex"),
        ({"jurisdiction": "de_by"}, "jurisdiction de_by"),
        ({"chapter": "Zahnräder"}, "No heading"),
        ({"cited_norm": "§ 1 WzLeihG"}, "cites"),
        ({"as_of": "1990-01-01"}, "archive_floor"),
    ],
)
def test_a_known_value_without_documents_is_empty_and_says_why(
    filters: dict[str, Any], reason: str
) -> None:
    answer = search(query="hammer", **filters)

    assert (answer["found"], answer["total"], answer["hits"]) == (False, 0, [])
    assert any(reason in warning for warning in answer["warnings"])


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ({"court": "Amtsgericht Nirgendwo"}, "court"),
        ({"source_type": "gesetze"}, "source_type"),
        ({"law_abbreviation": "XyzG"}, "law_abbreviation"),
        ({"cited_norm": "§ 99 WzLeihG"}, "cited_norm"),
    ],
)
def test_an_unknown_filter_value_is_refused(filters: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidFilter) as refused:
        search(query="hammer", **filters)

    assert refused.value.field == field


@pytest.mark.parametrize("cited", ["§§ 4 und 1 MusterG", "§§ 1, 4 MusterG", "§§ 1 bis 4 MusterG"])
def test_what_cites_any_of_several_cited_norms_is_found(cited: str) -> None:
    answer = call(build_invented(), "legal_search", query="Werkzeug", cited_norm=cited)

    assert not any("Nothing in the corpus" in warning for warning in answer["warnings"])
    assert not any("cited_norm" in warning for warning in answer["warnings"])


def test_one_of_several_cited_norms_that_is_not_there_is_said() -> None:
    arguments = {"query": "Werkzeug", "cited_norm": "§§ 1 und 99 MusterG"}
    answer = call(build_invented(), "legal_search", **arguments)

    assert any("cited_norm" in said and "99" in said for said in answer["warnings"])
    assert not any("Nothing in the corpus" in said for said in answer["warnings"])


def test_of_very_many_cited_norms_the_first_are_used_and_that_is_said() -> None:
    arguments = {"query": "Werkzeug", "cited_norm": "§§ 201 bis 225 MusterG"}
    answer = call(build_invented(many=25), "legal_search", **arguments)

    assert any("only the first 20 were used" in warning for warning in answer["warnings"])


def test_the_references_to_all_that_is_cited_are_bounded_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scope, "_MOST_CITING", 1)
    library = build_invented()
    store = library.store
    assert isinstance(store, InventedStore)
    store.references = [*store.references, Reference("de/musterg/8", "de/musterg/4", "", "§", 0, 1)]
    arguments = {"query": "Werkzeug", "cited_norm": "§§ 1 und 4 MusterG"}
    answer = call(library, "legal_search", **arguments)

    assert any("only the first 1 of 2 references" in warning for warning in answer["warnings"])


@pytest.mark.parametrize(
    ("cited", "is_said"),
    [("§ 1 Satz 2 MusterG", True), ("§ 2 Abs. 1 Alt. 9 MusterG", True), ("§ 1 MusterG", False)],
)
def test_the_part_of_a_cited_norm_that_is_not_minded_is_said(cited: str, is_said: bool) -> None:
    answer = call(build_invented(), "legal_search", query="Werkzeug", cited_norm=cited)

    part = [said for said in answer["warnings"] if "the part was not taken into account" in said]
    assert len(part) == is_said


def test_days_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(InvalidArgument):
        search(query="hammer", date_from="2025-01-02", date_to="2025-01-01")


def test_a_cited_norm_comes_first_and_only_once() -> None:
    answer = search(query="hammer § 3 WzLeihG", response_format="detailed")

    assert [hit["norm_id"] for hit in answer["hits"]] == ["de/wzleihg/3", "de/wzleihg/2"]
    assert [hit["match"] for hit in answer["hits"]] == ["citation", "lexical"]
    assert answer["total"] == 2
    scores = [hit["score"] for hit in answer["hits"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("§ 3 WzLeihG, § 1 WzLeihG hammer", ["3", "1", "2"]),
        ("§§ 2, 1 WzLeihG hammer", ["2", "1", "3"]),
        ("§ 3 i.V.m. § 1 WzLeihG", ["3", "1"]),
        ("§ 3 WzLeihG, " * 7 + "§ 1 WzLeihG", ["3", "1"]),
    ],
)
def test_all_that_is_cited_comes_first_in_the_order_of_the_query(
    query: str, ids: list[str]
) -> None:
    found = list_ids(query=query)

    assert found[: len(ids)] == [f"de/wzleihg/{number}" for number in ids]


def test_pages_behind_a_cited_norm_join_without_gap() -> None:
    query = "hammer werkzeug § 1 WzLeihG"
    whole = list_ids(query=query, top_k=9)

    assert whole[0] == "de/wzleihg/1"
    assert [list_ids(query=query, top_k=1, offset=at)[0] for at in range(len(whole))] == whole


def test_a_cited_norm_outside_the_filters_is_not_put_first() -> None:
    assert list_ids(query="hammer § 3 WzLeihG", chapter="Allgemeines") == ["de/wzleihg/2"]
    assert list_ids(query="honig § 3 WzLeihG", law_abbreviation="HonigV 99") == ["de/honigv-99/1"]


def test_of_very_many_headings_the_first_are_used_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert list_ids(query="hammer", chapter="e") == ["de/wzleihg/2", "de/wzleihg/3"]
    monkeypatch.setattr(scope, "_MOST_HEADINGS", 1)
    answer = search(query="hammer", chapter="e")
    assert [hit["norm_id"] for hit in answer["hits"]] == ["de/wzleihg/2"]
    assert any("only the first 1 were used" in warning for warning in answer["warnings"])


def test_headings_are_those_of_the_law_that_is_named_before_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = len(LIBRARY.store.list_norms("de/wzleihg", NormKind.HEADING))
    every = len(LIBRARY.store.find_headings("e"))
    monkeypatch.setattr(scope, "_MOST_HEADINGS", max(held, every) - 1)
    monkeypatch.setattr(LIBRARY.store, "list_norms", lambda *_: [])
    assert list_ids(query="hammer", chapter="e", law_abbreviation="WzLeihG") == []


def test_a_citation_that_leads_to_nothing_is_said() -> None:
    answer = search(query="hammer § 77 WzLeihG")

    assert "de/wzleihg/2" in [hit["norm_id"] for hit in answer["hits"]]
    assert any("§ 77 WzLeihG" in warning for warning in answer["warnings"])


def test_facets_come_in_detailed_answers_only() -> None:
    assert "facets" not in search(query="hammer")
    assert search(query="hammer", response_format="detailed")["facets"] == {
        "source_type": {"gii": 2},
        "court": {},
        "year": {},
    }


def test_what_is_cited_is_sure_and_the_hint_looks_it_up() -> None:
    answer = search(query="hammer § 2 WzLeihG")

    assert answer["confidence"] == "high"
    assert "next_step" not in answer
    assert answer["hint"] == {
        "tool": "legal_lookup",
        "arguments": {"citation": "de/wzleihg/2"},
    }


@pytest.mark.parametrize(
    ("arguments", "confidence", "said"),
    [
        ({"query": "hammer"}, "medium", None),  # no model says by how much it is in front
        ({"query": "hammer", "top_k": 1}, "medium", None),
        ({"query": "Hammer Zahn Amboss Zange Feile"}, "low", "rephrasings"),
        ({"query": "Zahnrad"}, "low", "rephrasings"),
        ({"query": "hammer § 77 WzLeihG"}, "low", "legal_lookup says why"),
        ({"query": "§ 2 Abs. 9 WzLeihG"}, "low", "legal_lookup says why"),
        ({"query": "hammer", "offset": 1}, "low", "behind better ones"),
        ({"query": "Hundesteuer für den Hammer"}, "low", "name what is missing"),
    ],
)
def test_what_is_not_sure_has_no_hint_and_low_says_what_to_do_instead(
    arguments: dict[str, Any], confidence: str, said: str | None
) -> None:
    answer = search(**arguments)

    assert answer["confidence"] == confidence
    assert "hint" not in answer
    assert (said or "") in answer.get("next_step", "")
    assert ("next_step" in answer) == (confidence == "low")


def test_a_question_that_is_left_to_others_is_told_whose_it_is() -> None:
    (said, *_) = search(query="Höhe der Hundesteuer")["warnings"]
    assert said.startswith("Hundesteuer is a matter of the statutes of towns")
    assert "nothing of that is held here" in said
    for query in ("VOB/B § 1 WzLeihG", "Hund", "Steuer"):
        assert not any("is a matter" in one for one in search(query=query)["warnings"])
    asked = {"query": "Hundesteuer hammer", "law_abbreviation": "WzLeihG"}
    assert not any("is a matter" in one for one in search(**asked)["warnings"])


def test_hits_are_linked_as_resources() -> None:
    result = find_tool(LIBRARY, "legal_search").call({"query": "hammer"}, CONTEXT)

    assert [block["uri"] for block in result.blocks] == [
        "legal://norm/de/wzleihg/2",
        "legal://norm/de/wzleihg/3",
    ]


def test_english_is_answered_with_german_texts_and_says_so() -> None:
    answer = search(query="hammer", language="en")

    assert answer["found"]
    assert any("No English texts" in warning for warning in answer["warnings"])


def test_the_same_question_gives_the_same_bytes() -> None:
    tool = find_tool(LIBRARY, "legal_search")
    first, second = (tool.call({"query": "hammer"}, CONTEXT).structured for _ in range(2))

    assert first == second


def test_a_hit_in_a_law_that_has_left_the_contents_says_so() -> None:
    (hit,) = search(query="Amboss")["hits"]

    assert hit["status"] == "removed"


def test_a_bare_section_is_one_of_the_law_filtered_for() -> None:
    (first, *_) = search(query="§ 3", law_abbreviation="WzLeihG")["hits"]

    assert (first["norm_id"], first["match"]) == ("de/wzleihg/3", "citation")


def test_the_name_of_a_law_alone_hints_at_its_contents() -> None:
    assert search(query="Werkzeugleihgesetz")["hint"] == {
        "tool": "legal_get_toc",
        "arguments": {"law_abbreviation": "WzLeihG", "depth": 2},
    }


def test_letters_that_stand_for_many_are_read_up_to_a_limit_and_that_is_said() -> None:
    long = search(query="hammer " + "\ufdfa" * 900)  # each is 18 letters and blanks
    assert [hit["norm_id"] for hit in long["hits"]] == ["de/wzleihg/2", "de/wzleihg/3"]
    assert any("first 2,000 characters" in warning for warning in long["warnings"])
    assert not any("characters" in warning for warning in search(query="hammer")["warnings"])


def test_a_decision_is_no_value_of_the_filter_for_laws() -> None:
    library = replace(LIBRARY, decisions=HeldDecisions())

    with pytest.raises(InvalidFilter):
        call(library, "legal_search", query="hammer", law_abbreviation="BGH VI ZR 1/21")
