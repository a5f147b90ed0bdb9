"""How the time of each component grows with the length of its input: it doubles, step by step.

python -m benches.cost.growth

Asks the build in FUNDSTELLE_DATA. The inputs are of the shapes that were found to be the slowest.
An exponent of 1 is linear; n log n shows as about 1.1.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from benches.results import write_results
from fundstelle.bootstrap.library import open_library
from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.lookup.comparing.wording import Wording, read_quote
from fundstelle.lookup.comparing.words import read_words
from fundstelle.lookup.context.changes import compare
from fundstelle.lookup.library import Library
from fundstelle.search.words.german import find_words
from fundstelle.search.words.snippets import Room, snippet
from fundstelle.search.words.terms import translate
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext

DOUBLINGS = 4
TRIES = 5
ANNEX = "de/nordsbefv/anlage-2"  # the longest text of federal law
Case = tuple[str, int, Callable[[int], Callable[[], object]]]
"""A name, the greatest length, and from a length to what is timed."""


def repeat(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def iter_citations(library: Library) -> Iterator[Case]:
    names = library.names
    shapes = {
        "dense sections": "§1",
        "list": "§§ 1, 2, 3, 4 BGB, ",
        "chain": "§ 1 BGB i.V.m. ",
        "dockets": "C-311/18",
        "names": "SGB ",
        "brackets": "((",
        "Roman": "Art. II IV ",
        "accents": "e\u0327\u0301",
        "ECLIs and dockets": "ECLI:DE:BGH:2010:010110UIZR1.10.0 und BGH I ZR 1/10, ",
        "dockets and pages": "BGH I ZR 1/00; NJW 2000, 1; ",
    }
    for name, unit in shapes.items():
        yield f"find: {name}", 80_000, partial(_find, names, unit)  # as decisions are long
    for name in ("list", "chain", "names"):
        unit = shapes[name]
        yield f"parse: {name}", 4_000, partial(_parse, names, unit)


def iter_texts(library: Library) -> Iterator[Case]:
    fassung = library.store.find_fassung(ANNEX, date(2026, 1, 1))
    assert fassung is not None
    text = fassung.text
    numbers = " ".join(map(str, range(1_000)))
    for name, quote in {
        "commas": "," * 2_000,
        "gaps": "gilt [...] , " * 150,
        "numbers": numbers[:2_000],
    }.items():
        yield f"quote by text: {name}", len(text) // 16 * 16, partial(_compare_text, text, quote)
        yield f"quote by quote: {name}", 2_000, partial(_compare_quote, text[:200_000], quote)
    words = " ".join("aeoeuess" + letter * 40 for letter in "abcdefghij")
    yield "snippet by text", 100_000, lambda n: lambda: snippet(text[:n], words, room=Room())
    yield "snippet by words", 5_000, lambda n: lambda: snippet(text, repeat(words, n), room=Room())
    yield "words", 5_000, lambda n: lambda: find_words(repeat("§§ 1a ", n))
    yield (
        "translation",
        1_000,
        lambda n: lambda: translate.__wrapped__(repeat("notice period will ", n)),
    )


def _find(names: LawNames, unit: str, length: int) -> Callable[[], object]:
    return lambda: find(repeat(unit, length), names)


def _parse(names: LawNames, unit: str, length: int) -> Callable[[], object]:
    return lambda: parse(repeat(unit, length), names)


def _compare_text(text: str, quote: str, length: int) -> Callable[[], object]:
    read_words.cache_clear()
    return lambda: Wording(text[:length]).compare(read_quote(quote))


def _compare_quote(text: str, quote: str, length: int) -> Callable[[], object]:
    read_words.cache_clear()
    return lambda: Wording(text).compare(read_quote(quote[:length]))


def iter_diffs(library: Library) -> Iterator[Case]:
    fassung = library.store.find_fassung(ANNEX, date(2026, 1, 1))
    assert fassung is not None
    lines = [f"{number}." if number % 3 else "–" for number in range(12_000)]
    altered = [line + "x" if at % 7 == 0 else line for at, line in enumerate(lines)]

    def build(n: int) -> Callable[[], object]:
        older = replace(fassung, text="\n".join(lines[:n]))
        newer = replace(fassung, text="\n".join(altered[:n]))
        return lambda: compare(older, newer)

    yield "diff by lines", 12_000, build


def iter_tools(library: Library) -> Iterator[Case]:
    registry = build_registry(library, today=lambda: date(2026, 1, 1), base_url="http://127.0.0.1")
    tools = {tool.name: tool for tool in registry.tools}
    context = CallContext("growth", "growth")

    def ask(tool: str, **arguments: Any) -> Callable[[], object]:
        return lambda: tools[tool].call(arguments, context)

    words = "Frist Antrag Behörde Verordnung Person Gericht Urteil Schaden Vertrag Miete "
    numbers = " ".join(map(str, range(300)))
    yield "search by query", 1_000, lambda n: ask("legal_search", query=repeat(words, n), top_k=50)
    yield "search by numbers", 1_000, lambda n: ask("legal_search", query=numbers[:n], top_k=50)
    yield (
        "search by rephrasings",
        4,
        lambda n: ask(
            "legal_search",
            query=repeat(words, 1_000),
            rephrasings=[numbers[at : at + 900] for at in range(n)],
            top_k=50,
        ),
    )
    yield (
        "batch by items",
        20,
        lambda n: ask(
            "legal_lookup_batch",
            citations=[ANNEX] * n,
            quotes=[numbers[at : at + 900] for at in range(n)],
        ),
    )
    yield (
        "lookup by citation",
        500,
        lambda n: ask("legal_lookup", citation=repeat("§ 1, 2 BGB, ", n)),
    )


def measure(build: Callable[[int], Callable[[], object]], length: int) -> float:
    """Milliseconds of CPU, the shortest of several."""
    times = []
    for _ in range(TRIES):
        call = build(length)
        begin = time.process_time()
        call()
        times.append((time.process_time() - begin) * 1e3)
    return min(times)


def run() -> dict[str, Any]:
    library = open_library(Settings.from_env(os.environ))
    rows: dict[str, Any] = {}
    for source in (iter_citations, iter_texts, iter_diffs, iter_tools):
        for name, length, build in source(library):
            build(max(1, length >> DOUBLINGS))()
            lengths = [max(1, length >> step) for step in range(DOUBLINGS, -1, -1)]
            times = [measure(build, each) for each in lengths]
            exponent = math.log2(times[-1] / times[-3]) / math.log2(lengths[-1] / lengths[-3])
            shown = "".join(f"{each:9.2f}" for each in times)
            print(f"{name:28}{lengths[-1]:8}{shown}{exponent:7.2f}", flush=True)
            rows[name] = {
                "lengths": lengths,
                "ms": [round(each, 3) for each in times],
                "exponent": round(exponent, 2),
            }
    print(
        "kept in",
        write_results("growth", {"release": library.store.manifest.release, "components": rows}),
    )
    return rows


if __name__ == "__main__":
    run()
