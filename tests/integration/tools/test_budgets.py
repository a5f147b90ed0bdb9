"""The characters that concise answers spend beside the law's words, on real law."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import orjson
import pytest
from benches.cost.sizes import measure, measure_unit

from fundstelle.bootstrap.library import open_library
from fundstelle.law.norms import NormKind, NormStatus
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext, Tool

pytestmark = pytest.mark.corpus

BASE_URL = "https://fundstelle.kanzlei-muster.example"
TODAY = date(2026, 5, 2)
EVERY_LAW = 40  # one law in so many
Ask = Callable[..., dict[str, Any]]
QUESTIONS = ("Verzug des Schuldners", "Kündigungsfrist", "Akteneinsicht", "Mindestlohn", "Widerruf")


def list_tools(library: Library) -> Sequence[Tool]:
    return build_registry(library, today=lambda: TODAY, base_url=BASE_URL).tools


def ask_of(library: Library) -> Ask:
    tools = {tool.name: tool for tool in list_tools(library)}

    def ask(name: str, **arguments: Any) -> dict[str, Any]:
        called = tools[name].call(arguments, CallContext("", ""))
        answer: dict[str, Any] = orjson.loads(called.structured or b"{}")
        return answer

    return ask


def list_units(library: Library) -> Iterator[str]:
    """Provisions in force of drawn laws, and the last part of each."""
    for statute_id in list(library.store.statutes)[::3]:
        law = library.store.statutes[statute_id].abbreviation
        for norm in library.store.list_norms(statute_id)[::9]:
            fassung = library.store.find_fassung(norm.norm_id)
            if norm.status is not NormStatus.IN_FORCE or fassung is None:
                continue
            yield norm.norm_id
            if fassung.segments and norm.kind is NormKind.SECTION:
                path = format_steps(get_steps(fassung.segments, len(fassung.segments) - 1))
                yield insert_path(norm.citation, path, law)


def keep_within(rows: Sequence[Mapping[str, Any]], most: int, above: float) -> None:
    """All rows keep the budget, but for so small a part: names alone may be as long as that."""
    over = [row for row in rows if measure(row) > most]
    assert rows
    assert len(over) <= above * len(rows), over[:3]


def test_the_list_of_tools_keeps_its_budget(whole: Library) -> None:
    listed = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
            "annotations": tool.annotations,
        }
        for tool in list_tools(whole)
    ]
    assert measure({"tools": listed}) <= 26_000


def test_a_unit_spends_at_most_700_characters_beside_its_words(whole: Library) -> None:
    ask = ask_of(whole)
    answers = [ask("legal_lookup", citation=unit) for unit in list_units(whole)]
    sizes = [measure_unit(answer["norm"]) for answer in answers if "norm" in answer]
    assert len(sizes) > 4_000
    # Above it are names alone: annexes of treaties, or a law and its parts named at length.
    assert sum(size > 700 for size in sizes) <= len(sizes) / 1_000
    assert max(sizes) <= 750


def test_a_row_of_contents_keeps_110_characters_and_the_bgb_eight_calls(whole: Library) -> None:
    ask = ask_of(whole)
    rows = [
        row
        for statute_id in list(whole.store.statutes)[::EVERY_LAW]
        for row in ask("legal_get_toc", law_abbreviation=statute_id, limit=500).get("toc", ())
    ]
    keep_within(rows, 110, 0.06)
    offset, calls = 0, 0
    listed: list[str] = []
    while True:
        page = ask("legal_get_toc", law_abbreviation="BGB", limit=500, offset=offset)
        calls += 1
        assert len(orjson.dumps(page)) <= 40_000
        keep_within(page["toc"], 110, 0.05)
        listed += [row["norm_id"] for row in page["toc"]]
        if not page["has_more"]:
            break
        offset = page["next_offset"]
    assert listed == [norm.norm_id for norm in whole.store.list_norms("de/bgb")]
    assert calls <= 8


def test_hits_and_citing_decisions_keep_their_budgets(every_source: Any) -> None:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    ask = ask_of(library)
    hits = [
        hit
        for query in QUESTIONS
        for kind in ("statute", "regulation", "decision")
        for hit in ask("legal_search", query=query, document_kind=kind, top_k=20)["hits"]
    ]
    keep_within(hits, 450, 0.02)  # one decision has forty Aktenzeichen
    assert all(len(hit["snippet"]) <= 300 for hit in hits)
    rows = [
        row
        for norm in ("§ 823 BGB", "§ 242 BGB", "§ 80 VwGO", "§ 124a VwGO", "Art. 3 GG", "IFG")
        for row in ask("legal_find_citing_decisions", cited_norm=norm, limit=50)["decisions"]
    ]
    assert len(rows) > 50
    keep_within(rows, 700, 0.0)
    assert all(row["matched_citation"][:5] in row["snippet"] for row in rows)
    library.close()
