"""How well the live build's search finds the norm that answers a question, and what it costs.

python -m benches.accuracy.search [--data FOLDER] [QUERIES.jsonl.gz ...]

Scores as in the evaluation set's own score.py: MRR@10 of the first hit, Recall of all.
"""

import argparse
import gzip
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benches.results import write_results
from fundstelle.bootstrap import build_engine
from fundstelle.corpus import builds
from fundstelle.corpus.sqlite import SqliteCorpusStore
from fundstelle.errors import NoCorpus
from fundstelle.law.identifiers import build_norm_id
from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult
from fundstelle.search.snippets import snippet

EVAL = Path(__file__).parents[3] / "shared" / "eval"
SETS = (EVAL / "norm_questions.jsonl.gz", EVAL / "citing_sentences.jsonl.gz")
DEPTH = 100
REQUESTS = {
    "top 10": SearchRequest("", limit=10),
    "top 10, one law": SearchRequest("", limit=10, filters={"statute_id": ["de/bgb"]}),
    "top 10, by day": SearchRequest("", limit=10, day_from=20100101),
    "top 10 with facets": SearchRequest("", limit=10, facets=True),
    "top 10, 2 rephrasings": SearchRequest(
        "", ("Kündigung des Mietvertrags", "Schadensersatz wegen Pflichtverletzung"), limit=10
    ),
    "hits 1,000 to 1,050": SearchRequest("", limit=50, offset=1_000),
}


def read_queries(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


class Gold:
    """From the set's ids (``bgb:573c``) to the build's ordinals."""

    def __init__(self, store: SqliteCorpusStore) -> None:
        self._store = store
        self._statutes = {statute.slug: key for key, statute in store.statutes.items()}

    def find(self, query: Mapping[str, Any]) -> set[int]:
        """Ordinals of the relevant norms; one that is not in the build is -1."""
        return {self._find(one["id"]) for one in query["relevant"]}

    def _find(self, written: str) -> int:
        slug, _, number = written.partition(":")
        statute_id = self._statutes.get(slug)
        if statute_id is not None:
            for candidate in (number, f"art-{number}"):
                ordinal = self._store.find_ordinal(build_norm_id(statute_id, candidate))
                if ordinal is not None:
                    return ordinal
        return -1


def score(index: SearchIndex, queries: Sequence[Mapping[str, Any]], gold: Gold) -> dict[str, Any]:
    rows = []
    for query in queries:
        relevant = gold.find(query)
        hits = index.search(SearchRequest(query["query"], limit=DEPTH)).hits
        found = [hit.ordinal for hit in hits]
        ranks = [rank for rank, ordinal in enumerate(found[:10], 1) if ordinal in relevant]
        rows.append(
            {
                "MRR@10": 1 / ranks[0] if ranks else 0.0,
                "Hit@1": float(ranks[:1] == [1]),
                "Recall@10": len(relevant.intersection(found[:10])) / len(relevant),
                "Recall@100": len(relevant.intersection(found)) / len(relevant),
            }
        )
    means = {name: round(statistics.fmean(row[name] for row in rows), 4) for name in rows[0]}
    low, high = bootstrap([row["MRR@10"] for row in rows])
    return {"queries": len(rows), **means, "MRR@10 interval": [round(low, 3), round(high, 3)]}


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean, from 2,000 resamples with a fixed seed."""
    draw = random.Random(7)
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(2_000))
    return means[50], means[1_949]


def measure(ask: Callable[[str], object], texts: Sequence[str]) -> dict[str, float]:
    """CPU and wall time of one question in microseconds; the second round counts."""
    for _ in range(2):
        begin = time.process_time_ns()
        taken = []
        for text in texts:
            start = time.perf_counter_ns()
            ask(text)
            taken.append(time.perf_counter_ns() - start)
        cpu = (time.process_time_ns() - begin) / len(texts)
    taken.sort()
    return {
        "cpu_us": round(cpu / 1e3),
        "p50_us": round(taken[len(taken) // 2] / 1e3),
        "p99_us": round(taken[len(taken) * 99 // 100] / 1e3),
    }


def ask(index: SearchIndex, request: SearchRequest, text: str) -> SearchResult:
    return index.search(replace(request, query=text))


def measure_all(
    index: SearchIndex, store: SqliteCorpusStore, texts: Sequence[str]
) -> Iterator[tuple[str, dict[str, float]]]:
    for words in (3, 5, 8):
        some = [" ".join(t.split()[:words]) for t in texts if len(t.split()) >= words]
        yield (
            f"top 10, {words} words",
            measure(partial(ask, index, REQUESTS["top 10"]), some),
        )
    for name, request in REQUESTS.items():
        yield name, measure(partial(ask, index, request), texts)
    shown = {}
    for text in texts:
        hits = index.search(SearchRequest(text, limit=10)).hits
        norms = store.get_norms_by_ordinal([hit.ordinal for hit in hits])
        found = [store.find_fassung(norm.norm_id) for norm in norms]
        shown[text] = [fassung.text for fassung in found if fassung is not None]
    yield "snippets of 10 hits", measure(lambda t: [snippet(one, t) for one in shown[t]], texts)


def measure_resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4_096


def run(data: Path, sets: Sequence[Path]) -> dict[str, Any]:
    store = builds.open_active(data)
    before = measure_resident_bytes()
    begin = time.perf_counter()
    folder = builds.get_folder(data, store.manifest.release) / builds.INDEX
    index = build_engine().open(folder)
    results: dict[str, Any] = {
        "release": store.manifest.release,
        "index_bytes": sum(file.stat().st_size for file in folder.iterdir()),
        "open_ms": round((time.perf_counter() - begin) * 1e3),
        "open_bytes": measure_resident_bytes() - before,
        "accuracy": {},
    }
    for file in sets:
        scores = score(index, read_queries(file), Gold(store))
        results["accuracy"][file.name.partition(".")[0]] = scores
        print(f"{file.name}: {scores}")
    texts = [query["query"] for query in read_queries(sets[0])]
    results["cost"] = dict(measure_all(index, store, texts))
    for name, cost in results["cost"].items():
        print(f"{name:24} cpu {cost['cpu_us']} µs, p50 {cost['p50_us']}, p99 {cost['p99_us']}")
    results["asked_bytes"] = measure_resident_bytes() - before
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    held = Path(os.environ.get("FUNDSTELLE_DATA", "data"))
    parser.add_argument("--data", type=Path, default=held)
    parser.add_argument("queries", type=Path, nargs="*", default=SETS)
    arguments = parser.parse_args()
    try:
        results = run(arguments.data, arguments.queries)
    except NoCorpus:
        print(f"left out: no corpus in {arguments.data}; build one with 'fundstelle ingest'")
        return 0
    print(f"kept in {write_results('search', results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
