"""What every client does: list all, call each tool, read each resource, get each prompt.

The questions are made from what the server holds, so that they fit any corpus.
"""

import json
import urllib.request
from dataclasses import dataclass
from typing import Any

TOOLS = (
    "legal_search",
    "legal_lookup",
    "legal_lookup_batch",
    "legal_get_context",
    "legal_find_citing_decisions",
    "legal_list_laws",
    "legal_get_toc",
    "legal_get_stats",
)
FIXED_RESOURCES = ("legal://rechtsrahmen", "legal://filter_values", "legal://eu_celex_registry")
TEMPLATES = (
    "legal://norm/{+norm_id}",
    "legal://law/{source_type}/{abbreviation}",
    "legal://eu/celex/{celex}",
)
PROMPTS = ("legal_research", "citation_resolve", "compare_de_eu")
# Not held by a corpus of federal law alone: the answer is an error that clients must understand.
ABSENT_RESOURCE = "legal://eu/celex/39999R9999"


@dataclass(frozen=True, slots=True)
class Plan:
    """Arguments for each tool and prompt, and the resources that must be readable."""

    citation: str
    norm_id: str
    calls: dict[str, dict[str, Any]]
    resources: tuple[str, ...]
    prompts: dict[str, dict[str, str]]

    def as_json(self) -> str:
        return json.dumps(
            {
                "calls": self.calls,
                "resources": self.resources,
                "absent_resource": ABSENT_RESOURCE,
                "prompts": self.prompts,
            },
            ensure_ascii=False,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a client saw, in one form for all clients."""

    tools: list[str]
    calls: dict[str, dict[str, Any]]  # tool → structuredContent
    texts: dict[str, str]  # tool → first text block
    resources: list[str]
    templates: list[str]
    contents: dict[str, str]  # URI → text
    absent_is_error: bool
    prompts: list[str]
    messages: dict[str, list[str]]  # prompt → texts of its messages


def make_plan(url: str, key: str) -> Plan:
    """Find a law and one of its sections, and build everything from them."""
    laws = _call(url, key, "legal_list_laws", {"limit": 1})["laws"]
    law = laws[0]["abbreviation"]
    rows = _call(url, key, "legal_get_toc", {"law_abbreviation": law})["toc"]
    row = next(row for row in rows if row.get("citation", "").startswith(("§", "Art")))
    citation, norm_id = row["citation"], row["norm_id"]
    source_type = laws[0]["source_type"]
    return Plan(
        citation=citation,
        norm_id=norm_id,
        calls={
            "legal_search": {"query": citation},
            "legal_lookup": {"citation": citation},
            "legal_lookup_batch": {"citations": [citation, f"§ 99999 {law}"]},
            "legal_get_context": {"norm_id": norm_id},
            "legal_find_citing_decisions": {"cited_norm": citation},
            "legal_list_laws": {},
            "legal_get_toc": {"law_abbreviation": law},
            "legal_get_stats": {},
        },
        resources=(
            *FIXED_RESOURCES,
            f"legal://norm/{norm_id}",
            f"legal://law/{source_type}/{law}",
        ),
        prompts={
            "legal_research": {"question": "Wann verjährt ein Anspruch?"},
            "citation_resolve": {"citation": citation},
            "compare_de_eu": {"topic": "Widerruf"},
        },
    )


def _call(url: str, key: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    request = urllib.request.Request(
        url,
        data=json.dumps(message).encode(),
        headers={
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        structured: dict[str, Any] = json.load(response)["result"]["structuredContent"]
    return structured


def check(outcome: Outcome, plan: Plan) -> None:
    """The same for every client, whatever it speaks."""
    assert tuple(outcome.tools) == TOOLS
    assert set(outcome.calls) == set(TOOLS)
    for tool, structured in outcome.calls.items():
        assert json.loads(outcome.texts[tool]) == structured
    assert outcome.calls["legal_lookup"]["norm"]["norm_id"] == plan.norm_id
    assert outcome.calls["legal_search"]["hits"][0]["norm_id"] == plan.norm_id
    found = [result["found"] for result in outcome.calls["legal_lookup_batch"]["results"]]
    assert found == [True, False]
    assert outcome.calls["legal_get_stats"]["stats"]["law_count"] >= 1

    assert set(outcome.resources) == set(FIXED_RESOURCES)
    assert set(outcome.templates) == set(TEMPLATES)
    assert set(outcome.contents) == set(plan.resources)
    norm = json.loads(outcome.contents[f"legal://norm/{plan.norm_id}"])
    assert norm["norm"]["norm_id"] == plan.norm_id
    assert outcome.absent_is_error

    assert set(outcome.prompts) == set(PROMPTS)
    assert set(outcome.messages) == set(PROMPTS)
    assert all(text for texts in outcome.messages.values() for text in texts)
    assert plan.citation in "".join(outcome.messages["citation_resolve"])
