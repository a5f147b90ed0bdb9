"""Characters that answers spend beside the law's words, and the processor time of their calls.

python -m benches.cost.sizes

Asks the build in FUNDSTELLE_DATA. Budgets are those of the contract: characters of JSON of one
looked-up unit without the words of the law, of one search hit with its snippet, of one row of a
table of contents with its title, of one citing decision with its sentence, and of the list of
tools. A call is timed by what it costs this process.
"""

import os
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import orjson

from benches.results import write_results
from fundstelle.bootstrap.library import open_library
from fundstelle.law.norms import Level, Norm, NormKind, NormStatus
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, get_steps
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext, Tool

SEED = 2026
UNITS, QUESTIONS, LAWS, CITED = 600, 200, 60, 40
BASE_URL = "https://fundstelle.example.org"
WORDS = frozenset(
    {"content", "title", "lead_in", "lead_out", "segments", "footnotes", "notes", "validity_notes"}
)
BUDGETS = {"unit": 700, "hit": 450, "row": 110, "citing": 700, "list": 26_000}
CONTEXT = CallContext("bench", "bench")


class Caller:
    """Calls the tools as a client does, and takes the time of each."""

    def __init__(self, library: Library, on: date) -> None:
        registry = build_registry(library, today=lambda: on, base_url=BASE_URL)
        self.tools: dict[str, Tool] = {tool.name: tool for tool in registry.tools}
        self.times: dict[str, list[float]] = {}

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The answer."""
        begin = time.process_time()
        called = self.tools[name].call(arguments, CONTEXT)
        self.times.setdefault(name, []).append((time.process_time() - begin) * 1e3)
        answer: dict[str, Any] = orjson.loads(called.structured or b"{}")
        return answer


def measure(value: object) -> int:
    """Characters of JSON."""
    return len(orjson.dumps(value).decode())


def measure_unit(norm: Mapping[str, Any]) -> int:
    """Of a unit without the words of the law, and of its publisher on whether it applies."""
    return measure({name: value for name, value in norm.items() if name not in WORDS})


def draw_norms(library: Library, rng: random.Random) -> list[Norm]:
    """Provisions in force of every source, one law in ten."""
    statutes = [one for one in library.store.statutes.values() if one.listed]
    norms = [
        norm
        for statute in rng.sample(statutes, max(1, len(statutes) // 10))
        for norm in library.store.list_norms(statute.statute_id)
        if norm.kind is not NormKind.HEADING and norm.status is NormStatus.IN_FORCE
    ]
    return rng.sample(norms, min(UNITS, len(norms)))


def iter_units(library: Library, norms: Sequence[Norm]) -> Iterator[str]:
    """Their citations, of every second one with its last Absatz."""
    for at, norm in enumerate(norms):
        fassung = library.store.find_fassung(norm.norm_id)
        parts = fassung.segments if fassung else ()
        inner = [i for i, one in enumerate(parts) if one.level is Level.ABSATZ]
        if at % 2 and inner and norm.kind is NormKind.SECTION:
            law = library.store.statutes[norm.statute_id].abbreviation
            yield f"{norm.label} {format_steps(get_steps(parts, inner[-1]))} {law}"
        else:
            yield norm.norm_id


def collect(caller: Caller, library: Library, rng: random.Random) -> dict[str, list[int]]:
    """The characters of every unit, hit, row and citing decision of drawn calls."""
    norms = draw_norms(library, rng)
    sizes: dict[str, list[int]] = {"unit": [], "answer": [], "hit": [], "row": [], "citing": []}
    for citation in iter_units(library, norms):
        answer = caller.call("legal_lookup", citation=citation)
        if answer["found"] and "norm" in answer:
            sizes["unit"].append(measure_unit(answer["norm"]))
            around = {key: value for key, value in answer.items() if key != "norm"}
            sizes["answer"].append(measure(around) + sizes["unit"][-1])
    for norm in [one for one in norms if one.title][:QUESTIONS]:
        for kind in ("statute", "decision"):
            answer = caller.call("legal_search", query=norm.title, document_kind=kind)
            sizes["hit"] += map(measure, answer["hits"])
    for statute_id in list(dict.fromkeys(norm.statute_id for norm in norms))[:LAWS]:
        sizes["row"] += map(
            measure, caller.call("legal_get_toc", law_abbreviation=statute_id)["toc"]
        )
    for norm_id in list_most_cited(library):
        answer = caller.call("legal_find_citing_decisions", cited_norm=norm_id)
        sizes["citing"] += map(measure, answer.get("decisions", ()))
    return sizes


def list_most_cited(library: Library) -> list[str]:
    """Norms of well-known laws."""
    found = [
        norm.norm_id
        for law in ("de/bgb", "de/stgb", "de/zpo", "de/gg")
        if law in library.store.statutes
        for norm in library.store.list_norms(law, NormKind.SECTION)
    ]
    cited = [one for one in found if library.decisions.list_citing_ordinals(one)]
    return cited[:: max(1, len(cited) // CITED)]


def count_pages(caller: Caller, **arguments: Any) -> dict[str, int]:
    """Calls and characters of a whole table of contents."""
    calls = characters = offset = 0
    while True:
        answer = caller.call("legal_get_toc", offset=offset, **arguments)
        calls, characters = calls + 1, characters + measure(answer)
        if not answer["has_more"]:
            return {"calls": calls, "characters": characters}
        offset = answer["next_offset"]


def describe_list(caller: Caller) -> dict[str, int]:
    """Characters of ``tools/list`` and of its parts."""
    listed = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
            "annotations": tool.annotations,
        }
        for tool in caller.tools.values()
    ]
    parts = {name: sum(measure(tool[name]) for tool in listed) for name in listed[0]}
    return {"all": measure({"tools": listed}), **parts}


def describe(values: Sequence[float], digits: int | None = None) -> dict[str, float]:
    """Their middle, the last of twenty, and the most."""
    ordered = sorted(values)
    places = {"p50": len(ordered) // 2, "p95": len(ordered) * 95 // 100, "most": -1}
    points = {name: round(ordered[at], digits) for name, at in places.items()}
    return {"n": len(ordered), **points}


def run() -> dict[str, Any]:
    library = open_library(Settings.from_env(os.environ))
    caller = Caller(library, library.store.manifest.stand)
    found: dict[str, Any] = {"release": library.store.manifest.release}
    sizes = collect(caller, library, random.Random(SEED))
    print(f"{'characters':24}{'n':>7}{'p50':>8}{'p95':>8}{'most':>8}{'budget':>8}{'above':>8}")
    for kind, values in sizes.items():
        if not values:
            continue
        row = found[kind] = describe(values)
        budget = BUDGETS.get(kind)
        if budget:
            row["above"] = round(sum(one > budget for one in values) / len(values), 4)
        print(
            f"{kind:24}{row['n']:7}{row['p50']:8}{row['p95']:8}{row['most']:8}"
            f"{budget or '':>8}{row.get('above', ''):>8}"
        )
    found["tools/list"] = describe_list(caller)
    print("tools/list", found["tools/list"], "budget", BUDGETS["list"])
    times = dict(caller.times)
    for limit in (100, 500):
        pages = count_pages(caller, law_abbreviation="BGB", limit=limit)
        found[f"contents of the BGB, limit {limit}"] = pages
        print(f"contents of the BGB, limit {limit}:", pages)
    for name, taken in times.items():
        found[f"{name} ms of processor"] = row = describe(taken, 3)
        print(f"{name:28} ms of processor {row}")
    print("kept in", write_results("sizes", found))
    return found


if __name__ == "__main__":
    run()
