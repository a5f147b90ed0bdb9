"""What all servers are asked: our definitions, our answers, and the questions that lead to them."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benches.speed.wire import LEGACY, Call, ask

EVAL = Path(__file__).parents[3] / "shared" / "eval"
LOOKUPS = 400
SEARCHES = 300

# Laws and the last of their sections; those that do not exist are left out.
_LAWS = (
    ("BGB", 2385),
    ("StGB", 358),
    ("ZPO", 1120),
    ("HGB", 475),
    ("StPO", 500),
    ("AO", 415),
    ("InsO", 359),
    ("AktG", 410),
    ("VwGO", 195),
    ("VwVfG", 103),
)
_WORD = re.compile(r"[^\W\d_][\w-]*")


def list_citations() -> Iterator[str]:
    """Whole sections, spread over ten laws, in an order that jumps between them."""
    steps = max(1, LOOKUPS * 2 // len(_LAWS))
    for step in range(steps):
        for law, last in _LAWS:
            yield f"§ {1 + step * last // steps} {law}"


def read_questions(folder: Path = EVAL) -> list[str]:
    """Questions of three to eight words: written ones first, then pieces of court sentences."""
    found: dict[str, None] = {}
    for name in ("norm_questions", "citing_sentences"):
        path = folder / f"{name}.jsonl.gz"
        if not path.exists():
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                words = _WORD.findall(json.loads(line)["query"])
                if name == "citing_sentences":
                    words = words[: 3 + number % 6]
                if 3 <= len(words) <= 8:
                    found.setdefault(" ".join(words))
    return list(found)[:SEARCHES]


def gather(url: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Ask our own server for everything the peers will serve.

    Returns:
        ``tools`` as listed, ``calls`` with tool, arguments and result.
    """
    tools = ask(url, Call(), LEGACY, headers)["tools"]
    calls = [
        {"tool": call.tool, "arguments": call.arguments, "result": result}
        for call in _wanted()
        if (result := ask(url, call, LEGACY, headers))["structuredContent"]["found"]
    ]
    return {"instructions": "", "tools": tools, "calls": calls}


def _wanted() -> Iterator[Call]:
    for citation in list_citations():
        yield Call("legal_lookup", {"citation": citation})
    for question in read_questions():
        yield Call("legal_search", {"query": question, "top_k": 10})


def calls_of(exhibit: Mapping[str, Any], tool: str, limit: int) -> Sequence[Call]:
    return [
        Call(call["tool"], call["arguments"]) for call in exhibit["calls"] if call["tool"] == tool
    ][:limit]
