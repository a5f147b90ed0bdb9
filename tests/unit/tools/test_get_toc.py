from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.errors import InvalidArgument
from fundstelle.law.norms import NormKind, NormStatus
from fundstelle.lookup.library import Library
from fundstelle.tools.answers.budgets import ROW, measure
from fundstelle.tools.get_toc import _outline
from tests.unit.corpus.decision_values import DECISION
from tests.unit.lookup import invented
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.tools.calling import call
from tests.unit.tools.fakes import (
    FakeStore,
    below,
    build_heading,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library()
LAW = "de/wzleihg"


def list_ids(**arguments: Any) -> list[str]:
    rows = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG", **arguments)["toc"]
    return [row["norm_id"].removeprefix(f"{LAW}/") for row in rows]


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({}, ["teil-1", "1", "2", "teil-2", "teil-2-kapitel-1", "3", "4"]),
        ({"depth": 1}, ["teil-1", "teil-2"]),
        ({"depth": 2}, ["teil-1", "1", "2", "teil-2", "teil-2-kapitel-1"]),
        ({"parent": "Teil 1"}, ["1", "2"]),
        ({"parent": "de/wzleihg/teil-2"}, ["teil-2-kapitel-1", "3", "4"]),
        ({"parent": "Teil 2 > Kapitel 1"}, ["3", "4"]),
        ({"parent": "pflichten"}, ["3", "4"]),
        ({"parent": "Teil 2", "depth": 1}, ["teil-2-kapitel-1"]),
        ({"limit": 2, "offset": 1}, ["1", "2"]),
        ({"offset": 50}, []),
    ],
)
def test_depth_parent_and_page_choose_the_rows(arguments: dict[str, Any], ids: list[str]) -> None:
    assert list_ids(**arguments) == ids


def test_the_page_of_a_law_names_it() -> None:
    rows = call(LIBRARY, "legal_get_toc", law_abbreviation="/n/de/wzleihg")["toc"]
    assert [row["norm_id"].removeprefix(f"{LAW}/") for row in rows] == list_ids()


def test_rows_say_path_children_and_status() -> None:
    detailed = {"law_abbreviation": "WzLeihG", "response_format": "detailed"}
    rows = call(LIBRARY, "legal_get_toc", **detailed)["toc"]

    assert rows[3] == {
        "norm_id": "de/wzleihg/teil-2",
        "citation": "Teil 2 WzLeihG",
        "title": "Leihe von Werkzeug",
        "level": 1,
        "path": "Teil 2",
        "children_count": 1,
        "status": "in_force",
    }
    assert rows[6]["path"] == "Teil 2 > Kapitel 1 > § 4"
    assert rows[6]["status"] == "repealed"


def test_concise_rows_leave_out_what_order_and_level_say() -> None:
    rows = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG")["toc"]

    assert rows[3] == {
        "norm_id": "de/wzleihg/teil-2",
        "citation": "Teil 2 WzLeihG",
        "title": "Leihe von Werkzeug",
        "level": 1,
    }
    assert [row.get("status") for row in rows] == [None] * 6 + ["repealed"]


@pytest.mark.parametrize("more", [{"depth": 1}, {"depth": 1, "parent": "Teil 2"}])
def test_rows_say_how_much_stands_below_where_it_is_not_shown(more: dict[str, Any]) -> None:
    deep = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG", **more)["toc"]
    detailed = {"response_format": "detailed", **more}
    known = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG", **detailed)["toc"]

    assert [row.get("children_count", 0) for row in deep] == [
        row["children_count"] for row in known
    ]


def test_a_long_title_is_cut_to_the_budget_of_its_row() -> None:
    (law,) = [one for one in LIBRARY.store.statutes.values() if one.abbreviation == "WzLeihG"]
    norm = replace(build_norm(law, "9", "Werkzeuge und ihre Teile " * 20), level=3)

    row = _outline(norm, Counter(), 99, NormStatus.IN_FORCE)

    assert row["title"].startswith("Werkzeuge und ihre Teile")
    assert row["title"].endswith(" …")
    assert ROW - 12 < measure(row) <= ROW


@pytest.mark.parametrize("written", ["WzLeihG", "wzleihg", "de/wzleihg", "§ 3 WzLeihG"])
def test_any_reference_to_the_law_will_do(written: str) -> None:
    answer = call(LIBRARY, "legal_get_toc", law_abbreviation=written)

    assert answer["law"]["norm_id"] == LAW
    assert answer["total"] == 7


def test_an_unknown_law_is_a_miss_and_no_error() -> None:
    answer = call(LIBRARY, "legal_get_toc", law_abbreviation="XyzG")

    assert not answer["found"]
    assert answer["code"] in {"LAW_NOT_FOUND", "INVALID_CITATION"}
    assert "toc" not in answer


