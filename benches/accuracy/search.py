"""How well the live build's search finds the norm that answers a question, and what it costs.

python -m benches.accuracy.search [--data FOLDER] [--locked | --live] [QUERIES.jsonl.gz ...]

Meaning is that of the package's model, or of the one that FUNDSTELLE_EMBEDDER names, if the build
has its vectors.
``--live`` measures what the build does and nothing else, in a seventh of the time: all questions,
those chosen on, and the third that is kept apart.
Scores as in the evaluation set's own score.py: MRR@10 of the first hit, Recall of all.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benches.accuracy.confidence import is_locked
from benches.results import write_results
from fundstelle.bootstrap.library import build_embedder, build_engine, open_library
from fundstelle.cli.evaluation.questions import Gold, LabelledQuestion, read_questions
from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.errors import NoCorpus
from fundstelle.lookup.library import Library
from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult
from fundstelle.search.meaning.embedder import Embedder
from fundstelle.search.meaning.vectors import FOLDER as VECTORS
from fundstelle.search.meaning.vectors import Vectors
from fundstelle.search.ranking.features import FEATURES, Features
from fundstelle.search.ranking.measures import average, bootstrap
from fundstelle.search.ranking.measures import measure as rate
from fundstelle.search.ranking.ranker import BOTH, CARD, DEFAULT, NONE, OWN, Ranker
from fundstelle.search.ranking.ranker import FOLDER as RANKER
from fundstelle.search.words.snippets import snippet
from fundstelle.settings import Settings

EVAL = Path(__file__).parents[3] / "shared" / "eval"
NAMES = ("norm_questions", "lay_questions.dev", "citing_sentences")
SETS = tuple(EVAL / f"{name}.jsonl.gz" for name in NAMES)
OURS = Path(__file__).parents[2] / "tests" / "golden" / "search"
DEPTH = 100
TRIES = ["again"] * 200
SENTENCES = "sentences"
CONFIGURATIONS = {  # which models, whether sentences are looked at, and whether meaning is
    "stage 1": (NONE, False, False),
    "stage 1, meaning": (NONE, False, True),
    "default model": (DEFAULT, False, False),
    "default model, sentences": (DEFAULT, True, False),
    "default and own model, sentences": (BOTH, True, False),
    "default model, sentences, meaning": (DEFAULT, True, True),
    "default and own model, sentences, meaning": (BOTH, True, True),
}
Table = dict[str, dict[str, Any]]
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


@contextmanager
def open_configured(
    folder: Path, used: str, *, sentences: bool, meaning: bool, embedder: Embedder | None = None
) -> Iterator[SearchIndex]:
    """The index with parts of its ranking left out, as links to its files beside another card."""
    with TemporaryDirectory() as held:
        for path in folder.iterdir():
            if path.name != RANKER and (sentences or path.name != SENTENCES):
                (Path(held) / path.name).symlink_to(path.resolve())
        (other := Path(held) / RANKER).mkdir()
        if (own := folder / RANKER / OWN).exists():
            (other / OWN).symlink_to(own.resolve())
        (other / CARD).write_text(json.dumps({"use": used}), encoding="utf-8")
        index = build_engine().open(Path(held), embedder, meaning=meaning)
        try:
            yield index
        finally:
            index.close()


def score(index: SearchIndex, questions: Sequence[LabelledQuestion], gold: Gold) -> dict[str, Any]:
    rows = []
    for question in questions:
        hits = index.search(SearchRequest(question.query, limit=DEPTH)).hits
        rows.append(rate([hit.ordinal for hit in hits], gold.find(question)))
    low, high = bootstrap([row["MRR@10"] for row in rows])
    interval = [round(low, 3), round(high, 3)]
    return {"queries": len(rows), **average(rows), "MRR@10 interval": interval}


def select(questions: Sequence[LabelledQuestion]) -> dict[str, list[LabelledQuestion]]:
    """Our own questions by what answers them and by language."""
    groups: dict[str, list[LabelledQuestion]] = {}
    for question in questions:
        kind = question.qid.partition("-")[0]
        groups.setdefault(f"{kind}, {question.language}", []).append(question)
    return groups


def score_again(ranker: Ranker, features: Features, _: str) -> None:
    ranker.score(features)


def measure_ranker(folder: Path) -> dict[str, float]:
    """Scoring 50 and 130 candidates by all models of the build, in microseconds."""
    ranker = Ranker.read(folder)
    if ranker is None:
        return {}
    draw = np.random.default_rng(1)
    costs = {}
    for count in (50, 130):
        features = draw.random((count, len(FEATURES))).astype(np.float32)
        costs[f"{count} candidates"] = measure(partial(score_again, ranker, features), TRIES)
    return {name: cost["p50_us"] for name, cost in costs.items()}


def count_vectors(folder: Path) -> dict[str, int]:
    """How many norms have a vector, and how many are to have one."""
    vectors = Vectors.open(folder / VECTORS)
    if vectors is None:
        return {}
    counted = {"vectors": len(vectors), "norms": vectors.total}
    vectors.close()
    return counted


def compare(
    folder: Path, library: Library, sets: Mapping[str, Sequence[LabelledQuestion]]
) -> Table:
    """Every configuration on every set, and what one question costs."""
    gold = Gold(library, chain.from_iterable(sets.values()))
    texts = [question.query for question in next(iter(sets.values()))]
    table: Table = {}
    settings = Settings.from_env(os.environ)
    for name, (used, sentences, meaning) in CONFIGURATIONS.items():
        if used == BOTH and not (folder / RANKER / OWN).exists():
            continue
        embedder = build_embedder(settings) if meaning else None
        parts = {"sentences": sentences, "meaning": meaning}
        with open_configured(folder, used, **parts, embedder=embedder) as index:
            row = table[name] = {key: score(index, asked, gold) for key, asked in sets.items()}
            row["cost"] = measure(partial(ask, index, REQUESTS["top 10"]), texts)
        for key, scores in row.items():
            print(f"{name:42} {key:16} {scores}")
    return table


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
    index: SearchIndex, store: WholeStore, texts: Sequence[str]
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


def run(data: Path, sets: Sequence[Path], *, locked: bool = False) -> dict[str, Any]:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    store = builds.open_active(data)
    folder = builds.get_folder(data, store.manifest.release) / builds.INDEX
    before = measure_resident_bytes()
    begin = time.perf_counter()
    index = build_engine().open(folder)
    results: dict[str, Any] = {
        "release": store.manifest.release,
        "index_bytes": sum(file.stat().st_size for file in folder.rglob("*")),
        "open_ms": round((time.perf_counter() - begin) * 1e3),
        "open_bytes": measure_resident_bytes() - before,
    }
    asked = {file.name.partition(".")[0]: read_questions(file) for file in sets if file.exists()}
    texts = [question.query for question in next(iter(asked.values()))]
    asked |= select([one for file in sorted(OURS.glob("*.jsonl")) for one in read_questions(file)])
    if locked:
        kept = {name: [one for one in rows if is_locked(one.qid)] for name, rows in asked.items()}
        asked = {name: rows for name, rows in kept.items() if rows}
    results["configurations"] = compare(folder, library, asked)
    results["vectors"] = count_vectors(folder)
    results["ranker_us"] = measure_ranker(folder)
    print(f"models: {results['ranker_us']}")
    results["cost"] = dict(measure_all(index, store, texts))
    for name, cost in results["cost"].items():
        print(f"{name:24} cpu {cost['cpu_us']} µs, p50 {cost['p50_us']}, p99 {cost['p99_us']}")
    results["asked_bytes"] = measure_resident_bytes() - before
    results["resident_bytes"] = measure_resident_bytes()
    return results


def run_live(data: Path, sets: Sequence[Path]) -> dict[str, Any]:
    """The live ranking alone, on all questions and on both parts of them."""
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    release = library.store.manifest.release
    index = build_engine().open(builds.get_folder(data, release) / builds.INDEX)
    asked = {file.name.partition(".")[0]: read_questions(file) for file in sets if file.exists()}
    asked |= select([one for file in sorted(OURS.glob("*.jsonl")) for one in read_questions(file)])
    gold = Gold(library, chain.from_iterable(asked.values()))
    results: dict[str, Any] = {"release": release}
    for name, rows in asked.items():
        parts = {
            "all": rows,
            "chosen on": [one for one in rows if not is_locked(one.qid)],
            "locked": [one for one in rows if is_locked(one.qid)],
        }
        results[name] = {part: score(index, some, gold) for part, some in parts.items() if some}
        for part, scores in results[name].items():
            print(f"{name:24} {part:10} {scores}")
    index.close()
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    held = Path(os.environ.get("FUNDSTELLE_DATA", "data"))
    parser.add_argument("--data", type=Path, default=held)
    parser.add_argument("--locked", action="store_true", help="only the third that is kept apart")
    parser.add_argument("--live", action="store_true", help="only what the build does")
    parser.add_argument("queries", type=Path, nargs="*", default=SETS)
    arguments = parser.parse_args()
    try:
        if arguments.live:
            results = run_live(arguments.data, arguments.queries)
        else:
            results = run(arguments.data, arguments.queries, locked=arguments.locked)
    except NoCorpus:
        print(f"left out: no corpus in {arguments.data}; build one with 'fundstelle ingest'")
        return 0
    name = "search_locked" if arguments.locked else "search_live" if arguments.live else "search"
    print(f"kept in {write_results(name, results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
