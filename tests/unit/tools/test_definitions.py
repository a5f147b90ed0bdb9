import os
from pathlib import Path
from typing import Any

import orjson
import pytest
from docs.generate_tools import TARGET, build_empty_registry, render

from fundstelle.tools import build_registry
from fundstelle.tools.spec import Tool
from tests.unit.tools.fakes import TODAY, build_library
from tests.unit.tools.portable import list_faults

MOST_CHARACTERS = 26_700  # of tools/list, which every model pays for that is connected
GOLDEN = Path(__file__).parents[2] / "golden" / "tools_list.json"
REGISTRY = build_empty_registry()
NAMES = [
    "legal_search",
    "legal_lookup",
    "legal_lookup_batch",
    "legal_get_context",
    "legal_find_citing_decisions",
    "legal_list_laws",
    "legal_get_toc",
    "legal_get_stats",
]
INPUTS = {
    "legal_search": (
        "query rephrasings top_k offset corpus_release source_type jurisdiction document_kind "
        "law_abbreviation chapter cited_norm court decision_type language date_from date_to as_of "
        "response_format"
    ),
    "legal_lookup": "citation as_of quote language response_format offset corpus_release max_chars",
    "legal_lookup_batch": "citations text quotes as_of language response_format max_chars",
    "legal_get_context": (
        "norm_id before after include compare_to as_of language response_format offset "
        "corpus_release max_chars"
    ),
    "legal_find_citing_decisions": (
        "cited_norm limit offset corpus_release court decision_type jurisdiction date_from "
        "date_to precision sort response_format"
    ),
    "legal_list_laws": (
        "source_type jurisdiction search changed_since changed_until limit offset "
        "corpus_release response_format"
    ),
    "legal_get_toc": (
        "law_abbreviation source_type as_of compare_to depth parent offset corpus_release "
        "limit response_format"
    ),
    "legal_get_stats": "",
}
each_tool = pytest.mark.parametrize("tool", REGISTRY.tools, ids=lambda tool: tool.name)


def list_definitions() -> list[dict[str, Any]]:
    return [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
            "annotations": tool.annotations,
        }
        for tool in REGISTRY.tools
    ]


def test_there_are_exactly_the_eight_tools_in_the_order_of_the_contract() -> None:
    assert [tool.name for tool in REGISTRY.tools] == NAMES


@each_tool
def test_every_input_of_the_contract_is_there_and_no_other(tool: Tool) -> None:
    assert set(tool.input_schema["properties"]) == set(INPUTS[tool.name].split())


def test_the_definitions_are_those_of_the_golden_file() -> None:
    now = orjson.dumps(list_definitions(), option=orjson.OPT_INDENT_2) + b"\n"
    if os.environ.get("FUNDSTELLE_GOLDEN") == "write":
        GOLDEN.write_bytes(now)

    assert orjson.loads(GOLDEN.read_bytes()) == orjson.loads(now)


@each_tool
def test_every_schema_keeps_to_the_portable_subset(tool: Tool) -> None:
    assert tool.output_schema is not None
    assert list_faults(dict(tool.input_schema), is_input=True) == []
    assert list_faults(dict(tool.output_schema), is_input=False) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "string", "default": None}}},
        {"type": "object", "properties": {"a": {"$ref": "#/x", "description": "A."}}},
        {"type": "object", "properties": {"a": {"type": ["string", "null"], "description": "A."}}},
        {
            "type": "object",
            "properties": {"a": {"type": "string", "enum": ["b"], "description": "A."}},
        },
        {
            "type": "object",
            "properties": {"a": {"type": "string", "format": "date", "description": "A."}},
        },
        {"type": "array"},
    ],
)
def test_a_schema_outside_the_subset_is_noticed(schema: dict[str, Any]) -> None:
    assert list_faults(schema, is_input=False)


@each_tool
def test_a_description_says_when_to_use_it_when_not_and_what_it_costs(tool: Tool) -> None:
    siblings = [name for name in NAMES if name != tool.name and name in tool.description]

    assert len(tool.name) <= 64
    assert "Use it " in tool.description
    assert "Not " in tool.description
    assert siblings
    assert "token" in tool.description
    assert tool.title


@each_tool
def test_every_tool_only_reads(tool: Tool) -> None:
    assert tool.annotations == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_the_whole_list_stays_small() -> None:
    listed = orjson.dumps({"tools": list_definitions()}).decode()

    assert len(listed) <= MOST_CHARACTERS


def test_values_of_filters_that_nothing_is_held_under_are_not_offered() -> None:
    registry = build_registry(build_library(), today=lambda: TODAY, base_url="")
    search = next(tool for tool in registry.tools if tool.name == "legal_search")
    offered = {
        name: each.get("enum")
        for name, each in search.input_schema["properties"].items()
        if name in {"source_type", "jurisdiction", "document_kind", "court", "decision_type"}
    }

    assert offered == {
        "source_type": ["gii"],
        "jurisdiction": ["de"],
        "document_kind": ["statute", "regulation"],
        "court": None,
        "decision_type": None,
    }


def test_the_documentation_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == render(), "run make docs"