def test_a_law_of_another_source_is_a_miss() -> None:
    answer = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG", source_type="eurlex")

    assert (answer["found"], answer["status"]) == (False, "not_in_corpus")


def test_a_day_before_the_archive_is_outside_coverage() -> None:
    answer = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG", as_of="1990-01-01")

    assert (answer["found"], answer["status"]) == (False, "outside_coverage")
    assert answer["evidence"]["archive_floor"] == "2025-03-31"
    assert answer["hint"]["tool"] == "legal_get_toc"


@pytest.mark.parametrize("parent", ["Teil 9", "teil"])
def test_a_parent_that_is_none_or_several_names_the_headings(parent: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG", parent=parent)

    assert refused.value.field == "parent"
    assert "de/wzleihg/teil-1" in refused.value.allowed_values


@pytest.mark.parametrize("written", ["BGH VI ZR 1/21", DECISION.decision_id])
def test_a_decision_is_no_law_and_is_said_to_be_none(written: str) -> None:
    library = replace(LIBRARY, decisions=HeldDecisions())

    answer = call(library, "legal_get_toc", law_abbreviation=written)

    assert (answer["found"], answer["code"]) == (False, "LAW_NOT_FOUND")
    assert answer["reason"] == f"{DECISION.citation} is a decision and no law."
    assert answer["hint"]["arguments"] == {"citation": DECISION.decision_id}


def test_a_row_says_that_its_norm_was_declared_void() -> None:
    library = invented.build_library()
    store = library.store
    assert isinstance(store, invented.InventedStore)
    (held,) = store.fassungen["de/musterg/4"]
    note = "§ 4: Mit GG unvereinbar u. nichtig gem. BVerfGE v. 3.4.2019 I 99 - 1 BvR 1/18 -"
    store.fassungen["de/musterg/4"] = (replace(held, notes=(note,)),)

    rows = call(library, "legal_get_toc", law_abbreviation="MusterG")["toc"]
    statuses = {row["norm_id"]: row.get("status", "in_force") for row in rows}
    assert statuses["de/musterg/4"] == "void"
    assert statuses["de/musterg/1"] == "in_force"
    assert statuses["de/musterg/3"] == "repealed"


def compare(**arguments: Any) -> dict[str, Any]:
    return call(invented.build_library(), "legal_get_toc", law_abbreviation="MusterG", **arguments)


@pytest.mark.parametrize(
    ("as_of", "compare_to"), [("2026-04-29", "2025-03-31"), ("2025-03-31", "2026-04-29")]
)
def test_two_days_show_what_is_other_on_the_later_one(as_of: str, compare_to: str) -> None:
    answer = compare(as_of=as_of, compare_to=compare_to)

    assert (answer["as_of"], answer["compare_to"]) == (as_of, compare_to)
    assert answer["changes"] == {"changed": 1}
    assert answer["toc"] == [
        {
            "norm_id": "de/musterg/8",
            "citation": "§ 8 MusterG",
            "change": "changed",
            "seen": "2026-04-29",
            "title": "Leim",
        }
    ]
    assert answer["hint"] == {
        "tool": "legal_get_context",
        "arguments": {
            "norm_id": "de/musterg/8",
            "compare_to": "2025-03-31",
            "as_of": "2026-04-29",
        },
    }


def test_detailed_changes_say_the_look_before() -> None:
    asked = {"as_of": "2026-04-29", "compare_to": "2025-03-31", "response_format": "detailed"}

    (row,) = compare(**asked)["toc"]

    assert row["not_seen_before"] == "2025-03-31"


def test_a_day_between_two_looks_is_told() -> None:
    (early,) = compare(as_of="2026-04-29", compare_to="2026-01-01")["warnings"]
    late = compare(as_of="2026-01-01", compare_to="2025-03-31")

    assert early.startswith("2026-01-01 lies between two texts")
    assert (late["found"], late["toc"]) == (False, [])
    assert any("1 provisions were different after it" in each for each in late["warnings"])


@pytest.mark.parametrize(
    ("as_of", "compare_to"),
    [("2026-04-29", "2025-03-30"), ("2020-01-01", "2026-04-29"), ("2026-05-01", "2026-08-01")],
)
def test_days_that_nobody_looked_between_are_a_miss(as_of: str, compare_to: str) -> None:
    answer = compare(as_of=as_of, compare_to=compare_to)

    assert (answer["found"], answer["status"]) == (False, "outside_coverage")
    assert answer["as_of"] == as_of
    assert "toc" not in answer


def test_below_a_heading_only_what_changed_there_is_shown() -> None:
    asked = {"as_of": "2026-04-29", "compare_to": "2025-03-31"}

    assert compare(**asked, parent="Teil 1", depth=1)["toc"] == []


def test_a_name_means_the_law_that_had_it_on_the_day_and_an_id_always_its_own() -> None:
    library = invented.build_library()
    store = library.store
    assert isinstance(store, invented.InventedStore)
    old, new = store.statutes["de/altmg"], store.statutes["de/grundmg"]
    made = date(2026, 1, 1)
    store.statutes = {
        **store.statutes,
        "de/altmg": replace(old, abbreviation="XG 1990", abbreviations_juris=("XG", "XG 1990")),
        "de/grundmg": replace(
            new, abbreviation="XG", abbreviations_juris=("XG",), issued_on=made, first_look=made
        ),
    }
    library = replace(library, names=LawNames.build(store.statutes.values()))

    def find(written: str, as_of: str) -> str:
        answer = call(library, "legal_get_toc", law_abbreviation=written, as_of=as_of)
        return str(answer["law"]["norm_id"])

    assert find("XG", "2025-12-31") == "de/altmg"
    assert find("XG", "2026-01-01") == "de/grundmg"
    assert find("de/altmg", "2026-01-01") == "de/altmg"


def test_the_hint_leads_on_for_the_day_that_was_asked_for() -> None:
    day = LIBRARY.store.manifest.stand.isoformat()
    asked = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG", as_of=day)
    assert asked["hint"]["arguments"]["as_of"] == day
    assert (
        "as_of"
        not in call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG")["hint"]["arguments"]
    )


def _build_fronted() -> Library:
    """A law with remarks before its first heading, one with recitals, and those of the others."""
    fronted, act = build_statute("BeilG", "Beilgesetz"), build_statute("AxtVO", "Axtverordnung")
    front = replace(build_norm(fronted, "vorspann"), kind=NormKind.OTHER)
    empty = build_heading(fronted, "Teil 1", "(weggefallen)", 1, None)
    part = build_heading(fronted, "Teil 2", "Beile", 1, None)
    recitals = [
        replace(build_norm(act, f"recital_{n}"), kind=NormKind.RECITAL) for n in range(1, 5)
    ]
    contents = [
        (front, "Hinweise."),
        (empty, ""),
        (part, ""),
        (below(part, build_norm(fronted, "1", "Beil")), "Ein Beil ist eine Axt."),
        *((recital, "Äxte sind selten.") for recital in recitals),
        (build_norm(act, "1", "Axt"), "Eine Axt ist groß."),
    ]
    store = FakeStore([fronted, act], contents, [], demonstration=False)
    return replace(LIBRARY, store=store, names=LawNames.build(store.statutes.values()))


@pytest.mark.parametrize("library", [LIBRARY, _build_fronted()])
@pytest.mark.parametrize(
    "more", [{}, {"as_of": "2025-05-01"}, {"depth": 1}, {"limit": 1}, {"limit": 2, "offset": 1}]
)
def test_the_hint_of_a_page_can_be_followed_to_a_text(
    library: Library, more: dict[str, Any]
) -> None:
    """From the contents down to a provision, on the same day."""
    for law in library.store.statutes:
        answer = call(library, "legal_get_toc", law_abbreviation=law, **more)
        shown = {row["norm_id"] for row in answer["toc"]}
        is_empty = not answer["found"]  # a page behind the last row
        while answer["found"] and "norm" not in answer:
            step = answer["hint"]
            given = step["arguments"]
            assert given.get("as_of") == more.get("as_of")
            assert given.get("parent", given.get("citation")) in shown
            answer = call(library, step["tool"], **given)
            shown = {row["norm_id"] for row in answer.get("toc", ())}
        assert answer["found"] or is_empty


@pytest.mark.parametrize(
    ("version", "day"),
    [
        *(
            (" 2025", "2025-06-01"),
            (" 1998", "2025-06-01"),
            (" in der am 1.4.2025 geltenden Fassung", "2025-04-01"),
        ),
        *((" (2024)", None), (" a. F.", None), (" 1990", None)),
    ],
)
def test_a_version_behind_the_name_is_that_of_a_lookup(version: str, day: str | None) -> None:
    written = f"WzLeihG{version}"
    shown = call(LIBRARY, "legal_get_toc", law_abbreviation=written)
    law = call(LIBRARY, "legal_lookup", citation=written)

    assert shown["found"] is law["found"] is (day is not None)
    assert shown.get("status") == law.get("status")
    if day is not None:
        assert shown["as_of"] == law["as_of"] == day
    is_edition = "is the edition of that year"
    assert any(is_edition in each for each in shown["warnings"]) is (version == " 1998")


def test_a_filter_by_a_law_of_a_day_says_that_texts_are_of_another() -> None:
    named = "WzLeihG in der am 1.4.2025 geltenden Fassung"
    (said, *_) = call(LIBRARY, "legal_search", query="Leihe", law_abbreviation=named)["warnings"]
    assert "is the law of 2025-04-01" in said
    asked = {"query": "Leihe", "law_abbreviation": named, "as_of": "2025-04-01"}
    warnings = call(LIBRARY, "legal_search", **asked)["warnings"]
    assert not any("is the law of" in each for each in warnings)
